package comm

import (
	"encoding/binary"
	"math/bits"
	"sync"

	"github.com/weft-mpi/weft/internal/coll"
)

// spreads learns how far apart the ranks of a communicator come to its blocking collectives, for operations
// whose rules ask, apart for every operation and class of lengths.
//
// A rank's own clock is enough: who comes first stays longest in the call, who comes last shortest. At the
// 8th, 16th, 32nd, ... call of its kind the ranks tell each other how long they stay on average; the
// difference between the longest and the shortest is the spread, from then on, for all of them alike. It is
// counted in units of the shortest call seen, which stands for the time of a message, and rounded down to a
// power of two, so that small changes do not make new plans.
type spreads struct {
	mu    sync.Mutex
	kinds map[spreadKind]*stays
}

// spreadKind is what calls have in common whose spread is one number.
type spreadKind struct {
	op    coll.Op
	class int // of lengths: the bits that it takes to write one; 0 where ranks do not know each other's lengths
}

// stays is how long a rank was inside of calls of a kind.
type stays struct {
	calls       int
	sum, number int64 // of the time inside, since the last agreement
	least       int64
	agreed      int
}

// spreadKind is the same on all ranks of a call.
func (call *Call) spreadKind() spreadKind {
	k := spreadKind{op: call.Op}
	if call.Op != coll.Barrier && call.Op != coll.Allgatherv && !call.Op.Private() && call.RecvCounts == nil {
		k.class = bits.Len(uint(call.Bytes))
	}
	return k
}

// firstAgreement is at which call of a kind ranks compare for the first time; then whenever their number has doubled.
const firstAgreement = 8

// of returns the agreed spread.
func (s *spreads) of(k spreadKind) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.kinds[k]; o != nil {
		return o.agreed
	}
	return 0
}

// stayed notes how long this rank was in a call, and reports whether it is time to compare. Ranks make the
// same calls, so it is time for all at the same call.
func (s *spreads) stayed(k spreadKind, ns int64) (compare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds = map[spreadKind]*stays{}
	}
	o := s.kinds[k]
	if o == nil {
		o = &stays{}
		s.kinds[k] = o
	}
	o.calls++
	o.sum += ns
	o.number++
	if ns = max(ns, 1); o.least == 0 || ns < o.least {
		o.least = ns
	}
	return o.calls >= firstAgreement && bits.OnesCount(uint(o.calls)) == 1
}

// share returns what a rank tells the others: numbers of which the largest counts. It has stayed in a call of the kind.
func (s *spreads) share(k spreadKind) (mine [3]int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.kinds[k]
	mean := o.sum / o.number
	o.sum, o.number = 0, 0
	return [3]int64{mean, -mean, -o.least}
}

// agree takes the largest numbers of all ranks.
func (s *spreads) agree(k spreadKind, all [3]int64) {
	factor := max(all[0]+all[1], 0) / max(-all[2], 1)
	s.mu.Lock()
	s.kinds[k].agreed = 1 << bits.Len64(uint64(factor)) >> 1
	s.mu.Unlock()
}

// Spread returns how far apart the ranks come to calls like this one, as they have agreed; 0 if no rule asks.
func (c *Comm) Spread(call *Call) int { return c.spreads.of(call.spreadKind()) }

// learnSpread notes a call that took ns and, when it is time, compares with the other ranks.
func (c *Comm) learnSpread(call *Call, ns int64) error {
	kind := call.spreadKind()
	if !c.spreads.stayed(kind, ns) {
		return nil
	}
	mine := c.spreads.share(kind)
	var in, out [24]byte
	for i, n := range mine {
		binary.LittleEndian.PutUint64(in[8*i:], uint64(n))
	}
	err := c.run(&Call{Op: coll.Allreduce, Name: "agreement on spread", Bytes: len(in), Elem: 8, In: in[:], Out: out[:],
		Combine: largest, Commutative: true, Reduction: "max"})
	if err != nil {
		return err
	}
	for i := range mine {
		mine[i] = int64(binary.LittleEndian.Uint64(out[8*i:]))
	}
	c.spreads.agree(kind, mine)
	return nil
}

// largest keeps the larger of two numbers.
func largest(dst, src []byte, _ bool) {
	for i := 0; i < len(dst); i += 8 {
		a, b := int64(binary.LittleEndian.Uint64(dst[i:])), int64(binary.LittleEndian.Uint64(src[i:]))
		binary.LittleEndian.PutUint64(dst[i:], uint64(max(a, b)))
	}
}
