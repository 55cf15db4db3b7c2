package arrival

import (
	"sync"

	"github.com/weft-mpi/weft/internal/comm"
)

// record is one rank's part of one collective call, in its own time.
type record struct {
	ctx           uint32 // of the communicator
	seq           int    // number of the call on it
	op            string
	bytes         int
	site          int // index into Recorder.sites
	rank, ranks   int // of the communicator
	arrive, leave int64
}

// Recorder observes the collective calls of one rank. It may be used by several goroutines.
type Recorder struct {
	now     func() int64
	where   func() string // call site; nil if unknown
	private *comm.Comm    // for our own messages
	offset  int64         // rank 0's time minus ours
	bound   int64         // error of offset
	costs   []Cost        // rank 0: what one message costs

	mu      sync.Mutex
	limit   int
	records []record
	sites   []string
	index   map[string]int
	dropped int // calls beyond the limit
	paused  bool
}

// Limit is how many calls a rank records unless told otherwise.
const Limit = 100_000

// Arrived notes that this rank has come to a call, and returns its number for Left; -1 if it is not recorded.
func (r *Recorder) Arrived(c *comm.Comm, name string, bytes int, seq int) int {
	now := r.now()
	site := ""
	if r.where != nil {
		site = r.where()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.paused:
		return -1
	case len(r.records) >= r.limit:
		r.dropped++
		return -1
	}
	k, known := r.index[site]
	if !known {
		k = len(r.sites)
		r.sites = append(r.sites, site)
		r.index[site] = k
	}
	r.records = append(r.records, record{ctx: c.Context(), seq: seq, op: name, bytes: bytes, site: k, rank: c.Rank(), ranks: c.Size(),
		arrive: now})
	return len(r.records) - 1
}

// Left notes that this rank has left the call.
func (r *Recorder) Left(number int) {
	if number < 0 {
		return
	}
	now := r.now()
	r.mu.Lock()
	r.records[number].leave = now
	r.mu.Unlock()
}

func (r *Recorder) pause() {
	r.mu.Lock()
	r.paused = true
	r.mu.Unlock()
}
