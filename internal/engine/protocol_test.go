package engine

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// Every message has a way, and which one that is follows from its length, its mode and its link.
func TestWays(t *testing.T) {
	for _, c := range []struct {
		bytes, limit int
		mode         Mode
		how          wire.Rendezvous
		prefix       int
		want         string
	}{
		{8, 8, Standard, wire.Pull, 0, "eager"},
		{8, 8, Standard, wire.Speculate, 0, "eager"},
		{0, 0, Standard, wire.Put, 0, "eager"},
		{8, 8, Sync, wire.Pull, 0, "sync"},
		{9, 8, Sync, wire.Pull, 0, "rget"},
		{9, 8, Standard, wire.Pull, 4, "rget"},
		{9, 8, Standard, wire.Pull, Whole, "unasked"},
		{9, 8, Standard, wire.Put, 0, "rput"},
		{9, 8, Sync, wire.Speculate, 0, "speculative"},
		{9, 8, Standard, wire.MaySpeculate, 0, "speculative"},
		{9, 8, Standard, wire.Announced, 0, "announced"},
		{8, 8, Sync, wire.Announced, 0, "announced"},
		{0, -1, Standard, wire.Pull, 0, "rget"}, // the peer wants to be asked first
	} {
		taken := ""
		for _, w := range Ways(c.bytes, c.mode, c.limit, c.how, c.prefix) {
			if w.Taken {
				taken += w.Protocol
			}
			if w.About == "" || w.Limits == "" || w.Trips < 1 {
				t.Errorf("%+v", w)
			}
		}
		if taken != c.want {
			t.Errorf("%+v: %s", c, taken)
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
