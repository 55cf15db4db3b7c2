package rail

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Share lets every peer read and write b until Unshare. The registration is the window's own: the cache's limits are for memory
// that comes and goes. Its owner keeps b alive.
func (l *Link) Share(b []byte) (wire.Key, error) {
	if len(b) == 0 || l.cfg.Channel == UD {
		return wire.Key{}, nil
	}
	mr, err := l.pd.Register(b, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite)
	if err != nil {
		return wire.Key{}, err
	}
	if l.shared == nil {
		l.shared = map[wire.Key]verbs.MR{}
	}
	k := wire.Key{Addr: mr.Addr(), Slot: mr.RKey()}
	l.shared[k] = mr
	return k, nil
}

// Unshare takes it back: no peer touches the memory after it has returned.
func (l *Link) Unshare(k wire.Key) error {
	mr := l.shared[k]
	if mr == nil {
		return nil
	}
	delete(l.shared, k)
	return mr.Close()
}

// Moves tells whether Read and Write reach the peer's memory now. They may still fail, with an error that is not the peer's loss.
func (l *Link) Moves(peer int) bool { return l.movesBulk(l.peer(peer)) }

// Frequent counts a use of b for a short read or write, and tells whether it is used often enough to be worth registering.
func (l *Link) Frequent(b []byte) bool {
	if l.reuse == nil {
		return false
	}
	l.spend(clock.Search, 1)
	return l.reuse.Use(b, reuse.OneSided)
}
