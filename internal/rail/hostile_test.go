package rail

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// throw sends a frame as it is to a peer, over the express lane, the first bulk lane or as a datagram.
func (l *Link) throw(peer int, c class, frame []byte) {
	p := l.peers.at(peer)
	wr := verbs.SendWR{ID: idSend, Op: verbs.Send, Flags: verbs.Inline, SGL: []verbs.SGE{{Buf: frame}}}
	qp := l.dgramQP
	switch ln := p.lanes[p.slot(c, 0)]; {
	case ln != nil && ln.ah == nil:
		if ln.state != up {
			return
		}
		qp = ln.qp
	case qp == nil:
		return
	default:
		wr.AH, wr.DestQP = p.ah, p.dgramQ
	}
	_, _ = qp.PostSend([]verbs.SendWR{wr})
}

// wild is a frame of a rank that has gone wild: of any kind, with any numbers and any body.
func wild(rnd *rand.Rand, self int, p *peer) []byte {
	h := header{kind: kind(rnd.IntN(int(lastKind) + 2)), flags: uint8(rnd.Uint32()), freed: uint16(rnd.Uint32()), from: uint32(self)}
	h.seq, h.ack, h.limit = p.next+uint32(rnd.IntN(5))-2, rnd.Uint32(), rnd.Uint32()
	switch rnd.IntN(4) {
	case 0:
		h.seq = rnd.Uint32()
	case 1:
		h.from = rnd.Uint32N(4)
	case 2: // what it says of our stream may be true
		h.ack = p.in.Expected()
		h.limit = h.ack + 100
	}
	b := make([]byte, headerSize, inlineMax)
	h.put(b)
	bodies := [][]byte{
		nil, {0}, {1}, {1, 2, 3, 4, 5, 6, 7, 8},
		(&laneName{fromRail: uint8(rnd.IntN(3)), toRail: uint8(rnd.IntN(3)), asked: rnd.IntN(2) == 0, gen: rnd.Uint32N(4), tails: rnd.Uint32()}).append(nil),
		(&tail{id: rnd.Uint32N(1e6), after: rnd.Uint32(), n: 5, total: 1 << 50}).append(nil),
		(&tail{id: rnd.Uint32N(9), after: p.next, n: 5, total: 5}).append([]byte(nil)),
		(&ringOffer{addr: rnd.Uint64(), key: rnd.Uint32(), slots: uint16(rnd.Uint32()), size: rnd.Uint32()}).append(nil),
		wire.Append(nil, &wire.Header{Kind: wire.Data, Len: 1 << 40}),
		wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 1, Len: 1 << 30}),
	}
	b = append(b, bodies[rnd.IntN(len(bodies))]...)
	if rnd.IntN(8) == 0 {
		b = b[:rnd.IntN(len(b))]
	}
	return b
}

// A rank that has gone wild harms nobody but itself: the others exchange messages as before, and what it
// says is counted.
func TestWildRank(t *testing.T) {
	eachChannel(t, func(t *testing.T, c Channel) {
		t.Parallel()
		r := newRig(t, 3, func(_ int, cfg *Config) { cfg.Channel, cfg.Promote = c, 4 })
		r.chat(5)
		if c != UD {
			r.read(2, 0, 1000, 1)
		}
		for _, b := range r.boxes {
			b.got = nil
		}
		rnd := rand.New(rand.NewPCG(1, uint64(c)))
		for i := range soak(150, 20_000) {
			for range 4 {
				p := r.links[2].peers.at(0)
				if p.lost != nil || r.links[0].peers.at(2).lost != nil {
					break // it has brought it about that nobody talks to it
				}
				r.links[2].throw(0, class(rnd.IntN(2)), wild(rnd, 2, p))
			}
			r.send(0, 1, i, pattern(300, i))
			r.send(1, 0, i, pattern(300, i))
			r.pollQuietly()
			if i%50 == 0 && c != UD {
				r.read(0, 1, 20_000, i)
			}
		}
		r.until("arrival", func() bool { return r.fromPeer(0, 1) == r.fromPeer(1, 0) && r.fromPeer(0, 1) == soak(150, 20_000) })
		r.checkOrder(0, 1, soak(150, 20_000))
		r.checkOrder(1, 0, soak(150, 20_000))
		if r.links[0].Counters.BadFrames == 0 {
			t.Error("nothing bad was seen: the test shows nothing")
		}
		if r.boxes[0].lost[1] != nil || r.boxes[1].lost[0] != nil || r.boxes[1].lost[2] != nil {
			t.Errorf("lost: %v %v", r.boxes[0].lost, r.boxes[1].lost)
		}
	})
}

// pollQuietly polls all, and has rank 2 not notice what it has got.
func (r *rig) pollQuietly() {
	r.links[0].Poll(r.boxes[0])
	r.links[1].Poll(r.boxes[1])
	r.links[2].Poll(deaf{})
}

func (r *rig) fromPeer(rank, peer int) (n int) {
	for _, m := range r.boxes[rank].got {
		if m.peer == peer {
			n++
		}
	}
	return n
}

// A peer that asks without end and hears nothing costs a bounded amount of memory, then it is lost.
func TestWildBounds(t *testing.T) {
	r := newRig(t, 2, nil)
	r.oneWay(1)
	l := r.links[1]
	p := l.peers.at(0)
	for i := range tailsMax + 10 {
		tl := tail{id: uint32(i), n: 1, total: 2}
		p.tailArrived(p.express, tl.append(nil), false)
	}
	if len(p.bulk.tails) != tailsMax || l.Counters.BadFrames != 10 {
		t.Errorf("%d writes are waited for, %d bad frames", len(p.bulk.tails), l.Counters.BadFrames)
	}
	for i := range wordsMax + l.cfg.Flow.Window + 1 {
		name := laneName{gen: uint32(i)}
		p.laneDown(kDown, name.append(nil))
	}
	if p.lost == nil || len(p.words) > wordsMax {
		t.Errorf("%d answers are kept, lost: %v", len(p.words), p.lost)
	}
}

// Pieces that belong to nothing, or do not add up, are counted and dropped; the packet under way stays as it is.
func TestWildPieces(t *testing.T) {
	r := newRig(t, 2, nil)
	r.oneWay(1)
	l := r.links[1]
	p, before := l.peers.at(0), len(r.boxes[1].got)
	first := wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 10})
	bad := uint64(0)
	for _, step := range []struct {
		k    kind
		body []byte
		bad  uint64
	}{
		{kPiece, []byte("abc"), 1}, // of nothing
		{kLast, nil, 2},            // nor the end of anything
		{kRepeat, nil, 0},
		{kFirst, append(first[:len(first):len(first)], "0123"...), 0},
		{kFirst, append(first[:len(first):len(first)], "wxyz"...), 1}, // another one within
		{kPiece, []byte("4567890"), 1},                                // too much
		{kLast, []byte("45"), 1},                                      // too little
		{kLast, []byte("6789"), 0},
	} {
		p.deliver(&header{kind: step.k}, step.body)
		if bad += step.bad; l.Counters.BadFrames != bad {
			t.Errorf("%v %q: %d bad frames, want %d", step.k, step.body, l.Counters.BadFrames, bad)
		}
	}
	got := r.boxes[1].got[before:]
	if len(got) != 2 || got[1].open || string(got[1].data) != "0123456789" {
		t.Errorf("delivered %+v", got)
	}
}

// Requests for connections that make no sense are refused, whatever they say.
func TestWildRequests(t *testing.T) {
	r := newRig(t, 3, func(rank int, cfg *Config) { cfg.Channel = ArdmaSR })
	r.chat(3)
	l := r.links[0]
	rnd := rand.New(rand.NewPCG(4, 4))
	for i := range 300 {
		h := hello{class: class(rnd.IntN(int(classes))), fromRail: uint8(rnd.IntN(4)), toRail: uint8(rnd.IntN(4)), from: rnd.Uint32N(5), to: rnd.Uint32N(2),
			gen: rnd.Uint32(), seen: rnd.Uint32(), expected: rnd.Uint32()}
		private := h.append(nil)
		switch i % 3 {
		case 0:
			private = private[:rnd.IntN(len(private))]
		case 1:
			private[rnd.IntN(len(private))] ^= 1 << rnd.IntN(8)
		}
		if h.from == 1 && len(private) == helloSize {
			continue // rank 1 is not the wild one
		}
		l.requested(&fakeRequest{private: private})
	}
	r.poll(20)
	if l.Counters.Strangers == 0 || l.peers.at(1).lost != nil {
		t.Errorf("%d strangers; rank 1 lost: %v", l.Counters.Strangers, l.peers.at(1).lost)
	}
	r.boxes[1].got = nil
	for i := range 20 {
		r.send(0, 1, i, pattern(10, i))
	}
	r.until("arrival", func() bool { return len(r.boxes[1].got) == 20 })
	if n := len(l.peers.at(2).paths); n > maxPaths {
		t.Errorf("%d paths", n)
	}
}

// fakeRequest is a request for a connection that cannot be accepted.
type fakeRequest struct {
	verbs.ConnRequest
	private []byte
}

func (f *fakeRequest) Private() []byte               { return f.private }
func (f *fakeRequest) Reject([]byte) error           { return nil }
func (f *fakeRequest) Accept(verbs.QP, []byte) error { return fmt.Errorf("%w: fake", verbs.ErrState) }

// Strangers without the key get nowhere and hold nobody up: on ports for connections and for datagrams they hold the
// line, say one byte, talk nonsense or repeat what they might have heard.
func TestStrangers(t *testing.T) {
	for _, c := range []Channel{SRQ, Hybrid, UD, RD} {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel, cfg.Promote = c, 4 })
			rails, _, err := parseAddress(r.links[0].Address())
			if err != nil {
				t.Fatal(err)
			}
			stop := strangers(t, rails[0])
			defer stop()
			for i := range 200 {
				r.send(0, 1, i, pattern(1000, i))
				r.send(1, 0, i, pattern(1000, i))
				if i%20 == 0 && c != UD {
					r.read(0, 1, 50_000, i)
				}
			}
			r.until("arrival", func() bool { return len(r.boxes[0].got) == 200 && len(r.boxes[1].got) == 200 })
			r.checkOrder(0, 1, 200)
			r.checkOrder(1, 0, 200)
			r.until("rest", func() bool { return r.links[0].Idle() && r.links[1].Idle() })
			l := r.links[0]
			if len(r.boxes[0].lost) != 0 || l.Counters.Broken != 0 || l.Counters.BadFrames != 0 || len(l.known) != 1 {
				t.Errorf("strangers left traces: lost %v, %+v", r.boxes[0].lost, l.Counters)
			}
			bad := r.deviceCount(0, "datagrams_bad_tag") + r.deviceCount(0, "datagrams_bad_format") + r.deviceCount(0, "rc_connections_refused") +
				r.deviceCount(0, "strangers")
			if bad == 0 {
				t.Error("no stranger was noticed: the test shows nothing")
			}
		})
	}
}

// strangers molests the ports of a rank until stopped.
func strangers(t *testing.T, at railAddress) (stop func()) {
	var conns []net.Conn
	call := func(network string, port uint16, says ...[]byte) {
		if port == 0 {
			return
		}
		c, err := net.Dial(network, fmt.Sprintf("%v:%d", at.net.Addr(), port))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range says {
			if _, err := c.Write(b); err != nil {
				break
			}
		}
		conns = append(conns, c)
	}
	rnd := rand.New(rand.NewPCG(9, 9))
	noise := make([]byte, 600)
	for range 8 {
		for i := range noise {
			noise[i] = byte(rnd.Uint32())
		}
		mpa := append([]byte("MPA ID Req Frame"), 0x40, 1, 0, helloSize) // a request as the standard has it
		mpa = (&hello{from: 1, to: 0, gen: 99, expected: 77}).append(mpa)
		call("tcp", at.rc)
		call("tcp", at.rc, []byte{'M'})
		call("tcp", at.rc, noise)
		call("tcp", at.rc, mpa)
		frame := make([]byte, headerSize)
		(&header{kind: kAck, from: 1, ack: 1 << 20, limit: 1 << 21}).put(frame)
		forged := append(binary.BigEndian.AppendUint32([]byte{0x41, 0x43, 0, 0, 0, 0}, uint32(rnd.IntN(9))), frame...)
		call("udp", at.dgram, nil, []byte{1}, noise, forged, frame)
	}
	return func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}
}
