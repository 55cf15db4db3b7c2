package iwarp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func sendHeader(op Opcode, msn uint32) Header { return Header{Last: true, Op: op, MSN: msn} }

func writeHeader(op Opcode, stag uint32, to uint64) Header {
	return Header{Tagged: true, Last: true, Op: op, STag: stag, TO: to}
}

func queueHeader(op Opcode, msn uint32) Header {
	return Header{Last: true, Op: op, QN: op.Queue(), MSN: msn}
}

// headVectors are the segments of two long messages, with the length of their payload.
var headVectors = map[string]struct {
	header  Header
	payload int
}{
	"write-3001-a": {Header{Tagged: true, Op: OpWrite, STag: 0xaabbccdd, TO: 0x1000}, 1428},
	"write-3001-b": {Header{Tagged: true, Op: OpWrite, STag: 0xaabbccdd, TO: 0x1000 + 1428}, 1428},
	"write-3001-c": {writeHeader(OpWrite, 0xaabbccdd, 0x1000+2856), 145},
	"send-3001-a":  {Header{Op: OpSend, MSN: 6}, 1424},
	"send-3001-b":  {Header{Op: OpSend, MSN: 6, MO: 1424}, 1424},
	"send-3001-c":  {Header{Last: true, Op: OpSend, MSN: 6, MO: 2848}, 153},
}

func TestHeadVectors(t *testing.T) {
	for v, want := range expect(t, vectorsOf(t, "head"), headVectors) {
		h, n, f := ParseHeader(v.bytes[FPDULengthSize:])
		if !f.OK() || h != want.header || FPDULengthSize+n != len(v.bytes) {
			t.Errorf("%s: parsed %+v, %d, %v", v.name, h, n, f)
		}
		b := AppendFPDUHead(nil, n+want.payload)
		if b = want.header.Append(b); !bytes.Equal(b, v.bytes) {
			t.Errorf("%s: appended %x", v.name, b)
		}
	}
}

func TestHeaderFaults(t *testing.T) {
	untagged, tagged := make([]byte, UntaggedSize), make([]byte, TaggedSize)
	with := func(b []byte, control ...byte) []byte {
		b = bytes.Clone(b)
		copy(b, control)
		return b
	}
	for _, c := range []struct {
		name  string
		bytes []byte
		want  Fault
	}{
		{"nothing", nil, FaultMarker},
		{"one byte", []byte{0x41}, FaultMarker},
		{"short untagged", with(untagged, 0x41, 0x43)[:UntaggedSize-1], FaultMarker},
		{"short tagged", with(tagged, 0xc1, 0x40)[:TaggedSize-1], FaultMarker},
		{"DDP version 2, untagged", with(untagged, 0x42, 0x43), FaultDDPUntaggedVersion},
		{"DDP version 2, tagged", with(tagged, 0xc2, 0x40), FaultDDPTaggedVersion},
		{"RDMAP version 0", with(untagged, 0x41, 0x03), FaultVersion},
		{"RDMAP version 2", with(untagged, 0x41, 0x83), FaultVersion},
		{"opcode 12", with(untagged, 0x41, 0x4c), FaultOpcode},
		{"opcode 15, tagged", with(tagged, 0xc1, 0x4f), FaultOpcode},
		{"tagged Send", with(tagged, 0xc1, 0x43), FaultOpcode},
		{"untagged Write", with(untagged, 0x41, 0x40), FaultOpcode},
		{"record on Send", with(untagged, 0x41, 0x63), FaultOpcode},
		{"record on Read Response", with(tagged, 0xc1, 0x62), FaultOpcode},
		{"record on Write", with(tagged, 0xc1, 0x60), Fault{}},
		{"reserved bits", with(untagged, 0x41|0x3c, 0x43|0x10), Fault{}},
	} {
		_, n, f := ParseHeader(c.bytes)
		if f != c.want {
			t.Errorf("%s: %v, want %v", c.name, f, c.want)
		}
		if whole := f.OK() || f == FaultOpcode; whole && n != len(c.bytes) || !whole && n != 0 {
			t.Errorf("%s: size %d", c.name, n)
		}
	}
}

func drawHeader(t *rapid.T) Header {
	h := Header{Op: Opcode(rapid.IntRange(0, int(opcodes)-1).Draw(t, "op")), Last: rapid.Bool().Draw(t, "last")}
	if h.Tagged = h.Op.Tagged(); h.Tagged {
		h.STag, h.TO = rapid.Uint32().Draw(t, "stag"), rapid.Uint64().Draw(t, "to")
		h.Record = h.Op == OpWrite && rapid.Bool().Draw(t, "record")
		return h
	}
	h.Invalidate, h.QN = rapid.Uint32().Draw(t, "invalidate"), rapid.Uint32().Draw(t, "qn")
	h.MSN, h.MO = rapid.Uint32().Draw(t, "msn"), rapid.Uint32().Draw(t, "mo")
	return h
}

func TestHeaderRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHeader(t)
		b := h.Append(nil)
		if got, n, f := ParseHeader(append(b, 0xff)); !f.OK() || got != h || n != len(b) {
			t.Fatalf("%+v became %+v, %d, %v", h, got, n, f)
		}
	})
}

func FuzzHeader(f *testing.F) {
	for _, v := range vectorsOf(f, "fpdu", "head") {
		f.Add(v.bytes[FPDULengthSize:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, n, fault := ParseHeader(b)
		if n > len(b) {
			t.Fatalf("%d of %d bytes", n, len(b))
		}
		if !fault.OK() {
			return
		}
		again, want := h.Append(nil), bytes.Clone(b[:n])
		want[0] &^= 0x3c // reserved
		want[1] &^= 0x10
		if !bytes.Equal(again, want) {
			t.Fatalf("%x became %x", want, again)
		}
	})
}

func BenchmarkHeaderPut(b *testing.B) {
	h, buf := Header{Last: true, Op: OpSend, MSN: 7}, make([]byte, UntaggedSize)
	for b.Loop() {
		h.MO += uint32(h.Put(buf))
	}
}

func BenchmarkHeaderParse(b *testing.B) {
	header := writeHeader(OpWrite, 1, 2)
	buf := header.Append(nil)
	n := 0
	for b.Loop() {
		_, k, _ := ParseHeader(buf)
		n += k
	}
	_ = n
}
