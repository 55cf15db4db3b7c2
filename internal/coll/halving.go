package coll

import "github.com/weft-mpi/weft/internal/plan"

// Recursive halving and doubling over a power of two of participants, shared
// by the algorithms after Rabenseifner.

// team is a power of two of participants as one of them sees it.
type team struct {
	size int           // a power of two
	me   int           // own number
	rank func(int) int // rank of a participant
}

// halved is the outcome of a reduce-scatter by halving.
type halved struct {
	at    plan.Span // the finished block of this participant
	ready int       // the step after which it is finished
	used  []int     // the steps that read the vector; they wait for it to be ready
}

// halve reduces a vector over the team so that each participant ends with the
// block of its own number. The vector is cut at offs (size+1 of them); it is
// ready after step ready and only read. The block is left in into, or in
// scratch if into is empty. The operation must be commutative.
//
// Each round receives into fresh scratch and merges the own half into it, so
// that nothing waits for a send to end.
func (t team) halve(b *plan.Builder, vector plan.Span, offs []int, into plan.Span, ready int) halved {
	h := halved{at: vector, ready: ready}
	lo, hi := 0, t.size
	for mask := t.size / 2; mask > 0; mask /= 2 {
		peer := t.rank(t.me ^ mask)
		keepLo, keepHi, giveLo, giveHi := lo, lo+mask, lo+mask, hi
		if t.me&mask != 0 {
			keepLo, keepHi, giveLo, giveHi = giveLo, giveHi, keepLo, keepHi
		}
		give := cut(h.at, offs[lo:hi+1], giveLo-lo, giveHi-lo)
		keep := cut(h.at, offs[lo:hi+1], keepLo-lo, keepHi-lo)
		landing := into
		if mask > 1 || into.Len != keep.Len {
			landing = b.Tmp(keep.Len)
		}
		sent := b.Send(peer, give, h.ready)
		got := b.Recv(peer, landing)
		merged := b.Reduce(landing, keep, false, got, h.ready)
		if h.used == nil {
			h.used = []int{sent, merged}
		}
		h.at, h.ready, lo, hi = landing, merged, keepLo, keepHi
	}
	return h
}

// regrow lets every participant that has the block of its own number in vector
// (after step ready) obtain all blocks, by recursive doubling. Blocks arrive
// once the steps free have ended. It returns the arrivals.
func (t team) regrow(b *plan.Builder, vector plan.Span, offs []int, ready int, free []int) []int {
	have := []int{ready}
	for mask := 1; mask < t.size; mask *= 2 {
		peer := t.rank(t.me ^ mask)
		mine, theirs := t.me&^(mask-1), (t.me^mask)&^(mask-1)
		b.Send(peer, cut(vector, offs, mine, mine+mask), have...)
		have = append(have, b.Recv(peer, cut(vector, offs, theirs, theirs+mask), free...))
	}
	return have
}
