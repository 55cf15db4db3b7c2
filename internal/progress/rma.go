package progress

import (
	"context"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Window is what RMA packets are for. All methods are called with the loop's lock held.
type Window interface {
	// Packet takes the payload of a packet, which is only valid during the call.
	Packet(peer int, payload []byte)
	// Lost tells that nothing will be heard of a peer any more.
	Lost(peer int, err error)
	// Fail tells that the job is over.
	Fail(err error)
}

// Ended is a token of a read or write that somebody other than the engine has asked for.
type Ended interface {
	Ended(err error) // with the lock held
}

// RMACounters tell how windows' operations travelled.
type RMACounters struct {
	Near       uint64 // puts and gets by copies in our address space; like the next three, of windows that have been freed
	Copied     uint64 // puts and gets that the kernel has copied
	Native     uint64 // accumulates, fetches and swaps in place
	Met        uint64 // fences that met in shared memory
	Packets    uint64 // packets sent, answers among them
	Bytes      uint64 // of these, payloads and all
	Served     uint64 // packets that peers have sent to windows of ours
	Refused    uint64 // of these, such as asked for what they must not
	Strangers  uint64 // packets for windows that are not there
	Reads      uint64 // by the device, from a peer's memory
	Writes     uint64 // by the device, to a peer's memory
	ZeroCopies uint64 // of reads and writes, those from and to where the user has it
	Copies     uint64 // of reads and writes, short ones through a buffer of the window's
}

// rma is what the loop knows of windows.
type rma struct {
	windows  map[uint32]Window
	order    []uint32     // their numbers, in the order of opening
	serves   int          // those of them that peers may send packets to at any time
	free     *wire.Packet // recycled
	kept     int
	counters RMACounters
	polling  bool    // links are, and must not be asked for anything
	held     packets // what windows have posted meanwhile
}

// rmaMax is the longest payload of an RMA packet that is taken from a peer: more than any window sends.
const rmaMax = 256 << 10

// OpenWindow has packets for the window with this number delivered. A window that peers use when they like
// (served) is served though nobody calls, as far as the mode allows.
func (l *Loop) OpenWindow(id uint32, w Window, served bool) {
	l.lock()
	defer l.unlock()
	if l.rma.windows == nil {
		l.rma.windows = map[uint32]Window{}
	}
	l.rma.windows[id] = w
	l.rma.order = append(l.rma.order, id)
	if served {
		l.rma.serves++
		l.engage()
	}
}

// CloseWindow undoes OpenWindow.
func (l *Loop) CloseWindow(id uint32, served bool) {
	l.lock()
	defer l.unlock()
	delete(l.rma.windows, id)
	l.rma.order = slices.DeleteFunc(l.rma.order, func(o uint32) bool { return o == id })
	if served {
		l.rma.serves--
	}
}

// eachWindow calls f for every window, in the order in which they were opened.
func (l *Loop) eachWindow(f func(Window)) {
	for _, id := range slices.Clone(l.rma.order) {
		if w := l.rma.windows[id]; w != nil {
			f(w)
		}
	}
}

// owes tells whether somebody has to drive though nobody waits.
func (l *Loop) owes() bool {
	inFlight := l.pending
	switch l.cfg.Mode {
	case Rendezvous:
		inFlight = l.long
	case Interrupt:
		return true
	}
	return inFlight > 0 || l.rma.serves > 0 || l.backlogged.Load() > 0 || l.urgent()
}

// RMA returns the counters of windows, to be read and changed with the lock held.
func (l *Loop) RMA() *RMACounters { return &l.rma.counters }

// Enter begins a call of a window: it takes the lock, which Exit gives back. The methods below need it.
func (l *Loop) Enter() { l.enter() }

// Exit ends a call.
func (l *Loop) Exit() {
	defer l.unlock()
	l.carry()
}

// Failed is why the job is over, or why peer is lost; nil if neither. The lock is held.
func (l *Loop) Failed(peer int) error {
	if l.failed != nil {
		return l.failed
	}
	return l.eng.PeerError(peer)
}

// Packet returns an empty packet for a window of peer's. The caller appends the payload to its Data and
// gives it to Post. The lock is held.
func (l *Loop) Packet(peer int, window uint32) *wire.Packet {
	p := l.rma.free
	if p == nil {
		p = new(wire.Packet)
	} else {
		l.rma.free = p.Next
		l.rma.kept--
	}
	*p = wire.Packet{Header: wire.Header{Kind: wire.RMA, Ctx: window}, Peer: peer, Data: p.Data[:0]}
	return p
}

// Post sends a packet of Packet's, which is the loop's from now on. The lock is held.
func (l *Loop) Post(p *wire.Packet) {
	p.Len = len(p.Data)
	l.rma.counters.Packets++
	l.rma.counters.Bytes += uint64(p.Len)
	if l.rma.polling {
		l.rma.held.push(p)
		return
	}
	l.send(p)
	l.posted()
}

// posted has somebody drive who sends what a link has not taken, or may have to send again: no request stands for it.
func (l *Loop) posted() {
	if l.backlogged.Load() > 0 {
		l.engage()
	}
	if l.timed != nil {
		l.sentQuick()
	}
}

// sendHeld sends what windows have posted while links were polled.
func (l *Loop) sendHeld() {
	for q := &l.rma.held; q.first != nil; {
		p := q.first
		q.pop()
		l.send(p)
	}
	l.posted()
}

const (
	keptPackets = 64
	keptPayload = 64 << 10
)

// gone tells that a link has taken all of a packet.
func (l *Loop) gone(p *wire.Packet) {
	if p.Kind != wire.RMA {
		l.eng.Gone(p)
		return
	}
	if l.rma.kept >= keptPackets || cap(p.Data) > keptPayload {
		return
	}
	p.Next, l.rma.free = l.rma.free, p
	l.rma.kept++
}

// drop tells that a packet will never leave.
func (l *Loop) drop(p *wire.Packet, err error) {
	if p.Kind == wire.RMA {
		l.gone(p)
		return
	}
	l.eng.Drop(p, err)
}

// StartWrite writes src to memory that peer shares. The caller keeps src alive and unchanged until Ended.
// The lock is held.
func (l *Loop) StartWrite(peer int, k wire.Key, src []byte, token Ended) {
	l.rma.counters.Writes++
	l.link(peer).Long.Write(peer, k, src, nil, token)
	l.started()
}

// StartRead reads from memory that peer shares; false if that cannot be done. The lock is held.
func (l *Loop) StartRead(peer int, k wire.Key, dst []byte, token Ended) bool {
	if !l.link(peer).Read(peer, k, dst, token) {
		return false
	}
	l.rma.counters.Reads++
	l.started()
	return true
}

// started wakes a driver that may sleep: nobody else moves what is read and written.
func (l *Loop) started() {
	if l.away {
		l.cfg.Bell.Ring()
	}
}

// Expect returns a request that completes with Finish. The lock is held.
func (l *Loop) Expect(peer, bytes int) *Request {
	r := l.get()
	r.flags = sided
	r.Peer, r.Tag, r.Status = int32(peer), Nobody, engine.Status{Peer: peer, Tag: Nobody, Len: bytes}
	return r
}

// Finish completes a request of Expect's. The lock is held.
func (l *Loop) Finish(r *Request, err error) {
	r.Err = err
	r.flags |= finished
	l.complete(r)
}

// Await waits for a request of Expect's, and takes it back. It cannot be cancelled: if the context
// ends the wait, the operation goes on. The lock is held on entry and exit, not between.
func (l *Loop) Await(ctx context.Context, r *Request, why Why) error {
	l.carry()
	if !r.isDone() {
		if err := l.waitHere(ctx, r, why); err != nil {
			return err
		}
	}
	err := r.Err
	l.put(r)
	return err
}

// Hand gives a handle to a request of Expect's: somebody will collect it. The lock is held.
func (l *Loop) Hand(r *Request, why Why) Handle { return l.leave(r, why) }

// Copied charges for n bytes that the caller has copied.
func (l *Loop) Copied(n int) { l.spend(clock.Copy, n) }

// Withdraw gives up a plan that is under way: whoever waits for it is told that it was cancelled. The lock is held.
func (l *Loop) Withdraw(h Handle) {
	if r := h.R; r != nil && r.Gen == h.Gen && r.flags&planned != 0 && !r.isDone() {
		carrying := l.carrying
		l.carrying = carrying || l.rma.polling // what follows from it waits until links have been polled
		l.stopTask(r.task, engine.ErrCancelled)
		l.carry()
		l.carrying = carrying
	}
}

// Virtual tells whether time is.
func (l *Loop) Virtual() bool { return l.cfg.Virtual != nil }

// Touch is called before memory is used that others use too: in virtual time, what they do until now is done first.
func (l *Loop) Touch() {
	if l.Virtual() {
		l.cfg.Virtual.Settle()
	}
}

// Spin looks at cond for as long as a waiter would spin, and tells whether it has come true. The lock is not held.
func (l *Loop) Spin(cond func() bool) bool {
	for n := 0; n < l.cfg.Policy.Spins; n++ {
		if cond() {
			return true
		}
		clock.Pause()
	}
	return false
}

// Pause passes a moment, the n-th in a row, for somebody who waits for another rank to change memory that
// both share: it polls, so that others are served meanwhile. The error says that the wait is over though
// nothing has changed.
func (l *Loop) Pause(ctx context.Context, n int) error {
	err := l.pollOnce()
	if ctx != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case err != nil:
		return err
	case n >= pauseSpins:
		l.clock.Sleep(pauseLong)
	case l.cfg.Policy.Together:
		l.door.yield(pauseTask)
	default:
		clock.Yield()
	}
	return nil
}

// pollOnce polls, and tells whether the job is over.
func (l *Loop) pollOnce() error {
	l.lock()
	defer l.unlock()
	l.calls++
	l.poll()
	l.foldAll()
	return l.failed
}

const (
	pauseTask  = 500    // nanoseconds of virtual time
	pauseSpins = 200    // moments before it sleeps
	pauseLong  = 20_000 // nanoseconds
)

// arriveRMA gives a payload to its window.
func (l *Loop) arriveRMA(peer int, window uint32, payload []byte) {
	w := l.rma.windows[window]
	if w == nil {
		l.rma.counters.Strangers++
		return
	}
	w.Packet(peer, payload)
}

// assembly is an RMA payload that comes in pieces.
type assembly struct {
	peer   int
	window uint32
	buf    []byte
}

// router is the sink of the links: it gives to windows what is theirs and the rest to the engine.
type router struct {
	*engine.Engine
	l *Loop
}

func (s *router) Arrive(peer int, h *wire.Header, payload []byte) {
	switch h.Kind {
	case wire.RMA:
		s.l.arriveRMA(peer, h.Ctx, payload)
	case wire.GiveUp:
		s.l.note(given{ctx: h.Ctx, err: gaveUp(peer)})
	case wire.FIN, wire.RTS:
		s.Tick(s.l.clock.Now())
		s.Engine.Arrive(peer, h, payload)
	default:
		s.Engine.Arrive(peer, h, payload)
	}
}

func (s *router) Begin(peer int, h *wire.Header) ([]byte, any) {
	if h.Kind != wire.RMA {
		return s.Engine.Begin(peer, h)
	}
	if h.Len > rmaMax || s.l.rma.windows[h.Ctx] == nil {
		s.l.rma.counters.Strangers++
		return nil, nil
	}
	a := &assembly{peer, h.Ctx, make([]byte, h.Len)}
	return a.buf, a
}

func (s *router) End(token any) {
	if a, ok := token.(*assembly); ok {
		s.l.arriveRMA(a.peer, a.window, a.buf)
		return
	}
	s.Engine.End(token)
}

func (s *router) ReadDone(token any, err error) {
	if t, ok := token.(Ended); ok {
		t.Ended(err)
		return
	}
	s.Engine.ReadDone(token, err)
}

func (s *router) WriteDone(token any, err error) {
	if t, ok := token.(Ended); ok {
		t.Ended(err)
		return
	}
	s.Engine.WriteDone(token, err)
}

func (s *router) Lost(peer int, err error) {
	if s.PeerError(peer) != nil {
		return
	}
	s.Engine.Lost(peer, err)
	err = s.PeerError(peer)
	s.l.eachWindow(func(w Window) { w.Lost(peer, err) })
}
