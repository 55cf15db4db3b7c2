package coll

import "github.com/weft-mpi/weft/internal/plan"

// What algorithms do with the memory and the flags of a node. A rank that has
// put something into the memory raises a flag; who awaits the flag may read.
// Memory that is used again within a run goes through two halves in turns, so
// that nobody waits for a neighbour that is one turn behind.

// line is what neighbours may write without disturbing each other.
const line = 64

func toLine(n int) int { return (n + line - 1) &^ (line - 1) }

// room is the memory and the flags of a node while the plan of one of its ranks
// is made. All ranks of the node ask for the same in the same order, so that
// they agree where everything is; the last call is close.
type room struct {
	b     *plan.Builder
	group int
	ranks []int // of the node, lowest first
	me    int   // own number among them
	size  int   // bytes asked for
	marks int   // flags asked for
	slips bool  // the bytes are slips
	apart bool  // they never are, see Case.NoSlips
}

func newRoom(b *plan.Builder, c Case, l layout) *room {
	node := l.node[c.Rank]
	return &room{b: b, group: node, ranks: l.ranks[node], me: l.local[c.Rank], apart: c.NoSlips}
}

// space returns n fresh bytes, at the beginning of a line.
func (r *room) space(n int) plan.Span {
	s := plan.Span{Buf: plan.Node, Off: r.size, Len: n}
	r.size += toLine(n)
	return s
}

// flags returns the first of n fresh flags. Every rank has its own of each.
func (r *room) flags(n int) int {
	r.marks += n
	return r.marks - n
}

// close tells the plan what was asked for.
func (r *room) close() {
	if r.slips {
		r.b.OnSlips(r.group, len(r.ranks), r.marks)
		return
	}
	r.b.OnNode(r.group, r.size, r.marks)
}

// fitsSlip reports whether n bytes of a rank stand beside its first flag, see
// plan.Plan.Slips.
func (c Case) fitsSlip(n int) bool { return n <= plan.SlipRoom && !c.NoSlips && c.Segment == 0 }

// each asks for n bytes of every rank of the node, and for nothing else: beside
// its first flag if they fit there, so that who sees the flag has them.
func (r *room) each(n int) slots {
	if n > plan.SlipRoom || r.apart {
		return r.slots(len(r.ranks), []int{0, n})
	}
	r.slips = true
	s := slots{width: plan.SlipLen, number: len(r.ranks), offs: []int{0, n}}
	before := (plan.SlipRoom - n) &^ 7 // the end is next to the flag
	all := r.space(s.number * s.width)
	s.memory = all.Sub(before, all.Len-before)
	return s
}

// fromMe returns the numbers of the other ranks of the node in the order in
// which their values can be merged with the own one: lower ones, nearest first,
// then higher ones.
func (r *room) fromMe() []int {
	var order []int
	for i := r.me - 1; i >= 0; i-- {
		order = append(order, i)
	}
	for i := r.me + 1; i < len(r.ranks); i++ {
		order = append(order, i)
	}
	return order
}

// alone reports that the node has one rank only.
func (r *room) alone() bool { return len(r.ranks) == 1 }

// put copies src to dst after deps and raises the flag then. It returns the
// copy.
func (r *room) put(dst, src plan.Span, flag int, deps ...int) int {
	copied := r.b.Copy(dst, src, deps...)
	r.b.Set(flag, copied)
	return copied
}

// await ends when rank, if it is not this one, has raised the flag; own is the
// step to wait for if it is.
func (r *room) await(rank, flag, own int, deps ...int) int {
	if rank == r.ranks[r.me] {
		return own
	}
	return r.b.Await(rank, flag, deps...)
}

// others awaits the flag of every other rank of the node, starting with the
// next one.
func (r *room) others(flag int, deps ...int) (steps []int) {
	return r.awaitAll(r.ranks, flag, deps...)
}

// awaitAll awaits the flag of those of ranks that are others than this one.
func (r *room) awaitAll(ranks []int, flag int, deps ...int) (steps []int) {
	for _, rank := range ranks {
		if rank != r.ranks[r.me] {
			steps = append(steps, r.b.Await(rank, flag, deps...))
		}
	}
	return steps
}

// all returns a step that ends when the steps have ended.
func all(b *plan.Builder, steps []int) int {
	switch len(steps) {
	case 0:
		return plan.None
	case 1:
		return steps[0]
	}
	return b.Gate(steps...)
}

// eachInTurns asks for what a block of every rank needs: in turns if it is long.
func (r *room) eachInTurns(c Case) slots {
	if c.fitsSlip(c.Bytes) {
		return r.each(c.Bytes)
	}
	return r.slots(c.Ranks, c.turns(c.Bytes, 1, c.Ranks))
}

// Turns.

// mostTurns is how many turns a run has at most. Every turn waits for all ranks
// of the node, which costs more than what is gained when the memory in use
// stays in a core's cache: so there are as few as NodeMax allows.
const mostTurns = 64

// turns says how n bytes of every slot go through the node's memory: where each
// piece begins and the last one ends. Several turns need two halves. Nil means
// that they do not fit. Pieces have whole elements.
func (c Case) turns(n, elem, slots int) []int {
	if slots*n <= NodeMax && (c.Segment == 0 || n <= c.Segment) {
		return []int{0, n}
	}
	elems := max(n/elem, 1)
	piece := NodeMax / (2 * slots)
	if c.Segment > 0 {
		piece = c.Segment
	}
	each := max(piece/elem, (elems+mostTurns-1)/mostTurns, 1)
	if 2*toLine(slots*each*elem) > NodeMax {
		return nil
	}
	return split(n, elem, (elems+each-1)/each)
}

// inTurns reports whether slots of n bytes fit in turns, with whole elements.
func (c Case) inTurns(n, elem, slots int) bool { return c.turns(n, elem, slots) != nil }

// slots is memory for a piece from each of several contributors, twice if there
// are several turns.
type slots struct {
	memory plan.Span
	width  int
	number int
	offs   []int
}

// slots asks for the memory that turns at offs need.
func (r *room) slots(number int, offs []int) slots {
	s := slots{number: number, offs: offs}
	for t := range s.turns() {
		s.width = max(s.width, s.len(t))
	}
	half := toLine(number * s.width)
	s.memory = r.space(half)
	if s.turns() > 1 {
		r.space(half)
		s.memory.Len = 2 * half
	}
	return s
}

func (s slots) turns() int    { return len(s.offs) - 1 }
func (s slots) len(t int) int { return s.offs[t+1] - s.offs[t] }

// at returns slot i in turn t.
func (s slots) at(i, t int) plan.Span {
	return s.memory.Sub(t%2*toLine(s.number*s.width)+i*s.width, s.len(t))
}

// run returns slots i up to but not including end, which stand behind one
// another if there is one turn only.
func (s slots) run(i, end int) plan.Span { return s.memory.Sub(i*s.width, (end-i)*s.width) }

// of returns the piece of a block that goes through in turn t.
func (s slots) of(block plan.Span, t int) plan.Span { return block.Sub(s.offs[t], s.len(t)) }

// everybody is the order of steps when every rank of the node fills memory and
// every rank reads it, turn after turn: what is filled in turn t replaces what
// was read in turn t-2. A rank raises the flag of a turn once it has filled its
// part and read the turn before, so that the flag also tells that the half is
// free for the turn after: no further flag is needed.
type everybody struct {
	r     *room
	flag  int
	seen  []int // awaits of the turn before
	taken []int // reads of the turn before
}

// everybody asks for the flags of so many turns.
func (r *room) everybody(turns int) *everybody { return &everybody{r: r, flag: r.flags(turns)} }

// turn lets fill put this rank's part into memory after deps, and take read the
// parts of all. Both return their steps. Take is given the step that awaits each rank of the node (the
// last one filled for the rank itself).
func (e *everybody) turn(t int, fill func(deps []int) []int, take func(ready []int) []int) {
	b := e.r.b
	filled := fill(e.seen)
	b.Set(e.flag+t, append(e.taken, filled...)...)
	ready := make([]int, len(e.r.ranks))
	for i, rank := range e.r.ranks {
		ready[i] = e.r.await(rank, e.flag+t, filled[len(filled)-1])
	}
	e.seen = ready
	e.taken = take(ready)
}

// How messages between nodes travel.

// copiedMax is the longest message that is copied rather than announced when
// Case.Scheme leaves it to the length.
const copiedMax = 8 << 10

// travel says how messages of n bytes that are added from now on travel, and
// has the i-th one leave by a rail of its own as long as there are rails.
func (c Case) travel(b *plan.Builder, n, i int) {
	way := c.Scheme
	if way == plan.Auto {
		way = plan.Copied
		if n > copiedMax {
			way = plan.Announced
		}
	}
	rail := 0
	if c.Rails > 1 {
		rail = 1 + i%c.Rails
	}
	b.Travel(way, rail)
}
