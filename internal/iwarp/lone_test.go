package iwarp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// usual makes the FPDU of a segment in the usual way.
func usual(h Header, payload []byte, crcOn bool) []byte {
	ulpdu := h.Size() + len(payload)
	b := append(h.Append(AppendFPDUHead(nil, ulpdu)), payload...)
	return AppendFPDUTail(b, ulpdu, NewCRC().Add(b), crcOn)
}

// ParseLone takes what is a lone Send, sound and of the number that is due, and nothing else.
func TestParseLoneTakesLoneSends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "payload")
		crcOn := rapid.Bool().Draw(t, "crc")
		h := Header{Last: rapid.IntRange(0, 9).Draw(t, "last") > 0, Op: OpSend, MSN: 7}
		if rapid.IntRange(0, 3).Draw(t, "other") == 0 {
			h.Op = Opcode(rapid.IntRange(0, int(opcodes)-1).Draw(t, "op"))
			h.Tagged = h.Op.Tagged()
			h.QN, h.MO = rapid.Uint32Range(0, 2).Draw(t, "queue"), rapid.Uint32Range(0, 1).Draw(t, "offset")
			h.MSN = rapid.Uint32Range(6, 8).Draw(t, "msn")
		}
		fpdu := usual(h, payload, crcOn)
		want := h.Last && h.Op == OpSend && h.QN == 0 && h.MO == 0 && h.MSN == 7
		got, n := ParseLone(append(bytes.Clone(fpdu), 1, 2, 3), 7, crcOn)
		if want != (n == len(fpdu)) || !want && n != 0 || want && !bytes.Equal(got, payload) {
			t.Fatalf("%+v with %x: got %x in %d bytes of %d", h, payload, got, n, len(fpdu))
		}
		cut := rapid.IntRange(0, len(fpdu)-1).Draw(t, "cut")
		if _, n := ParseLone(fpdu[:cut], 7, crcOn); n != 0 {
			t.Fatalf("taken though %d of %d bytes are there", cut, len(fpdu))
		}
		fpdu[cut] ^= 0x10
		if _, n := ParseLone(fpdu, 7, true); crcOn && n != 0 {
			t.Fatalf("taken though byte %d is wrong", cut)
		}
	})
}

// No bytes are more than either way makes of them: what ParseLone takes, the usual way finds the same in.
func FuzzParseLone(f *testing.F) {
	f.Add(usual(Header{Last: true, Op: OpSend, MSN: 1}, []byte("hello"), true), uint32(1), true)
	f.Add([]byte{0, 3, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, uint32(1), false)
	f.Fuzz(func(t *testing.T, b []byte, msn uint32, crcOn bool) {
		payload, n := ParseLone(b, msn, crcOn)
		if n == 0 {
			return
		}
		ulpdu, m, err := ParseFPDU(b, crcOn)
		if err != nil || m != n {
			t.Fatalf("%d bytes; the usual way finds %d and %v", n, m, err)
		}
		h, size, fault := ParseHeader(ulpdu)
		if !fault.OK() || h.Op != OpSend || !h.Last || h.QN != QueueSend || h.MSN != msn || h.MO != 0 || !bytes.Equal(ulpdu[size:], payload) {
			t.Fatalf("%+v %v", h, fault)
		}
	})
}
