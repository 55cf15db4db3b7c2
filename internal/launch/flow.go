package launch

import (
	"errors"
	"io"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// Three small things carry bytes between a launcher and an agent so that nobody waits who must not: an outbox takes
// frames without ever waiting; a valve holds back who would send more of a stream than the other end has room for; a
// mailbox is that room.

// outbox is a queue of frames on their way into a pipe. Safe for all goroutines.
type outbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	pending []byte
	writing bool
	closed  bool
}

func newOutbox() *outbox {
	o := &outbox{}
	o.changed = sync.NewCond(&o.mu)
	return o
}

// put adds a frame. After close it does nothing.
func (o *outbox) put(m frame.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil
	}
	b, err := frame.Append(o.pending, m)
	o.pending = b
	o.changed.Broadcast()
	return err
}

// waitBelow returns when fewer than most bytes are waiting, or the outbox is closed.
func (o *outbox) waitBelow(most int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) >= most && !o.closed {
		o.changed.Wait()
	}
}

// flush returns when everything has been written, or after limit.
func (o *outbox) flush(limit time.Duration) {
	late := false
	timer := time.AfterFunc(limit, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		late = true
		o.changed.Broadcast()
	})
	defer timer.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	for (len(o.pending) > 0 || o.writing) && !o.closed && !late {
		o.changed.Wait()
	}
}

// close drops what has not been written and ends run. Only a write under way may still be finished.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.changed.Broadcast()
}

// run writes frames until close, or until w refuses: its error is returned.
func (o *outbox) run(w io.Writer) error {
	var batch []byte
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.pending) == 0 && !o.closed {
			o.changed.Wait()
		}
		if o.closed {
			return nil
		}
		batch, o.pending = o.pending, batch[:0]
		o.writing = true
		o.mu.Unlock()
		_, err := w.Write(batch)
		o.mu.Lock()
		o.writing = false
		o.changed.Broadcast()
		if err != nil {
			o.closed = true
			return err
		}
	}
}

// valve counts the bytes of a stream that may still be sent.
type valve struct {
	mu      sync.Mutex
	changed *sync.Cond
	left    int
	closed  bool
}

func newValve() *valve {
	v := &valve{left: frame.Window}
	v.changed = sync.NewCond(&v.mu)
	return v
}

// take waits for room and takes most of it at most; 0 means that the valve was closed.
func (v *valve) take(most int) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	for v.left == 0 && !v.closed {
		v.changed.Wait()
	}
	if v.closed {
		return 0
	}
	n := min(most, v.left)
	v.left -= n
	return n
}

// add makes room for n bytes more. Nobody has more room than a window.
func (v *valve) add(n int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if n < 0 || n > frame.Window-v.left {
		return errors.New("credit for what was never sent")
	}
	v.left += n
	v.changed.Broadcast()
	return nil
}

func (v *valve) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	v.changed.Broadcast()
}

// mailbox holds what has arrived of a stream and has not been read. Reading it says to the sender, by
// credit, that there is room again: what one Read returned counts as room at the next.
type mailbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	arrived []byte
	read    int // bytes read and not yet credited
	ended   bool
	credit  func(n int)
}

func newMailbox(credit func(n int)) *mailbox {
	m := &mailbox{credit: credit}
	m.changed = sync.NewCond(&m.mu)
	return m
}

// put takes the next bytes; nothing is the end. It fails when the sender goes beyond its window.
func (m *mailbox) put(data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(data) == 0 {
		m.ended = true
	}
	if len(m.arrived)+m.read+len(data) > frame.Window {
		return errors.New("more than a window of a stream has come")
	}
	m.arrived = append(m.arrived, data...)
	m.changed.Broadcast()
	return nil
}

// Close makes Read return io.EOF once it has handed out what is there.
func (m *mailbox) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	m.changed.Broadcast()
	return nil
}

// Read waits for something to hand out.
func (m *mailbox) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.read >= frame.Window/4 {
		n := m.read
		m.read = 0
		m.credit(n)
	}
	for len(m.arrived) == 0 && !m.ended {
		m.changed.Wait()
	}
	if len(m.arrived) == 0 {
		return 0, io.EOF
	}
	n := copy(p, m.arrived)
	m.arrived = m.arrived[:copy(m.arrived, m.arrived[n:])]
	m.read += n
	return n, nil
}
