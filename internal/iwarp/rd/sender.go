package rd

import "github.com/weft-mpi/weft/internal/iwarp"

// never is a time that does not come.
const never int64 = 1<<63 - 1

// maxBackoff bounds the doubling of time-outs, which RTOMax bounds in the end.
const maxBackoff = 20

// sender is the sending half of a flow.
type sender struct {
	board   *scoreboard // nil while idle: nothing in flight, and no memory for it
	timer   int64       // retransmission time-out, or end of the wait when waiting; never: nothing in flight
	usedAt  int64       // latest time that something was sent; not acknowledged, which may be old news
	next    uint32      // PSN of the next new datagram
	recover uint32      // loss of PSNs before it has been answered by a smaller cwnd
	srtt    uint32      // smoothed round trip in nanoseconds, 0 before the first sample
	rttvar  uint32
	epoch   uint16 // never 0
	window  uint16 // what the peer allows, at most what the ring can hold; 0 while waiting
	cwnd    uint16 // what the path allows
	thresh  uint16 // below it cwnd grows with each acknowledged datagram, above by one per round trip
	grown   uint16 // datagrams acknowledged towards the next growth
	retries uint8  // time-outs in a row without news from the peer
	backoff uint8  // how often the time-out is doubled
	begun   bool   // something was sent in this epoch
	heard   bool   // the peer has answered in this epoch
	waiting bool   // the peer was not ready: nothing leaves until timer
}

// renew begins a new epoch. Whatever was in flight is forgotten.
func (s *sender) renew(epoch uint16, cfg *Config) {
	cwnd := uint16(min(startCwnd, cfg.Window))
	*s = sender{
		board: s.board, timer: never, usedAt: s.usedAt, next: 1, recover: 1, srtt: s.srtt, rttvar: s.rttvar,
		epoch: epoch, window: uint16(cfg.Window), cwnd: cwnd, thresh: cwnd,
	}
	if s.board != nil {
		s.board.begin(s.next)
	}
}

// inFlight counts the datagrams that are not acknowledged in order.
func (s *sender) inFlight() int {
	if s.board == nil {
		return 0
	}
	return s.board.count
}

func (s *sender) una() uint32 { return s.next - uint32(s.inFlight()) }

// room is how many new datagrams may be sent: as many as path and peer allow, but always one if there is none in
// flight. That one is the probe of a closed window: it is repeated until the peer answers, so that the loss of the
// acknowledgement that opened the window does no harm.
func (s *sender) room() int {
	flying := s.inFlight()
	if flying == 0 {
		return max(1, min(int(s.window), int(s.cwnd)))
	}
	return max(0, min(int(s.cwnd)-s.board.pipe(), int(s.window)-flying))
}

// send claims the next PSN.
func (s *sender) send(now int64, cfg *Config) (psn uint32) {
	if s.board == nil {
		s.board = newScoreboard(cfg.Window)
		s.board.begin(s.next)
	}
	if s.board.count == 0 {
		s.timer = now + s.timeout(cfg)
	}
	psn = s.board.push(now)
	s.next++
	s.usedAt = now
	s.begun = true
	return psn
}

// resend claims the next lost datagram. The oldest in flight may always go: without it nothing moves. While the
// window is closed only that one is sent.
func (s *sender) resend(now int64) (psn uint32, ok bool) {
	if s.waiting || s.inFlight() == 0 || s.board.lost == 0 {
		return 0, false
	}
	limit := 1
	if s.board.pipe() < int(s.cwnd) {
		limit = max(1, int(s.window))
	}
	if psn, ok = s.board.again(now, limit); ok {
		s.usedAt = now
	}
	return psn, ok
}

// acknowledge takes in what a shim in answer to this epoch says. What was never sent, and what is older than what
// is known, changes nothing.
func (s *sender) acknowledge(now int64, shim *iwarp.Shim, cfg *Config) (acked int) {
	flying := s.inFlight()
	if shim.APSN-s.una() > uint32(flying) {
		return 0
	}
	s.heard = true
	if !shim.NotReady {
		s.window = uint16(min(int(shim.Window), cfg.Window))
	} else {
		s.window = 0
	}
	if flying == 0 {
		return 0
	}
	n := news{rtt: -1}
	pipe := s.board.pipe()
	s.board.ack(now, shim.APSN, &n)
	s.board.sack(now, shim, &n)
	if n.rtt >= 0 {
		s.measure(n.rtt)
		s.backoff = 0
	} else if n.arrived > 0 && s.board.count > 0 && s.backoff > 0 {
		s.backoff--
	}
	if n.arrived > 0 {
		s.retries = 0
		s.grow(n.arrived, pipe, cfg)
	}
	if psn, found := s.board.detect(); found && !later(s.recover, psn) {
		s.slowDown()
	}
	if !later(s.recover, s.una()) {
		s.recover = s.una() // keeps it comparable when numbers wrap
	}
	s.retime(now, shim.NotReady, shim.RNR, n.arrived > 0 || n.acked > 0, cfg)
	return n.acked
}

// retime sets the timer after an acknowledgement: not ready, window open, news or nothing new.
func (s *sender) retime(now int64, notReady bool, code uint8, progress bool, cfg *Config) {
	switch {
	case s.board.count == 0:
		s.waiting, s.timer = false, never
	case notReady:
		s.waiting, s.timer, s.retries = true, now+rnrUnit<<(code&15), 0
		s.backoff = 0
		s.board.loseFirst()
	case s.window == 0:
		s.retries = 0 // closed, but alive: ask on, ever slower, without giving up
		if progress {
			s.timer = now + s.timeout(cfg)
		}
	case s.waiting || progress:
		s.waiting, s.timer = false, now+s.timeout(cfg)
	}
}

// expire handles the timer. It tells whether the peer has been silent for so long that all work fails.
func (s *sender) expire(now int64, cfg *Config) (failed bool) {
	if s.waiting {
		s.waiting, s.timer = false, now+s.timeout(cfg)
		return false
	}
	if s.retries == 0 {
		// Slow start after a time-out is as safe as in TCP: it ends at half of what was in flight when the path
		// lost everything. Time-outs that follow at once say nothing new.
		s.thresh = uint16(max(2, s.inFlight()/2))
	}
	s.backoff = min(s.backoff+1, maxBackoff)
	if s.retries++; int(s.retries) >= cfg.MaxRetries {
		return true
	}
	s.cwnd, s.grown, s.recover = 1, 0, s.next
	s.board.loseAll()
	s.timer = now + s.timeout(cfg)
	return false
}

// timeout is the retransmission time-out. Its doubling ends when a round trip was measured; until then each repair of
// what is in flight takes back one step, but not the last: the next datagram goes out with the long time-out and
// is measured. Otherwise a path that has become slow would carry repeats for ever.
func (s *sender) timeout(cfg *Config) int64 {
	rto := cfg.RTOStart
	if s.srtt != 0 {
		rto = max(cfg.RTOMin, int64(s.srtt)+4*int64(s.rttvar))
	}
	return min(cfg.RTOMax, rto<<s.backoff)
}

// measure takes in a round trip (RFC 6298).
func (s *sender) measure(rtt int64) {
	r := uint32(min(max(rtt, 1), 4*second))
	if s.srtt == 0 {
		s.srtt, s.rttvar = r, r/2
		return
	}
	diff := max(s.srtt, r) - min(s.srtt, r)
	s.rttvar = uint32((3*uint64(s.rttvar) + uint64(diff)) / 4)
	s.srtt = max(1, uint32((7*uint64(s.srtt)+uint64(r))/8))
}

// grow widens cwnd after datagrams arrived, if it was what held the sender back.
func (s *sender) grow(arrived, pipe int, cfg *Config) {
	limit := uint16(cfg.Window)
	if s.cwnd < s.thresh { // slow start
		s.cwnd = min(s.cwnd+uint16(arrived), s.thresh, limit)
		return
	}
	if later(s.recover, s.una()) || 2*pipe < int(s.cwnd) || s.cwnd >= limit {
		return
	}
	if s.grown += uint16(arrived); s.grown >= s.cwnd {
		s.grown -= s.cwnd
		s.cwnd++
	}
}

// slowDown halves cwnd, once for everything that is in flight now.
func (s *sender) slowDown() {
	s.cwnd = max(2, s.cwnd/2)
	s.thresh, s.grown, s.recover = s.cwnd, 0, s.next
}
