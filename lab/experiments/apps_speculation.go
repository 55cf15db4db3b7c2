package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/bt"
	"github.com/weft-mpi/weft/apps/cg"
	"github.com/weft-mpi/weft/apps/lu"
	"github.com/weft-mpi/weft/apps/radix"
	"github.com/weft-mpi/weft/lab"
)

var waitingExperiment = lab.Experiment{
	ID: "F4.17a",
	Explain: [2]string{
		"By how much applications wait less with the speculative rendezvous, with and without its adaptation, on four processes. Only the time in wait and waitall counts. What a receive offers before its sender has asked is of use where receives are posted early (BT); where both sides post and send at the same time (CG of class B) offers cross the sender's own, come to nothing and cost both time, until the adaptation stops them.",
		howAppsRun + " The mean of five runs with other ranks fast and slow is drawn. CG of class A has no message beyond 128 KB, where the document's library changes to rendezvous. RADIX sorts 4 million keys, so that its messages have 1 MB; the document does not say how many it sorted. Adaptation judges all offers of a process together (lab_spec_scope=process), as in the document.",
	},
	Lengthy: true,
	Run:     waiting,
}

var offersExperiment = lab.Experiment{
	ID: "F4.17b",
	Explain: [2]string{
		"Which part of the offers that receives make early is used by a sender, without adaptation. LU receives its long messages from any source, so it makes none.",
		howAppsRun + " The sums of all processes and of five runs.",
	},
	Lengthy: true,
	Run:     offers,
}

var extraVolumeExperiment = lab.Experiment{
	ID: "F4.19b",
	Explain: [2]string{
		"How many bytes the speculative protocol adds to what an application sends: offers that come to nothing, and acknowledgements that keep races away.",
		howAppsRun + " The larger value of both variants, with and without adaptation; control packets are counted with their real lengths.",
	},
	Lengthy: true,
	Run:     extraVolume,
}

// speculating are the applications of the document's chapter 4, and how many steps are made.
var speculating = []struct {
	app   apps.App
	class string
	steps int
}{{cg.App, "A", 3}, {cg.App, "B", 2}, {bt.App, "A", 20}, {lu.App, "A", 20}, {radix.App, "A", 3}}

const notAdaptive = "not adaptive"

// guesses are the protocols that are compared with the platform's own.
var guesses = map[string][]string{
	adaptive: {"rndv=speculative", "lab_spec_initial=on", "lab_spec_chain=off", "lab_spec_scope=process"},
	notAdaptive: {"rndv=speculative", "lab_spec_initial=on", "lab_spec_chain=off", "lab_spec_scope=process",
		"lab_spec_threshold=0", "lab_spec_unused=1000"},
}

// guessed is what speculation did to an application.
type guessed struct {
	waits       float64 // by how many per cent they became shorter
	sent, used  float64 // offers
	extra, sums float64 // bytes that came on top, and all
}

// guess runs an application with the platform's own rendezvous and with a speculative one.
func guess(ctx context.Context, b *lab.Bench, p play, steps int, settings []string) (g guessed, err error) {
	const seeds = 5
	var waits [2]float64
	for p.seed = 1; p.seed <= seeds; p.seed++ {
		for i, own := range [][]string{nil, settings} {
			p.settings = own
			a, err := p.run(ctx, b, steps)
			if err != nil {
				return g, err
			}
			waits[i] += a.mean(func(p part) float64 { return p.spent["wait"] })
			if i == 0 {
				continue
			}
			for _, rank := range a.parts {
				g.sent, g.used = g.sent+float64(rank.engine.RTRSent), g.used+float64(rank.engine.RTRUsed)
				g.extra += float64(rank.engine.ExtraBytes)
			}
			for bytes, n := range a.census {
				g.sums += float64(bytes) * float64(n)
			}
		}
	}
	g.waits = 100 * (1 - waits[1]/waits[0])
	return g, nil
}

// eachGuess tells of all applications and variants.
func eachGuess(ctx context.Context, b *lab.Bench, tell func(name, variant string, g guessed)) error {
	for _, s := range speculating {
		for _, variant := range []string{notAdaptive, adaptive} {
			g, err := guess(ctx, b, play{app: s.app, class: s.class, on: "IW2", ranks: 4}, s.steps, guesses[variant])
			if err != nil {
				return err
			}
			tell(title(s.app)+"."+s.class, variant, g)
		}
	}
	return nil
}

func waiting(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.17a")
	t := r.AddTable("Time in wait and waitall, gained by the speculative rendezvous (%)", "application", notAdaptive,
		adaptive, "document")
	stated := map[string]string{"BT.A": "30", "LU.A": "5", "CG.A": "-2", "CG.B": "-21, adaptive -4", "RADIX.A": "4"}
	all, row := map[string]float64{}, []string{}
	err := eachGuess(ctx, b, func(name, variant string, g guessed) {
		all[name+variant] = g.waits
		if row = append(row, fmt.Sprintf("%.1f", g.waits)); variant == adaptive {
			t.Add(slices.Concat([]string{name}, row, []string{stated[name]})...)
			row = nil
		}
	})
	words := "the document has a diagram, and about so much in words"
	r.Hold(lab.Prediction,
		lab.Between("BT.A: waits become shorter", 15, 45, all["BT.A"+notAdaptive], "%").Since(words),
		lab.Between("LU.A: waits become shorter", -1, 12, all["LU.A"+notAdaptive], "%").Since(words),
		lab.Between("RADIX.A: waits become shorter", 0, 12, all["RADIX.A"+notAdaptive], "%").Since(words),
		lab.Between("CG.A: waits become shorter", -4, 1, all["CG.A"+notAdaptive], "%").Since(words),
		lab.Between("CG.B, not adaptive: waits become shorter", -40, -8, all["CG.B"+notAdaptive], "%").Since(words),
		lab.Between("CG.B, adaptive: waits become shorter", -8, 0, all["CG.B"+adaptive], "%").Since(words),
	)
	return r, err
}

func offers(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.17b")
	t := r.AddTable("Early offers of receives, on all processes", "application", "offers", "used", "%", "document")
	stated := map[string]string{"BT.A": "very high", "LU.A": "0", "CG.A": "-", "CG.B": "below 80", "RADIX.A": "-"}
	all := map[string]guessed{}
	err := eachGuess(ctx, b, func(name, variant string, g guessed) {
		if variant == adaptive {
			return
		}
		all[name] = g
		t.Add(name, whole(g.sent), whole(g.used), fmt.Sprintf("%.1f", 100*g.used/max(1, g.sent)), stated[name])
	})
	share := func(name string) float64 { return 100 * all[name].used / max(1, all[name].sent) }
	r.Hold(lab.Prediction,
		lab.Between("BT.A: offers that are used", 90, 100, share("BT.A"), "%"),
		lab.Between("CG.B: offers that are used", 20, 80, share("CG.B"),
			"%").Since("the document says less than 80%, and that some are used"),
		lab.Exactly("LU.A: offers that are used", 0, all["LU.A"].used, ""),
	)
	return r, err
}

func extraVolume(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.19b")
	t := r.AddTable("Bytes that the speculative protocol adds, part of all (%)", "application", notAdaptive, adaptive)
	most, row := map[string]float64{}, []string{}
	err := eachGuess(ctx, b, func(name, variant string, g guessed) {
		extra := 100 * g.extra / g.sums
		most[name] = max(most[name], extra)
		if row = append(row, fmt.Sprintf("%.4f", extra)); variant == adaptive {
			t.Add(append([]string{name}, row...)...)
			row = nil
		}
	})
	for _, s := range speculating {
		name := title(s.app) + "." + s.class
		r.Hold(lab.Prediction, lab.Between(name+": bytes that are added", 0, .04, most[name],
			"%").Since("the document says less than 0.04%"))
	}
	return r, err
}
