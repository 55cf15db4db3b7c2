package experiments

import (
	"context"
	"slices"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var spectrumExperiment = lab.Experiment{
	ID: "F5.6",
	Explain: [2]string{
		"No program uses one buffer only. Here there are many, of which one is used once, another one a thousand times, and all the others something in between. Those that are used seldom are copied all their life, others are registered too early to ever pay. The diagrams show what is left of the gain, for buffers that lie back to back in memory and for buffers on pages of their own.",
		"Memory is registered by the page. Back to back, the registration of a short buffer covers its neighbours, so that there are fewer registrations; from the size of a page on there is no difference. Of the document's thousand buffers every 25th is used here: what a buffer of i uses gains does not depend on how many others there are.",
	},
	Run: spectrum,
}

// spectrum measures the gain over buffers of growing use.
func spectrum(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.6")
	on := b.Setups("IB2")[0]
	schemes := [2]string{"back to back", "separate pages"}
	var got [2][2]*lab.Series // path, scheme
	for i, p := range eagerPaths {
		panel := r.AddPanel("Gain over a spectrum of use, "+p.name, lab.Bytes, gains)
		for j, scheme := range schemes {
			copied, err := spread(ctx, b, on, p, copying, j == 1)
			if err != nil {
				return nil, err
			}
			lent, err := spread(ctx, b, on, p, detecting, j == 1)
			if err != nil {
				return nil, err
			}
			got[i][j] = gain(scheme, copied, lent)
			panel.Series = append(panel.Series, got[i][j])
		}
	}
	noteHost(r, on)
	r.Panels[0].ClaimAt("12.7%", lengthiest, 12.7)
	always, err := oneBuffer(ctx, b, on)
	if err != nil {
		return nil, err
	}
	for j, scheme := range schemes {
		fast := got[0][j]
		r.Hold(lab.Fitted, lab.Within("fast path, "+scheme+": gain at 8 KB", 12.7, fast.At(lengthiest), 35, "%").By("copy_us_per_kb"))
		r.Hold(lab.Prediction,
			lab.PeakAt("fast path, "+scheme+": the most is gained at 8 KB", fast, lengthiest, lengthiest),
			above("fast path, "+scheme+": less than with one buffer (F5.5) at 8 KB", always, fast.At(lengthiest)),
		)
	}
	for i, p := range eagerPaths {
		far := got[i][0].Minus(got[i][1]).Between(4<<10, lengthiest)
		_, most := far.Max()
		_, least := far.Min()
		r.Hold(lab.Prediction, lab.Between(p.name+": the two lie this far apart from 4 KB on", 0, 1, max(most, -least), "points").Since("the document says that the difference almost vanishes"))
	}
	return r, nil
}

// spread measures the mean latency over buffers of growing use.
func spread(ctx context.Context, b *lab.Bench, on lab.Setup, p path, settings []string, paged bool) (*lab.Series, error) {
	line := &lab.Series{Name: p.name}
	every := 25
	if b.Quick() {
		every = 100
	}
	for _, size := range b.Sizes(128, lengthiest) {
		job := lab.Job{On: on, Ranks: 2, Settings: slices.Concat(p.settings, settings)}
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			if _, err := measure.PingPong(k, 1, connecting); err != nil {
				return err
			}
			return measure.Sweep(k, []int{size}, line.Add, func(int) (float64, error) {
				return measure.Spectrum(k, size, measure.Uses{Buffers: 1000 / every, Step: every}, paged)
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return line, nil
}

// oneBuffer is the gain of F5.5 on the fast path at 8 KB.
func oneBuffer(ctx context.Context, b *lab.Bench, on lab.Setup) (float64, error) {
	var latency [2]float64
	for i, settings := range [2][]string{copying, detecting} {
		line, err := shortLatency(ctx, b, on, eagerPaths[0], settings)
		if err != nil {
			return 0, err
		}
		latency[i] = line.At(lengthiest)
	}
	return 100 * (latency[0] - latency[1]) / latency[0], nil
}
