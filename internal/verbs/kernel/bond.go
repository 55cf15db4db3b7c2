package kernel

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
	"github.com/weft-mpi/weft/internal/verbs/kernel/cm"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// bond is a connection of the kernel's connection manager, for one queue pair of an iWARP device. The driver
// itself makes its queue pair ready to send.
type bond struct {
	deadline // of its phase
	id       cm.ID
	uid      uint64
	phase    phase
	door     *hall // that took it
	qp       *qp
	peer     netip.AddrPort

	mine, theirs auth.Nonce
	there        noteAt
	private      []byte        // what the peer said
	greeting     []byte        // what it is told
	busy         chan struct{} // closed when the manager has taken the wish to connect; nil before
	nudged       int           // times
	heard        bool          // the peer has answered
	listens
	answered chan struct{} // of one that ended while the peer was to answer: closed when it has, or never will
}

// What an initiator sends before the acceptor listens some acceptors hear only when more comes: siw has
// answered before it looks at its socket. Closing a connection in that state brings the kernel down. So the
// initiator sends something empty a little later, twice.
const (
	nudges     = 2
	nudgePause = second / 50
)

// named is something that events of the connection manager are about.
type named interface{ told(*cm.Event) }

// managerFile tells of such events.
type managerFile struct{ d *Device }

func (f managerFile) ready(bool, bool) {
	d := f.d
	for e, err := d.cfg.Connector.Next(); err == nil; e, err = d.cfg.Connector.Next() {
		switch about := d.byUID[e.UID]; {
		case about != nil:
			about.told(&e)
		case e.Kind == cm.ConnectRequest: // the listener was closed
			d.destroy(e.ID, nil)
		}
	}
}

// name gives something a number by which events find it.
func (d *Device) name(n named) uint64 {
	d.lastUID++
	d.byUID[d.lastUID] = n
	return d.lastUID
}

// destroy gives an ID back, by a goroutine because it may take a while; after is what has to end before.
func (d *Device) destroy(id cm.ID, after chan struct{}) {
	d.calls.Go(func() {
		if after != nil {
			<-after
		}
		d.cfg.Connector.Destroy(id)
	})
}

// dial begins to connect a queue pair.
func (q *qp) dial(to netip.AddrPort, private []byte) error {
	d, c := q.dev, &q.dev.cfg.Connector
	if err := q.newNote(); err != nil {
		return err
	}
	b := d.newBond(dialing)
	b.qp, b.peer = q, to
	b.greeting = appendGreeting(nil, frameRequest, q.note.at(), private)
	if key := d.cfg.Key; len(key) > 0 {
		b.greeting = auth.Dress(b.mine, auth.Request(key, b.mine, to, b.greeting), b.greeting)
	}
	b.uid = d.name(b)
	id, err := c.Create(b.uid)
	if err != nil {
		delete(d.byUID, b.uid)
		return err
	}
	b.id = id
	if err = c.Bind(id, netip.AddrPortFrom(q.port().Rail.Addr, 0)); err == nil {
		err = c.ResolveAddr(id, to, b.patience())
	}
	if err != nil {
		delete(d.byUID, b.uid)
		d.destroy(id, nil)
		return err
	}
	d.bonds[b] = true
	b.limit(d.cfg.ConnectWait)
	q.tie, q.state = b, verbs.RTR
	return nil
}

// newBond makes a bond that the connection manager does not know yet.
func (d *Device) newBond(at phase) *bond {
	b := &bond{phase: at, mine: auth.NewNonce()}
	b.deadline = deadline{dev: d, of: b}
	return b
}

// patience is how long the manager may look for a way, in milliseconds.
func (b *bond) patience() uint32 { return uint32(b.dev.cfg.ConnectWait / 1e6) }

// told deals with an event.
func (b *bond) told(e *cm.Event) {
	b.heard = b.heard || b.phase == asking
	switch {
	case b.phase == dead:
		b.forgotten()
	case b.phase == dialing && e.Kind == cm.AddrResolved:
		if err := b.dev.cfg.Connector.ResolveRoute(b.id, b.patience()); err != nil {
			b.lose(err)
		}
	case b.phase == dialing && e.Kind == cm.RouteResolved:
		b.ask()
	case b.phase == asking && e.Kind == cm.Established:
		b.accepted(e.Param.Private)
	case b.phase == asking && e.Kind == cm.Rejected:
		b.rejected(e)
	case b.phase == proving && e.Kind == cm.Established:
		b.stands(nil)
	case e.Kind == cm.TimewaitExit || e.Kind == cm.AddrChange || b.phase == offered:
	default:
		b.lose(eventError(e))
	}
}

// eventError says what an event means for a connection that needs another one.
func eventError(e *cm.Event) error {
	switch e.Kind {
	case cm.Disconnected:
		return errLost
	case cm.DeviceRemoval:
		return errGone
	case cm.Unreachable, cm.AddrError, cm.RouteError:
		return fmt.Errorf("no way to the peer (%w)", e.Reason())
	}
	return fmt.Errorf("the connection cannot be made (%w)", e.Reason())
}

// param is what the manager is told of a queue pair.
func (q *qp) param(private []byte) *cm.Param {
	return &cm.Param{QP: q.driver.Num(), Private: private, SRQ: q.srq != nil, ReadsIn: uint8(q.cfg.ReadsIn), Reads: uint8(q.cfg.Reads), Retries: 7, RNR: 7}
}

// ask has the manager connect. That may block until the peer's host answers, so a goroutine does it.
func (b *bond) ask() {
	d, id, p, busy := b.dev, b.id, b.qp.param(b.greeting), make(chan struct{})
	b.phase, b.busy = asking, busy
	d.calls.Go(func() {
		err := d.cfg.Connector.Connect(id, p)
		close(busy)
		if err == nil {
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		switch {
		case b.phase == dead:
			b.forgotten()
		case b.phase == asking && !d.closed:
			b.heard = true
			b.lose(err)
			d.settle()
		}
	})
}

// hear takes the proof and the kind off what the peer says.
func (b *bond) hear(said []byte, want frameKind, prove func(auth.Nonce, []byte) [auth.ProofSize]byte) (private []byte, ok bool) {
	if len(b.dev.cfg.Key) > 0 {
		n, proof, body, dressed := auth.Undress(said)
		if !dressed || !auth.Same(proof, prove(n, body)) {
			return nil, false
		}
		b.theirs, said = n, body
	}
	kind, there, private, err := parseGreeting(said)
	if err != nil || kind != want {
		return nil, false
	}
	b.there = there
	return append([]byte(nil), private...), true
}

// reply is the proof of an answer to the request that was made here.
func (b *bond) reply(rejected bool) func(auth.Nonce, []byte) [auth.ProofSize]byte {
	return func(n auth.Nonce, said []byte) [auth.ProofSize]byte {
		return auth.Reply(b.dev.cfg.Key, b.mine, n, rejected, said)
	}
}

// accepted is the acceptor's word.
func (b *bond) accepted(said []byte) {
	private, ok := b.hear(said, frameAccept, b.reply(false))
	if !ok {
		b.dev.count.strangers++
		b.lose(errProof)
		return
	}
	b.dev.count.connsMade++
	b.stands(private)
	b.limit(nudgePause)
}

// rejected is its no; that of a host where nobody listens is not its word.
func (b *bond) rejected(e *cm.Event) {
	d, q := b.dev, b.qp
	private, ok := b.hear(e.Param.Private, frameReject, b.reply(true))
	if !ok {
		b.lose(fmt.Errorf("refused (%w)", e.Reason()))
		return
	}
	b.drop()
	q.state = verbs.Error
	d.event(verbs.Event{Kind: verbs.Rejected, Num: q.num, Peer: b.peer, Private: private})
	if err := q.end(true); err != nil {
		d.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: err})
	}
}

// stands says that the connection does.
func (b *bond) stands(private []byte) {
	q := b.qp
	b.phase, q.state, q.there = open, verbs.RTS, b.there
	b.limit(0)
	b.dev.feel()
	if near, _, err := b.dev.cfg.Connector.Addrs(b.id); err == nil {
		q.local = near
	}
	b.dev.event(verbs.Event{Kind: verbs.Established, Num: q.num, Peer: b.peer, Private: private})
}

// lose ends a connection that is of no use any more.
func (b *bond) lose(err error) {
	q := b.qp
	b.limit(0)
	b.dev.breaks(q, err, false)
}

// expire ends a bond whose time is up.
func (b *bond) expire() {
	switch b.phase {
	case offered:
		b.reject(nil)
	case open:
		b.nudge()
	default:
		b.lose(errTimeout)
	}
}

// nudge sends a Write of nothing, which the peer's program does not notice. If that cannot be posted,
// there is something else on its way.
func (b *bond) nudge() {
	q := b.qp
	b.nudged++
	b.limit(0)
	if b.nudged < nudges {
		b.limit(20 * nudgePause)
	}
	q.list = b.dev.pieces(q.list[:0], nil)
	*q.wr = ibv.SendWR{ID: markID, Op: ibv.OpWrite, List: &q.list[0], Count: 1}
	q.driver.PostSend(q.wr)
}

func (b *bond) far() netip.AddrPort { return b.peer }

// part ends it; the driver tells the peer that it has ended.
func (b *bond) part(error, bool) { b.drop() }

// leave ends it in order; the peer's note says so.
func (b *bond) leave() {
	if b.phase == open {
		b.dev.cfg.Connector.Disconnect(b.id) // if it has ended already, so much the better
	}
	b.drop()
}

// drop ends a bond for its queue pair, too.
func (b *bond) drop() {
	d := b.dev
	if b.phase == dead {
		return
	}
	b.limit(0)
	delete(d.bonds, b)
	if b.phase == asking && !b.heard {
		b.answered = make(chan struct{})
		d.given[b] = true
	} else {
		delete(d.byUID, b.uid)
	}
	b.phase = dead
	if b.qp == nil {
		d.destroy(b.id, b.busy)
		return
	}
	b.qp.tie, b.qp.ended = nil, b // see bury
}

// bury gives back the driver's queue pair, the note, and the ID of the connection, in this order: queue pair
// and ID at once would wait for each other. A queue pair that asks for a connection was never connected and
// touches no memory, but drivers do not let go of it before the peer has answered, or for too long; and if it
// vanished while the peer accepts, the kernel would stop there. A goroutine waits for the answer.
func (q *qp) bury() error {
	d, driver, note, b := q.dev, q.driver, q.note, q.ended
	q.note, q.ended = nil, nil
	if b == nil {
		return errors.Join(driver.Close(), note.close())
	}
	if b.answered == nil {
		err := errors.Join(driver.Close(), note.close())
		d.destroy(b.id, b.busy)
		return err
	}
	d.burials.Go(func() {
		<-b.busy
		<-b.answered
		driver.Close()
		note.close()
		d.cfg.Connector.Destroy(b.id)
	})
	return nil
}

// forgotten lets go of a bond that ended before the peer's answer, which has come.
func (b *bond) forgotten() {
	if d := b.dev; d.given[b] {
		delete(d.given, b)
		delete(d.byUID, b.uid)
		close(b.answered)
	}
}

// mourn waits until drivers have let go of all queue pairs, so that what these use can be closed. The lock is given
// up meanwhile.
func (d *Device) mourn() {
	if d.iwarp() {
		d.mu.Unlock()
		d.burials.Wait()
		d.mu.Lock()
	}
}

// hall is a listener at the connection manager.
type hall struct {
	dev    *Device
	id     cm.ID
	uid    uint64
	rail   int
	addr   netip.AddrPort
	closed bool
}

// open listens at the connection manager.
func (d *Device) openHall(rail int, port uint16) (verbs.Listener, error) {
	c := &d.cfg.Connector
	h := &hall{dev: d, rail: rail}
	h.uid = d.name(h)
	id, err := c.Create(h.uid)
	if err == nil {
		h.id = id
		if err = c.Bind(id, netip.AddrPortFrom(d.rails[rail].Rail.Addr, port)); err == nil {
			err = c.Listen(id, backlog)
		}
		if err == nil {
			h.addr, _, err = c.Addrs(id)
		}
		if err != nil {
			d.destroy(id, nil)
		}
	}
	if err != nil {
		delete(d.byUID, h.uid)
		return nil, fmt.Errorf("kernel: listen at %v: %w", netip.AddrPortFrom(d.rails[rail].Rail.Addr, port), err)
	}
	d.doors[h] = true
	return h, nil
}

// Addr is where peers connect to.
func (h *hall) Addr() netip.AddrPort { return h.addr }

// Close stops accepting; requests that wait for an answer are rejected.
func (h *hall) Close() error {
	h.dev.mu.Lock()
	defer h.dev.mu.Unlock()
	if h.closed || h.dev.closed {
		return verbs.ErrClosed
	}
	h.close()
	return h.dev.cfg.Connector.Destroy(h.id)
}

func (h *hall) close() {
	for b := range h.dev.bonds {
		if b.door == h && b.phase == offered {
			b.reject(nil)
		}
	}
	h.closed = true
	delete(h.dev.doors, h)
	delete(h.dev.byUID, h.uid)
}

// told is an initiator's request: the program is asked.
func (h *hall) told(e *cm.Event) {
	if e.Kind != cm.ConnectRequest {
		return
	}
	d, key := h.dev, h.dev.cfg.Key
	b := d.newBond(offered)
	b.id, b.door = e.ID, h
	near, far, err := d.cfg.Connector.Addrs(e.ID)
	private, ok := b.hear(e.Param.Private, frameRequest, func(n auth.Nonce, said []byte) [auth.ProofSize]byte {
		return auth.Request(key, n, near, said)
	})
	if !ok || err != nil || len(private) > d.caps.MaxPrivate || len(key) > 0 && !d.asked.Add(b.theirs) {
		d.count.strangers++
		d.cfg.Connector.Reject(e.ID, nil)
		d.destroy(e.ID, nil)
		return
	}
	b.peer, b.private = far, private
	b.uid = d.name(b)
	d.bonds[b] = true
	b.limit(d.cfg.ConnectWait)
	d.event(verbs.Event{Kind: verbs.ConnectRequest, Peer: far, Private: private, Request: &request{d, b}})
}

// answer is what a request is answered with, proven.
func (b *bond) answer(kind frameKind, at noteAt, private []byte) []byte {
	body, key := appendGreeting(nil, kind, at, private), b.dev.cfg.Key
	if len(key) == 0 {
		return body
	}
	return auth.Dress(b.mine, auth.Reply(key, b.theirs, b.mine, kind == frameReject, body), body)
}

// reject answers a request with no.
func (b *bond) reject(private []byte) {
	b.dev.count.connsRefused++
	b.dev.cfg.Connector.Reject(b.id, b.answer(frameReject, noteAt{}, private)) // whoever gave up need not hear it
	b.drop()
}

func (b *bond) from() netip.AddrPort { return b.peer }
func (b *bond) said() []byte         { return b.private }
func (b *bond) rail() int            { return b.door.rail }
func (b *bond) waiting() bool        { return b.phase == offered }

// accept answers it with a queue pair.
func (b *bond) accept(q *qp, private []byte) error {
	d := b.dev
	if err := q.newNote(); err != nil {
		return err
	}
	if err := d.cfg.Connector.Accept(b.id, b.uid, q.param(b.answer(frameAccept, q.note.at(), private))); err != nil {
		b.drop()
		return err
	}
	b.qp, b.phase = q, proving
	q.tie, q.state = b, verbs.RTR
	d.count.connsTaken++
	b.limit(d.cfg.ConnectWait)
	return nil
}
