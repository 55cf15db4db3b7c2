package perf

import (
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// A stream in words. Send: the sender keeps at most a window of messages in flight per lane; the receiver posts its
// receives again and sends a mark for every quarter of a window, and one when it has everything. Write: after the
// last one the sender sends a mark, which arrives after all that was written, and waits for the answer. Read: the
// reader waits for its own completions. The same loop runs on both ends; which parts are active depends on who sends.

// lostAfter is how long a closed window stays closed before the datagrams in it are given up. Reliable ways wait.
const lostAfter = int64(50 * time.Millisecond)

// udFlight bounds the bytes of datagrams in flight over all lanes, where a short datagram counts as much as the
// kernel spends on it. A host whose socket buffers take less loses datagrams and makes the window smaller.
const (
	udFlight   = 512 * kib
	udSmallest = 1 * kib
)

// udWindow is how many datagrams may be in flight, and after how many the receiver sends a mark.
func udWindow(size, lanes, most int) (window, mark int) {
	window = max(1, min(most, udFlight/max(size, udSmallest)/lanes))
	return window, max(1, window/4)
}

// flow is what does not change during a stream.
type flow struct {
	b      Batch
	sends  bool
	gets   bool
	window int // messages in flight per lane
	mark   int // Send: a mark after this many
	burst  int // work requests per call
}

func (e *endpoint) newFlow(b Batch, leads bool) flow {
	f := flow{b: b, sends: leads || b.Both, gets: !leads || b.Both}
	f.window = max(1, e.way.RxDepth/2)
	f.mark = max(1, f.window/4)
	if e.way.Kind == UD {
		f.window, f.mark = udWindow(b.Size, b.QPs, f.window)
		f.window = max(f.mark, f.window>>e.shrink)
	}
	f.burst = max(1, maxBurst/b.QPs)
	return f
}

// stream does one end's part of a stream.
func (e *endpoint) stream(b Batch, leads bool) (tally, error) {
	f := e.newFlow(b, leads)
	var t tally
	if b.Both {
		if err := e.begin(&f, leads); err != nil {
			return t, err
		}
	}
	start, ended := now(), int64(0)
	told := false
	for {
		found, err := e.poll()
		if err == nil && f.sends {
			err = e.pump(&f)
		}
		if err == nil {
			err = e.serve(&f)
		}
		if err != nil {
			return t, err
		}
		if f.sends && ended == 0 && e.allSent(&f) {
			ended = now()
			t.Elapsed, t.Sent = ended-start, b.Iterations
		}
		mine := !f.sends || ended != 0
		if leads && mine && !told {
			told = true
			if err := e.c.say(message{Say: sayStop}); err != nil {
				return t, err
			}
		}
		switch {
		case mine && leads && !b.Both, mine && !found && e.c.called() && e.calmed(&f):
			t.Received = e.received(&f)
			return t, nil
		case !found && !mine:
			if err := e.idleInStream(&f, leads); err != nil {
				return t, err
			}
		}
	}
}

// begin lets the two senders of a stream start together: the server, which has been ready for longer, starts when the
// first message of the client is here. Where messages do not announce themselves the client sends one that does.
func (e *endpoint) begin(f *flow, leads bool) error {
	first := &e.lanes[0]
	if leads {
		if f.b.Op == verbs.Send {
			return nil
		}
		return e.post(first, verbs.Send, answerLen(f.b.Size), 1, true)
	}
	for e.arrived == 0 && first.answers == 0 {
		if err := e.pollOrIdle(); err != nil {
			return err
		}
	}
	first.answers = 0
	return nil
}

// calmed tells, after the end was announced, whether nothing more is to be expected. Announcement and datagrams travel
// on different ways, so there may still be some under way, if any are missing.
func (e *endpoint) calmed(f *flow) bool {
	e.spin.empty++
	if e.way.Kind == UD && f.gets && e.arrived < f.b.Iterations {
		return e.quiet() > calmAfter
	}
	return e.spin.empty > 3
}

// idleInStream is called when a sender found nothing. The server may have been told stop already while it still
// sends, so being called is no reason to leave there; that the client has left is.
func (e *endpoint) idleInStream(f *flow, leads bool) error {
	err := e.idle()
	if err == errCalled && !leads && !e.c.gone.Load() {
		err = nil
	}
	if err == nil && e.way.Kind == UD && e.quiet() > lostAfter {
		for i := range f.b.QPs {
			l := &e.lanes[i]
			l.forgot = l.sent - l.marks*f.mark
		}
		e.shrink++
		f.window = max(f.mark, f.window/2)
		e.spin.reset()
	}
	return err
}

// pump posts what windows and queues allow, lane after lane.
func (e *endpoint) pump(f *flow) error {
	limit := e.way.TxDepth
	if f.b.Op == verbs.Read && e.caps.MaxReads > 0 {
		limit = min(limit, e.caps.MaxReads)
	}
	for i := range f.b.QPs {
		l := &e.lanes[i]
		n := min(f.burst, limit-l.open, l.quota-l.sent)
		if f.b.Op == verbs.Send {
			n = min(n, f.window-max(0, l.sent-l.marks*f.mark-l.forgot))
		}
		if n <= 0 {
			continue
		}
		if err := e.post(l, f.b.Op, f.b.Size, n, l.sent+n == l.quota); err != nil {
			return err
		}
		if l.sent += n; l.sent == l.quota && f.b.Op == verbs.Write {
			if err := e.post(l, verbs.Send, markLen(f.b.Size), 1, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// serve answers what has arrived.
func (e *endpoint) serve(f *flow) error {
	for _, l := range e.due {
		if l.owed >= min(f.mark, maxBurst) {
			if err := e.refill(l); err != nil {
				return err
			}
		}
		for f.gets && f.b.Op == verbs.Send && (l.data-l.marked >= f.mark || l.data == l.quota && l.marked < l.data) {
			l.marked = min(l.data, l.marked+f.mark)
			if err := e.post(l, verbs.Send, markLen(f.b.Size), 1, true); err != nil {
				return err
			}
		}
		if f.gets && f.b.Op == verbs.Write && l.marks > l.marked {
			l.marked = l.marks
			l.data = l.quota // a mark comes after everything that was written
			if err := e.post(l, verbs.Send, answerLen(f.b.Size), 1, true); err != nil {
				return err
			}
		}
		l.queued = false
	}
	e.due = e.due[:0]
	return nil
}

// allSent tells whether everything this end sent is known to be there, or given up.
func (e *endpoint) allSent(f *flow) bool {
	if f.b.Op == verbs.Read {
		return e.finished == f.b.Iterations
	}
	for i := range f.b.QPs {
		l := &e.lanes[i]
		switch {
		case l.sent < l.quota:
			return false
		case f.b.Op == verbs.Write && l.answers == 0:
			return false
		case f.b.Op == verbs.Send && l.marks*f.mark+l.forgot < l.sent:
			return false
		}
	}
	return true
}

// received counts the messages that came to this end.
func (e *endpoint) received(f *flow) int {
	if f.b.Op == verbs.Read {
		return e.finished
	}
	n := 0
	for i := range f.b.QPs {
		n += e.lanes[i].data
	}
	return n
}
