package plan

import "fmt"

// Join says how a plan becomes part of a larger one.
type Join struct {
	Ranks []int // rank in the larger communicator of each rank of the part; nil keeps them
	In    Span  // where the part's In lies; ignored if the part does not touch it
	Out   Span  // where the part's Out lies; ignored if the part does not touch it
	Node  Span  // where the part's Node memory lies; ignored if the part does not touch it
	Flag  int   // which flag the part's flag 0 becomes
}

// Join adds the steps of sub, in their order, to the plan under construction.
// Steps of sub without dependencies wait for deps. Scratch is set aside afresh.
// It returns a step that ends when all of sub has ended.
func (b *Builder) Join(sub *Plan, j Join, deps ...int) int {
	if j.Ranks != nil && len(j.Ranks) != sub.Ranks {
		panic(fmt.Sprintf("plan %s: joining %s of %d ranks with a map of %d", b.p.Name, sub.Name, sub.Ranks, len(j.Ranks)))
	}
	if sub.Slips {
		panic(fmt.Sprintf("plan %s: joining %s, whose data stands beside its flags", b.p.Name, sub.Name))
	}
	places := [buffers]Span{In: j.In, Out: j.Out, Tmp: b.Tmp(sub.TmpLen), Node: j.Node}
	place := func(s Span) Span {
		if s.Len == 0 {
			return s
		}
		return places[s.Buf].Sub(s.Off, s.Len)
	}
	base := b.Len()
	var after, last []int
	for i := range sub.Steps {
		s := sub.Steps[i]
		s.Src, s.Dst = place(s.Src), place(s.Dst)
		if j.Ranks != nil && s.hasPeer() {
			s.Peer = int32(j.Ranks[s.Peer])
		}
		if s.Kind == Set || s.Kind == Await {
			s.Flag += int32(j.Flag)
		}
		after = after[:0]
		for _, d := range sub.Deps(i) {
			after = append(after, int(d)+base)
		}
		if len(after) == 0 {
			after = append(after, deps...)
		}
		id := b.add(s, after)
		if sub.succStart[i] == sub.succStart[i+1] {
			last = append(last, id)
		}
	}
	if len(last) == 0 {
		last = deps
	}
	return b.Gate(last...)
}
