package comm

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
)

// planKey tells calls apart that need different plans, but for counts and displacements.
type planKey struct {
	op                   coll.Op
	inPlace, commutative bool
	root, bytes, elem    int
	spread               int
}

// layouts are the counts and displacements of a call, see Call.
type layouts struct{ sendCounts, sendDispls, recvCounts, recvDispls []int }

func (call *Call) layouts() layouts {
	return layouts{call.SendCounts, call.SendDispls, call.RecvCounts, call.RecvDispls}
}

// any reports whether there are counts.
func (l *layouts) any() bool { return l.sendCounts != nil || l.recvCounts != nil }

func (l *layouts) same(o *layouts) bool {
	return slices.Equal(l.recvCounts, o.recvCounts) && slices.Equal(l.recvDispls, o.recvDispls) &&
		slices.Equal(l.sendCounts, o.sendCounts) && slices.Equal(l.sendDispls, o.sendDispls)
}

func (l *layouts) len() int {
	return len(l.sendCounts) + len(l.sendDispls) + len(l.recvCounts) + len(l.recvDispls)
}

// clone returns layouts that do not change when the program's do.
func (l *layouts) clone() layouts {
	all := make([]int, 0, l.len())
	own := func(s []int) []int {
		if s == nil {
			return nil
		}
		first := len(all)
		all = append(all, s...)
		return all[first:len(all):len(all)]
	}
	return layouts{own(l.sendCounts), own(l.sendDispls), own(l.recvCounts), own(l.recvDispls)}
}

// hash is the same for layouts that are the same.
func (l *layouts) hash() uint64 {
	h := uint64(l.len())
	for _, s := range [...][]int{l.sendCounts, l.sendDispls, l.recvCounts, l.recvDispls} {
		for _, n := range s {
			h = (h ^ uint64(n)) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		h++
	}
	return h
}

// inBytes turns counts and displacements of elements into bytes.
func inBytes(counts, displs []int, elem int) (bytes, at []int) {
	if counts == nil {
		return nil, nil
	}
	both := make([]int, 2*len(counts))
	bytes, at = both[:len(counts):len(counts)], both[len(counts):]
	next := 0
	for i, count := range counts {
		if displs != nil {
			next = displs[i]
		}
		bytes[i], at[i] = count*elem, next*elem
		next += count
	}
	return bytes, at
}

// keptPlan is a plan and what it was made for.
type keptPlan struct {
	key     planKey
	layouts layouts
	plan    *plan.Plan
}

// serves tells whether the plan is that of a call. It is asked in every call: what would be copied
// for the comparison takes longer than that.
func (k *keptPlan) serves(call *Call, spread int) bool {
	own, l := &k.key, &k.layouts
	return own.bytes == call.Bytes && own.root == call.Root && own.elem == call.Elem && own.spread == spread && own.op == call.Op &&
		own.inPlace == call.InPlace && own.commutative == call.Commutative &&
		slices.Equal(l.recvCounts, call.RecvCounts) && slices.Equal(l.recvDispls, call.RecvDispls) &&
		slices.Equal(l.sendCounts, call.SendCounts) && slices.Equal(l.sendDispls, call.SendDispls)
}

// planCache keeps the plans of a communicator. The last one of each operation is found without a lock.
type planCache struct {
	last [coll.Last + 1]atomic.Pointer[keptPlan]
	mu   sync.Mutex
	// Plans for counts are apart: where these change from call to call, they do not drive out those
	// that serve again.
	even, counted shelf
	chosen        map[planKey]coll.Algorithm // by calls whose choice does not rest on counts: see choose
	builder       plan.Builder
}

// shelf keeps so many plans, for so many counts in all, and begins afresh when it is full.
type shelf struct {
	plans  map[shelfKey]*keptPlan
	counts int
}

type shelfKey struct {
	planKey
	layouts uint64 // hash: whoever finds a plan compares
}

const (
	keptPlans  = 64
	keptCounts = 1 << 16
)

func (s *shelf) put(key shelfKey, k *keptPlan) {
	n := k.layouts.len()
	if s.plans == nil || len(s.plans) >= keptPlans || s.counts+n > keptCounts {
		s.plans, s.counts = make(map[shelfKey]*keptPlan), 0
	}
	s.plans[key] = k
	s.counts += n
}

// plan returns the plan of a call: one that was kept, or a new one.
func (c *Comm) plan(call *Call) (*plan.Plan, error) {
	call.settle()
	spread := 0
	if c.selector().AsksSpread(call.Op) {
		spread = c.Spread(call)
	}
	if k := c.kept().last[call.Op].Load(); k != nil && k.serves(call, spread) {
		return k.plan, nil
	}
	return c.findPlan(call, spread)
}

// findPlan is plan for a call that is not like the last of its operation.
func (c *Comm) findPlan(call *Call, spread int) (*plan.Plan, error) {
	key := planKey{call.Op, call.InPlace, call.Commutative, call.Root, call.Bytes, call.Elem, spread}
	l, pc := call.layouts(), c.kept()
	pc.mu.Lock()
	defer pc.mu.Unlock()
	in, at := &pc.even, shelfKey{planKey: key}
	if l.any() {
		in, at.layouts = &pc.counted, l.hash()
	}
	k := in.plans[at]
	if k == nil || !k.layouts.same(&l) {
		p, err := c.build(call, &key)
		if err != nil {
			return nil, err
		}
		k = &keptPlan{key, l.clone(), p}
		in.put(at, k)
	}
	pc.last[call.Op].Store(k)
	return k.plan, nil
}

// settle makes a ReduceScatter whose counts are all the same the one without counts, for which
// there are more ways. All ranks have the same counts.
func (call *Call) settle() {
	counts := call.RecvCounts
	if call.Op != coll.ReduceScatter || len(counts) == 0 {
		return
	}
	for _, n := range counts {
		if n != counts[0] {
			return
		}
	}
	call.Bytes, call.RecvCounts = counts[0]*call.Elem, nil
}

// build asks for an algorithm and has it make our plan. The cache is locked.
func (c *Comm) build(call *Call, key *planKey) (*plan.Plan, error) {
	cs := c.Case(call)
	if err := cs.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCount, err)
	}
	a, err := c.choose(&cs, *key)
	if err != nil {
		return nil, err
	}
	p := a.PlanIn(&c.kept().builder, cs)
	if c.checks() {
		p = plan.WithCheck(p, signatureLen)
		p.Choice = coll.NoChoice // the signature has it, and ranks that chose differently must meet to compare
		return p, nil
	}
	p.Digest = digestOf(call, p.Choice)
	return p, nil
}

// choose asks the selector for an algorithm, once for all calls that differ in counts alone if
// these make no difference. An error means that the rules are binding and none may serve the call.
func (c *Comm) choose(cs *coll.Case, key planKey) (coll.Algorithm, error) {
	if !cs.Op.Private() {
		a, why := c.Chooses(*cs)
		return a, c.selector().Refusal(why)
	}
	key.bytes, key.inPlace = 0, false // likewise
	pc := c.kept()
	a, known := pc.chosen[key]
	if !known {
		var why coll.Reason
		a, why = c.Chooses(*cs)
		if err := c.selector().Refusal(why); err != nil {
			return a, err
		}
		if pc.chosen == nil || len(pc.chosen) >= keptPlans {
			pc.chosen = make(map[planKey]coll.Algorithm)
		}
		pc.chosen[key] = a
	}
	return a, nil
}
