package soft

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp/ud"
	"github.com/weft-mpi/weft/internal/verbs"
)

// dgram is a UD or RD queue pair. What UD needs beyond that is in unreliable; the state of RD is in the talks of its
// socket, one for each peer.
type dgram struct {
	base
	sock    *udpSocket // from the first time it is in RTS until Close, so that its address stays
	groups  map[netip.AddrPort]*udpSocket
	starved []*talk // RD: who waits for a receive of the own queue

	unreliable
}

// unreliable is what UD queue pairs have.
type unreliable struct {
	session   // only its sending half is used
	records   ud.Records[netip.AddrPort]
	reader    ud.Reader[netip.AddrPort]
	timer     *timer
	recordNum uint32
}

func newDatagramQP(b base) *dgram {
	q := &dgram{base: b}
	q.report, q.fail = q.sent, q.fatal
	q.session.dev = b.dev
	q.session.restart()
	q.timer = newTimer(q.tick)
	return q
}

// Addr is where peers reach the queue pair.
func (q *dgram) Addr() netip.AddrPort {
	q.base.dev.mu.Lock()
	defer q.base.dev.mu.Unlock()
	if q.sock == nil || q.sock.sock == nil {
		return netip.AddrPort{}
	}
	return q.sock.sock.LocalAddr()
}

// Modify changes the state.
func (q *dgram) Modify(to verbs.State) error {
	d := q.base.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	switch {
	case to == verbs.Init && q.state == verbs.Reset:
		q.state = verbs.Init
	case to == verbs.RTS && q.state == verbs.Init:
		if err := q.bind(); err != nil {
			return fmt.Errorf("soft: %v queue pair to RTS: %w", q.cfg.Type, err)
		}
		q.state = verbs.RTS
	case to == verbs.Error:
		q.stop()
		q.flush()
	case to == verbs.Reset:
		q.stop()
		q.sends.Clear()
		q.clearReceives()
		q.state = verbs.Reset
	default:
		return fmt.Errorf("soft: %w: %v from %v to %v", verbs.ErrState, q.cfg.Type, q.state, to)
	}
	return nil
}

// bind gives the queue pair its socket.
func (q *dgram) bind() error {
	if q.sock != nil {
		return nil
	}
	d, at := q.base.dev, netip.AddrPortFrom(q.base.dev.rails[q.cfg.Rail].Addr, q.cfg.Port)
	which := sharedBy{q.cfg.Rail, q.cfg.Type}
	u := d.shared[which]
	if u == nil {
		var err error
		if u, err = d.openUDP(q.cfg.Rail, q.cfg.Type, at, netip.AddrPort{}); err != nil {
			return err
		}
		if d.cfg.ShareSockets {
			u.shared = true
			d.shared[which] = u
		}
	}
	if u.shared {
		u.enter(q)
	} else {
		u.only = q
	}
	q.sock, q.named = u, u.shared
	return nil
}

// sharedBy names the users of a shared socket.
type sharedBy struct {
	rail int
	typ  verbs.Type
}

// stop takes all work of the queue pair out of the hands of its socket and moves it to Error.
func (q *dgram) stop() {
	q.state = verbs.Error // whatever comes is not for it any more
	if q.sock == nil {
		return
	}
	q.cur = message{}
	if q.sock.box != nil {
		for i := range q.sock.box.owners {
			if q.sock.box.owners[i].q == &q.base {
				q.sock.box.owners[i] = owner{}
			}
		}
		// What waits in the box refers to memory that is the program's again in a moment.
		q.sock.empty()
	}
	q.reader = ud.Reader[netip.AddrPort]{}
	q.base.dev.setTimer(q.timer, 0)
	if q.sock.flows != nil {
		q.sock.abandon(q)
	}
}

// fatal moves the queue pair to Error because of err.
func (q *dgram) fatal(err error) {
	if q.state == verbs.Error {
		return
	}
	q.stop()
	q.base.dev.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: err})
	q.flush()
}

// PostSend adds work and sends what the socket takes at once.
func (q *dgram) PostSend(wrs []verbs.SendWR) (int, error) {
	d := q.base.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := q.postable(); err != nil {
		return 0, err
	}
	if len(wrs) == 1 && q.state == verbs.RTS && q.quick(&wrs[0]) {
		return 1, nil
	}
	n, err := q.add(wrs)
	switch {
	case q.state == verbs.Error:
		q.flush()
	case n > 0 && q.cfg.Type == verbs.UD:
		q.resume()
	case n > 0:
		q.sock.pumpTouched(0)
		q.sock.settle()
	}
	return n, err
}

func (q *dgram) add(wrs []verbs.SendWR) (int, error) {
	for i := range wrs {
		wr := &wrs[i]
		if err := q.checkDatagram(wr); err != nil {
			return i, err
		}
		if err := q.sends.Post(&q.base.dev.regions, q.pd.num, wr); err != nil {
			return i, err
		}
		if q.cfg.Type == verbs.RD && q.state == verbs.RTS {
			q.sock.assign(q, wr.AH.(*ah).to)
		}
	}
	return len(wrs), nil
}

var (
	errAH      = fmt.Errorf("%w: the address handle is not of this protection domain, or closed", verbs.ErrArgument)
	errTooLong = fmt.Errorf("%w: the message does not fit a datagram", verbs.ErrArgument)
	errDest    = fmt.Errorf("%w: a queue pair's number has 24 bits", verbs.ErrArgument)
	errFamily  = fmt.Errorf("%w: the rail and the destination have addresses of different families", verbs.ErrArgument)
	errToGroup = fmt.Errorf("%w: only UD Sends go to multicast groups", verbs.ErrArgument)
)

// checkDatagram says what is wrong with a work request for a peer.
func (q *dgram) checkDatagram(wr *verbs.SendWR) error {
	if err := q.checkMessage(wr); err != nil {
		return err
	}
	a, ok := wr.AH.(*ah)
	switch {
	case !ok || a.pd != q.pd || a.closed:
		return errAH
	case a.to.Addr().Is4() != q.base.dev.rails[q.cfg.Rail].Addr.Is4():
		return errFamily
	case wr.DestQP >= 1<<24:
		return errDest
	case a.to.Addr().IsMulticast() && (q.cfg.Type != verbs.UD || wr.Op != verbs.Send):
		return errToGroup
	case q.cfg.Type == verbs.RD && wr.Op == verbs.WriteRecord:
		return errType
	case q.cfg.Type == verbs.RD:
		return nil
	}
	switch wr.Op {
	case verbs.Send:
		n := 0
		for i := range wr.SGL {
			n += len(wr.SGL[i].Buf)
		}
		if q.sock != nil && n > q.sock.longestTo(a.to) {
			return errTooLong
		}
		return nil
	case verbs.Write, verbs.Read, verbs.WriteRecord:
		return nil
	}
	return errType
}

// PostRecv adds receives, for which arrived messages may be waiting.
func (q *dgram) PostRecv(wrs []verbs.RecvWR) (int, error) {
	q.base.dev.mu.Lock()
	defer q.base.dev.mu.Unlock()
	n, err := q.postRecv(wrs)
	for len(q.starved) > 0 && q.recvs.Len() > 0 {
		t := q.starved[0]
		q.starved = append(q.starved[:0], q.starved[1:]...)
		t.fed()
	}
	return n, err
}

// Attach joins a multicast group.
func (q *dgram) Attach(group netip.AddrPort) error {
	d := q.base.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	switch err := q.usable(); {
	case err != nil:
		return err
	case q.cfg.Type != verbs.UD:
		return errType
	case !group.Addr().IsMulticast() || group.Port() == 0:
		return fmt.Errorf("soft: attach: %w: %v is not a multicast group with a port", verbs.ErrArgument, group)
	case q.groups[group] != nil:
		return fmt.Errorf("soft: attach: %w: already in %v", verbs.ErrArgument, group)
	}
	key := groupAt{q.cfg.Rail, group}
	u := d.groups[key]
	if u == nil {
		var err error
		at := group
		if ip := group.Addr(); ip.Is6() && ip.Zone() == "" { // groups of narrow scope need the interface
			at = netip.AddrPortFrom(ip.WithZone(d.rails[q.cfg.Rail].Name), group.Port())
		}
		if u, err = d.openUDP(q.cfg.Rail, verbs.UD, at, group); err != nil {
			return fmt.Errorf("soft: attach to %v: %w", group, err)
		}
		d.groups[key] = u
	}
	u.qps[q.num] = q
	if q.groups == nil {
		q.groups = map[netip.AddrPort]*udpSocket{}
	}
	q.groups[group] = u
	return nil
}

// groupAt names the socket of a multicast group.
type groupAt struct {
	rail  int
	group netip.AddrPort
}

// Detach leaves a multicast group.
func (q *dgram) Detach(group netip.AddrPort) error {
	q.base.dev.mu.Lock()
	defer q.base.dev.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	if q.groups[group] == nil {
		return fmt.Errorf("soft: detach: %w: not in %v", verbs.ErrArgument, group)
	}
	q.detach(group)
	return nil
}

func (q *dgram) detach(group netip.AddrPort) {
	u := q.groups[group]
	delete(q.groups, group)
	if delete(u.qps, q.num); len(u.qps) == 0 {
		delete(u.dev.groups, groupAt{q.cfg.Rail, group})
		u.close()
	}
}

// Close gives the queue pair back.
func (q *dgram) Close() error {
	q.base.dev.mu.Lock()
	defer q.base.dev.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	q.close()
	return nil
}

func (q *dgram) close() {
	for g := range q.groups {
		q.detach(g)
	}
	q.stop()
	q.state = verbs.Reset
	if u := q.sock; u != nil {
		u.only = nil
		if u.exit(q); len(u.qps) == 0 {
			if u.shared {
				delete(u.dev.shared, sharedBy{u.rail, u.typ})
			}
			u.close()
		}
	}
	q.release()
}
