package stripe

import "testing"

// TestOutOfTurn: an idle path takes a piece while the right one is full exactly if it will be done before
// the other could be with all that is left. It is ten times slower here, so that is the case from ten
// pieces on.
func TestOutOfTurn(t *testing.T) {
	for fast, rates := range [][]float64{{10, 1}, {1, 10}} {
		for pieces, steals := range map[int]bool{9: false, 10: true} {
			s, err := New(Config{Paths: 2, Chunk: leastChunk, Window: 2})
			if err != nil {
				t.Fatal(err)
			}
			know(s, rates...)
			var x Transfer
			s.Start(&x, pieces*leastChunk)
			for range 2 {
				if p, ok := s.Next(&x, 0); !ok || p.Path != fast {
					t.Fatalf("rates %v: path %d, %v", rates, p.Path, ok)
				}
			}
			p, ok := s.Next(&x, 0)
			if ok != steals || (s.Counters().Stolen == 1) != steals {
				t.Fatalf("rates %v, %d pieces: taken %v, %+v", rates, pieces, ok, s.Counters())
			}
			if !ok {
				continue
			}
			s.Fail(&x, p) // what failed is left, too
			if p, ok = s.Next(&x, 0); !ok || p.Path == fast {
				t.Fatalf("rates %v: after a failure taken %v by path %d", rates, ok, p.Path)
			}
			if p, ok = s.Next(&x, 0); ok {
				t.Fatalf("rates %v: path %d takes a second piece out of turn", rates, p.Path)
			}
		}
	}
}

// TestNearlyEqual: rates within a tenth of each other are equal.
func TestNearlyEqual(t *testing.T) {
	w := newNetwork(t, Config{Chunk: leastChunk}, 1.08, 1)
	w.start(16 * leastChunk)
	w.run()
	d := w.start(48 * leastChunk)
	w.run()
	w.check()
	if d.given[0] != d.given[1] {
		t.Errorf("bytes by path %v", d.given[:2])
	}
}

// TestEitherOnProbation: the first path is tried like any other.
func TestEitherOnProbation(t *testing.T) {
	for path := range 2 {
		w := newNetwork(t, Config{Chunk: 4096}, 1, 1)
		w.s.Down(path)
		w.s.Up(path)
		w.start(64 * 4096)
		w.run()
		w.check()
		if n := w.s.Counters(); n.Probes != 4 || n.Pieces[path] != 4 {
			t.Errorf("path %d: %+v", path, n)
		}
	}
}

// TestOpen: a path that was not there yet takes its full share at once; one that is there is left alone.
func TestOpen(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 1)
	w.s.Down(0)
	w.s.Down(1)
	w.s.Open(0)
	w.s.Open(0)
	w.s.Open(1)
	if d := w.start(8 * 4096); w.s.ups != 2 || d.given[0] != d.given[1] {
		t.Errorf("%d paths are up and got %v", w.s.ups, d.given[:2])
	}
}

// TestStartOn: a message that is not cut takes the path that it shall take and waits for room there, unless
// the path is down; one that has come back may be tried by it.
func TestStartOn(t *testing.T) {
	s, err := New(Config{Paths: 3, Min: 1000, Window: 2})
	if err != nil {
		t.Fatal(err)
	}
	next := func(n, path int) int {
		var x Transfer
		s.StartOn(&x, n, path)
		p, ok := s.Next(&x, 0)
		if !ok {
			return -1
		}
		return p.Path
	}
	for i, want := range []int{1, 1, -1} { // two have room
		if got := next(1000, 1); got != want {
			t.Errorf("message %d takes path %d, not %d", i, got, want)
		}
	}
	if got := next(1000, -1); got != 0 {
		t.Errorf("a message that may take any path takes %d", got)
	}
	var long Transfer
	if s.StartOn(&long, 3001, 1); long.on != 0 {
		t.Error("a message that is cut is bound to a path")
	}
	if s.StartWhole(&long, 3001, 1); long.on != 2 || !long.whole || long.unit < 3001 {
		t.Errorf("a message that must not be cut: %+v", long)
	}
	s.Down(2)
	if got := next(1000, 2); got < 0 || got == 2 {
		t.Errorf("with path 2 down, a message for it takes %d", got)
	}
	s.Up(2)
	if first, second := next(1000, 2), next(1000, 2); first != 2 || second == 2 {
		t.Errorf("path 2 is back, and messages for it take %d and %d", first, second)
	}
}
