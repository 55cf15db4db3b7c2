package abi

import (
	"sync"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// sendBuffer is what a program has attached for buffered sends. The copies themselves are in memory of the library's:
// the buffer's size limits how much they are.
type sendBuffer struct {
	mu       sync.Mutex
	attached bool
	at       uintptr // as the program has given it
	size     int     // unlimited, if it is MPI_BUFFER_AUTOMATIC
	pending  []buffered
	used     int
}

// buffered is a message on its way.
type buffered struct {
	r    comm.Request
	copy *comm.Copy
	size int
}

// chapterBuffers attaches and detaches buffers.
var chapterBuffers = map[string]row{
	"Buffer_attach": {do: attachBuffer(false)}, "Comm_attach_buffer": {do: attachBuffer(true)}, "Session_attach_buffer": {do: attachBuffer(true)},
	"Buffer_detach": {do: detachBuffer(false)}, "Comm_detach_buffer": {do: detachBuffer(true)}, "Session_detach_buffer": {do: detachBuffer(true)},
	"Buffer_flush": {do: flushBuffer}, "Comm_flush_buffer": {do: flushBuffer}, "Session_flush_buffer": {do: flushBuffer},
	"Buffer_iflush": {do: flushBuffer}, "Comm_iflush_buffer": {do: flushBuffer}, "Session_iflush_buffer": {do: flushBuffer},
}

// sendBufferOf is the buffer that a function of the chapter means.
func (c call) sendBufferOf() (*sendBuffer, error) {
	if len(c.f.Args) == 0 || c.f.Args[0].Kind != "comm" && c.f.Args[0].Kind != "session" {
		return &c.p.buffer, nil
	}
	if c.f.Args[0].Kind == "comm" {
		cm, err := c.comm(0)
		if err != nil {
			return nil, err
		}
		return &cm.buffer, nil
	}
	s, err := c.session(0)
	if err != nil {
		return nil, err
	}
	return &s.buffer, nil
}

func attachBuffer(owned bool) handler {
	first := 0
	if owned {
		first = 1
	}
	return func(c call) error {
		b, err := c.sendBufferOf()
		if err != nil {
			return err
		}
		size, err := c.count(first + 1)
		if err != nil {
			return err
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.attached {
			return bad(spec.ERR_BUFFER, "a buffer is attached already")
		}
		b.attached, b.at, b.size = true, c.word(first), size
		return nil
	}
}

func detachBuffer(owned bool) handler {
	first := 0
	if owned {
		first = 1
	}
	return func(c call) error {
		b, err := c.sendBufferOf()
		if err != nil {
			return err
		}
		if err := c.outs(first, first+1); err != nil {
			return err
		}
		if err := b.flush(); err != nil {
			return err
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if !b.attached {
			return bad(spec.ERR_BUFFER, "no buffer is attached")
		}
		*(*uintptr)(c.ptr(first)) = b.at
		c.setLarge(first+1, b.size)
		b.attached, b.at, b.size = false, 0, 0
		return nil
	}
}

// flushBuffer is Buffer_flush and its relatives. The non-blocking ones are over when they return, too: messages
// leave without the program's help.
func flushBuffer(c call) error {
	b, err := c.sendBufferOf()
	if err != nil {
		return err
	}
	starts := len(c.f.Args) > 0 && c.f.Args[c.last(1)].Kind == "request*"
	if starts {
		if err := c.outs(c.last(1)); err != nil {
			return err
		}
		return c.newRequest(c.last(1), &request{r: comm.Failed(nil), end: func(st comm.Status, err error) (comm.Status, error) { return st, b.flush() }})
	}
	return b.flush()
}

// flush waits until all messages have left.
func (b *sendBuffer) flush() (failed error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.pending {
		if _, _, err := b.pending[i].r.One(true); err != nil && failed == nil {
			failed = err
		}
		b.pending[i].copy.Free()
	}
	b.pending, b.used = nil, 0
	return failed
}

// reap gives back what has left. The lock is held.
func (b *sendBuffer) reap() {
	left := b.pending[:0]
	for _, m := range b.pending {
		if _, over, _ := m.r.One(false); over { // an error of a message whose sender has been told it is gone
			b.used -= m.size
			m.copy.Free()
			continue
		}
		left = append(left, m)
	}
	clear(b.pending[len(left):])
	b.pending = left
}

// bsend sends a copy of data. The room is the communicator's own buffer, if it has one, else the process's.
func (p *Proc) bsend(cm *communicator, v view, dst, tag int) error {
	if err := cm.checkPeer(dst, tag, true); err != nil {
		return err
	}
	b := &cm.buffer
	if !b.attached {
		b = &p.buffer
	}
	out := v.packed()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reap()
	need := len(out) + spec.BSEND_OVERHEAD
	switch {
	case !b.attached:
		return bad(spec.ERR_BUFFER, "no buffer is attached")
	case b.at != spec.BUFFER_AUTOMATIC && b.used+need > b.size:
		return bad(spec.ERR_BUFFER, "%d bytes do not fit the attached buffer: %d of %d are in use", need, b.used, b.size)
	case cm.c.SendShort(out, dst, tag):
		return nil
	}
	k := cm.c.Env().Copy(out)
	m := buffered{cm.c.Isend(k.Bytes, dst, tag, comm.Standard), k, need}
	b.pending, b.used = append(b.pending, m), b.used+need
	return nil
}
