package kernel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// A datagram arrives behind 40 bytes that say who sent it, and one that is longer than its receive would
// bring the queue pair to Error. So a receive of a datagram has a piece for that header before the
// program's, and a page to throw away behind them.
const (
	headerSize = 40
	wasteSize  = 4096 // the longest packet there is
	udPieces   = 2    // that the device adds
	portRoCE   = 4791
)

// Errors of datagrams.
var (
	errHandle    = fmt.Errorf("%w: no open address handle of this protection domain", verbs.ErrArgument)
	errDestQP    = fmt.Errorf("%w: queue pairs share an address, so DestQP must name one", verbs.ErrArgument)
	errDatagram  = fmt.Errorf("%w: longer than a datagram", verbs.ErrArgument)
	errStrict    = errors.New("a message was longer than its receive")
	errOtherKind = fmt.Errorf("%w: a shared receive queue for connections and datagrams", verbs.ErrUnsupported)
)

// queueKey is what datagrams must carry to be received: those of a job have one of their own. It is no
// secret from who can listen.
func queueKey(job []byte) uint32 {
	h := hmac.New(sha256.New, job)
	h.Write([]byte("weft queue key"))
	return binary.BigEndian.Uint32(h.Sum(nil)) >> 1 // the upper half is the system's
}

// udAddr is where datagrams reach all queue pairs of a port.
func (p *Port) udAddr() netip.AddrPort {
	addr := netip.AddrFrom16(p.GID).Unmap()
	if p.ethernet() {
		return netip.AddrPortFrom(addr, portRoCE)
	}
	return netip.AddrPortFrom(addr, p.LID)
}

// ethernet tells RoCE from InfiniBand, where packets need not carry GIDs.
func (p *Port) ethernet() bool { return p.Global }

// readyDatagrams brings a queue pair of type UD to where it sends and receives.
func (q *qp) readyDatagrams() error {
	if err := q.driver.Modify(&ibv.QPAttr{State: ibv.RTR}, ibv.MaskState); err != nil {
		return fmt.Errorf("kernel: to RTR: %w", err)
	}
	if err := q.driver.Modify(&ibv.QPAttr{State: ibv.RTS, SendPSN: q.psn}, ibv.MaskState|ibv.MaskSendPSN); err != nil {
		return fmt.Errorf("kernel: to RTS: %w", err)
	}
	q.state, q.local = verbs.RTS, q.port().udAddr()
	return nil
}

// ah is an address handle. Its driver's is made by a goroutine of its own, because that looks for the way
// and may take a second; sends wait for it.
type ah struct {
	pd     *pd
	to     netip.AddrPort
	rails  []ibv.AH // by rail; nil where there is no way
	made   chan struct{}
	ready  bool // it was made, or could not be
	most   int  // bytes of a datagram that the peer takes; 0 if that is not known
	closed bool
}

// NewAH names a destination.
func (p *pd) NewAH(to netip.AddrPort) (verbs.AH, error) {
	d := p.dev
	ip := to.Addr().Unmap()
	if !to.IsValid() || ip.Is4() != d.rails[0].udAddr().Addr().Is4() {
		return nil, fmt.Errorf("kernel: %w: %v is no address of the kind that this device has", verbs.ErrArgument, to)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := p.usable(); err != nil {
		return nil, err
	}
	if !d.caps.UD {
		return nil, fmt.Errorf("kernel: %w: datagrams", verbs.ErrUnsupported)
	}
	a := &ah{pd: p, to: to, rails: make([]ibv.AH, len(d.rails)), made: make(chan struct{})}
	p.users++
	p.handles[a] = true
	go a.make()
	return a, nil
}

// make makes the driver's handles, one for each rail.
func (a *ah) make() {
	d := a.pd.dev
	for i := range d.rails {
		r := &d.rails[i]
		// The header says who sent a datagram, so that there always is one.
		attr := &ibv.AHAttr{DGID: a.to.Addr().As16(), SGIDIndex: r.GIDIndex, HopLimit: hopLimit, TrafficClass: r.TrafficClass, SL: r.ServiceLevel, IsGlobal: 1, Port: r.Number}
		if !r.ethernet() {
			attr.DLID = a.to.Port()
		}
		if handle, err := a.pd.driver.NewAH(attr); err == nil {
			a.rails[i] = handle
		}
	}
	d.mu.Lock()
	a.ready = true
	close(a.made)
	for q := range d.qps {
		if q.cfg.Type == verbs.UD && q.driver != nil && q.state == verbs.RTS && q.sends.Waiting() > 0 {
			q.push()
			q.sends.Retire(q.sent)
		}
	}
	d.settle()
	d.mu.Unlock()
}

// Addr is the destination.
func (a *ah) Addr() netip.AddrPort { return a.to }

// Bound tells how long a datagram the peer takes.
func (a *ah) Bound(most int) {
	a.pd.dev.mu.Lock()
	a.most = most
	a.pd.dev.mu.Unlock()
}

// Close gives the handle back, when it has been made.
func (a *ah) Close() error {
	d := a.pd.dev
	d.mu.Lock()
	if a.closed || d.closed {
		d.mu.Unlock()
		return verbs.ErrClosed
	}
	a.closed = true
	delete(a.pd.handles, a)
	d.mu.Unlock()
	err := a.release()
	d.mu.Lock()
	a.pd.users--
	d.mu.Unlock()
	return err
}

// release gives the driver's handles back; the lock is not held.
func (a *ah) release() error {
	<-a.made
	var all []error
	for _, h := range a.rails {
		if h != nil {
			all = append(all, h.Close())
		}
	}
	return errors.Join(all...)
}

// checkDatagram says what is wrong with a send of n bytes by UD.
func (q *qp) checkDatagram(wr *verbs.SendWR, n int) error {
	a, ok := wr.AH.(*ah)
	switch {
	case wr.Op == 0 || wr.Op > verbs.CompareSwap:
		return errOp
	case wr.Op != verbs.Send:
		return errOpLacking
	case !ok || a.closed || a.pd != q.pd:
		return errHandle
	case wr.DestQP == 0 || wr.DestQP >= 1<<24:
		return errDestQP
	case n > q.port().MaxDatagram || a.most > 0 && n > a.most:
		return errDatagram
	}
	return nil
}

// lost says why a datagram cannot be sent that was to wait for its address handle.
func (q *qp) lost(s *nic.Sending, a *ah) verbs.Status {
	switch {
	case a.closed || a.rails[q.cfg.Rail] == nil:
		return verbs.Unreachable
	case s.WR.Flags&verbs.Inline == 0 && q.dev.regions.LocalList(q.pd.num, s.WR.SGL, false) != nil:
		return verbs.LocalProtection
	}
	return verbs.OK
}

// headers is memory for what comes before datagrams, a piece for each receive, and what is thrown away.
type headers struct {
	memory []byte
	driver ibv.MR
}

// newHeaders makes room for n receives.
func (p *pd) newHeaders(n int) (*headers, error) {
	h := &headers{memory: make([]byte, n*headerSize+wasteSize)}
	var err error
	if h.driver, err = p.pin(h.memory, verbs.LocalWrite); err != nil {
		return nil, err
	}
	return h, nil
}

// close gives it back.
func (h *headers) close() error {
	if h == nil {
		return nil
	}
	return h.driver.Close()
}

// at is the header of a receive.
func (h *headers) at(slot int) []byte { return h.memory[slot*headerSize:][:headerSize] }

// piece is a part of the memory.
func (h *headers) piece(b []byte) ibv.SGE {
	return ibv.SGE{Addr: addressOf(b), Length: uint32(len(b)), LKey: h.driver.LKey()}
}

// wrap puts a receive's pieces, of which the first is left free, between its header and the waste.
func (h *headers) wrap(list []ibv.SGE, slot int) []ibv.SGE {
	list[0] = h.piece(h.at(slot))
	return append(list, h.piece(h.memory[len(h.memory)-wasteSize:]))
}

// datagram reports a datagram that has come to the receive that was just taken, with its header in a slot.
func (q *qp) datagram(wc *ibv.WC, h *headers, slot int) {
	n := int(wc.Len) - headerSize
	switch {
	case n > q.taken.Len:
		q.received(q.taken.ID, verbs.LocalLength)
		if q.cfg.StrictErrors {
			q.dev.breaks(q, errStrict, false)
		}
		return
	case n < 0:
		q.received(q.taken.ID, verbs.LocalFault)
		return
	}
	c := q.recvCQ.slot(q)
	if c == nil {
		return
	}
	c.ID, c.QP, c.Op, c.Len = q.taken.ID, q.num, verbs.Recv, n
	c.Src, c.SrcQP = q.port().source(h.at(slot), wc), wc.SrcQP
	q.recvCQ.added(c)
}

// source reads who sent a datagram: an IPv4 header at the end of the 40 bytes, or one of IPv6, which
// InfiniBand's is alike.
func (p *Port) source(header []byte, wc *ibv.WC) netip.AddrPort {
	port := uint16(portRoCE)
	if !p.ethernet() {
		port = wc.SrcLID
	}
	if ip := header[20:]; p.ethernet() && netip.AddrFrom16(p.GID).Is4In6() && ip[0]>>4 == 4 {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(ip[12:16])), port)
	}
	return netip.AddrPortFrom(netip.AddrFrom16([16]byte(header[8:24])).Unmap(), port)
}

// reserve is what a queue pair of type UD has besides: headers for its receives.
func (q *qp) reserve() (err error) {
	if q.cfg.Type == verbs.UD && q.srq == nil {
		q.headers, err = q.pd.newHeaders(q.cfg.RecvDepth)
	}
	return err
}

// join makes a shared receive queue one of connections or of datagrams; the first queue pair decides.
// Receives that were posted before then are given to the driver now.
func (s *srq) join(typ verbs.Type) error {
	if s.kind == typ {
		return nil
	}
	if s.kind != 0 {
		return errOtherKind
	}
	if typ == verbs.UD {
		var err error
		if s.headers, err = s.pd.newHeaders(len(s.slots)); err != nil {
			return err
		}
	}
	s.kind = typ
	for _, slot := range s.waiting {
		if err := s.hand(slot); err != nil {
			return err
		}
	}
	s.waiting = nil
	return nil
}

// hand gives the receive in a slot to the driver.
func (s *srq) hand(slot uint32) error {
	s.list = s.dev.fillRecv(s.in, recvID|uint64(slot), s.list, s.slots[slot].SGL, s.headers, int(slot))
	return s.driver.PostRecv(s.in)
}

// inbox is where headers of datagrams come, for the receives of a queue pair in turn.
type inbox struct {
	headers    *headers // nil if there are none
	nextPosted int      // header of the next receive to be posted
	nextTaken  int      // and of the next to complete
}

// takeSlot takes the oldest receive of the own queue, and tells where its header is.
func (q *qp) takeSlot() (slot int, ok bool) {
	slot = q.nextTaken
	if ok, _ = q.recvs.Take(&q.taken); ok {
		q.nextTaken = (q.nextTaken + 1) % q.cfg.RecvDepth
	}
	return slot, ok
}
