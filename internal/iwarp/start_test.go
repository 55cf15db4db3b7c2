package iwarp

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var startVectors = map[string]StartFrame{
	"request-crc":        {CRC: true, Revision: 2, Enhanced: true, IRD: 1, ORD: 1},
	"reply-crc":          {Reply: true, CRC: true, Revision: 2, Enhanced: true, IRD: 1, ORD: 1},
	"request-revision-1": {Revision: 1},
	"request-no-crc":     {Revision: 2, Enhanced: true, IRD: 1, ORD: 1},
	"request-private":    {CRC: true, Revision: 2, Enhanced: true, IRD: 3, ORD: 5, Private: []byte("hello siw")},
	"request-peer-to-peer": {CRC: true, Revision: 2, Enhanced: true, IRD: 1, ORD: 1,
		PeerToPeer: true, RTR: RTRWrite | RTRRead},
	"reply-write-rtr": {Reply: true, CRC: true, Revision: 2, Enhanced: true, IRD: 1, ORD: 1, PeerToPeer: true, RTR: RTRWrite},
	"reply-read-rtr":  {Reply: true, CRC: true, Revision: 2, Enhanced: true, IRD: 1, ORD: 1, PeerToPeer: true, RTR: RTRRead},
	"reply-reject":    {Reply: true, CRC: true, Reject: true, Revision: 1},
}

func TestStartVectors(t *testing.T) {
	for v, want := range expect(t, vectorsOf(t, "start"), startVectors) {
		got, n, err := ParseStart(append(bytes.Clone(v.bytes), "more"...))
		if err != nil || n != len(v.bytes) {
			t.Errorf("%s: parsed %d of %d bytes: %v", v.name, n, len(v.bytes), err)
		}
		if len(got.Private) == 0 {
			got.Private = nil
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: parsed (-want +got)\n%s", v.name, d)
		}
		if b, err := want.Append(nil); err != nil || !bytes.Equal(b, v.bytes) {
			t.Errorf("%s: appended %x, %v", v.name, b, err)
		}
		for n := range v.bytes {
			if _, _, err := ParseStart(v.bytes[:n]); err != ErrShort {
				t.Errorf("%s cut to %d bytes: %v, want ErrShort", v.name, n, err)
			}
		}
	}
}

// TestStartDecidesEarly: what cannot become a frame is refused at the byte that spoils it, before all is there.
func TestStartDecidesEarly(t *testing.T) {
	const request = "MPA ID Req Frame"
	for _, c := range []struct{ bytes, why string }{
		{"G", "iWARP peer"},
		{"MPA ID Rex", "iWARP peer"},
		{"MPA ID Rep Framf", "iWARP peer"},
		{request + "\x40\x00", "revision 0"},
		{request + "\x40\x03", "revision 3"},
		{request + "\x40\x02\x02\x01", "513 bytes"},
		{request + "\x50\x02\x00\x03", "only 3 bytes"},
	} {
		_, _, err := ParseStart([]byte(c.bytes))
		if !errors.Is(err, ErrStart) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v, want %q", c.bytes, err, c.why)
		}
		if _, _, err := ParseStart([]byte(c.bytes[:len(c.bytes)-1])); err != ErrShort {
			t.Errorf("%q without its last byte: %v, want ErrShort", c.bytes, err)
		}
	}
}

// TestStartReservedBits: reserved bits are not checked, and in revision 1 the enhanced bit is one of them.
func TestStartReservedBits(t *testing.T) {
	f, n, err := ParseStart([]byte("MPA ID Req Frame\x1f\x01\x00\x01x"))
	if want := (StartFrame{Revision: 1, Private: []byte("x")}); err != nil || n != 21 || !cmp.Equal(f, want) {
		t.Errorf("got %+v, %d, %v", f, n, err)
	}
	f, _, err = ParseStart([]byte("MPA ID Req Frame\x10\x02\x00\x04\x40\x01\xc0\x01"))
	if err != nil || f.PeerToPeer || f.RTR != 0 || f.IRD != 1 || f.ORD != 1 {
		t.Errorf("without the peer-to-peer bit the kinds are ignored: got %+v, %v", f, err)
	}
}

func TestStartRefusesToSend(t *testing.T) {
	for _, c := range []struct {
		frame StartFrame
		why   string
	}{
		{StartFrame{}, "revision 0"},
		{StartFrame{Revision: 3}, "revision 3"},
		{StartFrame{Revision: 1, Enhanced: true}, "needs revision 2"},
		{StartFrame{Revision: 2, PeerToPeer: true}, "needs the enhanced form"},
		{StartFrame{Revision: 2, Enhanced: true, IRD: 0x4000}, "the limit is 16383"},
		{StartFrame{Revision: 2, Enhanced: true, ORD: 0x4000}, "the limit is 16383"},
		{StartFrame{Revision: 1, Private: make([]byte, 513)}, "room for 512"},
		{StartFrame{Revision: 2, Enhanced: true, Private: make([]byte, 509)}, "room for 508"},
	} {
		b, err := c.frame.Append([]byte("kept"))
		if !errors.Is(err, ErrStart) || !strings.Contains(err.Error(), c.why) || string(b) != "kept" {
			t.Errorf("%+v: %q, %v, want %q", c.frame, b, err, c.why)
		}
	}
}

func drawStart(t *rapid.T) StartFrame {
	f := StartFrame{
		Reply: rapid.Bool().Draw(t, "reply"), Markers: rapid.Bool().Draw(t, "markers"),
		CRC: rapid.Bool().Draw(t, "crc"), Reject: rapid.Bool().Draw(t, "reject"),
		Revision: uint8(rapid.IntRange(1, 2).Draw(t, "revision")),
	}
	if f.Revision == 2 && rapid.Bool().Draw(t, "enhanced") {
		f.Enhanced = true
		f.IRD, f.ORD = rapid.Uint16Max(0x3fff).Draw(t, "ird"), rapid.Uint16Max(0x3fff).Draw(t, "ord")
		if f.PeerToPeer = rapid.Bool().Draw(t, "p2p"); f.PeerToPeer {
			f.RTR = RTRKind(rapid.IntRange(0, 7).Draw(t, "rtr"))
		}
	}
	f.Private = rapid.SliceOfN(rapid.Byte(), 0, f.room()).Draw(t, "private")
	return f
}

func TestStartRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawStart(t)
		b, err := f.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, n, err := ParseStart(b); err != nil || n != len(b) || !cmp.Equal(f, got) {
			t.Fatalf("%+v became %+v, %d of %d, %v", f, got, n, len(b), err)
		}
	})
}

func FuzzStart(f *testing.F) {
	for _, v := range vectorsOf(f, "start") {
		f.Add(v.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, n, err := ParseStart(b)
		switch {
		case err == ErrShort && len(b) >= MaxStart:
			t.Fatalf("%d bytes are too short", len(b))
		case err != nil && err != ErrShort && !errors.Is(err, ErrStart):
			t.Fatalf("error of an unknown kind: %v", err)
		case err != nil:
			return
		}
		again, err := frame.Append(nil)
		if err != nil || len(again) != n || !bytes.Equal(again[:16], b[:16]) || !bytes.Equal(frame.Private, b[n-len(frame.Private):n]) {
			t.Fatalf("%x became %x, %v", b[:n], again, err)
		}
		if twin, _, err := ParseStart(again); err != nil || !cmp.Equal(frame, twin) {
			t.Fatalf("%+v became %+v, %v", frame, twin, err)
		}
	})
}

func TestRTRKindString(t *testing.T) {
	for k, want := range map[RTRKind]string{0: "none", RTRRead: "Read", RTRAll: "Send+Write+Read"} {
		if got := k.String(); got != want {
			t.Errorf("%d: %q, want %q", k, got, want)
		}
	}
}
