package rail

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/wire"
)

// What was sent over a connection of the hybrid channel arrives though the connection breaks and there is
// no other: every frame fits a datagram, however short datagrams are.
func TestDatagramsTakeOver(t *testing.T) {
	r := newRigOn(t, 2, func(int) soft.Config { return soft.Config{Datagram: 1400} }, onHybrid(nil))
	const first, rest = 100, 20
	r.oneWay(first)
	a, b := r.links[0].peers.at(1), r.links[1].peers.at(0)
	r.until("connection", func() bool { return a.express != nil && b.express != nil })
	never := int64(1) << 62
	a.climb.after, b.climb.after = never, never
	b.express.failed(errBroken) // the sender has not noticed
	sent := 0
	for ; sent < rest; sent++ {
		data := pattern(8000, first+sent)
		pk := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(first + sent), Len: len(data)}, Peer: 1, Data: data}
		if !r.links[0].Send(pk) {
			break
		}
	}
	r.until("arrival", func() bool {
		got := r.boxes[1].got
		return len(got) >= first+sent && !got[len(got)-1].open && a.out.InFlight() == 0
	})
	if sent == 0 || r.links[0].Counters.PostErrors != 0 {
		t.Errorf("%d messages were under way, %d could not be posted", sent, r.links[0].Counters.PostErrors)
	}
	r.checkOrder(1, 0, len(r.boxes[1].got))
}

// A read whose connection breaks goes on over another one, though nothing else happens that would remind anybody of it.
func TestReadOutlivesItsLane(t *testing.T) {
	r := newRig(t, 2, nil)
	src, dst := pattern(32<<20, 1), make([]byte, 32<<20)
	k := r.links[0].Expose(1, src, false)
	if !r.links[1].Read(0, k, dst, 1) {
		t.Fatal("cannot read")
	}
	p := r.links[1].peers.at(0)
	r.until("part under way", func() bool { return p.lanes[1] != nil && p.lanes[1].state == up && len(p.lanes[1].open) > 0 })
	p.lanes[1].failed(errBroken)
	if r.links[1].Counters.Moved == 0 {
		t.Fatal("nothing was under way")
	}
	r.until("read", func() bool { _, done := r.boxes[1].reads[1]; return done })
	if err := r.boxes[1].reads[1]; err != nil || !bytes.Equal(src, dst) {
		t.Errorf("%v, equal %v", err, bytes.Equal(src, dst))
	}
}

// A long message that is under way for longer than a peer may be quiet is not quiet: closing its connection
// would begin it anew, for ever.
func TestLongIsNotQuiet(t *testing.T) {
	r := newRig(t, 2, nil)
	src, dst := pattern(32<<20, 1), make([]byte, 32<<20)
	k := r.links[0].Expose(1, src, false)
	if !r.links[1].Read(0, k, dst, 1) {
		t.Fatal("cannot read")
	}
	l, p := r.links[1], r.links[1].peers.at(0)
	r.until("part under way", func() bool { return p.standing(bulk, 0) != nil && len(p.standing(bulk, 0).open) > 0 && !p.bulk.waits() })
	l.now = l.clock.Now()
	p.quietAt, p.quietSum = l.now, p.sent+p.received+p.bulk.parts
	p.rest()
	if l.Counters.Rested != 0 || p.standing(bulk, 0) == nil {
		t.Error("the connection of a read was closed for quiet")
	}
	r.until("read", func() bool { _, done := r.boxes[1].reads[1]; return done })
}
