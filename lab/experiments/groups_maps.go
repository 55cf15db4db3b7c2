package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
)

// groupMaps are the figures that draw which process talks to which on 4 nodes of 4.
var groupMaps = []struct {
	id, algorithm string
	explain       [2]string
	to            map[int][]int // some processes: to whom they send
	senders       []int
	active        int // connections of a node, in and out
}{
	{"002.F5.3", "allgather/gather_groups", [2]string{
		"Groups are formed across nodes: processes of the same number on their nodes. The master of group g is on node g. After an allgather in the memory of each node every process writes the data of its node to the master of its group, so that every node has one process with everything, which hands it on through memory.",
		"A node sends over three connections, as with one master, but each is driven by another core. The map is made from the plans: who sends to whom.",
	}, map[int][]int{1: {5}, 2: {10}, 3: {15}, 4: {0}, 8: {0}, 12: {0}, 5: nil}, []int{1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14}, 3},
	{"002.F5.4", "allgather/group2", [2]string{
		"Two groups: each node's processes are two halves with a master each, processes 0 and 2 of four. Masters gather the data of their half through memory, exchange it with the masters of the same half on all other nodes at once, and hand it on through memory.",
		"Six connections of a node are active at a time. The map is made from the plans: master 2 sends to 6, 10 and 14, as the document says.",
	}, map[int][]int{0: {4, 8, 12}, 2: {6, 10, 14}, 1: nil}, []int{0, 2, 4, 6, 8, 10, 12, 14}, 6},
	{"002.F5.5", "allgather/groups", [2]string{
		"Four groups, one per core: every process exchanges its own data with those of the same number on all other nodes at once, and only then the processes of a node share what they have through memory.",
		"Twelve connections of a node are active at a time, more than the card handles well. The map is made from the plans.",
	}, map[int][]int{0: {4, 8, 12}, 1: {5, 9, 13}, 15: {3, 7, 11}}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 12},
}

// groupMapExperiments are the figures of group structures.
func groupMapExperiments() []lab.Experiment {
	var all []lab.Experiment
	for _, f := range groupMaps {
		all = append(all, lab.Experiment{ID: f.id, Explain: f.explain, Run: func(_ context.Context, b *lab.Bench) (*lab.Result, error) {
			r := b.NewResult(f.id)
			plans, err := plansOf(f.algorithm, quads)
			if err == nil {
				err = plan.Check(plans, lensOf(quads, f.algorithm))
			}
			if err != nil {
				return nil, err
			}
			t := r.AddTable("Who sends to whom, "+f.algorithm+" on 4 nodes of 4", "node", "process", "sends to")
			var sending []int
			for rank, p := range plans {
				peers := peersOf(p)
				t.Add(fmt.Sprint(rank/4), fmt.Sprint(rank), strings.Trim(fmt.Sprint(peers), "[]"))
				if len(peers) > 0 {
					sending = append(sending, rank)
				}
				if want, told := f.to[rank]; told {
					r.Hold(lab.Structural, same(fmt.Sprintf("process %d sends to", rank), want, peers))
				}
			}
			out, in := connectionsOf(plans, 1)
			r.Hold(lab.Structural, same("processes that send", f.senders, sending),
				same("active connections of a node, out and in", [2]int{f.active, f.active}, [2]int{out, in}))
			return r, nil
		}})
	}
	return all
}

// peersOf lists to whom a plan sends, in order of ranks.
func peersOf(p *plan.Plan) (peers []int) {
	for i := range p.Steps {
		if s := &p.Steps[i]; s.Kind == plan.Send && !slices.Contains(peers, int(s.Peer)) {
			peers = append(peers, int(s.Peer))
		}
	}
	slices.Sort(peers)
	return peers
}

// connectionsOf counts pairs of processes between which data leaves a node of the quads, and comes to it.
func connectionsOf(plans []*plan.Plan, node int) (out, in int) {
	for rank, p := range plans {
		for _, peer := range peersOf(p) {
			switch from, to := quads.Nodes[rank], quads.Nodes[peer]; {
			case from == node && to != node:
				out++
			case from != node && to == node:
				in++
			}
		}
	}
	return out, in
}

var complexityExperiment = lab.Experiment{
	ID: "002.T5.1",
	Explain: [2]string{
		"What the five allgathers for many connections and cores cost a node of four processes, on four nodes, in units of a block M: active connections, data on the network, and data written into and read from the memory of the node.",
		"Our numbers are counted from the plans that the library runs, without running them. All algorithms move 12 M over the network; they differ in how many connections and cores share that work, and in copies: 88 M of memory traffic for one and two groups, 100 M for the gather-based one, 80 M for four groups.",
	},
	Run: complexity,
}

// complexityTable is table 5.1 of the document, per node: connections, blocks on the network, written to
// and read from memory.
var complexityTable = []struct {
	name, algorithm                     string
	connections, network, writes, reads int
	document                            string
}{
	{"1-group, one connection", "allgather/group1_single", 1, 12, 4 + 16, 4 + 64, "4M_3S; 1M_4W + 4M_1R; 16M_1W + 16M_4R"},
	{"1-group, many connections", "allgather/group1_multi", 3, 12, 4 + 16, 4 + 64, "4M_3C; 1M_4W + 4M_1R; 16M_1W + 16M_4R"},
	{"gather-based", "allgather/gather_groups", 3, 12, 4 + 16, 16 + 64, "4M_3C; 1M_4W + 4M_4R; 16M_1W + 16M_4R"},
	{"2-group", "allgather/group2", 6, 12, 4 + 16, 4 + 64, "2M_6C; 1M_4W + 2M_2R; 8M_2W + 16M_4R"},
	{"4-group", "allgather/groups", 12, 12, 16, 64, "1M_12C; none; 4M_4W + 16M_4R"},
}

func complexity(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.T5.1")
	t := r.AddTable("Per node, counted from the plans", "algorithm", "document", "connections", "network", "written", "read", "memory in all")
	for _, row := range complexityTable {
		plans, err := plansOf(row.algorithm, quads)
		if err != nil {
			return nil, err
		}
		out, _ := connectionsOf(plans, 1)
		network, writes, reads := 0, 0, 0
		for rank, p := range plans {
			if quads.Nodes[rank] == 1 {
				c := p.Tally()
				network, writes, reads = network+c.SendBytes/8, writes+c.NodeWriteBytes/8, reads+c.NodeReadBytes/8
			}
		}
		t.Add(row.name, row.document, fmt.Sprint(out), fmt.Sprintf("%d M", network), fmt.Sprintf("%d M", writes), fmt.Sprintf("%d M", reads), fmt.Sprintf("%d M", writes+reads))
		r.Hold(lab.Structural, lab.Exactly(row.name+": connections", float64(row.connections), float64(out), ""),
			lab.Exactly(row.name+": network", float64(row.network), float64(network), "M"),
			lab.Exactly(row.name+": written to memory", float64(row.writes), float64(writes), "M"),
			lab.Exactly(row.name+": read from memory", float64(row.reads), float64(reads), "M"))
	}
	return r, nil
}
