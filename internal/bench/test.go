package bench

import (
	"fmt"
	"strings"
)

// Shape says how a test is measured and how its rows are printed.
type Shape int

const (
	PingPong   Shape = iota // pairs exchange one message; half a round trip in microseconds
	Stream                  // pairs send windows of messages; megabytes (10^6) per second
	Collective              // all ranks make one call; microseconds per call, averaged over ranks
)

// String names the shape for messages.
func (s Shape) String() string {
	switch s {
	case PingPong:
		return "ping-pong"
	case Stream:
		return "stream"
	case Collective:
		return "collective"
	}
	return fmt.Sprintf("shape %d", int(s))
}

// Test describes one benchmark. The zero value is no test; take one from Find or Tests.
type Test struct {
	Name  string // as typed after `weft bench`
	Title string // first line of the output, as the OSU suite words it
	About string // one line for the help text
	Shape Shape

	TwoRanks  bool // exactly two ranks
	EvenRanks bool // pairs of ranks, so an even number
	BothWays  bool // both ends of a pair send (Stream)
	Rate      bool // prints the message rate too (Stream over several pairs)
	Sizeless  bool // the call carries no data, one row only
	Vector    bool // works on float32 elements, sizes are multiples of 4 bytes
	Shared    bool // the size is split over the ranks, so at least 4 bytes for each
	Spread    bool // one buffer holds a block for every rank

	Smallest, Largest int // default range of sizes in bytes
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

var tests = []Test{
	{Name: "latency", Title: "OSU MPI Latency Test", About: "half round trip between two ranks",
		Shape: PingPong, TwoRanks: true, Smallest: 0, Largest: 4 * mib},
	{Name: "bw", Title: "OSU MPI Bandwidth Test", About: "one-way bandwidth between two ranks",
		Shape: Stream, TwoRanks: true, Smallest: 1, Largest: 4 * mib},
	{Name: "bibw", Title: "OSU MPI Bi-Directional Bandwidth Test", About: "bandwidth with both ranks sending",
		Shape: Stream, TwoRanks: true, BothWays: true, Smallest: 1, Largest: 4 * mib},
	{Name: "mbw_mr", Title: "OSU MPI Multiple Bandwidth / Message Rate Test", About: "bandwidth and message rate of many pairs",
		Shape: Stream, EvenRanks: true, Rate: true, Smallest: 1, Largest: 4 * mib},
	{Name: "multi_lat", Title: "OSU MPI Multi Latency Test", About: "half round trip of many pairs at once",
		Shape: PingPong, EvenRanks: true, Smallest: 0, Largest: 4 * mib},
	{Name: "barrier", Title: "OSU MPI Barrier Latency Test", About: "all wait for all",
		Shape: Collective, Sizeless: true},
	{Name: "bcast", Title: "OSU MPI Broadcast Latency Test", About: "rank 0 to all",
		Shape: Collective, Smallest: 1, Largest: mib},
	{Name: "reduce", Title: "OSU MPI Reduce Latency Test", About: "sum to rank 0",
		Shape: Collective, Vector: true, Smallest: 4, Largest: mib},
	{Name: "allreduce", Title: "OSU MPI Allreduce Latency Test", About: "sum to all",
		Shape: Collective, Vector: true, Smallest: 4, Largest: mib},
	{Name: "gather", Title: "OSU MPI Gather Latency Test", About: "blocks to rank 0",
		Shape: Collective, Spread: true, Smallest: 1, Largest: mib},
	{Name: "scatter", Title: "OSU MPI Scatter Latency Test", About: "blocks from rank 0",
		Shape: Collective, Spread: true, Smallest: 1, Largest: mib},
	{Name: "allgather", Title: "OSU MPI Allgather Latency Test", About: "blocks of all to all",
		Shape: Collective, Spread: true, Smallest: 1, Largest: mib},
	{Name: "alltoall", Title: "OSU MPI All-to-All Personalized Exchange Latency Test", About: "a block from each to each",
		Shape: Collective, Spread: true, Smallest: 1, Largest: mib},
	{Name: "reduce_scatter", Title: "OSU MPI Reduce_scatter Latency Test", About: "sum, each rank keeps its part",
		Shape: Collective, Vector: true, Shared: true, Smallest: 4, Largest: mib},
	{Name: "scan", Title: "OSU MPI Scan Latency Test", About: "sum over the ranks before and including me",
		Shape: Collective, Vector: true, Smallest: 4, Largest: mib},
}

// Tests returns every test in the order of the help text. The slice is the caller's.
func Tests() []Test { return append([]Test(nil), tests...) }

// Find returns the test of that name, with or without the prefix osu_.
func Find(name string) (Test, error) {
	plain := strings.TrimPrefix(name, "osu_")
	known := make([]string, len(tests))
	for i, t := range tests {
		if t.Name == plain {
			return t, nil
		}
		known[i] = t.Name
	}
	return Test{}, fmt.Errorf("no benchmark is called %q; there are: %s", name, strings.Join(known, " "))
}

// CheckRanks says whether the test can run on n ranks, and if not, what it needs.
func (t Test) CheckRanks(n int) error {
	switch {
	case t.TwoRanks && n != 2:
		return fmt.Errorf("%s runs on exactly 2 ranks, not %d (for more pairs: multi_lat, mbw_mr)", t.Name, n)
	case n < 2:
		return fmt.Errorf("%s needs at least 2 ranks, not %d", t.Name, n)
	case t.EvenRanks && n%2 != 0:
		return fmt.Errorf("%s works on pairs and needs an even number of ranks, not %d", t.Name, n)
	}
	return nil
}

// Unit returns the unit of a row's value.
func (t Test) Unit() string {
	if t.Shape == Stream {
		return "MB/s"
	}
	return "us"
}

// HigherIsBetter says in which direction the value of a row improves.
func (t Test) HigherIsBetter() bool { return t.Shape == Stream }

// Pairs returns how many pairs of ranks exchange messages.
func (t Test) Pairs(ranks int) int {
	if t.Shape == Collective {
		return 0
	}
	return ranks / 2
}
