package flow

import "fmt"

// Sender is the sending half of a stream. F is what the owner keeps of a frame until it is acknowledged, such as the
// handle of a buffer. The zero value is not usable; see Init. The functions handed to its methods must not call it.
type Sender[F any] struct {
	cfg      *Config
	count    *Counters
	ring     ring[flight[F]] // slots base..next-1
	deadline int64           // when the oldest watched frame is overdue, 0: nothing is watched
	base     uint32          // oldest frame in flight
	next     uint32          // number of the next frame
	limit    uint32          // the first number for which there is no credit
	watched  uint32          // timers off: frames before it still have them
	srtt     uint32          // smoothed round trip in nanoseconds, 0 before the first sample
	rttvar   uint32
	lost     uint16 // frames in flight that are marked lost
	allowed  uint16 // how many of them may be sent now
	retries  uint16 // time-outs in a row without news from the peer, each counted as often as Config.Timeout fits into it
	backoff  uint8  // how often the time-out is doubled
	vain     uint8  // how often Config.Timeout is doubled, as there is no news
	timed    bool
}

// flight is a frame that is not acknowledged.
type flight[F any] struct {
	f     F
	at    int64 // when it was sent last
	again bool  // it was sent more than once: its acknowledgement tells nothing about the round trip
	here  bool  // the peer has it, early
	lost  bool  // it is to be sent again
}

// Init begins a stream. Several flows may share cfg and count; without count the sender counts for itself.
func (s *Sender[F]) Init(cfg *Config, count *Counters) {
	if count == nil {
		count = new(Counters)
	}
	*s = Sender[F]{cfg: cfg, count: count, base: cfg.First, next: cfg.First, limit: cfg.First + uint32(cfg.credit())}
}

// InFlight is the number of frames pushed and not acknowledged.
func (s *Sender[F]) InFlight() int { return int(s.next - s.base) }

// Each shows all frames in flight, oldest first.
func (s *Sender[F]) Each(show func(F)) {
	for seq := s.base; seq != s.next; seq++ {
		show(s.ring.at(seq).f)
	}
}

// Credit is how many more frames may be pushed now.
func (s *Sender[F]) Credit() int {
	flying := int(s.next - s.base)
	return max(0, min(int(int32(s.limit-s.next)), s.cfg.Window-flying))
}

// Full tells that Push must wait for an acknowledgement: the window or the peer's credit is used up.
func (s *Sender[F]) Full() bool {
	flying := s.next - s.base
	if flying >= uint32(s.cfg.Window) {
		return true
	}
	return !after(s.limit, s.next) && !(s.timed && flying == 0)
}

// Push numbers a frame that is being sent, and keeps f until the frame is acknowledged. The caller has asked Full.
func (s *Sender[F]) Push(f F, now int64) (seq uint32) {
	if s.Full() {
		panic("flow: frame pushed into a full window: ask Full first")
	}
	seq = s.next
	if flying := int(seq - s.base); flying >= len(s.ring.buf) {
		s.ring.reach(s.base, flying+1)
	}
	slot := s.ring.at(seq)
	slot.f, slot.at = f, now
	s.next = seq + 1
	s.count.Sent++
	if s.timed && s.deadline == 0 {
		s.deadline = now + s.timeout()
	}
	return seq
}

// Acked takes in an acknowledgement: the peer expects frame ack, and may be sent frames before limit. All frames before
// ack are released, oldest first. What is older than what is known (a late acknowledgement) and what cannot be true
// changes nothing; ok is false then.
func (s *Sender[F]) Acked(ack, limit uint32, now int64, release func(F)) (ok bool) {
	flying := s.next - s.base
	if ack-s.base > flying || limit-ack > most {
		if after(s.base, ack) {
			s.count.StaleAcks++
		} else {
			s.count.BadAcks++
		}
		return false
	}
	if after(limit, s.limit) {
		s.limit = limit
	}
	if ack == s.base {
		return true
	}
	if flying > s.ring.peak {
		s.ring.peak = flying
	}
	if s.deadline != 0 {
		s.progress(ack, now)
	}
	var none flight[F]
	for s.base != ack {
		slot := s.ring.at(s.base)
		f := slot.f
		*slot = none
		s.base++
		release(f)
	}
	if s.base == s.next {
		s.ring.emptied()
	}
	return true
}

// Replay sends all frames from the one that the peer expects again, after a connection was opened anew. The owner calls
// Acked first, which releases what comes before it. An error means that the peer is not who it was: it expects
// a frame that was released or never sent.
func (s *Sender[F]) Replay(from uint32, now int64, resend func(seq uint32, f F)) error {
	if from-s.base > s.next-s.base {
		return fmt.Errorf("flow: the peer expects frame %d, but only %d to %d can be sent again: its stream is another one",
			from, s.base, s.next)
	}
	s.lost, s.allowed, s.retries, s.backoff, s.vain = 0, 0, 0, 0, 0
	s.deadline = 0
	if s.timed && s.base != s.next {
		s.deadline = now + s.timeout()
	}
	for seq := s.base; seq != s.next; seq++ {
		slot := s.ring.at(seq)
		slot.at, slot.again, slot.here, slot.lost = now, true, false, false
		if !after(from, seq) {
			s.count.Replayed++
			resend(seq, slot.f)
		}
	}
	return nil
}

// SetTimed turns the timers on (a carrier that loses frames) or off (a connection). Turned on, they watch
// all that is in flight; turned off, they go on watching what was pushed until now, which the old carrier
// may yet lose.
func (s *Sender[F]) SetTimed(on bool, now int64) {
	if on == s.timed {
		return
	}
	s.timed = on
	s.watched = s.next
	if on && s.base != s.next && s.deadline == 0 {
		s.deadline = now + s.timeout()
	}
}

// Rest gives memory back that is not in use; the next Push takes it anew. To be called when a peer has been quiet.
func (s *Sender[F]) Rest() {
	if s.base == s.next {
		s.ring = ring[flight[F]]{}
	}
}

// Drop ends the stream: all frames in flight are released, though nobody acknowledged them. Nothing is due after it.
func (s *Sender[F]) Drop(release func(F)) {
	for ; s.base != s.next; s.base++ {
		release(s.ring.at(s.base).f)
	}
	s.deadline, s.lost = 0, 0
	s.Rest()
}
