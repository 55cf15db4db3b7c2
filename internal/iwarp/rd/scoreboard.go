package rd

import (
	"math/bits"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// transmission is what is known of one datagram in flight.
type transmission struct {
	sentAt int64  // of the latest transmission
	order  uint32 // number of the latest transmission among all of this scoreboard
	state  uint8
}

// The states of a transmission, as bits. One that is neither sacked nor lost is thought to be in the network.
const (
	sacked uint8 = 1 << iota // the peer holds it
	lost                     // to be sent again
	resent                   // sent more than once, so an acknowledgement tells no round trip (Karn)
)

// scoreboard is a ring of the datagrams in flight: PSNs una up to una+count. It exists while a sender is in use.
type scoreboard struct {
	ring   []transmission
	head   int // index of una
	una    uint32
	count  int
	sacked int
	lost   int
	order  uint32 // of the latest transmission
	// latest are the highest orders acknowledged, falling: what was sent before the last of them is lost, because
	// reorderLimit later transmissions have arrived. Orders, not PSNs: a datagram sent again starts anew.
	latest [reorderLimit]uint32
}

func newScoreboard(window int) *scoreboard { return &scoreboard{ring: make([]transmission, window)} }

// begin empties the board; the next datagram will be una.
func (b *scoreboard) begin(una uint32) {
	*b = scoreboard{ring: b.ring, una: una}
}

// at is the entry of a PSN, which must be in flight.
func (b *scoreboard) at(psn uint32) *transmission {
	i := b.head + int(psn-b.una)
	if i >= len(b.ring) {
		i -= len(b.ring)
	}
	return &b.ring[i]
}

// inFlight tells whether psn was sent and is not acknowledged in order.
func (b *scoreboard) inFlight(psn uint32) bool { return psn-b.una < uint32(b.count) }

// pipe is how many datagrams are thought to be in the network.
func (b *scoreboard) pipe() int { return b.count - b.sacked - b.lost }

// push adds the next PSN. There must be room in the ring.
func (b *scoreboard) push(now int64) (psn uint32) {
	psn = b.una + uint32(b.count)
	b.count++
	b.order++
	*b.at(psn) = transmission{sentAt: now, order: b.order}
	return psn
}

// again takes the first lost datagram among the first limit ones in flight and counts it as sent.
func (b *scoreboard) again(now int64, limit int) (psn uint32, ok bool) {
	for i := uint32(0); b.lost > 0 && i < uint32(min(limit, b.count)); i++ {
		if t := b.at(b.una + i); t.state&lost != 0 {
			b.order++
			*t = transmission{sentAt: now, order: b.order, state: resent}
			b.lost--
			return b.una + i, true
		}
	}
	return 0, false
}

// news is what an acknowledgement taught.
type news struct {
	acked   int   // datagrams acknowledged in order
	arrived int   // datagrams of which it was not known before that they arrived
	rtt     int64 // round trip of the latest transmission among them; -1 if that was a repeat (Karn)
	order   uint32
}

// arrive records that one datagram reached the peer.
func (b *scoreboard) arrive(now int64, t *transmission, n *news) {
	n.arrived++
	if t.state&lost != 0 {
		b.lost--
	}
	newest := n.arrived == 1 || later(t.order, n.order)
	if newest {
		n.rtt, n.order = -1, t.order
	}
	if t.state&resent != 0 {
		return // which of its transmissions arrived is not known
	}
	if newest {
		n.rtt = max(0, now-t.sentAt)
	}
	for i, o := 0, t.order; i < len(b.latest); i++ {
		if later(o, b.latest[i]) {
			b.latest[i], o = o, b.latest[i]
		}
	}
}

// ack records the cumulative acknowledgement of everything before apsn, which is una .. una+count.
func (b *scoreboard) ack(now int64, apsn uint32, n *news) {
	for ; b.una != apsn; b.una++ {
		t := &b.ring[b.head]
		if t.state&sacked != 0 {
			b.sacked--
		} else {
			b.arrive(now, t, n)
		}
		n.acked++
		b.count--
		if b.head++; b.head == len(b.ring) {
			b.head = 0
		}
	}
}

// sack records the bits of a shim that has just been used for ack, so bit 0 is una+1. Bits for PSNs that were never
// sent are ignored.
func (b *scoreboard) sack(now int64, s *iwarp.Shim, n *news) {
	for i, word := range s.Sack[:min(int(s.Words), iwarp.MaxSackWords)] {
		for ; word != 0; word &= word - 1 {
			psn := b.una + 1 + uint32(64*i+bits.TrailingZeros64(word))
			if !b.inFlight(psn) {
				return
			}
			if t := b.at(psn); t.state&sacked == 0 {
				b.arrive(now, t, n)
				t.state = t.state&^lost | sacked
				b.sacked++
			}
		}
	}
}

// detect marks as lost what was sent before reorderLimit transmissions that have arrived, and gives the highest such
// PSN. Without a gap there is none: PSNs in flight were then all sent after those acknowledged.
func (b *scoreboard) detect() (highest uint32, found bool) {
	if b.sacked == 0 {
		return 0, false
	}
	oldest := b.latest[reorderLimit-1]
	for i := range uint32(b.count) {
		if t := b.at(b.una + i); t.state&(sacked|lost) == 0 && later(oldest, t.order) {
			t.state |= lost
			b.lost++
			highest, found = b.una+i, true
		}
	}
	return highest, found
}

// loseFirst marks una as lost even if the peer said that it holds it: that is how a silent or unready peer is asked
// again.
func (b *scoreboard) loseFirst() {
	if b.count == 0 {
		return
	}
	t := b.at(b.una)
	if t.state&sacked != 0 {
		t.state &^= sacked
		t.state |= resent
		b.sacked--
	}
	if t.state&lost == 0 {
		t.state |= lost
		b.lost++
	}
}

// loseAll marks as lost whatever the peer does not hold, and una.
func (b *scoreboard) loseAll() {
	b.loseFirst()
	for i := range uint32(b.count) {
		if t := b.at(b.una + i); t.state&(sacked|lost) == 0 {
			t.state |= lost
			b.lost++
		}
	}
}

// later compares numbers that wrap through 2^32.
func later(a, b uint32) bool { return int32(a-b) > 0 }
