package experiments

import (
	"context"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/ft"
	"github.com/weft-mpi/weft/apps/lu"
	"github.com/weft-mpi/weft/apps/mg"
	"github.com/weft-mpi/weft/apps/nbody"
	"github.com/weft-mpi/weft/apps/radix"
	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var ftSpeedupExperiment = lab.Experiment{
	ID: "002.T6.2",
	Explain: [2]string{
		"How many times as fast the alltoalls of FT are with an algorithm that knows who has arrived, PAP_Direct, than with its twin that does not, Direct, and than with the library of the platform. FT computes between two alltoalls, so ranks come to them unevenly; Direct waits for peers in a strict order.",
		howAppsRun + " The time is that in alltoall, the mean of all ranks. The library exchanges blocks pair by pair (mvapich_xor): the literal doubling would be slower than Direct, which the document has slower than the library.",
	},
	Lengthy: true,
	Run:     ftSpeedup,
}

func ftSpeedup(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.T6.2")
	t := r.AddTable("PAP_Direct, times as fast", "FT", "than the library", "document", "than Direct", "document")
	stated := map[string][2][3]float64{"B": {{1.08, 1.10, 1.14}, {1.16, 1.04, 1.42}}, "C": {{1.01, 1.04, 1.17}, {1.04,
		1.14, 1.63}}}
	for _, class := range []string{"B", "C"} {
		for i, ranks := range []int{4, 8, 16} {
			took := map[string]float64{}
			for _, algorithm := range []string{"mvapich_xor", "direct", "pap_direct"} {
				p := play{app: ft.App, class: class, on: "IB3", ranks: ranks, perNode: ranks / 4,
					settings: []string{"coll=alltoall=" + algorithm}}
				a, err := p.run(ctx, b, 2)
				if err != nil {
					return nil, err
				}
				took[algorithm] = a.mean(func(p part) float64 { return p.spent["alltoall"] })
			}
			native, direct := took["mvapich_xor"]/took["pap_direct"], took["direct"]/took["pap_direct"]
			said := stated[class]
			name := fmt.Sprintf("FT.%s on %d", class, ranks)
			t.Add(name, fmt.Sprintf("%.2f", native), fmt.Sprint(said[0][i]), fmt.Sprintf("%.2f", direct), fmt.Sprint(said[1][i]))
			r.Hold(lab.Prediction, lab.Within(name+": over the library", said[0][i], native, 35, "times").Says(class+": "),
				lab.Within(name+": over Direct", said[1][i], direct, 35, "times").Says(class+": "))
		}
	}
	return r, nil
}

var groupsExperiment = lab.Experiment{
	ID: "002.T4.1",
	Explain: [2]string{
		"How many times as fast RADIX and N-BODY run, and their communication, with an allgather that knows which processes share a node, than with that of the platform, on 16 processes of four nodes. Every pass of RADIX over a digit has an allgather of 4 KB from each process; N-BODY has 24 allgathers in each step, of which 22 are shorter than 64 B.",
		howAppsRun + " RADIX sorts a million keys, and N-BODY moves 16384 bodies; the document does not say how many it had, nor how its N-BODY divides space, so its messages are ours but for the lengths of the allgathers. Times are those of the second half of the steps. Of the two algorithms that the document proposes, gather with broadcast and Bruck, the better is drawn.",
	},
	Run: groupsInApps,
}

// took is the mean time in calls of a part of a run, that in allgathers, and the time of the part.
type took struct{ calls, allgather, run float64 }

// gatherers are the applications of the document whose allgathers are short.
var gatherers = []struct {
	app   apps.App
	class string
}{{radix.App, "W"}, {nbody.App, "A"}}

// gather runs an application with an algorithm for its allgather, and takes the time of the second half of
// its steps: in the first one peers come to have rings, which takes as long as several allgathers.
func gather(ctx context.Context, b *lab.Bench, app apps.App, class, on string, ranks, nodes int, algorithm string) (took, error) {
	p := play{app: app, class: class, on: on, ranks: ranks, perNode: (ranks + nodes - 1) / nodes,
		settings: []string{"coll=allgather=" + algorithm}}
	steps := app.Steps(class)
	first, err := p.run(ctx, b, steps/2)
	if err != nil {
		return took{}, err
	}
	all, err := p.run(ctx, b, steps)
	if err != nil {
		return took{}, err
	}
	rest := func(of func(a acted) float64) float64 { return of(all) - of(first) }
	return took{rest(func(a acted) float64 { return a.mean(part.inCalls) }),
		rest(func(a acted) float64 { return a.mean(func(p part) float64 { return p.spent["allgather"] }) }),
		rest(func(a acted) float64 { return a.most(func(p part) float64 { return p.elapsed }) })}, nil
}

func groupsInApps(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.T4.1")
	t := r.AddTable("16 processes", "application", "allgather", "time in calls, ms", "of these in allgather", "run, ms")
	stated := map[string][2][2]float64{"RADIX": {{1.05, 1.3}, {1.2, 2}}, "N-BODY": {{1, 1.05}, {1.02, 1.25}}}
	for _, g := range gatherers {
		name, times := title(g.app), map[string]took{}
		for _, algorithm := range []string{"elan", "smp_gather_bcast", "smp_bruck"} {
			x, err := gather(ctx, b, g.app, g.class, "QS", 16, 4, algorithm)
			if err != nil {
				return nil, err
			}
			times[algorithm] = x
			t.Add(name, algorithm, fmt.Sprintf("%.1f", 1e3*x.calls), fmt.Sprintf("%.1f", 1e3*x.allgather), fmt.Sprintf("%.1f",
				1e3*x.run))
		}
		best, native := times["smp_gather_bcast"], times["elan"]
		if x := times["smp_bruck"]; x.calls < best.calls {
			best = x
		}
		r.Note("part of "+name+" that is communication, with the platform's allgather", 100*native.calls/native.run, "%")
		run, calls := stated[name][0], stated[name][1]
		r.Hold(lab.Prediction,
			lab.Between(name+": times as fast", run[0], run[1], native.run/best.run, "times"),
			lab.Between(name+": its communication, times as fast", calls[0], calls[1], native.calls/best.calls, "times"),
		)
	}
	return r, nil
}

var gatherArrivalExperiment = lab.Experiment{
	ID: "002.T6.3",
	Explain: [2]string{
		"How many times as fast the allgathers of RADIX and N-BODY are with an algorithm that knows who has arrived and which processes share a node, PAP_Shm_Direct, than with that of the library, and than with its twin that does not know who has arrived, Shm_Direct.",
		howAppsRun + " RADIX sorts a million keys, and N-BODY moves 16384 bodies; the document does not say how many it had. The time is that in allgather in the second half of the steps, when peers have their rings, the mean of all ranks: it contains the wait for ranks that still exchange keys, or compute forces.",
	},
	Run: gatherArrival,
}

func gatherArrival(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.T6.3")
	t := r.AddTable("PAP_Shm_Direct, times as fast", "application", "than the library", "document", "than Shm_Direct",
		"document")
	stated := map[string][2][3]float64{"RADIX": {{.92, 1.53, 1.62}, {1.11, 1.19, 1.22}}, "N-BODY": {{1.01, 1.03, 1.52}, {.97, .92, 1.31}}}
	for _, g := range gatherers {
		app, said := title(g.app), stated[title(g.app)]
		for i, ranks := range []int{4, 8, 16} {
			times := map[string]float64{}
			for _, algorithm := range []string{"mvapich", "shm_direct", "pap_shm_direct"} {
				named := algorithm
				if ranks == 4 { // alone on its node, a process has nobody to share memory with
					named = strings.Replace(algorithm, "shm_", "", 1)
				}
				x, err := gather(ctx, b, g.app, g.class, "IB3", ranks, 4, named)
				if err != nil {
					return nil, err
				}
				times[algorithm] = x.allgather
			}
			native, twin := times["mvapich"]/times["pap_shm_direct"], times["shm_direct"]/times["pap_shm_direct"]
			name := fmt.Sprintf("%s on %d", app, ranks)
			t.Add(name, fmt.Sprintf("%.2f", native), fmt.Sprint(said[0][i]), fmt.Sprintf("%.2f", twin), fmt.Sprint(said[1][i]))
			r.Hold(lab.Prediction, lab.Within(name+": over the library", said[0][i], native, 35, "times").Says(app),
				lab.Within(name+": over Shm_Direct", said[1][i], twin, 35, "times").Says(app))
		}
	}
	return r, nil
}

var arrivalPatternsExperiment = lab.Experiment{
	ID: "002.T6.1",
	Explain: [2]string{
		"How unevenly 16 processes come to the collective calls of FT, LU and MG: how many calls there are and of how many bytes, the mean distance from the mean arrival and the time from the first to the last, both divided by the time of one message of that length. The document's columns of calls and bytes of MG are swapped: 12 B in 88 calls, not 89 B in 12.",
		howAppsRun + " So how uneven ranks are is assumed here, and only what does not depend on how much is held: how the worst distance goes with the mean one, and that larger problems are not more even. The document counts one call more of LU in both rows: what it times itself is not among ours.",
	},
	Lengthy: true,
	Run:     arrivalPatterns,
}

// gathering is the calls of one kind in an application.
type gathering struct {
	app          apps.App
	class, name  string
	steps        int     // of the shorter run
	calls, bytes float64 // what they should be
	stated       string
}

var gatherings = []gathering{
	{ft.App, "B", "alltoall", 2, 22, 2 << 20, "22 of 2 MB: 597, 1812"},
	{ft.App, "C", "alltoall", 1, 22, 8 << 20, "22 of 8 MB: 614, 1871"},
	{lu.App, "B", "allreduce", 2, 7, 184. / 7, "9 of 22 B"},
	{lu.App, "B", "bcast", 2, 9, 80. / 9, "10 of 10 B"},
	{mg.App, "B", "allreduce", 2, 88, 1024. / 88, "12 of 89 B: 9101, 2917"},
}

// met is what is known of calls of one kind: how many, their mean bytes, and how uneven ranks were, in nanoseconds.
type met struct{ calls, bytes, average, worst float64 }

// meets looks at the calls of one kind in a run.
func (a acted) meets(name string) (m met) {
	var calls []arrival.Call
	for rank, p := range a.parts {
		n := 0
		for _, e := range p.calls {
			if e.name != name {
				continue
			}
			if rank == 0 {
				calls = append(calls, arrival.Call{})
				m.bytes += float64(e.bytes)
			}
			calls[n].Arrive = append(calls[n].Arrive, e.at)
			n++
		}
	}
	m.calls = float64(len(calls))
	for _, c := range calls {
		uneven := c.Imbalance()
		m.average, m.worst = m.average+uneven.Average/m.calls, m.worst+uneven.Worst/m.calls
	}
	return m
}

func arrivalPatterns(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.T6.1")
	t := r.AddTable("16 processes", "application", "call", "calls", "bytes", "average factor", "worst factor", "document")
	var before met
	for _, g := range gatherings {
		w, err := play{app: g.app, class: g.class, on: "IB3", ranks: 16, perNode: 4,
			settings: []string{"coll=alltoall=mvapich_xor"}}.whole(ctx, b, g.steps)
		if err != nil {
			return nil, err
		}
		m := w.long.meets(g.name)
		calls := w.of(func(a acted) float64 { return a.meets(g.name).calls })
		bytes := w.of(func(a acted) float64 { return a.meets(g.name).bytes }) / calls
		one, err := messageTime(ctx, b, int(g.bytes))
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%s.%s, %s", title(g.app), g.class, g.name)
		t.Add(title(g.app)+"."+g.class, g.name, whole(calls), fmt.Sprintf("%.1f", bytes), fmt.Sprintf("%.1f", m.average/one),
			fmt.Sprintf("%.1f", m.worst/one), g.stated)
		says := title(g.app) + " "
		r.Hold(lab.Structural, lab.Exactly(name+": calls, by the specification", g.calls, round(calls), "").Says(says),
			lab.Within(name+": bytes, by the specification", g.bytes, bytes, .1, "B").Says(says))
		r.Hold(lab.Prediction, lab.Between(name+": worst factor over average", 2, 5, m.worst/m.average,
			"times").Since("it is 3 throughout in the document, whose factors are no imbalance that a program can have").Says(says))
		if g.class == "C" {
			r.Hold(lab.Prediction, lab.AtLeast("FT: worst distance in class C over that in B", 1, m.worst/before.worst,
				"times").Since("the document's factors are of messages four times as long").Says(says))
		}
		before = m
	}
	return r, nil
}

// messageTime is how long a message takes on the document's machine, in nanoseconds.
func messageTime(ctx context.Context, b *lab.Bench, bytes int) (nanos float64, err error) {
	err = b.Run(ctx, lab.Job{On: b.Setups("IB3")[0], Ranks: 2}, func(k *measure.Rank) error {
		us, err := measure.PingPong(k, bytes, measure.Loops{Warmup: 20, Timed: 4})
		if k.Lead() {
			nanos = 1e3 * us
		}
		return err
	})
	return nanos, err
}
