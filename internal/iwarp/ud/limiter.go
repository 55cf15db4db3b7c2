package ud

// Limits of Limiter.
const (
	ErrorInterval = 1_000_000 // nanoseconds between two error messages to one peer
	maxRecent     = 64        // error messages, to whomever, in that time
)

// Limiter says when an error message may be sent: at most one per ErrorInterval and peer, and no more to all peers
// than it can remember. The zero value is ready for use.
type Limiter[K comparable] struct {
	recent     []sentError[K] // a ring of the latest messages
	first, n   int
	suppressed uint64
}

type sentError[K comparable] struct {
	peer K
	at   int64
}

// Allow says whether an error message may go to peer now, and takes note of the answer.
func (l *Limiter[K]) Allow(now int64, peer K) bool {
	if l.recent == nil {
		l.recent = make([]sentError[K], maxRecent)
	}
	for l.n > 0 && now-l.recent[l.first].at >= ErrorInterval {
		l.recent[l.first] = sentError[K]{}
		l.first = (l.first + 1) % maxRecent
		l.n--
	}
	if l.n == maxRecent || l.sentTo(peer) {
		l.suppressed++
		return false
	}
	l.recent[(l.first+l.n)%maxRecent] = sentError[K]{peer, now}
	l.n++
	return true
}

// sentTo says whether one of the latest messages went to peer.
func (l *Limiter[K]) sentTo(peer K) bool {
	for i := range l.n {
		if l.recent[(l.first+i)%maxRecent].peer == peer {
			return true
		}
	}
	return false
}

// Suppressed is how many messages were not allowed.
func (l *Limiter[K]) Suppressed() uint64 { return l.suppressed }
