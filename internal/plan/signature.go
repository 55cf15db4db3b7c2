package plan

// WithCheck returns a plan that does what p does after the ranks have made
// sure they are all in the same call: each sends a signature of sigLen bytes
// to the next rank, receives one from the previous rank, and hands both to
// Run.Verify. No step of p starts before its rank's comparison succeeded.
//
// The caller writes its signature into SigSend of the scratch before Start.
// Around the ring, equal neighbours mean that all are equal. A communicator of
// one rank has nothing to compare: p itself is returned.
func WithCheck(p *Plan, sigLen int) *Plan {
	if p.Ranks == 1 {
		return p
	}
	b := NewBuilder(p.Name, p.Rank, p.Ranks)
	b.Tmp(p.TmpLen)
	b.OnNode(p.Group, p.NodeLen, p.Flags)
	b.p.ByArrival, b.p.Slips = p.ByArrival, p.Slips
	own, other := b.Tmp(sigLen), b.Tmp(sigLen)
	next, prev := (p.Rank+1)%p.Ranks, (p.Rank-1+p.Ranks)%p.Ranks
	sent := b.Send(next, own)
	got := b.Recv(prev, other)
	same := b.add(Step{Kind: Verify, Src: own, Dst: other}, []int{sent, got})
	base := b.Len()
	var deps []int
	for i := range p.Steps {
		deps = deps[:0]
		for _, d := range p.Deps(i) {
			deps = append(deps, int(d)+base)
		}
		if len(deps) == 0 {
			deps = append(deps, same)
		}
		b.add(p.Steps[i], deps)
	}
	checked := b.Build()
	checked.SigSend, checked.SigRecv = own, other
	return checked
}
