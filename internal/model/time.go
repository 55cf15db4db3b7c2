package model

import (
	"container/heap"

	"github.com/weft-mpi/weft/internal/plan"
)

// Layout says where the ranks of a job are.
type Layout struct {
	Node  []int   // of each rank, from 0
	Share float64 // ranks that share a processor where that is worst; 1 or less: nobody does
	Rails int     // between nodes; 0 counts as 1
}

// nodes returns how many ranks each node has.
func (l *Layout) nodes() (ranks []int) {
	for _, node := range l.Node {
		for len(ranks) <= node {
			ranks = append(ranks, 0)
		}
		ranks[node]++
	}
	return ranks
}

// Time returns the nanoseconds until the last rank is done with its plan, if all begin together.
// The plans are those of all ranks, and pass plan.Check.
func (m *Machine) Time(l Layout, plans []*plan.Plan) float64 {
	s := newRun(m, &l, plans)
	for s.agenda.Len() > 0 {
		s.take(heap.Pop(&s.agenda).(event))
	}
	last := 0.0
	for i := range s.ranks {
		last = max(last, s.ranks[i].now)
	}
	return last
}

// run is all plans on the way.
type run struct {
	m      *Machine
	rails  int
	ranks  []rank
	nodes  []node
	agenda agenda
	count  int
	lanes  map[[2]int32]*lane
	flags  map[[2]int32]*flag
}

// rank is a process with its plan.
type rank struct {
	plan  *plan.Plan
	node  *node
	now   float64 // until when it is busy
	left  []int32
	ready steps
	runs  bool // has a processor, or is about to be given one
}

// node is what the ranks of a node share.
type node struct {
	free    int     // processors that nobody has; those who wait for one are in queue
	shared  bool    // there are fewer than ranks
	queue   []int32 // ranks, first come first served
	copies  []float64
	out, in []float64 // by rail: until when it is busy
}

// lane carries the messages between two ranks.
type lane struct{ sends, recvs []posted }

// posted is one side of a message.
type posted struct {
	at    float64 // of a send that went at once: when it is there; else when it was posted
	step  int32
	bytes int
	long  bool
}

// flag is raised, or waited for.
type flag struct {
	raised bool
	at     float64
	waits  []waiter
}

type waiter struct{ rank, step int32 }

// event is something that happens to a rank.
type event struct {
	at         float64
	order      int
	rank, step int32
	kind       kind
	peer, far  int32   // asks, puts: the other end, and its step
	cost       float64 // ends: processor time that it takes
}

// kind says what happens.
type kind uint8

const (
	goesOn kind = iota // the rank goes on with its plan
	ends               // a step that waited for others has ended
	asks               // a long message has been offered
	puts               // a long message has been asked for
)

func newRun(m *Machine, l *Layout, plans []*plan.Plan) *run {
	s := &run{m: m, rails: max(l.Rails, 1), ranks: make([]rank, len(plans)), lanes: map[[2]int32]*lane{}, flags: map[[2]int32]*flag{}}
	for _, ranks := range l.nodes() {
		n := node{free: ranks, out: make([]float64, s.rails), in: make([]float64, s.rails)}
		if l.Share > 1 && ranks > 1 {
			n.free, n.shared = max(int(float64(ranks)/l.Share+0.5), 1), true
		}
		s.nodes = append(s.nodes, n)
	}
	for i, p := range plans {
		r := &s.ranks[i]
		r.plan, r.node, r.left = p, &s.nodes[l.Node[i]], make([]int32, len(p.Steps))
		for step := range p.Steps {
			if r.left[step] = int32(len(p.Deps(step))); r.left[step] == 0 {
				r.ready = append(r.ready, int32(step))
			}
		}
		heap.Init(&r.ready)
		if len(r.ready) > 0 {
			s.wake(int32(i), 0)
		}
	}
	return s
}

// wake has a rank that waited go on as soon as it has a processor.
func (s *run) wake(i int32, at float64) {
	r := &s.ranks[i]
	if r.runs {
		return
	}
	r.runs, r.now = true, max(r.now, at)
	if r.node.shared {
		if r.node.free == 0 {
			r.node.queue = append(r.node.queue, i)
			return
		}
		r.node.free--
	}
	s.later(event{at: r.now, rank: i})
}

// rest gives the processor of a rank that waits to the next one.
func (s *run) rest(i int32) {
	r := &s.ranks[i]
	r.runs = false
	n := r.node
	if !n.shared {
		return
	}
	if len(n.queue) == 0 {
		n.free++
		return
	}
	next := n.queue[0]
	n.queue = n.queue[1:]
	s.ranks[next].now = max(s.ranks[next].now, r.now) + s.m.Turn
	s.later(event{at: s.ranks[next].now, rank: next})
}

// at has a step of a rank end at some time, which takes it processor time.
func (s *run) at(at float64, rank, step int32, cost float64) {
	s.later(event{at: at, rank: rank, step: step, kind: ends, cost: cost})
}

func (s *run) later(e event) {
	s.count++
	e.order = s.count
	heap.Push(&s.agenda, e)
}

// take lets an event happen.
func (s *run) take(e event) {
	r := &s.ranks[e.rank]
	switch e.kind {
	case ends:
		s.came(e, r)
		return
	case asks:
		s.asked(e)
		return
	case puts:
		s.put(e)
		return
	}
	if len(r.ready) == 0 {
		s.rest(e.rank)
		return
	}
	step := heap.Pop(&r.ready).(int32)
	s.start(e.rank, step)
	s.later(event{at: r.now, rank: e.rank})
}

// came ends a step that waited for others: the rank takes care of it when it has time.
func (s *run) came(e event, r *rank) {
	r.now = max(r.now, e.at) + e.cost
	s.end(e.rank, e.step)
	if len(r.ready) > 0 {
		s.wake(e.rank, r.now)
	}
}

// end makes what waited for a step ready.
func (s *run) end(i, step int32) {
	r := &s.ranks[i]
	for _, next := range r.plan.Followers(int(step)) {
		if r.left[next]--; r.left[next] == 0 {
			heap.Push(&r.ready, next)
		}
	}
}

// start takes a step of a rank.
func (s *run) start(i, step int32) {
	r, st := &s.ranks[i], &s.ranks[i].plan.Steps[step]
	r.now += s.m.Step
	switch st.Kind {
	case plan.Send:
		s.send(i, step, st)
		return
	case plan.Recv:
		l := s.lane(st.Peer, i)
		l.recvs = append(l.recvs, posted{at: r.now, step: step, bytes: st.Dst.Len})
		s.meet(st.Peer, i, l)
		return
	case plan.Await:
		f := s.flag(st.Peer, st.Flag)
		if !f.raised {
			f.waits = append(f.waits, waiter{i, step})
			return
		}
		if f.at > r.now {
			s.at(f.at, i, step, 0)
			return
		}
	case plan.Set:
		f := s.flag(i, st.Flag)
		f.raised, f.at = true, r.now+s.m.Flag
		for _, w := range f.waits {
			s.at(f.at, w.rank, w.step, 0)
		}
	case plan.Copy:
		s.copies(r, s.m.Copy*float64(st.Src.Len))
	case plan.Reduce:
		s.copies(r, s.m.Reduce*float64(st.Src.Len))
	case plan.Fetch:
		r.now += s.m.Fetch
		s.copies(r, s.m.Copy*float64(st.Dst.Len))
	}
	s.end(i, step)
}

// copies has a rank work on memory for so long, longer if many of its node do.
func (s *run) copies(r *rank, long float64) {
	others := 0.0
	kept := r.node.copies[:0]
	for _, until := range r.node.copies {
		if until > r.now {
			others++
			kept = append(kept, until)
		}
	}
	if k := (others + 1) / s.m.Lanes; k > 1 {
		long *= k
	}
	r.now += long
	r.node.copies = append(kept, r.now)
}

func (s *run) lane(from, to int32) *lane {
	key := [2]int32{from, to}
	l := s.lanes[key]
	if l == nil {
		l = &lane{}
		s.lanes[key] = l
	}
	return l
}

func (s *run) flag(rank, number int32) *flag {
	key := [2]int32{rank, number}
	f := s.flags[key]
	if f == nil {
		f = &flag{}
		s.flags[key] = f
	}
	return f
}
