package rail

import (
	"cmp"
	"slices"
)

// Map tells where the memory of a link's receive side is.
type Map struct {
	Buffer int       // bytes of a receive
	Shared int       // receives that all peers share
	Peers  []PeerMap // that were talked to, by rank
}

// PeerMap is what is set aside for one peer.
type PeerMap struct {
	Rank     int
	Receives int // of its connections alone
	Ring     int // bytes that it may write into
}

// memoryMap describes the memory as it is now.
func (l *Link) memoryMap() Map {
	m := Map{Buffer: l.cfg.Vbuf, Shared: l.given}
	for _, p := range l.known {
		one := PeerMap{Rank: p.rank, Ring: len(p.ring.in.mem)}
		for _, ln := range p.lanes {
			if ln != nil {
				one.Receives += ln.recvs
			}
		}
		m.Peers = append(m.Peers, one)
	}
	slices.SortFunc(m.Peers, func(a, b PeerMap) int { return cmp.Compare(a.Rank, b.Rank) })
	return m
}
