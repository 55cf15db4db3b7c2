package simtest

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// listener is a rank's link that tells what passes it.
type listener struct {
	progress.Transport
	j    *job
	rank int
}

// longListener is the same for its long messages.
type longListener struct {
	progress.Long
	*listener
}

// listen puts a listener around a link.
func (j *job) listen(rank int, l *progress.Link) {
	w := &listener{l.Transport, j, rank}
	l.Transport = w
	if l.Long != nil {
		l.Long = longListener{l.Long, w}
	}
}

// Send tells of a packet that leaves.
func (l *listener) Send(p *wire.Packet) bool {
	ok := l.Transport.Send(p)
	if ok {
		l.tell("   -> %-3d %s", p.Peer, describe(&p.Header, len(p.Data)))
	}
	return ok
}

// Read tells of a read that begins.
func (l *listener) Read(peer int, k wire.Key, dst []byte, token any) bool {
	ok := l.Transport.Read(peer, k, dst, token)
	l.tell("   <- %-3d read of %d bytes: %v", peer, len(dst), ok)
	return ok
}

// Write tells of a write that begins.
func (l longListener) Write(peer int, k wire.Key, src []byte, then *wire.Packet, token any) {
	l.tell("   -> %-3d write of %d bytes", peer, len(src))
	l.Long.Write(peer, k, src, then, token)
}

// Poll tells of what arrives.
func (l *listener) Poll(s wire.Sink) bool { return l.Transport.Poll(&hearing{s, l}) }

func (l *listener) tell(format string, a ...any) { l.j.stage.trace(l.rank, format, a...) }

// hearing tells of what a link delivers.
type hearing struct {
	wire.Sink
	l *listener
}

// Arrive tells of a whole packet.
func (h *hearing) Arrive(peer int, p *wire.Header, payload []byte) {
	h.l.tell("   <- %-3d %s", peer, describe(p, len(payload)))
	h.Sink.Arrive(peer, p, payload)
}

// Begin tells of the first piece of a packet.
func (h *hearing) Begin(peer int, p *wire.Header) ([]byte, any) {
	h.l.tell("   <- %-3d %s, in pieces", peer, describe(p, p.Len))
	return h.Sink.Begin(peer, p)
}

// Place tells of a packet that goes straight to where it belongs.
func (h *hearing) Place(peer int, p *wire.Header) (dst []byte, token any) {
	if dst, token = h.Sink.Place(peer, p); token != nil {
		h.l.tell("   <- %-3d %s, into its place", peer, describe(p, p.Len))
	}
	return dst, token
}

// ReadDone tells that a long message is there.
func (h *hearing) ReadDone(token any, err error) {
	h.l.tell("   a read has ended: %v", err)
	h.Sink.ReadDone(token, err)
}

// WriteDone tells that a long message has left.
func (h *hearing) WriteDone(token any, err error) {
	h.l.tell("   a write has ended: %v", err)
	h.Sink.WriteDone(token, err)
}

// Lost tells of a lost peer.
func (h *hearing) Lost(peer int, err error) {
	h.l.tell("   peer %d is lost: %v", peer, err)
	h.Sink.Lost(peer, err)
}

// describe is a packet in words. Addresses are left out: they differ from run to run.
func describe(h *wire.Header, payload int) string {
	return fmt.Sprintf("%-8v ctx %d tag %d len %d, %d bytes, send %d recv %d flags %d", h.Kind, h.Ctx, h.Tag, h.Len, payload, h.Send, h.Recv, h.Flags)
}
