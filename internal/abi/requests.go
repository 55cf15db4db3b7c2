package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// request is an operation that a program waits for.
type request struct {
	handle    uintptr
	r         comm.Request
	on        *communicator                                 // whose error handler is called; may be nil
	end       func(comm.Status, error) (comm.Status, error) // what is left to do when it is over; may be nil
	start     func() comm.Request                           // persistent requests: begins the operation
	drop      func()                                        // likewise: gives back what belongs to it; may be nil
	parts     *parted                                       // of a message in parts; else nil
	live      bool                                          // persistent requests: it is under way
	query     func(*status, *comm.Status) error             // generalized requests; may be nil
	done      bool                                          // its end has been seen by a look that takes nothing
	found     comm.Status                                   // then: what came of it
	failed    error                                         // likewise
	gone      func() error                                  // generalized requests: frees what the program has for it
	cancel    func(over bool) error                         // likewise
	general   *grequest                                     // likewise
	post      int                                           // 1 + the place in Posted of the receive that it stands for; else 0
	uncounted bool                                          // such a one: its communicator does not count it
	sent      bool                                          // it stands for all sends that guests have started; it never goes
}

// status is MPI_Status. The five integers that are ours hold the number of bytes and whether it was cancelled.
type status struct {
	source, tag, err int32
	cancelled        int32
	bytes            int64
	elements         int64 // 1 + basic elements, if they were set apart from bytes; else 0
}

// emptyStatus is that of a request that does nothing.
var emptyStatus = status{source: spec.ANY_SOURCE, tag: spec.ANY_TAG}

// statusAt is argument i, a status; nil if the program wants none.
func (c call) statusAt(i int) *status { return (*status)(c.ptr(i)) }

// statusesAt is argument i, n statuses; nil if the program wants none.
func (c call) statusesAt(i, n int) []status {
	if p := c.ptr(i); p != nil {
		return unsafe.Slice((*status)(p), n)
	}
	return nil
}

// put fills in what was found; the error stays as it is.
func (s *status) put(st *comm.Status) {
	if s == nil {
		return
	}
	s.source, s.tag, s.bytes, s.elements, s.cancelled = toRank(st.Source), toTag(st.Tag), int64(st.Bytes), 0, 0
	if st.Cancelled {
		s.cancelled = 1
	}
}

// empty makes it the status of nothing; the error stays as it is.
func (s *status) empty() {
	if s != nil {
		err := s.err
		*s = emptyStatus
		s.err = err
	}
}

// chapterRequests waits for requests.
var chapterRequests = map[string]row{
	"Wait": {do: waitOne}, "Waitall": {do: waitAll}, "Waitany": {do: waitAny}, "Waitsome": {do: waitSome},
	"Test": {do: waitOne}, "Testall": {do: waitAll}, "Testany": {do: waitAny}, "Testsome": {do: waitSome},
	"Request_free": {do: freeRequest}, "Cancel": {do: cancelRequest}, "Start": {do: startOne}, "Startall": {do: startAll},
	"Request_get_status": {do: peekOne}, "Request_get_status_all": {do: peekAll}, "Request_get_status_any": {do: peekAny}, "Request_get_status_some": {do: peekSome},
	"Test_cancelled": {do: testCancelled, always: true},
}

// newRequest gives a request its handle, and returns that by argument i.
func (c call) newRequest(i int, r *request) (err error) {
	if _, err := c.out(i); err != nil {
		return err
	}
	if r.handle, err = c.p.requests.add(r); err != nil {
		return err
	}
	if r.start == nil {
		r.on.more()
	}
	c.setHandle(i, r.handle)
	return nil
}

// requestOf finds a request; nil is MPI_REQUEST_NULL.
func (p *Proc) requestOf(h uintptr) (*request, error) {
	if h == spec.REQUEST_NULL {
		return nil, nil
	}
	if r := p.requests.get(h); r != nil && (r.post == 0 || p.settle(r)) {
		return r, nil
	}
	return nil, bad(spec.ERR_REQUEST, "0x%x is no request, or it is over", h)
}

// waiting is requests as the program has them, in a list.
type waiting struct {
	p       *Proc
	handles []uintptr
	reqs    []*request
	inner   []comm.Request
	room    [8]*request
	some    [8]comm.Request
}

// wait prepares to wait for the n requests of argument i.
func (c call) wait(w *waiting, i, n int) (err error) {
	if n < 0 {
		return bad(spec.ERR_COUNT, "%s is %d", c.f.Args[i-1].Name, n)
	}
	w.p = c.p
	if w.handles, err = array[uintptr](c, i, n); err != nil {
		return err
	}
	w.reqs, w.inner = w.room[:], w.some[:]
	if n > len(w.room) {
		w.reqs, w.inner = make([]*request, n), make([]comm.Request, n)
	}
	w.reqs, w.inner = w.reqs[:n], w.inner[:n]
	for k, h := range w.handles {
		if w.reqs[k], err = c.p.requestOf(h); err != nil {
			return err
		}
		if r := w.reqs[k]; r != nil && r.active() {
			w.inner[k] = r.r
		}
	}
	return nil
}

// active tells whether there is something to wait for.
func (r *request) active() bool { return r.start == nil || r.live }

// take ends request k, whose operation is over, as st and err say.
func (w *waiting) take(k int, st comm.Status, err error) (comm.Status, error) {
	r := w.reqs[k]
	if r.sent {
		w.handles[k] = spec.REQUEST_NULL
		return st, err
	}
	if r.end != nil {
		st, err = r.end(st, err)
	}
	if w.p.counts(r) {
		r.on.less()
	}
	if err != nil && r.on != nil {
		err = concerning(target{commKind, r.on.handle}, err)
	}
	if r.start != nil {
		r.live, r.r = false, comm.Request{}
		return st, err
	}
	if w.handles[k] = spec.REQUEST_NULL; r.post != 0 {
		w.p.release(r)
		return st, err
	}
	w.p.requests.remove(r.handle)
	return st, err
}

// ended is a request that is over.
type ended struct {
	k   int
	st  comm.Status
	err error
}

// collect waits, and calls take for each request that is over: not before it has all of them, since what is left to do
// at the end of a request may wait for another one, or call the program.
func (w *waiting) collect(want comm.Want, take func(k int, st comm.Status, err error)) (active int, err error) {
	var room [len(w.room)]ended
	over := room[:0]
	active, err = comm.Collect(w.inner, want, func(k int, st comm.Status, err error) { over = append(over, ended{k, st, err}) })
	for _, e := range over {
		take(e.k, e.st, e.err)
	}
	return active, err
}

// report fills in the status of request k after take.
func (w *waiting) report(s *status, k int, st *comm.Status) error {
	s.put(st)
	r := w.reqs[k]
	if r == nil || r.query == nil {
		return nil
	}
	err := r.query(s, st)
	if failed := r.gone(); err == nil {
		err = failed
	}
	return err
}

// waitOne is Wait and Test.
func waitOne(c call) error {
	tests := c.f.Name == "Test"
	at := 1
	if tests {
		at = 2
		if err := c.outs(1); err != nil {
			return err
		}
	}
	var w waiting
	if err := c.wait(&w, 0, 1); err != nil {
		return err
	}
	s := c.statusAt(at)
	if r := w.reqs[0]; r == nil || !r.active() {
		s.empty()
		if tests {
			c.setInt(1, 1)
		}
		return nil
	}
	st, over, err := w.inner[0].One(!tests)
	if tests {
		c.setFlag(1, over)
	}
	if !over {
		return err
	}
	st, err = w.take(0, st, err)
	if bad := w.report(s, 0, &st); err == nil {
		err = bad
	}
	return err
}

// waitAll is Waitall and Testall.
func waitAll(c call) error {
	tests, n := c.f.Name == "Testall", c.int(0)
	at, want := 2, comm.Want{Need: n}
	if tests {
		at, want = 3, comm.Want{All: true}
		if err := c.outs(2); err != nil {
			return err
		}
	}
	var w waiting
	if err := c.wait(&w, 1, n); err != nil {
		return err
	}
	all := c.statusesAt(at, n)
	for k := range all {
		all[k].empty()
	}
	taken, outcome := 0, allOutcomes{}
	active, err := w.collect(want, func(k int, st comm.Status, err error) {
		taken++
		st, err = w.take(k, st, err)
		var s *status
		if all != nil {
			s = &all[k]
		}
		if bad := w.report(s, k, &st); err == nil {
			err = bad
		}
		outcome.add(s, err)
	})
	if tests {
		c.setFlag(2, taken == active)
	}
	if err != nil {
		return err
	}
	return outcome.err(all)
}

// allOutcomes gathers the errors of several requests: each is in its status, and the call's is that some are.
type allOutcomes struct {
	first error
	bad   map[*status]int32
}

func (o *allOutcomes) add(s *status, err error) {
	if err == nil {
		return
	}
	if o.first == nil {
		o.first, o.bad = err, map[*status]int32{}
	}
	o.bad[s] = int32(classOf(err))
}

// err is the call's error. Only if there is one, statuses say how each request ended.
func (o *allOutcomes) err(all []status) error {
	if o.first == nil {
		return nil
	}
	for k := range all {
		all[k].err = o.bad[&all[k]]
	}
	f := &failure{class: spec.ERR_IN_STATUS, text: "one of the requests failed: " + o.first.Error()}
	if first, ok := o.first.(*failure); ok {
		f.on = first.on
	}
	return f
}

// waitAny is Waitany and Testany.
func waitAny(c call) error {
	tests, n := c.f.Name == "Testany", c.int(0)
	at, want := 3, comm.Want{Need: 1, First: true}
	if tests {
		at, want = 4, comm.Want{First: true}
		if err := c.outs(3); err != nil {
			return err
		}
	}
	if err := c.outs(2); err != nil {
		return err
	}
	var w waiting
	if err := c.wait(&w, 1, n); err != nil {
		return err
	}
	s, index := c.statusAt(at), spec.UNDEFINED
	var failed error
	active, err := w.collect(want, func(k int, st comm.Status, err error) {
		index = k
		st, failed = w.take(k, st, err)
		if bad := w.report(s, k, &st); failed == nil {
			failed = bad
		}
	})
	c.setInt(2, index)
	if index == spec.UNDEFINED {
		if active == 0 {
			s.empty()
		}
	}
	if tests {
		c.setFlag(3, index != spec.UNDEFINED || active == 0)
	}
	if err != nil {
		return err
	}
	return failed
}

// waitSome is Waitsome and Testsome.
func waitSome(c call) error {
	n, need := c.int(0), 1
	if c.f.Name == "Testsome" {
		need = 0
	}
	if err := c.outs(2); err != nil {
		return err
	}
	var w waiting
	if err := c.wait(&w, 1, n); err != nil {
		return err
	}
	indices, err := c.ints(3, n)
	if err != nil {
		return err
	}
	all, count, outcome := c.statusesAt(4, n), 0, allOutcomes{}
	active, err := w.collect(comm.Want{Need: need}, func(k int, st comm.Status, err error) {
		st, err = w.take(k, st, err)
		var s *status
		if all != nil {
			s = &all[count]
		}
		if bad := w.report(s, k, &st); err == nil {
			err = bad
		}
		outcome.add(s, err)
		indices[count] = int32(k)
		count++
	})
	if active == 0 {
		count = spec.UNDEFINED
	}
	c.setInt(2, count)
	if err != nil {
		return err
	}
	return outcome.err(all[:min(max(count, 0), len(all))])
}

// freeRequest lets an operation run to its end, or ends a persistent request.
func freeRequest(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	r, err := c.p.requestOf(h)
	if err != nil {
		return err
	}
	if r == nil {
		return bad(spec.ERR_REQUEST, "0x%x is no request", h)
	}
	c.setHandle(0, spec.REQUEST_NULL)
	if r.sent {
		return nil
	}
	if r.post != 0 {
		return c.p.freePosted(r)
	}
	if r.general != nil {
		return r.release(c.p)
	}
	c.p.requests.remove(h)
	switch {
	case !r.active():
		if r.drop != nil {
			r.drop()
		}
	case r.end != nil:
		c.p.finishLater(r)
	default:
		r.on.forsake(r.r)
	}
	return nil
}

// finishLater waits for a request that the program has freed, where something is left to do at its end.
func (p *Proc) finishLater(r *request) {
	go func() {
		st, _, err := r.r.One(true)
		_, _ = r.end(st, err) // nobody is left to be told
		if r.drop != nil {
			r.drop()
		}
		r.on.less()
	}()
}

func cancelRequest(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	r, err := c.p.requestOf(h)
	switch {
	case err != nil:
		return err
	case r == nil || !r.active():
		return bad(spec.ERR_REQUEST, "the request is null or inactive")
	case r.cancel != nil:
		return r.cancel(r.general.complete)
	}
	return r.r.Cancel()
}

// begin starts a persistent request.
func (r *request) begin() error {
	switch {
	case r == nil || r.start == nil:
		return bad(spec.ERR_REQUEST, "the request is not a persistent one")
	case r.live:
		return bad(spec.ERR_REQUEST, "the request is active: wait for it before starting it again")
	}
	r.r, r.live = r.start(), true
	r.on.more()
	return nil
}

func startOne(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	r, err := c.p.requestOf(h)
	if err != nil {
		return err
	}
	return r.begin()
}

func startAll(c call) error {
	n := c.int(0)
	if n < 0 {
		return bad(spec.ERR_COUNT, "count is %d", n)
	}
	handles, err := array[uintptr](c, 1, n)
	if err != nil {
		return err
	}
	for _, h := range handles {
		r, err := c.p.requestOf(h)
		if err == nil {
			err = r.begin()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func testCancelled(c call) error {
	s := c.statusAt(0)
	if s == nil {
		return bad(spec.ERR_ARG, "status is a null pointer")
	}
	if err := c.outs(1); err != nil {
		return err
	}
	c.setFlag(1, s.cancelled != 0)
	return nil
}
