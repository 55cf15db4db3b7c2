package comm

import (
	"fmt"
	"reflect"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// Foreign tells whose code a reduction is, and so who runs it.
type Foreign = progress.Foreign

// Whose a reduction is, see progress.
const (
	Ours    = progress.Ours
	Anybody = progress.Anybody
	Callers = progress.Callers
)

// Call is one rank's part of a collective, in bytes. Fields mean what they mean in coll.Case.
type Call struct {
	Op      coll.Op
	Name    string // what the user called; empty: the operation's name
	Root    int
	Bytes   int
	Back    int // between two groups: of a block that comes, where Bytes is that of one that goes
	Elem    int
	In, Out []byte
	InPlace bool

	Combine     plan.Combine
	Foreign     Foreign // whose code Combine is
	Commutative bool
	Reduction   string       // name of the reduction, for the check
	Fold        Fold         // which it is, for the digest that ranks compare
	Type        reflect.Type // of the elements, for the check; may be nil
	Kind        reflect.Kind // of these, for the digest

	// Counts and displacements per rank, in elements: the caller's own, read until the call has
	// been described. No displacements mean one block after the other. In place, Alltoallv has
	// those it receives with only.
	SendCounts, SendDispls, RecvCounts, RecvDispls []int
}

func (call *Call) name() string {
	if call.Name != "" {
		return call.Name
	}
	return call.Op.String()
}

// Observer is told when this rank comes to a collective call and, if it waits there for the end, when it
// leaves. It may be called by several goroutines at once.
type Observer interface {
	Arrived(c *Comm, name string, bytes, seq int) (number int)
	Left(number int)
}

// Run runs a collective and waits for it.
func (c *Comm) Run(call *Call) error {
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin(call.name(), calls.Nobody, call.Bytes))
	}
	if !c.selector().AsksSpread(call.Op) || c.between() {
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
	return c.finish(&b, call.name())
}

// finish runs what is bound, and waits for it.
func (c *Comm) finish(b *progress.Bound, name string) error {
	err := c.env.Loop.RunPlan(c.goctx, b, c.why(name))
	if err == nil {
		return nil
	}
	if c.ended(err) {
		c.giveUp()
	}
	return c.fail(name, c.unequal(err))
}

// Start starts a collective.
func (c *Comm) Start(call *Call) Request { return c.start(call, nil) }

// start is Start with a cargo that is told of the end.
func (c *Comm) start(call *Call, k *shaped) Request {
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin("i"+call.name(), calls.Nobody, call.Bytes))
	}
	var b progress.Bound
	if k != nil {
		b.Cargo = k
	}
	if err := c.bind(&b, call); err != nil {
		return Failed(err)
	}
	return c.startBound(&b, call)
}

// startBound starts a call that is bound.
func (c *Comm) startBound(b *progress.Bound, call *Call) Request {
	if o := c.env.Observer; o != nil {
		o.Arrived(c, call.name(), call.Bytes, b.Seq)
	}
	return c.request(c.env.Loop.StartPlan(b, c.why(call.name())))
}

// bind chooses the plan of a call and binds it to this communicator.
func (c *Comm) bind(b *progress.Bound, call *Call) error {
	p, err := c.planOf(call)
	if err == nil {
		c.bindPlan(b, call, p)
	}
	return err
}

// planOf chooses the plan of a call. A call between neighbours or groups may become another one, which means the same.
func (c *Comm) planOf(call *Call) (*plan.Plan, error) {
	if c.state.Load() != usable {
		return nil, c.unusable(call.name())
	}
	if err := c.apart(call); err != nil {
		return nil, err
	}
	if c.between() {
		p, err := c.planBetween(call)
		if err != nil {
			return nil, c.fail(call.name(), err)
		}
		return p, nil
	}
	if uint(call.Root) >= uint(c.Size()) {
		return nil, c.fail(call.name(), fmt.Errorf("%w: root %d; the communicator has ranks 0 to %d", ErrRoot, call.Root, c.Size()-1))
	}
	if call.Op.Neighborly() {
		if err := c.settleNeighbors(call); err != nil {
			return nil, c.fail(call.name(), err)
		}
	}
	p, err := c.plan(call)
	if err != nil {
		return nil, c.fail(call.name(), err)
	}
	return p, nil
}

// bindPlan binds a plan to this communicator.
func (c *Comm) bindPlan(b *progress.Bound, call *Call, p *plan.Plan) {
	seq := c.seq.Add(1)
	b.Plan, b.Combine, b.Foreign, b.Peers = p, call.Combine, call.Foreign, c.group.procs
	b.In, b.Out = call.In, call.Out
	setTerms(&b.Terms, call, p, seq)
	b.Ctx, b.Tag = c.collectives(), b.Terms.Tag()
	b.Seq, b.Bytes = int(seq), call.Bytes
	if b.Commons = c.node.commons.Load(); b.Commons == nil && p.Shares() {
		b.Commons = c.commons()
	}
	if c.checks() {
		b.Sign, b.Verify = c.checker(call, p.Name)
	}
}

// RunPlan runs a plan that the caller has made instead of an algorithm, with coll.NoChoice, as all ranks
// of the communicator do at this point, and waits for it. Of the call, the buffers and the reduction count.
// It may use memory of nodes, up to coll.NodeMax bytes and coll.FlagMax flags, if Case says Shares.
func (c *Comm) RunPlan(p *plan.Plan, call *Call) error {
	if c.state.Load() != usable {
		return c.unusable(p.Name)
	}
	var b progress.Bound
	if c.checks() {
		p = plan.WithCheck(p, signatureLen)
	}
	c.bindPlan(&b, call, p)
	return c.finish(&b, p.Name)
}

// startOwn starts a plan of the library's own, as RunPlan runs one.
func (c *Comm) startOwn(p *plan.Plan, call *Call) Request {
	if c.state.Load() != usable {
		return Failed(c.unusable(p.Name))
	}
	var b progress.Bound
	if c.checks() {
		p = plan.WithCheck(p, signatureLen)
	}
	p.Choice = coll.NoChoice
	c.bindPlan(&b, call, p)
	return c.startBound(&b, call)
}

// choosing is a selector of a handle's own, and the plans made by it.
type choosing struct {
	selector *coll.Selector
	plans    planCache
}

// Choosing returns a handle of the communicator whose calls choose algorithms by s. All ranks use the same rules.
func (c *Comm) Choosing(s *coll.Selector) *Comm {
	return &Comm{core: c.core, goctx: c.goctx, choosing: &choosing{selector: s}, whole: c.whole}
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

// checks tells that calls are compared between neighbours.
func (c *Comm) checks() bool { return c.compares && c.group.Size() > 1 }

// Case describes a call as the selector sees it: all ranks of the call make the same of it, but for
// what is theirs alone.
func (c *Comm) Case(call *Call) coll.Case {
	cs := coll.Case{
		Op: call.Op, Rank: c.rank, Ranks: c.group.Size(), Root: call.Root,
		Bytes: call.Bytes, Elem: call.Elem, Commutative: call.Commutative, InPlace: call.InPlace,
		Spread: c.Spread(call),
	}
	cs.SendCounts, cs.SendDispls = inBytes(call.SendCounts, call.SendDispls, call.Elem)
	cs.RecvCounts, cs.RecvDispls = inBytes(call.RecvCounts, call.RecvDispls, call.Elem)
	lay(&cs, c.env.Facts, c.group.shared(c.env.Facts))
	cs.Shares = c.hasRoom()
	if call.Op.Neighborly() && c.graph != nil {
		cs.Graph = c.graph()
	}
	return cs
}

// Lay fills in what all ranks know alike of a call of these processes, whose communicator has
// memory on all nodes if there is any.
func (e *Env) Lay(c *coll.Case, procs []int) {
	lay(c, e.Facts, e.Facts.Among(procs))
	c.Shares = e.Facts.Terms().Shares
}

func lay(c *coll.Case, f *agree.Facts, s *agree.Shared) {
	terms := f.Terms()
	c.Local, c.Cores = s.Crowd()
	c.Nodes, c.Fetches, c.Rails = s.Nodes(), s.Fetches(), f.Rails()
	c.Stripe, c.Scheme, c.NoSlips = terms.Stripe, terms.Scheme, !terms.Slips
}

// Chooses returns the algorithm that serves a case, and why.
func (c *Comm) Chooses(cs coll.Case) (coll.Algorithm, coll.Reason) { return c.selector().Choose(cs) }
