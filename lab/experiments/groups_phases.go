package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
)

// quads is a cluster of four nodes with four ranks each.
var quads = coll.Case{Ranks: 16, Bytes: 8, Shares: true, Rails: 1, Stripe: 1 << 30,
	Nodes: []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}}

// The parts of an algorithm for nodes with memory.
const (
	throughMemory = iota // before any message
	betweenNodes         // messages
	afterwards           // through memory again
	phases
)

// phaseOf says in which part every step of every rank is. A step of a node's memory is afterwards if it
// waits, by whatever chain of steps and flags, for a message.
func phaseOf(plans []*plan.Plan) [][]int {
	late := make([][]int, len(plans))
	for rank, p := range plans {
		late[rank] = make([]int, len(p.Steps))
	}
	for changed := true; changed; {
		changed = false
		for rank, p := range plans {
			for i := range p.Steps {
				now := phaseAfter(plans, late, rank, i)
				changed = changed || now != late[rank][i]
				late[rank][i] = now
			}
		}
	}
	return late
}

// phaseAfter is the part of one step as far as is known of those before it.
func phaseAfter(plans []*plan.Plan, known [][]int, rank, i int) int {
	s := &plans[rank].Steps[i]
	if s.Kind == plan.Send || s.Kind == plan.Recv {
		return betweenNodes
	}
	waits := func(rank, step int) bool { return known[rank][step] != throughMemory }
	for _, d := range plans[rank].Deps(i) {
		if waits(rank, int(d)) {
			return afterwards
		}
	}
	if s.Kind == plan.Await {
		for j := range plans[s.Peer].Steps {
			if o := &plans[s.Peer].Steps[j]; o.Kind == plan.Set && o.Flag == s.Flag && waits(int(s.Peer), j) {
				return afterwards
			}
		}
	}
	return throughMemory
}

// did is what a rank did in one part, in words.
type did struct {
	in, out, sent int // blocks copied into and out of the memory of the node, and sent
	to            []string
	raised        int
	awaited       []string
}

func (d did) String() string {
	var words []string
	say := func(n int, format string) {
		if n > 0 {
			words = append(words, fmt.Sprintf(format, n))
		}
	}
	say(d.in, "puts %d into memory")
	if len(d.awaited) > 0 {
		words = append(words, "waits for flags of "+strings.Join(d.awaited, " "))
	}
	if d.sent > 0 {
		words = append(words, "sends "+strings.Join(d.to, ", "))
	}
	say(d.out, "copies %d out")
	say(d.raised, "raises %d flag")
	return strings.Join(words, "; ")
}

// phasesOf sums up what every rank does in each part. Blocks have 8 bytes.
func phasesOf(plans []*plan.Plan) [][phases]did {
	const block = 8
	late, all := phaseOf(plans), make([][phases]did, len(plans))
	for rank, p := range plans {
		for i := range p.Steps {
			s, d := &p.Steps[i], &all[rank][late[rank][i]]
			switch s.Kind {
			case plan.Send:
				d.sent += s.Src.Len / block
				d.to = append(d.to, fmt.Sprintf("%d to %d", s.Src.Len/block, s.Peer))
			case plan.Copy:
				if s.Dst.Buf == plan.Node {
					d.in += s.Dst.Len / block
				}
				if s.Dst.Buf == plan.Out {
					d.out += s.Src.Len / block
				}
			case plan.Set:
				d.raised++
			case plan.Await:
				d.awaited = append(d.awaited, fmt.Sprint(s.Peer))
			}
		}
	}
	return all
}

// phaseTable adds the table of an algorithm's phases, and returns them.
func phaseTable(r *lab.Result, algorithm string) ([][phases]did, error) {
	plans, err := plansOf(algorithm, quads)
	if err == nil {
		err = plan.Check(plans, lensOf(quads, algorithm))
	}
	if err != nil {
		return nil, err
	}
	all := phasesOf(plans)
	t := r.AddTable(algorithm+" on 4 nodes of 4: what every process does, in blocks", "process", "before any message", "messages", "afterwards")
	for rank, d := range all {
		t.Add(fmt.Sprint(rank), d[throughMemory].String(), d[betweenNodes].String(), d[afterwards].String())
	}
	return all, nil
}

// total adds up a number over all ranks.
func total(all [][phases]did, of func(d *[phases]did) int) (sum int) {
	for i := range all {
		sum += of(&all[i])
	}
	return sum
}

// senders lists the ranks that send.
func senders(all [][phases]did) (ranks []int) {
	for rank := range all {
		if all[rank][betweenNodes].sent > 0 {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

func same(bar string, paper, ours any) lab.Check {
	return lab.Holds(bar, fmt.Sprint(paper), fmt.Sprint(ours), fmt.Sprint(paper) == fmt.Sprint(ours))
}

var gatherPhasesExperiment = lab.Experiment{
	ID: "002.F4.3",
	Explain: [2]string{
		"The SMP-aware gather and broadcast on four nodes with four processes: in phase 1 the processes of a node put their blocks into memory that they share and raise a flag each; in phase 2 the first process of each node, its master, sends the blocks of its node to process 0 in one message; in phase 3 everything is broadcast.",
		"The table is made from the plans that the library runs: what each process does before any message travels, which messages it sends, and what it does once messages have come. The document's phase 3 is a broadcast by the network itself; ours runs down a tree of masters into the memory of each node.",
	},
	Run: func(_ context.Context, b *lab.Bench) (*lab.Result, error) {
		r := b.NewResult("002.F4.3")
		all, err := phaseTable(r, "allgather/smp_gather_bcast")
		if err != nil {
			return nil, err
		}
		masters := []int{0, 4, 8, 12}
		r.Hold(lab.Structural,
			same("phase 1: blocks that are put into memory, one per process", 16, total(all, func(d *[phases]did) int { return d[throughMemory].in })),
			same("phase 1: master 4 waits for the flags of its node", "5 6 7", strings.Join(all[4][throughMemory].awaited, " ")),
			same("phase 2: only masters send", masters, senders(all)),
			same("phase 2: masters send the 4 blocks of their nodes to process 0", true, gathersAtFirst(all)),
			same("phase 3: everybody copies 16 blocks out", true, !slices.ContainsFunc(all, func(d [phases]did) bool { return d[throughMemory].out+d[afterwards].out != 16 })))
		return r, nil
	},
}

// gathersAtFirst tells whether the first message of each other master is its node's part, to process 0.
func gathersAtFirst(all [][phases]did) bool {
	for _, rank := range []int{4, 8, 12} {
		if to := all[rank][betweenNodes].to; len(to) == 0 || to[0] != "4 to 0" {
			return false
		}
	}
	return true
}

var directPhasesExperiment = lab.Experiment{
	ID: "002.F4.4",
	Explain: [2]string{
		"The SMP-aware Direct allgather on four nodes with four processes: after the gather in the memory of each node the masters exchange the parts of their nodes, each straight into the memory of the others, and everybody copies the whole out.",
		"While the messages travel the processes copy out what came from their own node: in the table that is the part of the copying before any message. The numbers come from the plans that the library runs.",
	},
	Run: func(_ context.Context, b *lab.Bench) (*lab.Result, error) {
		r := b.NewResult("002.F4.4")
		all, err := phaseTable(r, "allgather/smp_direct@2")
		if err != nil {
			return nil, err
		}
		r.Hold(lab.Structural,
			same("phase 1: blocks that are put into memory, one per process", 16, total(all, func(d *[phases]did) int { return d[throughMemory].in })),
			same("phase 2: only masters send", []int{0, 4, 8, 12}, senders(all)),
			same("phase 2: each to the three others, 4 blocks", "4 to 4, 4 to 8, 4 to 12", strings.Join(all[0][betweenNodes].to, ", ")),
			same("meanwhile: blocks of the own node that are copied out, by all", 64, total(all, func(d *[phases]did) int { return d[throughMemory].out })),
			same("phase 3: blocks of the other nodes that are copied out, by all", 192, total(all, func(d *[phases]did) int { return d[afterwards].out })))
		return r, nil
	},
}
