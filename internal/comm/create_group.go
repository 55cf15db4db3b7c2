package comm

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// CreateGroup makes a communicator of the processes in g, a subset of ours. Those of the group alone call it, with
// the same group and tag; calls of several goroutines at a time have different tags. The first process of the group
// gives the number, and all have told it that they are there before anybody goes on.
func (c *Comm) CreateGroup(g *Group, tag int) (*Comm, error) {
	const op = "create_group"
	switch outside := slices.IndexFunc(g.procs, func(p int) bool { return c.group.Rank(p) == Undefined }); {
	case c.state.Load() != usable:
		return nil, c.unusable(op)
	case c.between():
		return nil, c.fail(op, ErrTwo)
	case outside >= 0:
		return nil, c.fail(op, fmt.Errorf("%w: process %d is not in the communicator", ErrGroup, g.procs[outside]))
	case g.Rank(c.env.Self) == Undefined:
		return nil, c.fail(op, fmt.Errorf("%w: this process is not in the group", ErrGroup))
	case uint(tag) > MaxTag:
		return nil, c.fail(op, fmt.Errorf("%w: %d", ErrTag, tag))
	case c.littered.Load():
		return nil, c.fail(op, errLittered)
	}
	var d *Comm
	err := c.tellNumber(g, int32(tag), func(id uint32) {
		d = c.env.newComm(NewGroup(slices.Clone(g.procs)), g.procs[0], id&^again, c.name+".group")
		d.goctx = c.goctx
	})
	if err != nil {
		c.litter()
		if d != nil {
			d.Leave()
		}
		return nil, c.fail(op, err)
	}
	return d.settled(op)
}

// litter notes that a call which makes a communicator has failed: if a context has ended it the others
// live on, and words that nobody takes any more may have gone either way.
func (c *Comm) litter() {
	if c.over() {
		c.littered.Store(true)
	}
}

// tellNumber has the first process of a group tell the others a number, and asks them then whether they have
// begun with it: a message that came before would be taken for one of the communicator that had the number
// before, and thrown away with it.
func (c *Comm) tellNumber(g *Group, tag int32, begin func(id uint32)) error {
	var buf [4]byte
	first := g.procs[0]
	if c.env.Self != first {
		for turn := range 2 {
			if err := c.serviceSend(nil, first, tag); err != nil {
				return err
			}
			if err := c.serviceRecv(buf[:], first, tag); err != nil {
				return err
			}
			if turn == 0 {
				begin(binary.LittleEndian.Uint32(buf[:]))
			}
		}
		return nil
	}
	id, err := c.env.propose()
	if err != nil {
		return err
	}
	begin(id)
	binary.LittleEndian.PutUint32(buf[:], id)
	for range 2 {
		for _, p := range g.procs[1:] {
			if err == nil {
				err = c.serviceRecv(nil, p, tag)
			}
		}
		for _, p := range g.procs[1:] {
			if err == nil {
				err = c.serviceSend(buf[:], p, tag)
			}
		}
	}
	return err
}

// service is where messages by which communicators are made go, and come from.
func (c *Comm) service(ctx uint32, proc int, tag int32) progress.Peer {
	return progress.Peer{Ctx: wire.ContextOf(ctx, wire.Service), Peer: proc, Tag: tag}
}

func (c *Comm) serviceSend(b []byte, proc int, tag int32) error {
	to := c.service(c.out, proc, tag)
	if !c.endable() && c.env.Loop.SendShort(b, to) {
		return nil
	}
	return c.env.Loop.Send(c.goctx, b, to, engineMode(c.wordMode()), c.why("create_group"))
}

// wordMode is how ranks that make a communicator send words: if a context may end that, so that they can be taken back.
func (c *Comm) wordMode() Mode {
	if c.endable() {
		return Synchronous
	}
	return Standard
}

func (c *Comm) serviceRecv(b []byte, proc int, tag int32) error {
	_, err := c.env.Loop.Recv(c.goctx, b, c.service(c.in, proc, tag), c.why("create_group"))
	return err
}
