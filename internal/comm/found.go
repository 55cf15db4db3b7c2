package comm

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/coll"
)

// Create makes a communicator of the processes in g, which must be a subset of ours. Every rank of c
// calls it, those of a group with the same group; others may name another one, which has no process
// in common with it, or an empty one. Processes outside of their group get nil.
func (c *Comm) Create(g *Group) (*Comm, error) {
	if err := c.oneGroup("create"); err != nil {
		return nil, err
	}
	for _, p := range g.procs {
		if c.group.Rank(p) == Undefined {
			return nil, c.fail("create", fmt.Errorf("%w: process %d is not in the communicator", ErrGroup, p))
		}
	}
	color, key := Undefined, g.Rank(c.env.Self)
	if key != Undefined {
		color = c.group.Rank(g.procs[0])
	}
	return c.Split(color, key)
}

// lacking marks the number of a communicator whose ranks are all on one node, where there is no
// memory for it.
const lacking = 1 << 30

// found makes a communicator of all ranks of c. The first gives it a number and tells all; if they
// are on one node, it reserves the memory there, too, and nobody has to agree afterwards.
func (c *Comm) found(op string) (d *Comm, err error) {
	if err := c.usable(op); err != nil {
		return nil, err
	}
	c = c.asOne()
	var buf [4]byte
	leads := c.rank == 0
	if leads {
		id, err := c.env.propose()
		if err != nil {
			return nil, c.fail(op, err)
		}
		if d = c.newOf(op, id); d.oneNode() && !d.reserve() {
			id |= lacking
		}
		binary.LittleEndian.PutUint32(buf[:], id)
	}
	if err := c.Run(&Call{Op: coll.Bcast, Name: op, Bytes: len(buf), Elem: 1, Out: buf[:]}); err != nil {
		if leads {
			d.Leave()
		}
		return nil, err
	}
	id := binary.LittleEndian.Uint32(buf[:])
	if !leads {
		d = c.newOf(op, id)
	}
	if d.oneNode() {
		d.settle(id&lacking == 0)
	}
	return c.made(d, op, id&again != 0)
}

// newOf is a communicator of our ranks with a number that the first has given it.
func (c *Comm) newOf(op string, id uint32) *Comm {
	d := c.env.newComm(c.group, c.group.procs[0], id&^(again|lacking), c.name+"."+op)
	d.goctx = c.goctx
	return d
}
