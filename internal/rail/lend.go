package rail

import (
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/wire"
)

// A payload of a burst whose owner keeps it for a while after it was sent (wire.Packet.Lend) stays where the user has it: frames of a
// batch are gathered from there. It is lent until the peer has acknowledged the frame, which is most often before the user asks, or until he does:
// then it is copied to the frame's own buffer, which was chosen to hold it, and the device reads the copy from then on.

// lendBurst is the shortest payload of a burst that is lent. For a shorter one, its registration and its completion cost what its copy does.
const lendBurst = 16 << 10

// rebaser is a queue pair whose work requests may get other memory.
type rebaser interface {
	// Rebase has work requests that are not done, and gather what begins b and another piece, take that from b, too: it has been
	// copied there, behind the first, and b is registered with lkey. The other memory is not read any more when it returns.
	Rebase(b []byte, lkey uint32)
}

// lends tells whether the payload of a packet that is part of a burst is lent. Frames that may have to be sent as datagrams are not, nor
// are those of a side lane, and where nothing is sent again there is a shorter way.
func (p *peer) lends(pk *wire.Packet) bool {
	l := p.link
	return len(pk.Data) >= lendBurst && l.mem.Table != nil && !l.cfg.NoReconnect && !l.traits.datagrams && p.via == nil &&
		p.express != nil && p.express.rebaser != nil
}

// lend sends a packet of a burst from where the user has its payload. If it answers false it has done nothing.
func (p *peer) lend(b *buffer, pk *wire.Packet) bool {
	l := p.link
	e, err := l.mem.Acquire(pk.Data, 0)
	if err != nil {
		return false
	}
	n, k := p.putHeader(b, pk)
	p.leaves(len(pk.Data))
	b.n, b.user, b.userKey, b.entry, b.to, b.lender = n, pk.Data, e.LKey(), e, p, pk
	pk.Sent, pk.Loan = len(pk.Data), b
	l.Counters.Lent++
	p.push(k, b)
	if !p.hold(len(pk.Data), holdBytes) {
		p.sentShort()
	}
	return true
}

// Recall returns the payload of a packet that is lent to the user.
func (l *Link) Recall(pk *wire.Packet) {
	l.takeAck()
	if b, ok := pk.Loan.(*buffer); ok {
		b.recall()
	}
}

// recall copies the payload of a frame that is lent, and returns it.
func (b *buffer) recall() {
	l := b.to.link
	size := copy(b.mem[b.n:], b.user)
	l.spend(clock.Copy, size)
	l.Counters.Recalled++
	for _, ln := range b.to.lanes {
		if b.holds > 0 && ln != nil && slices.Contains(ln.held, b) {
			ln.rebaser.Rebase(b.mem, b.lkey)
		}
	}
	b.n += size
	b.endLoan()
}

// endLoan gives the registration of a payload back that was lent until now, and tells its owner.
func (b *buffer) endLoan() {
	b.pool.link.mem.Release(b.entry)
	b.user, b.entry = nil, nil
	if b.lender != nil {
		b.lender.Loan, b.lender = nil, nil
	}
}
