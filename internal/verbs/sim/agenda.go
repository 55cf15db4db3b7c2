package sim

import "math"

// agenda is when completions come to a queue, as far as that is settled, the next first. A completion is
// planned at least costs.cqe before it comes: what a queue holds a moment from now can be told without
// letting that moment pass for everybody, which would take a turn of each task that has something to do
// until then.
//
// Broken connections, killed processes and receives that come late may add completions that were not
// planned. Who has looked ahead sees them with its next look.
type agenda struct {
	at    []int64
	first int // what is before it is over
}

// add notes a time.
func (a *agenda) add(t int64) {
	if a.first > 0 && len(a.at) == cap(a.at) {
		a.at, a.first = a.at[:copy(a.at, a.at[a.first:])], 0
	}
	a.at = append(a.at, t)
	for i := len(a.at) - 1; i > a.first && a.at[i-1] > t; i-- {
		a.at[i], a.at[i-1] = a.at[i-1], t
	}
}

// done is the next time, which has come.
func (a *agenda) done() {
	if a.first++; a.first == len(a.at) {
		a.at, a.first = a.at[:0], 0
	}
}

// next is the next time.
func (a *agenda) next() int64 {
	if a.first == len(a.at) {
		return math.MaxInt64
	}
	return a.at[a.first]
}

// promise has a step happen at a time that may bring a completion to c, nil if it cannot.
func (f *Fabric) promise(t int64, st *step, c *cq) {
	if c != nil {
		st.cq = c
		c.agenda.add(t)
	}
	f.at(t, st)
}

// foresees tells that nothing comes to the queue until the running task's own time, though that has not
// come for everybody.
func (c *cq) foresees() bool {
	f := c.d.f
	now := f.s.Now()
	return now-f.s.Time() < f.cost.cqe.get() && c.agenda.next() > now
}
