package progress

import (
	"context"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Data that do not lie next to each other travel as cargo. A link that takes pieces packs them straight into what
// carries packets, and unpacks them from there: long ones are pushed, and both ends copy at the same time. Other links
// find them packed in memory that comes with the cargo, and leave them there to be unpacked.

// Cargo is the data of a message, or of a plan, that do not lie next to each other.
type Cargo interface {
	wire.Cargo
	// Room is memory for the packed form, as long as that. Nobody needs it after Ended.
	Room() []byte
	// Ended tells, once, that nothing of the cargo is used any more, and how the message or plan has ended. The loop's
	// lock may be held. Of what never began it need not be told.
	Ended(err error)
}

// laden is a fresh request with a cargo.
func (l *Loop) laden(k Cargo) *Request {
	r := l.get()
	r.cargo, r.Req.Cargo = k, k
	return r
}

// quickCargo is quickly for cargo.
func (l *Loop) quickCargo(k Cargo, to Peer) (gone bool) {
	b := k.Room()
	if len(b) > quickMax && to.Peer != l.cfg.Self {
		return false
	}
	if to.Peer == l.cfg.Self || !l.link(to.Peer).Pieces {
		k.Pack(b, 0)
		l.spend(clock.Copy, len(b))
		return l.quickly(b, to)
	}
	l.packet.Source, l.packet.At = k, 0
	gone = l.quickly(b, to)
	l.packet.Source = nil
	return gone
}

// SendCargo is Send for cargo.
func (l *Loop) SendCargo(ctx context.Context, k Cargo, to Peer, mode engine.Mode, why Why) error {
	l.enter()
	defer l.unlock()
	if mode == engine.Standard && l.quickCargo(k, to) {
		k.Ended(nil)
		return nil
	}
	r := l.beginSend(l.laden(k), k.Room(), to, mode)
	if !r.isDone() {
		if err := l.waitHere(ctx, r, why); err != nil {
			return err
		}
	}
	err := r.Err
	l.put(r)
	return err
}

// IsendCargo is Isend for cargo.
func (l *Loop) IsendCargo(k Cargo, to Peer, mode engine.Mode, why Why) Handle {
	l.enter()
	defer l.unlock()
	if mode == engine.Standard && l.quickCargo(k, to) {
		k.Ended(nil)
		return Handle{}
	}
	return l.leave(l.beginSend(l.laden(k), k.Room(), to, mode), why)
}

// RecvCargo is Recv for cargo.
func (l *Loop) RecvCargo(ctx context.Context, k Cargo, from Peer, why Why) (engine.Status, error) {
	l.enter()
	defer l.unlock()
	return l.result(ctx, l.beginRecv(l.laden(k), k.Room(), from), why)
}

// IrecvCargo is Irecv for cargo.
func (l *Loop) IrecvCargo(k Cargo, from Peer, why Why) Handle {
	l.enter()
	defer l.unlock()
	return l.leave(l.beginRecv(l.laden(k), k.Room(), from), why)
}

// MrecvCargo is Mrecv for cargo.
func (l *Loop) MrecvCargo(k Cargo, m *engine.Message, why Why) (engine.Status, error) {
	l.enter()
	defer l.unlock()
	return l.result(context.Background(), l.beginMrecv(l.laden(k), k.Room(), m), why)
}

// ImrecvCargo is Imrecv for cargo.
func (l *Loop) ImrecvCargo(k Cargo, m *engine.Message, why Why) Handle {
	l.enter()
	defer l.unlock()
	return l.leave(l.beginMrecv(l.laden(k), k.Room(), m), why)
}

// expose fills in the key of a packet for the memory that a peer may reach. The cargo of a send is not there: over a
// link that takes pieces it gets no key, and its receiver asks for them.
func (l *Loop) expose(a engine.Action) {
	link, write := l.link(a.Packet.Peer), a.Kind == engine.ExposeWrite
	if a.Req.Cargo != nil && !write {
		if link.Pieces {
			a.Packet.Key = wire.Key{}
			return
		}
		l.spend(clock.Copy, len(a.Req.Buf))
		a.Req.Pack()
	}
	a.Packet.Key = link.Expose(a.Packet.Peer, a.Req.Exposed(), write)
}
