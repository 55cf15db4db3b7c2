package iwarp

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// frame puts a segment into an FPDU.
func frame(ulpdu []byte, crcOn bool) []byte {
	b := append(AppendFPDUHead(nil, len(ulpdu)), ulpdu...)
	return AppendFPDUTail(b, len(ulpdu), NewCRC().Add(b), crcOn)
}

const rpingData = "rdma-ping-0: ABCDEFGHIJKLMNOP\x00"

// segment is what a vector carries: a header and what follows it, made anew by the codecs.
type segment struct {
	header  Header
	payload []byte
	pad     string // where siw left one that is not zero
}

func readBody(r ReadRequest) []byte        { return r.Append(nil) }
func atomicBody(r AtomicRequest) []byte    { return r.Append(nil) }
func responseBody(r AtomicResponse) []byte { return r.Append(nil) }

var fpduVectors = map[string]segment{
	"rping-send": {sendHeader(OpSend, 1), []byte("\x00\x00\x55\x5b\x70\x9c\x55\x20\x5e\xf2\xa8\x00\x00\x00\x00\x1e"), ""},
	"rping-read-request": {queueHeader(OpReadRequest, 1), readBody(ReadRequest{SinkSTag: 0x091ab700, SinkTO: 0x564ef26d52e0,
		Size: 30, SourceSTag: 0x5ef2a800, SourceTO: 0x555b709c5520}), ""},
	"rping-read-response": {writeHeader(OpReadResponse, 0x091ab700, 0x564ef26d52e0), []byte(rpingData), ""},
	"rping-write":         {writeHeader(OpWrite, 0xa5abbf00, 0x555b709c42e0), []byte(rpingData), "\x55\x20"},

	"send-empty":                {sendHeader(OpSend, 1), nil, ""},
	"send-pad-3":                {sendHeader(OpSend, 2), []byte("ABCDE"), ""},
	"send-solicited":            {sendHeader(OpSendSolicited, 3), []byte("ABCDEF"), ""},
	"send-invalidate-0":         {sendHeader(OpSendInvalidate, 4), []byte("ABCDEFG"), ""},
	"send-invalidate":           {Header{Last: true, Op: OpSendInvalidate, Invalidate: 0x11223344, MSN: 1}, []byte("ABCDEFG"), ""},
	"send-solicited-invalidate": {sendHeader(OpSendSolicitedInvalidate, 5), []byte("ABCDEFGH"), ""},
	"write-1":                   {writeHeader(OpWrite, 0xaabbccdd, 0x1000), []byte("A"), ""},
	"write-empty":               {writeHeader(OpWrite, 0xaabbccdd, 0x1000), nil, ""},
	"write-rtr":                 {writeHeader(OpWrite, 1, 0), nil, ""},
	"read-rtr":                  {queueHeader(OpReadRequest, 1), readBody(ReadRequest{SourceSTag: 1}), ""},
	"read-rtr-answer":           {writeHeader(OpReadResponse, 0, 0), nil, ""},
	"send-no-crc":               {sendHeader(OpSend, 1), []byte("\x00\x00\x55\x5a\x04\x05\x35\x20\xbd\x3f\x96\x00\x00\x00\x00\x1e"), ""},
	"immediate":                 {queueHeader(OpImmediate, 1), AppendImmediate(nil, 0x0102030405060708), ""},
	"fetch-add": {queueHeader(OpAtomicRequest, 1), atomicBody(AtomicRequest{Op: FetchAdd, ID: 0x11223344, STag: 0x100,
		TO: 0x1000, Data: 1, CompareMask: 1<<64 - 1}), ""},
	"compare-swap": {queueHeader(OpAtomicRequest, 2), atomicBody(AtomicRequest{Op: CompareSwap, ID: 0x11223345, STag: 0x100,
		TO: 0x1000, Data: 9, Mask: 1<<64 - 1, Compare: 5, CompareMask: 1<<64 - 1}), ""},
	"atomic-response": {queueHeader(OpAtomicResponse, 1), responseBody(AtomicResponse{ID: 0x11223344, Old: 41}), ""},
}

func init() {
	for name, c := range terminateVectors {
		fpduVectors[name] = segment{queueHeader(OpTerminate, 1), c.bytes(), ""}
	}
}

func TestFPDUVectors(t *testing.T) {
	for v, want := range expect(t, vectorsOf(t, "fpdu", "fpdu-nocrc"), fpduVectors) {
		crcOn := v.kind == "fpdu"
		body := append(want.header.Append(nil), want.payload...)
		ulpdu, n, err := ParseFPDU(append(bytes.Clone(v.bytes), 0xff), crcOn)
		if err != nil || n != len(v.bytes) || !bytes.Equal(ulpdu, body) {
			t.Errorf("%s: parsed %x, %d, %v\nwant %x", v.name, ulpdu, n, err, body)
		}
		if h, n, f := ParseHeader(ulpdu); !f.OK() || h != want.header || !bytes.Equal(ulpdu[n:], want.payload) {
			t.Errorf("%s: header %+v, %v, want %+v", v.name, h, f, want.header)
		}
		made := frame(body, crcOn)
		if want.pad != "" {
			made = append(made[:len(made)-CRCSize-len(want.pad)], want.pad...)
			made = AppendFPDUTail(made, 2, NewCRC().Add(made), true) // the pad counts as part of the body here
		}
		if !bytes.Equal(made, v.bytes) {
			t.Errorf("%s: made %x\nwant %x", v.name, made, v.bytes)
		}
	}
}

func TestFPDUDamage(t *testing.T) {
	whole := frame([]byte("a segment of no meaning"), true)
	for i := range whole {
		if _, _, err := ParseFPDU(whole[:i], true); err != ErrShort {
			t.Errorf("cut to %d bytes: %v, want ErrShort", i, err)
		}
		bad := append(bytes.Clone(whole), make([]byte, FPDULen(MaxULPDU))...)
		bad[i] ^= 0x01
		if _, _, err := ParseFPDU(bad, true); !errors.Is(err, FaultCRC) {
			t.Errorf("byte %d changed: %v, want a CRC fault", i, err)
		}
		if _, _, err := ParseFPDU(bad, false); err != nil {
			t.Errorf("byte %d changed, CRC off: %v", i, err)
		}
	}
	if _, _, err := ParseFPDU([]byte{0xfd, 0x01}, true); !errors.Is(err, FaultMarker) {
		t.Errorf("length %d: %v, want a fault at once", MaxULPDU+1, err)
	}
}

func TestFPDUSizes(t *testing.T) {
	for _, c := range []struct{ ulpdu, pad, fpdu int }{{14, 0, 20}, {15, 3, 24}, {16, 2, 24}, {17, 1, 24}, {18, 0, 24}, {MaxULPDU, 2, 64776}} {
		if PadLen(c.ulpdu) != c.pad || FPDULen(c.ulpdu) != c.fpdu {
			t.Errorf("%d: pad %d, FPDU %d", c.ulpdu, PadLen(c.ulpdu), FPDULen(c.ulpdu))
		}
	}
	for _, c := range []struct {
		emss    int
		markers bool
		want    int
	}{{1448, false, 1442}, {1449, false, 1442}, {1448, true, 1430}, {1460, false, 1454}, {100, false, 128}, {1 << 20, false, MaxULPDU}, {512, true, 502}} {
		if got := MULPDU(c.emss, c.markers); got != c.want {
			t.Errorf("MULPDU(%d, %v) = %d, want %d", c.emss, c.markers, got, c.want)
		}
	}
	for emss := 256; emss < 4096; emss++ {
		if n := FPDULen(MULPDU(emss, false)); n > emss {
			t.Fatalf("EMSS %d: an FPDU of %d bytes", emss, n)
		}
		if n := FPDULen(MULPDU(emss, true)); MarkedLen(n, 0) > emss {
			t.Fatalf("EMSS %d: a marked FPDU of %d bytes", emss, MarkedLen(n, 0))
		}
	}
}

func TestFPDURoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "body")
		crcOn := rapid.Bool().Draw(t, "crc")
		b := frame(body, crcOn)
		got, n, err := ParseFPDU(b, crcOn)
		if err != nil || n != len(b) || n%4 != 0 || !bytes.Equal(got, body) {
			t.Fatalf("%x became %x, %d of %d, %v", body, got, n, len(b), err)
		}
	})
}

func FuzzFPDU(f *testing.F) {
	for _, v := range vectorsOf(f, "fpdu", "fpdu-nocrc") {
		f.Add(v.bytes, v.kind == "fpdu")
	}
	f.Fuzz(func(t *testing.T, b []byte, crcOn bool) {
		ulpdu, n, err := ParseFPDU(b, crcOn)
		if err != nil {
			if err != ErrShort && FaultOf(err).OK() {
				t.Fatalf("error of an unknown kind: %v", err)
			}
			return
		}
		again := frame(ulpdu, crcOn)
		if len(again) != n || !bytes.Equal(again[:FPDULengthSize+len(ulpdu)], b[:FPDULengthSize+len(ulpdu)]) {
			t.Fatalf("%x became %x", b[:n], again)
		}
	})
}
