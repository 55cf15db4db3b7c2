package comm

import (
	"encoding/binary"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
)

// Pending is a communicator that is being made.
type Pending struct {
	from *Comm
	made *Comm // nil until the number is known; under the loop's lock until told has ended
	id   [4]byte
	told Request
	over bool
}

// Idup starts to make a communicator with the same ranks and neighbours. All ranks call it, and Wait gives it to
// them, whenever each asks for it. It does without the memory of nodes, about which ranks would have to agree.
func (c *Comm) Idup() (*Pending, error) {
	const op = "idup"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	p := &Pending{from: c}
	if c.rank == 0 {
		id, err := c.env.propose()
		if err != nil {
			return nil, c.fail(op, err)
		}
		binary.LittleEndian.PutUint32(p.id[:], id)
	}
	call := &Call{Op: coll.Bcast, Name: op, Bytes: len(p.id), Elem: 1, Out: p.id[:], Combine: p.begin}
	p.told = c.asOne().startOwn(tellAndBegin(op, c.rank, c.group.Size()), call)
	return p, nil
}

// tellAndBegin is the plan by which rank 0 tells a number, the four bytes of Out, and learns that everybody has begun
// with it, in a reduction: a message that came before would be taken for one of the communicator that had the number
// before. It goes down a tree, up and down again; nobody has to wait for the end of a call meanwhile.
func tellAndBegin(name string, rank, ranks int) *plan.Plan {
	b := plan.NewBuilder(name, rank, ranks)
	number, word := plan.Span{Buf: plan.Out, Len: 4}, plan.Span{}
	parent, known := rank&(rank-1), plan.None
	if rank > 0 {
		known = b.Recv(parent, number)
	}
	var below []int
	for bit := 1; rank&bit == 0 && rank+bit < ranks; bit *= 2 {
		below = append(below, rank+bit)
		b.Send(rank+bit, number, known)
	}
	all := []int{b.Reduce(b.Tmp(number.Len), number, false, known)}
	for _, r := range below {
		all = append(all, b.Recv(r, word))
	}
	if rank > 0 {
		all = []int{b.Recv(parent, word, b.Send(parent, word, all...))}
	}
	for _, r := range below {
		b.Send(r, word, all...)
	}
	return b.Build()
}

// begin begins with the number, in the place of a reduction: the loop's lock is held.
func (p *Pending) begin(_, number []byte, _ bool) {
	c := p.from
	d := c.env.newCore(c.group, c.group.procs[0], binary.LittleEndian.Uint32(number)&^again, c.name+".idup")
	d.node.room = roomLacking
	d.graph = c.graph
	if c.two != nil {
		d.pairUp(c.two.first)
	}
	c.env.register(d, true)
	p.made = &Comm{core: d, goctx: c.goctx}
}

// Wait waits for the communicator; not for others to do so.
func (p *Pending) Wait() (*Comm, error) {
	if p.over {
		return p.made, nil
	}
	_, _, err := p.told.One(true)
	if err != nil {
		p.drop()
		return nil, err
	}
	p.over = true
	return p.Made()
}

// Told is the request that has ended when Made may be called.
func (p *Pending) Told() Request { return p.told }

// Made is the communicator, once Told has ended well.
func (p *Pending) Made() (*Comm, error) { return p.made, nil }

// drop gives up what has come to nothing.
func (p *Pending) drop() {
	if p.made != nil {
		p.made.Leave()
		p.made = nil
	} else if p.from.rank == 0 {
		p.from.env.withdraw(binary.LittleEndian.Uint32(p.id[:]))
	}
}
