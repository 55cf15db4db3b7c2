package bench

import (
	"fmt"
	"slices"
)

// tests is the table of all benchmarks: what the OSU suite has, the other operations, then what
// studies are made of.
var tests = slices.Concat(basics(), sidedTests(), operationTests(), studyTests)

// basics are the OSU suite's tests of messages and of collectives.
func basics() []Test { return slices.Clone(basicTests) }

// basic returns one of them.
func basic(name string) Test {
	return basicTests[slices.IndexFunc(basicTests, func(t Test) bool { return t.Name == name })]
}

var basicTests = []Test{
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
		Shape: Collective, Sizeless: true, Chained: true},
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

// studyTests are those that studies are made of.
var studyTests = []Test{
	overlapTest(Sender, Sender), overlapTest(Sender, Receiver), overlapTest(Receiver, Sender), overlapTest(Receiver, Receiver),
	progressTest(Sender, Sender), progressTest(Sender, Receiver), progressTest(Receiver, Sender), progressTest(Receiver, Receiver),
	exchangeTest(1, 1), exchangeTest(1, 2), exchangeTest(2, 1), exchangeTest(2, 2),
	{Name: "crossing", Title: "Crossing Exchange Test", About: "both ranks send and receive at once: every early offer meets a request",
		Shape: Cycle, TwoRanks: true, Smallest: 1, Largest: 4 * mib},
	{Name: "reuse", Title: "Buffer Reuse Latency Test", About: "half round trip when none, half or all messages reuse a buffer",
		Shape: PingPong, TwoRanks: true, Reuses: true, ShareText: "reuse %", Smallest: 1, Largest: mib},
	{Name: "spectrum_packed", Title: "Buffer Spectrum Latency Test", About: "half round trip, buffer i used i times, buffers back to back",
		Shape: PingPong, TwoRanks: true, Spectrum: true, Smallest: 1, Largest: 8 * kib},
	{Name: "spectrum_paged", Title: "Buffer Spectrum Latency Test", About: "the same with pages of its own for each buffer",
		Shape: PingPong, TwoRanks: true, Spectrum: true, Paged: true, Smallest: 1, Largest: 8 * kib},
	{Name: "busy_latency", Title: "Latency Beside Long Messages Test", About: "half round trip while long messages flow the same way",
		Shape: PingPong, TwoRanks: true, Beside: true, ShareText: "beside, % of 4 MB", Smallest: 1, Largest: kib},
	{Name: "memory", Title: "Memory Growth Test", About: "what a process grows by when everyone has talked to everyone",
		Shape: Resident, Smallest: 1, Largest: kib},
	{Name: "buffers", Title: "Internal Memory Test", About: "what the library's own buffers take when everyone has talked to everyone",
		Shape: Resident, Counter: "Rail.Counters.MemoryHigh", Smallest: 1, Largest: kib},
	{Name: "idle", Title: "Idle Processor Test", About: "what a rank uses of a processor while it waits for a message",
		Shape: Idle, Smallest: 1, Largest: 1},
	{Name: "wakes", Title: "Idle Wake-up Test", About: "how often a rank wakes up while it waits for a message",
		Shape: Idle, Wakes: true, Smallest: 1, Largest: 1},
}

func overlapTest(computes, first Role) Test {
	return Test{Name: sided("overlap", computes, first), Title: "Overlap Test",
		About: fmt.Sprintf("how much of a transfer a computing %s hides, %s first", computes, first),
		Shape: Overlap, TwoRanks: true, Computes: computes, First: first, Smallest: 1, Largest: mib}
}

func progressTest(computes, first Role) Test {
	return Test{Name: sided("progress", computes, first), Title: "Progress Test",
		About: fmt.Sprintf("how much of a transfer is left after a long delay of the %s, %s first", computes, first),
		Shape: Progress, TwoRanks: true, Computes: computes, First: first, ShareText: "delay %", Smallest: 1, Largest: mib}
}

// sided returns a name such as overlap_recv_sender_first.
func sided(what string, computes, first Role) string {
	call := [...]string{Sender: "send", Receiver: "recv"}[computes]
	return what + "_" + call + "_" + first.String() + "_first"
}

func exchangeTest(model, neighbours int) Test {
	order := [...]string{1: "receive before send", 2: "send before receive"}[model]
	return Test{Name: fmt.Sprintf("exchange_m%d_n%d", model, neighbours), Title: "Data Exchange Test",
		About: fmt.Sprintf("produce, exchange with %d, consume; %s", neighbours, order),
		Shape: Cycle, EvenRanks: neighbours == 1, Model: model, Neighbours: neighbours, ShareText: "communication/computation %",
		Smallest: 1, Largest: 128 * kib}
}
