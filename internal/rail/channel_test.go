package rail

import (
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/wire"
)

// deviceCount is what a rank's device counted.
func (r *rig) deviceCount(rank int, name string) uint64 {
	for n, v := range r.devs[rank].Counters() {
		if n == name {
			return v
		}
	}
	r.t.Fatalf("the device counts no %s", name)
	return 0
}

// never is a number of messages that no test sends.
const never = 1 << 40

// offer sends messages from rank 0 to 1 until the link is busy or n are sent; rank 1 does nothing meanwhile.
func (r *rig) offer(first, n int) (sent int) {
	for i := first; i < first+n; i++ {
		p := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: 64}, Peer: 1, Data: pattern(64, i)}
		if !r.links[0].Send(p) {
			break
		}
		sent++
	}
	return sent
}

// A connection of the channel sr has three receives. A sender that floods it never sends more than it has
// credit for, and gets new credit each time half is used up.
func TestCredits(t *testing.T) {
	for _, c := range []Channel{SR, ArdmaSR} {
		t.Run(c.String(), func(t *testing.T) {
			r := newRig(t, 2, func(_ int, cfg *Config) {
				cfg.Channel, cfg.RingAfter = c, never
				cfg.Flow.Timeout, cfg.Flow.AckDelay = 600e9, 300e9
			})
			sent := 0
			r.until("room for 300 messages", func() bool {
				n := r.offer(sent, 10)
				sent += n
				if n > 3 || sent > 0 && r.links[0].peers.at(1).out.InFlight() > 3 {
					t.Fatalf("%d messages at once, %d in flight, with credit for 3", n, r.links[0].peers.at(1).out.InFlight())
				}
				return sent >= 300
			})
			r.until("arrival", func() bool { return len(r.boxes[1].got) == sent })
			r.checkOrder(1, 0, sent)
			if n := r.deviceCount(1, "rc_waits_for_receive"); n != 0 {
				t.Errorf("%d messages found no receive", n)
			}
			ln := r.links[1].peers.at(0).express
			if ln.recvs != 3 || len(ln.posted) != 3+spareRecvs {
				t.Errorf("%d receives, %d posted", ln.recvs, len(ln.posted))
			}
			if got := r.links[1].Counters.Acks; got < uint64(sent/3) || got > uint64(sent/2) {
				t.Errorf("%d acknowledgements of %d messages with credit for 3", got, sent)
			}
			if r.links[0].Counters.CreditStalls == 0 {
				t.Error("nobody waited for credit: the test shows nothing")
			}
		})
	}
}

// credit waits until rank 1 owes nothing and rank 0 may send so many messages.
func (r *rig) credit(n int) {
	r.t.Helper()
	p := r.links[0].peers.at(1)
	r.until("credit", func() bool {
		return r.links[0].Idle() && r.links[1].Idle() && p.express != nil && p.out.InFlight() == 0 && p.out.Credit() >= n
	})
}

// A connection that is used much gets 64 receives, and keeps its credit when it is made anew.
func TestFullSet(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = SR })
	sent := 0
	r.until("room for 21 messages", func() bool {
		sent += r.offer(sent, 1)
		return sent > 20
	})
	r.until("growth", func() bool { return r.links[1].Counters.FullSets == 1 })
	for round := range 3 {
		r.credit(64)
		if n := r.offer(sent, 200); n != 64 {
			t.Errorf("round %d: %d messages at once, with credit for 64", round, n)
		} else {
			sent += n
		}
		if round == 1 {
			r.links[0].peers.at(1).express.failed(errBroken)
		}
		r.until("arrival", func() bool { return len(r.boxes[1].got) == sent })
		// Where all had come when the connection broke, it is made anew without another message.
		r.until("a connection", func() bool { return r.links[1].peers.at(0).express != nil })
		if ln := r.links[1].peers.at(0).express; ln.recvs != 64 || len(ln.posted) != 64+spareRecvs {
			t.Fatalf("round %d: not 64 receives: %+v", round, ln)
		}
	}
	r.checkOrder(1, 0, sent)
	if n := r.deviceCount(1, "rc_waits_for_receive"); n != 0 {
		t.Errorf("%d messages found no receive", n)
	}
}

// A peer that has sent ten messages gets a ring. When that is full the channel below takes over, and order holds.
// Control packets never use it.
func TestRing(t *testing.T) {
	for _, c := range []Channel{ArdmaSRQ, ArdmaSR} {
		t.Run(c.String(), func(t *testing.T) {
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel, cfg.Vbuf, cfg.RingBytes = c, 8192, 8*8192+100 })
			for range 9 {
				r.oneWay(1)
			}
			if r.links[1].Counters.Rings != 0 {
				t.Fatal("a ring for nine messages")
			}
			for range 40 {
				r.oneWay(1)
			}
			r.credit(30)
			if r.links[1].Counters.Rings != 1 || r.links[0].Counters.EagerRing == 0 {
				t.Fatalf("no ring after 49 messages: %+v", r.links[1].Counters)
			}
			sent, ringed := 49, r.links[0].Counters.EagerRing
			n := r.offer(sent, 30)
			sent += n
			if got := r.links[0].Counters.EagerRing - ringed; n < 20 || got != 8 {
				t.Errorf("%d of %d messages went into a ring of 8", got, n)
			}
			r.until("arrival", func() bool { return len(r.boxes[1].got) == sent })
			r.checkOrder(1, 0, sent)
			was := r.links[0].Counters.EagerRing
			r.chat(30) // slots come back with what the peer says
			ringed = r.links[0].Counters.EagerRing
			if ringed-was < 25 {
				t.Errorf("%d of 30 messages by the ring: its slots do not come back", ringed-was)
			}
			rts := &wire.Packet{Header: wire.Header{Kind: wire.RTS, Ctx: 4, Tag: 9, Len: 1 << 20}, Peer: 1}
			r.until("room", func() bool { return r.links[0].Send(rts) })
			r.until("RTS", func() bool { return r.boxes[1].got[len(r.boxes[1].got)-1].h.Kind == wire.RTS })
			if r.links[0].Counters.EagerRing != ringed {
				t.Error("a control packet went into the ring")
			}
		})
	}
}

// Control packets never travel by rings, so that many of them are worth none; but they take receives, of which a
// connection gets the full set then.
func TestRingForDataOnly(t *testing.T) {
	for _, c := range []Channel{ArdmaSRQ, ArdmaSR} {
		t.Run(c.String(), func(t *testing.T) {
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = c })
			for i := range 30 {
				rts := &wire.Packet{Header: wire.Header{Kind: wire.RTS, Ctx: 4, Tag: int32(i), Len: 1 << 20}, Peer: 1}
				r.until("room", func() bool { return r.links[0].Send(rts) })
				r.until("RTS", func() bool { return len(r.boxes[1].got) == i+1 })
			}
			n := &r.links[1].Counters
			if full := uint64(map[Channel]int{ArdmaSR: 1}[c]); n.Rings != 0 || n.FullSets != full {
				t.Errorf("30 control packets brought %d rings and %d full sets, not 0 and %d", n.Rings, n.FullSets, full)
			}
			for range 9 {
				r.oneWay(1)
			}
			if n.Rings != 0 {
				t.Error("a ring for nine messages")
			}
			if r.oneWay(1); n.Rings != 1 {
				t.Errorf("%d rings for ten messages", n.Rings)
			}
		})
	}
}

// chat has every rank send to every other, n messages each.
func (r *rig) chat(n int) {
	r.t.Helper()
	for i := range n {
		r.allToAll(i, 1)
	}
	r.until("rest", func() bool {
		for _, l := range r.links {
			if !l.Idle() {
				return false
			}
		}
		return true
	})
}

// allToAll has every rank send n messages to every other as fast as the links take them.
func (r *rig) allToAll(tag, n int) {
	r.t.Helper()
	ranks := len(r.links)
	want := make([]int, ranks)
	sent := make([]int, ranks*ranks)
	for i, b := range r.boxes {
		want[i] = len(b.got) + n*(ranks-1)
	}
	r.until("arrival", func() bool {
		for from, l := range r.links {
			for to := range ranks {
				for s := &sent[from*ranks+to]; from != to && *s < n; *s++ {
					if !l.Send(&wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(tag)}, Peer: to}) {
						break
					}
				}
			}
		}
		for i, b := range r.boxes {
			if len(b.got) != want[i] {
				return false
			}
		}
		return true
	})
}

// What rings cost is what they are said to cost: the difference between the channels is rings times their size.
func TestRingMemory(t *testing.T) {
	var memory [2]int64
	var rings uint64
	for i, c := range []Channel{SRQ, ArdmaSRQ} {
		r := newRig(t, 4, func(_ int, cfg *Config) { cfg.Channel, cfg.RingPeers = c, 2 })
		r.chat(20)
		memory[i], rings = r.links[0].Counters.MemoryHigh, r.links[0].Counters.Rings
	}
	if rings != 2 || memory[1]-memory[0] != int64(rings)*500<<10 {
		t.Errorf("%d rings cost %d bytes", rings, memory[1]-memory[0])
	}
}

// The shared receives of srq grow when they run low, each time that is said, and all are there in the end.
func TestWatermark(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.NoPlace = true }) // what is borrowed takes none
	r.oneWay(1)
	l := r.links[1]
	if l.given != srqFirst {
		t.Fatalf("%d receives at first", l.given)
	}
	sent := 1 + r.offer(1, 350)
	if sent < 200 {
		t.Fatalf("only %d messages at once", sent)
	}
	r.until("arrival", func() bool { return len(r.boxes[1].got) == sent })
	r.checkOrder(1, 0, sent)
	if l.Counters.Watermarks == 0 || l.given <= srqFirst || l.given > l.cfg.SRQSize {
		t.Errorf("%d low-watermark events, %d receives", l.Counters.Watermarks, l.given)
	}
	events := l.Counters.Watermarks
	for range 20 { // it is armed again each time
		sent += r.offer(sent, 350)
		r.until("arrival", func() bool { return len(r.boxes[1].got) == sent })
	}
	if l.Counters.Watermarks == events {
		t.Error("no further event although the receives ran low")
	}
	r.until("rest", func() bool { return l.Idle() && l.srq.Len()+len(l.repost) == l.given })
	if l.given > l.cfg.SRQSize {
		t.Errorf("%d receives of at most %d", l.given, l.cfg.SRQSize)
	}
}

// Memory does not grow with the job: 16 and 64 ranks that all talk to each other need the same.
func TestMemoryFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: the size of memory is the point")
	}
	var high [2]int64
	for i, ranks := range []int{16, 64} {
		r := newRig(t, ranks, nil)
		r.allToAll(0, 1)
		r.allToAll(1, 1900/(ranks-1)) // the same load for a rank
		for _, l := range r.links {
			high[i] = max(high[i], l.Counters.MemoryHigh)
		}
		for _, l := range r.links {
			l.Close()
		}
		for _, d := range r.devs {
			_ = d.Close()
		}
	}
	if high[1]*10 > high[0]*11 || high[1] > 5<<20 {
		t.Errorf("%d bytes with 16 ranks, %d with 64", high[0], high[1])
	}
}

// The hybrid channel needs less memory than a connection to everybody, and as much more as it makes
// connections: what is left beside their share is the same for all. Where datagrams are acknowledged late
// because the machine stands still, senders keep more of them: one round of five is enough.
func TestHybridMemory(t *testing.T) {
	const ranks = 8
	var wrong string
	for range 5 {
		wrong = ""
		without := hybridMemory(t, ranks, 0)
		for _, limit := range []int{2, ranks - 1} {
			base := hybridMemory(t, ranks, limit)
			if d := base - without; d < -2*slabBytes || d > 4*slabBytes {
				wrong = fmt.Sprintf("limit %d: %d bytes beside those of connections; %d without any", limit, base, without)
			}
		}
		if wrong == "" {
			return
		}
	}
	t.Error(wrong)
}

// hybridMemory is what a rank needs beside the share of its connections when all have talked, and may make
// so many of them.
func hybridMemory(t *testing.T, ranks, limit int) int64 {
	t.Helper()
	r := newRig(t, ranks, onHybrid(func(cfg *Config) {
		cfg.RCMax, cfg.Promote = limit, 4
	}))
	r.chat(12)
	r.until("connections", func() bool { return limit == 2 || r.links[0].connections() == limit })
	r.poll(10)
	l, conns := r.links[0], 0
	r.until("memory for all connections", func() bool {
		conns = l.connections()
		return l.Counters.Memory >= int64(conns*l.cfg.RCRecvs*l.cfg.Vbuf)
	})
	if conns > limit {
		t.Errorf("%d connections of at most %d", conns, limit)
	}
	if share := int64(limit * l.cfg.RCRecvs * l.cfg.Vbuf); limit == ranks-1 && l.Counters.Memory <= share {
		t.Errorf("%d connections and %d bytes", conns, l.Counters.Memory)
	}
	return l.Counters.Memory - int64(conns*l.cfg.RCRecvs*l.cfg.Vbuf)
}

// Peers with whom nothing is exchanged give back connections, rings and receives; the next message makes them anew.
func TestQuiet(t *testing.T) {
	for _, c := range []Channel{SRQ, SR, ArdmaSR, ArdmaSRQ, Hybrid} {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 3, func(_ int, cfg *Config) { cfg.Channel, cfg.Quiet = c, 100e6 })
			r.chat(30)
			r.read(0, 1, 100_000, 1)
			high := r.links[0].Counters.Memory
			if r.links[0].connections() == 0 {
				t.Fatal("no connections to give back")
			}
			r.until("the end of all connections", func() bool {
				for _, l := range r.links {
					if len(l.lanes) != 0 {
						return false
					}
				}
				return true
			})
			rested := r.flow(func(l *Link) uint64 { return l.Counters.Rested })
			l := r.links[0]
			if rested == 0 || l.rings != 0 || l.climbed != 0 {
				t.Errorf("%d rested, %d rings, %d climbed", rested, l.rings, l.climbed)
			}
			if c != SRQ && c != Hybrid && l.Counters.Memory >= high { // those of srq are for everybody
				t.Errorf("memory does not fall: %d, then %d", high, l.Counters.Memory)
			}
			lanes := l.Counters.Lanes
			r.chat(30)
			r.read(0, 1, 100_000, 2)
			if l.Counters.Lanes == lanes {
				t.Error("no new connections")
			}
			if len(r.boxes[0].lost) != 0 {
				t.Errorf("lost: %v", r.boxes[0].lost)
			}
		})
	}
}

// A peer that may be reading our memory is not quiet, however long that takes: we hear nothing of it.
func TestReadersAreNotQuiet(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Quiet = 20e6 })
	meet(r)
	l := r.links[0]
	k := l.Expose(1, make([]byte, 100), false)
	other := r.links[1].Expose(0, make([]byte, 100), false) // neither closes it
	rests := func() uint64 { return r.flow(func(l *Link) uint64 { return l.Counters.Rested }) }
	before := rests() // a slow machine may have found them quiet when they met
	for end := time.Now().Add(150 * time.Millisecond); time.Now().Before(end); {
		r.poll(1)
	}
	if n := rests() - before; n != 0 {
		t.Errorf("%d peers were given up as quiet", n)
	}
	l.Hide(1, k)
	r.links[1].Hide(0, other)
	r.until("rest", func() bool { return rests() > 0 })
}

// Who has asked for a connection and looks rarely still finds it: it has something to say.
func TestWhoAsksIsNotQuiet(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Quiet = 20e6 })
	l := r.links[0]
	if r.links[1].Send(eagerPacket(0, 7, nil)) {
		t.Fatal("a packet has left before there was a connection")
	}
	for end := time.Now().Add(patience); l.peers.at(1) == nil || l.peers.at(1).express == nil; {
		if l.Poll(r.boxes[0]); time.Now().After(end) {
			t.Fatal("no connection")
		}
	}
	for end := time.Now().Add(150 * time.Millisecond); time.Now().Before(end); {
		l.Poll(r.boxes[0])
	}
	if l.Counters.Rested != 0 {
		t.Error("the connection was closed before anything was said on it")
	}
	sent := false
	r.until("the message", func() bool {
		sent = sent || r.links[1].Send(eagerPacket(0, 7, nil))
		return len(r.boxes[0].got) == 1
	})
	r.until("rest", func() bool { return l.Counters.Rested+r.links[1].Counters.Rested > 0 })
}

// A time of quiet that began with an earlier connection ends neither one that is being made nor one that is
// there at last, before what waited for it has left.
func TestNewConnectionsAreNotQuiet(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Quiet = 60e9 })
	l := r.links[1]
	if l.Send(eagerPacket(0, 7, nil)) {
		t.Fatal("a packet has left before there was a connection")
	}
	p, over := l.peers.at(0), func() bool { return l.Counters.Lanes > 0 }
	r.until("connection", func() bool {
		if !over() {
			p.quietAt = 1
		}
		return over()
	})
	if l.Counters.Rested != 0 {
		t.Fatal("the connection was closed before anything was said on it")
	}
	ln := p.express
	ln.state, p.express, p.wanted = greeting, nil, false
	p.quietAt, p.quietSum = 1, p.sent+p.received+p.bulk.parts
	p.rest()
	if p.lanes[0] != ln {
		t.Error("the connection was closed while it was made")
	}
	ln.state, p.express = up, ln
}
