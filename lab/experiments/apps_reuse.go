package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cg"
	"github.com/weft-mpi/weft/apps/lu"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/lab"
)

const appMissing = "AMG2006 and 104.milc, the document's other two, are missing: this project does not have them. "

var reuseCountExperiment = lab.Experiment{
	ID: "T5.1",
	Explain: [2]string{
		"How often applications of class C on 16 processes send short messages from the buffer that they send most from, and how long these are; and which part of all short messages comes from a buffer that was sent from before. " + appMissing,
		howAppsRun + " A buffer is a place and a length, as the application's calls name them. LU sends 40,000 times from one buffer in each direction; the document's 3750 are a tenth of it, which nobody explains.",
	},
	Lengthy: true,
	Run:     reuseCount,
}

var frequentExperiment = lab.Experiment{
	ID: "T5.4",
	Explain: [2]string{
		"Which part of the buffers above 128 B that the library has met is in frequent use, so that their registration pays. CG sends 8 and 16 B and messages beyond the limit of short ones, so it has none. " + appMissing,
		howAppsRun + " The library counts buffers and decides (lab_reuse_costs=paper); what it has counted at the end is drawn, in the mean of all processes.",
	},
	Lengthy: true,
	Run:     frequentBuffers,
}

var appReuseExperiment = lab.Experiment{
	ID: "F5.10",
	Explain: [2]string{
		"What it gains to send from buffers in frequent use without a copy, in applications on 16 processes: in sends, in all calls, and of the run time. LU has messages of 1.6 KB and waits little in sends, so the copy is a part of them, but without it a send waits for the interface (lab_reuse_waits=on; Weft itself does not); CG has nothing to gain, and loses what it costs to look. " + appMissing,
		howAppsRun + " Times are means of all processes, of the steps after those in which buffers come into use.",
	},
	Lengthy: true,
	Run:     appReuse,
}

// reusers are the applications of the document's chapter 5, with the steps of the shorter run: long enough for
// buffers to come into frequent use.
var reusers = []struct {
	app   apps.App
	steps int
}{{cg.App, 2}, {lu.App, 6}}

// reusing is an application on the document's machine: four nodes of four cores.
func reusing(app apps.App, settings []string) play {
	return play{app: app, class: "C", on: "IB2", ranks: 16, perNode: 4, settings: append([]string{"lab_reconnect=off"},
		settings...)}
}

// shortMost is the limit of short messages on the document's machine.
const shortMost = 9 << 10

// reuseOf is what a rank's buffers for short messages were used for.
type reuseOf struct {
	uses     float64 // of the buffer that was used most
	bytes    int     // its length
	sends    float64 // of all
	repeated float64 // of these from a buffer that was sent from before
}

// usedBuffer is a buffer for short messages, wherever it was.
type usedBuffer struct{ bytes, uses int }

// shortBuffers are those of a rank, the shortest first, and of the same length that which was used most.
func shortBuffers(uses map[meter.Buffer]int) (all []usedBuffer) {
	for buffer, n := range uses {
		if buffer.Bytes <= shortMost {
			all = append(all, usedBuffer{buffer.Bytes, n})
		}
	}
	slices.SortFunc(all, func(a, b usedBuffer) int { return cmp.Or(a.bytes-b.bytes, b.uses-a.uses) })
	return all
}

// reuseIn finds it for a run of so many steps as the class has, of a rank's counts in two shorter ones, which have
// the same buffers at other places.
func reuseIn(short, long map[meter.Buffer]int, times float64) (u reuseOf, err error) {
	before, after := shortBuffers(short), shortBuffers(long)
	if len(before) != len(after) {
		return u, fmt.Errorf("%d buffers in a short run, %d in a longer one", len(before), len(after))
	}
	for i, b := range after {
		all := float64(before[i].uses) + times*float64(b.uses-before[i].uses)
		u.sends, u.repeated = u.sends+all, u.repeated+all-1
		if all > u.uses {
			u.uses, u.bytes = all, b.bytes
		}
	}
	return u, nil
}

func reuseCount(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("T5.1")
	t := r.AddTable("Short messages of class C on 16 processes", "application", "most sent from one buffer", "of bytes",
		"sends from a buffer used before, %", "document")
	stated := map[string]string{"CG": "7904 of 8 B; 42.9%", "LU": "3749 to 3750 of 1560 to 1640 B; 98.7%"}
	repeated := map[string]float64{}
	for _, a := range reusers {
		w, err := reusing(a.app, detecting).whole(ctx, b, a.steps)
		if err != nil {
			return nil, err
		}
		var uses, bytes []float64
		all, again := 0., 0.
		for rank := range w.short.parts {
			u, err := reuseIn(w.short.parts[rank].buffers, w.long.parts[rank].buffers, w.times)
			if err != nil {
				return nil, err
			}
			uses, bytes = append(uses, u.uses), append(bytes, float64(u.bytes))
			all, again = all+u.sends, again+u.repeated
		}
		name := title(a.app)
		repeated[name] = 100 * again / all
		t.Add(name, spanOf(uses), spanOf(bytes), fmt.Sprintf("%.1f", repeated[name]), stated[name])
		if name == "CG" {
			r.Hold(lab.Structural, lab.Exactly("CG: messages of 8 B from one buffer", 7904, slices.Max(uses), "").Says("CG"),
				lab.Exactly("CG: the length of these", 8, slices.Max(bytes), "B").Says("CG"))
			continue
		}
		r.Hold(lab.Structural,
			lab.AtLeast("LU: messages from one buffer", 3749, slices.Min(uses),
				"").Since("the document has a tenth of what LU sends").Says("LU"),
			lab.Exactly("LU: the shortest of these", 1560, slices.Min(bytes), "B").Says("LU"),
			lab.Exactly("LU: the longest", 1640, slices.Max(bytes), "B").Says("LU"),
		)
	}
	t.Add("AMG2006", "missing", "missing", "missing", "45 to 292, mean 119, of 8 to 3648 B; 76.9%")
	t.Add("104.milc", "missing", "missing", "missing", "2 to 5010, mean 2049, of 8 to 4800 B; 44.3%")
	r.Hold(lab.Prediction,
		lab.Within("LU: sends from a buffer that was used before", 98.71, repeated["LU"], 4, "%").Says("LU"),
		lab.Within("CG: sends from a buffer that was used before", 42.94, repeated["CG"], 35, "%").Says("CG"),
	)
	return r, nil
}

// spanOf is the least and the most of some values.
func spanOf(values []float64) string {
	low, high := slices.Min(values), slices.Max(values)
	if low == high {
		return whole(low)
	}
	return whole(low) + " to " + whole(high)
}

func frequentBuffers(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("T5.4")
	t := r.AddTable("Buffers above 128 B on 16 processes", "application", "buffers of a process", "in frequent use", "%",
		"document")
	stated, share := map[string]string{"CG": "0", "LU": "32.9"}, map[string]float64{}
	for _, a := range reusers {
		run, err := reusing(a.app, detecting).run(ctx, b, 2*a.steps)
		if err != nil {
			return nil, err
		}
		known := run.mean(func(p part) float64 { return float64(p.rail.Reuse.Entries) })
		often := run.mean(func(p part) float64 { return float64(p.rail.Reuse.Frequent) })
		name := title(a.app)
		share[name] = 100 * often / max(known, 1)
		t.Add(name, fmt.Sprintf("%.1f", known), fmt.Sprintf("%.1f", often), fmt.Sprintf("%.1f", share[name]), stated[name])
	}
	t.Add("AMG2006", "missing", "missing", "missing", "8.7")
	t.Add("104.milc", "missing", "missing", "missing", "22.6")
	r.Hold(lab.Prediction, lab.Exactly("CG: buffers in frequent use", 0, share["CG"], "%"),
		lab.Within("LU: buffers in frequent use", 32.9, share["LU"], 35, "%"))
	return r, nil
}

func appReuse(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.10")
	t := r.AddTable("Gain of sending without a copy (%)", "application", "in sends", "in all calls", "of the run time",
		"document")
	stated := map[string]string{"CG": "loses less than 1", "LU": "sends 18.3"}
	sends := map[string]float64{}
	runs := map[string]float64{}
	for _, a := range reusers {
		var took [3][2]float64
		for i, settings := range [][]string{copying, detecting} {
			w, err := reusing(a.app, settings).whole(ctx, b, a.steps)
			if err != nil {
				return nil, err
			}
			took[0][i] = w.of(func(a acted) float64 { return a.mean(func(p part) float64 { return p.spent["send"] }) })
			took[1][i] = w.of(func(a acted) float64 { return a.mean(part.inCalls) })
			took[2][i] = w.of(func(a acted) float64 { return a.mean(func(p part) float64 { return p.elapsed }) })
		}
		name, row := title(a.app), []string{}
		for _, pair := range took {
			row = append(row, fmt.Sprintf("%.2f", 100*(1-pair[1]/pair[0])))
		}
		sends[name], runs[name] = 100*(1-took[0][1]/took[0][0]), 100*(1-took[2][1]/took[2][0])
		t.Add(slices.Concat([]string{name}, row, []string{stated[name]})...)
	}
	t.Add("AMG2006", "missing", "missing", "missing", "loses about 2, 6 without adaptation")
	t.Add("104.milc", "missing", "missing", "missing", "sends 7")
	r.Hold(lab.Prediction,
		lab.Within("LU: gain in sends", 18.3, sends["LU"], 35, "%").Says("LU"),
		lab.Between("CG: gain of the run time", -1, 1, runs["CG"],
			"%").Since("the document says a loss of less than 1%").Says("CG"),
	)
	return r, nil
}
