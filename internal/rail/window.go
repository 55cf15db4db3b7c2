package rail

import (
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/wire"
)

// Expose registers memory for a peer; without a key that asks for a push.
func (l *Link) Expose(rank int, b []byte, forWrite bool) wire.Key {
	if len(b) == 0 || !l.traits.moves {
		return wire.Key{}
	}
	k := l.mem.Expose(b, forWrite)
	if k != (wire.Key{}) {
		p := l.peer(rank)
		p.bulk.exposed++
		if l.caps.RailKeys {
			p.tellKeys(k)
		}
	}
	return k
}

// Hide takes it back.
func (l *Link) Hide(rank int, k wire.Key) {
	if l.mem.Hide(k) {
		l.peer(rank).bulk.exposed--
	}
}

// Share lets every peer read and write b until Unshare. Its owner keeps b alive.
func (l *Link) Share(b []byte) (wire.Key, error) {
	if len(b) == 0 || !l.traits.moves {
		return wire.Key{}, nil
	}
	return l.mem.Share(b)
}

// Unshare takes it back: no peer touches the memory after it has returned.
func (l *Link) Unshare(k wire.Key) error { return l.mem.Unshare(k) }

// Moves tells whether Read and Write reach the peer's memory now. They may still fail, with an error that
// is not the peer's loss.
func (l *Link) Moves(peer int) bool { return l.movesBulk(l.peer(peer)) }

// Frequent counts a use of b for a short read or write, and tells whether it is used often enough to be
// worth registering.
func (l *Link) Frequent(b []byte) bool { return l.mem.Frequent(b, reuse.OneSided) }

// Thresholds tell from which use on a buffer is worth registering.
type Thresholds = reuse.Thresholds

// Measure finds out the thresholds of a link, for other links like this one.
func (l *Link) Measure() Thresholds { return l.mem.Measure() }
