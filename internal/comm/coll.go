package comm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// Call is one rank's part of a collective, in bytes. Fields mean what they mean in coll.Case.
type Call struct {
	Op      coll.Op
	Name    string // what the user called; empty: the operation's name
	Root    int
	Bytes   int
	Elem    int
	In, Out []byte
	InPlace bool

	Combine     plan.Combine
	Commutative bool
	Reduction   string       // name of the reduction, for the check
	Type        reflect.Type // of the elements, for the check; may be nil

	SendCounts, SendDispls, RecvCounts, RecvDispls []int
}

func (call *Call) name() string {
	if call.Name != "" {
		return call.Name
	}
	return call.Op.String()
}

// vector tells whether the call has counts per rank, so that its plan is not worth keeping.
func (call *Call) vector() bool { return call.SendCounts != nil || call.RecvCounts != nil }

// Observer is told when this rank comes to a collective call and, if it waits there for the end, when it leaves. It may be called
// by several goroutines at once.
type Observer interface {
	Arrived(c *Comm, name string, bytes, seq int) (number int)
	Left(number int)
}

// Run runs a collective and waits for it.
func (c *Comm) Run(call *Call) error {
	if !c.selector().AsksSpread(call.Op) {
		return c.run(call)
	}
	from := c.env.Now()
	if err := c.run(call); err != nil {
		return err
	}
	return c.learnSpread(call, c.env.Now()-from)
}

func (c *Comm) run(call *Call) error {
	var b progress.Bound
	if err := c.bind(&b, call); err != nil {
		return err
	}
	if o := c.env.Observer; o != nil {
		number := o.Arrived(c, call.name(), call.Bytes, b.Seq)
		defer o.Left(number)
	}
	err := c.env.Loop.RunPlan(c.goctx, &b, c.why(call.name()))
	if err == nil {
		return nil
	}
	if c.ended(err) {
		c.giveUp()
	}
	return c.fail(call.name(), err)
}

// Start starts a collective.
func (c *Comm) Start(call *Call) Request {
	var b progress.Bound
	if err := c.bind(&b, call); err != nil {
		return Failed(err)
	}
	if o := c.env.Observer; o != nil {
		o.Arrived(c, call.name(), call.Bytes, b.Seq)
	}
	return c.request(c.env.Loop.StartPlan(&b, c.why(call.name())))
}

// bind chooses the plan of a call and binds it to this communicator.
func (c *Comm) bind(b *progress.Bound, call *Call) error {
	if c.state.Load() != usable {
		return c.unusable(call.name())
	}
	if uint(call.Root) >= uint(c.Size()) {
		return c.fail(call.name(), fmt.Errorf("%w: root %d; the communicator has ranks 0 to %d", ErrRoot, call.Root, c.Size()-1))
	}
	p, err := c.plan(call)
	if err != nil {
		return c.fail(call.name(), err)
	}
	seq := c.seq.Add(1)
	b.Plan, b.Combine, b.Peers = p, call.Combine, c.group.procs
	b.In, b.Out = call.In, call.Out
	b.Ctx, b.Tag = c.ctx|1, int32(seq&MaxTag)
	b.Seq, b.Bytes = int(seq), call.Bytes
	if p.Shares() {
		b.Commons = c.commons()
	}
	if c.env.Check && c.Size() > 1 {
		b.Sign, b.Verify = c.checker(call)
	}
	return nil
}

// planKey tells calls apart that need different plans.
type planKey struct {
	op                   coll.Op
	inPlace, commutative bool
	root, bytes, elem    int
	spread               int
}

type keptPlan struct {
	key  planKey
	plan *plan.Plan
}

// planCache keeps the plans of a communicator. The last one of each operation is found without a lock.
type planCache struct {
	last [coll.Last + 1]atomic.Pointer[keptPlan]
	mu   sync.Mutex
	all  map[planKey]*keptPlan
}

const keptPlans = 64

func (c *Comm) plan(call *Call) (*plan.Plan, error) {
	if call.vector() {
		return c.build(call)
	}
	key := planKey{call.Op, call.InPlace, call.Commutative, call.Root, call.Bytes, call.Elem, 0}
	if c.selector().AsksSpread(call.Op) {
		key.spread = c.Spread(call)
	}
	if k := c.kept().last[call.Op].Load(); k != nil && k.key == key {
		return k.plan, nil
	}
	pc := c.kept()
	pc.mu.Lock()
	defer pc.mu.Unlock()
	k := pc.all[key]
	if k == nil {
		p, err := c.build(call)
		if err != nil {
			return nil, err
		}
		k = &keptPlan{key, p}
		if pc.all == nil || len(pc.all) >= keptPlans {
			pc.all = make(map[planKey]*keptPlan)
		}
		pc.all[key] = k
	}
	pc.last[call.Op].Store(k)
	return k.plan, nil
}

// choosing is a selector of a handle's own, and the plans made by it.
type choosing struct {
	selector *coll.Selector
	plans    planCache
}

// Choosing returns a handle of the communicator whose calls choose algorithms by s. All ranks use the same rules.
func (c *Comm) Choosing(s *coll.Selector) *Comm {
	return &Comm{core: c.core, goctx: c.goctx, choosing: &choosing{selector: s}}
}

func (c *Comm) selector() *coll.Selector {
	if c.choosing != nil {
		return c.choosing.selector
	}
	return c.env.Select
}

func (c *Comm) kept() *planCache {
	if c.choosing != nil {
		return &c.choosing.plans
	}
	return &c.plans
}

// Case describes a call as the selector sees it.
func (c *Comm) Case(call *Call) coll.Case {
	return coll.Case{
		Op: call.Op, Rank: c.rank, Ranks: c.Size(), Root: call.Root,
		Bytes: call.Bytes, Elem: call.Elem, Commutative: call.Commutative, InPlace: call.InPlace,
		SendCounts: call.SendCounts, SendDispls: call.SendDispls,
		RecvCounts: call.RecvCounts, RecvDispls: call.RecvDispls,
		Local: c.env.Local, Cores: c.env.Cores, Nodes: c.group.nodes(c.env.Nodes), Rails: c.env.Rails, Stripe: c.env.Stripe, Shares: c.hasRoom(),
		Fetches: c.env.Fetches, NoSlips: c.env.NoSlips, Scheme: c.env.Scheme,
		Spread: c.Spread(call),
	}
}

// Chooses returns the algorithm that serves a case, and why.
func (c *Comm) Chooses(cs coll.Case) (coll.Algorithm, coll.Reason) { return c.selector().Choose(cs) }

// build asks the selector for an algorithm and the algorithm for our plan.
func (c *Comm) build(call *Call) (*plan.Plan, error) {
	cs := c.Case(call)
	if err := cs.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCount, err)
	}
	alg, _ := c.Chooses(cs)
	p := alg.Plan(cs)
	if c.env.Check && c.Size() > 1 {
		p = plan.WithCheck(p, signatureLen)
	}
	return p, nil
}

// signature is what neighbours compare in check mode. Texts are cut to their room.
type signature struct {
	op        string // 16
	root      int64
	bytes     int64
	typ       string // 32
	reduction string // 16
	site      string // 64
}

const signatureLen = 16 + 8 + 8 + 32 + 16 + 64

func (s *signature) put(b []byte) {
	text := func(t string, n int) {
		clear(b[:n])
		copy(b[:n], t)
		b = b[n:]
	}
	text(s.op, 16)
	binary.LittleEndian.PutUint64(b, uint64(s.root))
	binary.LittleEndian.PutUint64(b[8:], uint64(s.bytes))
	b = b[16:]
	text(s.typ, 32)
	text(s.reduction, 16)
	text(s.site, 64)
}

func parseSignature(b []byte) (s signature) {
	text := func(n int) string {
		t, _, _ := bytes.Cut(b[:n], []byte{0})
		b = b[n:]
		return string(t)
	}
	s.op = text(16)
	s.root = int64(binary.LittleEndian.Uint64(b))
	s.bytes = int64(binary.LittleEndian.Uint64(b[8:]))
	b = b[16:]
	s.typ, s.reduction, s.site = text(32), text(16), text(64)
	return s
}

func (s signature) String() string {
	t := s.op
	if s.root >= 0 {
		t += fmt.Sprintf(" root %d", s.root)
	}
	if s.bytes >= 0 {
		t += fmt.Sprintf(" of %d bytes", s.bytes)
	}
	if s.typ != "" {
		t += " of " + s.typ
	}
	if s.reduction != "" {
		t += " with " + s.reduction
	}
	if s.site != "" {
		t += " at " + s.site
	}
	return t
}

// same tells whether two calls belong together; where they were made does not matter.
func (s signature) same(o signature) bool {
	s.site, o.site = "", ""
	return s == o
}

// checker makes the two halves of the check: write our signature, compare the left neighbour's.
func (c *Comm) checker(call *Call) (sign func([]byte), verify func(own, other []byte) error) {
	s := signature{op: call.name(), root: -1, bytes: int64(call.Bytes), reduction: call.Reduction}
	if call.Type != nil {
		s.typ = call.Type.String()
	}
	switch call.Op {
	case coll.Bcast, coll.Reduce, coll.Gather, coll.Scatter, coll.Gatherv, coll.Scatterv:
		s.root = int64(call.Root)
	}
	switch call.Op {
	case coll.Gatherv, coll.Scatterv, coll.Alltoallv, coll.Barrier:
		s.bytes = -1 // may differ, or means nothing
	case coll.Allgatherv, coll.ReduceScatter:
		s.bytes = 0
		for i, n := range call.RecvCounts {
			s.bytes = s.bytes*31 + int64(n) + int64(i)
		}
		if call.RecvCounts == nil {
			s.bytes = int64(call.Bytes)
		}
	}
	if c.env.Site != nil {
		s.site = tail(c.env.Site(), 63)
	}
	sign = s.put
	verify = func(own, other []byte) error {
		mine, theirs := parseSignature(own), parseSignature(other)
		if mine.same(theirs) {
			return nil
		}
		left := (c.rank - 1 + c.Size()) % c.Size()
		return fmt.Errorf("%w: rank %d calls %v, rank %d calls %v", ErrMismatch, c.rank, mine, left, theirs)
	}
	return sign, verify
}

// tail returns the last n bytes of s: the end of a path says more than its beginning.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}
