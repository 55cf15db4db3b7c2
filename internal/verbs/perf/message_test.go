package perf

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weft-mpi/weft/internal/verbs"
)

func samples() []message {
	at := netip.MustParseAddrPort("[fe80::1]:77")
	w := Way{Kind: UD, QPs: 2, TxDepth: 8, RxDepth: 16, MaxSize: 100}
	return []message{
		{Say: sayHello, Hello: &hello{Version: 1, Test: "ping", Nonce: newNonce()}},
		{Say: sayOpen, Way: &w, Place: &place{QPs: []qpPlace{{Addr: at, Num: 3}}, Addr: 1 << 60, RKey: 9}},
		{Say: sayPlace, Place: &place{Listen: at}},
		{Say: sayRun, ID: 3, Batch: &Batch{Op: verbs.Write, Shape: Stream, QPs: 1, Size: 7, Iterations: 9, Seed: 1 << 63}},
		{Say: sayDone, Tally: &tally{Received: 5}},
		{Say: sayStop},
		{Say: sayError, Error: "no"},
	}
}

func TestMessagesArriveAsTheyWereSaid(t *testing.T) {
	var wire bytes.Buffer
	for _, m := range samples() {
		if err := writeMessage(&wire, m); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range samples() {
		got, err := readMessage(&wire, atMost)
		if err != nil {
			t.Fatal(err)
		}
		if want.Hello != nil {
			want.Hello.Nonce = got.Hello.Nonce // new every time
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTruncatedMessagesAreErrors(t *testing.T) {
	for _, m := range samples() {
		var wire bytes.Buffer
		if err := writeMessage(&wire, m); err != nil {
			t.Fatal(err)
		}
		for n := range wire.Len() {
			if _, err := readMessage(bytes.NewReader(wire.Bytes()[:n]), atMost); err == nil {
				t.Errorf("%s cut to %d of %d bytes was accepted", m.Say, n, wire.Len())
			}
		}
	}
}

// frame puts a length before text.
func frame(text string) []byte {
	return append([]byte{0, 0, byte(len(text) >> 8), byte(len(text))}, text...)
}

func TestStrangeMessagesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{`:               "unexpected end",
		`{"say":"dance"}`: "unknown word",
		`{"say":"run"}`:   "missing",
		`{"say":"open","way":{"kind":"XC"},"place":{}}`:                                                         "no way of kind",
		`{"say":"open","way":{"kind":"RC","qps":1,"tx_depth":0,"rx_depth":8},"place":{}}`:                       "tx depth",
		`{"say":"open","way":{"kind":"TCP","qps":2,"tx_depth":1,"rx_depth":8},"place":{}}`:                      "one socket",
		`{"say":"open","way":{"kind":"RC","qps":1,"tx_depth":1,"rx_depth":8,"max_size":-5},"place":{}}`:         "message size",
		`{"say":"open","way":{"kind":"RC","qps":1,"tx_depth":1,"rx_depth":8},"place":{"qps":[{"num":1}]}}`:      "without an address",
		`{"say":"place","place":{"listen":"here"}}`:                                                             "control message",
		`{"say":"open","way":{"kind":"RC","qps":99999999,"tx_depth":1,"rx_depth":8,"max_size":0},"place":null}`: "missing",
	} {
		if _, err := readMessage(bytes.NewReader(frame(text)), atMost); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
	if _, err := readMessage(strings.NewReader("GET / HTTP/1.0\r\n\r\n"), atMost); err == nil || !strings.Contains(err.Error(), "not from weft") {
		t.Errorf("a web browser: %v", err)
	}
}

func TestBatchesAreChecked(t *testing.T) {
	w := Way{Kind: RC, QPs: 2, TxDepth: 8, RxDepth: 16, MaxSize: 100}
	good := Batch{Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 8, Iterations: 1}
	if err := good.check(w); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Batch, *Way){
		"operation":   func(b *Batch, _ *Way) { b.Op = verbs.FetchAdd },
		"shape":       func(b *Batch, _ *Way) { b.Shape = Alone },
		"queue pairs": func(b *Batch, _ *Way) { b.QPs = 3 },
		"none":        func(b *Batch, _ *Way) { b.QPs = 0 },
		"size":        func(b *Batch, _ *Way) { b.Size = 101 },
		"negative":    func(b *Batch, _ *Way) { b.Size = -1 },
		"nothing":     func(b *Batch, _ *Way) { b.Size, b.Op = 0, verbs.Write },
		"iterations":  func(b *Batch, _ *Way) { b.Iterations = 0 },
		"too many":    func(b *Batch, _ *Way) { b.Iterations = MaxIterations + 1 },
		"warm-up":     func(b *Batch, _ *Way) { b.Warmup = -1 },
		"raw read":    func(b *Batch, w *Way) { b.Op, w.Kind = verbs.Read, TCP },
		"UD write":    func(b *Batch, w *Way) { b.Op, b.Shape, w.Kind = verbs.Write, Stream, UD },
	} {
		b, way := good, w
		change(&b, &way)
		if b.check(way) == nil {
			t.Errorf("%s: %+v was accepted", name, b)
		}
	}
}

func FuzzReadMessage(f *testing.F) {
	for _, m := range samples() {
		var wire bytes.Buffer
		if err := writeMessage(&wire, m); err != nil {
			f.Fatal(err)
		}
		f.Add(wire.Bytes())
	}
	f.Add(frame(`{"say":"open"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := readMessage(bytes.NewReader(b), atMost)
		if err != nil {
			return
		}
		var wire bytes.Buffer
		if err := writeMessage(&wire, m); err != nil {
			t.Fatal(err)
		}
		again, err := readMessage(&wire, atMost)
		if err != nil {
			t.Fatalf("%+v written and read again: %v", m, err)
		}
		if diff := cmp.Diff(m, again, cmpopts.EquateComparable(netip.AddrPort{}), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

func atMost() uint32 { return maxMessage }
