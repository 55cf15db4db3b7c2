package shm

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
	"pgregory.net/rapid"
)

// around lists sizes at, just below and just above each border.
func around(borders ...int) (sizes []int) {
	for _, b := range borders {
		for _, n := range []int{b - 1, b, b + 1} {
			if n >= 0 {
				sizes = append(sizes, n)
			}
		}
	}
	return sizes
}

// TestEverySize sends every kind of payload in every size class through small rings, which wrap many times.
func TestEverySize(t *testing.T) {
	sizes := around(0, 7, inlineMax, smallMax, 16<<10, 64<<10, ringEagerMax, 1<<20, 8<<20)
	if testing.Short() {
		sizes = around(0, inlineMax, smallMax, 64<<10)
	}
	for _, g := range []Geometry{smallGeometry(2), GeometryFor(2, 0, 0)} {
		links := newLinks(t, g, Config{NoCMA: true})
		for i, n := range sizes {
			for _, kind := range []wire.Kind{wire.Eager, wire.Sync, wire.Data} {
				bag := new(mailbag)
				p := eager(1, i, kind, fill(n, i))
				pass(links[0], links[1], bag, p)
				if err := bag.equal(0, []*wire.Packet{p}); err != nil {
					t.Fatalf("%v of %d bytes: %v", kind, n, err)
				}
			}
		}
	}
}

// TestControlPackets come through with all fields.
func TestControlPackets(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	sent := []*wire.Packet{
		{Peer: 1, Header: wire.Header{Kind: wire.RTS, Ctx: 1, Tag: 2, Send: 3, Len: 1 << 40, Key: wire.Key{Addr: 5, Slot: 6}}},
		{Peer: 1, Header: wire.Header{Kind: wire.CTS, Send: 3, Recv: 4, Len: 1 << 40, Key: wire.Key{Addr: 7, Slot: 8}}},
		{Peer: 1, Header: wire.Header{Kind: wire.FIN, Send: 3}},
		{Peer: 1, Header: wire.Header{Kind: wire.Ack, Send: 3}},
	}
	bag := new(mailbag)
	pass(links[0], links[1], bag, sent...)
	for i, p := range sent {
		if bag.got[i].header != p.Header {
			t.Errorf("sent %+v, got %+v", p.Header, bag.got[i].header)
		}
	}
}

// TestRandomTraffic sends random messages both ways between three ranks with random polling and checks order
// and payloads per pair.
func TestRandomTraffic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newTraffic(openSegment(t, smallGeometry(3)))
		for range rapid.IntRange(1, 120).Draw(t, "events") {
			from, to := rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to")
			switch {
			case from == to:
				w.links[to].Poll(w.bags[to])
			default:
				n := rapid.SampledFrom([]int{0, 1, 8, inlineMax, inlineMax + 1, 1000, smallMax, smallMax + 1, 20000, 70000}).Draw(t, "bytes")
				kind := rapid.SampledFrom([]wire.Kind{wire.Eager, wire.Sync, wire.Data}).Draw(t, "kind")
				w.send(from, to, kind, n)
			}
			w.flush()
		}
		w.settle()
		if err := w.check(); err != nil {
			t.Fatal(err)
		}
	})
}

// traffic is what progress does above a link: it keeps the packets that a busy link could not take.
type traffic struct {
	links []*Link
	bags  []*mailbag
	sent  map[[2]int][]*wire.Packet
	queue map[[2]int][]*wire.Packet
	n     int
}

func newTraffic(seg *Segment) *traffic {
	w := &traffic{sent: map[[2]int][]*wire.Packet{}, queue: map[[2]int][]*wire.Packet{}}
	for i := range seg.Ranks {
		w.links = append(w.links, NewLink(Config{Segment: seg, Self: i}))
		w.bags = append(w.bags, new(mailbag))
	}
	return w
}

func (w *traffic) send(from, to int, kind wire.Kind, n int) {
	w.n++
	p := eager(to, w.n, kind, fill(n, w.n))
	at := [2]int{from, to}
	w.sent[at] = append(w.sent[at], p)
	w.queue[at] = append(w.queue[at], p)
}

func (w *traffic) flush() (left int) {
	for at, q := range w.queue {
		for len(q) > 0 && w.links[at[0]].Send(q[0]) {
			q = q[1:]
		}
		w.queue[at] = q
		left += len(q)
	}
	return left
}

func (w *traffic) settle() {
	for left := 1; left > 0; {
		left = w.flush()
		for i, l := range w.links {
			drain(l, w.bags[i])
		}
	}
}

func (w *traffic) check() error {
	for at, sent := range w.sent {
		only := new(mailbag)
		for _, g := range w.bags[at[1]].got {
			if g.peer == at[0] {
				only.got = append(only.got, g)
			}
		}
		if err := only.equal(at[0], sent); err != nil {
			return err
		}
	}
	return nil
}

// TestDrainedRingHasRoom: a receiver that has read everything may keep that to itself, so whatever the sender
// sends next must fit; otherwise both would wait for each other.
func TestDrainedRingHasRoom(t *testing.T) {
	for _, n := range []int{2, 17, 65} {
		g := GeometryFor(n, 0, 0)
		g.Ranks = 2
		rapid.Check(t, func(t *rapid.T) {
			links := newLinks(t, g, Config{NoCMA: true})
			for range rapid.IntRange(1, 100).Draw(t, "messages") {
				n := rapid.SampledFrom([]int{8, inlineMax + 1, 2047, 2048, 4095, smallMax, smallMax + 1, 20000}).Draw(t, "bytes")
				p := eager(1, 0, wire.Eager, make([]byte, n))
				for before := -1; !links[0].Send(p); {
					if p.Sent == before {
						t.Fatalf("no room for %d bytes in rings that have been drained", n)
					}
					before = p.Sent
					drain(links[1], new(mailbag))
				}
				drain(links[1], new(mailbag))
			}
		})
	}
}

// TestBusy: a full ring says so, keeps what it has, and the receiver rings when there is room.
func TestBusy(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	var sent []*wire.Packet
	for {
		p := eager(1, len(sent), wire.Eager, fill(8, len(sent)))
		sent = append(sent, p)
		if !links[0].Send(p) {
			break
		}
	}
	if len(sent) != smallGeometry(2).Cells+1 || links[0].Counters.Busy == 0 {
		t.Fatalf("busy after %d messages in %d cells", len(sent)-1, smallGeometry(2).Cells)
	}
	bell := links[0].Bell()
	bell.Arm()
	bag := new(mailbag)
	links[1].Poll(bag)
	if !bell.Rung() {
		t.Error("room has come and the sender's bell was not rung")
	}
	pass(links[0], links[1], bag, sent[len(sent)-1])
	if err := bag.equal(0, sent); err != nil {
		t.Error(err)
	}
}

// TestBusyInTheMiddle: a long payload stops half-way and goes on where it stopped.
func TestBusyInTheMiddle(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{NoCMA: true})
	p := eager(1, 1, wire.Eager, fill(100_000, 3))
	stops, bag := 0, new(mailbag)
	for !links[0].Send(p) {
		if p.Sent == 0 || p.Sent >= len(p.Data) {
			t.Fatalf("stopped with %d of %d bytes taken", p.Sent, len(p.Data))
		}
		stops++
		links[1].Poll(bag)
	}
	drain(links[1], bag)
	if err := bag.equal(0, []*wire.Packet{p}); err != nil || stops == 0 {
		t.Errorf("%d stops: %v", stops, err)
	}
}

// TestMeeting: a rank polls only peers that have talked to it, however many there could be.
func TestMeeting(t *testing.T) {
	g := smallGeometry(130)
	links := newLinks(t, g, Config{})
	bag := new(mailbag)
	for _, peer := range []int{0, 63, 64, 129} {
		pass(links[peer], links[5], bag, eager(5, peer, wire.Eager, []byte{byte(peer)}))
	}
	if len(links[5].ins) != 4 || len(bag.got) != 4 {
		t.Errorf("%d inboxes, %d messages; want 4", len(links[5].ins), len(bag.got))
	}
	for i, peer := range []int{0, 63, 64, 129} {
		if bag.got[i].peer != peer {
			t.Errorf("message %d is from %d, want %d", i, bag.got[i].peer, peer)
		}
	}
}
