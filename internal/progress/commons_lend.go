package progress

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Lend tells the ranks of the node where b is. The task keeps b alive until the plan has ended.
func (t *task) Lend(key, b []byte) {
	k := t.loop.cfg.Node.Place(b)
	le.PutUint64(key, k.Addr)
	le.PutUint32(key[8:], k.Slot)
}

// Fetch copies from what a rank of the node has lent: by ourselves if it lies in our address space, else the kernel does. A lender
// that gave the plan up may have changed its memory since, so it is asked afterwards.
func (t *task) Fetch(peer int, dst, key []byte, at int) error {
	l, c := t.loop, t.share
	proc := t.peers[peer]
	k := wire.Key{Addr: le.Uint64(key), Slot: le.Uint32(key[8:])}
	if mem := l.cfg.Node.Map(proc, k, at+len(dst)); mem != nil {
		copyPieces(dst, mem[at:at+len(dst)])
	} else if c.copier == nil || !c.copier.Copies(proc) {
		return fmt.Errorf("progress: the memory of process %d is out of reach", proc)
	} else {
		k.Addr += uint64(at)
		if err := c.copier.Fetch(proc, k, dst); err != nil {
			return fmt.Errorf("%w: the memory of process %d cannot be read: %w", engine.ErrLost, proc, err)
		}
	}
	l.shared.Fetches++
	if l.virtual != nil {
		l.spend(clock.Copy, len(dst))
	}
	if c.block.hasFailed(int(c.index[peer]), t.num) {
		return c.givenUp(int(c.index[peer]))
	}
	return nil
}

// givenUp is the error of a plan that a rank of the node has given up.
func (c *Commons) givenUp(rank int) error { return gaveUp(c.procs[rank]) }
