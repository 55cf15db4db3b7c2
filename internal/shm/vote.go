package shm

import "sync/atomic"

// What the ranks of a segment do must not depend on what the kernel grants to only some of them: each says once whether it can
// copy from the memory of all others, and they do so only if all can.

// voteAt is where a rank's vote is in its area: 0 is none yet.
const voteAt = 88

const (
	voteNo  = 1
	voteYes = 2
)

// voteMax is for how many ranks it is worth finding out.
const voteMax = 128

func (s *Segment) vote(r int) *uint32 { return s.word(s.rankAt(r) + voteAt) }

// Vote tells the other ranks whether we can copy from the memory of all of them, which have been attached.
func (l *Link) Vote() {
	vote := uint32(voteYes)
	for r := range l.seg.Ranks {
		if l.seg.Ranks > voteMax || r != l.cfg.Self && !l.single.trusts(r) {
			vote = voteNo
			break
		}
	}
	atomic.StoreUint32(l.seg.vote(l.cfg.Self), vote)
}

// Votes tells whether all ranks of the segment can copy from each other's memory; it is not known before all have voted.
func (l *Link) Votes() (all, known bool) {
	all = true
	for r := range l.seg.Ranks {
		switch atomic.LoadUint32(l.seg.vote(r)) {
		case voteYes:
		case voteNo:
			all = false
		default:
			return false, false
		}
	}
	return all, true
}
