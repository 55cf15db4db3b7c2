package engine

import "github.com/weft-mpi/weft/internal/wire"

// A long message that its receiver reads costs a round trip before its first byte moves. With a prefix the RTS carries the first
// bytes, as an eager message would, and its key is that of the rest: the receiver asks for the rest as soon as the beginning of
// the RTS is there, and the first bytes arrive meanwhile. The receive ends, and FIN leaves, when both halves are in place.
//
//	sender                      receiver
//	Isend
//	  |--- RTS(key) + prefix -->|
//	  |   prefix, prefix  ----->|  Irecv, before or after
//	  |<===== read rest ========|
//	  |<------- FIN ------------|
//	done                      done
//
// The receiver sees the RTS before all of its prefix is there, and may answer before it has left whole: a CTS then waits for
// the packet, which the payload goes out with next.

// addPrefix has the RTS of r, a message that may be read, carry its first bytes. One byte at least is left to read: the
// answer to an RTS is what tells the sender that its message has met a receive. Or it carries all of it, and can be read all the same.
func (e *Engine) addPrefix(r *Req) {
	if r.Prefix == Whole {
		e.Counters.Unasked++
		r.first, r.pkt.Prefix, r.pkt.Data = 0, len(r.Buf), r.Buf
		return
	}
	n := min(r.Prefix, len(r.Buf)-1)
	if r.Rendezvous != wire.Pull || n <= 0 {
		return
	}
	e.Counters.Prefixes++
	e.Counters.PrefixBytes += uint64(n)
	r.first, r.pkt.Prefix, r.pkt.Data = n, n, r.Buf[:n]
}

// Exposed is the memory that an Expose or ExposeWrite action lets a peer have.
func (r *Req) Exposed() []byte { return r.Buf[r.first:] }

// tookPrefix: the first bytes of r's message are in place. If nothing else is missing the receive ends.
func (e *Engine) tookPrefix(r *Req) {
	r.awaits = false
	if r.state == filling {
		e.fin(r)
		e.settle(r)
	}
}

// joinPrefix has receive r take the first bytes that message m has brought, now or when they are whole.
func (e *Engine) joinPrefix(r *Req, m *Message) {
	switch {
	case !r.awaits: // there are none, or the peer is lost
		e.recycle(m)
	case m.whole:
		copy(r.Buf, m.buf)
		e.recycle(m)
		e.tookPrefix(r)
	default:
		e.join(r, m)
	}
}
