package reuse

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/weft-mpi/weft/internal/rail/tree"
)

// Path is the way a message takes; each has thresholds of its own.
type Path uint8

// Paths.
const (
	Fast     Path = iota // written into the peer's ring of slots
	NonFast              // sent to a posted receive
	OneSided             // Put and Get
	Paths
)

// Index is how buffers are found.
type Index uint8

// Indexes.
const (
	Hash Index = iota
	Tree       // a balanced tree; it has no chains, so only Config.Entries stops its growth
)

// Defaults of Config.
const (
	DefaultSpeculate = 0.25
	DefaultAdapt     = 0.2
)

// Config says how to detect. Zero fields get the defaults.
type Config struct {
	// Thresholds is asked once, before the first decision, for it may have to measure.
	Thresholds func() Thresholds

	Index     Index
	Buckets   int     // of the hash table, a power of two; default 4096
	Chain     int     // buffers in a bucket before it counts as a chain; default 4
	Entries   int     // most buffers to count; default four per bucket
	MinBytes  int     // shorter messages are always copied; default 128
	Speculate float64 // part of a threshold after which a buffer is trusted; default DefaultSpeculate
	Keep      bool    // keep buffers alive while they are counted, so that no other one gets the address of one
	Adapt     float64 // part of the buffers that must be frequent for chains to grow; default DefaultAdapt, negative lets them grow
}

// Original is the configuration of the experiments that the mechanism comes from: 4 MB of buckets.
func Original() Config {
	return Config{Thresholds: PaperThresholds, Buckets: 1 << 20, Chain: 1}
}

// Table counts the uses of buffers. A nil Table knows none and has everything copied.
type Table struct {
	cfg     Config
	ready   bool
	enough  Thresholds // uses after which a buffer is trusted
	pays    Thresholds // uses after which its registration has paid
	entries []entry    // 0 is none
	hash    []int32    // first entry of each bucket
	shift   uint8      // 64 - log2 of the buckets
	tree    tree.Map[int32]
	kept    [][]byte // with Config.Keep
	count   Counters
}

// entry is what is known of one buffer.
type entry struct {
	addr  uintptr
	uses  uint32
	next  int32 // in its bucket
	state state
}

type state uint8

const (
	frequent state = 1 << iota // trusted: somebody was told to register it
	paid                       // used as often as its registration needed
)

// New makes an empty table. It costs next to nothing until the first buffer comes.
func New(cfg Config) (*Table, error) {
	fill(&cfg.Buckets, 1<<12)
	fill(&cfg.Chain, 4)
	fill(&cfg.Entries, 4*cfg.Buckets)
	fill(&cfg.MinBytes, 128)
	fill(&cfg.Speculate, DefaultSpeculate)
	fill(&cfg.Adapt, DefaultAdapt)
	switch b := cfg.Buckets; {
	case cfg.Thresholds == nil || cfg.Index > Tree:
		return nil, fmt.Errorf("buffer reuse: no thresholds, or no index %d", cfg.Index)
	case b < 2 || b > 1<<24 || b&(b-1) != 0:
		return nil, fmt.Errorf("buffer reuse: %d buckets; want a power of two from 2 to 2^24", b)
	case cfg.Chain < 1 || cfg.Entries < 1 || cfg.Entries > 1<<26 || cfg.MinBytes < 1:
		return nil, fmt.Errorf("buffer reuse: chains beyond %d buffers, %d entries, from %d bytes on; want positive numbers",
			cfg.Chain, cfg.Entries, cfg.MinBytes)
	case !(cfg.Speculate > 0 && cfg.Speculate <= 1) || !(cfg.Adapt <= 1):
		return nil, fmt.Errorf("buffer reuse: trust after %v of a threshold, grow with %v in frequent use; want parts of 1",
			cfg.Speculate, cfg.Adapt)
	}
	return &Table{cfg: cfg}, nil
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Min is the length of the shortest message that Use looks at; no table looks at none.
func (t *Table) Min() int {
	if t == nil {
		return math.MaxInt
	}
	return t.cfg.MinBytes
}

// Use counts a use of buf and tells whether to send from it without a copy. The caller then registers it (the
// registration cache knows it already, from the second time on), and says Refuse if that fails.
func (t *Table) Use(buf []byte, path Path) (zeroCopy bool) {
	if t == nil || len(buf) < t.cfg.MinBytes || path >= Paths {
		return false
	}
	if !t.ready {
		t.prepare()
	}
	c := class(len(buf))
	enough := t.enough[path][c]
	if enough == 0 {
		t.count.Copied++
		return false
	}
	addr := addressOf(buf)
	i := t.find(addr)
	if i == 0 {
		t.insert(addr)
		if t.cfg.Keep && !t.count.GrowthStopped {
			t.kept = append(t.kept, buf[:1:1])
		}
		t.count.Copied++
		return false
	}
	e := &t.entries[i]
	if e.uses < math.MaxUint32 {
		e.uses++
	}
	if e.uses < enough {
		t.count.Copied++
		return false
	}
	t.trust(e, t.pays[path][c])
	t.count.ZeroCopy++
	t.count.CopiesAvoidedBytes += uint64(len(buf))
	return true
}

// prepare gets the thresholds.
func (t *Table) prepare() {
	t.ready = true
	t.pays = t.cfg.Thresholds()
	for p := range t.pays {
		for c, n := range t.pays[p] {
			t.enough[p][c] = uint32(math.Ceil(t.cfg.Speculate * float64(n)))
		}
	}
}

// trust marks an entry as frequent, and as paid once it has been used so often.
func (t *Table) trust(e *entry, pays uint32) {
	if e.state&frequent == 0 {
		e.state |= frequent
		t.count.Frequent++
		t.count.Registrations++
		t.count.Wasted++
	}
	if e.state&paid == 0 && e.uses >= pays {
		e.state |= paid
		t.count.Wasted--
	}
}

// Refuse says that buf could not be registered after Use wanted it. It is copied until it has been used as often again.
func (t *Table) Refuse(buf []byte) {
	if t == nil {
		return
	}
	i := t.find(addressOf(buf))
	if i == 0 || t.entries[i].state&frequent == 0 {
		return
	}
	e := &t.entries[i]
	if e.state&paid == 0 {
		t.count.Wasted--
	}
	t.count.Frequent--
	t.count.Registrations--
	t.count.Refused++
	t.count.ZeroCopy--
	t.count.Copied++
	t.count.CopiesAvoidedBytes -= uint64(len(buf))
	e.uses, e.state = 0, 0
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
