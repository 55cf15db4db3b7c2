package rail

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/wire"
)

// sendBy sends a packet that asks for a rail, counted from 1.
func (r *rig) sendBy(rail, from, to, tag int, data []byte) {
	r.t.Helper()
	p := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(tag), Len: len(data)}, Peer: to, Data: data, Rail: uint8(rail)}
	r.until(fmt.Sprintf("room for message %d", tag), func() bool { return r.links[from].Send(p) })
}

// newSides makes two ranks on two rails whose packets can take both. What they have sent so far is not counted.
func newSides(t *testing.T, change func(cfg *Config)) *rig {
	r := newRig(t, 2, func(rank int, cfg *Config) {
		twoRails(rank, cfg)
		if change != nil {
			change(cfg)
		}
	})
	for rank := range 2 {
		r.sendBy(1, rank, 1-rank, 0, nil)
		r.sendBy(2, rank, 1-rank, 0, nil)
	}
	p, q := r.links[0].peers.at(1), r.links[1].peers.at(0)
	r.until("side lanes", func() bool {
		return len(r.boxes[0].got)+len(r.boxes[1].got) == 4 && p.express != nil && q.express != nil &&
			p.standing(side, 1-p.express.path) != nil && q.standing(side, 1-q.express.path) != nil
	})
	for i := range r.links {
		clear(r.links[i].railShort)
		r.boxes[i].got = nil
	}
	return r
}

// The first packet to a peer decides where the express lane is, modulo the rails there are.
func TestFirstRail(t *testing.T) {
	for asked, want := range map[int]int{0: 0, 1: 0, 2: 1, 3: 0, 8: 1} {
		t.Run(fmt.Sprint(asked), func(t *testing.T) {
			r := newRig(t, 2, twoRails)
			r.sendBy(asked, 0, 1, 0, []byte("abc"))
			r.until("arrival", func() bool { return len(r.boxes[1].got) == 1 })
			p := r.links[0].peers.at(1)
			if at := p.paths[p.express.path].local; at != want || p.sided {
				t.Errorf("it left by rail %d, not %d; side lanes %v", at, want, p.sided)
			}
		})
	}
}

// Packets leave by the rail that they ask for, those of one frame and those of many, and are delivered in
// the order in which they were sent.
func TestPacketsByRails(t *testing.T) {
	for _, c := range []Channel{SRQ, ArdmaSRQ} {
		t.Run(c.String(), func(t *testing.T) {
			r := newSides(t, func(cfg *Config) { cfg.Channel = c })
			var want [2]uint64
			sizes := []int{3, 40_000, 0, 600, 9000}
			const n = 200
			for i := range n {
				rail, size := 1+(i/3)%4, sizes[i%len(sizes)]
				want[(rail-1)%2] += uint64(size)
				r.sendBy(rail, 0, 1, i, pattern(size, i))
			}
			r.until("all", func() bool { return len(r.boxes[1].got) == n && !r.boxes[1].got[n-1].open })
			for i, m := range r.boxes[1].got {
				if m.h.Tag != int32(i) || !bytes.Equal(m.data, pattern(sizes[i%len(sizes)], i)) {
					t.Fatalf("packet %d: %+v", i, m.h)
				}
			}
			if got := r.links[0].railShort; got[0] != want[0] || got[1] != want[1] {
				t.Errorf("bytes by rail %v, asked for %v", got, want)
			}
		})
	}
}

// Where credit belongs to a connection, all packets leave by one rail, whatever they ask for.
func TestPacketsByOneRail(t *testing.T) {
	r := newRig(t, 2, func(rank int, cfg *Config) { twoRails(rank, cfg); cfg.Channel = SR })
	for i := range 20 {
		r.sendBy(1+i%2, 0, 1, i, pattern(100, i))
	}
	r.until("all", func() bool { return len(r.boxes[1].got) == 20 })
	if got := r.links[0].railShort; got[0] != 2000 || got[1] != 0 || r.links[0].Counters.Lanes != 1 {
		t.Errorf("bytes by rail %v, %d connections", got, r.links[0].Counters.Lanes)
	}
}

// A long message is read, or written, by the rail that its packet asks for, unless it is long enough for all.
func TestLongByRails(t *testing.T) {
	r := newTwoRails(t, func(cfg *Config) { cfg.Striping = "even" }) // by rate, one that others hold up may get nothing
	r.until("lanes there", func() bool { return r.links[1].railLanes(0) == 2 })
	clear(r.links[1].railBytes)
	const short, long = 40_000, 1 << 20
	for i, rail := range []int{2, 2, 1, 2, 3} {
		r.readAsked(rail, short, i)
		at := (rail - 1) % 2
		if got := r.links[1].railBytes; got[at] != short || got[1-at] != 0 {
			t.Errorf("asked to be read by rail %d, bytes by rail %v", rail, got)
		}
		clear(r.links[1].railBytes)
		r.writeAsked(rail, short, i)
		if got := r.links[0].railBytes; got[at] != short || got[1-at] != 0 {
			t.Errorf("asked to be written by rail %d, bytes by rail %v", rail, got)
		}
		clear(r.links[0].railBytes)
	}
	r.readAsked(2, long, 9)
	if got := r.links[1].railBytes; got[0] == 0 || got[1] == 0 {
		t.Errorf("a long message is not cut: %v", got)
	}
}

// readAsked has rank 0 offer memory by a packet that asks for a rail, and rank 1 read what the packet names.
func (r *rig) readAsked(rail, n, seed int) {
	r.t.Helper()
	src, dst := pattern(n, seed), make([]byte, n)
	key := r.links[0].Expose(1, src, false)
	before := len(r.boxes[1].got)
	pk := &wire.Packet{Header: wire.Header{Kind: wire.RTS, Len: n, Key: key}, Peer: 1, Rail: uint8(rail)}
	r.until("room", func() bool { return r.links[0].Send(pk) })
	if pk.Key != key {
		r.t.Fatal("the packet's own key has changed")
	}
	r.until("offer", func() bool { return len(r.boxes[1].got) > before })
	token := fmt.Sprintf("asked %d", seed)
	if !r.links[1].Read(0, r.boxes[1].got[before].h.Key, dst, token) {
		r.t.Fatal("cannot read")
	}
	r.until(token, func() bool { _, done := r.boxes[1].reads[token]; return done })
	if err := r.boxes[1].reads[token]; err != nil || !bytes.Equal(src, dst) {
		r.t.Fatalf("read: %v, equal %v", err, bytes.Equal(src, dst))
	}
	r.links[0].Hide(1, key)
}

// writeAsked has rank 0 write to rank 1, with a packet behind it that asks for a rail.
func (r *rig) writeAsked(rail, n, seed int) {
	r.t.Helper()
	src, dst := pattern(n, seed), make([]byte, n)
	key := r.links[1].Expose(0, dst, true)
	token := fmt.Sprintf("written %d", seed)
	r.links[0].Write(1, key, src, &wire.Packet{Header: wire.Header{Kind: wire.FIN}, Peer: 1, Rail: uint8(rail)}, token)
	r.until(token, func() bool { _, done := r.boxes[0].writes[token]; return done })
	if err := r.boxes[0].writes[token]; err != nil || !bytes.Equal(src, dst) {
		r.t.Fatalf("write: %v, equal %v", err, bytes.Equal(src, dst))
	}
	r.links[1].Hide(0, key)
}

// A rail that dies with packets on it leaves them to the other one, and gets them again when it is back.
func TestRailOfPacketsCut(t *testing.T) {
	for rail := range 2 {
		t.Run(fmt.Sprint(rail), func(t *testing.T) {
			t.Parallel()
			r := newSides(t, nil)
			starts := []func(){r.stopRail(0, rail), r.stopRail(1, rail)}
			const n = 60
			for i := range n {
				r.sendBy(1+i%2, 0, 1, i, pattern(5000, i))
				if i == n/2+rail { // this one left by the rail, and rank 1 has not looked since
					r.breakRail(1, rail)
				}
			}
			r.until("all", func() bool { return len(r.boxes[1].got) == n && !r.boxes[1].got[n-1].open })
			r.checkOrder5000(n)
			if r.links[0].Counters.Resent == 0 {
				t.Error("nothing had to take the other rail: the test shows nothing")
			}
			for _, start := range starts {
				start()
			}
			tag := n
			before := r.links[0].railShort[rail]
			r.until("use of the rail again", func() bool {
				r.sendBy(1+rail, 0, 1, tag, pattern(5000, tag))
				tag++
				return r.links[0].railShort[rail] > before
			})
			r.until("the rest", func() bool { return len(r.boxes[1].got) == tag })
			r.checkOrder5000(tag)
			if len(r.boxes[0].lost)+len(r.boxes[1].lost) != 0 {
				t.Errorf("lost: %v %v", r.boxes[0].lost, r.boxes[1].lost)
			}
		})
	}
}

// checkOrder5000 checks that rank 1 has n packets of 5000 bytes in order.
func (r *rig) checkOrder5000(n int) {
	r.t.Helper()
	for i, m := range r.boxes[1].got[:n] {
		if m.h.Tag != int32(i) || !bytes.Equal(m.data, pattern(5000, i)) {
			r.t.Fatalf("packet %d is %+v", i, m.h)
		}
	}
}

// Connections break at random while packets ask for both rails: everything arrives once, whole and in order.
func TestBrokenSides(t *testing.T) {
	for i, c := range []Channel{SRQ, ArdmaSRQ, Hybrid, SRQ} {
		lent := i == 3 // payloads are sent from where the user has them
		t.Run(fmt.Sprintf("%v/%v", c, lent), func(t *testing.T) {
			t.Parallel()
			tr := newTraffic(t, 3, nil, func(rank int, cfg *Config) {
				cfg.Channel = c
				twoRails(rank, cfg)
				if lent {
					lending(c, trustful)(rank, cfg)
				}
			})
			tr.asks = true
			for i := range tr.reused {
				if lent {
					tr.reused[i] = make([]byte, 3*32<<10)
				}
			}
			last, sides, before := time.Now(), 0, 0
			tr.run(soak(1500, 150_000), func() {
				for _, l := range tr.links {
					for _, p := range l.known {
						if p.via != nil {
							sides++
						}
					}
				}
				if time.Since(last) > 5*time.Millisecond && sides > before { // a slow machine needs longer for new side lanes
					tr.links[tr.rnd.IntN(2)].breakOne(tr.rnd)
					last, before = time.Now(), sides
				}
			})
			if broken := tr.links[0].Counters.Broken + tr.links[1].Counters.Broken; sides == 0 || broken == 0 {
				t.Errorf("%d packets by side lanes, %d connections broken: the test shows nothing", sides, broken)
			}
		})
	}
}

// A frame of which a side lane has brought a part, and the express lane all, is over: the side lane may
// bring no byte more.
func TestPlacedBySideLane(t *testing.T) {
	r := newSides(t, nil)
	p := r.links[1].peers.at(0)
	ln := p.standing(side, 1-p.express.path)
	payload := pattern(9000, 1)
	packet := wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: len(payload)}
	frame := handmade(r, kWhole, append(wire.Append(nil, &packet), payload...))
	r.links[1].sink = r.boxes[1]
	_, dst := ln.placeOf(frame[:headerSize+wire.Size(wire.Eager)], len(frame))
	if len(dst) != len(payload) {
		t.Fatalf("%d bytes were to be placed", len(dst))
	}
	p.frame(nil, frame, p.express)
	if ln.state != closed {
		t.Error("the side lane may still bring bytes of a message that is over")
	}
	if m := r.boxes[1].got[len(r.boxes[1].got)-1]; m.open || !bytes.Equal(m.data, payload) {
		t.Errorf("open %v, equal %v", m.open, bytes.Equal(m.data, payload))
	}
}

// A packet that asks for a rail costs no memory.
func TestSidesAllocateNothing(t *testing.T) {
	r := newSides(t, nil)
	data := pattern(100, 1)
	pk := &wire.Packet{Peer: 1, Data: data}
	sink := &counter{}
	send := func() {
		for rail := range uint8(2) {
			*pk = wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(rail), Len: len(data)}, Peer: 1, Data: data, Rail: 1 + rail}
			for !r.links[0].Send(pk) {
				r.links[0].Poll(sink)
			}
		}
		for before := sink.n; sink.n < before+2; {
			r.links[1].Poll(sink)
			r.links[0].Poll(sink)
		}
	}
	for range 500 {
		send()
	}
	if n := testing.AllocsPerRun(500, send); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
