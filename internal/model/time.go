package model

import "github.com/weft-mpi/weft/internal/plan"

// Layout says where the ranks of a job are.
type Layout struct {
	Node       []int // of each rank, from 0
	Ranks      int   // that share Processors where it is most crowded
	Processors int   // 0 or as many as Ranks: nobody waits for one
	Rails      int   // between nodes; 0 counts as 1
}

// crowded tells that ranks take turns.
func (l *Layout) crowded() bool { return l.Processors > 0 && l.Ranks > l.Processors }

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
	for len(s.agenda) > 0 {
		s.take(s.agenda.next())
	}
	var last ticks
	for i := range s.ranks {
		last = max(last, s.ranks[i].now)
	}
	return last.nanos()
}

// run is all plans on the way.
type run struct {
	*costs
	rails  int
	ranks  []rank
	nodes  []node
	agenda queue[event]
	count  int
	lanes  map[[2]int32]*lane
	flags  map[[2]int32]*flag
}

// rank is a process with its plan.
type rank struct {
	plan   *plan.Plan
	node   *node
	now    ticks // until when it is busy
	left   []int32
	ready  queue[step]
	runs   bool    // has a processor, or waits for one
	waits  bool    // has none, where ranks share them
	inbox  []event // what has happened meanwhile, and has to be seen to
	debt   ticks   // processor time that the rest of it takes
	copies ticks   // and that it copies
}

// node is what the ranks of a node share.
type node struct {
	free    int     // processors that nobody has
	shared  bool    // there are fewer than ranks
	waits   []int32 // ranks that wait for one, first come first served
	copies  []ticks // when copies end that are under way
	out, in []ticks // by rail: until when it is busy
}

// lane carries the messages between two ranks.
type lane struct{ sends, recvs []posted }

// posted is one side of a message.
type posted struct {
	at    ticks // a send that went at once: when it is there; else when it was posted
	step  int32
	bytes int
	long  bool
}

// flag is raised, or waited for.
type flag struct {
	raised bool
	at     ticks
	waits  []waiter
}

type waiter struct{ rank, step int32 }

// event is something that happens to a rank.
type event struct {
	at         ticks
	order      int
	rank, step int32
	kind       kind
	peer, far  int32 // takes, asks, puts: the other end, and its step
	cost       ticks // ends: processor time that it takes
	long       bool  // takes: the receiver fetches it
}

// kind says what happens.
type kind uint8

const (
	goesOn kind = iota // the rank goes on with its plan
	ends               // a step that waited for others has ended
	takes              // a message of the same node is there
	asks               // a long message has been offered
	puts               // a long message has been asked for
)

func newRun(m *Machine, l *Layout, plans []*plan.Plan) *run {
	s := &run{costs: m.costs(), rails: max(l.Rails, 1), ranks: make([]rank, len(plans)), lanes: map[[2]int32]*lane{}, flags: map[[2]int32]*flag{}}
	for _, ranks := range l.nodes() {
		n := node{free: ranks, out: make([]ticks, s.rails), in: make([]ticks, s.rails)}
		if l.crowded() && ranks > 1 {
			n.free, n.shared = max((ranks*l.Processors+l.Ranks/2)/l.Ranks, 1), true
		}
		s.nodes = append(s.nodes, n)
	}
	for i, p := range plans {
		r := &s.ranks[i]
		r.plan, r.node, r.left = p, &s.nodes[l.Node[i]], make([]int32, len(p.Steps))
		for k := range p.Steps {
			if r.left[k] = int32(len(p.Deps(k))); r.left[k] == 0 {
				r.ready.add(step(k))
			}
		}
		if len(r.ready) > 0 {
			s.wake(int32(i), 0)
		}
	}
	return s
}

// wake has a rank that waited go on as soon as it has a processor.
func (s *run) wake(i int32, at ticks) {
	r := &s.ranks[i]
	if r.runs {
		return
	}
	r.runs, r.now = true, max(r.now, at)
	if r.node.shared {
		if r.node.free == 0 {
			r.waits = true
			r.node.waits = append(r.node.waits, i)
			return
		}
		r.node.free--
		if at > 0 { // it has slept
			r.now += s.turn
		}
	}
	s.later(event{at: r.now, rank: i})
}

// rest gives the processor of a rank that has nothing to do to the next one.
func (s *run) rest(i int32) {
	r := &s.ranks[i]
	r.runs = false
	n := r.node
	if !n.shared {
		return
	}
	if len(n.waits) == 0 {
		n.free++
		return
	}
	next := &s.ranks[n.waits[0]]
	next.waits = false
	next.now = max(next.now, r.now) + s.turn
	s.later(event{at: next.now, rank: n.waits[0]})
	n.waits = n.waits[1:]
}

// at has a step of a rank end at some time, which takes it processor time.
func (s *run) at(at ticks, rank, step int32, cost ticks) {
	s.later(event{at: at, rank: rank, step: step, kind: ends, cost: cost})
}

func (s *run) later(e event) {
	s.count++
	e.order = s.count
	s.agenda.add(e)
}

// take lets an event happen.
func (s *run) take(e event) {
	r := &s.ranks[e.rank]
	if e.kind != goesOn && r.node.shared && (r.waits || !r.runs) { // nobody is there to take care of it
		s.note(e, r)
		return
	}
	if e.kind == goesOn {
		r.now, r.debt = r.now+r.debt, 0
		if r.copies > 0 {
			s.work(r, r.copies)
			r.copies = 0
		}
	}
	switch {
	case e.kind == goesOn && len(r.inbox) > 0:
		first := r.inbox[0]
		r.inbox = r.inbox[1:]
		s.take(first)
		s.later(event{at: r.now, rank: e.rank})
	case e.kind == ends:
		s.came(e, r)
	case e.kind == takes:
		s.taken(e)
	case e.kind == asks:
		s.asked(e)
	case e.kind == puts:
		s.put(e)
	case len(r.ready) == 0:
		s.rest(e.rank)
	default:
		s.start(e.rank, int32(r.ready.next()))
		s.later(event{at: r.now, rank: e.rank})
	}
}

// note keeps an event for a rank that has no processor. It gets one unless the step that ends leaves
// all others waiting: ranks sleep until enough has come for them to go on.
func (s *run) note(e event, r *rank) {
	if e.kind != ends && (e.kind != takes || e.long) {
		r.inbox = append(r.inbox, e)
		s.wake(e.rank, e.at)
		return
	}
	if e.kind == takes {
		e.cost = s.near
		r.copies += s.copy.of(r.plan.Steps[e.step].Dst.Len)
	}
	r.debt += e.cost
	s.end(e.rank, e.step)
	if len(r.ready) > 0 || len(r.plan.Followers(int(e.step))) == 0 {
		s.wake(e.rank, e.at)
	}
}

// came ends a step that waited for others: the rank takes care of it when it has time.
func (s *run) came(e event, r *rank) {
	r.now = max(r.now, e.at) + e.cost
	s.ended(e.rank, e.step)
}

// ended ends a step of a rank that may have been waiting for it.
func (s *run) ended(i, at int32) {
	s.end(i, at)
	if r := &s.ranks[i]; len(r.ready) > 0 {
		s.wake(i, r.now)
	}
}

// end makes what waited for a step ready.
func (s *run) end(i, ended int32) {
	r := &s.ranks[i]
	for _, next := range r.plan.Followers(int(ended)) {
		if r.left[next]--; r.left[next] == 0 {
			r.ready.add(step(next))
		}
	}
}

// start takes a step of a rank.
func (s *run) start(i, at int32) {
	r, st := &s.ranks[i], &s.ranks[i].plan.Steps[at]
	r.now += s.step
	switch st.Kind {
	case plan.Send:
		s.send(i, at, st)
		return
	case plan.Recv:
		l := s.lane(st.Peer, i)
		l.recvs = append(l.recvs, posted{at: r.now, step: at, bytes: st.Dst.Len})
		s.meet(st.Peer, i, l)
		return
	case plan.Await:
		if !s.await(i, at, s.flagOf(st.Peer, st.Flag)) {
			return
		}
	case plan.Set:
		f := s.flagOf(i, st.Flag)
		f.raised, f.at = true, r.now+s.flag
		for _, w := range f.waits {
			s.at(f.at, w.rank, w.step, 0)
		}
	case plan.Copy:
		s.work(r, s.copy.of(st.Src.Len))
	case plan.Reduce:
		s.work(r, s.reduce.of(st.Src.Len))
	case plan.Fetch:
		r.now += s.fetch
		s.work(r, s.copy.of(st.Dst.Len))
	}
	s.end(i, at)
}

// await reports whether a rank sees a flag already; else its step ends when it does.
func (s *run) await(i, at int32, f *flag) bool {
	switch {
	case !f.raised:
		f.waits = append(f.waits, waiter{i, at})
		return false
	case f.at > s.ranks[i].now:
		s.at(f.at, i, at, 0)
		return false
	}
	return true
}

// work has a rank copy for so long, longer if many of its node do.
func (s *run) work(r *rank, long ticks) {
	busy := ticks(1)
	kept := r.node.copies[:0]
	for _, until := range r.node.copies {
		if until > r.now {
			busy++
			kept = append(kept, until)
		}
	}
	if 1024*busy > s.side {
		long = long * 1024 * busy / s.side
	}
	r.now += long
	r.node.copies = append(kept, r.now)
}

func (s *run) lane(from, to int32) *lane       { return under(s.lanes, from, to) }
func (s *run) flagOf(rank, number int32) *flag { return under(s.flags, rank, number) }

// under returns what stands under two numbers, new if nobody has asked for it before.
func under[T any](all map[[2]int32]*T, a, b int32) *T {
	key := [2]int32{a, b}
	x := all[key]
	if x == nil {
		x = new(T)
		all[key] = x
	}
	return x
}
