package stripe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestEveryByteOnce: whatever the rates, sizes and mode, however paths die and come back while transfers run.
func TestEveryByteOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := rapid.SliceOfN(rapid.Float64Range(0.01, 10), 1, MaxPaths).Draw(t, "rates")
		w := newNetwork(t, Config{
			Mode: Mode(rapid.IntRange(0, 2).Draw(t, "mode")), Min: rapid.IntRange(1, 2000).Draw(t, "min"),
			Chunk: rapid.IntRange(1, 3000).Draw(t, "chunk"), Window: rapid.IntRange(1, 5).Draw(t, "window"),
		}, rates...)
		path := rapid.IntRange(0, len(rates)-1)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "op") {
			case 0:
				w.start(rapid.IntRange(0, 20_000).Draw(t, "bytes"))
			case 1:
				w.kill(path.Draw(t, "down"))
			case 2:
				w.s.Up(path.Draw(t, "up"))
				w.post()
			default:
				w.step()
			}
		}
		for i := range rates {
			w.s.Up(i)
		}
		w.post()
		w.run()
		w.check()
	})
}

// TestEqual: paths of equal rates carry equal numbers of bytes of each message, within one piece, and nobody steals.
func TestEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := make([]float64, rapid.IntRange(2, MaxPaths).Draw(t, "paths"))
		for i := range rates {
			rates[i] = rapid.Float64Range(1, 1.05).Draw(t, "rate")
		}
		w := newNetwork(t, Config{Chunk: 4096}, rates...)
		for range rapid.IntRange(1, 4).Draw(t, "messages") {
			d := w.start(rapid.IntRange(1025, 300_000).Draw(t, "bytes"))
			w.run()
			least, most := len(d.arrived), 0
			for _, n := range d.given[:len(rates)] {
				least, most = min(least, n), max(most, n)
			}
			if most-least > d.longest || d.longest > 4096 {
				t.Fatalf("bytes by path %v, the longest piece has %d", d.given[:len(rates)], d.longest)
			}
		}
		w.check()
		if n := w.s.Counters(); n.Stolen != 0 {
			t.Fatalf("%+v", n)
		}
	})
}

// TestShortPieces: how long a short piece takes says nothing about a path's rate.
func TestShortPieces(t *testing.T) {
	for _, bytes := range []int{10, 1026, 10_000} {
		w := newNetwork(t, Config{}, 1, 1)
		w.start(bytes)
		for path := range w.lanes {
			for len(w.lanes[path]) > 0 {
				f := w.take(path)
				w.s.Done(&f.of.x, f.p, int64(1000*(path+1)))
			}
		}
		if w.s.Rate(0) != 0 || w.s.Rate(1) != 0 {
			t.Errorf("rates %v and %v from a message of %d bytes", w.s.Rate(0), w.s.Rate(1), bytes)
		}
	}
}

// TestShort: up to Min bytes a message is one piece; pieces take turns.
func TestShort(t *testing.T) {
	w := newNetwork(t, Config{}, 1, 1, 1)
	for range 30 {
		d := w.start(1024)
		w.run()
		if d.longest != 1024 {
			t.Fatalf("a message of 1 KB was cut: %v", d.given)
		}
	}
	w.check()
	want := Counters{Whole: 30}
	for i := range 3 {
		want.Bytes[i], want.Pieces[i] = 10*1024, 10
	}
	if diff := cmp.Diff(want, w.s.Counters()); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	if d := w.start(1025); d.longest > 384 || d.given[0] == 0 || d.given[1] == 0 || d.given[2] == 0 {
		t.Errorf("1025 bytes: %v", d.given)
	}
}

// TestProportional: paths of unequal rates carry shares like their rates, and end at about the same time.
func TestProportional(t *testing.T) {
	for _, rates := range [][]float64{{1, 3}, {1, 10}, {2, 1, 1}, {1, 2, 3, 4}} {
		w := newNetwork(t, Config{Chunk: 4096}, rates...)
		w.start(1 << 18) // learns the rates
		w.run()
		begin, sum := w.now, 0.0
		for _, r := range rates {
			sum += r
		}
		const bytes = 4 << 20
		d := w.start(bytes)
		w.run()
		w.check()
		for i, r := range rates {
			if share, want := float64(d.given[i])/bytes, r/sum; share < 0.9*want-0.002 || share > 1.1*want+0.002 {
				t.Errorf("rates %v: path %d carried %.3f of all, want %.3f", rates, i, share, want)
			}
		}
		if took, ideal := float64(w.now-begin), bytes/sum; took > 1.03*ideal+4096/rates[0] {
			t.Errorf("rates %v: took %.0f ns, ideal is %.0f", rates, took, ideal)
		}
	}
}

// TestUnknownRates: already the first long message is not held up by a slow path.
func TestUnknownRates(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 0.1)
	w.start(1 << 20)
	w.run()
	w.check()
	if ideal := (1 << 20) / 1.1; float64(w.now) > 1.15*ideal {
		t.Errorf("took %d ns, ideal is %.0f", w.now, ideal)
	}
	known := newNetwork(t, Config{Chunk: 4096}, 1, 0.1)
	know(known.s, 1, 0.1)
	known.start(1 << 20)
	known.run()
	if n := known.s.Counters(); n.Bytes[1] > 1<<20/9 || known.now > w.now {
		t.Errorf("with rates known it took %d ns, without %d; %+v", known.now, w.now, n)
	}
}

// TestLastPiece: a slow path does not take a piece that the fast ones would be done with before.
func TestLastPiece(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 0.01)
	know(w.s, 1, 0.01)
	d := w.start(4096 * 20)
	w.run()
	if d.given[1] != 0 {
		t.Errorf("the slow path got %d bytes, which took it %d ns", d.given[1], w.now)
	}
}

// TestRateChanges: a path that becomes slow gets less of the same message.
func TestRateChanges(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 1)
	d := w.start(4 << 20)
	for range 100 {
		w.step()
	}
	before := d.given
	w.rates[1] = 0.25
	w.run()
	w.check()
	if a, b := float64(d.given[0]-before[0]), float64(d.given[1]-before[1]); a < 3*b || a > 5*b {
		t.Errorf("afterwards the paths carried %v and %v bytes", a, b)
	}
}

// TestStuck: a path that stands still without an error holds up nothing but the pieces it has, and these go elsewhere
// once it is declared dead.
func TestStuck(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 1, 1)
	w.start(1 << 18)
	w.run()
	d := w.start(1 << 20)
	for range 20 {
		w.step()
	}
	w.rates[2] = 0
	w.run()
	if stuck := len(w.lanes[2]); stuck == 0 || d.x.left != 4096*stuck {
		t.Fatalf("%d bytes are left, %d pieces are stuck", d.x.left, stuck)
	}
	w.kill(2)
	w.run()
	w.check()
	if n := w.s.Counters(); n.Returned == 0 || n.Downs != 1 {
		t.Errorf("%+v", n)
	}
}

// TestLate: a path that has not moved in twice the time it should take gets nothing, even if it has room.
func TestLate(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096, Window: 8}, 1, 1)
	w.start(1 << 18)
	w.run()
	var x Transfer
	w.s.Start(&x, 1<<20)
	a, _ := w.s.Next(&x, w.now)
	b, _ := w.s.Next(&x, w.now)
	w.s.Done(&x, a, w.now+4096)
	next := func(now int64) int {
		p, ok := w.s.Next(&x, now)
		if !ok {
			t.Fatal("nobody takes a piece")
		}
		w.s.Fail(&x, p)
		return p.Path
	}
	x.given[a.Path] += 1 << 16 // the other one's turn for long
	if got := next(w.now + 8192); got != b.Path {
		t.Errorf("path %d at the last moment", got)
	}
	if got := next(w.now + 8400); got != a.Path {
		t.Errorf("path %d although it is late", got)
	}
	w.s.Done(&x, b, w.now+9000)
	if got := next(w.now + 9000); got != b.Path {
		t.Errorf("path %d after it moved", got)
	}
}

// TestProbation: a path that came back gets one piece of 16, one at a time, until four have arrived.
func TestProbation(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 1)
	w.kill(1)
	w.start(1 << 18)
	w.run()
	if w.s.Counters().Bytes[1] != 0 {
		t.Fatal("a dead path was used")
	}
	w.s.Up(1)
	w.s.Up(0) // was not down
	before := w.s.Counters().Pieces
	w.start(16 * 4096)
	if got := w.s.Counters().Pieces[1]; got != 0 {
		t.Errorf("%d pieces at once", got)
	}
	w.run()
	w.start(1 << 20)
	for w.s.paths[1].state == probation {
		if len(w.lanes[1]) > 1 {
			t.Fatal("two pieces on a path on probation")
		}
		w.step()
	}
	n := w.s.Counters()
	if all := n.Pieces[0] - before[0] + 4; n.Probes != 4 || all < 4*16 || all > 5*16 {
		t.Errorf("%d pieces until the end of probation: %+v", all, n)
	}
	w.run()
	w.check()
	if now := w.s.Counters(); now.Pieces[1] < 50 {
		t.Errorf("afterwards: %+v", now)
	}
}

// TestOnlyProbation: if no path is up, those on probation carry everything; if all are down, nobody does.
func TestOnlyProbation(t *testing.T) {
	w := newNetwork(t, Config{Chunk: 4096}, 1, 1)
	w.kill(0)
	w.kill(1)
	w.s.Down(1)
	if w.s.Usable() != 0 {
		t.Error("a dead path is used")
	}
	d := w.start(1 << 18)
	short := w.start(10)
	if w.run(); d.x.left != 1<<18 || short.x.Finished() {
		t.Fatal("something went over dead paths")
	}
	w.s.Up(0)
	if w.s.Usable() != 1 {
		t.Error("the only path is not used")
	}
	w.post()
	w.run()
	w.check()
	if n := w.s.Counters(); n.Downs != 2 || n.Bytes[1] != 0 {
		t.Errorf("%+v", n)
	}
}

// TestEven: one piece per path, equal within a byte, whatever the rates; a dead path's piece goes elsewhere, whole.
func TestEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, MaxPaths).Draw(t, "paths")
		rates := rapid.SliceOfN(rapid.Float64Range(0.1, 10), k, k).Draw(t, "rates")
		w := newNetwork(t, Config{Mode: Even}, rates...)
		for range 3 {
			n := rapid.IntRange(1025, 100_000).Draw(t, "bytes")
			d := w.start(n)
			w.run()
			for i, got := range d.given[:k] {
				if got != n/k && got != (n+k-1)/k {
					t.Fatalf("path %d got %d of %d bytes over %d paths", i, got, n, k)
				}
			}
		}
		w.start(50_000)
		w.kill(0)
		w.run()
		w.check()
		if n := w.s.Counters(); n.Returned != 1 || n.Cut != 4 || n.Stolen != 0 {
			t.Fatalf("%+v", n)
		}
	})
}

// TestMultiplex: whole messages in turn, however long.
func TestMultiplex(t *testing.T) {
	w := newNetwork(t, Config{Mode: Multiplex}, 1, 1)
	for range 10 {
		w.start(100_000)
		w.run()
	}
	w.check()
	if n := w.s.Counters(); n.Pieces[0] != 5 || n.Pieces[1] != 5 || n.Whole != 10 {
		t.Errorf("%+v", n)
	}
}

// TestPieces: the length of pieces follows from the message, the chunk and whether rates differ.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		cfg   Config
		rates []float64
		bytes int
		want  int
	}{
		{Config{}, nil, 2048, 1024}, {Config{}, nil, 2050, 1088}, {Config{}, nil, 1 << 20, 256 << 10}, {Config{Chunk: 1000}, nil, 1 << 20, 1024},
		{Config{}, []float64{10, 5}, 1 << 20, 64 << 10}, {Config{}, []float64{10, 5}, 20_000, 8192},
		{Config{}, []float64{10, 10}, 20_000, 10048}, {Config{}, []float64{110, 100}, 20_000, 10048},
		{Config{}, []float64{111, 100}, 20_000, 8192}, {Config{}, []float64{7}, 20_000, 10048}, {Config{Min: 10}, nil, 100, 50},
	} {
		w := newNetwork(t, c.cfg, 1, 1)
		know(w.s, c.rates...)
		d := w.start(c.bytes)
		if d.longest != c.want {
			t.Errorf("%+v: pieces of %d bytes for %d, want %d", c.cfg, d.longest, c.bytes, c.want)
		}
	}
}

// TestRate: bytes over busy time; idle time does not count, and completions seen together count as one.
func TestRate(t *testing.T) {
	s, err := New(Config{Paths: 2, Chunk: 1000, Window: 2})
	if err != nil {
		t.Fatal(err)
	}
	var x Transfer
	s.Start(&x, 100_000)
	post := func(now int64) (a, b Piece) {
		for range 4 {
			p, _ := s.Next(&x, now)
			if p.Path == 0 {
				a, b = b, p
			} else {
				s.Fail(&x, p)
				s.Down(1)
			}
		}
		return a, b
	}
	if s.Rate(0) != 0 {
		t.Error("a rate from nothing")
	}
	now := int64(0)
	for range 30 {
		a, b := post(now)
		now += int64(a.Len + b.Len) // one byte per nanosecond
		s.Done(&x, a, now)
		s.Done(&x, b, now)
		now += 1_000_000 // idle
	}
	if r := s.Rate(0); r < 0.9 || r > 1.1 {
		t.Errorf("rate %v, want 1", r)
	}
}

func TestConfig(t *testing.T) {
	for _, cfg := range []Config{{}, {Paths: 9}, {Paths: 2, Mode: 3},
		{Paths: 1, Min: -1}, {Paths: 1, Chunk: -1}, {Paths: 1, Window: -1}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v: no error", cfg)
		}
	}
}

// TestAllocatesNothing holds the hot path to its promise.
func TestAllocatesNothing(t *testing.T) {
	s, err := New(Config{Paths: 4})
	if err != nil {
		t.Fatal(err)
	}
	var x Transfer
	now := int64(0)
	if n := testing.AllocsPerRun(100, func() { whole(s, &x, &now) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// whole runs one transfer of 8 MB whose pieces arrive at once.
func whole(s *Scheduler, x *Transfer, now *int64) {
	s.Start(x, 8<<20)
	for !x.Finished() {
		p, _ := s.Next(x, *now)
		*now += 1000
		s.Done(x, p, *now)
	}
}

func BenchmarkPiece(b *testing.B) {
	s, err := New(Config{Paths: 2})
	if err != nil {
		b.Fatal(err)
	}
	var x Transfer
	now := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		whole(s, &x, &now)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*32), "ns/piece")
}
