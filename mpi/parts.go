package mpi

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
)

// A message in parts (MPI calls it partitioned) lets goroutines that fill different parts of a buffer send
// them without waiting for each other, and the receiver work on what has arrived. It is made once, and
// started by [Start] and waited for again and again.
//
// A send and a receive belong together in the order in which they were made for two ranks and a tag, apart
// from all other messages. Both have the same length; the numbers of parts may differ. Parts travel as they
// get ready, short ones together with their neighbours.

// PartSend is a send in parts, see [PsendInit]. Its request completes when all parts have been said to be
// ready and have left.
type PartSend struct {
	Request
	p *comm.PartSend
}

// PsendInit makes a send of buf in so many equal parts, which [Start] starts, again and again. After each
// start every part is said to be ready once, by [PartSend.Ready].
func PsendInit[T any](c *Comm, buf []T, parts, dst, tag int) PartSend {
	if !movable[T]() {
		return PartSend{Request: failing(badType[T](c, "psend_init", dst, tag))}
	}
	if err := equalParts(c, "psend_init", len(buf), parts, dst, tag); err != nil {
		return PartSend{Request: failing(err)}
	}
	p, r := c.c.PsendInit(view(buf), parts, dst, tag)
	return PartSend{Request{r}, p}
}

// equalParts tells why so many elements have not so many equal parts.
func equalParts(c *Comm, op string, n, parts, peer, tag int) error {
	if parts > 0 && n%parts == 0 {
		return nil
	}
	return &Error{Op: op, Comm: c.Name(), Peer: peer, Tag: tag,
		Err: fmt.Errorf("%w: %d elements in %d parts; there is at least one part, and all have the same length", ErrCount, n, parts)}
}

// Ready says that parts may leave: they must not be changed until the wait. Any goroutine may say so. A part
// that is said to be ready twice, or before [Start], fails with [ErrRequest].
func (s PartSend) Ready(parts ...int) error {
	for _, i := range parts {
		if err := s.ReadyRange(i, i+1); err != nil {
			return err
		}
	}
	return nil
}

// ReadyRange is [PartSend.Ready] for the parts from from to to-1.
func (s PartSend) ReadyRange(from, to int) error {
	if s.p == nil {
		return lifeError("ready", ErrRequest)
	}
	return s.p.Ready(from, to)
}

// PartRecv is a receive in parts, see [PrecvInit]. Its request completes when the whole message has arrived.
type PartRecv struct {
	Request
	p *comm.PartRecv
}

// PrecvInit makes a receive into buf in so many equal parts, which [Start] starts, again and again. It takes
// what the [PsendInit] of rank src with the same tag sends; there are no wildcards.
func PrecvInit[T any](c *Comm, buf []T, parts, src, tag int) PartRecv {
	if !movable[T]() {
		return PartRecv{Request: failing(badType[T](c, "precv_init", src, tag))}
	}
	if err := equalParts(c, "precv_init", len(buf), parts, src, tag); err != nil {
		return PartRecv{Request: failing(err)}
	}
	p, r := c.c.PrecvInit(view(buf), parts, src, tag)
	return PartRecv{Request{r}, p}
}

// Arrived tells whether a part has arrived and may be read, though the message may not be whole. Any
// goroutine may ask. Of a message that is not under way all parts have.
func (r PartRecv) Arrived(part int) (bool, error) {
	if r.p == nil {
		return false, lifeError("arrived", ErrRequest)
	}
	return r.p.Arrived(part)
}
