package fake

import (
	"github.com/weft-mpi/weft/internal/verbs/kernel/cm"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// How a driver of iWARP differs, as siw was seen to: what is sent is done when it is on its way, a Send that
// finds no receive breaks the connection, and nobody says why it broke.

const siwPieces = 6

// bind connects two queue pairs.
func (f *Fabric) bind(a, b *queuePair) {
	a.dest, b.dest = b.num, a.num
	a.state, b.state = ibv.RTS, ibv.RTS
}

// early says how a send ends that the peer has looked at; the connection may be about to break.
func (f *Fabric) early(q *queuePair, s *sending, status ibv.WCStatus, wait bool) ibv.WCStatus {
	if status == ibv.Success && !wait {
		return status
	}
	f.doomed = append(f.doomed, q)
	if s.Op == ibv.OpRead {
		return ibv.Flushed
	}
	if status == ibv.LocalQPOperation { // nothing was on its way
		return ibv.LocalProtection
	}
	return ibv.Success
}

// bury breaks the connections that were doomed while a send was looked at.
func (f *Fabric) bury() {
	list := f.doomed
	f.doomed, f.looking = nil, false
	for _, q := range list {
		f.sever(q)
	}
}

// sever breaks a connection: both ends are flushed, and told that it has ended.
func (f *Fabric) sever(q *queuePair) {
	ends := []*queuePair{q}
	if c := q.conn; c != nil && c.peer.qp != nil {
		ends = append(ends, c.peer.qp)
	}
	for _, e := range ends {
		c := e.conn
		e.conn = nil
		if f.qps[e.num] == e {
			f.flush(e)
		}
		if c != nil && c.stands {
			c.stands = false
			c.tell(cm.Event{Kind: cm.Disconnected})
		}
	}
}
