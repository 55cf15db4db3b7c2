package stripe

import (
	"fmt"
	"math"
)

// MaxPaths is how many paths two peers can have.
const MaxPaths = 8

// Mode is how long messages use the paths.
type Mode uint8

// Modes.
const (
	Adaptive  Mode = iota // cut into pieces as paths have room for them
	Even                  // cut into one piece per path, all equally long
	Multiplex             // not cut: whole messages, round robin
)

// Config describes the paths. Zero fields other than Paths get the defaults.
type Config struct {
	Paths  int  // 1 to MaxPaths, all up
	Mode   Mode //
	Min    int  // longest message that is not cut; default 1 KB
	Chunk  int  // longest piece in mode Adaptive; default 256 KB
	Window int  // pieces under way on a path at most; default 4
	Most   int  // longest piece in any mode; default: whatever comes
}

const (
	leastChunk = 8 << 10 // paths of unequal rates do not get shorter pieces than this
	align      = 64      // pieces begin at multiples of this, as far as they can
	probeEvery = 16      // one piece in so many goes to a path on probation
	probeGood  = 4       // so many must arrive
)

// state of a path.
type state uint8

const (
	up state = iota
	probation
	down
)

// path is what is known of one path.
type path struct {
	state  state
	good   int     // pieces that arrived while on probation
	pieces int     // under way
	bytes  int     // of them
	since  int64   // last completion, or when the first of the pieces under way was posted
	moved  float64 // bytes of late, older ones counting less
	busy   float64 // nanoseconds for them
}

// Scheduler chooses paths for the transfers to one peer.
type Scheduler struct {
	cfg     Config
	paths   [MaxPaths]path
	ups     int // paths that are up
	turn    int // where round robin goes on
	untried int // pieces since the last one for a path on probation
	count   Counters
}

// New makes a scheduler.
func New(cfg Config) (*Scheduler, error) {
	fill(&cfg.Min, 1<<10)
	fill(&cfg.Chunk, 256<<10)
	fill(&cfg.Window, 4)
	fill(&cfg.Most, math.MaxInt)
	if cfg.Paths < 1 || cfg.Paths > MaxPaths || cfg.Mode > Multiplex {
		return nil, fmt.Errorf("striping: %d paths in mode %d; want 1 to %d paths", cfg.Paths, cfg.Mode, MaxPaths)
	}
	if cfg.Min < 1 || cfg.Chunk < 1 || cfg.Window < 1 || cfg.Most < 1 {
		return nil, fmt.Errorf("striping: above %d bytes, in pieces of %d and at most %d, %d under way; want positive numbers",
			cfg.Min, cfg.Chunk, cfg.Most, cfg.Window)
	}
	return &Scheduler{cfg: cfg, ups: cfg.Paths}, nil
}

func fill(field *int, value int) {
	if *field == 0 {
		*field = value
	}
}

// Down takes a path out of service. Its pieces under way come back by Fail, as the caller learns of them.
func (s *Scheduler) Down(path int) {
	p := &s.paths[path]
	if p.state == down {
		return
	}
	if p.state == up {
		s.ups--
	}
	p.state = down
	s.count.Downs++
}

// Up takes a path back that was down, on probation at first. What was measured of its rate is forgotten.
func (s *Scheduler) Up(path int) {
	if p := &s.paths[path]; p.state == down {
		p.state, p.good, p.moved, p.busy = probation, 0, 0, 0
		s.untried = 0
	}
}

// Open puts a path into service that was down because it was not there yet: without probation.
func (s *Scheduler) Open(path int) {
	if p := &s.paths[path]; p.state == down {
		p.state = up
		s.ups++
	}
}

// Usable is how many paths a transfer would be cut over now; with 0, no piece can go anywhere.
func (s *Scheduler) Usable() (n int) {
	for i := range s.cfg.Paths {
		if s.usable(i) {
			n++
		}
	}
	return n
}

// usable tells whether a path takes its full share: it is up, or on probation and none is up.
func (s *Scheduler) usable(i int) bool {
	return s.paths[i].state == up || s.paths[i].state == probation && s.ups == 0
}

// room tells whether a path takes one more piece.
func (s *Scheduler) room(i int) bool { return s.paths[i].pieces < s.cfg.Window }

// posted keeps count for those on probation.
func (s *Scheduler) posted(i int) {
	s.untried++
	if i >= 0 && s.paths[i].state == probation {
		s.untried = 0
		s.count.Probes++
	}
}

// robin is the next path in turn that fits, or -1.
func (s *Scheduler) robin(fits func(int) bool) int {
	for k := range s.cfg.Paths {
		if i := (s.turn + k) % s.cfg.Paths; fits(i) {
			s.turn = (i + 1) % s.cfg.Paths
			return i
		}
	}
	return -1
}

// probe is a path on probation whose turn it is, or -1.
func (s *Scheduler) probe() int {
	if s.untried < probeEvery-1 {
		return -1
	}
	for i := range s.cfg.Paths {
		if p := &s.paths[i]; p.state == probation && p.pieces == 0 {
			return i
		}
	}
	return -1
}

// Counters prove what the scheduler did since it was made.
type Counters struct {
	Whole    uint64           // transfers that were not cut
	Cut      uint64           // transfers that were
	Stolen   uint64           // pieces that an idle path took out of turn
	Returned uint64           // pieces that failed
	Downs    uint64           // times a path went down
	Probes   uint64           // pieces and messages for paths on probation
	Bytes    [MaxPaths]uint64 // of pieces given to each path
	Pieces   [MaxPaths]uint64
}

// Counters returns what was counted so far.
func (s *Scheduler) Counters() Counters { return s.count }
