package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var patternsExperiment = lab.Experiment{
	ID: "F4.18",
	Explain: [2]string{
		"How four applications communicate in their innermost loops. CG posts its receive just before the send that answers it, so nothing overlaps and RTRs cross RTSs. BT posts a receive before it produces: made for the speculative rendezvous. LU does too, but from any source, so that its receives cannot tell anybody where to write. RADIX waits for four receives together and sends with blocking calls.",
		"The programs run here on two ranks of the iWARP platform with 256 KB messages, and what they were seen to do is compared with the document's listing step by step. LU sends no RTR at all.",
	},
	Run: patterns,
}

// patternSteps are what rank 0 does in the document's listings, for two iterations. The last steps of BT receive what
// its last iteration has sent.
var patternSteps = map[measure.Pattern][]string{
	measure.CG: {"produce", "Irecv", "Send", "Wait", "Irecv", "Send", "Wait", "consume"},
	measure.BT: {"produce", "Isend", "Irecv", "produce", "Wait for Isend", "Wait for Irecv", "consume", "Isend",
		"Irecv", "produce", "Wait for Isend", "Wait for Irecv", "consume", "Isend", "Irecv", "Waitall"},
	measure.LU: {"Irecv from any", "produce", "Send", "Wait", "consume", "Irecv from any", "produce", "Send", "Wait", "consume"},
	measure.Radix: {"Irecv", "Irecv", "Irecv", "Irecv", "Waitall", "Irecv", "Irecv", "Irecv", "Irecv", "Waitall",
		"Send", "Send", "Send", "Send", "Send", "Send", "Send", "Send"},
}

// patterns runs the four programs and compares their steps with the listings.
func patterns(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.18")
	t := r.AddTable("Steps of rank 0, two iterations", "application", "steps")
	use := r.AddTable("RTRs of both ranks, twenty iterations", "application", "sent", "used")
	for _, p := range measure.Patterns() {
		steps, _, err := runPattern(ctx, b, p, 2)
		if err != nil {
			return nil, err
		}
		t.Add(string(p), strings.Join(steps, ", "))
		r.Hold(lab.Structural, lab.Holds(string(p)+" follows its listing", strings.Join(patternSteps[p], ", "), strings.Join(steps, ", "), slices.Equal(steps, patternSteps[p])))
		_, c, err := runPattern(ctx, b, p, 20)
		if err != nil {
			return nil, err
		}
		use.Add(string(p), fmt.Sprint(c.RTRSent), fmt.Sprint(c.RTRUsed))
		if p == measure.LU {
			r.Hold(lab.Structural, lab.Exactly("LU sends no RTR, for its receives are from any source", 0, float64(c.RTRSent), "RTRs"))
		}
	}
	r.Notes = append(r.Notes, "Two ranks in step are not the applications: the document has BT use nearly all of its RTRs (F4.17b), this skeleton does not.")
	return r, nil
}

// runPattern returns what rank 0 did, and the RTRs that both ranks sent and used.
func runPattern(ctx context.Context, b *lab.Bench, p measure.Pattern, iterations int) (steps []string, sum engine.Counters, err error) {
	job := lab.Job{On: b.Setups("IW2")[0], Ranks: 2, Settings: specProtocols[1].settings}
	job.Report = func(_ int, c engine.Counters, _ *rail.Report) {
		sum.RTRSent, sum.RTRUsed = sum.RTRSent+c.RTRSent, sum.RTRUsed+c.RTRUsed
	}
	err = b.Run(ctx, job, func(k *measure.Rank) error {
		if k.Lead() {
			k.Seen = func(what string, _, _ int64) { steps = append(steps, what) }
		}
		return p.Program(k, 256<<10, iterations, 600*time.Microsecond)
	})
	return steps, sum, err
}
