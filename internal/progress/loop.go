package progress

import (
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Config is what a loop is made of.
type Config struct {
	Self   int
	Links  []*Link         // every link that has to be polled, in that order
	Route  func(int) *Link // which link leads to a peer; nil if there is one link
	Loop   *Link           // the link to ourselves, if Route does not know it: polled only after use
	Node   Node            // what the ranks of our node share
	Bell   Bell
	Policy clock.Policy
	// Learns has the loop find out by itself whether to wait by Policy, or to sleep earlier because
	// others need the processor.
	Learns bool
	Mode   Mode
	// Pulse is how often, in nanoseconds, somebody looks what has come while the program makes no
	// calls and has nothing in flight; 0: never. In virtual time and in mode Poll there is none.
	Pulse int64
	Clock clock.Clock // the rank's time; nil is the host's
	// Virtual is who runs in virtual time, nil on a host; Name what the background is called there.
	Virtual *clock.Scheduler
	Name    string
	Engine  engine.Config // switches of the protocols
	// Site tells where the calling goroutine's call into the library is, for reports; nil if nobody can tell.
	Site func() string
	// Broken is told why the rank cannot go on when a reduction of the program's does not return.
	// With it, a panic in the background ends the background only; else the process, as in any
	// goroutine.
	Broken func(error)
	// Stalled is called, without the lock, when somebody has waited longer than Stall nanoseconds.
	Stall   int64
	Stalled func([]Stalled)
}

// Loop is the progress of one rank. Its parts are embedded: each is the business of the file that they
// are named after, and all are guarded by the lock.
type Loop struct {
	mutex
	cfg    Config
	clock  clock.Clock
	door   door
	priced bool // what the processor does is charged to the clock
	eng    *engine.Engine
	sink   wire.Sink // the router, perhaps with somebody who charges for what comes
	rma    rma
	ways
	backlogs
	sharing
	crew
	bg background
	spares
	taking
	picking
	packet wire.Packet // of quick

	carrying   bool   // carry is running further up the stack
	cursor     int    // actions that carry has carried out
	pending    int    // requests in flight
	ownPending int    // of these, internal ones
	long       int    // and those that are long messages, or may become some
	calls      uint64 // calls since the start, to see whether the program is away
	failed     error
	over       bool // links are closed
}

// ways are the links.
type ways struct {
	links      []*Link
	timed      []Timed // what those of them have
	dialers    []Dialer
	one        *Link   // the only link, if there is one
	catcher    Catcher // the link that is one, if there is one
	selfMail   bool    // something may wait in the link to ourselves
	speculates bool    // a link may: where none can, short messages are spared the question
}

// backlogs are packets that links were too busy to take.
type backlogs struct {
	backlog    map[int]*packets
	backlogged atomic.Int32 // peers with a backlog
	offers     []int        // those of them whose packets are offered with every flush, in order
}

// spares are recycled.
type spares struct {
	free    *Request
	tasks   *task
	scratch sync.Pool // of tasks that are idle, what is longer than keptScratch
}

// sharing is what plans do with the ranks of our node.
type sharing struct {
	watched []*task    // plans that await flags, or memory of the node
	closing []*Commons // that are closed and not yet left by all
	stirred bool       // one of these may go on though no flag was raised
	given   []given    // communicators that were given up, whose requests have not been ended yet
	gaveUp  bool       // some communicator was given up, or a rank has died
	onGiven func(ctx uint32, revoked bool)
	barred  map[uint32]error // why plans end, by the context of messages; nil until a rank has died, or revoked one
	shared  CommonsCounters
	plans   plansCounted
	failing []Failing // who is told when the job is over
	folds   []fold    // reductions of the program's that wait for somebody to run them, oldest first
}

// crew is who waits, and who of them drives.
type crew struct {
	driver     *waiter        // who polls; nil if nobody, &bg.waiter if the background does
	away       bool           // the driver does not hold the lock
	woke       bool           // the driver has woken others, who have not had their turn yet
	parked     []*waiter      // who waits without driving, oldest first
	spare      *waiter        // recycled
	patience   clock.Patience // how to wait; the lock is held to change it
	glances    glances
	lastWarned int64 // of a stall
}

// New returns the loop of a rank. Close ends its background goroutine.
func New(cfg Config) *Loop {
	if cfg.Clock == nil {
		cfg.Clock = clock.Real
	}
	l := &Loop{cfg: cfg, clock: cfg.Clock, eng: engine.New(cfg.Engine), ways: ways{links: cfg.Links}}
	l.sink = &router{l.eng, l}
	l.door, l.bg.stage, l.bg.restless = host{l}, host{l}, cfg.Mode == Auto || cfg.Mode == Poll
	if cfg.Mode.lazy() {
		l.cfg.Pulse = 0
	}
	if cfg.Virtual != nil {
		v := &virtual{Scheduler: cfg.Virtual, l: l}
		l.door, l.bg.stage, l.bg.restless, l.priced = v, v, false, true
		l.cfg.Policy, l.cfg.Learns, l.cfg.Pulse = clock.Park, false, 0
		l.sink = &meter{l.sink, l}
	}
	l.packet.Kind, l.packet.Whole = wire.Eager, true
	l.patience.Policy = l.cfg.Policy
	if l.cfg.Learns {
		l.patience = clock.Learning(l.cfg.Policy)
	}
	if len(cfg.Links) == 1 && cfg.Route == nil {
		l.one = cfg.Links[0]
	}
	l.sortOut()
	l.eng.Spare(cfg.Self)
	l.bg.init()
	if l.cfg.Pulse > 0 {
		l.bg.stage.rouse()
	}
	return l
}

// sortOut notes what the links have that the loop asks for without a peer in mind.
func (l *Loop) sortOut() {
	for _, link := range l.links {
		if link.Timed != nil {
			l.timed = append(l.timed, link.Timed)
		}
		if link.Dialer != nil {
			l.dialers = append(l.dialers, link.Dialer)
		}
		if link.Catcher != nil {
			l.catcher = link.Catcher
		}
		l.speculates = l.speculates || link.rendezvous(l.cfg.Self) >= wire.Speculate
	}
}

// link returns the way to peer.
func (l *Loop) link(peer int) *Link {
	if l.one != nil && peer != l.cfg.Self { // small enough to be inlined
		return l.one
	}
	return l.route(peer)
}

func (l *Loop) route(peer int) *Link {
	switch {
	case peer == l.cfg.Self && l.cfg.Loop != nil:
		return l.cfg.Loop
	case l.one != nil:
		return l.one
	}
	return l.cfg.Route(peer)
}

// Counters returns the engine's counters.
func (l *Loop) Counters() engine.Counters {
	l.lock()
	defer l.unlock()
	return l.eng.Counters
}

// carry carries out the engine's actions, and those that they lead to, until none is left.
func (l *Loop) carry() {
	if l.carrying {
		return
	}
	l.carrying = true
	for {
		if l.cursor == len(l.eng.Actions()) {
			if l.stirred {
				l.lookShared()
				continue
			}
			if !l.selfMail {
				break
			}
			l.selfMail = l.cfg.Loop.Poll(l.sink) // what we sent to ourselves leads to more
			continue
		}
		a := l.eng.Actions()[l.cursor]
		switch a.Kind {
		case engine.SendPacket, engine.Expose, engine.ExposeWrite:
			l.launch()
			continue
		}
		l.cursor++
		switch a.Kind {
		case engine.Retract:
			l.eng.Retracted(a.Req, l.eng.Retractable(a.Req) && l.retract(a.Packet))
		case engine.Hide:
			if a.Packet.Key != (wire.Key{}) {
				l.link(a.Packet.Peer).Hide(a.Packet.Peer, a.Packet.Key)
			}
		case engine.StartRead:
			peer, key, dst := a.Req.ReadArgs()
			link := l.link(peer)
			if link.Pieces && (a.Req.Cargo != nil || key == wire.Key{}) || !link.Read(peer, key, dst, a.Req) {
				l.eng.ReadDone(a.Req, errCannotRead)
			}
			l.selfMail = l.selfMail || peer == l.cfg.Self && l.cfg.Loop != nil
			if l.away {
				l.cfg.Bell.Ring() // the driver may sleep, and nobody else moves what is read
			}
		case engine.StartWrite:
			a.Req.Pack()
			peer, key, src := a.Req.WriteArgs()
			l.link(peer).Long.Write(peer, key, src, a.Packet, a.Req)
			if l.away {
				l.cfg.Bell.Ring()
			}
		case engine.Cut:
			l.cut(a.Packet.Peer)
		case engine.Complete:
			l.complete(a.Req.Owner.(*Request))
		}
	}
	l.eng.Clear()
	l.cursor = 0
	l.carrying = false
}

// launch carries out the next actions as long as they are packets to send.
// It completes nothing, so a plan may call it while it posts: its offers are on their way before it copies.
func (l *Loop) launch() {
	for ; l.cursor < len(l.eng.Actions()); l.cursor++ {
		a := l.eng.Actions()[l.cursor]
		switch a.Kind {
		case engine.Expose, engine.ExposeWrite:
			l.expose(a)
			l.send(a.Packet)
		case engine.SendPacket:
			l.send(a.Packet)
		default:
			return
		}
	}
}

// send gives a packet to its link, behind those that already wait for room there.
func (l *Loop) send(p *wire.Packet) {
	l.spend(clock.Packet, 1)
	if err := l.eng.PeerError(p.Peer); err != nil {
		l.drop(p, err)
		return
	}
	link := l.link(p.Peer)
	if p.Source != nil && !link.Pieces {
		p.Packed()
	}
	if l.backlogged.Load() > 0 {
		if q := l.backlog[p.Peer]; q != nil && q.first != nil {
			q.push(p)
			return
		}
	}
	if link.Send(p) {
		l.gone(p)
		l.selfMail = l.selfMail || p.Peer == l.cfg.Self && l.cfg.Loop != nil
		return
	}
	if l.backlog == nil {
		l.backlog = make(map[int]*packets)
	}
	q := l.backlog[p.Peer]
	if q == nil {
		q = new(packets)
		l.backlog[p.Peer] = q
	}
	q.push(p)
	l.backlogged.Add(1)
	if !l.reaching(p.Peer) {
		l.offer(p.Peer, q)
	}
}

// cut drops the packets that wait for a peer that is lost.
func (l *Loop) cut(peer int) {
	q := l.backlog[peer]
	if q == nil || q.first == nil {
		return
	}
	l.backlogged.Add(-1)
	for err := l.eng.PeerError(peer); q.first != nil; {
		p := q.first
		q.pop()
		l.drop(p, err)
	}
}

// flush offers the backlog to the links again and tells whether any packet moved.
func (l *Loop) flush() (moved bool) {
	if l.backlogged.Load() == 0 {
		return false
	}
	l.noteReached()
	kept := l.offers[:0]
	for _, peer := range l.offers {
		q := l.backlog[peer]
		if l.eng.PeerError(peer) != nil { // lost since the last carry
			l.cut(peer)
			q.offered = false
			continue
		}
		for q.first != nil {
			p := q.first
			before := p.Sent
			if !l.link(peer).Send(p) {
				moved = moved || p.Sent != before
				break
			}
			moved = true
			q.pop()
			l.gone(p)
			if q.first == nil {
				l.backlogged.Add(-1)
			}
		}
		if q.offered = q.first != nil && !l.reaching(peer); q.offered {
			kept = append(kept, peer)
		}
	}
	l.offers = kept
	return moved
}

// poll moves everything that can move now and tells whether anything did.
func (l *Loop) poll() (moved bool) {
	l.unseen = 0
	l.rma.polling = true
	for _, link := range l.links {
		if link.Poll(l.sink) {
			moved = true
		}
	}
	l.rma.polling = false
	if l.rma.held.first != nil {
		l.sendHeld()
	}
	if l.backlogged.Load() > 0 && l.flush() {
		moved = true
	}
	if len(l.watched) > 0 && l.lookShared() {
		moved = true
	}
	l.carry()
	return moved
}

// peek tells whether poll would find something.
func (l *Loop) peek() bool {
	if len(l.watched) > 0 && l.peekShared() {
		return true
	}
	if l.one != nil {
		return l.one.Ready()
	}
	for _, link := range l.links {
		if link.Ready() {
			return true
		}
	}
	return false
}

// peekOften is peek for the n-th look of a row. Where there are several links, those but the first
// are looked at in some of them only: a look at shared memory costs some nanoseconds, one at
// sockets a call of the kernel.
func (l *Loop) peekOften(n int) bool {
	if len(l.links) > 1 && n%farEvery != farEvery-1 {
		return len(l.watched) > 0 && l.peekShared() || l.links[0].Ready()
	}
	return l.peek()
}

// farEvery is how many looks at the first link there are for one at the others.
const farEvery = 4

// complete ends a request: its plan goes on, or its waiter is told.
func (l *Loop) complete(r *Request) {
	if r.flags&counted != 0 {
		r.flags &^= counted
		l.pending--
		if r.flags&internal != 0 {
			l.ownPending--
		}
		if r.flags&long != 0 {
			l.long--
		}
	}
	if r.cargo != nil {
		r.cargo.Ended(r.Err)
		r.cargo = nil
	}
	if r.task != nil && r.flags&planned == 0 {
		l.stepDone(r)
		return
	}
	if r.flags&detached != 0 {
		if r.then != nil {
			r.then(r)
		}
		l.put(r)
		return
	}
	if w := r.waiter; w != nil {
		r.waiter = nil
		if w.need--; w.need == 0 && (w.parked || l.away) {
			l.fire(w)
		}
	}
}

// fire wakes a waiter, wherever it is. A driver that holds the lock looks for itself.
func (l *Loop) fire(w *waiter) {
	switch {
	case w.parked:
		l.woke = true
		l.unpark(w)
	case w == l.driver && l.away:
		l.cfg.Bell.Ring()
	}
}

// Peer describes one message end: where to, or where from.
type Peer struct {
	Peer  int
	Label uint64 // of a message that is sent; 0: it has none
	Ctx   uint32
	Tag   int32
}

func (p Peer) envelope() match.Envelope {
	return match.Envelope{Ctx: p.Ctx, Peer: int32(p.Peer), Tag: p.Tag}
}
