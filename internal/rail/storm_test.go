package rail

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// The hybrid channel at its worst: datagrams get lost and overtake each other while connections break, so
// that the stream moves between both carriers again and again. Everything arrives once, whole and in order,
// and all buffers come back.
func TestHybridStorm(t *testing.T) {
	for seed := range uint64(soak(4, 200)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			tr := newTraffic(t, 7+seed, nil, onHybrid(func(cfg *Config) {
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
	l.peers.at(0).express.failed(errBroken)
	r.until("the message, over another connection", func() bool { return len(r.boxes[1].got) == 2 })
	r.checkOrder(1, 0, 2)
	r.until("all receives", whole)
}

// A frame that was sent as a datagram and is sent again over a connection may be acknowledged for the sake
// of the datagram. Its buffer is not used for another frame before the device is done with it, or the
// connection would carry a mixture.
func TestSentAgainIsHeld(t *testing.T) {
	r := newRig(t, 2, onHybrid(func(cfg *Config) { // no timer helps
		cfg.Promote, cfg.Flow.Timeout, cfg.Flow.MinTimeout, cfg.Flow.AckDelay = never, 600e9, 600e9, 300e9
	}))
	r.devs[0].Tap(func(verbs.Datagram) verbs.Fate { return verbs.Fate{Drop: true} })
	const messages = 3
	for i := range messages {
		r.send(0, 1, i, pattern(64, i))
	}
	l, p := r.links[0], r.links[0].peers.at(1)
	r.until("end of the datagrams", func() bool { return p.out.InFlight() == messages && !l.sending[0].held() })
	p.dial(express, 0)
	r.until("connection", func() bool { return p.express != nil })
	if l.Counters.Resent != messages || l.sending[0].used != messages {
		t.Fatalf("%d frames sent again, %d buffers in use: the test shows nothing", l.Counters.Resent, l.sending[0].used)
	}
	p.acked(&header{ack: p.next, limit: p.next + 1})
	if p.out.InFlight() != 0 || l.sending[0].used != messages {
		t.Errorf("%d frames in flight; %d of %d buffers are kept for the device", p.out.InFlight(), l.sending[0].used, messages)
	}
	r.until("arrival, and the end of what was posted", func() bool { return len(r.boxes[1].got) == messages && l.sending[0].used == 0 })
	r.checkOrder(1, 0, messages)
}

// held tells whether a buffer of the pool waits for the device.
func (p *pool) held() bool {
	return slices.ContainsFunc(p.all, func(b *buffer) bool { return b != nil && b.holds > 0 })
}
