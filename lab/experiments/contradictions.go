package experiments

import (
	"fmt"
	"strings"
)

// contradiction is a place where a document contradicts itself, another one, or arithmetic, and what the
// lab does about it.
type contradiction struct {
	where, what string
	arithmetic  string // ours
	impossible  bool   // what the arithmetic shows: both statements cannot hold
	decision    string
}

// mifBound is (N/(N+1) - 1/2) MIF, the least mean time of an alltoall or allgather in times of one message
// (Qian thesis, chapter 6).
func mifBound(ranks, factor int) float64 { return condition{factor: factor}.bound(ranks, 1) }

// exchangeBound is the least that a program of data exchange gains that hides all of its transfer, at the
// ratio of communication to computation where it gains most.
func exchangeBound(ratio float64) float64 { return 1 / (2 + 2*ratio) }

// contradictions lists them, in the order of documents.
func contradictions() []contradiction {
	return append(contradictionsOf000(), contradictionsOf002And004()...)
}

func contradictionsOf000() []contradiction {
	const user, mpi, bus, link, both = 2200.0, 2300.0, 3200.0, 4000.0, 3100.0
	const gainsTo, bestAt, flatFrom, gainsBelow = 16, 8, 4, 8 // connections, connections, KB, KB
	return []contradiction{
		{"000, F3.2 and F3.5", "both ways on iWARP, messages of MPI reach 2300 MB/s and the remote writes below them 2200",
			fmt.Sprintf("%.0f/%.0f = %.2f: a library cannot be faster than what it runs on", mpi, user, mpi/user), mpi > user,
			"one bandwidth of the model, within 5% of both"},
		{"000, chapter 3", "InfiniBand reaches more than 90% of its bandwidth, and 75%",
			fmt.Sprintf("%.0f MB/s are %.0f%% of the bus (%.0f) and %.0f%% of the link (%.0f)", both, 100*both/bus, bus, 100*both/link, link), both/bus > 0.9 && both/link < 0.8,
			"the bus is the limit"},
		{"000, chapters 6 and 7", "datagrams have up to 25% less latency, and up to 30%", "30 > 25", 30 > 25, "the bar is from the 25% of the chapter that measured it"},
		{"000, tables 5.3 and T2 of 001", "the first row of least uses is \"below 1 KB\", and 512 B",
			fmt.Sprintf("uses go with 1/size: 200 at 1 KB give %.0f at 512 B, the row has 432; below that they grow without end", 200*1024/512.0), 432 >= 200*1024/512, "the row is that of 512 B"},
		{"000, sections 4.2.6 and 4.4.2", "adaptation is per envelope in one, per process in the other", "a process that has both kinds of messages cannot do both", true, "per envelope by default, per process by a setting (spec_scope)"},
		{"000, section 4.3.1", "the applications of the rendezvous chapter are said to use the eager protocol", "eager ends at 128 KB on that machine, the chapter's messages begin there", true, "a slip; nothing depends on it"},
		{"000, F4.16 and F4.19a", "model 2 of data exchange gains 20% at most, where communication is 50% of computation; the protocol costs less than 3%",
			fmt.Sprintf("who hides all of a transfer gains 1/(2+2r) at the ratio r where the gain is greatest: %.0f%% at 50%%", 100*exchangeBound(0.5)), exchangeBound(0.5) > 0.2*1.35, "both bars stay; the gain is a miss"},
		{"000, table 6.1", "MG on 4 processes takes 6271 pages more with connections, CG 280",
			fmt.Sprintf("200 pages for each end of a connection: %.0f and %.1f ends; four processes have at most %d, and a connection has 2", 6271/200.0, 280/200.0, 4*3), 6271/200.0 > 4*3 && 280/200.0 < 2, "both are misses of F6.8"},
		{"000, F3.6 and 002, F5.1", "one card, ConnectX: short messages gain up to 16 connections, and are best with 8",
			"if it keeps 8 or 9 connections at hand, 8 are the best and 16 take 0.70 of the time of one, where 000 has 0.5 at most; if 16 or 64, it is 0.44 and 16 or 64 are the best", gainsTo > bestAt,
			"[contexts](lab-variants.md) of each document's profile: 64 and 16"},
		{"000, F3.6 and 002, F5.1", "the same card: over several connections nothing is gained from 4 KB on, and up to 8 KB",
			fmt.Sprintf("%d KB < %d KB", flatFrom, gainsBelow), flatFrom < gainsBelow, "long_bytes of each document's profile: 3072 and 8192"},
		{"003 and 000, chapter 3", "a receive of short messages makes no progress on any network; on Myrinet it does", "two versions of MX", true, "two platforms, MX2 and MX1"},
	}
}

func contradictionsOf002And004() []contradiction {
	const ring, rimConnections, namdConnections = 500 * 1024, 14.25, 53.15
	const mib = 1 << 20
	bound := mifBound(16, 32)
	bruck := bound + 4 // log2 16 steps of a message each after the last has come
	far := mifBound(16, 512)
	up, down := func(d int) int { return d }, func(d int) int { return 16 - d } // when the last rank writes to the one at distance d
	place := func(of func(int) int) (mean float64) {
		for d := 1; d < 16; d++ {
			mean += float64(of(d)) / 15
		}
		return mean
	}
	slower := func(speedup float64) float64 { return 100 * (1/speedup - 1) }
	return []contradiction{
		{"002, table 6.1", "MG class B: average factor 9,101, worst 2,917",
			fmt.Sprintf("the mean distance from the mean is at most half of the range, here %.0f", 2917/2.0), 9101 > 2917/2.0, "a digit is missing; no bar"},
		{"002, tables 6.2 and 6.3", "arrival-aware algorithms are said to be ahead in all cases; among the speedups are 0.92, 0.97 and 0.92",
			fmt.Sprintf("1/0.92 and 1/0.97: programs that take %.1f%% and %.1f%% longer", slower(0.92), slower(0.97)), slower(0.97) > 0, "4 and 8 processes may be behind; the bars are for 16"},
		{"002, table 6.2", "the speedup is said to grow with the processes; FT class B over Direct has 1.16, 1.04, 1.42 on 4, 8, 16",
			"1.04 < 1.16", 1.04 < 1.16, "no bar on growth"},
		{"002, F6.4", "3.5 times the native alltoall at 4 B and MIF 32",
			fmt.Sprintf("nobody is faster than %.1f T, so the native one would take %.0f T; Bruck's algorithm takes about %.0f, over which %.1f times is the most", bound, 3.5*bound, bruck, bruck/bound), bruck/bound < 3.5, "the bar is held, and missed"},
		{"002, F6.7", "2.5 times the native allgather at 1 B and MIF 32",
			fmt.Sprintf("the native one would take %.0f T, recursive doubling takes less than %.0f", 2.5*bound, bruck), bruck/bound < 2.5, "the bar is held, and missed"},
		{"002, F6.4 and F6.7", "1.2 times the native operations at 4 B and 1 B, MIF 512",
			fmt.Sprintf("nobody is faster than %.0f T, four steps after the last has come are %.0f: %.2f times is the most", far, far+4, (far+4)/far), (far+4)/far < 1.2, "the bars are held, and missed"},
		{"002, sections 6.4.2 and 6.5.1", "arrival-aware Direct is better at all sizes; copied blocks, which short ones are, wait for nobody in either twin",
			fmt.Sprintf("the last rank ends it for all, and finds all others arrived: its block is the %.0fth of 15 on average in either order", place(up)), place(up) == place(down), "the bars are held, and missed; beside them those of blocks that are not copied"},
		{"002, chapter 3", "Direct allgather is ahead above 1 KB (summary) and above 2 KB (text)", "at 2 KB either it or the native one is ahead", true, "the text's: the native one is best up to 2 KB"},
		{"002, section 2.2.3", "the adapters are said to support RC, UC and RD, and two services are called RD", "reliable and raw datagrams; the next sentence speaks of unreliable ones", true, "UD is meant"},
		{"004, F6", "rim on 64 processes: ARDMA-SRQ takes 4 times the memory of SRQ",
			fmt.Sprintf("%.2f connections of 500 KB are %.1f MB, over 7 to 9 MB of SRQ: %.1f times at most", rimConnections, rimConnections*ring/mib, 1+rimConnections*ring/mib/7), 1+rimConnections*ring/mib/7 < 4, "the bar is on ARDMA-SR"},
		{"004, F9", "NAMD: a gap of 28 MB between ARDMA-SRQ and SRQ",
			fmt.Sprintf("%.2f connections of 500 KB are %.1f MB", namdConnections, namdConnections*ring/mib), namdConnections*ring/mib < 28, "the bar is 10% around connections times 500 KB"},
		{"004, table 2 and F12", "watermark events fall with the processes; garon2 has 0.06 on 32 and 0.12 on 64", "0.12 > 0.06", 0.12 > 0.06, "16 against 64 only"},
		{"004", "SuperLU needs 5 times less memory (introduction), 9 and 4 times (text)", "5 is neither", true, "the text's"},
	}
}

// ContradictionTable is the list as a table of a page.
func ContradictionTable() string {
	var b strings.Builder
	b.WriteString("| where | what | our arithmetic | what the lab does |\n|---|---|---|---|\n")
	for _, c := range contradictions() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.where, c.what, c.arithmetic, c.decision)
	}
	return b.String()
}
