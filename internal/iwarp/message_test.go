package iwarp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func drawReadRequest(t *rapid.T) ReadRequest {
	return ReadRequest{
		SinkSTag: rapid.Uint32().Draw(t, "sink"), SinkTO: rapid.Uint64().Draw(t, "sink to"), Size: rapid.Uint32().Draw(t, "size"),
		SourceSTag: rapid.Uint32().Draw(t, "source"), SourceTO: rapid.Uint64().Draw(t, "source to"),
	}
}

func drawAtomicRequest(t *rapid.T) AtomicRequest {
	return AtomicRequest{
		Op: AtomicOp(rapid.IntRange(0, 15).Draw(t, "op")), ID: rapid.Uint32().Draw(t, "id"), STag: rapid.Uint32().Draw(t, "stag"),
		TO: rapid.Uint64().Draw(t, "to"), Data: rapid.Uint64().Draw(t, "data"), Mask: rapid.Uint64().Draw(t, "mask"),
		Compare: rapid.Uint64().Draw(t, "compare"), CompareMask: rapid.Uint64().Draw(t, "compare mask"),
	}
}

// TestMessagesRoundTrip: what was appended is parsed back, and nothing of another length is.
func TestMessagesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		read, atomic := drawReadRequest(t), drawAtomicRequest(t)
		response := AtomicResponse{ID: rapid.Uint32().Draw(t, "id"), Old: rapid.Uint64().Draw(t, "old")}
		data := rapid.Uint64().Draw(t, "immediate")
		if got, ok := ParseReadRequest(read.Append(nil)); !ok || got != read {
			t.Fatalf("%+v became %+v", read, got)
		}
		if got, ok := ParseAtomicRequest(atomic.Append(nil)); !ok || got != atomic {
			t.Fatalf("%+v became %+v", atomic, got)
		}
		if got, ok := ParseAtomicResponse(response.Append(nil)); !ok || got != response {
			t.Fatalf("%+v became %+v", response, got)
		}
		if got, ok := ParseImmediate(AppendImmediate(nil, data)); !ok || got != data {
			t.Fatalf("%x became %x", data, got)
		}
	})
}

func TestMessageLengths(t *testing.T) {
	for n := range 60 {
		b := make([]byte, n)
		_, read := ParseReadRequest(b)
		_, atomic := ParseAtomicRequest(b)
		_, response := ParseAtomicResponse(b)
		_, immediate := ParseImmediate(b)
		if read != (n == 28) || atomic != (n == 52) || response != (n == 12) || immediate != (n == 8) {
			t.Errorf("%d bytes: %v %v %v %v", n, read, atomic, response, immediate)
		}
	}
}

// carryByCarry is FetchAdd as RFC 7306 tells it, bit by bit.
func carryByCarry(old, add, mask uint64) (sum uint64) {
	carry := uint64(0)
	for i := range 64 {
		s := old>>i&1 + add>>i&1 + carry
		sum |= s & 1 << i
		if carry = s >> 1; mask>>i&1 == 1 {
			carry = 0
		}
	}
	return sum
}

func TestAtomicApply(t *testing.T) {
	const all = 1<<64 - 1
	for _, c := range []struct {
		name      string
		req       AtomicRequest
		old, want uint64
	}{
		{"plain add", AtomicRequest{Op: FetchAdd, Data: 1}, 41, 42},
		{"add wraps", AtomicRequest{Op: FetchAdd, Data: 2}, all, 1},
		{"two halves", AtomicRequest{Op: FetchAdd, Data: 1<<32 | 1, Mask: 1 << 31}, 0xffffffff, 1 << 32},
		{"swap", AtomicRequest{Op: CompareSwap, Data: 9, Mask: all, Compare: 5, CompareMask: all}, 5, 9},
		{"no swap", AtomicRequest{Op: CompareSwap, Data: 9, Mask: all, Compare: 5, CompareMask: all}, 6, 6},
		{"compare a part", AtomicRequest{Op: CompareSwap, Data: 9, Mask: all, Compare: 5, CompareMask: 0xf}, 0xf5, 9},
		{"swap a part", AtomicRequest{Op: CompareSwap, Data: 0x99, Mask: 0xf, Compare: 5, CompareMask: 0}, 0xf6, 0xf9},
		{"unknown", AtomicRequest{Op: 7, Data: 9, Mask: all, CompareMask: all}, 6, 6},
	} {
		if got := c.req.Apply(c.old); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		r, old := drawAtomicRequest(t), rapid.Uint64().Draw(t, "old")
		r.Op = FetchAdd
		if got, want := r.Apply(old), carryByCarry(old, r.Data, r.Mask); got != want {
			t.Fatalf("%#x + %#x, mask %#x: %#x, want %#x", old, r.Data, r.Mask, got, want)
		}
	})
}

func TestAtomicOpNames(t *testing.T) {
	if FetchAdd.String() != "FetchAdd" || CompareSwap.String() != "CompareSwap" || AtomicOp(7).String() != "atomic operation 7" ||
		!FetchAdd.Known() || !CompareSwap.Known() || AtomicOp(1).Known() {
		t.Error("an operation has the wrong name")
	}
}

// FuzzMessages feeds the same bytes to every codec of fixed size; what is accepted comes back, reserved bits apart.
func FuzzMessages(f *testing.F) {
	for _, v := range vectorsOf(f, "fpdu") {
		if ulpdu, _, err := ParseFPDU(v.bytes, true); err == nil {
			if _, n, fault := ParseHeader(ulpdu); fault.OK() {
				f.Add(ulpdu[n:])
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		same := func(what string, again []byte) {
			if !bytes.Equal(again, b[:len(again)]) {
				t.Fatalf("%s: %x became %x", what, b, again)
			}
		}
		if r, ok := ParseReadRequest(b); ok {
			same("read request", r.Append(nil))
		}
		if r, ok := ParseAtomicResponse(b); ok {
			same("atomic response", r.Append(nil))
		}
		if data, ok := ParseImmediate(b); ok {
			same("immediate", AppendImmediate(nil, data))
		}
		if r, ok := ParseRecord(b); ok {
			same("record", r.Append(nil))
		}
		if r, ok := ParseAtomicRequest(b); ok {
			again := r.Append(nil)
			copy(again, b[:3])
			again[3] |= b[3] & 0xf0
			same("atomic request", again)
		}
	})
}
