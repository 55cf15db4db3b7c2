package ud

import (
	"bytes"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
	"pgregory.net/rapid"
)

const (
	sourceSTag = 0xaabbcc07
	sourceTO   = 1 << 40
)

// testRead is a Read of size bytes into one corner of a sink, 10 bytes to a datagram.
func testRead(id uint64, size uint32) Read[string] {
	return Read[string]{Peer: "p", ID: id, SinkSTag: 0x55667700 + uint32(id)<<8, SinkTO: 1 << 20, SourceSTag: sourceSTag,
		SourceTO: sourceTO, Size: size, Datagram: 10}
}

// allDue collects what is due.
func allDue(r *Reader[string], now int64) (all []Due[string]) {
	for {
		d, ok := r.Due(now)
		if !ok {
			return all
		}
		all = append(all, d)
	}
}

func wantDue(t *testing.T, what string, got []Due[string], want ...iwarp.ReadRequest) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %+v due, want %+v", what, got, want)
	}
	for i := range got {
		if got[i].Request != want[i] || got[i].Failed || got[i].Peer != "p" {
			t.Fatalf("%s: request %d is %+v, want %+v", what, i, got[i], want[i])
		}
	}
}

func request(key uint32, from, size uint32) iwarp.ReadRequest {
	return iwarp.ReadRequest{SinkSTag: 0x55667800 + key, SinkTO: 1<<20 + uint64(from), Size: size,
		SourceSTag: sourceSTag, SourceTO: sourceTO + uint64(from)}
}

// arrive feeds an answer and compares the verdict.
func arrive(t *testing.T, r *Reader[string], now int64, key, from uint32, n int, accepted, finished bool) {
	t.Helper()
	a, f, id := r.Arrive(now, "p", 0x55667800+key, 1<<20+uint64(from), n)
	if a != accepted || f != finished || a && id != 1 {
		t.Fatalf("key %d, %d bytes at %d: accepted %v, finished %v, id %d", key, n, from, a, f, id)
	}
}

func TestReadAsksForWhatIsMissing(t *testing.T) {
	var r Reader[string]
	r.Start(1, testRead(1, 40))
	if r.Deadline() != 1 {
		t.Errorf("deadline %d, want at once", r.Deadline())
	}
	wantDue(t, "first", allDue(&r, 1), request(1, 0, 40))
	if r.Deadline() != 1+ReadTimeout {
		t.Errorf("deadline %d", r.Deadline())
	}
	arrive(t, &r, 5, 1, 10, 10, true, false)
	arrive(t, &r, 6, 1, 10, 10, false, false) // a duplicate
	if r.Deadline() != 5+ReadTimeout {
		t.Errorf("deadline %d after an answer", r.Deadline())
	}
	wantDue(t, "too early", allDue(&r, 4+ReadTimeout))
	wantDue(t, "again", allDue(&r, 5+ReadTimeout), request(2, 0, 10), request(2, 20, 20))
	now := int64(6 + ReadTimeout)
	arrive(t, &r, now, 1, 0, 10, false, false) // late, under the old key
	arrive(t, &r, now, 2, 0, 10, true, false)
	arrive(t, &r, now, 2, 20, 20, true, true)
	arrive(t, &r, now, 2, 20, 20, false, false)
	if r.Open() != 0 || r.Deadline() != 0 {
		t.Errorf("%d open, deadline %d", r.Open(), r.Deadline())
	}
}

func TestReadInChunks(t *testing.T) {
	var r Reader[string]
	r.Start(1, testRead(1, 1500))
	wantDue(t, "first chunk", allDue(&r, 1), request(1, 0, 640))
	arrive(t, &r, 2, 1, 0, 640, true, false)
	wantDue(t, "second chunk", allDue(&r, 2), request(2, 640, 640))
	arrive(t, &r, 3, 2, 0, 10, false, false) // of the first chunk
	arrive(t, &r, 3, 2, 640, 640, true, false)
	wantDue(t, "third chunk", allDue(&r, 3), request(3, 1280, 220))
	arrive(t, &r, 4, 3, 1280, 220, true, true)
}

func TestReadOfNothing(t *testing.T) {
	var r Reader[string]
	r.Start(1, testRead(1, 0))
	wantDue(t, "request", allDue(&r, 1), request(1, 0, 0))
	wantDue(t, "repetition", allDue(&r, 1+ReadTimeout), request(2, 0, 0))
	arrive(t, &r, 2+ReadTimeout, 1, 0, 0, false, false)
	arrive(t, &r, 2+ReadTimeout, 2, 0, 1, false, false)
	arrive(t, &r, 2+ReadTimeout, 2, 7, 0, true, true) // the place of nothing is not checked
}

func TestReadFailsAfterSevenTries(t *testing.T) {
	var r Reader[string]
	r.Start(1, testRead(1, 10))
	now, wait := int64(1), int64(ReadTimeout)
	for try := range uint32(ReadTries) {
		wantDue(t, "try", allDue(&r, now), request(try+1, 0, 10))
		if r.Deadline() != now+wait {
			t.Fatalf("try %d: deadline %d, want %d", try, r.Deadline(), now+wait)
		}
		now, wait = now+wait, wait*2
	}
	if due := allDue(&r, now); len(due) != 1 || !due[0].Failed || due[0].ID != 1 || due[0].Peer != "p" {
		t.Errorf("after the last try: %+v", due)
	}
	if r.Open() != 0 {
		t.Error("a failed Read stays open")
	}
}

// TestReadGoesOnWhileAnswersCome: an answer starts the count of tries and the doubling anew.
func TestReadGoesOnWhileAnswersCome(t *testing.T) {
	var r Reader[string]
	const pieces = 3 * ReadTries
	r.Start(1, testRead(1, pieces))
	now := int64(1)
	for i := range uint32(pieces) {
		key := i + 1
		wantDue(t, "try", allDue(&r, now), request(key, i, pieces-i))
		wait := int64(ReadTimeout)
		if i > 0 {
			wait *= 2 // a repetition waits twice as long as what it repeats, but that was never repeated itself
		}
		if r.Deadline() != now+wait {
			t.Fatalf("try %d at %d: deadline %d", key, now, r.Deadline())
		}
		arrive(t, &r, now+1, key, i, 1, true, i == pieces-1)
		now += 1 + ReadTimeout
	}
}

// TestReadAnswersNobodyAskedFor: wrong peer, key, place or length change nothing.
func TestReadAnswersNobodyAskedFor(t *testing.T) {
	var r Reader[string]
	if a, _, _ := r.Arrive(1, "p", 0x55667801, 1<<20, 10); a {
		t.Error("accepted before anything was asked for")
	}
	r.Start(1, testRead(1, 700))
	allDue(&r, 1)
	before := r.reads[0]
	for _, c := range []struct {
		name string
		peer string
		stag uint32
		to   uint64
		n    int
	}{
		{"other peer", "q", 0x55667801, 1 << 20, 10},
		{"other key", "p", 0x55667802, 1 << 20, 10},
		{"other memory", "p", 0x55667901, 1 << 20, 10},
		{"below", "p", 0x55667801, 1<<20 - 1, 10},
		{"beyond the chunk", "p", 0x55667801, 1<<20 + 635, 10},
		{"the next chunk", "p", 0x55667801, 1<<20 + 640, 10},
		{"wrapping", "p", 0x55667801, 1<<64 - 5, 10},
		{"empty", "p", 0x55667801, 1 << 20, 0},
		{"negative", "p", 0x55667801, 1<<20 + 10, -5},
	} {
		if a, f, _ := r.Arrive(2, c.peer, c.stag, c.to, c.n); a || f || r.reads[0] != before {
			t.Errorf("%s: accepted %v, finished %v", c.name, a, f)
		}
	}
}

func TestReadRefused(t *testing.T) {
	var r Reader[string]
	r.Start(1, testRead(1, 40))
	r.Start(1, testRead(2, 40))
	allDue(&r, 1)
	for _, c := range []struct {
		peer string
		stag uint32
		to   uint64
		id   uint64
	}{{"q", 0x55667801, 1 << 20, 0}, {"p", 0x55667802, 1 << 20, 0}, {"p", 0x55667801, 1<<20 - 1, 0}, {"p", 0x55667801, 1<<20 + 20, 1}} {
		if id, ok := r.Refuse(c.peer, c.stag, c.to); id != c.id || ok != (c.id != 0) {
			t.Errorf("%+v: %d, %v", c, id, ok)
		}
	}
	if r.Open() != 1 || r.reads[0].ID != 2 {
		t.Errorf("%d open, the first is %d", r.Open(), r.reads[0].ID)
	}
}

func TestReadTableFull(t *testing.T) {
	var r Reader[string]
	for id := range uint64(MaxReads) {
		if !r.Start(1, testRead(id, 10)) {
			t.Fatalf("Read %d refused", id)
		}
	}
	if r.Start(1, testRead(99, 10)) {
		t.Error("one too many")
	}
}

// answer is a Read Response on its way.
type answer struct {
	at   int64
	stag uint32
	to   uint64
	data []byte
}

// readNet is a source behind a network that loses, doubles and reorders.
type readNet struct {
	source   []byte
	loss     int // per cent
	datagram int // the source's own idea of a datagram
	flying   []answer
}

// serve answers a request as a source would.
func (net *readNet) serve(t *rapid.T, now int64, req iwarp.ReadRequest) {
	if req.SourceSTag != sourceSTag || req.SourceTO < sourceTO || req.SourceTO-sourceTO+uint64(req.Size) > uint64(len(net.source)) {
		t.Fatalf("request out of bounds: %+v", req)
	}
	if req.Size > MaxReadDatagrams*10 {
		t.Fatalf("request for more than %d datagrams: %+v", MaxReadDatagrams, req)
	}
	data := net.source[req.SourceTO-sourceTO:][:req.Size]
	to := req.SinkTO
	for first := true; first || len(data) > 0; first = false {
		n := min(net.datagram, len(data))
		for range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "copies") {
			if rapid.IntRange(1, 100).Draw(t, "luck") > net.loss {
				delay := rapid.SampledFrom([]int64{1000, 20_000, 50_000, 5_000_000}).Draw(t, "delay")
				net.flying = append(net.flying, answer{now + delay, req.SinkSTag, to, data[:n]})
			}
		}
		data, to = data[n:], to+uint64(n)
	}
}

// TestReadsOverBadNetwork: several Reads at a time bring exactly the source's bytes, or fail, in bounded time.
func TestReadsOverBadNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := &readNet{source: make([]byte, 1000), loss: rapid.SampledFrom([]int{0, 10, 40, 100}).Draw(t, "loss"),
			datagram: rapid.SampledFrom([]int{10, 10, 7, 64}).Draw(t, "datagram")}
		for i := range net.source {
			net.source[i] = byte(i*7 + i>>8)
		}
		var r Reader[string]
		now := int64(1)
		sinks := map[uint64][]byte{}
		for id := range uint64(rapid.IntRange(1, 3).Draw(t, "reads")) {
			read := testRead(id, rapid.Uint32Max(1000).Draw(t, "size"))
			sinks[id] = make([]byte, read.Size)
			r.Start(now, read)
		}
		for r.Open() > 0 {
			for {
				due, ok := r.Due(now)
				if !ok {
					break
				}
				if due.Failed {
					if net.loss == 0 {
						t.Fatalf("Read %d failed without loss", due.ID)
					}
					delete(sinks, due.ID)
					continue
				}
				net.serve(t, now, due.Request)
			}
			now = net.step(t, &r, now, sinks)
		}
		if len(sinks) > 0 && net.loss == 100 {
			t.Fatalf("%d Reads finished without a network", len(sinks))
		}
		for id, sink := range sinks {
			if !bytes.Equal(sink, net.source[:len(sink)]) {
				t.Fatalf("Read %d brought wrong bytes", id)
			}
		}
	})
}

// step lets time pass until the next answer or deadline, and delivers.
func (net *readNet) step(t *rapid.T, r *Reader[string], now int64, sinks map[uint64][]byte) int64 {
	if r.Open() == 0 {
		return now
	}
	slices.SortStableFunc(net.flying, func(a, b answer) int { return int(a.at - b.at) })
	deadline := r.Deadline()
	if deadline <= now || now > 60e9 {
		t.Fatalf("at %d with %d open: nothing more is due, yet the deadline is %d", now, r.Open(), deadline)
	}
	if len(net.flying) == 0 || net.flying[0].at > deadline {
		return deadline
	}
	a := net.flying[0]
	net.flying = net.flying[1:]
	accepted, finished, id := r.Arrive(a.at, "p", a.stag, a.to, len(a.data))
	if accepted {
		copy(sinks[id][min(a.to-1<<20, uint64(len(sinks[id]))):], a.data)
	}
	if finished && !accepted {
		t.Fatalf("Read %d finished by an answer that was not accepted", id)
	}
	return a.at
}

// FuzzReads: no answer panics or finishes a Read with bytes missing.
func FuzzReads(f *testing.F) {
	f.Add([]byte{1, 0, 10, 0, 1, 10, 10, 0, 1, 20, 20, 0})
	f.Add([]byte{1, 0, 200, 9, 2, 0, 200, 9, 3, 0, 255, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Reader[string]
		const size = 1000
		r.Start(1, testRead(1, size))
		now, got := int64(1), make([]bool, size)
		for ; len(b) >= 4; b = b[4:] {
			allDue(&r, now)
			now += int64(b[3]) * 100_000
			from, n := int(b[1])*4, int(int8(b[2]))*4
			accepted, finished, _ := r.Arrive(now, "p", 0x55667800+uint32(b[0]&7), uint64(1<<20+from), n)
			for i := range n {
				if accepted {
					got[from+i] = true
				}
			}
			if finished && slices.Contains(got, false) {
				t.Fatal("finished with bytes missing")
			}
		}
	})
}

// TestNoAllocations: after the first record, Read and error, the machines leave the heap alone.
func TestNoAllocations(t *testing.T) {
	var records Records[string]
	var reader Reader[string]
	var limiter Limiter[string]
	now, rmsn := int64(1), uint32(0)
	n := testing.AllocsPerRun(1000, func() {
		now += 1000
		rmsn++
		piece(&records, now, "a", rmsn, 10, 0, 5)
		if rmsn%2 == 0 {
			piece(&records, now, "a", rmsn, 10, 5, 5)
		}
		records.Expire(now)
		reader.Start(now, testRead(1, 10))
		due, _ := reader.Due(now)
		reader.Due(now)
		reader.Arrive(now, "p", due.Request.SinkSTag, due.Request.SinkTO, 10)
		limiter.Allow(now, "a")
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRecordPieces(b *testing.B) {
	var r Records[string]
	now, rmsn := int64(1), uint32(0)
	for b.Loop() {
		now++
		rmsn++
		for offset := uint32(0); offset < 80; offset += 10 {
			piece(&r, now, "a", rmsn, 80, offset, 10)
		}
	}
}
