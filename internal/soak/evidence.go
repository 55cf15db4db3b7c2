package soak

import "slices"

// What ranks must have counted for a run to mean something: else the mischief was not felt, and that every message
// arrived shows nothing.
var (
	ofConnections = []string{"Rail.Counters.Broken", "Rail.Counters.Resent", "Rail.Counters.Moved"}
	ofDatagrams   = []string{"Rail.Flow.Retransmits", "Rail.Flow.Duplicates", "Rail.Flow.OutOfOrder"}
)

// Counters are the sums of what the ranks of a leg counted, by path.
type Counters map[string]float64

// Evidence is what legs have shown so far.
type Evidence struct {
	connections, datagrams bool // legs of these kinds were run
	sum                    Counters
}

// Add takes what the ranks of one leg counted.
func (e *Evidence) Add(l Leg, c Counters) {
	if e.sum == nil {
		e.sum = Counters{}
	}
	var names []string
	if slices.Contains([]string{"ud", "hybrid"}, l.Channel) {
		e.datagrams = true
		names = append(names, ofDatagrams...)
	}
	if !slices.Contains([]string{"ud", "rd"}, l.Channel) {
		e.connections = true
		names = append(names, ofConnections...)
	}
	for _, n := range names {
		e.sum[n] += c[n]
	}
}

// Lacking names what should have happened and did not.
func (e *Evidence) Lacking() []string {
	var all []string
	if e.connections {
		all = append(all, ofConnections...)
	}
	if e.datagrams {
		all = append(all, ofDatagrams...)
	}
	return slices.DeleteFunc(all, func(n string) bool { return e.sum[n] > 0 })
}

// Shown is the evidence: each counter that matters, summed over the legs that it matters for.
func (e *Evidence) Shown() Counters { return e.sum }
