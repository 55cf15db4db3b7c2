package rd

import "github.com/weft-mpi/weft/internal/iwarp"

// bitmap holds a bit for each PSN beyond the one expected: bit 0 is the PSN after it, as in a SACK.
type bitmap struct {
	words []uint64
	set   int // number of bits set
}

func (m *bitmap) has(i int) bool { return m.words[i/64]>>(i%64)&1 != 0 }

func (m *bitmap) add(i int) {
	if !m.has(i) {
		m.words[i/64] |= 1 << (i % 64)
		m.set++
	}
}

// shift drops bit 0 and moves the others down.
func (m *bitmap) shift() (first bool) {
	if m.set == 0 {
		return false
	}
	first = m.has(0)
	for i := range m.words {
		m.words[i] >>= 1
		if i+1 < len(m.words) {
			m.words[i] |= m.words[i+1] << 63
		}
	}
	if first {
		m.set--
	}
	return first
}

func (m *bitmap) clear() {
	clear(m.words)
	m.set = 0
}

// receiver is the receiving half of a flow.
type receiver struct {
	ahead    *bitmap // nil until the first gap
	ackAt    int64   // when an acknowledgement must leave; never: none is owed
	heardAt  int64   // latest time that the peer was heard
	since    int64   // when its epoch was first heard
	expect   uint32  // next PSN to be delivered
	epoch    uint16  // the peer's; 0: nothing heard, and the fields around it say nothing
	owed     uint8   // datagrams delivered since the last acknowledgement
	standing uint8   // why expect is not delivered: bits below, and the code of a refusal in the low four
}

const (
	refused  uint8 = 0x80 // there is no receive for it
	headHeld uint8 = 0x40 // the device keeps it
	codeMask uint8 = 0x0f
)

// renew begins to listen to another epoch. What was held of the one before is void.
func (r *receiver) renew(now int64, epoch uint16) {
	if r.ahead != nil {
		r.ahead.clear()
	}
	*r = receiver{ahead: r.ahead, ackAt: never, heardAt: r.heardAt, since: now, expect: 1, epoch: epoch}
}

// judge says what to do with a segment of the current epoch. All but a new segment in order wants an
// acknowledgement at once: the peer is sending again what came, or something is missing.
func (r *receiver) judge(now int64, s *iwarp.Shim, window int) Verdict {
	if s.Poll {
		r.ackAt = now
	}
	distance := s.PSN - r.expect
	switch {
	case distance == 0 && r.standing&headHeld == 0:
		return InOrder
	case int32(distance) <= 0:
		r.ackAt = now
		return Duplicate
	case distance >= uint32(window):
		r.ackAt = now
		return Beyond
	case r.ahead != nil && r.ahead.has(int(distance)-1):
		r.ackAt = now
		return Duplicate
	}
	r.ackAt = now
	return Ahead
}

// hold records that the device keeps a segment.
func (r *receiver) hold(psn uint32, window int) {
	distance := psn - r.expect
	if r.epoch == 0 || distance >= uint32(window) {
		return
	}
	if distance == 0 {
		r.standing |= headHeld
		return
	}
	if r.ahead == nil {
		r.ahead = &bitmap{words: make([]uint64, (window+63)/64)}
	}
	r.ahead.add(int(distance) - 1)
}

// advance records the delivery of the segment expected and tells whether the device holds the next.
func (r *receiver) advance(now int64, cfg *Config) (held bool) {
	if r.ahead != nil {
		held = r.ahead.shift()
	}
	r.expect++
	r.owed++
	if r.standing&refused != 0 || int(r.owed) >= cfg.AckEvery {
		r.ackAt = now
	} else {
		r.ackAt = min(r.ackAt, now+cfg.AckDelay)
	}
	r.standing = 0
	if held {
		r.standing = headHeld
	}
	return held
}

// fill writes the acknowledgement into a shim and considers it sent.
func (r *receiver) fill(s *iwarp.Shim, window int) {
	r.ackAt, r.owed = never, 0
	if r.epoch == 0 {
		s.Window = uint16(window)
		return
	}
	s.PeerEpoch, s.APSN, s.Window = r.epoch, r.expect, uint16(window)
	if r.standing&refused != 0 {
		s.NotReady, s.RNR, s.Window = true, r.standing&codeMask, 0
	}
	if r.ahead == nil || r.ahead.set == 0 {
		return
	}
	for i, word := range r.ahead.words {
		if s.Sack[i] = word; word != 0 {
			s.Words = uint8(i + 1)
		}
	}
}
