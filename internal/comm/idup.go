package comm

import (
	"encoding/binary"

	"github.com/weft-mpi/weft/internal/coll"
)

// Pending is a communicator that is being made.
type Pending struct {
	from, made *Comm
	id         []byte
	told       Request
}

// Idup starts to make a communicator with the same ranks and neighbours. All ranks call it, and Wait gives it to
// them, whenever each asks for it.
func (c *Comm) Idup() (*Pending, error) {
	const op = "idup"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	p := &Pending{from: c, id: make([]byte, 4)}
	if c.rank == 0 {
		id, err := c.env.propose()
		if err != nil {
			return nil, c.fail(op, err)
		}
		binary.LittleEndian.PutUint32(p.id, id)
	}
	p.told = c.asOne().Start(&Call{Op: coll.Bcast, Name: op, Bytes: len(p.id), Elem: 1, Out: p.id})
	return p, nil
}

// Wait waits for the communicator, see Made.
func (p *Pending) Wait() (*Comm, error) {
	if p.made != nil {
		return p.made, nil
	}
	if _, _, err := p.told.One(true); err != nil {
		return nil, err
	}
	return p.Made()
}

// Told is the request that has ended when Made may be called.
func (p *Pending) Told() Request { return p.told }

// Made is the communicator. It does not wait for others to ask for it, but once the numbers of this process's
// communicators come again. It does without the memory of nodes, about which ranks would have to agree.
func (p *Pending) Made() (*Comm, error) {
	if p.made != nil {
		return p.made, nil
	}
	id := binary.LittleEndian.Uint32(p.id)
	c := p.from.asOne()
	d := c.newOf("idup", id)
	d.node.room = roomLacking
	if id&again != 0 {
		if err := c.Run(&Call{Op: coll.Barrier, Name: "idup"}); err != nil {
			return nil, err
		}
	}
	d.graph = c.graph
	if c.two != nil {
		d.pairUp(c.two.first)
	}
	p.made = d
	return d, nil
}
