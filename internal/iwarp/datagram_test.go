package iwarp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func shimBytes(s Shim) []byte { return s.Append(nil) }

func recordBytes(r Record) []byte { return r.Append(nil) }

// datagramVectors are the bodies of the datagrams, made by the codecs.
var datagramVectors = map[string]struct {
	kind Kind
	body []byte
}{
	"ud-send":         {UD, append(headerBytes(sendHeader(OpSend, 1)), "hello"...)},
	"ud-write-record": {UD, join(headerBytes(recordHeader), recordBytes(Record{RMSN: 1, Length: 5}), []byte("hello"))},
	"ud-error": {UD, join(headerBytes(queueHeader(OpTerminate, 1)),
		terminateBytes(Terminate{Fault: FaultDDPSTag, HasHeader: true, SegmentLen: 31, Header: recordHeader}))},
	"rd-send": {RD, join(shimBytes(Shim{Data: true, Start: true, Poll: true, Epoch: 0x1234, PSN: 1, Window: 64}),
		headerBytes(sendHeader(OpSend, 1)), []byte("hello"))},
	"rd-ack": {RD, shimBytes(Shim{Words: 1, Epoch: 0xabcd, PSN: 1, APSN: 2, Window: 62, PeerEpoch: 0x1234,
		Sack: [MaxSackWords]uint64{5}})},
	"rd-not-ready": {RD, shimBytes(Shim{NotReady: true, RNR: 4, Epoch: 0xabcd, PSN: 1, APSN: 2, PeerEpoch: 0x1234})},
	"rd-reset":     {RD, shimBytes(Shim{Reset: true, Epoch: 0xabcd, PSN: 1, PeerEpoch: 0x1234})},
}

var recordHeader = Header{Tagged: true, Last: true, Record: true, Op: OpWrite, STag: 0x11223300, TO: 0x1000}

func headerBytes(h Header) []byte       { return h.Append(nil) }
func terminateBytes(m Terminate) []byte { return m.Append(nil) }
func join(parts ...[]byte) []byte       { return bytes.Join(parts, nil) }

func TestDatagramVectors(t *testing.T) {
	for v, want := range expect(t, vectorsOf(t, "datagram"), datagramVectors) {
		body, ok := OpenDatagram(v.bytes)
		if !ok || !bytes.Equal(body, want.body) || DatagramKind(v.bytes) != want.kind {
			t.Errorf("%s: opened %x, %v, kind %d\nwant %x", v.name, body, ok, DatagramKind(v.bytes), want.body)
		}
		if sealed := SealDatagram(bytes.Clone(want.body), 0); !bytes.Equal(sealed, v.bytes) {
			t.Errorf("%s: sealed %x", v.name, sealed)
		}
		if want.kind == RD {
			var s Shim
			if n, ok := ParseShim(body, &s); !ok || !bytes.Equal(shimBytes(s), want.body[:n]) {
				t.Errorf("%s: shim %+v, %v", v.name, s, ok)
			}
		}
	}
	h, n, f := ParseHeader(datagramVectors["ud-write-record"].body)
	if r, ok := ParseRecord(datagramVectors["ud-write-record"].body[n:]); !f.OK() || h != recordHeader || !ok || r != (Record{RMSN: 1, Length: 5}) {
		t.Errorf("ud-write-record: %+v, %v, %+v, %v", h, f, r, ok)
	}
}

// TestDatagramSeal: a datagram opens, and does not when a bit of it changed.
func TestDatagramSeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 1, 100).Draw(t, "body")
		before := rapid.SliceOfN(rapid.Byte(), 0, 10).Draw(t, "before")
		b := SealDatagram(append(before, body...), len(before))[len(before):]
		if got, ok := OpenDatagram(b); !ok || !bytes.Equal(got, body) {
			t.Fatalf("opened %x, %v", got, ok)
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if _, ok := OpenDatagram(b); ok {
			t.Fatal("opened although a bit changed")
		}
	})
	for n := range CRCSize + 1 {
		if _, ok := OpenDatagram(make([]byte, n)); ok {
			t.Errorf("opened %d bytes", n)
		}
	}
}

func TestDatagramKind(t *testing.T) {
	for b, want := range map[byte]Kind{0x41: UD, 0xc1: UD, 0xe2: RD, 0x02: RD, 0x00: Unknown, 0x43: Unknown} {
		if got := DatagramKind([]byte{b}); got != want {
			t.Errorf("%#x: %d, want %d", b, got, want)
		}
	}
	if DatagramKind(nil) != Unknown {
		t.Error("an empty datagram has a kind")
	}
}

func TestQN(t *testing.T) {
	if QN(QueueRead, 0) != 1 || QN(QueueTerminate, 0xabcdef) != 0xabcdef02 {
		t.Errorf("QN: %#x, %#x", QN(QueueRead, 0), QN(QueueTerminate, 0xabcdef))
	}
	if queue, qpn := SplitQN(0xabcdef02); queue != QueueTerminate || qpn != 0xabcdef {
		t.Errorf("SplitQN: %d, %#x", queue, qpn)
	}
}

func TestRecordBounds(t *testing.T) {
	for _, c := range []struct {
		rec     Record
		payload int
		want    bool
	}{
		{Record{Length: 5}, 5, true},
		{Record{Length: 5, Offset: 3}, 2, true},
		{Record{Length: 5, Offset: 3}, 3, false},
		{Record{Length: 5, Offset: 6}, 0, false},
		{Record{Length: 1<<32 - 1, Offset: 1<<32 - 1}, 1, false},
		{Record{}, 0, true},
	} {
		got, ok := ParseRecord(append(c.rec.Append(nil), make([]byte, c.payload)...))
		if ok != c.want || got != c.rec {
			t.Errorf("%+v with %d bytes: %+v, %v", c.rec, c.payload, got, ok)
		}
	}
	if _, ok := ParseRecord(make([]byte, RecordSize-1)); ok {
		t.Error("a short header passes")
	}
}

func FuzzDatagram(f *testing.F) {
	for _, v := range vectorsOf(f, "datagram") {
		f.Add(v.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		DatagramKind(b)
		if body, ok := OpenDatagram(b); ok {
			if again := SealDatagram(bytes.Clone(body), 0); !bytes.Equal(again, b) {
				t.Fatalf("%x became %x", b, again)
			}
		}
	})
}
