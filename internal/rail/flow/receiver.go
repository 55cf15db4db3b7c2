package flow

// Verdict says what becomes of a frame that has arrived.
type Verdict uint8

const (
	Deliver   Verdict = iota // it is the next: the owner takes it, and then what Next gives
	Keep                     // it is early: the receiver keeps it, Next gives it back in its turn
	Duplicate                // it was here before: the owner drops it
	Beyond                   // it is too far ahead: the owner drops it
)

func (v Verdict) String() string {
	if int(v) < len(verdicts) {
		return verdicts[v]
	}
	return "unknown verdict"
}

var verdicts = [...]string{"deliver", "keep", "duplicate", "beyond"}

// Receiver is the receiving half of a stream. F is what the owner keeps of a frame that came early. The zero value is
// not usable; see Init.
type Receiver[F any] struct {
	cfg      *Config
	count    *Counters
	ring     ring[early[F]] // slots from expected on
	ackAt    int64          // when an acknowledgement is due, 0: there is nothing to tell
	expected uint32         // the next frame to deliver
	told     uint32         // what the last acknowledgement said
	limit    uint32         // the credit that was promised: the first number that may not be sent
	grant    uint16         // how many frames from expected on the owner can take
	every    uint16         // frames after which an acknowledgement is due, before half of the credit is used up
	kept     uint16         // early frames
	untold   uint16         // early frames that came since the hole, or the last notice of it
	alarmed  bool           // the last notice told of a hole
}

// early is a slot for a frame that may come, or is here, before its turn.
type early[F any] struct {
	f    F
	here bool
}

// Init begins a stream, with a grant of Config.Credit or, if that is 0, Config.Window. Several flows may
// share cfg and count; without count the receiver counts for itself.
func (r *Receiver[F]) Init(cfg *Config, count *Counters) {
	if count == nil {
		count = new(Counters)
	}
	*r = Receiver[F]{
		cfg: cfg, count: count,
		expected: cfg.First, told: cfg.First, limit: cfg.First + uint32(cfg.credit()),
	}
	r.setGrant(cfg.credit())
}

// Expected is the number of the next frame to deliver, which a peer must know who opens a connection anew.
func (r *Receiver[F]) Expected() uint32 { return r.expected }

// Untold is how many frames have come in order of which no acknowledgement has told.
func (r *Receiver[F]) Untold() int { return int(r.expected - r.told) }

// Plain tells that a frame is the next and none was early: Arrive would answer Deliver, and Next would give nothing.
func (r *Receiver[F]) Plain(seq uint32) bool { return seq == r.expected && r.kept == 0 }

// Arrive takes in a frame. The receiver owns f only if it answers Keep.
func (r *Receiver[F]) Arrive(seq uint32, f F, now int64) Verdict {
	if seq != r.expected || r.kept != 0 {
		if v := r.unexpected(seq, f, now); v != Deliver {
			return v
		}
	}
	r.expected++
	r.count.Delivered++
	if r.ackAt == 0 {
		r.ackAt = now + r.cfg.AckDelay
	}
	if r.expected-r.told >= uint32(r.every) {
		r.ackAt = atOnce
	}
	return Deliver
}

// unexpected judges a frame that is not the next, or is so while others are kept.
func (r *Receiver[F]) unexpected(seq uint32, f F, now int64) Verdict {
	ahead := seq - r.expected
	switch {
	case int32(ahead) < 0 || int(ahead) < len(r.ring.buf) && r.ring.at(seq).here:
		r.count.Duplicates++ // the peer repeats what is here: it has not heard so
		r.ackAt = atOnce
		return Duplicate
	case ahead > uint32(r.cfg.OutOfOrder):
		r.count.Beyond++
		r.ackAt = atOnce
		return Beyond
	case ahead > 0:
		r.keep(seq, ahead, f, now)
		return Keep
	}
	r.untold = 0
	if r.alarmed { // the hole that the peer was told of is filled
		r.ackAt = atOnce
	}
	return Deliver
}

// keep stores an early frame. A notice is due once so many have come that the peer will act on it.
func (r *Receiver[F]) keep(seq, ahead uint32, f F, now int64) {
	r.ring.reach(r.expected, int(ahead)+1)
	r.ring.peak = max(r.ring.peak, ahead+1)
	*r.ring.at(seq) = early[F]{f: f, here: true}
	r.kept++
	r.count.OutOfOrder++
	if r.ackAt == 0 {
		r.ackAt = now + r.cfg.AckDelay
	}
	if r.untold++; r.untold >= overtaken {
		r.ackAt = atOnce
	}
}

// Next gives the kept frame whose turn it is, until there is none. The owner asks after each Deliver, before it lets
// another frame arrive.
func (r *Receiver[F]) Next() (f F, ok bool) {
	if r.kept == 0 {
		return f, false
	}
	slot := r.ring.at(r.expected)
	if !slot.here {
		return f, false
	}
	f = slot.f
	*slot = early[F]{}
	r.expected++
	r.kept--
	r.count.Delivered++
	if r.expected-r.told >= uint32(r.every) {
		r.ackAt = atOnce
	}
	if r.kept == 0 {
		r.ring.emptied()
	}
	return f, true
}

// Grant says how many frames, from the expected one on, the owner can take: at most Config.OutOfOrder. A smaller grant
// than before does not take back what was promised; one that lets a waiting peer go on is told at once.
func (r *Receiver[F]) Grant(frames int, now int64) {
	r.setGrant(min(max(frames, 0), r.cfg.OutOfOrder))
	gain := int32(r.expected + uint32(r.grant) - r.limit)
	if gain > 0 && gain >= int32(r.limit-r.expected) {
		r.ackAt = atOnce
	}
}

func (r *Receiver[F]) setGrant(frames int) {
	r.grant = uint16(frames)
	r.every = uint16(min(r.cfg.AckEvery, frames/2+1))
	if r.cfg.Credit > 0 { // acknowledgements have no credit, and few receives
		r.every = max(r.every, uint16((min(frames, r.cfg.Window)+3)/4))
	}
}

// Ack is what to write into a frame that goes to the peer anyway: all frames before ack were delivered, frames before
// limit may be sent. It counts as told, but what came early is told by Notice alone.
func (r *Receiver[F]) Ack() (ack, limit uint32) {
	if promise := r.expected + uint32(r.grant); after(promise, r.limit) {
		r.limit = promise
	}
	r.told = r.expected
	if r.untold == 0 {
		r.ackAt = 0
	}
	return r.told, r.limit
}

// Notice is an acknowledgement that travels alone, for Acked and Nack: bit i of ahead tells that frame ack+1+i is here.
func (r *Receiver[F]) Notice() (ack, limit uint32, ahead uint64) {
	r.untold = 0
	ack, limit = r.Ack()
	r.count.Acks++
	for i := 0; r.kept > 0 && i < 64 && i+1 < len(r.ring.buf); i++ {
		if r.ring.at(ack + 1 + uint32(i)).here {
			ahead |= 1 << i
		}
	}
	r.alarmed = ahead != 0
	return ack, limit, ahead
}

// Due is when a notice is due: 0 is never, and what lies in the past is at once.
func (r *Receiver[F]) Due() int64 { return r.ackAt }

// AckDue tells whether the owner should send a Notice now: after Config.AckEvery frames or Config.AckDelay,
// when the peer repeats itself, when frames are missing or no longer missing, and when it gets credit that
// it waits for.
func (r *Receiver[F]) AckDue(now int64) bool { return r.ackAt != 0 && now >= r.ackAt }

// Rest gives memory back that is not in use; the next early frame takes it anew. To be called when a peer
// has been quiet.
func (r *Receiver[F]) Rest() {
	if r.kept == 0 {
		r.ring = ring[early[F]]{}
	}
}

// Drop ends the stream: the frames that are kept go to release. Nothing is due after it.
func (r *Receiver[F]) Drop(release func(F)) {
	for i := range r.ring.buf {
		if slot := &r.ring.buf[i]; slot.here {
			release(slot.f)
			*slot = early[F]{}
		}
	}
	r.kept, r.untold, r.ackAt = 0, 0, 0
	r.Rest()
}
