package rail

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// soak is how long a test runs, a third of it under the race detector. The long runs take half an hour or so:
//
//	WEFT_SOAK=1 go test -run 'Broken|Loss|ConnectCrossed|WildRank' -timeout 2h ./internal/rail
func soak(short, long int) int {
	if os.Getenv("WEFT_SOAK") != "" {
		return long
	}
	if testing.Short() {
		return (short + 2) / 3
	}
	return short
}

// connecting are the channels whose express lane is a connection from the start.
var connecting = []Channel{SRQ, SR, ArdmaSR, ArdmaSRQ}

// There are no connections before the first packet, and only one with those who got one.
func TestConnectOnDemand(t *testing.T) {
	r := newRig(t, 6, nil)
	r.poll(100)
	for i, l := range r.links {
		if l.Counters.Dials+l.Counters.Lanes != 0 || len(l.lanes) != 0 || len(l.known) != 0 {
			t.Fatalf("rank %d has connections nobody asked for: %+v", i, l.Counters)
		}
	}
	r.oneWay(5)
	r.poll(100)
	for i, l := range r.links {
		want := 0
		if i < 2 {
			want = 1
		}
		if len(l.lanes) != want {
			t.Errorf("rank %d has %d connections, want %d", i, len(l.lanes), want)
		}
	}
}

// Both ends connect at once, again and again, with messages under way: one connection is left each time, and nothing is
// lost or doubled.
func TestConnectCrossed(t *testing.T) {
	for _, c := range connecting {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = c })
			rounds := soak(75, 5000)
			for i := range rounds {
				var done [2]bool
				both := func() bool {
					for from := range 2 {
						p := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: 10}, Peer: 1 - from, Data: pattern(10, i)}
						done[from] = done[from] || r.links[from].Send(p)
					}
					return done[0] && done[1]
				}
				both() // both ask at the same time
				r.until("room", both)
				r.until("arrival", func() bool { return len(r.boxes[0].got) == i+1 && len(r.boxes[1].got) == i+1 })
				for from := range 2 {
					if ln := r.links[from].peers.at(1 - from).express; ln != nil {
						ln.failed(errBroken)
					}
				}
			}
			r.checkOrder(0, 1, rounds)
			r.checkOrder(1, 0, rounds)
			c0, c1 := r.links[0].Counters, r.links[1].Counters
			if c0.Dials == 0 || c1.Dials == 0 || c0.Crossed == 0 {
				t.Errorf("they never connected at once: the test shows nothing: %+v, %+v", c0, c1)
			}
			if c1.Crossed*10 > uint64(rounds) {
				t.Errorf("the higher rank refused %d requests, though the lower rank's count", c1.Crossed)
			}
		})
	}
}

// closedPort is an address where nobody listens.
func closedPort(t *testing.T) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return fmt.Sprintf("%d", ln.Addr().(*net.TCPAddr).Port)
}

// withPort replaces the port for connections in an address.
func withPort(address, port string) string {
	parts := strings.Split(address, "+")
	for i, p := range parts {
		if f := strings.Split(p, ","); len(f) == 5 {
			f[1] = port
			parts[i] = strings.Join(f, ",")
		}
	}
	return strings.Join(parts, "+")
}

// A peer that cannot be reached is tried again, less and less often, and is lost after a while.
func TestConnectRefused(t *testing.T) {
	for _, c := range connecting {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			port := closedPort(t)
			var r *rig
			r = newRig(t, 2, func(_ int, cfg *Config) {
				cfg.Channel, cfg.PeerWait = c, 600e6
				cfg.Address = func(peer int) (string, error) { return withPort(r.links[peer].Address(), port), nil }
			})
			l := r.links[0]
			k := r.links[1].Expose(0, make([]byte, 100), true)
			if !l.Read(1, k, make([]byte, 100), "read") {
				t.Fatal("cannot read")
			}
			l.Write(1, k, make([]byte, 100), nil, "write")
			packet := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Len: 1}, Peer: 1, Data: []byte{1}}
			if l.Send(packet) {
				t.Fatal("took a packet with nowhere to send it")
			}
			r.until("loss of the peer", func() bool { return r.boxes[0].lost[1] != nil })
			if n := l.Counters.Dials; n < 3 || n > 30 { // express and bulk, pauses of 20, 40, 80, 160, 320 ms
				t.Errorf("%d attempts", n)
			}
			r.until("the end of transfers", func() bool { return r.boxes[0].reads["read"] != nil && r.boxes[0].writes["write"] != nil })
			if !l.Send(packet) {
				t.Error("a packet for a lost peer is not swallowed")
			}
			r.lostForGood(0, 1)
		})
	}
}

// An address that cannot be had, or makes no sense, loses the peer and nobody else.
func TestConnectNowhere(t *testing.T) {
	for name, text := range map[string]string{"nonsense": "here", "other network": "1.1.0+10.99.0.1/24,5,0,0,0+10.98.0.1/24,0,0,0,0", "none": ""} {
		t.Run(name, func(t *testing.T) {
			var r *rig
			r = newRig(t, 3, func(_ int, cfg *Config) {
				cfg.PeerWait = 50e6
				cfg.Address = func(peer int) (string, error) {
					if peer == 2 {
						return text, nil
					}
					return r.links[peer].Address(), nil
				}
			})
			p := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Len: 1}, Peer: 2, Data: []byte{1}}
			r.until("loss", func() bool { return r.links[0].Send(p) && r.boxes[0].lost[2] != nil })
			r.oneWay(10)
		})
	}
}

// A peer that is away and comes back in time has missed nothing.
func TestConnectAgainInTime(t *testing.T) {
	for _, c := range connecting {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = c })
			r.oneWay(30)
			l := r.links[1]
			port := l.listen[0].Addr().Port()
			_ = l.listen[0].Close()
			l.peers.at(0).express.failed(errBroken)
			src, dst := pattern(200_000, 1), make([]byte, 200_000)
			k := l.Expose(0, src, false)
			if !r.links[0].Read(1, k, dst, "read") {
				t.Fatal("cannot read")
			}
			packet := func(i int) *wire.Packet {
				return &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: 64}, Peer: 1, Data: pattern(64, i)}
			}
			sent := 30
			r.until("attempts to reach it", func() bool {
				if r.links[0].Send(packet(sent)) {
					sent++
				}
				return r.links[0].peers.at(1).berths[0].tries >= 3
			})
			ln, err := l.cfg.Device.Listen(verbs.ListenConfig{Port: port})
			if err != nil {
				t.Fatal(err)
			}
			l.listen[0] = ln
			for ; sent < 100; sent++ {
				r.send(0, 1, sent, pattern(64, sent))
			}
			r.until("arrival", func() bool { _, done := r.boxes[0].reads["read"]; return done && len(r.boxes[1].got) == 100 })
			r.checkOrder(1, 0, 100)
			if err := r.boxes[0].reads["read"]; err != nil || !bytes.Equal(src, dst) {
				t.Errorf("read: %v, equal %v", err, bytes.Equal(src, dst))
			}
			r.until("rest", func() bool { return r.links[0].Idle() && r.links[1].Idle() })
			if len(r.boxes[0].lost)+len(r.boxes[1].lost) != 0 {
				t.Errorf("lost %v, %v", r.boxes[0].lost, r.boxes[1].lost)
			}
		})
	}
}

// The header cache and packets of many frames survive breaks.
func TestHeaderCacheBroken(t *testing.T) {
	for _, c := range append([]Channel{Hybrid, UD, RD}, connecting...) {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = c })
			if c == UD {
				r.disturb(verbs.FaultConfig{Drop: 0.02, Reorder: 0.1})
			}
			rnd := rand.New(rand.NewPCG(7, 7))
			const n = 600
			last := time.Now()
			hits, before := uint64(0), -1
			for i := range n {
				long := i%17 == 16 // in pieces: leaves the cache as it is
				size := 40
				if long {
					size = 30_000
				} else {
					if tag := i / 5; tag == before {
						hits++
					} else {
						before = tag
					}
				}
				r.send(0, 1, i/5, pattern(size, i))
				if time.Since(last) > 2*time.Millisecond {
					r.links[rnd.IntN(2)].breakOne(rnd)
					last = time.Now()
				}
			}
			r.until("arrival", func() bool { return len(r.boxes[1].got) == n && !r.links[1].peers.at(0).streaming })
			for i, m := range r.boxes[1].got {
				if int(m.h.Tag) != i/5 || m.h.Ctx != 4 || m.h.Kind != wire.Eager || !bytes.Equal(m.data, pattern(len(m.data), i)) {
					t.Fatalf("message %d: %+v", i, m.h)
				}
			}
			if got := r.links[0].Counters.HeaderHits; got != hits {
				t.Errorf("%d of %d headers were left out", got, hits)
			}
			if r.links[1].Counters.BadFrames != 0 {
				t.Errorf("%d bad frames", r.links[1].Counters.BadFrames)
			}
		})
	}
}
