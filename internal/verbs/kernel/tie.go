package kernel

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// tie is what connects a queue pair with its peer, besides the driver, while it is connected or being
// connected: a TCP connection (link), or one of the kernel's connection manager (bond).
type tie interface {
	// far is the peer.
	far() netip.AddrPort
	// part ends it; the peer is told why as far as that is possible. told says that the peer's driver tells it.
	part(why error, told bool)
	// leave ends it in order, after all that was sent has been acknowledged.
	leave()
	// drop ends it without a word.
	drop()
}

// connection is what a queue pair has of its connection.
type connection struct {
	tie     tie            // to the peer, while it is connected or being connected
	local   netip.AddrPort // its near end
	psn     uint32         // of the first packet it sends
	leaving bool           // it is to be disconnected when all sends are done

	// Of iWARP.
	note  *note
	there noteAt // where the peer expects ours
	ended *bond  // the connection that it had, until the driver's queue pair is gone
	heard uint64 // times that the driver told of something that the peer has sent
}

// door is where connections are asked for.
type door interface{ close() }

// offer is a request for a connection that waits for an answer.
type offer interface {
	from() netip.AddrPort
	said() []byte
	rail() int // that it came to
	waiting() bool
	accept(q *qp, private []byte) error
	reject(private []byte)
}

// request is a peer that asks for a connection.
type request struct {
	dev *Device
	offer
}

func (r *request) From() netip.AddrPort { return r.from() }
func (r *request) Private() []byte      { return r.said() }

// Accept connects a queue pair.
func (r *request) Accept(to verbs.QP, private []byte) error {
	d := r.dev
	q, ok := to.(*qp)
	if !ok || q.dev != d || q.cfg.Type != verbs.RC {
		return fmt.Errorf("kernel: accept: %w: not an RC queue pair of this device", verbs.ErrArgument)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch err := q.usable(); {
	case err != nil:
		return err
	case q.state != verbs.Init:
		return fmt.Errorf("kernel: accept: %w", nic.StateErrors[q.state])
	case q.cfg.Rail != r.rail():
		return fmt.Errorf("kernel: accept: %w: the request came to rail %d", verbs.ErrArgument, r.rail())
	}
	if err := r.answerable(private); err != nil {
		return fmt.Errorf("kernel: accept: %w", err)
	}
	if err := r.accept(q, private); err != nil {
		return fmt.Errorf("kernel: accept: %w", err)
	}
	d.settle()
	return nil
}

// Reject says no.
func (r *request) Reject(private []byte) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if err := r.answerable(private); err != nil {
		return fmt.Errorf("kernel: reject: %w", err)
	}
	r.reject(private)
	return nil
}

// answerable says what is wrong with an answer.
func (r *request) answerable(private []byte) error {
	switch {
	case !r.waiting():
		return fmt.Errorf("%w: the request from %v is over", verbs.ErrState, r.from())
	case len(private) > r.dev.caps.MaxPrivate:
		return fmt.Errorf("%w: %d bytes of private data, the limit is %d", verbs.ErrArgument, len(private), r.dev.caps.MaxPrivate)
	}
	return nil
}
