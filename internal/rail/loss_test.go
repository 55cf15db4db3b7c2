package rail

import (
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/wire"
)

// disturb has the network of all ranks do to datagrams what the configuration says, each rank by its own dice.
func (r *rig) disturb(cfg verbs.FaultConfig) {
	r.t.Helper()
	for i, d := range r.devs {
		cfg.Seed = uint64(i + 1)
		if _, err := verbs.Fault(d, cfg); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *rig) flow(of func(*Link) uint64) (sum uint64) {
	for _, l := range r.links {
		sum += of(l)
	}
	return sum
}

// Datagrams get lost, come twice, late and out of order: every message arrives once, whole and in order, over datagrams
// alone and across the change to a connection.
func TestLoss(t *testing.T) {
	faults := []struct {
		name string
		cfg  verbs.FaultConfig
		lost bool
	}{
		{"none", verbs.FaultConfig{Delay: 1}, false},
		{"loss-2", verbs.FaultConfig{Drop: 0.02}, true},
		{"loss-20", verbs.FaultConfig{Drop: 0.2}, true},
		{"twice", verbs.FaultConfig{Duplicate: 0.3}, false},
		{"reordered", verbs.FaultConfig{Reorder: 0.2, ReorderBy: 3e6}, false},
		{"all", verbs.FaultConfig{Drop: 0.05, Duplicate: 0.1, Reorder: 0.1, ReorderBy: 2e6, Jitter: 1e5}, true},
	}
	for _, c := range []Channel{UD, Hybrid} {
		for _, f := range faults {
			t.Run(c.String()+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				// Seals would keep from us what comes twice.
				unsealed := func(int) soft.Config { return soft.Config{} }
				tr := newTraffic(t, 3, unsealed, func(_ int, cfg *Config) {
					cfg.Channel, cfg.Promote = c, 450
					cfg.Flow.AckDelay = 2e6
				})
				tr.bulksAfter = 450
				tr.disturb(f.cfg)
				steps := 1000
				if f.cfg.Drop > 0.1 {
					steps = 700
				}
				tr.run(soak(steps, 50*steps), func() {})
				again := tr.flow(func(l *Link) uint64 { return l.Flows.Retransmits })
				if f.lost && again == 0 {
					t.Error("datagrams were lost and none was sent again: the test shows nothing")
				}
				if double := tr.flow(func(l *Link) uint64 { return l.Flows.Duplicates }); f.cfg.Duplicate > 0 && double == 0 {
					t.Error("datagrams came twice and nobody noticed: the test shows nothing")
				}
				if early := tr.flow(func(l *Link) uint64 { return l.Flows.OutOfOrder }); f.cfg.Reorder > 0 && early == 0 {
					t.Error("nothing came out of order: the test shows nothing")
				}
			})
		}
	}
}

// oneWay sends n short messages from rank 0 to rank 1 and waits until they are there.
func (r *rig) oneWay(n int) {
	r.t.Helper()
	have := len(r.boxes[1].got)
	for i := range n {
		r.send(0, 1, have+i, pattern(64, have+i))
	}
	r.until("arrival", func() bool { return len(r.boxes[1].got) == have+n })
}

// Without loss there is an acknowledgement per 50 messages, and one when the sender goes quiet.
func TestAcksWithoutLoss(t *testing.T) {
	for _, c := range []Channel{UD, RD, SRQ} {
		t.Run(c.String(), func(t *testing.T) {
			r := newRig(t, 2, func(_ int, cfg *Config) {
				cfg.Channel = c
				cfg.Flow.Timeout, cfg.Flow.AckDelay = 600e9, 300e9
			})
			for range 1000 {
				r.oneWay(1)
			}
			if got := r.links[1].Counters.Acks; got != 1000/50 {
				t.Errorf("%d acknowledgements of 1000 messages", got)
			}
			if got := r.links[0].Counters.Resent; got != 0 {
				t.Errorf("%d frames were sent again", got)
			}
		})
	}
	r := newRig(t, 2, func(_ int, cfg *Config) { // a pause of this process is shorter than the delay
		cfg.Channel, cfg.Flow.Timeout, cfg.Flow.AckDelay = UD, 600e9, 300e6
	})
	r.oneWay(7)
	r.until("an acknowledgement of the rest", func() bool { return r.links[0].Idle() && r.links[1].Idle() })
	if got := r.links[1].Counters.Acks; got != 1 {
		t.Errorf("%d acknowledgements of 7 messages", got)
	}
}

// poll lets everybody work for so many rounds.
func (r *rig) poll(rounds int) {
	for range rounds {
		for i, l := range r.links {
			l.Poll(r.boxes[i])
		}
	}
}

// A peer that does not answer any datagram is lost in the end: the owner is told once, its packets are swallowed.
func TestSilentPeer(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) {
		cfg.Channel = UD
		cfg.Flow.Timeout, cfg.Flow.MaxRetry = 20e6, 4
		cfg.Flow.AckDelay = 1e6
	})
	r.devs[0].Tap(func(verbs.Datagram) verbs.Fate { return verbs.Fate{Drop: true} })
	r.send(0, 1, 0, pattern(100, 0))
	r.until("loss of the peer", func() bool { return r.boxes[0].lost[1] != nil })
	r.lostForGood(0, 1)
}

// So is one that an RD device has given up.
func TestSilentPeerRD(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = RD })
	r.oneWay(3)
	r.until("rest", func() bool { return r.links[0].Idle() })
	_ = r.devs[1].Close()
	r.links = r.links[:1]
	r.send(0, 1, 0, pattern(100, 0))
	r.until("loss of the peer", func() bool { return r.boxes[0].lost[1] != nil })
	r.lostForGood(0, 1)
}

// lostForGood checks how a link behaves towards a peer that it has lost.
func (r *rig) lostForGood(rank, peer int) {
	r.t.Helper()
	l := r.links[rank]
	err := r.boxes[rank].lost[peer]
	r.boxes[rank].lost[peer] = nil
	if err == nil {
		r.t.Fatal("lost for no reason")
	}
	for range 3 {
		if !l.Send(&wire.Packet{Header: wire.Header{Kind: wire.Eager, Len: 3}, Peer: peer, Data: []byte("abc")}) {
			r.t.Error("a packet for a lost peer is not swallowed")
		}
	}
	if l.Read(peer, wire.Key{Addr: 1, Slot: 1}, make([]byte, 10), "late read") {
		r.t.Error("reads from a lost peer")
	}
	if l.cfg.Channel != UD {
		l.Write(peer, wire.Key{Addr: 1, Slot: 1}, make([]byte, 10), nil, "late write")
		r.until("the end of a write to a lost peer", func() bool { return r.boxes[rank].writes["late write"] != nil })
	}
	r.poll(20)
	if r.boxes[rank].lost[peer] != nil {
		r.t.Error("lost twice")
	}
	if !l.Idle() {
		r.t.Error("something still waits for the lost peer")
	}
	if at := l.Due(); at != 0 && at < clock.Now() {
		r.t.Error("something is due for the lost peer")
	}
}
