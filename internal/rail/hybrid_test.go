package rail

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

func onHybrid(change func(cfg *Config)) func(int, *Config) {
	return func(_ int, cfg *Config) {
		cfg.Channel = Hybrid
		if change != nil {
			change(cfg)
		}
	}
}

// connections is how many express lanes a rank has, or waits for.
func (l *Link) connections() (n int) {
	for _, p := range l.known {
		if p.lanes[0] != nil {
			n++
		}
	}
	return n
}

// checkOrder holds what rank has got from a peer against the order in which it was sent.
func (r *rig) checkOrder(rank, peer, want int) {
	r.t.Helper()
	i := 0
	for _, m := range r.boxes[rank].got {
		if m.peer != peer {
			continue
		}
		if int(m.h.Tag) != i || !bytes.Equal(m.data, pattern(len(m.data), i)) {
			r.t.Fatalf("message %d from %d: tag %d", i, peer, m.h.Tag)
		}
		i++
	}
	if i != want {
		r.t.Fatalf("%d of %d messages from %d", i, want, peer)
	}
}

// A peer gets a connection when it has earned one, by three messages, and the order of messages holds
// across the change.
func TestPromotion(t *testing.T) {
	r := newRig(t, 2, onHybrid(nil))
	const first, all = 15, 400
	for range first {
		r.oneWay(1)
	}
	if n := r.links[0].Counters.Dials + r.links[1].Counters.Dials; n != 0 || r.links[0].Rendezvous(1) != wire.Pull {
		t.Fatalf("%d connections after %d messages", n, first)
	}
	r.oneWay(all - first)
	r.until("connection", func() bool { return r.links[0].peers.at(1).express != nil && r.links[1].peers.at(0).express != nil })
	r.oneWay(100)
	r.checkOrder(1, 0, all+100)
	c0, c1 := r.links[0].Counters, r.links[1].Counters
	if c0.Lanes != 1 || c1.Lanes != 1 || c0.Dials+c1.Dials != 1 || c1.EagerSR == 0 || c1.Datagrams == 0 {
		t.Errorf("not one connection, or nothing before or after it: %+v, %+v", c0, c1)
	}
	if words := r.links[0].Flows.Sent + r.links[1].Flows.Sent - all - 100; words != 3 {
		t.Errorf("%d messages to agree about the connection, want 3", words)
	}
	r.links[0].peers.at(1).express.failed(errBroken)
	r.oneWay(50) // by datagrams, and a new connection
	r.checkOrder(1, 0, all+150)
}

// Both ask at once: the lower rank's request counts, and one connection is made.
func TestPromotionCrossed(t *testing.T) {
	for range 20 {
		r := newRig(t, 2, onHybrid(func(cfg *Config) { cfg.Promote = 1 << 30 }))
		r.oneWay(1)
		r.send(1, 0, 0, nil)
		r.until("answer", func() bool { return len(r.boxes[0].got) == 1 })
		r.links[0].peers.at(1).ask()
		r.links[1].peers.at(0).ask()
		r.until("connection", func() bool { return r.links[0].peers.at(1).express != nil && r.links[1].peers.at(0).express != nil })
		r.oneWay(20)
		c0, c1 := r.links[0].Counters, r.links[1].Counters
		if c0.Dials != 1 || c1.Dials != 0 || c0.Lanes != 1 || c1.Lanes != 1 {
			t.Fatalf("not one connection of rank 0's: %+v, %+v", c0, c1)
		}
		if a, b := r.links[0].climbed, r.links[1].climbed; a != 1 || b != 1 {
			t.Fatalf("%d and %d places taken", a, b)
		}
		for i, l := range r.links {
			if c := l.peers.at(1 - i).climb; c.asked || c.waiting {
				t.Fatalf("rank %d still waits: %+v", i, c)
			}
		}
	}
}

// Beyond the limit of connections peers stay on datagrams, and their memory cannot be read: the reader is told, so that
// it asks for a push.
func TestPromotionLimit(t *testing.T) {
	const ranks = 5
	for _, limit := range []int{1, 2} {
		r := newRig(t, ranks, onHybrid(func(cfg *Config) { cfg.RCMax = limit }))
		most := 0
		for i := range 60 {
			for from := range ranks {
				for to := range ranks {
					if from != to {
						r.send(from, to, i, pattern(100, i))
					}
				}
			}
			r.poll(3)
			for _, l := range r.links {
				most = max(most, l.connections(), l.climbed)
			}
		}
		r.until("arrival", func() bool {
			for _, b := range r.boxes {
				if len(b.got) < 60*(ranks-1) {
					return false
				}
			}
			return true
		})
		for to := range ranks {
			for from := range ranks {
				if from != to {
					r.checkOrder(to, from, 60)
				}
			}
		}
		if most != limit {
			t.Errorf("up to %d connections, want %d", most, limit)
		}
		r.readsEverybody(ranks)
	}
}

// readsEverybody reads from all peers of rank 0: it works over connections, and is refused or given up elsewhere.
func (r *rig) readsEverybody(ranks int) {
	r.t.Helper()
	l, refused := r.links[0], 0
	for peer := 1; peer < ranks; peer++ {
		src, dst := pattern(100_000, peer), make([]byte, 100_000)
		k := r.links[peer].Expose(0, src, false)
		if !l.Read(peer, k, dst, peer) {
			refused++
			continue
		}
		r.until("the end of a read", func() bool { _, ok := r.boxes[0].reads[peer]; return ok })
		switch err := r.boxes[0].reads[peer]; {
		case err != nil:
			refused++
		case !bytes.Equal(src, dst):
			r.t.Fatalf("read from %d brought other bytes", peer)
		}
	}
	if have := l.connections(); refused != ranks-1-have {
		r.t.Errorf("%d reads refused with %d connections to %d peers", refused, have, ranks-1)
	}
}

// A peer whose own places are taken between its request and ours does not wait for ever.
func TestPromotionRefusedWhileAsking(t *testing.T) {
	r := newRig(t, 2, onHybrid(func(cfg *Config) { cfg.Promote = 1 << 30 }))
	r.oneWay(1)
	r.send(1, 0, 0, nil)
	src, dst := pattern(1000, 1), make([]byte, 1000)
	r.until("answer", func() bool { return len(r.boxes[0].got) == 1 })
	k := r.links[0].Expose(1, src, false)
	if !r.links[1].Read(0, k, dst, "read") { // rank 1 asks
		t.Fatal("cannot read")
	}
	r.links[0].peers.at(1).ask() // and so does rank 0
	r.links[1].climbed += 64     // whose request finds no place any more
	defer func() { r.links[1].climbed -= 64 }()
	r.until("the end of the read", func() bool { return r.boxes[1].reads["read"] != nil && r.links[0].Idle() })
	if r.links[0].climbed != 0 || r.links[0].Counters.ClimbsRefused != 1 {
		t.Errorf("%d places taken, %d refusals", r.links[0].climbed, r.links[0].Counters.ClimbsRefused)
	}
}

// The asker's places are taken when the answer comes: the place that the peer kept is given back.
func TestPromotionWithdrawn(t *testing.T) {
	r := newRig(t, 2, onHybrid(func(cfg *Config) { cfg.Promote = 1 << 30 }))
	r.oneWay(1)
	r.links[0].peers.at(1).ask()
	r.links[0].climbed = 64
	r.until("refusal", func() bool { return r.links[0].Counters.ClimbsRefused == 1 && r.links[0].Idle() && r.links[1].Idle() })
	if p := r.links[1].peers.at(0); r.links[1].climbed != 0 || p.climb.waiting || p.climb.counted {
		t.Errorf("the peer still keeps a place: %+v", p.climb)
	}
}

// Where datagrams pass and connections do not, everything goes by datagrams.
func TestPromotionBlocked(t *testing.T) {
	r := newRig(t, 2, onHybrid(nil))
	for _, l := range r.links {
		_ = l.listen[0].Close()
	}
	r.oneWay(100)
	r.until("attempts to connect", func() bool {
		r.oneWay(1)
		return r.links[0].Counters.Dials+r.links[1].Counters.Dials >= 1 && r.links[0].climbed+r.links[1].climbed < 2
	})
	r.until("end of the promise", func() bool { return !r.links[0].peers.at(1).climb.waiting && !r.links[1].peers.at(0).climb.waiting })
	src, dst := pattern(1000, 1), make([]byte, 1000)
	k := r.links[0].Expose(1, src, false)
	if r.links[1].Read(0, k, dst, "read") {
		r.until("the end of the read", func() bool { return r.boxes[1].reads["read"] != nil })
	}
	if len(r.boxes[0].lost)+len(r.boxes[1].lost) != 0 {
		t.Errorf("lost: %v %v", r.boxes[0].lost, r.boxes[1].lost)
	}
	r.checkOrder(1, 0, len(r.boxes[1].got))
}

// A long message that begins while there is no express lane goes on when there is one, though its own lane was there
// all the time.
func TestHybridReadBetweenConnections(t *testing.T) {
	r := newRig(t, 2, onHybrid(func(cfg *Config) { // no timer helps
		cfg.Quiet, cfg.Flow.Timeout, cfg.Flow.AckDelay = 0, 600e9, 300e9
		cfg.Flow.MinTimeout = 600e9
	}))
	r.read(0, 1, 100_000, 1)
	for i := range 5 {
		p := r.links[0].peers.at(1)
		r.until("connection", func() bool { return p.express != nil && r.links[1].peers.at(0).express != nil })
		p.express.failed(errBroken)
		r.until("notice of the break", func() bool { return r.links[1].peers.at(0).express == nil })
		if p.lanes[1] == nil {
			t.Fatal("the bulk lane is gone too")
		}
		r.read(0, 1, 100_000, 2+i)
	}
}

// Connections of the hybrid channel add receives, and give them back when they are closed.
func TestHybridReceives(t *testing.T) {
	const ranks, recvs = 4, 95
	r := newRig(t, ranks, onHybrid(func(cfg *Config) { cfg.Promote, cfg.RCRecvs, cfg.NoPlace = 1<<30, recvs, true })) // what is borrowed takes none
	for to := 1; to < ranks; to++ {
		r.send(0, to, 0, nil)
	}
	r.until("arrival", func() bool { return len(r.boxes[1].got)+len(r.boxes[2].got)+len(r.boxes[3].got) == 3 })
	l := r.links[0]
	given, memory := l.given, l.Counters.Memory
	for n := 1; n < ranks; n++ {
		l.peers.at(n).ask()
		r.until("connection", func() bool { return l.peers.at(n).express != nil })
		if got := l.given - given; got != n*recvs {
			t.Errorf("%d connections added %d receives", n, got)
		}
		more := l.Counters.Memory - memory
		if want := int64(n * recvs * l.cfg.Vbuf); more < want-slabBytes || more > want+slabBytes {
			t.Errorf("%d connections cost %d bytes, want %d", n, more, want)
		}
	}
	for n := 1; n < ranks; n++ {
		l.peers.at(n).express.failed(errBroken)
	}
	for i := 1; l.given > given; i++ { // receives come back as they are used
		if i > 2000 {
			t.Fatalf("%d receives are left of connections that are gone", l.given-given)
		}
		r.send(1, 0, i-1, nil)
		r.until("arrival", func() bool { return len(r.boxes[0].got) == i })
	}
	r.until("rest", func() bool { return l.Idle() && l.srq.Len()+len(l.repost) == l.given })
	l.trim()
	if more := l.Counters.Memory - memory; more > 4*slabBytes { // of 2.2 MB; what is left is spread over slabs
		t.Errorf("%d bytes are left of connections that are gone", more)
	}
}
