package iwarp

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// markedVectors are the figures of RFC 5044: a Send of 24 zero bytes with this message number.
var markedVectors = map[string]uint32{"figure-5": 1, "figure-6": 2}

// marked adds the FPDU of a segment to dst, which pos bytes of the stream precede.
func marked(dst, ulpdu []byte, pos uint64, crcOn bool) []byte {
	m := BeginMarked(dst, pos)
	var head [FPDULengthSize]byte
	dst = m.Append(dst, AppendFPDUHead(head[:0], len(ulpdu)))
	return m.End(m.Append(dst, ulpdu), len(ulpdu), crcOn)
}

func TestMarkedVectors(t *testing.T) {
	for v, msn := range expect(t, vectorsOf(t, "marked"), markedVectors) {
		header := sendHeader(OpSend, msn)
		body := append(header.Append(nil), make([]byte, 24)...)
		if got := marked([]byte("kept"), body, v.pos, true); string(got[:4]) != "kept" || !bytes.Equal(got[4:], v.bytes) {
			t.Errorf("%s: made %x\nwant %x", v.name, got, v.bytes)
		}
		m := &MarkerStripper{crcOn: true, pos: v.pos}
		for n := range v.bytes {
			if _, _, err := m.Parse(v.bytes[:n]); err != ErrShort {
				t.Errorf("%s cut to %d bytes: %v, want ErrShort", v.name, n, err)
			}
		}
		if got, n, err := m.Parse(append(bytes.Clone(v.bytes), 0xff)); err != nil || n != len(v.bytes) || !bytes.Equal(got, body) {
			t.Errorf("%s: parsed %x, %d, %v", v.name, got, n, err)
		}
	}
}

// TestMarkersInPlace looks at a long stream from outside: a marker every 512 bytes, pointing to a length field.
func TestMarkersInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var stream []byte
		var starts []int // of length fields
		for range rapid.IntRange(1, 12).Draw(t, "frames") {
			at := len(stream)
			if at%512 == 0 {
				at += 4
			}
			starts = append(starts, at)
			body := bytes.Repeat([]byte{0xee}, rapid.IntRange(0, 1600).Draw(t, "size"))
			stream = marked(stream, body, uint64(len(stream)), true)
			if len(stream)%4 != 0 {
				t.Fatalf("a frame ends at %d", len(stream))
			}
		}
		for at := 0; at < len(stream); at += 512 {
			owner := 0
			for _, s := range starts {
				if s <= at+4 {
					owner = s
				}
			}
			if got, want := be.Uint32(stream[at:]), uint32(max(at-owner, 0)); got != want {
				t.Fatalf("marker at %d: %#x, want %#x", at, got, want)
			}
		}
	})
}

// TestMarkersRoundTrip cuts a stream anywhere and feeds it as TCP would.
func TestMarkersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		crcOn := rapid.Bool().Draw(t, "crc")
		bodies := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 1200), 1, 6).Draw(t, "bodies")
		var stream []byte
		for _, b := range bodies {
			stream = marked(stream, b, uint64(len(stream)), crcOn)
		}
		m := NewMarkerStripper(crcOn)
		read, arrived := 0, 0
		for len(bodies) > 0 {
			got, n, err := m.Parse(stream[read:arrived])
			if err == ErrShort {
				arrived += rapid.IntRange(1, 700).Draw(t, "more")
				arrived = min(arrived, len(stream))
				continue
			}
			if err != nil || !bytes.Equal(got, bodies[0]) {
				t.Fatalf("at %d: %x, %v, want %x", read, got, err, bodies[0])
			}
			bodies, read = bodies[1:], read+n
		}
		if read != len(stream) {
			t.Fatalf("%d of %d bytes", read, len(stream))
		}
	})
}

// TestMarkedInPieces: an FPDU is the same however it is cut when it is put together.
func TestMarkedInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "body")
		pos := uint64(rapid.IntRange(0, 1000).Draw(t, "word")) * 4
		m := BeginMarked(nil, pos)
		got := m.Append(nil, AppendFPDUHead(nil, len(body)))
		for rest := body; len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "piece")
			got, rest = m.Append(got, rest[:n]), rest[n:]
		}
		if got, want := m.End(got, len(body), true), marked(nil, body, pos, true); !bytes.Equal(got, want) {
			t.Fatalf("%x\nwant %x", got, want)
		}
	})
}

// TestMarkedMULPDU: a segment of that length fits a TCP segment wherever it begins, and is no shorter than one that
// fits everywhere; four bytes more do not fit.
func TestMarkedMULPDU(t *testing.T) {
	for _, emss := range []int{536, 1448, 1447, 1460, 8948, 32741} {
		for pos := uint64(0); pos < markerSpacing; pos += 4 {
			n := MarkedMULPDU(emss, pos)
			if got := MarkedLen(FPDULen(n), pos); got > emss || n < MULPDU(emss, true) || MarkedLen(FPDULen(n+4), pos) <= emss {
				t.Errorf("%d bytes from %d: a segment of %d takes %d, everywhere %d would fit", emss, pos, n, got, MULPDU(emss, true))
			}
		}
	}
	if n := MarkedMULPDU(1<<16, 4); n != MaxULPDU {
		t.Errorf("64 KB hold a segment of %d bytes", n)
	}
}

func TestMarkersDamage(t *testing.T) {
	body := make([]byte, 700)
	stream := marked(nil, body, 0, true)
	for _, c := range []struct {
		name  string
		at    int
		crcOn bool
		want  error
	}{
		{"first marker", 3, true, FaultMarker},
		{"second marker", 515, false, FaultMarker},
		{"reserved half of a marker", 512, true, FaultCRC},
		{"reserved half, CRC off", 512, false, nil},
		{"payload", 300, true, FaultCRC},
	} {
		bad := bytes.Clone(stream)
		bad[c.at] ^= 4
		if _, _, err := NewMarkerStripper(c.crcOn).Parse(bad); c.want == nil && err != nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, _, err := NewMarkerStripper(true).Parse([]byte{0, 0, 0, 0, 0xff, 0xff}); !errors.Is(err, FaultMarker) {
		t.Errorf("length 65535: %v", err)
	}
}

// TestMarkersLongest: the pointer of the last marker of the longest FPDU fits its field.
func TestMarkersLongest(t *testing.T) {
	body := make([]byte, MaxULPDU)
	for _, pos := range []uint64{0, 4, 492, 508} {
		stream := marked(nil, body, pos, true)
		m := &MarkerStripper{crcOn: true, pos: pos}
		if got, n, err := m.Parse(stream); err != nil || n != len(stream) || n >= 1<<16 || len(got) != MaxULPDU {
			t.Errorf("from %d: %d of %d bytes, %v", pos, n, len(stream), err)
		}
	}
}

func FuzzMarkers(f *testing.F) {
	for _, v := range vectorsOf(f, "marked", "fpdu") {
		f.Add(v.bytes, uint16(v.pos/4), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, words uint16, crcOn bool) {
		pos := uint64(words) * 4
		m := &MarkerStripper{crcOn: crcOn, pos: pos}
		for range 8 {
			got, n, err := m.Parse(b)
			if err != nil {
				if err != ErrShort && FaultOf(err).OK() {
					t.Fatalf("error of an unknown kind: %v", err)
				}
				return
			}
			again := marked(nil, got, pos, crcOn)
			twin, twinLen, err := (&MarkerStripper{crcOn: crcOn, pos: pos}).Parse(again)
			if n > len(b) || len(again) != n || err != nil || twinLen != n || !bytes.Equal(got, twin) {
				t.Fatalf("%x became %x, %v", b[:n], again, err)
			}
			b, pos = b[n:], pos+uint64(n)
		}
	})
}
