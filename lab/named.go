package lab

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/boot"
)

// A line of a figure that is named after an algorithm must show no other. In jobs of the lab, rules for
// collectives are therefore binding: a call for which a rule names an algorithm that does not fit fails,
// and the figure has no point there. That it is so is counted: a run fails in which another algorithm has
// served an operation than those that its rules name.

// binding has the rules of a job be that.
const binding = "lab_coll_binding=on"

// named are the algorithms that may serve each operation of a job, by its name; an operation without rules
// is not there.
type named map[string][]string

// namedIn reads the rules for collectives of a job's variables.
func namedIn(env []string) (named, error) {
	text := ""
	for _, e := range env {
		if value, ok := strings.CutPrefix(e, "WEFT_COLL="); ok {
			text = value
		}
	}
	rules, _, err := boot.CollRules(text)
	if err != nil {
		return nil, err
	}
	n, closed := named{}, map[string]bool{}
	for _, r := range rules {
		op := r.Op.String()
		if !closed[op] {
			n[op] = append(n[op], r.Algorithm)
			closed[op] = !strings.Contains(r.String(), ":") // a rule without conditions: those after it do not count
		}
	}
	return n, nil
}

// single returns the operations for which there is one algorithm only, and that.
func (n named) single() map[string]string {
	one := map[string]string{}
	for op, algorithms := range n {
		if len(algorithms) == 1 {
			one[op] = algorithms[0]
		}
	}
	return one
}

// errOther is the error of a run in which another algorithm was used than the one that its figure names.
var errOther = errors.New("another algorithm than the one that is named")

// check says if an operation was served by an algorithm that is not named for it.
func (n named) check(rank int, runs map[string]uint64) error {
	for _, algorithm := range slices.Sorted(maps.Keys(runs)) {
		op, _, _ := strings.Cut(algorithm, "/")
		if allowed := n[op]; allowed != nil && !slices.Contains(allowed, algorithm) {
			return fmt.Errorf("%w: rank %d ran %s %d times, the job names %s", errOther, rank, algorithm, runs[algorithm], strings.Join(allowed, ", "))
		}
	}
	return nil
}
