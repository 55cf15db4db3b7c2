package engine

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// Every message has a way, and which one that is follows from its length, its mode and its link.
func TestWays(t *testing.T) {
	for _, c := range []struct {
		r    Req
		want string
	}{
		{Req{Buf: make([]byte, 8), EagerMax: 8}, "eager"},
		{Req{Buf: make([]byte, 8), EagerMax: 8, Rendezvous: wire.Speculate}, "eager"},
		{Req{Buf: make([]byte, 8), EagerMax: 8, Mode: Sync}, "sync"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Mode: Sync}, "rget"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Prefix: 4}, "rget"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Prefix: Whole}, "unasked"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Rendezvous: wire.Put}, "rput"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Rendezvous: wire.Speculate}, "speculative"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Rendezvous: wire.MaySpeculate}, "speculative"},
		{Req{Buf: make([]byte, 9), EagerMax: 8, Rendezvous: wire.Announced}, "announced"},
		{Req{Buf: make([]byte, 8), EagerMax: 8, Rendezvous: wire.Announced, Mode: Sync}, "announced"},
		{Req{EagerMax: -1, Prefix: 3}, "rget"}, // the peer wants to be asked first
	} {
		taken := ""
		for _, w := range Ways(&c.r) {
			if w.Taken {
				taken += w.Protocol
			}
			if w.About == "" || w.Limits == "" || w.Trips < 1 {
				t.Errorf("%+v", w)
			}
		}
		if taken != c.want {
			t.Errorf("%d bytes, limit %d, %v, mode %d: %s, want %s", len(c.r.Buf), c.r.EagerMax, c.r.Rendezvous, c.r.Mode, taken, c.want)
		}
	}
}

// A protocol is whole: it starts, can be aborted, and a send that waits for answers understands them.
func TestProtocolsAreWhole(t *testing.T) {
	for _, p := range protocols {
		if p.Name == "" || p.fits == nil || p.start == nil || p.abort == nil {
			t.Errorf("%+v", p)
		}
	}
	for kind := wire.Eager; kind < wire.GiveUp; kind++ {
		if kind != wire.RMA && arrivals[kind] == nil {
			t.Errorf("nothing becomes of %v", kind)
		}
	}
}
