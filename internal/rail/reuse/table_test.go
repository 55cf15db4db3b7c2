package reuse

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newTable(t fataler, cfg Config) *Table {
	t.Helper()
	if cfg.Thresholds == nil {
		cfg.Thresholds = PaperThresholds
	}
	table, err := New(cfg)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return table
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// always needs n uses for whatever length and path.
func always(n uint32) func() Thresholds {
	return func() (t Thresholds) {
		for p := range t {
			for c := range t[p] {
				t[p][c] = n
			}
		}
		return t
	}
}

// firstZeroCopy is the number of the first use that is not copied, or 0 if the first 2000 are.
func firstZeroCopy(table *Table, buf []byte, path Path) int {
	for n := 1; n <= 2000; n++ {
		if table.Use(buf, path) {
			return n
		}
	}
	return 0
}

// TestPaper: with the published thresholds a buffer of 4 KB is registered at its 15th use, and so on.
func TestPaper(t *testing.T) {
	for _, c := range []struct {
		bytes     int
		path      Path
		speculate float64
		want      int
	}{
		{4096, Fast, 0, 15}, {4096, Fast, 0.5, 30}, {4096, Fast, 1, 60}, {4096, NonFast, 0, 24}, {4096, OneSided, 0, 14},
		{127, Fast, 0, 0}, {128, Fast, 0, 108}, {512, Fast, 0, 108}, {1023, NonFast, 0, 392}, {512, OneSided, 0, 49},
		{1024, Fast, 0, 50}, {2048, Fast, 0, 28}, {3072, Fast, 0, 19}, {5120, Fast, 0, 12}, {6144, Fast, 0, 10},
		{7168, Fast, 0, 9}, {8192, Fast, 0, 8}, {5119, Fast, 0, 15}, {9000, Fast, 0, 8}, {1 << 20, Fast, 0, 8},
		{8192, NonFast, 0, 13}, {8192, OneSided, 0, 7}, {4096, Paths, 0, 0},
	} {
		for _, index := range []Index{Hash, Tree} {
			table := newTable(t, Config{Speculate: c.speculate, Index: index})
			if got := firstZeroCopy(table, make([]byte, c.bytes), c.path); got != c.want {
				t.Errorf("%d bytes, path %d, trust after %v: use %d is the first without a copy, want %d", c.bytes, c.path, c.speculate, got, c.want)
			}
		}
	}
	table := newTable(t, Original())
	if got := firstZeroCopy(table, make([]byte, 4096), Fast); got != 15 || len(table.hash) != 1<<20 {
		t.Errorf("use %d of the original table with %d buckets", got, len(table.hash))
	}
}

// TestCounters: copies avoided are the uses from the threshold on; a registration is wasted until it has paid.
func TestCounters(t *testing.T) {
	table := newTable(t, Config{})
	long, short, tiny := make([]byte, 4096), make([]byte, 1000), make([]byte, 100)
	for range 59 {
		table.Use(long, Fast)
	}
	for range 108 {
		table.Use(short, Fast)
	}
	table.Use(tiny, Fast)
	want := Counters{Entries: 2, Frequent: 2, ZeroCopy: 45 + 1, Copied: 14 + 107, CopiesAvoidedBytes: 45*4096 + 1000, Registrations: 2, Wasted: 2}
	if diff := cmp.Diff(want, table.Counters()); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	table.Use(long, Fast)
	if n := table.Counters(); n.Wasted != 1 {
		t.Errorf("%d wasted after one has paid", n.Wasted)
	}
}

// TestLengths: the threshold is that of the length in use, the count is that of the address.
func TestLengths(t *testing.T) {
	table := newTable(t, Config{})
	b := make([]byte, 8192)
	for range 8 {
		table.Use(b[:4096], Fast)
	}
	if !table.Use(b, Fast) || table.Use(b[:4096], Fast) || table.Use(b[1:], Fast) {
		t.Error("want the ninth use of 8 KB without a copy, the tenth of 4 KB copied, and another address copied")
	}
}

// TestManyUses: a count that cannot grow any more stays where it is.
func TestManyUses(t *testing.T) {
	table := newTable(t, Config{})
	b := make([]byte, 4096)
	table.Use(b, Fast)
	table.entries[table.find(addressOf(b))].uses = math.MaxUint32 - 1
	for range 3 {
		if !table.Use(b, Fast) {
			t.Error("a buffer used four billion times is copied")
		}
	}
}

// TestNever: where searching costs more than copying, the table is not even asked.
func TestNever(t *testing.T) {
	table := newTable(t, Config{Thresholds: always(0)})
	if got := firstZeroCopy(table, make([]byte, 4096), Fast); got != 0 || table.Counters().Entries != 0 || table.Counters().Copied != 2000 {
		t.Errorf("use %d, %+v", got, table.Counters())
	}
	var none *Table
	none.Refuse(nil)
	if none.Use(make([]byte, 4096), Fast) || none.Counters() != (Counters{}) {
		t.Error("no table, and yet no copy")
	}
}

// TestLazy: thresholds are asked for once, by the first message that could profit.
func TestLazy(t *testing.T) {
	asked := 0
	table := newTable(t, Config{Thresholds: func() Thresholds { asked++; return PaperThresholds() }})
	table.Use(make([]byte, 127), Fast)
	if asked != 0 || table.hash != nil {
		t.Error("measured for a message that is always copied")
	}
	for range 3 {
		table.Use(make([]byte, 128), Fast)
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

// TestRefuse: a buffer that could not be registered is copied until it was used as often again.
func TestRefuse(t *testing.T) {
	table := newTable(t, Config{})
	b := make([]byte, 4096)
	table.Refuse(b)
	firstZeroCopy(table, b, Fast)
	table.Refuse(b)
	table.Refuse(b)
	want := Counters{Entries: 1, Copied: 15, Refused: 1}
	if diff := cmp.Diff(want, table.Counters()); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
	if got := firstZeroCopy(table, b, Fast); got != 15 {
		t.Errorf("tried again at use %d", got)
	}
	for range 60 {
		table.Use(b, Fast)
	}
	table.Refuse(b) // after it has paid
	if n := table.Counters(); n.Wasted != 0 || n.Frequent != 0 || n.Refused != 2 {
		t.Errorf("%+v", n)
	}
}

// colliding are n buffers of one bucket of the table, which has a buffer in another one.
func colliding(table *Table, n int) (bufs [][]byte) {
	one := make([]byte, 128)
	table.Use(one, Fast) // makes the buckets
	first := elsewhere(table, one)
	memory := make([]byte, 1<<20)
	for i := 0; len(bufs) < n; i += 128 {
		if b := memory[i : i+128]; table.bucket(addressOf(b)) == table.bucket(addressOf(first)) {
			bufs = append(bufs, b)
		}
	}
	return bufs
}

// elsewhere is a buffer of another bucket than b's.
func elsewhere(table *Table, b []byte) []byte {
	memory := make([]byte, 1<<16)
	for i := 0; ; i += 128 {
		if other := memory[i : i+128]; table.bucket(addressOf(other)) != table.bucket(addressOf(b)) {
			return other
		}
	}
}

// TestAdaptation: the table is frozen by the first chain if less than a fifth of the buffers are frequent, and only
// then; what is in the table stays usable.
func TestAdaptation(t *testing.T) {
	for _, c := range []struct {
		frequent, others int
		stops            bool
	}{{0, 10, true}, {1, 10, true}, {2, 10, true}, {3, 13, true}, {3, 12, false}, {13, 0, false}} {
		table := newTable(t, Config{Buckets: 64, Chain: 2, Thresholds: always(4), Speculate: 1})
		bufs := colliding(table, 5) // and one buffer elsewhere
		table.count.Entries = 0     // does not count
		table.Use(bufs[0], Fast)
		table.Use(bufs[1], Fast)
		table.count.Entries = uint64(c.frequent + c.others) // as if there were others in other buckets
		table.count.Frequent = uint64(c.frequent)
		table.Use(bufs[2], Fast)
		n := table.Counters()
		if n.GrowthStopped != c.stops || (n.Chains == 0) != c.stops || (table.find(addressOf(bufs[2])) == 0) != c.stops {
			t.Errorf("%+v: %+v", c, n)
		}
		other := elsewhere(table, bufs[0])
		table.Use(other, Fast)
		if (table.find(addressOf(other)) == 0) != c.stops {
			t.Errorf("%+v: a buffer for an empty bucket was treated wrongly", c)
		}
		if got := firstZeroCopy(table, bufs[0], Fast); got != 3 {
			t.Errorf("%+v: an old buffer is trusted after %d uses more, want 3", c, got)
		}
	}
	table := newTable(t, Config{Buckets: 64, Chain: 2, Adapt: -1})
	for _, b := range colliding(table, 5) {
		table.Use(b, Fast)
	}
	if n := table.Counters(); n.GrowthStopped || n.Chains != 3 || n.Entries != 6 {
		t.Errorf("without adaptation: %+v", n)
	}
}

// TestLowReuse: a program that hardly uses a buffer twice ends up with a frozen table; one with many buffers in
// rotation does not. When buckets collide is a matter of addresses, so most of several places in memory decide.
func TestLowReuse(t *testing.T) {
	const places, apart = 45, 9<<10 + 320 // near places have nearly the same hashes
	memory := make([]byte, 1<<22+apart*places)
	var entries []uint64
	rotates := 0
	for place := range places {
		memory := memory[apart*place:][:1<<22]
		scattered := newTable(t, Config{})
		for i := 0; i < len(memory); i += 256 {
			scattered.Use(memory[i:i+256], Fast)
		}
		n := scattered.Counters()
		if !n.GrowthStopped {
			t.Errorf("without reuse: %+v", n)
		}
		entries = append(entries, n.Entries)
		rotating := newTable(t, Config{})
		for range 20 {
			for i := range 800 {
				rotating.Use(memory[i*4096:(i+1)*4096], Fast)
			}
		}
		if n := rotating.Counters(); !n.GrowthStopped && n.Frequent == 800 {
			rotates++
		}
	}
	slices.Sort(entries)
	if n := entries[places/2]; n < 1000 || n > 8000 {
		t.Errorf("without reuse the tables stop at %v buffers", entries)
	}
	if rotates <= places/2 {
		t.Errorf("800 buffers in rotation: all are frequent in %d of %d tables", rotates, places)
	}
}

// TestEntries: there is a limit to the buffers that are counted, whatever the index.
func TestEntries(t *testing.T) {
	for _, index := range []Index{Hash, Tree} {
		table := newTable(t, Config{Index: index, Entries: 10, Adapt: -1})
		memory := make([]byte, 20*128)
		for i := range 20 {
			table.Use(memory[i*128:(i+1)*128], Fast)
		}
		if n := table.Counters(); n.Entries != 10 || !n.GrowthStopped {
			t.Errorf("%+v", n)
		}
	}
}

// TestTwin compares decisions with those of a map.
func TestTwin(t *testing.T) {
	memory := make([]byte, 64*200)
	rapid.Check(t, func(t *rapid.T) {
		need := rapid.Uint32Range(1, 12).Draw(t, "need")
		table := newTable(t, Config{
			Index: Index(rapid.IntRange(0, 1).Draw(t, "index")), Buckets: 1 << rapid.IntRange(1, 5).Draw(t, "buckets"),
			Entries: 1000, Adapt: -1, Speculate: 1, Thresholds: always(need)})
		twin := map[uintptr]uint32{}
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			at := rapid.IntRange(0, 60).Draw(t, "at") * 200
			buf := memory[at : at+200]
			twin[addressOf(buf)]++
			uses := twin[addressOf(buf)]
			if got := table.Use(buf, Fast); got != (uses > 1 && uses >= need) {
				t.Fatalf("use %d of %d: zero copy %v", uses, need, got)
			}
		}
		frequent := uint64(0)
		for _, uses := range twin {
			if uses > 1 && uses >= need {
				frequent++
			}
		}
		if n := table.Counters(); n.Entries != uint64(len(twin)) || n.Frequent != frequent {
			t.Fatalf("%d buffers, %d frequent, counted %+v", len(twin), frequent, n)
		}
	})
}

// TestSpread: buffers at any regular distance spread over the buckets; a single multiplication fails this.
func TestSpread(t *testing.T) {
	table := newTable(t, Config{})
	table.Use(make([]byte, 128), Fast)
	for stride := uintptr(16); stride <= 1<<20; stride += max(16, stride/64&^15) {
		used := map[*int32]bool{}
		for i := range uintptr(1000) {
			used[table.bucket(0xc000100000+i*stride)] = true
		}
		if len(used) < 800 { // random is 887
			t.Errorf("1000 buffers %d bytes apart use %d of 4096 buckets", stride, len(used))
		}
	}
}

func TestConfig(t *testing.T) {
	for _, cfg := range []Config{{Buckets: 3}, {Buckets: 1}, {Buckets: -4}, {Buckets: 1 << 25}, {Index: 2}, {Chain: -1}, {Entries: -1},
		{Entries: 1 << 27}, {MinBytes: -1}, {Speculate: 1.5}, {Speculate: -1}, {Adapt: 2}} {
		cfg.Thresholds = PaperThresholds
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v: no error", cfg)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("no thresholds, and no error")
	}
}

// TestUseAllocatesNothing holds the hot path to its promise.
func TestUseAllocatesNothing(t *testing.T) {
	for _, index := range []Index{Hash, Tree} {
		table := newTable(t, Config{Index: index})
		b := make([]byte, 4096)
		table.Use(b, Fast)
		if n := testing.AllocsPerRun(1000, func() { table.Use(b, Fast) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}
