package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var regcacheExperiment = lab.Experiment{
	ID: "F3.11",
	Explain: [2]string{
		"Long messages travel without copies, so both buffers have to be registered with the interface. The registration cache keeps registrations for the next message from the same buffer. Here all messages use one buffer per side; with the cache each is registered once, without it for every message.",
		"Registering costs about as much as several short messages, so the shortest messages that travel by rendezvous lose most without the cache. Myrinet's library registers page by page at little cost, and loses least.",
	},
	Run: regcache,
}

var reuseExperiment = lab.Experiment{
	ID: "F3.12",
	Explain: [2]string{
		"A program that sends from ever new buffers gains nothing from the registration cache. The ping-pong takes all, half or none of its messages from one buffer, the others each from a buffer that was not used before.",
		"Eager messages are copied and hardly care: on the original machines a new buffer was not in the processor's cache, which the model does not have. Where the protocol changes the ratio jumps, because from there on every new buffer has to be registered on both sides. InfiniBand, whose messages take least time, loses most.",
	},
	Run: bufferReuse,
}

// shortestRendezvous is the shortest power of two that each network sends by rendezvous.
var shortestRendezvous = map[string]int{iWARP: 32 << 10, infiniBand: 16 << 10, myrinet: 32 << 10}

// regcache compares latency and bandwidth with and without the registration cache.
func regcache(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.11")
	var slower, thinner []lab.Scalar
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		low := 64 << 10
		if s := shortestRendezvous[on.Label]; s > 0 {
			low = s
		}
		latency := r.AddPanel("Latency, "+on.Label, lab.Bytes, lab.Microseconds)
		rate := r.AddPanel("Both ways, "+on.Label, lab.Bytes, lab.Megabytes)
		if err := withAndWithout(ctx, b, on, b.Sizes(low, 1<<20), latency, rate); err != nil {
			return nil, err
		}
		ratio := latency.Line(cacheOff).Over(latency.Line(cacheOn))
		slower = append(slower, lab.Scalar{Name: on.Label, Value: ratio.Mean(), Unit: "times"})
		less := rate.Line(cacheOn).Over(rate.Line(cacheOff))
		thinner = append(thinner, lab.Scalar{Name: on.Label, Value: less.Mean(), Unit: "times"})
		if on.Label == infiniBand {
			r.Hold(lab.Prediction, lab.AtLeast("InfiniBand, shortest rendezvous: off over on", 1.3, ratio.At(float64(low)), "times").Since("the document says considerable, without a number"))
		}
	}
	if len(slower) < 2 {
		return r, nil // there is nothing to compare with
	}
	r.Hold(lab.Prediction,
		lab.Lowest("the smallest mean ratio of latencies, off to on", myrinet, slower),
		lab.Lowest("the smallest mean ratio of bandwidths, on to off", myrinet, thinner),
	)
	return r, nil
}

// overNetwork has the ranks of this host use its software interface, because memory that they share is not registered.
func overNetwork(on lab.Setup) []string {
	if on.On.Virtual() {
		return nil
	}
	return []string{"links=rail"}
}

const (
	cacheOn  = "cache on"
	cacheOff = "cache off"
)

// withAndWithout measures a network's rendezvous with the registration cache on and off.
func withAndWithout(ctx context.Context, b *lab.Bench, on lab.Setup, sizes []int, latency, rate *lab.Panel) error {
	for _, c := range []struct {
		name     string
		settings []string
	}{{cacheOn, nil}, {cacheOff, []string{"lab_regcache=0"}}} {
		job := lab.Job{On: on, Ranks: 2, Settings: append(overNetwork(on), c.settings...)}
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			return measure.Sweep(k, sizes, latency.Line(c.name).Add, func(size int) (float64, error) {
				return measure.PingPong(k, size, b.Loops(on, size))
			})
		})
		if err == nil {
			err = bothWays(ctx, b, job, sizes, rate.Line(c.name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reuseClaim is what the document states of a network: the most that an eager message loses, and the peak.
type reuseClaim struct {
	eager    float64 // most, no reuse over full reuse
	peak     float64
	peakSize float64
	flip     float64 // shortest power of two by rendezvous
}

var reuseClaims = map[string]reuseClaim{
	iWARP:      {1.4, 2.8, 32 << 10, 32 << 10},
	infiniBand: {1.7, 6.7, 16 << 10, 16 << 10},
	myrinet:    {1.9, 2.3, 1 << 20, 32 << 10},
}

// bufferReuse sweeps ping-pongs whose messages reuse buffers always, half of the time or never.
func bufferReuse(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.12")
	ratios := r.AddPanel("No reuse over full reuse", lab.Bytes, lab.Axis{Label: "latency", Unit: "times"})
	var eager []string
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Latency, "+on.Label, lab.Bytes, lab.Microseconds)
		if err := reuseSweep(ctx, b, on, p); err != nil {
			return nil, err
		}
		ratio := p.Line(shareName(0)).Over(p.Line(shareName(100)))
		ratio.Name = on.Label
		ratios.Series = append(ratios.Series, ratio)
		if c, ok := reuseClaims[on.Label]; ok {
			ratios.ClaimAt("", c.peakSize, c.peak)
			eager = append(eager, eagerEffect(r, on.Label, c, ratio))
			r.Hold(lab.Fitted, reuseBars(on.Label, c, ratio)...)
		}
	}
	if len(eager) == len(reuseClaims) {
		r.Hold(lab.Structural, lab.Holds("eager messages stay within 1.2 up to 512 B, and 1.4, 1.7 and 1.9 above: nothing on the model makes a new buffer dearer to copy", "below", strings.Join(eager, ", "), !slices.ContainsFunc(eager, func(s string) bool { return strings.Contains(s, "above") })))
	}
	return r, nil
}

func shareName(share int) string { return fmt.Sprintf("%d%% reuse", share) }

// reuseSizes has the sizes on both sides of every switch even on a quick bench.
func reuseSizes(b *lab.Bench) []int {
	if b.Quick() {
		return []int{64, 512, 8 << 10, 16 << 10, 32 << 10, 1 << 20}
	}
	return b.Sizes(64, 1<<20)
}

// reuseSweep measures every size in a world of its own, so that no registration of another size is in the way.
func reuseSweep(ctx context.Context, b *lab.Bench, on lab.Setup, p *lab.Panel) error {
	for _, share := range []int{0, 50, 100} {
		line := p.Line(shareName(share))
		for _, size := range reuseSizes(b) {
			err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: overNetwork(on)}, func(k *measure.Rank) error {
				if _, err := measure.PingPong(k, size, b.Loops(on, size)); err != nil { // connections stand
					return err
				}
				return measure.Sweep(k, []int{size}, line.Add, func(size int) (float64, error) {
					return measure.Reuse(k, size, share, freshPool, reuseLoops(on))
				})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// freshPool has a buffer for every message of a measurement. Together they fit into the registration cache, so that
// new buffers are registered, but none has to be given up for them.
var freshPool = measure.Pool{Buffers: 30, Bytes: 30 << 20}

// reuseLoops uses no buffer of the pool twice.
func reuseLoops(on lab.Setup) measure.Loops {
	if on.On.Virtual() {
		return measure.Loops{Warmup: 2, Timed: 10}
	}
	return measure.Loops{Warmup: 4, Timed: 24}
}

func reuseBars(label string, c reuseClaim, ratio *lab.Series) []lab.Check {
	return []lab.Check{
		lab.Within(label+": the peak, "+sizeName(int(c.peakSize)), c.peak, ratio.At(c.peakSize), 25, "times").By("register_us", "register_page_us"),
		lab.AtLeast(label+": jump where the protocol changes", 1.5, ratio.At(c.flip)/ratio.At(c.flip/2), "times").By("register_us", "register_page_us").Since("the document says that there is a jump, without a number"),
	}
}

// eagerEffect holds that new buffers make eager messages a little slower, and tells whether they stay below
// what the document states.
func eagerEffect(r *lab.Result, label string, c reuseClaim, ratio *lab.Series) string {
	_, small := ratio.Between(1, 512).Max()
	_, most := ratio.Between(1, c.flip-1).Max()
	r.Hold(lab.Prediction, lab.Between(label+": most that new buffers do to eager messages", 1.02, c.eager, most, "times").
		Since(fmt.Sprintf("the document says that there is a slight effect, of less than %g", c.eager)))
	if small > 1.2 || most > c.eager {
		return label + " above"
	}
	return label + " below"
}
