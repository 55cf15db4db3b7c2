package engine

import "github.com/weft-mpi/weft/internal/wire"

// A request whose data do not lie next to each other has a Buf of the length of their packed form, and a Cargo that
// copies between the two. Whatever the engine copies itself, and links that take pieces, goes straight between packets
// and the data, and Buf is never touched. What devices and other links move passes through Buf.

// laden is a receive with a cargo, as a token.
type laden Req

var _ wire.Target = (*laden)(nil)

// token stands for r in the Sink's answers.
func (r *Req) token() any {
	if r.Cargo != nil {
		return (*laden)(r)
	}
	return r
}

// Put takes a piece of the payload.
func (t *laden) Put(piece []byte, at int) {
	r := (*Req)(t)
	if r.direct = true; r.state == complete { // the job is over
		return
	}
	if r.awaits { // it is the prefix
		r.take(at, piece)
	} else {
		r.take(r.first+at, piece)
	}
}

// unpackPieces is Put of a whole payload, which is in Buf.
func (r *Req) unpackPieces() {
	if r.awaits {
		r.unpack(0, r.first)
	} else {
		r.unpack(r.first, r.Status.Len)
	}
}

// take stores bytes of the message, from byte at on, as far as there is room.
func (r *Req) take(at int, b []byte) {
	if r.Cargo != nil {
		r.Cargo.Unpack(b, at)
		return
	}
	copy(r.Buf[at:], b)
}

// unpack has bytes of Buf taken, that others have put there.
func (r *Req) unpack(from, to int) {
	if to = min(to, len(r.Buf)); r.Cargo != nil && from < to {
		r.Cargo.Unpack(r.Buf[from:to], from)
	}
}

// load has the packet of a send carry bytes of the message.
func (r *Req) load(from, to int) {
	if r.pkt.Data = r.Buf[from:to]; from == to {
		r.pkt.Data = nil
	}
	r.pkt.Source, r.pkt.At = r.Cargo, from
}

// Pack has Buf hold the message of a send itself, for what reads it there.
func (r *Req) Pack() {
	if r.Cargo != nil {
		r.Cargo.Pack(r.Buf, 0)
		r.Cargo = nil
	}
}
