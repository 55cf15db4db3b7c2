package kernel

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// spareSends is how many sends the driver's queue has room for beyond those of the program: those that tell
// when all are done, nudges, and a beat of the pulse.
const spareSends = 2 + nudges + 1

// qp is a queue pair. It has one of the driver's; of type RC not in Error.
type qp struct {
	dev    *Device
	pd     *pd
	num    uint32
	cfg    verbs.QPConfig
	state  verbs.State
	closed bool

	driver   ibv.QP
	working  bool // it has left Reset
	dropping bool // what the driver still completes is nobody's any more

	sends  *nic.Sends
	recvs  *nic.Receives // of its own
	srq    *srq          // or shared
	sendCQ *cq
	recvCQ *cq

	connection
	inbox // of UD

	quiet int         // sends in a row of which the driver was not asked to tell
	wr    *ibv.SendWR // what the driver is given, kept because making it would allocate
	in    *ibv.RecvWR
	list  []ibv.SGE
	taken nic.Receive
	sent  func(*nic.Sending)
}

// Errors of calls.
var (
	errOverflow    = errors.New("the completion queue overflowed")
	errInlineRead  = fmt.Errorf("%w: what brings bytes here cannot be inline", verbs.ErrArgument)
	errReadList    = fmt.Errorf("%w: more entries than MaxReadSGE", verbs.ErrArgument)
	errAtomicSize  = fmt.Errorf("%w: an atomic operation answers with exactly 8 bytes, not inline", verbs.ErrArgument)
	errAtomicPlace = fmt.Errorf("%w: the word of an atomic operation is not aligned", verbs.ErrArgument)
	errOp          = fmt.Errorf("%w: no operation of a send queue", verbs.ErrArgument)
	errOpLacking   = fmt.Errorf("%w: operation", verbs.ErrUnsupported)
	errLong        = fmt.Errorf("%w: longer than MaxMessage", verbs.ErrArgument)
	errType        = fmt.Errorf("%w: not with this type of queue pair", verbs.ErrUnsupported)
	errLeaving     = fmt.Errorf("%w: the queue pair is being disconnected", verbs.ErrState)
	errNonsense    = errors.New("the driver tells of a message that is longer than its receive")
	errShared      = fmt.Errorf("%w: the queue pair shares a receive queue; post there", verbs.ErrArgument)
)

// NewQP makes a queue pair.
func (p *pd) NewQP(cfg verbs.QPConfig) (verbs.QP, error) {
	d := p.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := p.usable(); err != nil {
		return nil, err
	}
	q := &qp{dev: d, pd: p, cfg: cfg, wr: new(ibv.SendWR), in: new(ibv.RecvWR)}
	err := q.configure()
	if err == nil {
		q.list = make([]ibv.SGE, 0, max(q.cfg.SendSGE, q.cfg.RecvSGE)+udPieces)
		q.sent = q.reportSend
		q.clear()
		err = q.reserve()
	}
	if err == nil {
		if err = q.make(); err != nil {
			err = errors.Join(err, q.headers.close())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("kernel: new queue pair: %w", err)
	}
	if q.num = d.num(); cfg.Type == verbs.UD {
		q.num = q.driver.Num()
	}
	d.qps[q] = true
	p.users++
	q.sendCQ.Users++
	q.recvCQ.Users++
	if q.srq != nil {
		q.srq.users++
	}
	return q, nil
}

// configure checks the configuration and fills in defaults.
func (q *qp) configure() error {
	cfg, caps := &q.cfg, &q.dev.caps
	var ok bool
	if q.sendCQ, ok = cfg.SendCQ.(*cq); !ok || q.sendCQ.dev != q.dev || q.sendCQ.closed {
		return fmt.Errorf("%w: SendCQ is not an open completion queue of this device", verbs.ErrArgument)
	}
	if q.recvCQ, ok = cfg.RecvCQ.(*cq); !ok || q.recvCQ.dev != q.dev || q.recvCQ.closed {
		return fmt.Errorf("%w: RecvCQ is not an open completion queue of this device", verbs.ErrArgument)
	}
	if cfg.SRQ != nil {
		if q.srq, ok = cfg.SRQ.(*srq); !ok || q.srq.pd != q.pd || q.srq.closed {
			return fmt.Errorf("%w: SRQ is not an open queue of this protection domain", verbs.ErrArgument)
		}
	}
	if cfg.Type != verbs.RC && (cfg.Type != verbs.UD || !caps.UD) {
		return fmt.Errorf("%w: %v", errType, cfg.Type)
	}
	if err := nic.Configure(cfg, *caps, len(q.dev.rails)); err != nil {
		return err
	}
	if q.srq != nil {
		return q.srq.join(cfg.Type)
	}
	return nil
}

// types are the driver's words for those of the seam.
var types = [...]ibv.QPType{verbs.RC: ibv.RC, verbs.UD: ibv.UD}

// make makes the driver's queue pair, in Reset.
func (q *qp) make() error {
	size := ibv.QPCap{SendWR: uint32(q.cfg.SendDepth + spareSends), SendSGE: uint32(q.cfg.SendSGE), Inline: uint32(q.cfg.Inline)}
	var shared ibv.SRQ
	if q.srq != nil {
		shared = q.srq.driver
	} else {
		size.RecvWR, size.RecvSGE = uint32(q.cfg.RecvDepth), uint32(q.cfg.RecvSGE)
		if q.headers != nil {
			size.RecvSGE += udPieces
		}
	}
	driver, err := q.pd.driver.NewQP(&ibv.QPInit{Cap: size, Type: types[q.cfg.Type]}, q.sendCQ.driver, q.recvCQ.driver, shared)
	if err != nil {
		return full(err)
	}
	q.driver, q.quiet, q.leaving, q.psn = driver, 0, false, rand.Uint32()&(1<<24-1)
	q.dev.byNum[driver.Num()] = q
	return nil
}

// clear makes empty queues.
func (q *qp) clear() {
	q.sends = nic.NewSends(&q.cfg)
	q.recvs = nic.NewReceives(q.cfg.RecvDepth, q.cfg.RecvSGE)
	q.nextPosted, q.nextTaken = 0, 0
}

func (q *qp) Num() uint32      { return q.num }
func (q *qp) Type() verbs.Type { return q.cfg.Type }

// State is the state now.
func (q *qp) State() verbs.State {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	return q.state
}

// Addr is the near end of the connection.
func (q *qp) Addr() netip.AddrPort {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	return q.local
}

// usable tells whether calls can be made, with the lock held.
func (q *qp) usable() error {
	if q.closed || q.dev.closed {
		return verbs.ErrClosed
	}
	return nil
}

// Modify changes the state.
func (q *qp) Modify(to verbs.State) error {
	d := q.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	defer d.settle()
	switch {
	case to == verbs.Error:
		q.unlink(errLeft)
		q.state = verbs.Error
		return q.end(true)
	case to == verbs.Reset:
		q.unlink(errLeft)
		q.state = verbs.Reset
		if err := q.end(false); err != nil {
			return err
		}
		q.clear()
		if q.driver == nil {
			return q.make()
		}
		return nil
	case to == verbs.Init && q.state == verbs.Reset:
		return q.initialize()
	case to == verbs.RTS && q.state == verbs.Init && q.cfg.Type == verbs.UD:
		return q.readyDatagrams()
	}
	return fmt.Errorf("kernel: %w: from %v to %v", verbs.ErrState, q.state, to)
}

// allRights are what peers may do, as far as regions allow it.
const allRights = ibv.AccessLocalWrite | ibv.AccessRemoteRead | ibv.AccessRemoteWrite | ibv.AccessRemoteAtomic

// initialize has the queue pair take receives.
func (q *qp) initialize() error {
	attr, mask := ibv.QPAttr{State: ibv.Init, Port: q.port().Number, PKeyIndex: q.port().PKeyIndex}, ibv.MaskState|ibv.MaskPKeyIndex|ibv.MaskPort
	switch {
	case q.cfg.Type == verbs.UD:
		attr.QKey = q.dev.qkey
		mask |= ibv.MaskQKey
	case q.dev.iwarp():
		attr.Access, mask = allRights&^ibv.AccessRemoteAtomic, ibv.MaskState|ibv.MaskPort|ibv.MaskAccess
	default:
		attr.Access = allRights
		mask |= ibv.MaskAccess
	}
	if err := q.driver.Modify(&attr, mask); err != nil {
		return fmt.Errorf("kernel: to Init: %w", err)
	}
	q.state, q.working = verbs.Init, true
	return nil
}

func (q *qp) port() *rail { return &q.dev.rails[q.cfg.Rail] }

// unlink parts from the peer, which is told why.
func (q *qp) unlink(why error) {
	if q.tie != nil {
		q.tie.part(why, false)
	}
}

var errLeft = errors.New("the peer has given its queue pair up")

// end gives the driver's queue pair back, after which it touches no memory. What it has completed is
// reported; with flush the rest is, too.
func (q *qp) end(flush bool) error {
	d := q.dev
	var err error
	if q.driver != nil {
		if flush && q.working { // first: nothing more begins, so that completions have an end
			err = q.driver.Modify(&ibv.QPAttr{State: ibv.Error}, ibv.MaskState)
		}
		d.empty(q.sendCQ)
		d.empty(q.recvCQ)
		q.dropping = !flush
		err = errors.Join(err, q.stop())
		d.empty(q.sendCQ)
		d.empty(q.recvCQ)
		q.dropping = false
		if q.cfg.Type == verbs.RC {
			q.lose()
		}
	}
	if flush {
		q.flush()
	}
	return err
}

// stop has the driver stop all work: in Reset, or when it is destroyed, a queue pair touches no memory. One
// of type UD keeps its number, which peers know.
func (q *qp) stop() error {
	q.working = false
	switch {
	case q.dev.iwarp():
		return q.bury()
	case q.cfg.Type == verbs.RC:
		return q.driver.Close()
	}
	return q.driver.Modify(&ibv.QPAttr{State: ibv.Reset}, ibv.MaskState)
}

// lose forgets the driver's queue pair.
func (q *qp) lose() {
	delete(q.dev.byNum, q.driver.Num())
	q.driver = nil
}

// flush ends all work, sends first.
func (q *qp) flush() {
	q.sends.Flush()
	q.sends.Retire(q.sent)
	for q.srq == nil {
		if _, ok := q.takeSlot(); !ok {
			return
		}
		q.received(q.taken.ID, verbs.Flushed)
	}
}

// breaks notes that a queue pair has to go to Error. told says that the peer's driver will tell it why.
func (d *Device) breaks(q *qp, err error, told bool) {
	if q.state == verbs.RTS || q.state == verbs.RTR || q.state == verbs.Init {
		d.broken = append(d.broken, breakage{q, err, told})
	}
}

// settle brings queue pairs to Error that have to go there, and those to their end that were left in order.
func (d *Device) settle() {
	for len(d.broken) > 0 {
		b := d.broken[0]
		d.broken = d.broken[1:]
		switch {
		case b.q.closed || b.q.state == verbs.Error || b.q.state == verbs.Reset:
		case b.err == nil:
			b.q.depart()
		case b.q.state == verbs.RTS && b.q.note.left():
			b.q.left()
		default:
			b.q.fail(b.err, b.told)
		}
	}
	d.broken = nil
}

// fail moves the queue pair to Error by itself.
func (q *qp) fail(err error, told bool) {
	d := q.dev
	d.count.failures++
	connecting := q.state == verbs.RTR
	q.state = verbs.Error
	peer := netip.AddrPort{}
	if q.tie != nil {
		peer = q.tie.far()
		q.tie.part(err, told)
	}
	if connecting {
		d.event(verbs.Event{Kind: verbs.ConnectFailed, Num: q.num, Peer: peer, Err: err})
	} else {
		d.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Peer: peer, Err: err})
	}
	if ended := q.end(true); ended != nil {
		d.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Peer: peer, Err: ended})
	}
}

// left is the peer's orderly end.
func (q *qp) left() {
	e := verbs.Event{Kind: verbs.Disconnected, Num: q.num, Peer: q.tie.far()}
	q.tie.drop()
	q.state = verbs.Error
	e.Err = q.end(true)
	q.dev.event(e)
}

// Disconnect ends the connection when all that was posted has been acknowledged.
func (q *qp) Disconnect() error {
	d := q.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	if q.cfg.Type != verbs.RC {
		return errType
	}
	if q.state != verbs.RTS || q.leaving {
		return fmt.Errorf("kernel: disconnect: %w", nic.StateErrors[q.state])
	}
	q.leaving = true
	defer d.settle()
	if q.sends.Open() == 0 && q.note == nil {
		d.broken = append(d.broken, breakage{q: q})
		return nil
	}
	if err := q.parting(); err != nil {
		return fmt.Errorf("kernel: disconnect: %w", err)
	}
	return nil
}

// depart ends a connection in order.
func (q *qp) depart() {
	q.state = verbs.Error
	if q.tie != nil {
		q.tie.leave()
	}
	if err := q.end(true); err != nil {
		q.dev.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: err})
	}
}

// Close gives the queue pair back.
func (q *qp) Close() error {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	defer q.dev.settle()
	return q.close()
}

func (q *qp) close() error {
	q.unlink(errLeft)
	err := q.end(false)
	if q.driver != nil { // UD
		err = errors.Join(err, q.driver.Close(), q.headers.close())
		q.lose()
	}
	q.closed = true
	delete(q.dev.qps, q)
	q.pd.users--
	q.sendCQ.Users--
	q.recvCQ.Users--
	if q.srq != nil {
		q.srq.users--
	}
	return err
}

// Attach is for UD.
func (q *qp) Attach(netip.AddrPort) error { return errType }

// Detach is for UD.
func (q *qp) Detach(netip.AddrPort) error { return errType }

// Place is for devices that ask.
func (q *qp) Place(int, []byte) bool { return false }
