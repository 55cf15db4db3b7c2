package flow

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// quick is a configuration for a network of some 50 us, near the wrap of the numbers.
func quick() Config {
	c := tested()
	c.First = 1<<32 - 150
	return c
}

func lossy(loss int, seed uint64) plan {
	return plan{cfg: quick(), seed: seed, forward: 1000, back: 300, loss: loss, twice: 3, delay: 50_000, jitter: 20_000}
}

// Everything is delivered and released once, in order, whatever the network does to datagrams.
func TestLoss(t *testing.T) {
	for _, loss := range []int{0, 1, 5, 20, 50} {
		for seed := range uint64(8) {
			n := newNet(lossy(loss, seed))
			if err := n.run(); err != nil {
				t.Fatalf("%d %% loss, seed %d: %v", loss, seed, err)
			}
			if loss >= 5 && n.a.count.Retransmits == 0 {
				t.Fatalf("%d %% loss, seed %d: nothing was sent again", loss, seed)
			}
		}
	}
}

// The same for any configuration and any history of carriers that can be thought of.
func TestAnyNetwork(t *testing.T) {
	for range 10 {
		rapid.Check(t, func(t *rapid.T) {
			if err := newNet(drawPlan(t)).run(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func drawPlan(t *rapid.T) plan {
	percent := func(most int, name string) int { return rapid.IntRange(0, most).Draw(t, name) }
	c := tested()
	c.First = rapid.SampledFrom([]uint32{0, 1, 1 << 31, 1<<31 - 20, 1<<32 - 1, 1<<32 - 20, 1<<32 - 300}).Draw(t, "first")
	c.Window = rapid.IntRange(1, 400).Draw(t, "window")
	c.OutOfOrder = rapid.SampledFrom([]int{c.Window, 2501}).Draw(t, "out of order")
	c.AckEvery = rapid.IntRange(1, 100).Draw(t, "ack every")
	c.AckDelay = rapid.SampledFrom([]int64{0, 1, 100_000, 5 * millisecond}).Draw(t, "ack delay")
	c.MinTimeout = rapid.SampledFrom([]int64{1000, millisecond, 20 * millisecond}).Draw(t, "min timeout")
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	p := plan{
		cfg: c, seed: rapid.Uint64().Draw(t, "seed"), forward: rapid.IntRange(0, 400).Draw(t, "forward"),
		back: rapid.IntRange(0, 200).Draw(t, "back"), loss: percent(50, "loss"), twice: percent(30, "twice"),
		delay:  rapid.SampledFrom([]int64{1, 1000, 50_000, 30 * millisecond}).Draw(t, "delay"),
		jitter: rapid.SampledFrom([]int64{0, 10_000, 500_000, 60 * millisecond}).Draw(t, "jitter"),
		stall:  rapid.SampledFrom([]int{0, 0, 2, 20}).Draw(t, "stall"),
		pace:   rapid.SampledFrom([]int64{0, 0, 1000, millisecond}).Draw(t, "pace"),
	}
	for at := 0; at < 400; {
		at += rapid.IntRange(1, 200).Draw(t, "arrivals")
		p.steps = append(p.steps, step{at, rapid.SampledFrom([]string{"connect", "cut", "cut", "datagrams"}).Draw(t, "step")})
	}
	return p
}

// Without loss there is one acknowledgement for every 50 frames, and a delayed one for what is left over.
func TestAckEveryFifty(t *testing.T) {
	for _, c := range []struct{ frames, acks int }{{50, 1}, {49, 1}, {51, 2}, {10_000, 200}, {10_020, 201}} {
		n := newNet(plan{cfg: quick(), forward: c.frames, delay: 50_000, pace: 1000})
		if err := n.run(); err != nil {
			t.Fatal(err)
		}
		if n.b.count.Acks != uint64(c.acks) || n.a.count.Retransmits+n.a.count.Timeouts != 0 {
			t.Errorf("%d frames: %d acknowledgements, want %d; %+v", c.frames, n.b.count.Acks, c.acks, n.a.count)
		}
	}
}

// A conversation acknowledges by its own frames.
func TestPiggyBack(t *testing.T) {
	n := newNet(plan{cfg: quick(), forward: 1000, back: 1000, delay: 50_000, pace: 100_000})
	if err := n.run(); err != nil {
		t.Fatal(err)
	}
	if acks := n.a.count.Acks + n.b.count.Acks; acks > 2 {
		t.Errorf("%d notices, want those of the quiet end alone", acks)
	}
}

// Repair is selective: little more is sent again than was lost. Going back would repeat a good part of the window for
// each loss, here some 20 frames.
func TestSelective(t *testing.T) {
	for _, loss := range []int{1, 5, 20} {
		n := newNet(plan{cfg: quick(), seed: 5, forward: 20_000, loss: loss, delay: 50_000, jitter: 2000, pace: 3000})
		if err := n.run(); err != nil {
			t.Fatal(err)
		}
		again, lost := n.a.count.Retransmits, uint64(n.lostData)
		t.Logf("%d %% loss: %d lost, %d sent again, %d time-outs, %d acks", loss, lost, again, n.a.count.Timeouts, n.b.count.Acks)
		if again < lost || again > lost+lost/4+10 {
			t.Errorf("%d %% loss: %d frames lost, %d sent again", loss, lost, again)
		}
		if fast := again - n.a.count.Timeouts; fast < again*3/4 {
			t.Errorf("%d %% loss: only %d of %d repairs did not wait for a time-out", loss, fast, again)
		}
	}
}

// Frames that change places with a neighbour are neither repeated nor worth a notice.
func TestReorderingIsNoLoss(t *testing.T) {
	n := newNet(plan{cfg: quick(), seed: 3, forward: 5000, delay: 50_000, jitter: 3000, pace: 2000})
	if err := n.run(); err != nil {
		t.Fatal(err)
	}
	if c := n.b.count; c.OutOfOrder < 200 || c.Acks != 100 || n.a.count.Retransmits != 0 {
		t.Errorf("%d out of order, %d acknowledgements (want 100), %d sent again", c.OutOfOrder, c.Acks, n.a.count.Retransmits)
	}
}

// A stream may change its carrier at any point, with datagrams in flight and lost.
func TestPromotion(t *testing.T) {
	for at := range 120 {
		for _, loss := range []int{0, 30} {
			p := lossy(loss, uint64(at))
			p.forward, p.back, p.jitter = 300, 100, 200_000
			p.steps = []step{{at, "connect"}}
			n := newNet(p)
			if err := n.run(); err != nil {
				t.Fatalf("promoted after %d arrivals, %d %% loss: %v", at, loss, err)
			}
			if n.a.count.Replayed != 0 {
				t.Fatalf("promoted after %d arrivals: %d frames replayed", at, n.a.count.Replayed)
			}
		}
	}
}

// The first frame over the connection overtakes all datagrams and is kept until they are here.
func TestPromotionRestoresOrder(t *testing.T) {
	p := plan{cfg: quick(), forward: 40, delay: 50_000, loss: 100}
	p.cfg.Window = 20
	n := newNet(p)
	n.pump(n.a) // 20 datagrams, all lost
	n.connect()
	n.cfg.Window = 40 // the peer grants more
	n.a.sender.limit += 20
	n.b.receiver.limit += 20
	n.pump(n.a)
	if err := n.run(); err != nil {
		t.Fatal(err)
	}
	if n.b.count.OutOfOrder != 20 || n.a.count.Retransmits != 20 || n.b.count.Duplicates != 0 {
		t.Errorf("%d early, %d sent again, %d duplicates: want 20, 20, 0",
			n.b.count.OutOfOrder, n.a.count.Retransmits, n.b.count.Duplicates)
	}
}

// A connection that breaks again and again loses nothing, and falls back to datagrams.
func TestFlapping(t *testing.T) {
	for seed := range uint64(20) {
		p := lossy(10, seed)
		for at := 20; at < 900; at += 15 + int(seed) {
			p.steps = append(p.steps, step{at, [...]string{"connect", "cut", "cut", "datagrams"}[at%4]})
		}
		if err := newNet(p).run(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// A receiver that grants nothing for a while stops the sender, and the loss of the notice that ends it does no harm.
func TestStalls(t *testing.T) {
	for _, loss := range []int{0, 50} {
		for _, carrier := range []string{"datagrams", "connect"} {
			t.Run(fmt.Sprintf("%s, %d %% loss", carrier, loss), func(t *testing.T) {
				p := lossy(loss, 9)
				p.cfg.Window, p.stall, p.pace = 16, 10, 1000
				p.steps = []step{{5, carrier}}
				if err := newNet(p).run(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
