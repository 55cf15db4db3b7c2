package shm

import "github.com/weft-mpi/weft/internal/wire"

// Head tells whether the next message from peer has come, and is short and without a label: its context, its tag, and
// its payload, which stays where it is until Next.
func (l *Link) Head(peer int) (ctx uint32, tag int32, payload []byte, found wire.Found) {
	in := l.inAt[l.at(peer)]
	if in == nil {
		return 0, 0, nil, wire.Other
	}
	c := in.full()
	if c == nil {
		return 0, 0, nil, wire.Nothing
	}
	if c.kind != wire.Eager {
		return 0, 0, nil, wire.Other
	}
	how, n := c.how, int(c.n)
	if how != inline {
		payload, found = in.behind(c, how, n)
		return c.ctx, c.tag, payload, found
	}
	if n > inlineMax {
		return 0, 0, nil, wire.Other
	}
	in.past = past{}
	return c.ctx, c.tag, c.body[:n], wire.Short
}

// behind is Head for n bytes in a byte ring. The peer may still write to the cell, so every field is read once.
func (in *inbox) behind(c *cell, how uint8, n int) (payload []byte, found wire.Found) {
	mem, ring := in.small, &in.smallEnd
	switch how {
	case inSmall:
	case inBulk:
		mem, ring = in.bulk, &in.bulkEnd
	default:
		return nil, wire.Other
	}
	at := *c.place()
	if int(at.off)+n > len(mem) || at.len != uint64(n) || at.label != 0 {
		return nil, wire.Other
	}
	in.past = past{ring, at.end}
	return mem[at.off : int(at.off)+n], wire.Short
}

// past is how far a byte ring has been read once the message at the head of an inbox has been taken; of messages whose
// payload is in their cell it is zero.
type past struct {
	ring *uint32
	end  uint32
}

// Next goes on behind the message that Head has just found.
func (l *Link) Next(peer int) {
	in := l.inAt[l.at(peer)]
	if in.past.ring != nil {
		*in.past.ring = in.past.end
	}
	in.head++
	in.release()
}
