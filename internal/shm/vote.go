package shm

import "sync/atomic"

// What the ranks of a segment do must not depend on what the kernel grants to only some of them: each says
// once what it can do to all others, and they do only what all can.

// voteAt is where a rank's vote is in its area: 0 is none yet.
const voteAt = 88

const (
	voted   = 1 << iota
	copies  // it can copy from the memory of all others
	ringing // it can ring all others at their files
)

// voteMax is for how many ranks it is worth finding out. More can do nothing to all others, and know that before
// anybody has voted: who looks at the votes of many takes time from those who are to vote.
const voteMax = 128

func (s *Segment) vote(r int) *uint32 { return s.word(s.rankAt(r) + voteAt) }

// Vote tells the other ranks what we can do to all of them, which have been attached and have offered their bells.
func (l *Link) Vote() {
	if l.seg.Ranks > voteMax {
		return
	}
	vote := uint32(voted)
	if l.trustsAll() {
		vote |= copies
		if l.openBells() { // of processes that are the ones we mean: we have read their memory
			vote |= ringing
		}
	}
	atomic.StoreUint32(l.seg.vote(l.cfg.Self), vote)
}

func (l *Link) trustsAll() bool {
	for r := range l.seg.Ranks {
		if r != l.cfg.Self && !l.single.trusts(r) {
			return false
		}
	}
	return true
}

// Votes tells whether all ranks of the segment can copy from each other's memory, and whether each may
// sleep at its file; that is not known before all have voted.
func (l *Link) Votes() (copy, file, known bool) {
	if l.seg.Ranks > voteMax {
		return false, false, true
	}
	all := uint32(voted | copies | ringing)
	for r := range l.seg.Ranks {
		all &= atomic.LoadUint32(l.seg.vote(r))
	}
	return all&copies != 0, all&ringing != 0, all&voted != 0
}
