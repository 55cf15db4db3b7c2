package flow

import "math/bits"

const (
	overtaken = 3  // a frame is lost when so many later ones are there; fewer may be mere reordering
	burst     = 8  // frames sent again at most when a time-out comes; more follow as acknowledgements come back
	tries     = 64 // copies at the least that a silent peer gets before it is dead, however long time-outs grow
	visible   = 65 // frames from the oldest on of which a notice tells; what comes later may well be there
)

// Due is when Expire must be called: 0 is never, and what lies in the past is at once.
func (s *Sender[F]) Due() int64 {
	if s.lost > 0 && s.allowed > 0 {
		return atOnce
	}
	return s.deadline
}

// Nack takes in the rest of a notice: bit i of early tells that frame ack+1+i is there although frame ack is not. What
// seems lost by that is sent again by the next Expire. A notice that cannot be true changes nothing; ok is false then.
func (s *Sender[F]) Nack(ack uint32, early uint64, now int64) (ok bool) {
	if early == 0 {
		return true
	}
	last := ack + uint32(bits.Len64(early)) // the latest frame that is there
	if after(s.base, last) {
		s.count.StaleAcks++
		return false
	}
	if last-s.base >= s.next-s.base {
		s.count.BadAcks++
		return false
	}
	s.markHere(ack, early, now)
	s.markOvertaken(ack, last, now)
	return true
}

// markHere notes which frames need not be sent again.
func (s *Sender[F]) markHere(ack uint32, early uint64, now int64) {
	sent := int64(0)
	for ; early != 0; early &= early - 1 {
		seq := ack + 1 + uint32(bits.TrailingZeros64(early))
		if !after(seq, s.base) { // an old notice, or one that claims to have what it does not acknowledge
			continue
		}
		slot := s.ring.at(seq)
		if slot.here {
			continue
		}
		slot.here = true
		s.retries, s.vain = 0, 0
		if slot.lost {
			slot.lost = false
			s.lost--
		}
		if !slot.again {
			sent = max(sent, slot.at)
		}
	}
	if sent != 0 && s.deadline != 0 {
		s.measure(now - sent)
	}
}

// markOvertaken marks the watched frames from ack to last lost that enough later ones have overtaken. Who was sent
// again gets a round trip's time to arrive.
func (s *Sender[F]) markOvertaken(ack, last uint32, now int64) {
	first, later := ack, 0
	if after(s.base, first) {
		first = s.base
	}
	for seq := last; !after(first, seq); seq-- {
		slot := s.ring.at(seq)
		switch {
		case slot.here:
			later++
		case later < overtaken || slot.lost || !s.watches(seq) || slot.again && now-slot.at < s.roundTrip():
		default:
			slot.lost = true
			s.lost++
			s.allowed++
		}
	}
}

// watches tells whether the timers concern a frame in flight. Without a deadline watched is out of date.
func (s *Sender[F]) watches(seq uint32) bool {
	return s.timed || s.deadline != 0 && after(s.watched, seq)
}

// progress takes in that all frames before ack, which are still in their slots, have arrived.
func (s *Sender[F]) progress(ack uint32, now int64) {
	if slot := s.ring.at(ack - 1); !slot.again && !slot.here {
		s.measure(now - slot.at)
	}
	for seq := s.base; s.lost > 0 && seq != ack; seq++ {
		if s.ring.at(seq).lost {
			s.lost--
		}
	}
	s.retries, s.vain = 0, 0
	s.allowed = uint16(min(uint32(s.allowed)+2*(ack-s.base), uint32(s.lost)))
	if ack != s.next && s.watches(ack) {
		s.deadline = now + s.timeout()
	} else {
		s.deadline = 0
	}
}

// Expire does what is due: it hands the frames that seem lost to resend, oldest first. If resend cannot transmit a
// frame, it may drop it: it will be lost once more. A peer that has not answered for Config.MaxRetry time-outs is dead;
// the owner then calls Drop.
func (s *Sender[F]) Expire(now int64, resend func(seq uint32, f F)) (dead bool) {
	if s.deadline != 0 && now >= s.deadline && s.overdue(now) {
		return true
	}
	end := s.base + min(visible, s.next-s.base)
	for seq := s.base; s.lost > 0 && s.allowed > 0; seq++ {
		if seq == end {
			s.allowed = 0 // until the oldest are there
			break
		}
		slot := s.ring.at(seq)
		if !slot.lost {
			continue
		}
		slot.lost, slot.again, slot.at = false, true, now
		s.lost--
		s.allowed--
		s.count.Retransmits++
		resend(seq, slot.f)
	}
	return false
}

// overdue marks all watched frames lost that were sent a time-out ago. The oldest in flight is always among those that
// count: without it nothing moves, whatever the peer claims to have.
func (s *Sender[F]) overdue(now int64) (dead bool) {
	wait := s.timeout()
	oldest := s.ring.at(s.base)
	if now-oldest.at < wait { // sent again a moment ago
		s.deadline = oldest.at + wait
		return false
	}
	oldest.here = false
	for seq := s.base; seq != s.next && s.watches(seq); seq++ {
		if slot := s.ring.at(seq); !slot.here && !slot.lost && now-slot.at >= wait {
			slot.lost = true
			s.lost++
		}
	}
	s.count.Timeouts++
	if int(s.retries) >= s.cfg.MaxRetry {
		return true
	}
	s.space()
	s.retries += 1 << s.vain
	switch {
	case wait < s.cfg.Timeout:
		s.backoff++
	case 2<<s.vain <= min(s.cfg.Patience, s.cfg.MaxRetry/tries):
		s.vain++
	}
	s.deadline = now + s.timeout()
	return false
}

// space says how many frames a time-out sends again: a few, but only the oldest if the last time-out has
// brought no news. The peer may be there, and its host too busy with copies of what it has to take in the
// acknowledgements that would end them.
func (s *Sender[F]) space() {
	if s.retries == 0 || s.cfg.Patience <= 1 {
		s.allowed = max(s.allowed, burst)
		return
	}
	s.allowed = 1
	s.count.Alone++
}

// measure takes in a round trip, in the manner of RFC 6298. It also ends the doubling of time-outs, which a repair
// alone must not do: a path that has become slow would carry everything twice for ever.
func (s *Sender[F]) measure(rtt int64) {
	r := uint32(min(max(rtt, 1), 1<<31))
	s.backoff = 0
	if s.srtt == 0 {
		s.srtt, s.rttvar = r, r/2
		return
	}
	diff := max(s.srtt, r) - min(s.srtt, r)
	s.rttvar = uint32((3*uint64(s.rttvar) + uint64(diff)) / 4)
	s.srtt = max(1, uint32((7*uint64(s.srtt)+uint64(r))/8))
}

// roundTrip is a time by which an answer that does not wait should be here.
func (s *Sender[F]) roundTrip() int64 {
	if s.srtt == 0 {
		return s.cfg.Timeout
	}
	return int64(s.srtt) + 4*int64(s.rttvar)
}

// timeout is how long a frame may be without an answer. The peer may wait before it answers, so that is added. Beyond
// Config.Timeout it grows only while there is no news at all, so that a single loss never waits longer than that.
func (s *Sender[F]) timeout() int64 {
	wait := max(s.cfg.MinTimeout, s.roundTrip()+s.cfg.AckDelay)
	if wait > s.cfg.Timeout>>s.backoff {
		return s.cfg.Timeout << s.vain
	}
	return wait << s.backoff
}
