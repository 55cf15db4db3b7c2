package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// A datagram must fit the interface that it leaves by and the one that it comes to: what is too
// long for that one is dropped there, and nobody is told. The first is known; of the other one
// whoever exchanges addresses can tell.

// minDatagram is what every interface takes.
const minDatagram = 256

// Bound has datagrams to the address be no longer than one that carries a UD Send of so many bytes:
// verbs.Rail.MaxDatagram of the interface there. It holds from now on, for all queue pairs of the
// device and whoever has made the handle.
func (a *ah) Bound(most int) {
	d := a.pd.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	a.size = max(most+iwarp.UntaggedSize+d.trailer(), minDatagram)
	delete(d.bounds, a.to)
	for i := range d.rails {
		if a.size < d.datagram(i) {
			d.bounds[a.to] = a.size
		}
	}
}

// sizeTo is how long a datagram to an address may be.
func (u *udpSocket) sizeTo(to netip.AddrPort) int {
	if len(u.dev.bounds) > 0 {
		if n := u.dev.bounds[to]; n != 0 {
			return min(n, u.size)
		}
	}
	return u.size
}

// longestTo is how many bytes a UD Send to an address may have.
func (u *udpSocket) longestTo(to netip.AddrPort) int {
	return u.sizeTo(to) - iwarp.UntaggedSize - u.dev.trailer()
}

// longest is how many bytes a segment to the peer may have.
func (t *talk) longest() int {
	size := t.u.sizeTo(t.peer.Key)
	if t.most != 0 {
		size = min(size, t.most)
	}
	return t.u.segment - (t.u.size - size)
}

// A Read on RD is answered by a device whose program may never have heard of us, nor how long
// datagrams we can take. If the peer's are longer, the request says so: in units of hintUnit, in
// the byte above the queue pair's number.
const (
	hintShift = 24
	hintUnit  = 64
)

// sizeHint is what a request to an address has above the number of its queue pair.
func (u *udpSocket) sizeHint(to *ah) uint32 {
	if to.size <= u.size {
		return 0
	}
	return min(uint32(u.size/hintUnit), 0xff) << hintShift
}

// heedHint takes what a Read Request says about the length of datagrams.
func (t *talk) heedHint(h *iwarp.Header) {
	if n := int(h.Invalidate >> hintShift); n != 0 {
		t.most = max(n*hintUnit, minDatagram)
	}
}
