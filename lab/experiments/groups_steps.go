package experiments

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
)

// stepFigures are the figures that draw the steps of an algorithm, with the claims that its text makes.
var stepFigures = []struct {
	id, algorithm string
	explain       [2]string
	most          func(n, k int) int // rounds
	blocks        int                // blocks that a rank sends with 9 processes and 2 ports
}{
	{"002.F3.5", "allgather/exchange", [2]string{
		"With k ports a process can talk to k others at a time. Standard Exchange groups processes by the digits of their number in base k+1: in step i everybody exchanges all it has with the k processes that differ in digit i, so that what it has grows by a factor of k+1 each step.",
		"With 9 processes and 2 ports two steps are enough. If the number of processes is no power of k+1, two correction steps hand the blocks of the others to the core and the result back; the table of steps is generated and proved for all numbers up to 28 and up to four ports.",
	}, exchangeRounds, 8},
	{"002.F3.6", "allgather/bruck", [2]string{
		"Bruck's allgather sends everything collected so far to the processes 1, 2, .. k times (k+1)^i before the own, and appends what comes from those after it. It works for any number of processes; at the end the blocks are rotated into place.",
		"The table shows to whom which blocks go in each step, one column per port. It comes from the plans that the library runs, and for all numbers of processes up to 28 and up to four ports the plans are proved free of races and deadlock and counted: as many rounds as the logarithm to base k+1 says.",
	}, logarithm, 8},
	{"002.F3.7", "alltoall/bruck", [2]string{
		"In Bruck's alltoall a block for the process at distance d travels by the digits of d in base k+1: in step x all blocks whose digit x is z go together to the process at distance z(k+1)^x, the k values of z at once.",
		"With 9 processes and 2 ports that is 4 messages in 2 steps. The document's text writes bits where its own figure has digits, and gives this algorithm the cost of the Direct one, (N-1)/k steps (equation 3.3); two steps with 3 blocks per port and step are what its figure shows: ts log N + N/(k+1) log N m tau.",
	}, logarithm, 12},
}

// stepExperiments are the figures that draw the steps of an algorithm.
func stepExperiments() []lab.Experiment {
	var all []lab.Experiment
	for _, f := range stepFigures {
		all = append(all, lab.Experiment{ID: f.id, Explain: f.explain, Run: func(_ context.Context, b *lab.Bench) (*lab.Result, error) {
			r := b.NewResult(f.id)
			steps, err := stepTables(r, f.algorithm+"@2", 9)
			if err != nil {
				return nil, err
			}
			plans, err := plansOf(f.algorithm+"@2", coll.Case{Ranks: 9, Bytes: 8, Stripe: 1 << 30})
			if err != nil {
				return nil, err
			}
			one := plans[0].Tally()
			r.Hold(lab.Structural,
				lab.Exactly("9 processes, 2 ports: steps", 2, float64(steps), "steps"),
				lab.Exactly("9 processes, 2 ports: messages of a process", 4, float64(one.Sends), "messages"),
				lab.Exactly("9 processes, 2 ports: blocks that a process sends", float64(f.blocks), float64(one.SendBytes)/8, "blocks"),
				lab.Exactly("both ports carry the same", float64(one.RailBytes[1]), float64(one.RailBytes[2]), "bytes"),
				everyNumber(b, f.algorithm, f.most))
			return r, nil
		}})
	}
	return all
}

var columns = regexp.MustCompile(`\s{2,}`)

// stepTables adds one table per step, and returns their number.
func stepTables(r *lab.Result, algorithm string, ranks int) (steps int, err error) {
	text, err := coll.StepTable(algorithm, ranks)
	if err != nil {
		return 0, err
	}
	var t *lab.Table
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "step "):
			steps++
			t = r.AddTable(fmt.Sprintf("%s, %d processes, %s", algorithm, ranks, line))
		case t != nil && strings.HasPrefix(line, "rank"):
			t.Head = columns.Split(line, -1)
		case t != nil && line != "":
			t.Add(columns.Split(line, -1)...)
		}
	}
	return steps, nil
}

// plansOf returns the plans of all ranks of a case.
func plansOf(algorithm string, c coll.Case) ([]*plan.Plan, error) {
	a, known := coll.Find(algorithm)
	if !known {
		return nil, fmt.Errorf("there is no algorithm %s", algorithm)
	}
	c.Op = a.Op
	plans := make([]*plan.Plan, c.Ranks)
	for rank := range plans {
		c.Rank = rank
		if err := c.Validate(); err != nil {
			return nil, err
		}
		if !a.Fits(c) {
			return nil, fmt.Errorf("%w: %s, %d bytes on %d ranks", coll.ErrUnfit, algorithm, c.Bytes, c.Ranks)
		}
		plans[rank] = a.Plan(c)
	}
	return plans, nil
}

// everyNumber proves the plans of all numbers of processes and ports, and counts their rounds.
func everyNumber(b *lab.Bench, algorithm string, most func(n, k int) int) lab.Check {
	bar := "for all numbers of processes and ports: proved, in no more rounds than the formula"
	last, tried := 28, 0
	if b.Quick() {
		last = 17
	}
	for k := 1; k <= 4; k++ {
		for n := 2; n <= last; n++ {
			plans, err := plansOf(fmt.Sprintf("%s@%d", algorithm, k), coll.Case{Ranks: n, Bytes: 8})
			if err == nil {
				err = plan.Check(plans, lensOf(coll.Case{Ranks: n, Bytes: 8}, algorithm))
			}
			if err != nil {
				return lab.Holds(bar, "all", fmt.Sprintf("%d processes, %d ports: %v", n, k, err), false)
			}
			rounds, err := plan.Rounds(plans)
			if err != nil || rounds > most(n, k) {
				return lab.Holds(bar, fmt.Sprintf("%d rounds for %d processes and %d ports", most(n, k), n, k), fmt.Sprintf("%d rounds, %v", rounds, err), false)
			}
			tried++
		}
	}
	return lab.Holds(bar, "all", fmt.Sprintf("%d cases", tried), true)
}

// logarithm is the number of digits that n processes need in base k+1.
func logarithm(n, k int) (digits int) {
	for span := 1; span < n; span *= k + 1 {
		digits++
	}
	return digits
}

// exchangeRounds adds the two correction steps where n is no power of k+1.
func exchangeRounds(n, k int) int {
	radix := min(k+1, n)
	whole, digits := 1, 0
	for whole*radix <= n {
		whole *= radix
		digits++
	}
	if whole < n {
		return digits + 2
	}
	return digits
}

// lensOf are the lengths of the buffers of all ranks.
func lensOf(c coll.Case, algorithm string) (lens []plan.Lens) {
	if a, known := coll.Find(algorithm); known {
		c.Op = a.Op
	}
	for rank := range c.Ranks {
		c.Rank = rank
		lens = append(lens, c.Lens())
	}
	return lens
}
