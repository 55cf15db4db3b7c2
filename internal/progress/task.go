package progress

import (
	"cmp"
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
	Foreign bool  // Combine is the program's own, and may panic
	Peers   []int // process of each rank
	Ctx     uint32
	Tag     int32
	Seq     int // number of the collective on its communicator, and its bytes, for stall reports
	Bytes   int
	Commons *Commons // what the ranks of the node share; nil if nothing
	// Sign writes the signature of the call, Verify compares it with a neighbour's; both nil unless the plan
	// was made with plan.WithCheck.
	Sign   func(sig []byte)
	Verify func(own, other []byte) error
}

// task is a running plan: the port of its run, recycled.
type task struct {
	loop  *Loop
	run   plan.Run
	peers []int // and the next two: of the Bound
	ctx   uint32
	tag   int32
	bufs  plan.Bufs
	tmp   []byte
	reqs  []*Request // per step, while posted

	posted   int      // how many of them are
	disputed bool     // it was stopped because a rank has chosen another algorithm
	whole    *Request // completes when the plan does
	next     *task

	plan    *plan.Plan
	combine plan.Combine
	came    []uint64 // plans by arrival: ranks that have arrived
	share   *Commons // what the plan shares, nil if nothing; and the rest only then
	num     uint64   // of the run
	mark    uint64   // what its raised flags hold
	flags   flags
	awaits  []await
	watched bool // in Loop.watched
	silent  bool // it ended because ranks called different collectives: who found out tells, and others must not tell of him before
}

// keptScratch is how much scratch memory an idle task may keep. What is longer the loop has until
// the garbage is collected twice: a program that calls one long collective after another would have
// the system find and clear fresh pages for each, and one that has done so for the last time does
// not keep them.
const keptScratch = 1 << 20

// takeScratch gives the task n bytes of scratch.
func (t *task) takeScratch(n int) {
	if cap(t.tmp) < n && n > keptScratch {
		if kept, ok := t.loop.scratch.Get().(*[]byte); ok {
			t.tmp = *kept
		}
	}
	if cap(t.tmp) < n {
		t.tmp = make([]byte, n)
	}
	t.tmp = t.tmp[:n]
}

// leaveScratch takes back from an idle task what it may not keep.
func (t *task) leaveScratch() {
	if cap(t.tmp) > keptScratch {
		kept := t.tmp
		t.loop.scratch.Put(&kept)
		t.tmp = nil
	}
}

func (l *Loop) newTask() *task {
	t := l.tasks
	if t == nil {
		return &task{loop: l}
	}
	l.tasks = t.next
	t.next = nil
	return t
}

// StartPlan runs a plan; the request completes when all its steps have. The zero handle means that
// they have already.
func (l *Loop) StartPlan(b *Bound, why Why) Handle {
	l.enter()
	defer l.unlock()
	if b.Plan.Brisk() && l.dash(b, false) {
		return Handle{}
	}
	r := l.startPlan(b)
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
	if b.Plan.Brisk() && !b.Foreign && l.dash(b, true) { // nothing of the program's runs there
		l.unlock()
		return nil
	}
	return l.runPlan(ctx, b, why)
}

// runPlan is RunPlan with the lock held, which it gives back.
func (l *Loop) runPlan(ctx context.Context, b *Bound, why Why) error {
	defer l.unlock()
	if b.Foreign && b.Plan.Brisk() && l.dash(b, true) {
		return nil
	}
	r := l.startPlan(b)
	if !r.isDone() && !l.spinShared(r) {
		if err := l.waitHere(ctx, r, why); err != nil {
			return err
		}
	}
	err := r.Err
	l.put(r)
	return err
}

func (l *Loop) startPlan(b *Bound) *Request {
	r := l.get()
	r.flags, r.seq, r.Status.Len = planned, b.Seq, b.Bytes
	if l.failed != nil || l.eng.Excused(b.Ctx) {
		r.Err = cmp.Or(l.failed, errGivenBefore)
		r.flags |= finished
		return r
	}
	if b.Plan.Shares() && b.Commons == nil {
		r.Err = errNoCommons
		r.flags |= finished
		return r
	}
	t := l.newTask()
	t.peers, t.ctx, t.tag, t.whole = b.Peers, b.Ctx, b.Tag, r
	r.task = t
	t.takeScratch(b.Plan.TmpLen)
	if b.Sign != nil {
		s := b.Plan.SigSend
		b.Sign(t.tmp[s.Off : s.Off+s.Len])
	}
	if n := len(b.Plan.Steps); cap(t.reqs) < n {
		t.reqs = make([]*Request, n)
	} else {
		t.reqs = t.reqs[:n]
	}
	t.run.Verify = b.Verify
	t.bufs.In, t.bufs.Out, t.bufs.Tmp = b.In, b.Out, t.tmp
	t.plan, t.combine = b.Plan, b.Combine
	if b.Foreign {
		t.combine = l.guarded(b.Combine, func(why error) { l.tear(t, why) })
	}
	t.expectArrivals()
	if l.virtual != nil {
		t.combine = l.meterCombine(t.combine)
	}
	if t.plan.Shares() {
		t.share = b.Commons
		t.share.start(t)
	} else {
		l.runTask(t)
	}
	l.carry()
	return r
}

// runTask starts the plan of a task.
func (l *Loop) runTask(t *task) {
	if t.run.Start(t.plan, &t.bufs, t.combine, t) {
		l.taskDone(t)
	}
}

// refuseTask ends a task whose plan has not been started.
func (l *Loop) refuseTask(t *task, err error) {
	t.whole.Err = err
	l.endTask(t)
}

// stepDone tells the plan that one of its messages has ended.
func (l *Loop) stepDone(r *Request) {
	t, step, err := r.task, r.step, r.Err
	t.reqs[step] = nil
	t.posted--
	if s := &t.plan.Steps[step]; len(t.came) > 0 && s.Kind == plan.Recv && err == nil {
		t.arrived(int(s.Peer))
	}
	if errors.Is(err, engine.ErrRefused) { // whoever frees a communicator before its collectives have ended has given it up
		err = gaveUp(int(r.Peer))
	}
	l.put(r)
	if t.run.Done(step, err) {
		l.taskDone(t)
	}
}

// taskDone completes the plan's request and recycles the task.
func (l *Loop) taskDone(t *task) {
	t.whole.Err, t.silent = t.run.Err(), t.run.Refused()
	t.run.Reset()
	l.endTask(t)
}

// endTask is taskDone for a task whose run is no more.
func (l *Loop) endTask(t *task) {
	r := t.whole
	if c := t.share; c != nil {
		t.share, t.bufs.Node = nil, nil
		c.leave(t.num, r.Err != nil && !t.silent)
		t.silent = false
	}
	t.plan, t.combine = nil, nil
	t.bufs.In, t.bufs.Out, t.disputed = nil, nil, false
	t.leaveScratch()
	t.next = l.tasks
	l.tasks = t
	r.task = nil
	r.flags |= finished
	l.complete(r)
}

// Send posts a message of the plan. A short one leaves at once, unless others wait to leave before it.
func (t *task) Send(s *plan.Step, b []byte, step int) (gone bool) {
	l := t.loop
	to := Peer{Ctx: t.ctx, Peer: t.peers[s.Peer], Tag: t.tag}
	link := l.link(to.Peer)
	announced := s.Way == plan.Announced && announces(link)
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
	r.EagerMax, r.Rendezvous = link.EagerMax(to.Peer), unspeculative(link.Rendezvous(to.Peer))
	switch {
	case announced:
		r.Rendezvous = wire.Announced
	case s.Way == plan.Copied && len(b) <= copiedMax:
		r.EagerMax = max(r.EagerMax, len(b))
	}
	askPrefix(r, link)
	r.Req.SetRail(s.Rail)
	t.posted++
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

// Recv posts a receive of the plan. A message of another length is a truncation or leaves a gap; check mode
// finds the cause.
func (t *task) Recv(s *plan.Step, b []byte, step int) {
	l := t.loop
	r := l.get()
	r.task, r.step = t, step
	t.reqs[step] = r
	from := Peer{Ctx: t.ctx, Peer: t.peers[s.Peer], Tag: t.tag}
	r.Envelope = from.envelope()
	r.Buf, r.Rendezvous = b, wire.Pull
	if s.Way == plan.Announced {
		if link := l.link(from.Peer); announces(link) {
			r.Rendezvous, r.EagerMax = wire.Announced, link.EagerMax(from.Peer)
		}
	}
	t.posted++
	l.eng.PostRecv(&r.Req)
	l.launch()
	l.chargeKept(r)
}

// copiedMax is the longest message that travels with its envelope because its plan says so: links take no longer ones.
const copiedMax = 4 << 20

// Announcer is a link over which messages are announced that a plan wants to be: their receiver tells where it is, and their
// sender keeps silent until then. Both ends of a link are, or none is. Over other links such a message travels like any, and
// long ones wait in the sender's memory until the receiver fetches them: nobody waits for anybody in a fixed order there either.
type Announcer interface{ Announces() }

func announces(l Link) bool {
	_, does := l.(Announcer)
	return does
}

// Copy copies within the memory of the plan.
func (t *task) Copy(_ *plan.Step, dst, src []byte) {
	copyPieces(dst, src)
	if t.loop.virtual != nil {
		t.loop.spend(clock.Copy, len(src))
	}
}

// Arrived tells whether a message of the plan has come from a rank, or its announcement of a receive: it waits to be received,
// is being, or was.
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

// expectArrivals forgets who has arrived, in a plan that asks.
func (t *task) expectArrivals() {
	if !t.plan.ByArrival {
		t.came = t.came[:0]
		return
	}
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
