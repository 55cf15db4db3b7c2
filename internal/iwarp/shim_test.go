package iwarp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func drawShim(t *rapid.T) Shim {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	s := Shim{
		Data: flag("data"), Start: flag("start"), Poll: flag("poll"), NotReady: flag("not ready"), Reset: flag("reset"),
		RNR: rapid.Uint8Max(15).Draw(t, "rnr"), Words: rapid.Uint8Max(15).Draw(t, "words"),
		Epoch: rapid.Uint16().Draw(t, "epoch"), PSN: rapid.Uint32().Draw(t, "psn"), APSN: rapid.Uint32().Draw(t, "apsn"),
		Window: rapid.Uint16().Draw(t, "window"), PeerEpoch: rapid.Uint16().Draw(t, "peer epoch"),
	}
	for i := range s.Sack[:s.Words] {
		s.Sack[i] = rapid.Uint64().Draw(t, "sack")
	}
	return s
}

func TestShimRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, got := drawShim(t), drawShim(t) // parsing overwrites whatever was there
		b := s.Append(nil)
		if n, ok := ParseShim(append(b, 0xff), &got); !ok || n != len(b) || n != s.Size() || got != s {
			t.Fatalf("%+v became %+v, %d, %v", s, got, n, ok)
		}
		for n := range b {
			if _, ok := ParseShim(b[:n], &got); ok {
				t.Fatalf("cut to %d of %d bytes it passes", n, len(b))
			}
		}
	})
}

func TestShimRefusals(t *testing.T) {
	good := (&Shim{Data: true, Epoch: 1}).Append(nil)
	for _, first := range []byte{0x80, 0x81, 0x83, 0x86} {
		bad := bytes.Clone(good)
		bad[0] = first
		s := Shim{Epoch: 77}
		if _, ok := ParseShim(bad, &s); ok || s != (Shim{Epoch: 77}) {
			t.Errorf("first byte %#x: %v, %+v", first, ok, s)
		}
	}
}

func FuzzShim(f *testing.F) {
	for _, v := range vectorsOf(f, "datagram") {
		f.Add(v.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Shim
		if n, ok := ParseShim(b, &s); ok && !bytes.Equal(s.Append(nil), b[:n]) {
			t.Fatalf("%x became %x", b[:n], s.Append(nil))
		}
	})
}

func BenchmarkShim(b *testing.B) {
	s, buf := Shim{Data: true, Epoch: 1, Window: 64, Words: 1}, make([]byte, MaxShimSize)
	for b.Loop() {
		s.PSN++
		s.Put(buf)
		ParseShim(buf, &s)
	}
}
