package soft

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"syscall"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/rd"
	"github.com/weft-mpi/weft/internal/iwarp/seal"
	"github.com/weft-mpi/weft/internal/iwarp/ud"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// datagrams is what a device has for UD and RD.
type datagrams struct {
	sealKey       *seal.Key              // of KeyedDatagrams; else nil
	sealEpoch     uint64                 // of the last socket
	bounds        map[netip.AddrPort]int // longest datagram to an address, where that is less than a rail's
	shared        map[sharedBy]*udpSocket
	groups        map[groupAt]*udpSocket
	sockets       map[*udpSocket]bool // all that are open
	refusedBefore uint64              // offloads refused to those that are closed
	deferred      []*udpSocket        // have talks to pump with the next call
	poolUsed      int                 // bytes of early RD segments
	spareBoxes    []*outbox           // lent to sockets that are sending
	tap           func(verbs.Datagram) verbs.Fate
}

func newDatagrams(key *seal.Key) datagrams {
	return datagrams{sealKey: key, bounds: map[netip.AddrPort]int{}, sockets: map[*udpSocket]bool{},
		shared: map[sharedBy]*udpSocket{}, groups: map[groupAt]*udpSocket{}}
}

// udpSocket is a socket of UD or RD queue pairs: of one, of all of its type on a rail, or of the members of a
// multicast group.
type udpSocket struct {
	dev    *Device
	rail   int
	typ    verbs.Type
	group  netip.AddrPort // of a multicast socket
	shared bool
	sock   *socket.UDP // nil once closed
	streak int         // receive calls in a row that brought something
	spot   seat
	seals  *seal.Table[netip.AddrPort] // of a device with KeyedDatagrams; else nil
	size   int                         // longest datagram to send
	is4    bool

	only *dgram              // the one queue pair, or nil
	qps  map[uint32]*dgram   // of a shared socket, by number
	byPD map[uint32][]*dgram // the same, by protection domain

	box     *outbox
	blocked bool
	retire  *base // has finished work to report

	recordNum uint32     // of the last Write-Record that began
	writes    sentWrites // that left a shared socket
	notices   ud.Limiter[netip.AddrPort]
	talks     // RD
}

// udpBuffers is what we ask the kernel to buffer per socket; it gives a program without privileges less.
const udpBuffers = 8 << 20

// openUDP opens a socket on a rail, for one queue pair or shared.
func (d *Device) openUDP(rail int, typ verbs.Type, at netip.AddrPort, group netip.AddrPort) (*udpSocket, error) {
	u := &udpSocket{dev: d, rail: rail, typ: typ, group: group, size: d.datagram(rail), is4: d.rails[rail].Addr.Is4(), qps: map[uint32]*dgram{}, byPD: map[uint32][]*dgram{}}
	fits := u.size <= socket.PayloadFor(d.rails[rail].MTU, d.rails[rail].Addr)
	sock, err := socket.OpenUDP(at, socket.UDPOptions{Buffers: udpBuffers, PathMTU: fits, NoOffload: d.cfg.NoOffload, LateJoin: true, Shared: group.IsValid()})
	if err != nil {
		return nil, err
	}
	u.sock = sock
	u.seals = d.sealsAt(u)
	if err := u.setUp(); err != nil {
		d.unwatch(u)
		sock.Close()
		return nil, err
	}
	if r := d.land(); r.inbox == nil {
		r.inbox = socket.NewInbox(0, 0)
	}
	d.addDirect(u)
	d.sockets[u] = true
	return u, nil
}

func (u *udpSocket) setUp() error {
	index, err := socket.InterfaceIndex(u.dev.rails[u.rail].Name)
	if err != nil {
		return err
	}
	if u.group.IsValid() {
		err = u.sock.Join(u.group.Addr(), index)
	} else if err = u.sock.SetMulticastInterface(index); err == nil {
		err = u.sock.SetMulticastLoop(true)
	}
	if err != nil {
		return err
	}
	if u.typ == verbs.RD {
		u.timer, u.lookAfter = newTimer(u.expire), newTimer(u.probeSilent)
		cfg := u.flowConfig()
		u.segment = u.size - iwarp.ShimSize - 8*((cfg.Window+63)/64) - u.dev.trailer()
		if u.flows, err = rd.NewTable[netip.AddrPort, *talk](cfg, randomEpoch()); err != nil {
			return err
		}
	}
	u.spot.fd = u.sock.FD()
	return u.dev.watch(u, true, false)
}

// flowConfig sizes windows so that what one peer may send fits the socket's buffer.
func (u *udpSocket) flowConfig() rd.Config {
	window := 64
	if _, receive, err := u.sock.Buffers(); err == nil {
		window = min(window, max(4, receive/2/u.size))
	}
	return rd.Config{Window: window}
}

func randomEpoch() uint16 {
	var b [2]byte
	rand.Read(b[:])
	return binary.BigEndian.Uint16(b[:])
}

// randomNum is where the numbers of queues begin.
func randomNum() uint32 {
	var b [4]byte
	rand.Read(b[:])
	return binary.BigEndian.Uint32(b[:]) & (1<<23 - 1)
}

func (u *udpSocket) seat() *seat { return &u.spot }

// close gives the socket back.
func (u *udpSocket) close() {
	if u.sock == nil {
		return
	}
	if u.timer != nil {
		u.dev.setTimer(u.timer, 0)
		u.dev.setTimer(u.lookAfter, 0)
	}
	u.dev.dropDirect(u)
	u.dev.unwatch(u)
	u.dev.refusedBefore += u.sock.Counts().Refused
	delete(u.dev.sockets, u)
	u.sock.Close()
	u.sock = nil
	if u.flows != nil {
		for p := range u.flows.Peers() {
			if p.Value != nil {
				p.Value.dropAll()
			}
		}
	}
	if u.box != nil {
		u.dropBox()
	}
}

// setBlocked has the poller tell when there is room to send again.
func (u *udpSocket) setBlocked(on bool) {
	if on != u.blocked {
		u.blocked = on
		u.dev.watch(u, true, on)
	}
}

// sendStatus is what a send error means for its work request.
func sendStatus(err error) verbs.Status {
	switch err {
	case syscall.EMSGSIZE:
		return verbs.LocalLength
	case syscall.ENOMEM, syscall.ENOBUFS, syscall.EBADF, syscall.EINVAL, syscall.EAFNOSUPPORT:
		return verbs.LocalFault
	}
	return verbs.Unreachable
}

const (
	datagramRounds = 8  // receive calls in a row before others get their turn
	busyStreak     = 4  // after so many fruitful calls in a row, another one follows at once
	joinStreak     = 32 // after so many, the kernel is asked to join datagrams
)

// ready receives what there is and sends what waits.
func (u *udpSocket) ready(read, write bool) bool {
	worked := false
	if len(u.touched) > 0 {
		u.pumpTouched(0)
		u.settle()
	}
	if u.sock != nil && (u.blocked || write) {
		u.unblock()
		worked = write
	}
	if read {
		worked = u.drain() || worked
	}
	if worked && u.sock != nil {
		u.settle()
	}
	return worked
}

// drain receives what there is.
func (u *udpSocket) drain() (worked bool) {
	for round := 0; u.sock != nil && round < datagramRounds; round++ {
		if !u.fetch() {
			u.streak = 0
			break
		}
		worked = true
		if u.streak++; u.streak < busyStreak || u.dev.paused {
			break
		}
		if u.streak == joinStreak && u.sock != nil {
			u.sock.SetJoin()
		}
	}
	return worked
}

// fetch makes one receive call and handles what it brings. While datagrams come one by one that is one datagram, by
// the shortest way; later it is what the kernel has joined, or several.
func (u *udpSocket) fetch() bool {
	r := u.dev.land()
	if u.streak < busyStreak && !u.sock.Joins() {
		b := r.stage
		n, from, err := u.sock.RecvOne(b)
		if err != nil {
			return false
		}
		u.arrive(u.now(), b[:n], from)
		u.arrived(1)
		return true
	}
	if r.inbox == nil { // the one there was is lent
		r.inbox = socket.NewInbox(0, 0)
	}
	n, err, inbox := 0, error(nil), r.inbox
	if u.streak < busyStreak {
		n, err = u.sock.Poll(inbox)
	} else {
		n, err = u.sock.Recv(inbox)
	}
	if err != nil {
		return false
	}
	now := u.now()
	for i := range n {
		b, from := inbox.Datagram(i)
		if u.arrive(now, b, from); u.sock == nil {
			break
		}
	}
	u.arrived(n)
	return true
}

// now is the time, where it matters.
func (u *udpSocket) now() int64 {
	if u.typ == verbs.RD {
		return clock.Now()
	}
	return 0
}

// unblock goes on with what the socket did not take before.
func (u *udpSocket) unblock() {
	u.flush()
	if u.blocked || u.sock == nil {
		return
	}
	if u.only != nil {
		u.only.resume()
		return
	}
	for _, q := range u.qps {
		q.resume()
	}
}

// arrive handles a datagram.
func (u *udpSocket) arrive(now int64, b []byte, from netip.AddrPort) {
	body, ok := u.unseal(b, from)
	switch {
	case !ok:
	case u.typ == verbs.RD:
		u.arriveRD(now, body, from)
	default:
		u.arriveUD(body, from)
	}
}

// arrived ends the handling of n datagrams.
func (u *udpSocket) arrived(n int) {
	u.dev.count.datagramsIn += uint64(n)
	if u.typ == verbs.RD && u.sock != nil && !u.dev.spinning {
		u.pumpTouched(0)
	}
}

// settle sends what was put together while handling, and sets the timer.
func (u *udpSocket) settle() {
	u.flush()
	if u.flows != nil && u.sock != nil {
		u.dev.setTimer(u.timer, u.flows.Deadline())
	}
}

// find returns the queue pair that a datagram is for, by the number in it.
func (u *udpSocket) find(num uint32) *dgram {
	q := u.only
	if num != 0 && (q == nil || q.num != num) {
		q = u.qps[num]
	}
	if q == nil || q.state != verbs.RTS {
		u.dev.count.noQueuePair++
		return nil
	}
	return q
}

// enter adds a queue pair to a shared socket, exit takes it away.
func (u *udpSocket) enter(q *dgram) {
	u.qps[q.num] = q
	u.byPD[q.pd.num] = append(u.byPD[q.pd.num], q)
}

func (u *udpSocket) exit(q *dgram) {
	if u.qps[q.num] != q {
		return
	}
	delete(u.qps, q.num)
	list := u.byPD[q.pd.num]
	if i := slices.Index(list, q); i >= 0 {
		u.byPD[q.pd.num] = slices.Delete(list, i, i+1)
	}
	if len(u.byPD[q.pd.num]) == 0 {
		delete(u.byPD, q.pd.num)
	}
}

// any returns a queue pair that owns a region, for messages that name only the region: on a shared socket the oldest
// one of the region's protection domain.
func (u *udpSocket) any(key uint32) *dgram {
	if !u.shared {
		return u.find(0)
	}
	if r := u.dev.regions.Find(key); r != nil {
		for _, q := range u.byPD[r.PD] {
			if q.state == verbs.RTS {
				return q
			}
		}
	}
	u.dev.count.noQueuePair++
	return nil
}

// mayNotify tells whether an error message may go to a peer now.
func (u *udpSocket) mayNotify(to netip.AddrPort) bool {
	if u.group.IsValid() {
		return false
	}
	if !u.notices.Allow(clock.Now(), to) {
		u.dev.count.noticesHeld++
		return false
	}
	u.dev.count.noticesOut++
	return true
}

// remoteError tells the program that a peer refused something.
func (q *dgram) remoteError(from netip.AddrPort, t *iwarp.Terminate) {
	q.dev.count.noticesIn++
	q.dev.event(verbs.Event{Kind: verbs.RemoteError, Num: q.num, Peer: from, Err: &PeerError{Fault: t.Fault}})
}

// strict moves a queue pair to Error after something wrong arrived, if it was made so.
func (q *dgram) strict(f iwarp.Fault) {
	if q.cfg.StrictErrors {
		q.fatal(fmt.Errorf("a peer sent something wrong: %w", f))
	}
}
