package stripe

import "math"

// network is a few paths in virtual time, each of which moves its pieces one after the other at a rate of its own.
type network struct {
	t     fataler
	s     *Scheduler
	now   int64
	rates []float64 // bytes per nanosecond; 0 stands still
	lanes [][]flying
	all   []*sending
}

// flying is a piece on a path.
type flying struct {
	of   *sending
	p    Piece
	ends int64
}

// sending is a transfer with a tally of its bytes.
type sending struct {
	x       Transfer
	arrived []uint8 // times, by byte
	given   [MaxPaths]int
	longest int // piece
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// know has the scheduler know rates as if it had measured them.
func know(s *Scheduler, rates ...float64) {
	for i, r := range rates {
		s.paths[i].moved, s.paths[i].busy = r, 1
	}
}

func newNetwork(t fataler, cfg Config, rates ...float64) *network {
	t.Helper()
	cfg.Paths = len(rates)
	s, err := New(cfg)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return &network{t: t, s: s, rates: rates, lanes: make([][]flying, len(rates))}
}

// start begins a transfer and posts what can be posted.
func (w *network) start(n int) *sending {
	d := &sending{arrived: make([]uint8, n)}
	w.s.Start(&d.x, n)
	w.all = append(w.all, d)
	w.post()
	return d
}

// post posts as much as the scheduler gives out.
func (w *network) post() {
	for _, d := range w.all {
		for p, ok := w.s.Next(&d.x, w.now); ok; p, ok = w.s.Next(&d.x, w.now) {
			begins := w.now
			if lane := w.lanes[p.Path]; len(lane) > 0 {
				begins = max(begins, lane[len(lane)-1].ends)
			}
			w.lanes[p.Path] = append(w.lanes[p.Path], flying{d, p, begins + int64(float64(p.Len)/w.rates[p.Path])})
			if len(w.lanes[p.Path]) > w.s.cfg.Window {
				w.t.Fatalf("%d pieces under way on path %d", len(w.lanes[p.Path]), p.Path)
			}
			d.given[p.Path] += p.Len
			d.longest = max(d.longest, p.Len)
		}
	}
}

// step lets time pass until a piece arrives, and tells whether one could.
func (w *network) step() bool {
	best, first := -1, int64(math.MaxInt64)
	for i, lane := range w.lanes {
		if len(lane) > 0 && lane[0].ends < first && w.rates[i] > 0 {
			best, first = i, lane[0].ends
		}
	}
	if best < 0 {
		return false
	}
	w.now = max(w.now, first)
	f := w.take(best)
	for b := f.p.Off; b < f.p.Off+f.p.Len; b++ {
		f.of.arrived[b]++
	}
	w.s.Done(&f.of.x, f.p, w.now)
	w.post()
	return true
}

func (w *network) take(path int) flying {
	f := w.lanes[path][0]
	w.lanes[path] = w.lanes[path][1:]
	return f
}

// kill has a path and everything on it fail.
func (w *network) kill(path int) {
	w.s.Down(path)
	for len(w.lanes[path]) > 0 {
		f := w.take(path)
		f.of.given[path] -= f.p.Len
		w.s.Fail(&f.of.x, f.p)
	}
	w.post()
}

// run steps until nothing moves any more.
func (w *network) run() {
	for w.step() {
	}
}

// check holds what arrived of all transfers against the promise: each byte once.
func (w *network) check() {
	for k, d := range w.all {
		if !d.x.Finished() {
			w.t.Fatalf("transfer %d is not finished: %d of %d bytes are left", k, d.x.left, d.x.n)
		}
		for i, times := range d.arrived {
			if times != 1 {
				w.t.Fatalf("byte %d of transfer %d arrived %d times", i, k, times)
			}
		}
		sum := 0
		for _, n := range d.given {
			sum += n
		}
		if sum != len(d.arrived) {
			w.t.Fatalf("%d bytes given out of %d", sum, len(d.arrived))
		}
	}
	for i := range w.s.paths {
		if p := &w.s.paths[i]; p.pieces != 0 || p.bytes != 0 {
			w.t.Fatalf("path %d still counts %d pieces, %d bytes", i, p.pieces, p.bytes)
		}
	}
}
