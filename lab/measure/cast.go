package measure

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/mpi"
)

// Caster is a rank's end of the broadcast of the network's hardware, below MPI. Bytes leave from where they
// are and come in pieces into memory that the ranks of a node share; from there each rank copies them to
// where it wants them while the next piece is on its way. Rank 0 is the root.
type Caster struct {
	pd        verbs.PD
	cq        verbs.CQ
	qp        verbs.QP
	group     verbs.AH // of the root
	piece     int
	landing   verbs.MR // of the others: a slot per receive
	done      [16]verbs.Completion
	meanwhile func() // of the root: what it does while a broadcast leaves
}

// CastSlots is how many pieces may come before a rank takes them.
const CastSlots = 1024

// errCast is the class of errors of broadcasts of the hardware.
var errCast = errors.New("broadcast of the hardware")

// NewCaster makes an end out of a queue pair for datagrams of which the group's members have one each.
// Those of the members are attached to the group; the root's has the group as destination.
func NewCaster(pd verbs.PD, cq verbs.CQ, qp verbs.QP, group verbs.AH, piece int) (*Caster, error) {
	c := &Caster{pd: pd, cq: cq, qp: qp, group: group, piece: piece}
	if group != nil {
		return c, nil
	}
	var err error
	if c.landing, err = pd.Register(make([]byte, piece*CastSlots), verbs.LocalWrite); err != nil {
		return nil, err
	}
	for slot := range CastSlots {
		if err := c.offer(slot); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Register makes a buffer known to the interface, to send from.
func (c *Caster) Register(buf []byte) (verbs.MR, error) { return c.pd.Register(buf, verbs.LocalWrite) }

// offer has the next piece that finds no earlier slot come to this one.
func (c *Caster) offer(slot int) error {
	_, err := c.qp.PostRecv([]verbs.RecvWR{{ID: uint64(slot), SGL: []verbs.SGE{{Buf: c.slot(slot), LKey: c.landing.LKey()}}}})
	return err
}

func (c *Caster) slot(i int) []byte { return c.landing.Bytes()[i*c.piece : (i+1)*c.piece] }

// Send sends what the root has in its buffer, which mr is, to the buffers of all others. All ranks call it
// with as many bytes.
func (c *Caster) Send(k *Rank, buf []byte, mr verbs.MR) error {
	if c.group != nil {
		return c.leave(buf, mr)
	}
	for off := 0; off < len(buf); {
		n := c.cq.Poll(c.done[:])
		for _, d := range c.done[:n] {
			if d.Status != verbs.OK {
				return fmt.Errorf("%w: %v", errCast, d.Status)
			}
			piece := c.slot(int(d.ID))[:d.Len]
			k.copied(copy(buf[off:], piece))
			off += d.Len
			if err := c.offer(int(d.ID)); err != nil {
				return err
			}
		}
		if n == 0 {
			c.cq.Wait(-1)
		}
	}
	return nil
}

// leave is the root's part; it ends when the buffer is free again.
func (c *Caster) leave(buf []byte, mr verbs.MR) error {
	for off := 0; off < len(buf); off += c.piece {
		end := min(off+c.piece, len(buf))
		wr := verbs.SendWR{Op: verbs.Send, AH: c.group, SGL: []verbs.SGE{{Buf: buf[off:end], LKey: mr.LKey()}}}
		if end == len(buf) {
			wr.Flags = verbs.Signaled
		}
		if _, err := c.qp.PostSend([]verbs.SendWR{wr}); err != nil {
			return fmt.Errorf("%w: %w", errCast, err)
		}
	}
	if c.meanwhile != nil {
		c.meanwhile()
	}
	for c.cq.Poll(c.done[:1]) == 0 {
		c.cq.Wait(-1)
	}
	if c.done[0].Status != verbs.OK {
		return fmt.Errorf("%w: %v", errCast, c.done[0].Status)
	}
	return nil
}

// NewCastGroup is like NewGroup, but what rank 0 tells everybody goes by the broadcast of the hardware: all
// of a Bcast, and of an Allgather what follows a gather at rank 0. The rank must have a caster (Cast).
func NewCastGroup(k *Rank, op Collective, size int) (*Group, error) {
	parts := 1
	if op == Allgather {
		parts = k.World.Size()
	}
	in, out := buffer(size), buffer(parts*size)
	switch op {
	case Bcast:
		return CastAfter(k, CastCall{First: func() error { return nil }, Memory: out})
	case Allgather:
		all := out
		if k.World.Rank() != 0 {
			all = nil
		}
		return CastAfter(k, CastCall{First: func() error { return mpi.Gather(k.World, in, all, 0) }, Memory: out})
	}
	return nil, fmt.Errorf("%w: %s does not tell everybody the same", errCast, op)
}

// CastCall is a rank's part of an operation that ends with a broadcast of the hardware.
type CastCall struct {
	First     func() error // what goes before
	Memory    []byte       // rank 0: what it broadcasts; the others: where they want it
	Meanwhile func()       // rank 0: what it does while the broadcast leaves, if anything
}

// CastAfter is an operation that ends with a broadcast of the hardware.
func CastAfter(k *Rank, c CastCall) (*Group, error) {
	if k.Cast == nil {
		return nil, fmt.Errorf("%w: this network has none", errCast)
	}
	if len(c.Memory) > CastSlots*k.Cast.piece {
		return nil, fmt.Errorf("%w: of %d bytes, at most %d", errCast, len(c.Memory), CastSlots*k.Cast.piece)
	}
	mr, err := k.Cast.Register(c.Memory)
	if err != nil {
		return nil, err
	}
	return Together(k, func() error {
		if err := c.First(); err != nil {
			return err
		}
		k.Cast.meanwhile = c.Meanwhile
		return k.Cast.Send(k, c.Memory, mr)
	}), nil
}
