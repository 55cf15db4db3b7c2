package progress

import (
	"context"
	"errors"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

// Bound is a plan bound to a communicator: where its ranks are, and how its messages are told from others.
type Bound struct {
	Plan    *plan.Plan
	In, Out []byte // the caller's until the plan has ended; scratch is the loop's
	Combine plan.Combine
	Foreign Foreign // whose code Combine is
	Peers   []int   // process of each rank
	Ctx     uint32
	Tag     int32
	Terms   Terms // what the ranks have alike
	Seq     int   // number of the collective on its communicator, and its bytes, for stall reports
	Bytes   int
	Commons *Commons // what the ranks of the node share; nil if nothing, or if the plan does not use it and nobody has made it
	Cargo   Cargo    // told of the end; nil: nobody is
	// Sign writes the signature of the call, Verify compares it with a neighbour's; both nil unless the plan
	// was made with plan.WithCheck.
	Sign   func(sig []byte)
	Verify func(own, other []byte) error
}

// task is a running plan: the port of its run, recycled. Whoever starts it advances it as far as it
// goes at once; after that its messages do as they end, and whoever drives as flags are raised.
type task struct {
	loop    *Loop
	run     plan.Run
	plan    *plan.Plan
	binding // of the Bound
	combine plan.Combine
	bufs    plan.Bufs
	reqs    []*Request // per step, while posted
	posted  int        // how many of them are
	expects int        // of them, receives
	came    []uint64   // plans by arrival: ranks that have arrived

	whole *Request // completes when the plan does; nil while it is being started
	over  bool     // it has ended
	err   error    // and how
	next  *task    // in the list of idle ones

	share   *Commons // what the plan shares, nil if nothing; and the rest only then
	num     uint64   // of the run
	mark    uint64   // what its raised flags hold
	apart   uint64   // how many runs later its memory is used again
	flags   flags
	awaits  []await
	stays   bool // who starts it waits for its end, and looks for flags by itself
	silent  bool // the others are not told of its end
	held    bool // in share.queue
	watched bool // in Loop.watched
}

// binding is what a task is told of its communicator and its call.
type binding struct {
	peers []int
	ctx   uint32
	tag   int32
	terms Terms
	node  *Commons // nil if the ranks of the node have nothing in common
	own   foreign  // the program's reduction, if it has one; then the run has none
}

// keptScratch is how much scratch memory an idle task may keep. What is longer the loop has until
// the garbage is collected twice: a program that calls one long collective after another would have
// the system find and clear fresh pages for each, and one that has done so for the last time does
// not keep them.
const keptScratch = 1 << 20

// takeScratch gives the task n bytes of scratch, more than it has.
func (t *task) takeScratch(n int) {
	if n > keptScratch {
		if kept, ok := t.loop.scratch.Get().(*[]byte); ok {
			t.bufs.Tmp = *kept
		}
	}
	if cap(t.bufs.Tmp) < n {
		t.bufs.Tmp = aligned(n) // and so to plan.TmpAlign
	}
	t.bufs.Tmp = t.bufs.Tmp[:n]
}

// leaveScratch takes back from an idle task what it may not keep.
func (t *task) leaveScratch() {
	kept := t.bufs.Tmp
	t.loop.scratch.Put(&kept)
	t.bufs.Tmp = nil
}

// StartPlan runs a plan; the request completes when all its steps have. The zero handle means that
// they have already.
func (l *Loop) StartPlan(b *Bound, why Why) Handle {
	l.enter()
	defer l.unlock()
	r := l.startPlan(b, false)
	if r == nil {
		return Handle{}
	}
	r.why = why
	if !r.isDone() {
		l.leaveLong(b.Bytes)
		l.count(r)
	}
	return Handle{r, r.Gen}
}

// RunPlan runs a plan and waits for its end.
func (l *Loop) RunPlan(ctx context.Context, b *Bound, why Why) error {
	l.enter()
	defer l.unlock()
	r := l.startPlan(b, true)
	if r == nil {
		return nil
	}
	if !r.isDone() && !l.spinShared(r) {
		if err := l.waitHere(ctx, r, why); err != nil {
			return err
		}
	}
	err := r.Err
	l.put(r)
	return err
}

// startPlan advances a plan as far as it goes: to its end if nothing has to be waited for, or, if
// its caller waits, for longer than a look at flags takes. It returns nil if the plan has ended well.
func (l *Loop) startPlan(b *Bound, waits bool) *Request {
	var t *task
	err := l.refusal(b)
	if err == nil {
		t = l.newTask(b)
		t.stays = waits && b.Plan.Brisk() && l.spins() && b.Foreign == Ours
		if t.node != nil {
			t.node.say(&t.terms)
		}
		if t.share != nil {
			t.share.start(t)
		} else {
			l.runTask(t)
		}
		t.stays = false
		if !t.over || l.stirred {
			l.carry()
		}
		if t.over {
			err = t.err
			l.freeTask(t)
			if t = nil; err == nil {
				if b.Cargo != nil {
					b.Cargo.Ended(nil)
				}
				return nil
			}
		}
	}
	r := l.get()
	r.flags, r.seq, r.Status.Len = planned, b.Seq, b.Bytes
	if r.task = t; t == nil {
		if r.Err = err; b.Cargo != nil {
			b.Cargo.Ended(err)
		}
		r.flags |= finished
		return r
	}
	t.whole, r.cargo = r, b.Cargo
	return r
}

// refusal says why a plan cannot be begun.
func (l *Loop) refusal(b *Bound) error {
	switch {
	case l.failed != nil:
		return l.failed
	case l.barred != nil && l.barredFrom(b.Ctx) != nil:
		return l.barredFrom(b.Ctx)
	case l.eng.Excused(b.Ctx):
		return errGivenBefore
	case b.Plan.Shares() && b.Commons == nil:
		return errNoCommons
	}
	return nil
}

// newTask prepares to run a plan.
func (l *Loop) newTask(b *Bound) *task {
	t := l.tasks
	if t == nil {
		t = &task{loop: l}
	} else {
		l.tasks, t.next = t.next, nil
	}
	l.plans.begin(b.Plan)
	t.plan, t.combine = b.Plan, b.Combine
	t.peers, t.ctx, t.tag, t.terms, t.node = b.Peers, b.Ctx, b.Tag, b.Terms, b.Commons
	if n := b.Plan.TmpLen; n > cap(t.bufs.Tmp) {
		t.takeScratch(n)
	} else {
		t.bufs.Tmp = t.bufs.Tmp[:n]
	}
	t.bufs.In, t.bufs.Out = b.In, b.Out
	if b.Sign != nil {
		s := b.Plan.SigSend
		b.Sign(t.bufs.Tmp[s.Off : s.Off+s.Len])
		t.run.Verify = b.Verify
	}
	if n := len(b.Plan.Steps); cap(t.reqs) < n {
		t.reqs = make([]*Request, n)
	} else {
		t.reqs = t.reqs[:n]
	}
	if b.Foreign != Ours {
		t.own, t.combine = foreign{b.Combine, b.Foreign}, nil
	}
	if b.Plan.ByArrival {
		t.expectArrivals()
	}
	if l.priced {
		t.combine = l.meterCombine(t.combine)
	}
	if b.Plan.Shares() {
		t.share = b.Commons
	}
	return t
}

// freeTask recycles a task that has ended.
func (l *Loop) freeTask(t *task) {
	t.run.Reset()
	t.plan, t.peers, t.node, t.combine, t.whole, t.err = nil, nil, nil, nil, nil, nil
	t.bufs.In, t.bufs.Out, t.bufs.Node, t.own = nil, nil, nil, foreign{}
	t.came = t.came[:0]
	t.over, t.silent = false, false
	if cap(t.bufs.Tmp) > keptScratch {
		t.leaveScratch()
	}
	t.next, l.tasks = l.tasks, t
}

// runTask starts the plan of a task.
func (l *Loop) runTask(t *task) {
	if t.run.Start(t.plan, &t.bufs, t.combine, t) {
		l.endTask(t, t.run.Err())
	}
}

// stepDone tells the plan that one of its messages has ended.
func (l *Loop) stepDone(r *Request) {
	t, step, err := r.task, r.step, r.Err
	t.reqs[step] = nil
	t.posted--
	if s := &t.plan.Steps[step]; s.Kind == plan.Recv {
		t.expects--
		err = t.received(s, r)
	}
	if errors.Is(err, engine.ErrRefused) { // whoever frees a communicator before its collectives have ended has given it up
		err = gaveUp(int(r.Peer))
	}
	l.put(r)
	switch {
	case t.run.Done(step, err):
		l.endTask(t, t.run.Err())
	case errors.Is(err, ErrMismatch): // what was sent may never meet a receive
		t.run.Stop(err)
	}
}

// received tells how a receive of the plan has ended: all that was expected has come, or it is an error.
func (t *task) received(s *plan.Step, r *Request) error {
	if r.Err == nil && len(t.came) > 0 {
		t.arrived(int(s.Peer))
	}
	switch cut, _ := r.Err.(*engine.Truncated); {
	case cut != nil:
		return &Unequal{Proc: t.peers[s.Peer], Sent: cut.Len, Room: cut.Room}
	case r.Err == nil && r.Status.Len != s.Dst.Len:
		return &Unequal{Proc: t.peers[s.Peer], Sent: r.Status.Len, Room: s.Dst.Len}
	}
	return r.Err
}

// endTask ends a task, whose run has ended or was never started: it completes the request of the plan,
// unless that is being started.
func (l *Loop) endTask(t *task, err error) {
	t.over, t.err = true, err
	if c := t.share; c != nil {
		t.share = nil
		// If ranks called different collectives, all find out by themselves, and none must be told before
		// that another has failed.
		torn := err != nil && !t.run.Refused()
		if !t.silent {
			c.leave(t.num, torn, torn && !errors.Is(err, ErrMismatch))
		}
		if t.whole == nil && err == nil {
			l.shared.AtOnce++
		}
	}
	if r := t.whole; r != nil {
		l.freeTask(t)
		r.task, r.Err = nil, err
		r.flags |= finished
		l.complete(r)
	}
}

// Send posts a message of the plan. A short one leaves at once, unless others wait to leave before it.
func (t *task) Send(s *plan.Step, b []byte, step int) (gone bool) {
	l := t.loop
	to := Peer{Ctx: t.ctx, Peer: t.peers[s.Peer], Tag: t.tag}
	link := l.link(to.Peer)
	announced := s.Way == plan.Announced && link.Long != nil
	if !announced && l.cursor == len(l.eng.Actions()) && to.Peer != l.cfg.Self {
		l.packet.Rail = s.Rail
		gone = l.quick(b, to, false)
		l.packet.Rail = 0
		if gone {
			return true
		}
	}
	r := l.get()
	r.task, r.step = t, step
	t.reqs[step] = r
	r.Envelope = to.envelope()
	r.Buf, r.Mode = b, engine.Standard
	r.EagerMax, r.Rendezvous = link.EagerMax(to.Peer), unspeculative(link.rendezvous(to.Peer))
	switch {
	case announced:
		r.Rendezvous = wire.Announced
	case s.Way == plan.Copied && len(b) <= copiedMax:
		r.EagerMax = max(r.EagerMax, len(b))
	}
	if len(b) > r.EagerMax && r.Rendezvous == wire.Pull && link.Long != nil {
		r.Prefix = link.Long.Prefix(to.Peer)
	}
	r.Req.SetRail(s.Rail)
	t.posted++
	if announced && t.plan.SendsAfter(step) && !l.eng.Announced(r.Envelope) {
		l.plans.BlockedSends++
	}
	l.postSend(r)
	l.launch()
	return false
}

// unspeculative is how a plan's long message travels. Plans do not speculate: their tags are used once, so that
// nothing learnt of an envelope is of use again, and their receives are posted just before their messages come.
func unspeculative(r wire.Rendezvous) wire.Rendezvous {
	if r >= wire.Speculate {
		return wire.Pull
	}
	return r
}

// Recv posts a receive of the plan. A message of another length is an error, see received.
func (t *task) Recv(s *plan.Step, b []byte, step int) {
	l := t.loop
	r := l.get()
	r.task, r.step = t, step
	t.reqs[step] = r
	from := Peer{Ctx: t.ctx, Peer: t.peers[s.Peer], Tag: t.tag}
	r.Envelope = from.envelope()
	r.Buf, r.Rendezvous = b, wire.Pull
	if s.Way == plan.Announced {
		if link := l.link(from.Peer); link.Long != nil {
			r.Rendezvous, r.EagerMax = wire.Announced, link.EagerMax(from.Peer)
		}
	}
	t.posted++
	t.expects++
	l.eng.PostRecv(&r.Req)
	l.launch()
	l.chargeKept(r)
}

// copiedMax is the longest message that travels with its envelope because its plan says so: links take no longer ones.
const copiedMax = 4 << 20

// Copy copies within the memory of the plan.
func (t *task) Copy(s *plan.Step, dst, src []byte) {
	if s.Src.Buf == plan.Node && s.Dst.Buf == plan.Out && (t.expects > 0 || len(t.awaits) > 0) {
		t.loop.plans.EarlyBytes += uint64(len(src))
	}
	copyPieces(dst, src)
	t.loop.spend(clock.Copy, len(src))
}

// Arrived tells whether a message of the plan has come from a rank, or its announcement of a receive: it
// waits to be received, is being, or was.
func (t *task) Arrived(peer int) bool {
	if t.came[peer/64]>>(peer%64)&1 != 0 {
		return true
	}
	l := t.loop
	env := Peer{Ctx: t.ctx, Peer: t.peers[peer], Tag: t.tag}.envelope()
	_, here := l.eng.Peek(env)
	if here = here || l.eng.Announced(env); !here {
		for i := range t.plan.Steps {
			if s := &t.plan.Steps[i]; s.Kind == plan.Recv && int(s.Peer) == peer && t.reqs[i] != nil && t.reqs[i].Met() {
				here = true
				break
			}
		}
	}
	if here {
		t.arrived(peer)
	}
	return here
}

// arrived notes that a rank has arrived.
func (t *task) arrived(peer int) { t.came[peer/64] |= 1 << (peer % 64) }

// expectArrivals makes room for who has arrived.
func (t *task) expectArrivals() {
	words := (t.plan.Ranks + 63) / 64
	if cap(t.came) < words {
		t.came = make([]uint64, words)
	}
	t.came = t.came[:words]
	clear(t.came)
}

// Cancel takes a posted message of the plan back, or ends the wait for a flag.
func (t *task) Cancel(step int) {
	if r := t.reqs[step]; r != nil {
		t.loop.eng.Cancel(&r.Req)
		return
	}
	t.withdraw(step)
}
