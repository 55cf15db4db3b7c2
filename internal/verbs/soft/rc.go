package soft

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// rc is a reliable-connection queue pair. Its protocol state is in its stream, which is there from Connect or
// Accept until the connection ends.
type rc struct {
	base
	stream *stream
	local  netip.AddrPort // of the connection, also after its end
}

func newRC(b base) *rc {
	q := &rc{base: b}
	q.report, q.fail = q.sent, q.fatal
	return q
}

// Addr is the local end of the connection.
func (q *rc) Addr() netip.AddrPort {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	return q.local
}

// Modify changes the state.
func (q *rc) Modify(to verbs.State) error {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	switch {
	case to == verbs.Init && q.state == verbs.Reset:
		q.state = verbs.Init
	case to == verbs.Error:
		q.unlink()
		q.toError()
	case to == verbs.Reset:
		q.unlink()
		q.sends.Clear()
		q.clearReceives()
		q.state, q.local = verbs.Reset, netip.AddrPort{}
	default:
		return fmt.Errorf("soft: %w: RC from %v to %v", verbs.ErrState, q.state, to)
	}
	return nil
}

// unlink ends the connection abruptly.
func (q *rc) unlink() {
	if q.stream != nil {
		q.stream.drop()
	}
}

// toError flushes everything.
func (q *rc) toError() {
	q.state = verbs.Error
	q.flush()
}

// fatal moves the queue pair to Error because of err, which the program learns by an event.
func (q *rc) fatal(err error) {
	if q.state == verbs.Error {
		return
	}
	q.unlink()
	q.dev.count.connsLost++
	q.state = verbs.Error
	q.dev.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: err})
	q.flush()
}

// Connect begins to connect.
func (q *rc) Connect(to netip.AddrPort, private []byte) error {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	switch err := q.usable(); {
	case err != nil:
		return err
	case q.state != verbs.Init:
		return fmt.Errorf("soft: connect: %w", nic.StateErrors[q.state])
	case !to.IsValid() || to.Port() == 0 || to.Addr().IsUnspecified() || to.Addr().IsMulticast():
		return fmt.Errorf("soft: connect: %w: %v is no address to connect to", verbs.ErrArgument, to)
	case len(private) > maxPrivate:
		return fmt.Errorf("soft: connect: %w: %d bytes of private data, the limit is %d", verbs.ErrArgument, len(private), maxPrivate)
	}
	s, err := q.dev.dial(q, to, private)
	if err != nil {
		return fmt.Errorf("soft: connect to %v: %w", to, err)
	}
	q.link(s)
	return nil
}

// link gives the queue pair its stream.
func (q *rc) link(s *stream) {
	q.stream, s.qp, s.to, q.state, q.local = s, q, &q.base, verbs.RTR, s.conn.LocalAddr()
}

// Disconnect ends the connection in order.
func (q *rc) Disconnect() error {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	if q.state != verbs.RTS {
		return fmt.Errorf("soft: disconnect: %w", nic.StateErrors[q.state])
	}
	q.stream.closing = true
	q.stream.transmit()
	return nil
}

// PostSend adds work and sends what the connection takes at once.
func (q *rc) PostSend(wrs []verbs.SendWR) (int, error) {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	if err := q.postable(); err != nil {
		return 0, err
	}
	if len(wrs) == 1 && q.state == verbs.RTS && q.quick(&wrs[0]) {
		return 1, nil
	}
	n, err := q.add(wrs)
	if q.state == verbs.Error {
		q.flush()
	} else if n > 0 {
		q.stream.transmit()
	}
	return n, err
}

func (q *rc) add(wrs []verbs.SendWR) (int, error) {
	if q.stream != nil && q.stream.closing {
		return 0, errClosing
	}
	for i := range wrs {
		wr := &wrs[i]
		if err := q.checkMessage(wr); err != nil {
			return i, err
		}
		if wr.Op == verbs.WriteRecord {
			return i, errType
		}
		if err := q.sends.Post(&q.dev.regions, q.pd.num, wr); err != nil {
			return i, err
		}
	}
	return len(wrs), nil
}

var errClosing = fmt.Errorf("%w: Disconnect was called", verbs.ErrState)

// PostRecv adds receives, for which arrived messages may be waiting.
func (q *rc) PostRecv(wrs []verbs.RecvWR) (int, error) {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	n, err := q.postRecv(wrs)
	if q.stream != nil && n > 0 {
		q.stream.fed()
	}
	return n, err
}

// Close gives the queue pair back.
func (q *rc) Close() error {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	if err := q.usable(); err != nil {
		return err
	}
	q.close()
	return nil
}

// close ends the connection, in order if nothing is under way, so that what completed arrives.
func (q *rc) close() {
	if s := q.stream; s != nil && s.phase == phaseOpen && s.idle() {
		s.part()
	} else {
		q.unlink()
	}
	q.release()
}

// remoteError gives the failure that the peer named to the oldest Read or atomic, if that is what it was about.
func (q *rc) remoteError(f iwarp.Fault) {
	s := q.stream
	if len(s.asked) == 0 || f.Layer == iwarp.LayerMPA {
		return
	}
	if w := s.asked[0].get(); w != nil {
		w.Done, w.Status = true, statusOf(f)
	}
}

// statusOf is the status of a work request that the peer refused.
func statusOf(f iwarp.Fault) verbs.Status {
	switch {
	case f.Layer == iwarp.LayerRDMAP && f.Type == iwarp.FaultSTag.Type, f.Layer == iwarp.LayerDDP && f.Type == iwarp.FaultDDPSTag.Type:
		return verbs.RemoteAccess
	case f == iwarp.FaultNoBuffer:
		return verbs.NoReceive
	}
	return verbs.RemoteInvalid
}
