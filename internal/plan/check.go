package plan

import (
	"cmp"
	"fmt"
	"slices"
)

// Lens says how long one rank's buffers are.
type Lens struct{ In, Out int }

// Check takes the plans of all ranks, in rank order, and proves without a
// network that they fit together, whatever the timing:
//
//   - every span lies inside its buffer and In is never written (lens gives
//     the lengths rank by rank; nil leaves In and Out unbounded);
//   - messages between two ranks are posted in one fixed order on both sides,
//     each send meets its receive, and their lengths agree;
//   - no step writes bytes that a step not ordered with it reads or writes,
//     where bytes of a node are those of all its ranks;
//   - every flag awaited is raised, once, by a rank of the same node;
//   - what is fetched was lent, and its lender neither changes it nor ends
//     before;
//   - nobody waits for ever, even if a send ends only once its receive is
//     posted.
//
// The error names the rank and the steps.
func Check(plans []*Plan, lens []Lens) error {
	if lens != nil && len(lens) != len(plans) {
		return fmt.Errorf("plan: %d plans but buffer lengths for %d ranks", len(plans), len(lens))
	}
	for rank, p := range plans {
		if p.Rank != rank || p.Ranks != len(plans) {
			return fmt.Errorf("plan %s: made for rank %d of %d, given as rank %d of %d",
				p.Name, p.Rank, p.Ranks, rank, len(plans))
		}
		err := p.checkSpans(lens)
		if err == nil {
			err = p.checkOrder()
		}
		if err != nil {
			return fmt.Errorf("plan %s, rank %d: %w", p.Name, rank, err)
		}
	}
	partner, err := pair(plans)
	if err != nil {
		return err
	}
	s := progress(plans, partner)
	if err := s.stuck(); err != nil {
		return err
	}
	return s.checkNodes(partner)
}

// checkSpans looks at each step alone.
func (p *Plan) checkSpans(lens []Lens) error {
	const unbounded = int(^uint(0) >> 1)
	limit := [buffers]int{In: unbounded, Out: unbounded, Tmp: p.TmpLen, Node: p.NodeLen}
	if lens != nil {
		limit[In], limit[Out] = lens[p.Rank].In, lens[p.Rank].Out
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		for _, span := range [...]Span{s.Src, s.Dst} {
			if span.Buf >= buffers || span.Off < 0 || span.Len < 0 || span.Len > 0 && span.End() > limit[span.Buf] {
				return fmt.Errorf("step %d (%s): %s is outside the buffer", i, s, span)
			}
		}
		if span, over := p.besideSlip(s); over {
			return fmt.Errorf("step %d (%s): %s is not inside the data of a slip", i, s, span)
		}
		if w := s.writes(); w.Len > 0 && w.Buf == In {
			return fmt.Errorf("step %d (%s) writes the caller's input", i, s)
		}
		if (s.Kind == Copy || s.Kind == Reduce) && s.Src.overlaps(s.Dst) {
			return fmt.Errorf("step %d (%s): source and destination overlap", i, s)
		}
		if s.hasPeer() && (s.Peer < 0 || int(s.Peer) >= p.Ranks || int(s.Peer) == p.Rank) {
			return fmt.Errorf("step %d (%s): no such peer", i, s)
		}
		if key, lending := s.key(); lending && (key.Buf != Node || key.Len != KeyLen) {
			return fmt.Errorf("step %d (%s): a key is %d bytes of the node's memory", i, s, KeyLen)
		}
		if (s.Kind == Set || s.Kind == Await) && (s.Flag < 0 || int(s.Flag) >= p.Flags) {
			return fmt.Errorf("step %d (%s): the plan has %d flags", i, s, p.Flags)
		}
	}
	return nil
}

// ancestors holds, for every step, the set of steps that end before it starts.
type ancestors struct {
	words int
	bits  []uint64
}

func (p *Plan) ancestors() ancestors {
	n := len(p.Steps)
	a := ancestors{words: (n + 63) / 64}
	a.bits = make([]uint64, n*a.words)
	for i := range n {
		own := a.of(i)
		for _, d := range p.Deps(i) {
			for w, bits := range a.of(int(d)) {
				own[w] |= bits
			}
			own[d/64] |= 1 << (d % 64)
		}
	}
	return a
}

func (a ancestors) of(i int) []uint64 { return a.bits[i*a.words : (i+1)*a.words] }

// before reports whether i has ended when j starts.
func (a ancestors) before(i, j int) bool { return a.of(j)[i/64]>>(i%64)&1 == 1 }

// checkOrder makes sure that the order of messages to and from each peer, and
// the order of conflicting memory accesses, does not depend on timing.
func (p *Plan) checkOrder() error {
	anc := p.ancestors()
	type lane struct {
		kind Kind
		peer int32
	}
	last := map[lane]int{}
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Kind != Send && s.Kind != Recv {
			continue
		}
		l := lane{s.Kind, s.Peer}
		if prev, seen := last[l]; seen {
			// prev is surely posted first if it waits for nothing but what i
			// waits for too: a smaller index breaks the tie.
			for _, d := range p.Deps(prev) {
				if !anc.before(int(d), i) {
					return fmt.Errorf("step %d (%s) may be posted before step %d (%s), which waits for step %d",
						i, s, prev, &p.Steps[prev], d)
				}
			}
		}
		last[l] = i
	}
	return p.checkRaces(anc)
}

// access is one step's use of a span.
type access struct {
	span  Span
	step  int
	write bool
}

// checkRaces sweeps over the spans of each buffer by offset and compares each
// with those that begin before it ends.
func (p *Plan) checkRaces(anc ancestors) error {
	var all []access
	for i := range p.Steps {
		s := &p.Steps[i]
		for _, span := range s.reads() {
			all = append(all, access{span: span, step: i})
		}
		all = append(all, access{span: s.writes(), step: i, write: true})
	}
	all = slices.DeleteFunc(all, func(a access) bool { return a.span.Len == 0 })
	slices.SortFunc(all, func(a, b access) int {
		return cmp.Or(cmp.Compare(a.span.Buf, b.span.Buf), cmp.Compare(a.span.Off, b.span.Off))
	})
	for k, a := range all {
		for _, b := range all[k+1:] {
			if b.span.Buf != a.span.Buf || b.span.Off >= a.span.End() {
				break
			}
			if a.step == b.step || !a.write && !b.write {
				continue
			}
			if !anc.before(min(a.step, b.step), max(a.step, b.step)) {
				return fmt.Errorf("steps %d (%s) and %d (%s) touch the same bytes and are not ordered",
					a.step, p.Steps[a.step], b.step, p.Steps[b.step])
			}
		}
	}
	return nil
}

// pair finds, for every send and receive of every rank, the step at the other
// end: the k-th send from a to b belongs to the k-th receive. For every Await it finds the Set.
func pair(plans []*Plan) (partner [][]int32, err error) {
	type lane struct{ from, to int32 }
	sends := map[lane][]int32{}
	partner = make([][]int32, len(plans))
	for rank, p := range plans {
		partner[rank] = make([]int32, len(p.Steps))
		for i := range p.Steps {
			if s := &p.Steps[i]; s.Kind == Send {
				l := lane{int32(rank), s.Peer}
				sends[l] = append(sends[l], int32(i))
			}
		}
	}
	for rank, p := range plans {
		for i := range p.Steps {
			s := &p.Steps[i]
			if s.Kind != Recv {
				continue
			}
			l := lane{s.Peer, int32(rank)}
			waiting := sends[l]
			if len(waiting) == 0 {
				return nil, fmt.Errorf("plan %s, rank %d: step %d (%s) has no send at rank %d", p.Name, rank, i, s, s.Peer)
			}
			k := waiting[0]
			sends[l] = waiting[1:]
			if sent := plans[s.Peer].Steps[k].Src.Len; sent != s.Dst.Len {
				return nil, fmt.Errorf("plan %s, rank %d: step %d (%s) meets %d bytes from step %d of rank %d",
					p.Name, rank, i, s, sent, k, s.Peer)
			}
			if way := plans[s.Peer].Steps[k].Way; way != s.Way {
				return nil, fmt.Errorf("plan %s, rank %d: step %d (%s) meets a message that is %s, step %d of rank %d",
					p.Name, rank, i, s, way, k, s.Peer)
			}
			partner[rank][i], partner[s.Peer][k] = k, int32(i)
		}
	}
	for rank, p := range plans {
		for i := range p.Steps {
			l := lane{int32(rank), p.Steps[i].Peer}
			if p.Steps[i].Kind == Send && slices.Contains(sends[l], int32(i)) {
				return nil, fmt.Errorf("plan %s, rank %d: step %d (%s) has no receive", p.Name, rank, i, p.Steps[i])
			}
		}
	}
	return partner, pairFlags(plans, partner)
}
