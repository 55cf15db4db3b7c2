package experiments

import (
	"context"
	"slices"

	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// reuseExperiments are the figures of chapter 5 of document 000, and so of document 001.
func reuseExperiments() []lab.Experiment {
	return []lab.Experiment{limitsExperiment, copyExperiment, flowExperiment, oneSidedFlowExperiment, dataFlowExperiment, leastUsesExperiment, oftenExperiment, spectrumExperiment,
		reuseCountExperiment, frequentExperiment, appReuseExperiment}
}

var oftenExperiment = lab.Experiment{
	ID: "F5.5",
	Explain: [2]string{
		"The same ping-pong twice: once every message is copied into memory that the interface knows, once the library notices that the program sends from the same buffer again and again, registers it, and has the interface fetch the payload from there. The diagrams show by how much the second is faster, where messages are written into the peer's ring (fast path) and where they are sent to a receive that the peer has posted. Theory is one copy less the search in the tables, divided by the latency with the copy.",
		"The registration is part of the measurement; the longer the run, the less it counts. The other path has a longer way to go for the same copy (a shared queue of receives, 1 us), so its gain is a smaller part; in the document the copy itself was cheaper there. The library decides by the document's own table of least uses (lab_reuse_costs=paper), and keeps no copy to send again after a broken connection (lab_reconnect=off), which the document's library did not either.",
	},
	Run: often,
}

// path is one of the two ways of short messages.
type path struct {
	name     string
	settings []string
}

// eagerPaths are the paths of short messages that the document compares: the fast one first.
var eagerPaths = [2]path{
	{"fast path", []string{"links=rail", "channel=ardma-sr", "lab_reconnect=off"}},
	{"other path", []string{"links=rail", "channel=srq", "lab_reconnect=off"}},
}

// copying has every short message copied; detecting has the library look for buffers that are used often,
// as the document's did.
var (
	copying   = []string{"lab_reuse=off"}
	detecting = []string{"lab_reuse=on", "lab_reuse_costs=paper", "lab_reuse_waits=on"}
)

// gains are the diagrams' unit.
var gains = lab.Axis{Label: "gain", Unit: "%"}

// shortSizes are lengths of messages below the eager limit, in steps of 1 KB as in the document, and some shorter ones.
func shortSizes(b *lab.Bench) []int {
	if b.Quick() {
		return []int{128, 512, 1 << 10, 4 << 10, 8 << 10}
	}
	sizes := []int{128, 256, 512}
	for kb := 1; kb <= 8; kb++ {
		sizes = append(sizes, kb<<10)
	}
	return sizes
}

// gain is by how many per cent the second line is below the first.
func gain(name string, from, to *lab.Series) *lab.Series {
	g := &lab.Series{Name: name}
	for _, p := range from.Minus(to).Points {
		g.Add(p.X, 100*p.Y/from.At(p.X))
	}
	return g
}

// lengthiest is where the document's figures of short messages end.
const lengthiest = 8 << 10

// often measures the gain on both paths.
func often(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.5")
	on := b.Setups("IB2")[0]
	var actual, theory [2]*lab.Series
	var saved [2]float64 // microseconds of a message of 8 KB
	for i, p := range eagerPaths {
		panel := r.AddPanel("Gain on the "+p.name, lab.Bytes, gains)
		copied, err := shortLatency(ctx, b, on, p, copying)
		if err != nil {
			return nil, err
		}
		lent, err := shortLatency(ctx, b, on, p, detecting)
		if err != nil {
			return nil, err
		}
		actual[i], saved[i] = gain("actual", copied, lent), copied.At(lengthiest)-lent.At(lengthiest)
		if theory[i], err = inTheory(ctx, b, on, copied); err != nil {
			return nil, err
		}
		panel.Series = append(panel.Series, actual[i], theory[i])
	}
	noteHost(r, on)
	r.Panels[0].ClaimAt("14%", lengthiest, 14)
	at := func(s *lab.Series) float64 { return s.At(lengthiest) }
	uses := reuse.PaperThresholds() // they go with 1 over what a copy saves
	cheaper := float64(uses[reuse.Fast][len(leastSizes)-1]) / float64(uses[reuse.NonFast][len(leastSizes)-1])
	r.Hold(lab.Fitted, lab.Within("8 KB, fast path: gain", 14, at(actual[0]), 28, "%").By("copy_us_per_kb"))
	r.Hold(lab.Prediction,
		lab.Between("8 KB, fast path: distance from theory", -3, 3, at(actual[0])-at(theory[0]), "points").Since("the document says very close: 14 and 15%"),
		above("8 KB: the fast path gains more than the other path", at(actual[0]), at(actual[1])),
		lab.Within("8 KB: microseconds saved on the other path, of those on the fast path", cheaper, saved[1]/saved[0], 35, "times"),
		lossless("fast path: a loss is allowed below 512 B only", actual[0].Between(512, lengthiest)),
		lossless("other path: a loss is allowed below 512 B only", actual[1].Between(512, lengthiest)),
	)
	return r, nil
}

// shortLatency measures the mean latency of many messages of each size, each size from one buffer and in a
// job of its own.
func shortLatency(ctx context.Context, b *lab.Bench, on lab.Setup, p path, settings []string) (*lab.Series, error) {
	line := &lab.Series{Name: p.name}
	loops := measure.Loops{Timed: 10_000}
	if b.Quick() {
		loops.Timed = 2_000
	}
	for _, size := range shortSizes(b) {
		job := lab.Job{On: on, Ranks: 2, Settings: slices.Concat(p.settings, settings)}
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			if _, err := measure.PingPong(k, 1, connecting); err != nil {
				return err
			}
			return measure.Sweep(k, []int{size}, line.Add, func(int) (float64, error) { return measure.PingPong(k, size, loops) })
		})
		if err != nil {
			return nil, err
		}
	}
	return line, nil
}

// connecting are the messages after which connections and rings are there.
var connecting = measure.Loops{Warmup: 40, Timed: 1}

// inTheory is the document's estimate: a copy less the search for its buffer, as part of the latency with the copy.
func inTheory(ctx context.Context, b *lab.Bench, on lab.Setup, latency *lab.Series) (*lab.Series, error) {
	costs, err := b.Prices(ctx, on, false)
	theory := &lab.Series{Name: "theory"}
	for _, p := range latency.Points {
		theory.Add(p.X, 100*(costs.At(int(p.X)).Copy-costs.Search)/1e3/p.Y)
	}
	return theory, err
}

// noteHost says what gains on a host are worth.
func noteHost(r *lab.Result, on lab.Setup) {
	if !on.On.Virtual() {
		r.Notes = append(r.Notes, "On this host one copy is a fraction of a per cent of the latency of a short message: gains and losses, and bars kept or not, tell how busy the host was. One-sided operations are not measured here.")
	}
}

// above: the first value is greater than the second.
func above(bar string, more, less float64) lab.Check {
	c := lab.AtLeast(bar, less, more, "%").Since("the document gives an order, and no numbers")
	c.Pass = c.Pass && more > less
	return c
}

// lossless: no value of a line of gains is below 0.
func lossless(bar string, s *lab.Series) lab.Check {
	_, y := s.Min()
	return lab.AtLeast(bar, 0, y, "%").Since("the document says for which sizes there is a gain")
}
