package kernel

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

var somewhere = place{gid: [16]byte{1, 15: 9}, lid: 0x1234, qp: 0xabcdef, psn: 0x123456, mtu: 3, reads: 7, readsIn: 9}

// TestFrames: what is written is read again, at every length nothing that is cut short.
func TestFrames(t *testing.T) {
	body := append(appendPlace(nil, &somewhere), "private"...)
	b := appendFrame(nil, frameAccept, body)
	for i := range b {
		if _, _, used, err := parseFrame(b[:i]); used != 0 || err != nil {
			t.Fatalf("%d of %d bytes: used %d, %v", i, len(b), used, err)
		}
	}
	kind, got, used, err := parseFrame(append(b, 1, 2, 3))
	if kind != frameAccept || !bytes.Equal(got, body) || used != len(b) || err != nil {
		t.Errorf("read %v %x, used %d, %v", kind, got, used, err)
	}
	p, rest, err := parsePlace(got)
	if !reflect.DeepEqual(p, somewhere) || string(rest) != "private" || err != nil {
		t.Errorf("read %+v %q, %v", p, rest, err)
	}
	for i := range placeSize {
		if _, _, err := parsePlace(body[:i]); err == nil {
			t.Fatalf("%d bytes of a place were enough", i)
		}
	}
}

// TestFramesRefused: what no peer of ours says.
func TestFramesRefused(t *testing.T) {
	for what, b := range map[string][]byte{"no kind": {0, 0, 1}, "kind 0": {0, 1, 0}, "an unknown kind": {0, 1, 7}, "too long": {0xff, 0xff, 1}} {
		if _, _, _, err := parseFrame(b); err == nil {
			t.Errorf("%s was read", what)
		}
	}
	for what, spoil := range map[string]func(*place){"no MTU": func(p *place) { p.mtu = 0 }, "an unknown MTU": func(p *place) { p.mtu = 6 },
		"a queue pair's number too long": func(p *place) { p.qp = 1 << 24 }, "a packet's number too long": func(p *place) { p.psn = 1 << 24 }} {
		p := somewhere
		spoil(&p)
		if _, _, err := parsePlace(appendPlace(nil, &p)); err == nil {
			t.Errorf("%s was read", what)
		}
	}
}

func TestBroken(t *testing.T) {
	for _, told := range []bool{false, true} {
		got, reason, err := parseBroken(appendBroken(nil, told, "why\x00"+strings.Repeat("x", 300)))
		if got != told || err != nil || !strings.HasPrefix(reason, `"why\x00xxx`) || len(reason) > 210 {
			t.Errorf("read %v %s, %v", got, reason, err)
		}
	}
	for _, b := range [][]byte{nil, {2}, make([]byte, 500)} {
		if _, _, err := parseBroken(b); err == nil {
			t.Errorf("%x was read", b)
		}
	}
}

// FuzzFrame: whatever a stranger says is read or refused, and what is read is written the same way.
func FuzzFrame(f *testing.F) {
	f.Add(appendFrame(nil, frameRequest, append(appendPlace(nil, &somewhere), "private"...)))
	f.Add(appendFrame(nil, frameBroken, appendBroken(nil, true, "reason")))
	f.Fuzz(func(t *testing.T, b []byte) {
		kind, body, used, err := parseFrame(b)
		if err != nil || used == 0 {
			return
		}
		if again := appendFrame(nil, kind, body); !bytes.Equal(again, b[:used]) {
			t.Fatalf("%x became %x", b[:used], again)
		}
		if p, rest, err := parsePlace(body); err == nil && !bytes.Equal(append(appendPlace(nil, &p), rest...), body) {
			t.Fatalf("%x became %+v", body, p)
		}
		parseBroken(body)
	})
}

// FuzzGreeting: what a stranger says through the connection manager is read or refused, and what is read is written the same way.
func FuzzGreeting(f *testing.F) {
	f.Add(appendGreeting(nil, frameAccept, noteAt{1 << 40, 7}, []byte("private")))
	f.Add(appendGreeting(nil, frameRequest, noteAt{}, make([]byte, maxPrivateCM+1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		kind, at, private, err := parseGreeting(b)
		if err != nil {
			return
		}
		if len(private) > maxPrivateCM {
			t.Fatalf("%d bytes of private data", len(private))
		}
		if again := appendGreeting(nil, kind, at, private); !bytes.Equal(again, b) {
			t.Fatalf("%x became %x", b, again)
		}
	})
}
