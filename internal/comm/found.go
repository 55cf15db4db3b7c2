package comm

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/coll"
)

// Create makes a communicator of the processes in g, which must be a subset of ours; every rank of c calls
// it with the same group. Processes outside get nil.
func (c *Comm) Create(g *Group) (*Comm, error) {
	for _, p := range g.procs {
		if c.group.Rank(p) == Undefined {
			return nil, c.fail("create", fmt.Errorf("%w: process %d is not in the communicator", ErrGroup, p))
		}
	}
	return c.found("create", g)
}

// lacking marks the number of a communicator whose ranks are all on one node, where there is no memory for it.
const lacking = 1 << 30

// found makes a communicator of a group that all ranks of c have named. Its first process gives it a number and tells all ranks;
// if the group is on one node, that process reserves the memory there, too, and nobody has to agree afterwards.
func (c *Comm) found(op string, g *Group) (d *Comm, err error) {
	if err := c.usable(op); err != nil || g.Size() == 0 {
		return nil, err
	}
	var buf [4]byte
	leads := g.procs[0] == c.env.Self
	if leads {
		id, err := c.env.propose()
		if err != nil {
			return nil, c.fail(op, err)
		}
		if d = c.newOf(op, g, id); d.oneNode() && !d.reserve() {
			id |= lacking
		}
		binary.LittleEndian.PutUint32(buf[:], id)
	}
	if err := c.Run(&Call{Op: coll.Bcast, Name: op, Root: c.group.Rank(g.procs[0]), Bytes: len(buf), Elem: 1, Out: buf[:]}); err != nil {
		if leads {
			d.Leave()
		}
		return nil, err
	}
	id := binary.LittleEndian.Uint32(buf[:])
	if !leads && g.Rank(c.env.Self) != Undefined {
		d = c.newOf(op, g, id)
	}
	if d != nil && d.oneNode() {
		d.settle(id&lacking == 0)
	}
	return c.made(d, op, id&again != 0)
}

// newOf is a communicator of ours with a number that its first process has given it.
func (c *Comm) newOf(op string, g *Group, id uint32) *Comm {
	d := c.env.newComm(g, g.procs[0], id&^(again|lacking), c.name+"."+op)
	d.goctx = c.goctx
	return d
}
