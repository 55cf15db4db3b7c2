package boot

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs"
)

// What tests and experiments have ranks pretend: nodes that there are not, datagrams that get lost.

// nodes are those that ranks pretend to be on; the zero value: nobody pretends.
type nodes struct {
	blocks int   // so many nodes, of ranks in a row
	layout []int // or the node of each rank, from the first rank on, and again from the start
}

// pretended tells whether anybody pretends.
func (n *nodes) pretended() bool { return n.blocks > 0 || n.layout != nil }

// of is the node that one of size ranks pretends to be on.
func (n *nodes) of(rank, size int) int {
	if n.layout != nil {
		return n.layout[rank%len(n.layout)]
	}
	return rank * min(n.blocks, size) / size
}

var errNodes = errors.New("must be a number of nodes, such as 2, or the nodes of ranks, such as 0,1,1")

func (n *nodes) parse(words string) error {
	if words == "" {
		*n = nodes{}
		return nil
	}
	var layout []int
	for w := range strings.SplitSeq(words, ",") {
		node, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil || node < 0 || node > 1<<20 {
			return errNodes
		}
		layout = append(layout, node)
	}
	switch {
	case len(layout) > 1:
		*n = nodes{layout: layout}
	case layout[0] == 0:
		return fmt.Errorf("%w; not 0", errNodes)
	default:
		*n = nodes{blocks: layout[0]}
	}
	return nil
}

func (n *nodes) format() string {
	if n.layout != nil {
		return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(n.layout)), ","), "[]")
	}
	if n.blocks > 0 {
		return strconv.Itoa(n.blocks)
	}
	return ""
}

// faults are the shares of datagrams that the sender drops, doubles and delays, for tests.
type faults struct{ drop, double, delay float64 }

// tap does to datagrams that leave what the shares ask for; nil if that is nothing. chance decides,
// and is called by one goroutine at a time.
func (f faults) tap(chance *rand.Rand) func(verbs.Datagram) verbs.Fate {
	if f == (faults{}) {
		return nil
	}
	return func(verbs.Datagram) (fate verbs.Fate) {
		fate.Drop = chance.Float64() < f.drop
		if chance.Float64() < f.double {
			fate.Copies = 1
		}
		if chance.Float64() < f.delay {
			fate.Delay = chance.Int64N(5e6)
		}
		return fate
	}
}
