package comm

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/weft-mpi/weft/internal/wire"
)

// idPool hands out context numbers. A context is named after the process that leads the communicator and a
// number of that process's, so that no two live communicators of a job share one and nobody has to agree.
type idPool struct {
	mu   sync.Mutex
	next uint64
	used map[uint32]bool
}

// again marks a number that may have been used before. It is no part of it.
const again = 1 << 31

const (
	idBits     = 16 - wire.KindBits
	maxLeaders = 1 << 16
	worldID    = 0
	selfID     = 1
	lastID     = 2 // of all processes, for the end of the job
	firstID    = 3

	mostNumbers = 1<<idBits - firstID // that a process can give
)

// propose reserves a number that this process may lead a new communicator with, marked if it comes
// again. Numbers go round: one that was given back rests for as long as can be.
func (e *Env) propose() (uint32, error) {
	p := &e.ids
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used == nil {
		p.used = make(map[uint32]bool)
	}
	most := uint64(cmp.Or(e.Numbers, mostNumbers))
	if uint64(len(p.used)) >= most {
		return 0, fmt.Errorf("%w: this process leads %d communicators; free some", ErrLimit, len(p.used))
	}
	for {
		p.next++
		id := uint32(firstID + p.next%most)
		if p.used[id] {
			continue
		}
		p.used[id] = true
		if p.next > most {
			id |= again
		}
		return id, nil
	}
}

func (e *Env) withdraw(id uint32) {
	e.ids.mu.Lock()
	delete(e.ids.used, id&^again)
	e.ids.mu.Unlock()
}

// contextOf makes the context of a communicator's messages; those of its other kinds follow from it.
func contextOf(leader int, id uint32) uint32 {
	return wire.ContextOf((uint32(leader)<<idBits|id)<<wire.KindBits, wire.Messages)
}

// collectives is the context of the communicator's plans.
func (c *core) collectives() uint32 { return wire.ContextOf(c.in, wire.Collectives) }
