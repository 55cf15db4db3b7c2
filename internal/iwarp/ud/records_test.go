package ud

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
	"pgregory.net/rapid"
)

const (
	testSTag = 0x11223300
	testTO   = 0x1000
)

// piece feeds n bytes at offset of a record of the given length to r.
func piece(r *Records[string], now int64, source string, rmsn, length, offset uint32, n int) (bool, Done[string]) {
	return r.Piece(now, source, iwarp.Record{RMSN: rmsn, Length: length, Offset: offset}, testSTag, testTO+uint64(offset), n)
}

func TestRecordOfOneDatagram(t *testing.T) {
	var r Records[string]
	for _, length := range []uint32{5, 0} {
		place, done := piece(&r, 1, "a", 7, length, 0, int(length))
		want := Done[string]{State: Valid, Source: "a", RMSN: 7, STag: testSTag, TO: testTO, Length: length}
		want.Ranges.Add(0, length)
		if !place || done != want {
			t.Errorf("length %d: %v, %+v", length, place, done)
		}
	}
	if r.Deadline() != 0 || r.slots != nil {
		t.Error("it left a trace")
	}
}

func TestRecordInPieces(t *testing.T) {
	var r Records[string]
	place, done := piece(&r, 1, "a", 7, 10, 6, 4)
	if !place || done.State != None || r.Deadline() != 1+RecordTimeout {
		t.Fatalf("first piece: %v, %+v, deadline %d", place, done, r.Deadline())
	}
	if place, done = piece(&r, 5, "a", 7, 10, 6, 4); !place || done.State != None || r.Deadline() != 5+RecordTimeout {
		t.Errorf("the same again: %v, %+v, deadline %d", place, done, r.Deadline())
	}
	if place, done = piece(&r, 6, "b", 7, 10, 0, 6); !place || done.State != None {
		t.Errorf("the same number of another source: %v, %+v", place, done)
	}
	place, done = piece(&r, 7, "a", 7, 10, 0, 6)
	want := Done[string]{State: Valid, Source: "a", RMSN: 7, STag: testSTag, TO: testTO, Length: 10}
	want.Ranges.Add(0, 10)
	if !place || done != want {
		t.Errorf("last piece: %v, %+v", place, done)
	}
	if place, done = piece(&r, 8, "a", 7, 10, 0, 6); place || done.State != None {
		t.Errorf("late duplicate: %v, %+v", place, done)
	}
	if place, _ = piece(&r, 7+closedMemory, "a", 7, 10, 0, 6); !place {
		t.Error("a restarted source is not heard")
	}
}

func TestRecordTimeout(t *testing.T) {
	var r Records[string]
	piece(&r, 1, "a", 1, 10, 0, 3)
	piece(&r, 2, "a", 2, 10, 5, 2)
	piece(&r, 3, "a", 1, 10, 8, 2)
	if d := r.Expire(1 + RecordTimeout); d.State != None {
		t.Errorf("expired too early: %+v", d)
	}
	if at := r.Deadline(); at != 2+RecordTimeout {
		t.Errorf("deadline %d", at)
	}
	if d := r.Expire(2 + RecordTimeout); d.State != Partial || d.RMSN != 2 || !slices.Equal(d.Ranges.All(), []Range{{5, 7}}) {
		t.Errorf("first to expire: %+v", d)
	}
	if d := r.Expire(1 << 62); d.State != Partial || d.RMSN != 1 || !slices.Equal(d.Ranges.All(), []Range{{0, 3}, {8, 10}}) {
		t.Errorf("second to expire: %+v", d)
	}
	if d := r.Expire(1 << 62); d.State != None || r.Deadline() != 0 {
		t.Errorf("third to expire: %+v", d)
	}
}

func TestRecordTooManyRanges(t *testing.T) {
	var r Records[string]
	for i := range uint32(MaxRanges) {
		if place, done := piece(&r, 1, "a", 1, 100, 4*i, 2); !place || done.State != None {
			t.Fatalf("range %d: %v, %+v", i, place, done)
		}
	}
	place, done := piece(&r, 1, "a", 1, 100, 90, 2)
	if place || done.State != Partial || len(done.Ranges.All()) != MaxRanges {
		t.Errorf("one more: %v, %+v", place, done)
	}
	if place, done = piece(&r, 1, "a", 1, 100, 2, 2); place || done.State != None {
		t.Errorf("late piece: %v, %+v", place, done)
	}
}

func TestRecordTableFull(t *testing.T) {
	var r Records[string]
	for i := range uint32(MaxRecords) {
		piece(&r, int64(i+1), "a", i, 10, 0, 1)
	}
	piece(&r, 100, "a", 0, 10, 1, 1) // now 1 is the oldest
	place, done := piece(&r, 101, "a", 1000, 10, 0, 1)
	if !place || done.State != Partial || done.RMSN != 1 {
		t.Errorf("one more: %v, %+v", place, done)
	}
	if r.open != MaxRecords {
		t.Errorf("%d open", r.open)
	}
}

// TestRecordNonsense: pieces that cannot be, or that contradict the record they name, change nothing.
func TestRecordNonsense(t *testing.T) {
	var r Records[string]
	piece(&r, 1, "a", 1, 10, 0, 3)
	before := r.slots[r.order[0]]
	for name, p := range map[string]func() (bool, Done[string]){
		"beyond":       func() (bool, Done[string]) { return piece(&r, 2, "a", 1, 10, 8, 3) },
		"far beyond":   func() (bool, Done[string]) { return piece(&r, 2, "a", 1, 10, 1<<32-1, 3) },
		"negative":     func() (bool, Done[string]) { return piece(&r, 2, "a", 1, 10, 8, -1) },
		"empty":        func() (bool, Done[string]) { return piece(&r, 2, "a", 1, 10, 8, 0) },
		"other length": func() (bool, Done[string]) { return piece(&r, 2, "a", 1, 11, 8, 1) },
		"other memory": func() (bool, Done[string]) {
			return r.Piece(2, "a", iwarp.Record{RMSN: 1, Length: 10, Offset: 3}, testSTag+256, testTO+3, 1)
		},
		"other place": func() (bool, Done[string]) {
			return r.Piece(2, "a", iwarp.Record{RMSN: 1, Length: 10, Offset: 3}, testSTag, testTO+4, 1)
		},
	} {
		if place, done := p(); place || done.State != None || r.open != 1 || r.slots[r.order[0]] != before || r.Deadline() != 1+RecordTimeout {
			t.Errorf("%s: %v, %+v", name, place, done)
		}
	}
}

func TestStateNames(t *testing.T) {
	if None.String() != "open" || Valid.String() != "valid" || Partial.String() != "partial" || State(9).String() != "unknown" {
		t.Error("a state has the wrong name")
	}
}

// naiveRecords is Records with maps and bytes, and without a thought for speed.
type naiveRecords struct {
	open   map[recordKey]*naiveRecord
	closed []naiveClosed
}

type recordKey struct {
	source string
	rmsn   uint32
}

type naiveRecord struct {
	bytes []bool
	last  int64
	turn  int // order of the latest pieces, since several may come at one time
}

type naiveClosed struct {
	recordKey
	at int64
}

func (m *naiveRecords) end(now int64, key recordKey, state State) Done[string] {
	d := Done[string]{State: state, Source: key.source, RMSN: key.rmsn, STag: testSTag, TO: testTO, Length: uint32(len(m.open[key].bytes))}
	for _, r := range naiveRanges(m.open[key].bytes) {
		d.Ranges.Add(r.From, r.To)
	}
	delete(m.open, key)
	m.closed = append(m.closed, naiveClosed{key, now})
	m.closed = m.closed[max(0, len(m.closed)-maxClosed):]
	return d
}

// oldest is the open record that has been quiet the longest.
func (m *naiveRecords) oldest() (oldest recordKey) {
	for key, rec := range m.open {
		if old := m.open[oldest]; old == nil || rec.turn < old.turn {
			oldest = key
		}
	}
	return oldest
}

func (m *naiveRecords) piece(now int64, turn int, key recordKey, length, offset uint32, n int) (place bool, done Done[string]) {
	if offset+uint32(n) > length {
		return false, done
	}
	rec := m.open[key]
	if rec == nil && uint32(n) == length { // one datagram leaves no trace
		done = Done[string]{State: Valid, Source: key.source, RMSN: key.rmsn, STag: testSTag, TO: testTO, Length: length}
		done.Ranges.Add(0, length)
		return true, done
	}
	if rec == nil {
		if slices.ContainsFunc(m.closed, func(c naiveClosed) bool { return c.recordKey == key && now-c.at < closedMemory }) {
			return false, done
		}
		if len(m.open) == MaxRecords {
			done = m.end(now, m.oldest(), Partial)
		}
		rec = &naiveRecord{bytes: make([]bool, length)}
		m.open[key] = rec
	}
	if len(rec.bytes) != int(length) {
		return false, done
	}
	bigger := slices.Clone(rec.bytes)
	for i := range n {
		bigger[offset+uint32(i)] = true
	}
	if len(naiveRanges(bigger)) > MaxRanges {
		return false, m.end(now, key, Partial)
	}
	rec.bytes, rec.last, rec.turn = bigger, now, turn
	if slices.Contains(bigger, false) {
		return true, done
	}
	return true, m.end(now, key, Valid)
}

func TestRecordsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Records[string]
		m := naiveRecords{open: map[recordKey]*naiveRecord{}}
		numbers := rapid.SampledFrom([]uint32{2, 40, 400}).Draw(t, "numbers")
		now := int64(1)
		for turn := range rapid.IntRange(1, 600).Draw(t, "turns") {
			if rapid.IntRange(0, 30).Draw(t, "wait?") == 0 {
				now += rapid.SampledFrom([]int64{1, RecordTimeout / 2, RecordTimeout, closedMemory}).Draw(t, "wait")
			}
			if rapid.IntRange(0, 20).Draw(t, "expire?") == 0 {
				expireBoth(t, &r, &m, now)
			}
			key := recordKey{rapid.SampledFrom([]string{"a", "b"}).Draw(t, "source"), rapid.Uint32Range(1, numbers).Draw(t, "rmsn")}
			length := 24 + key.rmsn%3*10
			if rapid.IntRange(0, 40).Draw(t, "lie?") == 0 {
				length++
			}
			offset, n := rapid.Uint32Max(length-1).Draw(t, "offset"), rapid.IntRange(1, 12).Draw(t, "n")
			if rapid.IntRange(0, 40).Draw(t, "whole?") == 0 {
				offset, n = 0, int(length)
			}
			place, done := piece(&r, now, key.source, key.rmsn, length, offset, n)
			wantPlace, wantDone := m.piece(now, turn, key, length, offset, n)
			if place != wantPlace || done != wantDone {
				t.Fatalf("turn %d: %v, %+v, want %v, %+v", turn, place, done, wantPlace, wantDone)
			}
			if len(m.open) != r.open || r.open > MaxRecords {
				t.Fatalf("turn %d: %d open, want %d", turn, r.open, len(m.open))
			}
		}
		now += RecordTimeout
		expireBoth(t, &r, &m, now)
		if len(m.open) != 0 || r.Deadline() != 0 {
			t.Fatalf("%d left open, deadline %d", len(m.open), r.Deadline())
		}
	})
}

// expireBoth ends what is overdue in both tables and compares.
func expireBoth(t *rapid.T, r *Records[string], m *naiveRecords, now int64) {
	for {
		var want Done[string]
		deadline := int64(0)
		if key := m.oldest(); m.open[key] != nil {
			deadline = m.open[key].last + RecordTimeout
		}
		if r.Deadline() != deadline {
			t.Fatalf("deadline %d, want %d", r.Deadline(), deadline)
		}
		if deadline != 0 && deadline <= now {
			want = m.end(now, m.oldest(), Partial)
		}
		if got := r.Expire(now); got != want {
			t.Fatalf("expired %+v, want %+v", got, want)
		}
		if want.State == None {
			return
		}
	}
}

// FuzzRecords: no sequence of headers panics, opens too much, or ends a record with bytes that are not of it.
func FuzzRecords(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	f.Add([]byte{0, 1, 0, 0, 3, 4, 0, 1, 0, 4, 3, 0, 0, 1, 9, 9, 9, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Records[byte]
		now := int64(1)
		check := func(d Done[byte]) {
			all := d.Ranges.All()
			if len(all) > 0 && all[len(all)-1].To > d.Length || (d.State == Valid) != d.Ranges.Covers(0, d.Length) && d.State != None {
				t.Fatalf("ended as %+v", d)
			}
		}
		for ; len(b) >= 6; b = b[6:] {
			now += int64(b[5]) * RecordTimeout / 100
			rec := iwarp.Record{RMSN: uint32(b[1]), Length: uint32(int8(b[2])), Offset: uint32(int8(b[3]))}
			_, d := r.Piece(now, b[0]&3, rec, 1, uint64(b[5]&1), int(int8(b[4])))
			check(d)
			if b[5]&7 == 0 {
				check(r.Expire(now))
			}
			if r.open > MaxRecords {
				t.Fatalf("%d open", r.open)
			}
		}
	})
}
