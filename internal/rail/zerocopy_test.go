package rail

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// trustful has every buffer lent from its second use on.
func trustful() (t reuse.Thresholds) {
	for p := range t {
		for c := range t[p] {
			t[p][c] = 1
		}
	}
	return t
}

// lending switches the mechanism on.
func lending(c Channel, thresholds func() reuse.Thresholds) func(int, *Config) {
	return func(_ int, cfg *Config) {
		cfg.Channel = c
		cfg.Reuse = registrar.Reuse{On: true, Spec: 0.25, Thresholds: thresholds}
	}
}

// sendFrom sends a message from a buffer that is used again: it is overwritten as soon as the link has answered.
func (r *rig) sendFrom(buf []byte, from, tag int, n int) {
	r.t.Helper()
	copy(buf[:n], pattern(n, tag))
	r.send(from, 1-from, tag, buf[:n:n])
	for i := range buf[:n] {
		buf[i] = 0xEE
	}
}

// arrived waits for n more messages at rank 1, which were sent with these tags in a row, and looks at every byte.
func (r *rig) arrived(first, n, size int) {
	r.t.Helper()
	box := r.boxes[1]
	r.until("messages", func() bool { return len(box.got) >= n && !box.got[n-1].open })
	if len(box.got) != n {
		r.t.Fatalf("%d messages came of %d", len(box.got), n)
	}
	for i, m := range box.got {
		if int(m.h.Tag) != first+i || !bytes.Equal(m.data, pattern(size, first+i)) {
			r.t.Fatalf("message %d came with tag %d and %d bytes, or with other bytes than were sent", first+i, m.h.Tag, len(m.data))
		}
	}
	box.got = nil
}

// With the table of the paper and trust after a quarter, a buffer is lent exactly from the use on that the
// table names: 4 KB at use 15 where the message is written into the peer's ring, at use 24 where it is sent
// to a receive. Copies avoided are the uses from then on, all of them.
func TestLentExactly(t *testing.T) {
	cases := []struct {
		channel Channel
		size    int
		first   int // use that is lent
	}{
		{ArdmaSRQ, 4 << 10, 15}, {ArdmaSR, 4 << 10, 15}, {SRQ, 4 << 10, 24}, {SR, 4 << 10, 24}, {UD, 4 << 10, 24},
		{SRQ, 1 << 10, 112}, {SRQ, 8 << 10, 13}, {SRQ, 32 << 10, 13}, {ArdmaSRQ, 32 << 10, 13}, {Hybrid, 8 << 10, 13},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%v/%d", c.channel, c.size), func(t *testing.T) {
			r := newRig(t, 2, func(i int, cfg *Config) {
				lending(c.channel, reuse.PaperThresholds)(i, cfg)
				cfg.RingBytes = 1 << 20 // slots for more messages than are acknowledged at a time
			})
			const warm = 30
			for i := range warm { // too short to count; the peer earns what the channel has for it
				r.send(0, 1, i, pattern(64, i))
				r.arrived(i, 1, 64)
			}
			l, buf := r.links[0], make([]byte, c.size)
			if p := l.peers.at(1); carriers[c.channel].rings && p.ring.out.slots == 0 {
				t.Fatal("there is no ring")
			}
			before, rings := l.Counters.Copies, l.Counters.EagerRing
			uses := c.first + 20
			for i := range uses {
				if lent := l.Counters.ZeroCopies; lent != uint64(max(0, i-c.first+1)) {
					t.Fatalf("%d messages were lent before use %d", lent, i+1)
				}
				r.sendFrom(buf, 0, warm+i, c.size)
				r.arrived(warm+i, 1, c.size)
			}
			n, u, g := l.Counters, l.Report().Reuse, l.Report().Regcache
			lent := uint64(uses - c.first + 1)
			if n.ZeroCopies != lent || n.Copies-before != uint64(c.first-1) || u.ZeroCopy != lent || u.CopiesAvoidedBytes != lent*uint64(c.size) {
				t.Errorf("%d uses: %d lent, %d copied, the table says %d and %d bytes", uses, n.ZeroCopies, n.Copies-before, u.ZeroCopy, u.CopiesAvoidedBytes)
			}
			if g.Misses != 1 || g.Hits != lent-1 {
				t.Errorf("%d registrations and %d hits for one buffer that was lent %d times", g.Misses, g.Hits, lent)
			}
			if carriers[c.channel].rings && c.size < l.cfg.Vbuf && n.EagerRing-rings != uint64(uses) {
				t.Errorf("%d of %d messages went through the ring", n.EagerRing-rings, uses)
			}
			if n.LateCopies == 0 {
				t.Error("nothing is kept for a connection that breaks")
			}
		})
	}
}

// Where a device is done with memory only when the peer's has answered, a message that the program waits
// for is copied if it fits a frame, and does not count as a use; one that it does not wait for is lent,
// and so is all with the setting.
func TestCopiedRatherThanWaitedFor(t *testing.T) {
	for _, c := range []struct {
		late, waited, setting bool
		size                  int
		lent                  bool
	}{{true, true, false, 8 << 10, false}, {true, false, false, 8 << 10, true}, {true, true, true, 8 << 10, true},
		{false, true, false, 8 << 10, true}, {true, true, false, 40 << 10, true}} {
		r := newRig(t, 2, func(i int, cfg *Config) {
			lending(SRQ, trustful)(i, cfg)
			cfg.Reuse.Waits = c.setting
		})
		l, buf := r.links[0], make([]byte, c.size)
		l.caps.PeerAck = c.late
		for i := range 10 {
			copy(buf, pattern(c.size, i))
			p := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: c.size}, Peer: 1, Data: buf, Waited: c.waited}
			r.until("room", func() bool { return l.Send(p) })
			clear(buf)
			r.arrived(i, 1, c.size)
		}
		if n, u := l.Counters, l.Report().Reuse; (n.ZeroCopies == 9) != c.lent || !c.lent && (n.Copies != 10 || u.Entries != 0) {
			t.Errorf("%+v: %d of 10 messages lent, %d copied, %d buffers counted", c, n.ZeroCopies, n.Copies, u.Entries)
		}
	}
}

// Without reconnection no byte is ever copied, and frames need nothing but small buffers.
func TestNoLateCopies(t *testing.T) {
	for _, size := range []int{4 << 10, 32 << 10} {
		r := newRig(t, 2, func(i int, cfg *Config) {
			lending(SRQ, trustful)(i, cfg)
			cfg.NoReconnect = true
		})
		buf := make([]byte, size)
		const uses = 50
		for i := range uses {
			r.sendFrom(buf, 0, i, size)
			if used := r.links[0].sending[2].used; i > 0 && i < 10 && used > 5 {
				t.Fatalf("%d long buffers are in use", used)
			}
		}
		r.arrived(0, uses, size)
		if n := r.links[0].Counters; n.ZeroCopies != uses-1 || n.Copies != 1 || n.LateCopies != 0 {
			t.Errorf("%d uses of %d bytes: %d lent, %d copied, %d copied late", uses, size, n.ZeroCopies, n.Copies, n.LateCopies)
		}
	}
}

// Without reconnection a broken connection loses the peer on both sides; a peer that goes in order is not lost.
func TestNoReconnect(t *testing.T) {
	off := func(i int, cfg *Config) {
		lending(SRQ, trustful)(i, cfg)
		cfg.NoReconnect = true
	}
	r := newRig(t, 2, off)
	r.send(0, 1, 0, pattern(64, 0))
	r.arrived(0, 1, 64)
	r.until("rest", func() bool { return r.links[0].Idle() && r.links[1].Idle() })
	r.links[0].peers.at(1).express.failed(errBroken)
	r.until("loss", func() bool { return r.boxes[0].lost[1] != nil })
	if err := r.boxes[0].lost[1]; !errors.Is(err, errBroken) {
		t.Errorf("the peer is lost because of %v", err)
	}

	r = newRig(t, 2, off)
	r.send(0, 1, 0, pattern(64, 0))
	r.arrived(0, 1, 64)
	r.until("rest", func() bool { return r.links[0].Idle() && r.links[1].Idle() })
	r.links[1].Close()
	p := r.links[0].peers.at(1)
	r.until("the end of the connection", func() bool { return p.express == nil })
	if p.lost != nil {
		t.Errorf("a peer that left in order is lost: %v", p.lost)
	}
}

// A frame whose payload is nobody's any more cannot be sent again: the peer is lost rather than sent wrong bytes.
func TestNothingToReplay(t *testing.T) {
	r := newRig(t, 2, func(i int, cfg *Config) {
		lending(SRQ, trustful)(i, cfg)
		cfg.NoReconnect = true
	})
	r.send(0, 1, 0, pattern(64, 0))
	r.arrived(0, 1, 64)
	buf := make([]byte, 4<<10)
	r.sendFrom(buf, 0, 1, len(buf))
	r.sendFrom(buf, 0, 2, len(buf)) // lent; the peer has not acknowledged it
	p := r.links[0].peers.at(1)
	p.replay(p.next - 1)
	if !errors.Is(p.lost, errBare) {
		t.Errorf("the frame is sent again: %v", p.lost)
	}
}

// A packet that may only be taken whole is refused without a trace when it should be lent, and the packet
// that comes in its place is lent; the use counts once. Longer than a frame, it is refused whatever its
// buffer.
func TestWhole(t *testing.T) {
	r := newRig(t, 2, lending(SRQ, reuse.PaperThresholds))
	r.send(0, 1, 0, nil)
	r.arrived(0, 1, 0)
	l, buf := r.links[0], make([]byte, 4<<10)
	const uses, first = 40, 24
	for i := 1; i <= uses; i++ {
		copy(buf, pattern(len(buf), i))
		pk := wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: len(buf)}, Peer: 1, Data: buf, Whole: true}
		sent := l.peers.at(1).sent
		took := l.Send(&pk)
		if took != (i < first) {
			t.Fatalf("use %d: taken %v", i, took)
		}
		if !took {
			if l.peers.at(1).sent != sent || pk.Sent != 0 {
				t.Fatalf("use %d: refused, and yet something was sent", i)
			}
			r.send(0, 1, i, buf)
		}
		clear(buf)
		r.arrived(i, 1, len(buf))
	}
	if n, u := l.Counters, l.Report().Reuse; n.ZeroCopies != uses-first+1 || u.ZeroCopy != n.ZeroCopies || u.Copied != first-1 {
		t.Errorf("%d lent; the table says %d, and %d copied", n.ZeroCopies, u.ZeroCopy, u.Copied)
	}

	r = newRig(t, 2, func(_ int, cfg *Config) { cfg.Vbuf = 1024 })
	r.send(0, 1, 0, nil)
	r.arrived(0, 1, 0)
	l = r.links[0]
	sent := l.peers.at(1).sent
	pk := wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Len: len(buf)}, Peer: 1, Data: buf, Whole: true}
	if l.Send(&pk) || pk.Sent != 0 || l.peers.at(1).sent != sent {
		t.Error("a packet that may only be taken whole was cut")
	}
}

// deaf sends messages from one buffer until the peer, which does not listen, has no room left: a packet is
// then taken and not returned. It returns that packet and the number of messages before it.
func (r *rig) deaf(buf []byte) (*wire.Packet, int) {
	r.t.Helper()
	l := r.links[0]
	for i := 1; i < 10000; i++ {
		copy(buf, pattern(len(buf), i))
		pk := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: len(buf)}, Peer: 1, Data: buf}
		took := l.Send(pk)
		if !took && pk.Sent != len(buf) {
			r.t.Fatalf("message %d is taken by %d of %d bytes: a window is full, not the device", i, pk.Sent, len(buf))
		}
		for end := time.Now().Add(100 * time.Millisecond); !took; took = l.Send(pk) { // the kernel may still move something
			if time.Now().After(end) {
				return pk, i - 1
			}
			l.Poll(r.boxes[0])
		}
	}
	r.t.Fatal("the peer hears without listening")
	return nil, 0
}

func blocking(i int, cfg *Config) {
	lending(SRQ, trustful)(i, cfg)
	cfg.SendBytes, cfg.Flow.Window, cfg.Flow.OutOfOrder = 64<<20, 4000, 4000
}

// What is lent is returned only when the device is done with it: the answer is false until then, and the
// packet is not sent twice however often it is offered.
func TestLentUntilSent(t *testing.T) {
	r := newRig(t, 2, blocking)
	r.send(0, 1, 0, nil)
	r.arrived(0, 1, 0)
	buf := make([]byte, 8000)
	pk, before := r.deaf(buf)
	l := r.links[0]
	for range 10 {
		l.Poll(r.boxes[0])
		if l.Send(pk) {
			t.Fatal("the payload is returned though the device has it")
		}
	}
	r.until("return", func() bool { return l.Send(pk) })
	clear(buf)
	r.arrived(1, before+1, len(buf))
	if n := l.Report().Regcache; n.Misses != 1 {
		t.Errorf("%d registrations of one buffer", n.Misses)
	}
	l.mem.Cache.Invalidate(buf)
	if n := l.Report().Regcache.Entries; n != 0 {
		t.Errorf("%d registrations are in use for nothing", n)
	}
	if l.peers.at(1).loan != (loan{}) {
		t.Errorf("the loan is over and left %+v", l.peers.at(1).loan)
	}
}

// A connection that breaks while a payload is lent returns it at once, and what is sent again is what was meant.
func TestBrokenWhileLent(t *testing.T) {
	r := newRig(t, 2, blocking)
	r.send(0, 1, 0, nil)
	r.arrived(0, 1, 0)
	buf := make([]byte, 8000)
	pk, before := r.deaf(buf)
	l := r.links[0]
	l.peers.at(1).express.failed(errBroken)
	if !l.Send(pk) {
		t.Fatal("nothing can read the payload any more, and it is not returned")
	}
	clear(buf)
	r.arrived(1, before+1, len(buf))
	if l.Counters.Resent == 0 {
		t.Error("nothing was sent again: the test shows nothing")
	}
}

// A peer that is lost while a payload is lent keeps no registration in use.
func TestLostWhileLent(t *testing.T) {
	r := newRig(t, 2, blocking)
	r.send(0, 1, 0, nil)
	r.arrived(0, 1, 0)
	buf := make([]byte, 8000)
	r.deaf(buf)
	l := r.links[0]
	l.peers.at(1).lose(errBroken)
	if n := l.peers.at(1).loan; n != (loan{}) {
		t.Errorf("the peer is lost, and the loan is %+v", n)
	}
	if used := l.sending[0].used + l.sending[1].used + l.sending[2].used; used != 0 {
		t.Errorf("%d buffers are in use for a lost peer", used)
	}

	r = newRig(t, 2, func(i int, cfg *Config) { // now in the middle of a message
		lending(SRQ, trustful)(i, cfg)
		cfg.Flow.Window = 6
	})
	l, buf = r.links[0], make([]byte, 64<<10)
	r.send(0, 1, 0, buf)
	pk := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 1, Len: len(buf)}, Peer: 1, Data: buf}
	if l.Send(pk) || pk.Sent == 0 || pk.Sent == len(buf) || l.peers.at(1).loan.entry == nil {
		t.Fatalf("%d of %d bytes are taken", pk.Sent, len(buf))
	}
	l.peers.at(1).lose(errBroken)
	if n := l.peers.at(1).loan; n != (loan{}) {
		t.Errorf("the peer is lost in the middle of a message, and the loan is %+v", n)
	}
}

// refuser is a device without room for registrations.
type refuser struct{}

func (refuser) Register([]byte, verbs.Access) (verbs.MR, error) { return nil, verbs.ErrFull }

// A buffer that cannot be registered is copied.
func TestRefusedLoan(t *testing.T) {
	r := newRig(t, 2, lending(SRQ, trustful))
	l, buf := r.links[0], make([]byte, 8000)
	var err error
	if l.mem.Cache, err = regcache.New(regcache.Config{Registrar: refuser{}, Entries: 8, Bytes: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		r.sendFrom(buf, 0, i, len(buf))
	}
	r.arrived(0, 10, len(buf))
	if n, u := l.Counters, l.Report().Reuse; n.Copies != 10 || n.ZeroCopies != 0 || u.Refused == 0 {
		t.Errorf("%d copied, %d lent, %d refused", n.Copies, n.ZeroCopies, u.Refused)
	}
}

// Random traffic from a few buffers that are overwritten as soon as the link says that it needs them no more, while
// connections break: whoever reads a payload too late sends other bytes.
func TestLentTraffic(t *testing.T) {
	for _, c := range []Channel{SRQ, SR, ArdmaSR, ArdmaSRQ, Hybrid, UD, RD} {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			tr := newTraffic(t, 7, nil, func(i int, cfg *Config) {
				lending(c, trustful)(i, cfg)
				cfg.Promote, cfg.Flow.AckDelay = 300, 2e6
			})
			for i := range tr.reused {
				tr.reused[i] = make([]byte, 3*32<<10)
			}
			if !carriers[c].connects {
				tr.disturb(verbs.FaultConfig{Drop: 0.02, Reorder: 0.05, ReorderBy: 2e6})
			}
			last := time.Now()
			tr.run(800, func() {
				if time.Since(last) > 5*time.Millisecond {
					tr.links[tr.rnd.IntN(2)].breakOne(tr.rnd)
					last = time.Now()
				}
			})
			lent, late, copied := tr.flow(func(l *Link) uint64 { return l.Counters.ZeroCopies }),
				tr.flow(func(l *Link) uint64 { return l.Counters.LateCopies }), tr.flow(func(l *Link) uint64 { return l.Counters.Copies })
			if (lent == 0 || late == 0) != (c == RD) || copied == 0 {
				t.Errorf("%d messages were lent, %d frames copied late, %d messages copied", lent, late, copied)
			}
		})
	}
}

// Lending allocates nothing, nor do answers of one frame: those leave from where they are without being
// lent, unless there is to be no copy at all.
func TestLendingAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		size         int
		noCopy, lent bool
	}{{4 << 10, false, false}, {4 << 10, true, true}, {32 << 10, false, true}, {32 << 10, true, true}} {
		r := newRig(t, 2, func(i int, cfg *Config) {
			lending(SRQ, trustful)(i, cfg)
			cfg.NoReconnect = c.noCopy
		})
		trip := roundTrip(r, make([]byte, c.size))
		for range 300 {
			trip()
		}
		if n := testing.AllocsPerRun(200, trip); n > 0 {
			t.Errorf("%+v: a round trip allocates %v times", c, n)
		}
		if n := r.links[0].Counters; (n.ZeroCopies > 400) != c.lent || (n.LateAnswers > 400) == c.lent {
			t.Errorf("%+v: %d messages were lent, %d answered", c, n.ZeroCopies, n.LateAnswers)
		}
	}
}

// roundTrip returns a function that sends data there and back; one goroutine plays both ranks.
func roundTrip(r *rig, data []byte) func() {
	boxes := [2]counter{}
	packets := [2]*wire.Packet{}
	for i := range packets {
		packets[i] = &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Len: len(data)}, Peer: 1 - i, Data: bytes.Clone(data)}
	}
	return func() {
		for from := range 2 {
			to := 1 - from
			before := boxes[to].n
			for packets[from].Sent = 0; !r.links[from].Send(packets[from]); {
				r.links[0].Poll(&boxes[0])
				r.links[1].Poll(&boxes[1])
			}
			for boxes[to].n == before {
				r.links[to].Poll(&boxes[to])
			}
		}
	}
}

// BenchmarkLending compares the ways of a payload: copied, sent from where it is and copied late, sent and
// never copied. They take turns, and what is reported of each is the shortest time for a message, so that
// other work of the machine disturbs them little and alike.
func BenchmarkLending(b *testing.B) {
	never := func(i int, cfg *Config) {
		lending(SRQ, trustful)(i, cfg)
		cfg.NoReconnect = true
	}
	names := []string{"copy-ns", "late-ns", "zero-ns"}
	for _, size := range []int{1 << 10, 4 << 10, 8000, 16 << 10, 32 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var trips []func()
			for _, change := range []func(int, *Config){nil, lending(SRQ, trustful), never} {
				trips = append(trips, roundTrip(newRig(b, 2, change), make([]byte, size)))
			}
			const batch = 20
			best := make([]time.Duration, len(trips))
			for b.Loop() {
				for i, trip := range trips {
					start := time.Now()
					for range batch {
						trip()
					}
					if d := time.Since(start) / (2 * batch); best[i] == 0 || d < best[i] {
						best[i] = d
					}
				}
			}
			for i, name := range names {
				b.ReportMetric(float64(best[i]), name)
			}
		})
	}
}
