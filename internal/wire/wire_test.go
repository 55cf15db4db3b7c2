package wire

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples holds one header of every kind, with every field of that kind set.
var samples = []Header{
	{Kind: Eager, Ctx: 7, Tag: -1, Len: 4096},
	{Kind: Sync, Ctx: 1 << 31, Tag: 1<<31 - 1, Send: 9, Len: 0},
	{Kind: RTS, Flags: Speculative | StopRTR | AdaptStop, Ctx: 2, Tag: 3, Send: 4, Len: 5 << 30, Key: Key{Addr: 1 << 47, Slot: 6}},
	{Kind: RTS, Ctx: 2, Tag: 3, Send: 4, Len: 5 << 30, Key: Key{Addr: 1 << 47, Slot: 6}, Prefix: 1<<32 - 1},
	{Kind: CTS, Send: 1, Recv: 2, Len: 3, Key: Key{Addr: 4, Slot: 5}},
	{Kind: RTR, Ctx: 5, Tag: 6, Recv: 2, Len: 3, Key: Key{Addr: 1<<64 - 1, Slot: 1<<32 - 1}},
	{Kind: RTRAck, Recv: 7, Send: 8, Len: 1 << 40},
	{Kind: RTSAck, Send: 9, Flags: AdaptResume},
	{Kind: FIN, Send: 1<<32 - 1, Flags: AdaptResume},
	{Kind: Done, Recv: 3, Len: 77},
	{Kind: RTRCancel, Ctx: 1, Tag: 2, Recv: 3, Send: 4},
	{Kind: RTRCancelAck, Ctx: 1, Tag: 2, Recv: 3, Send: 4},
	{Kind: Renounce, Ctx: 1, Tag: 2, Recv: 3, Send: 4},
	{Kind: Ack, Send: 12},
	{Kind: Data, Recv: 5, Len: 1 << 33},
	{Kind: Hold},
	{Kind: Eager, Ctx: 7, Tag: 3, Len: 5, Label: 1<<63 | 9},
	{Kind: Sync, Ctx: 7, Tag: 3, Len: 5, Send: 4, Label: 1},
	{Kind: RTS, Ctx: 7, Tag: 3, Len: 5, Send: 4, Prefix: 2, Label: 1<<64 - 1},
	{Kind: Release},
	{Kind: RMA, Ctx: 6, Len: 100},
	{Kind: Withdraw, Ctx: 1 << 31, Tag: -2, Send: 3},
	{Kind: Withdrawn, Send: 1<<32 - 1},
	{Kind: GiveUp, Ctx: 1<<32 - 1},
	{Kind: Announce, Ctx: 5, Tag: 6, Recv: 2, Len: 3, Key: Key{Addr: 1 << 63, Slot: 9}},
}

func TestTwins(t *testing.T) {
	for _, want := range samples {
		b := Append(nil, &want)
		if want.Label == 0 && (len(b) > MaxSize || len(b) != Size(want.Kind)) || len(b) != want.Size() {
			t.Errorf("%v takes %d bytes; Size says %d, MaxSize %d", want.Kind, len(b), want.Size(), MaxSize)
		}
		var got Header
		rest, err := Parse(append(b, "tail"...), &got)
		if err != nil || string(rest) != "tail" || !cmp.Equal(got, want) {
			t.Errorf("%v: got %+v, rest %q, err %v", want, got, rest, err)
		}
		for cut := range b {
			if _, err := Parse(b[:cut], &got); !errors.Is(err, ErrShort) {
				t.Errorf("%v cut at %d: err %v", want.Kind, cut, err)
			}
		}
	}
}

// Every kind has a sample, a name and a codec.
func TestEveryKindIsSampled(t *testing.T) {
	for k := Kind(1); k < lastKind; k++ {
		if !slices.ContainsFunc(samples, func(h Header) bool { return h.Kind == k }) || strings.Contains(k.String(), "Kind") {
			t.Errorf("%v has no sample or no name", k)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	var h Header
	if _, err := Parse([]byte{0}, &h); !errors.Is(err, ErrKind) {
		t.Errorf("kind 0: %v", err)
	}
	huge := append([]byte{byte(Eager)}, bytes.Repeat([]byte{0xff}, eagerSize)...)
	if _, err := Parse(huge, &h); !errors.Is(err, ErrRange) {
		t.Errorf("huge length: %v", err)
	}
	if _, err := Parse(Append(nil, &Header{Kind: CTS, Label: 1}), &h); !errors.Is(err, ErrKind) {
		t.Errorf("CTS with a label: %v", err)
	}
	if _, err := Parse(append([]byte{byte(Eager) | labelled}, make([]byte, 8+eagerSize)...), &h); !errors.Is(err, ErrRange) {
		t.Errorf("an empty label: %v", err)
	}
	for _, kind := range []Kind{RTS, FIN, RTSAck} { // a flag that is not this packet's
		b := Append(nil, &Header{Kind: kind})
		flags := len(b) - 1
		if kind == RTS {
			flags -= 4
		}
		b[flags] = 0xff
		if _, err := Parse(b, &h); !errors.Is(err, ErrRange) {
			t.Errorf("%v with unknown flags: %v", kind, err)
		}
	}
	for _, rts := range []Header{{Kind: RTS, Len: 9, Prefix: 10}, {Kind: RTS, Len: 9, Prefix: 1, Flags: ByWrite}} {
		if _, err := Parse(Append(nil, &rts), &h); !errors.Is(err, ErrRange) {
			t.Errorf("%+v: %v", rts, err)
		}
	}
}

func TestPayload(t *testing.T) {
	for _, h := range samples {
		want := 0
		switch h.Kind {
		case Eager, Sync, Data, RMA:
			want = h.Len
		case RTS:
			want = h.Prefix
		}
		if got := h.Payload(); got != want {
			t.Errorf("%v is followed by %d bytes, want %d", h, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for i := range samples {
		f.Add(Append(nil, &samples[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var h Header
		rest, err := Parse(b, &h)
		if err != nil {
			return
		}
		if again := append(Append(nil, &h), rest...); !bytes.Equal(again, b) {
			t.Fatalf("%x parsed to %+v, appended to %x", b, h, again)
		}
	})
}
