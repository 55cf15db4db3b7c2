package progress

import "github.com/weft-mpi/weft/internal/engine"

// Home describes the communicator that a request belongs to, for stall reports.
type Home interface {
	Name() string
	Members() []int // processes
}

// Request is an engine request that somebody above can wait for. It comes from the loop's free list and
// goes back when it has been waited for; Gen tells a stale handle from a live one.
type Request struct {
	engine.Req
	Gen    uint32
	loop   *Loop
	task   *task // the running plan that this is a step of, or whose completion this is
	step   int
	waiter *waiter
	next   *Request
	wait   Wait // set for requests that somebody holds a handle to
	flags  reqFlags
	then   func() // detached only: called on completion
}

type reqFlags uint8

const (
	detached reqFlags = 1 << iota // nobody will wait: back to the free list on completion
	planned                       // the completion of a plan; not known to the engine
	finished                      // planned only: the plan has ended
	counted                       // in Loop.pending
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

// Why names a point-to-point call, for stall reports.
type Why struct {
	Op   string
	Home Home
}

// wait says what r, a point-to-point request, waits for.
func (y Why) wait(r *Request) Wait {
	return Wait{Op: y.Op, Home: y.Home, Seq: -1, Peer: int(r.Peer), Tag: int(r.Tag), Bytes: len(r.Buf)}
}

// Wait says what the request is, or was.
func (r *Request) Wait() *Wait { return &r.wait }

// isDone tells whether r has completed; the loop's lock must be held.
func (r *Request) isDone() bool {
	if r.flags&planned != 0 {
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
	r.Req.Reset()
	r.Gen++
	r.task, r.waiter, r.flags, r.then = nil, nil, 0, nil
	r.wait = Wait{}
	r.next = l.free
	l.free = r
}

// waiter is one goroutine that waits for requests: until need of them have completed.
type waiter struct {
	need        int
	interrupted bool
	parked      bool
	wake        chan struct{}
	since       int64 // when it first slept; 0 if it never did
	reqs        []*Request
	next        *waiter
}
