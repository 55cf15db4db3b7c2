package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Rounds returns how many messages follow one another on the longest chain
// through the plans of all ranks: what a collective costs in latencies when
// bytes cost nothing. Both ends of a message end one round after the later of
// the two was posted. The plans must pass Check.
func Rounds(plans []*Plan) (int, error) {
	partner, err := pair(plans)
	if err != nil {
		return 0, err
	}
	s := progress(plans, partner)
	return s.rounds, s.stuck()
}

// place names a step of a rank.
type place struct{ rank, step int32 }

// stage is how far the plans of all ranks get together. All slices are indexed
// by rank and step.
type stage struct {
	plans  []*Plan
	left   [][]int32 // dependencies that have not ended
	since  [][]int   // round in which the last of them ended
	posted [][]bool
	ended  [][]bool
	work   []place           // steps that are ready
	order  []place           // steps that have ended, in an order in which they can
	waits  map[place][]place // Awaits that are posted, by their Set
	rounds int               // the last round in which something ended
}

// progress lets all ranks run with sends that wait for their receives. What
// can happen only ever makes more possible, so one order stands for all.
func progress(plans []*Plan, partner [][]int32) *stage {
	n := len(plans)
	s := &stage{plans: plans, left: make([][]int32, n), since: make([][]int, n),
		posted: make([][]bool, n), ended: make([][]bool, n), waits: map[place][]place{}}
	for rank, p := range plans {
		s.left[rank] = slices.Clone(p.indegree)
		s.since[rank] = make([]int, len(p.Steps))
		s.posted[rank] = make([]bool, len(p.Steps))
		s.ended[rank] = make([]bool, len(p.Steps))
		for _, i := range p.roots {
			s.work = append(s.work, place{int32(rank), i})
		}
	}
	for len(s.work) > 0 {
		at := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		s.posted[at.rank][at.step] = true
		now := s.since[at.rank][at.step]
		step := &plans[at.rank].Steps[at.step]
		if !step.waits() {
			s.end(at, now)
			continue
		}
		other := place{step.Peer, partner[at.rank][at.step]}
		if step.Kind == Await {
			if s.ended[other.rank][other.step] {
				s.end(at, max(now, s.since[other.rank][other.step]))
			} else {
				s.waits[other] = append(s.waits[other], at)
			}
			continue
		}
		if s.posted[other.rank][other.step] {
			now = max(now, s.since[other.rank][other.step]) + 1
			if step.Kind == Recv { // the send first: its receive learns from it
				at, other = other, at
			}
			s.end(at, now)
			s.end(other, now)
		}
	}
	return s
}

// end marks a step as ended in a round and finds what became ready.
func (s *stage) end(at place, round int) {
	p := s.plans[at.rank]
	s.ended[at.rank][at.step] = true
	s.order = append(s.order, at)
	s.rounds = max(s.rounds, round)
	for _, waiting := range s.waits[at] {
		s.end(waiting, max(round, s.since[waiting.rank][waiting.step]))
	}
	for _, next := range p.succ[p.succStart[at.step]:p.succStart[at.step+1]] {
		s.since[at.rank][next] = max(s.since[at.rank][next], round)
		if s.left[at.rank][next]--; s.left[at.rank][next] == 0 {
			s.work = append(s.work, place{at.rank, next})
		}
	}
}

// stuck lists, rank by rank, the posted steps that never ended.
func (s *stage) stuck() error {
	const enough = 8
	var lines []string
	for rank, p := range s.plans {
		for i := range p.Steps {
			if s.posted[rank][i] && !s.ended[rank][i] && len(lines) < enough {
				lines = append(lines, fmt.Sprintf("rank %d waits in step %d (%s)", rank, i, p.Steps[i]))
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return errors.New("plan " + s.plans[0].Name + ": deadlock: " + strings.Join(lines, "; "))
}
