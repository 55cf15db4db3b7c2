package soft

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// Long messages that are sent one behind the other are a train. A receiver that is faster than their sender finds the socket empty
// again and again in the middle of them, and slows the sender by that: by the socket's lock, perhaps, or by acknowledgements of small
// pieces. So in a train the receiver leaves such a socket alone for a while, and the train moves faster. A message that somebody
// waits for by itself would come later: the sender tells of its train (Header.Train), and of answers to Reads the receiver knows it.

const (
	trainFrom = 192 << 10 // shorter messages gain nothing: most have come when they are looked at
	trainTo   = 768 << 10 // and messages this long and longer neither
	worthRest = 64 << 10  // bytes that a rest should bring, as on a fast way; others are not waited for
)

// wagon tells whether a message of n bytes may be one of a train.
func wagon(n int) bool { return n >= trainFrom && n < trainTo }

// couple notes whether the Send that has become the current message is one of a train: another one is posted behind it, or it was
// begun right behind one.
func (s *stream) couple(w *nic.Sending) {
	behind, _ := s.qp.sends.Next()
	coupled := s.wagon
	s.wagon = w.WR.Op == verbs.Send && wagon(w.Len)
	s.cur.header.Train = s.wagon && (coupled || behind != nil && behind.WR.Op == verbs.Send && wagon(behind.Len))
}

// board notes whether the message of which h is a segment is one of a train, if it has begun to come with that.
func (s *stream) board(h *iwarp.Header) {
	switch {
	case h.Op == iwarp.OpReadResponse && h.TO == 0:
		s.train = len(s.asked) > 1 && s.asked[0].wagon() && s.asked[1].wagon()
	case h.Op == iwarp.OpSend && h.MSN != s.boarded:
		s.boarded, s.train = h.MSN, h.Train
	}
}

// wagon tells whether what was asked for may be one of a train.
func (a ask) wagon() bool {
	w := a.get()
	return w != nil && w.WR.Op == verbs.Read && wagon(w.Len)
}

// rests tells that the socket is left alone for now. Only who polls again and again does that: nobody else would come back to it.
func (s *stream) rests() bool { return s.restTo != 0 && s.dev.spinning && clock.Now() < s.restTo }

// rest begins a rest in a socket that is empty, if a train is coming. If the last one was in vain, and not in the middle of a
// message, the train is over.
func (s *stream) rest() {
	if !s.body.on && (s.restTo != 0 || s.bulk == 0) {
		s.train = false
	}
	if s.restTo = 0; s.train && s.dev.spinning && s.dev.cfg.Rest > 0 {
		s.restTo = clock.Now() + s.dev.cfg.Rest
		s.dev.count.rests++
	}
}

// rested ends a rest, which has brought n bytes of as many as were asked for.
func (s *stream) rested(asked, n int) {
	s.restTo = 0
	if n < asked && n < worthRest {
		s.train = false
	}
}
