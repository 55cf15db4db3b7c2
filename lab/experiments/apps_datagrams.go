package experiments

import (
	"context"
	"fmt"
	"math"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cg"
	"github.com/weft-mpi/weft/apps/lu"
	"github.com/weft-mpi/weft/apps/mg"
	"github.com/weft-mpi/weft/apps/radix"
	"github.com/weft-mpi/weft/lab"
)

var datagramCallsExperiment = lab.Experiment{
	ID: "F6.6",
	Explain: [2]string{
		"How much less time applications of class B spend in calls over datagrams than over connections, on both clusters. Every rank is in sends, receives and waits for as long as its peers let it wait and as messages take; a datagram is cheaper at both ends. SMG2000, the document's fifth application, is missing: this project does not have it.",
		howAppsRun + " Time in calls is the mean of all ranks. Connections are made to every peer that is talked to (channel=hybrid, lab_promote=1), as in F6.8.",
	},
	Lengthy: true,
	Run:     func(ctx context.Context, b *lab.Bench) (*lab.Result, error) { return datagramGains(ctx, b, "F6.6") },
}

var datagramRunsExperiment = lab.Experiment{
	ID: "F6.7",
	Explain: [2]string{
		"How much shorter applications of class B run over datagrams than over connections, on both clusters. It cannot be more than what their calls gain (F6.6): computation takes as long. SMG2000 is missing, as there.",
		howAppsRun + " How much of the gain is left depends on the assumed speed of the processors.",
	},
	Lengthy: true,
	Run:     func(ctx context.Context, b *lab.Bench) (*lab.Result, error) { return datagramGains(ctx, b, "F6.7") },
}

// datagramApps are those of the document, with the steps of the shorter run.
var datagramApps = []struct {
	app   apps.App
	steps int
}{{cg.App, 1}, {mg.App, 2}, {lu.App, 2}, {radix.App, 2}}

// datagramCrews are the nodes of each cluster, and how many processes run there.
var datagramCrews = []struct {
	on    string
	nodes int
	ranks []int
}{{"C1", 4, []int{4, 16, 32}}, {"C2", 16, []int{4, 16, 64}}}

// viaConnections and viaDatagrams are the channels that are compared.
var (
	viaConnections = []string{"channel=hybrid", "lab_promote=1", "lab_vbuf=8K"}
	viaDatagrams   = []string{"channel=ud", "lab_vbuf=8K"}
)

// datagramGain is by how many per cent time in calls and run time are shorter over datagrams.
func datagramGain(ctx context.Context, b *lab.Bench, p play, steps int) (calls, run float64, err error) {
	var inCalls, elapsed [2]float64
	for i, settings := range [2][]string{viaConnections, viaDatagrams} {
		p.settings = settings
		w, err := p.whole(ctx, b, steps)
		if err != nil {
			return 0, 0, err
		}
		inCalls[i] = w.of(func(a acted) float64 { return a.mean(part.inCalls) })
		elapsed[i] = w.of(func(a acted) float64 { return a.most(func(p part) float64 { return p.elapsed }) })
	}
	return 100 * (1 - inCalls[1]/inCalls[0]), 100 * (1 - elapsed[1]/elapsed[0]), nil
}

// datagramGains draws one of the two figures; the other one is a panel of it that is not judged.
func datagramGains(ctx context.Context, b *lab.Bench, id string) (*lab.Result, error) {
	r := b.NewResult(id)
	const inCalls, ofRun = "time in calls", "run time"
	judged := inCalls
	if id == "F6.7" {
		judged = ofRun
	}
	lines := map[string]*lab.Series{}
	for _, c := range datagramCrews {
		for _, what := range []string{inCalls, ofRun} {
			p := r.AddPanel(c.on+": gain of datagrams, "+what, lab.Axis{Label: "processes", Scale: lab.Sizes}, gains)
			for _, a := range datagramApps {
				lines[c.on+what+a.app.Name] = p.Line(title(a.app))
			}
		}
		for _, a := range datagramApps {
			for _, ranks := range c.ranks {
				p := play{app: a.app, class: "B", on: c.on, ranks: ranks, perNode: (ranks + c.nodes - 1) / c.nodes}
				calls, run, err := datagramGain(ctx, b, p, a.steps)
				if err != nil {
					return nil, err
				}
				lines[c.on+inCalls+a.app.Name].Add(float64(ranks), calls)
				lines[c.on+ofRun+a.app.Name].Add(float64(ranks), run)
			}
		}
	}
	most, leastFrom16, ahead, above := math.Inf(-1), math.Inf(1), 0, 0
	for _, a := range datagramApps {
		c1, c2, other := lines["C1"+judged+a.app.Name], lines["C2"+judged+a.app.Name], lines["C2"+inCalls+a.app.Name]
		_, top := c2.Max()
		most = max(most, top)
		for _, line := range []*lab.Series{c1, c2} {
			_, low := line.Between(16, 64).Min()
			leastFrom16 = min(leastFrom16, low)
		}
		if c2.At(16) > c1.At(16) {
			ahead++
		}
		for _, p := range c2.Points {
			if p.Y > max(0, other.At(p.X)) {
				above++
			}
		}
	}
	says := "45%"
	r.Hold(lab.Prediction,
		lab.Within("C2: the most that any application gains", 45, most, 35, "%").Says(says),
		lab.AtLeast("from 16 processes: the least that any application gains", 0, leastFrom16,
			"%").Since("the document has no application that loses").Says(says),
	)
	if id == "F6.6" {
		r.Hold(lab.Prediction, lab.Holds("16 processes: applications that gain more on C2 than on C1", "all 4",
			fmt.Sprint(ahead), ahead == len(datagramApps)).Says("more on C2"))
	} else {
		r.Hold(lab.Structural, lab.Exactly("C2: runs that gain more than their calls", 0, float64(above), "").Says(says))
	}
	return r, nil
}
