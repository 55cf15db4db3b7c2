package plan

import (
	"cmp"
	"fmt"
	"slices"
)

// pairFlags finds, for every Await, the step of its peer that raises the flag.
func pairFlags(plans []*Plan, partner [][]int32) error {
	type flag struct{ rank, number int32 }
	raised := map[flag]int32{}
	for rank, p := range plans {
		for i := range p.Steps {
			if s := &p.Steps[i]; s.Kind == Set {
				f := flag{int32(rank), s.Flag}
				if first, twice := raised[f]; twice {
					return fmt.Errorf("plan %s, rank %d: steps %d and %d raise flag %d", p.Name, rank, first, i, s.Flag)
				}
				raised[f] = int32(i)
			}
		}
	}
	for rank, p := range plans {
		for i := range p.Steps {
			s := &p.Steps[i]
			if s.Kind != Await {
				continue
			}
			if other := plans[s.Peer]; other.Group != p.Group || other.NodeLen != p.NodeLen || other.Flags != p.Flags ||
				other.Slips != p.Slips {
				return fmt.Errorf("plan %s, rank %d: step %d (%s) awaits a rank that does not share its node's memory",
					p.Name, rank, i, s)
			}
			set, found := raised[flag{s.Peer, s.Flag}]
			if !found {
				return fmt.Errorf("plan %s, rank %d: step %d (%s): rank %d never raises it", p.Name, rank, i, s, s.Peer)
			}
			partner[rank][i] = set
		}
	}
	return nil
}

// besideSlip returns a span of the step that reaches beyond the data of a slip.
func (p *Plan) besideSlip(s *Step) (span Span, over bool) {
	for _, span := range [...]Span{s.Src, s.Dst} {
		if p.Slips && span.Buf == Node && span.Len > 0 && span.Off%SlipLen+span.Len > SlipRoom {
			return span, true
		}
	}
	return Span{}, false
}

// checkNodes makes sure, node by node, that the order of conflicting accesses to the memory its ranks share
// does not depend on timing. What the ranks of other nodes do orders nothing here: an algorithm does not
// need it.
func (s *stage) checkNodes(partner [][]int32) error {
	groups := map[int][]int{}
	for rank, p := range s.plans {
		if p.NodeLen > 0 {
			groups[p.Group] = append(groups[p.Group], rank)
		}
	}
	for group, ranks := range groups {
		for _, rank := range ranks {
			if n := s.plans[rank].NodeLen; n != s.plans[ranks[0]].NodeLen {
				return fmt.Errorf("plan %s: ranks %d and %d of node %d share %d and %d bytes", s.plans[0].Name, ranks[0], rank,
					group, s.plans[ranks[0]].NodeLen, n)
			}
		}
		o := s.orderNode(ranks, partner)
		err := o.races()
		if err == nil {
			err = o.checkLent()
		}
		if err != nil {
			return fmt.Errorf("plan %s, node %d: %w", s.plans[0].Name, group, err)
		}
	}
	return nil
}

// nodeOrder knows of any two steps of a node's ranks whether one has ended when the other starts.
type nodeOrder struct {
	plans []*Plan
	ranks []int
	first map[int]int // rank: number of its first step; steps are numbered through
	words int
	start []uint64 // per step: set of those that have ended when it starts
	end   []uint64 // per step: set of those that have ended when it ends, without itself
}

func (o *nodeOrder) id(rank, step int) int { return o.first[rank] + step }

// orderNode works through the steps in an order in which they can end.
func (s *stage) orderNode(ranks []int, partner [][]int32) *nodeOrder {
	o := &nodeOrder{plans: s.plans, ranks: ranks, first: map[int]int{}}
	total := 0
	for _, rank := range ranks {
		o.first[rank] = total
		total += len(s.plans[rank].Steps)
	}
	o.words = (total + 63) / 64
	o.start, o.end = make([]uint64, total*o.words), make([]uint64, total*o.words)
	for _, at := range s.order {
		if _, here := o.first[int(at.rank)]; !here {
			continue
		}
		o.follow(at)
		if step := &s.plans[at.rank].Steps[at.step]; step.Kind == Recv || step.Kind == Await {
			o.meet(at, step, partner[at.rank][at.step]) // its partner has ended before
		}
	}
	return o
}

// follow takes over what a step knows from those it depends on.
func (o *nodeOrder) follow(at place) {
	id := o.id(int(at.rank), int(at.step))
	start, end := set(o.start, id, o.words), set(o.end, id, o.words)
	for _, d := range o.plans[at.rank].Deps(int(at.step)) {
		dep := o.id(int(at.rank), int(d))
		join(start, set(o.end, dep, o.words))
		start[dep/64] |= 1 << (dep % 64)
	}
	join(end, start)
}

// meet takes over what a step learns from its partner: a receive, what had ended when its send started; an
// Await, its Set.
func (o *nodeOrder) meet(at place, step *Step, partner int32) {
	if _, here := o.first[int(step.Peer)]; !here {
		return
	}
	end, other := set(o.end, o.id(int(at.rank), int(at.step)), o.words), o.id(int(step.Peer), int(partner))
	if step.Kind == Recv {
		join(end, set(o.start, other, o.words))
		return
	}
	join(end, set(o.end, other, o.words))
	end[other/64] |= 1 << (other % 64)
}

func set(all []uint64, id, words int) []uint64 { return all[id*words : (id+1)*words] }

func join(a, b []uint64) {
	for w, bits := range b {
		a[w] |= bits
	}
}

// before reports whether step a has ended when b starts.
func (o *nodeOrder) before(a, b int) bool { return set(o.start, b, o.words)[a/64]>>(a%64)&1 == 1 }

// races looks for accesses to the same bytes that nothing orders.
func (o *nodeOrder) races() error {
	type use struct {
		access
		rank int
	}
	var all []use
	for _, rank := range o.ranks {
		for i := range o.plans[rank].Steps {
			s := &o.plans[rank].Steps[i]
			for _, span := range s.reads() {
				all = append(all, use{access{span: span, step: i}, rank})
			}
			all = append(all, use{access{span: s.writes(), step: i, write: true}, rank})
		}
	}
	all = slices.DeleteFunc(all, func(u use) bool { return u.span.Len == 0 || u.span.Buf != Node })
	slices.SortFunc(all, func(a, b use) int { return cmp.Compare(a.span.Off, b.span.Off) })
	for k, a := range all {
		for _, b := range all[k+1:] {
			if b.span.Off >= a.span.End() {
				break
			}
			if a.rank == b.rank || !a.write && !b.write { // one rank's own steps were compared before
				continue
			}
			ida, idb := o.id(a.rank, a.step), o.id(b.rank, b.step)
			if !o.before(ida, idb) && !o.before(idb, ida) {
				return fmt.Errorf("step %d of rank %d (%s) and step %d of rank %d (%s) touch the same bytes and are not ordered",
					a.step, a.rank, o.plans[a.rank].Steps[a.step], b.step, b.rank, o.plans[b.rank].Steps[b.step])
			}
		}
	}
	return nil
}
