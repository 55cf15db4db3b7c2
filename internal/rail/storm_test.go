package rail

import (
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// The hybrid channel at its worst: datagrams get lost and overtake each other while connections break, so that the stream
// moves between both carriers again and again. Everything arrives once, whole and in order, and all buffers come back.
func TestHybridStorm(t *testing.T) {
	for seed := range uint64(soak(4, 200)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			tr := newTraffic(t, 7+seed, nil, hybrid(func(cfg *Config) {
				cfg.Promote, cfg.Flow.AckDelay = 300, 2e6
			}))
			tr.disturb(verbs.FaultConfig{Drop: 0.02, Reorder: 0.05, ReorderBy: 2e6})
			last, breaks := time.Now(), 0
			tr.run(800, func() {
				if time.Since(last) > 5*time.Millisecond {
					if tr.links[tr.rnd.IntN(2)].breakOne(tr.rnd) {
						breaks++
					}
					last = time.Now()
				}
			})
			if again := tr.flow(func(l *Link) uint64 { return l.Flows.Retransmits }); breaks == 0 || again == 0 {
				t.Errorf("%d connections broken, %d datagrams sent again: the test shows nothing", breaks, again)
			}
		})
	}
}

// A connection breaks in the middle of a message: the shared receive that the message had taken is there for others.
func TestHalfMessage(t *testing.T) {
	const length = 1 << 20 // more than sockets take at a time
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Vbuf, cfg.EagerMax, cfg.SRQSize, cfg.SRQLimit = 2*length, length, 4, 1 })
	r.oneWay(1)
	l := r.links[1]
	whole := func() bool { return l.srq.Len()+len(l.repost) == l.given }
	r.until("rest", func() bool { return whole() && r.links[0].Idle() && l.Idle() })
	pk := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 1, Len: length}, Peer: 1, Data: pattern(length, 1)}
	if !r.links[0].Send(pk) {
		t.Fatal("no room")
	}
	for end := time.Now().Add(patience); whole() && time.Now().Before(end); {
		l.Poll(r.boxes[1]) // the sender does nothing meanwhile
	}
	if whole() || len(r.boxes[1].got) != 1 {
		t.Fatal("not half a message: the test shows nothing")
	}
	l.peers[0].express.failed(errBroken)
	r.until("the message, over another connection", func() bool { return len(r.boxes[1].got) == 2 })
	r.checkOrder(1, 0, 2)
	r.until("all receives", whole)
}
