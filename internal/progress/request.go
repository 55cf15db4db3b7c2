package progress

import (
	"context"
	"math"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
)

// Home describes the communicator that a request belongs to, for stall reports.
type Home interface {
	Name() string
	Members() []int // processes
	// Dispute is the error of a collective that a process has called on other terms than we have. It must not wait.
	Dispute(d Dispute) error
}

// Request is an engine request that somebody above can wait for. It comes from the loop's free list and
// goes back when it has been waited for; Gen tells a stale handle from a live one.
//
// Windows of many requests are gone through again and again: what every message needs is in the
// first line of the cache, and in the first of engine.Req.
type Request struct {
	Gen    uint32
	flags  reqFlags
	waiter *waiter
	next   *Request
	task   *task // the running plan that this is a step of, or whose completion this is
	why    Why
	engine.Req
	loop  *Loop
	step  int            // of the plan, or of a told one what its caller wants
	seq   int            // planned: number of the collective on its communicator
	then  func(*Request) // detached only: called on completion, with the lock held
	cargo Cargo          // told of the end; nil: there is none

	posted int // receives, if somebody is told of what they take: their number, in the order in which they were posted; negative if a probe had claimed the message
}

type reqFlags uint16

const (
	detached reqFlags = 1 << iota // nobody will wait: back to the free list on completion
	planned                       // the completion of a plan; not known to the engine
	finished                      // planned and sided only: it has ended
	counted                       // in Loop.pending
	sided                         // of a window; not known to the engine, ended by Finish
	internal                      // the loop's own: the program knows nothing of it
	disputed                      // planned only: it is being stopped because ranks have called differently
	long                          // in Loop.long
	aside                         // in Loop.row; not known to the engine
)

// Wait says what a request waits for, for stall reports.
type Wait struct {
	Op    string
	Home  Home
	Seq   int // number of a collective on its communicator, -1 for point-to-point
	Peer  int
	Tag   int
	Bytes int
}

// Why names the call that a request belongs to, for errors and stall reports.
type Why struct {
	Op   string
	Home Home
}

// Nobody as Peer or Tag of a Wait means that there is none. No program names such a rank or tag, not
// even by mistake.
const Nobody = math.MinInt32

// Live tells whether nobody has collected the handle's request.
func (h Handle) Live() bool {
	if h.R == nil {
		return false
	}
	h.R.loop.lock()
	defer h.R.loop.unlock()
	return h.R.Gen == h.Gen
}

// Home is the communicator of a request that somebody holds a handle to; it needs no lock.
func (r *Request) Home() Home { return r.why.Home }

// Wait says what the request waits, or waited, for.
func (r *Request) Wait() Wait {
	w := Wait{Op: r.why.Op, Home: r.why.Home, Seq: -1, Peer: int(r.Peer), Tag: int(r.Tag), Bytes: len(r.Buf)}
	if r.flags&sided != 0 {
		w.Bytes = r.Status.Len
	}
	if r.flags&planned != 0 {
		w.Seq, w.Peer, w.Tag, w.Bytes = r.seq, Nobody, Nobody, r.Status.Len
	}
	return w
}

// Bad is how a request ended that did not end well.
type Bad struct {
	Err       error
	Cancelled bool
	Wait      Wait
}

// Bad tells how a request has ended, nil if well.
func (r *Request) Bad() *Bad {
	if r.Err == nil {
		return nil
	}
	return &Bad{r.Err, r.Cancelled, r.Wait()}
}

// isDone tells whether r has completed; the loop's lock must be held.
func (r *Request) isDone() bool {
	if r.flags&(planned|sided) != 0 {
		return r.flags&finished != 0
	}
	return r.Req.Done()
}

func (l *Loop) get() *Request {
	r := l.free
	if r == nil {
		r = &Request{loop: l}
		r.Owner = r
		r.Value = &r.Req
		return r
	}
	l.free = r.next
	r.next = nil
	return r
}

// put recycles a completed request; every handle to it becomes stale.
func (l *Loop) put(r *Request) {
	if r.posted != 0 {
		l.tellTaken(r)
	}
	r.Req.Reset()
	r.Gen++
	r.task, r.waiter, r.flags, r.then = nil, nil, 0, nil
	if r.cargo != nil { // it has ended before it was posted
		r.cargo = nil
	}
	r.next = l.free
	l.free = r
}

// waiter is one goroutine that waits for requests: until need of them have completed.
type waiter struct {
	need        int
	spun        int // looks in vain before it drove
	interrupted bool
	parked      bool
	wake        chan struct{}
	task        *clock.Task     // virtual time: that parks
	ctx         context.Context // virtual time: that may end the wait; nil if none can
	since       int64           // when it first slept; 0 if it never did
	site        string          // where the program waits, if it has been waiting for a while
	reqs        []*Request
	next        *waiter
}
