package coll

import (
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// nodeTally is what the plans of one node's ranks move together.
type nodeTally struct {
	out, in         int // connections to and from other nodes
	sent            int // bytes to other nodes
	writes, reads   int // of the memory of the node
	written, copied int // bytes of these
}

// tallyOf adds up the plans of a node.
func tallyOf(t *testing.T, a Algorithm, c Case, node int) nodeTally {
	t.Helper()
	sum := nodeTally{}
	out, in := map[[2]int32]bool{}, map[[2]int32]bool{}
	for rank := range c.Ranks {
		c.Rank = rank
		p := a.Plan(c)
		for _, s := range p.Steps {
			switch {
			case s.Kind == plan.Send && c.Nodes[rank] == node:
				out[[2]int32{int32(rank), s.Peer}] = true
				sum.sent += s.Src.Len
			case s.Kind == plan.Recv && c.Nodes[rank] == node:
				in[[2]int32{s.Peer, int32(rank)}] = true
			}
		}
		if c.Nodes[rank] == node {
			own := p.Tally()
			sum.writes += own.NodeWrites
			sum.reads += own.NodeReads
			sum.written += own.NodeWriteBytes
			sum.copied += own.NodeReadBytes
		}
	}
	sum.out, sum.in = len(out), len(in)
	return sum
}

// TestComplexityOfGroups holds the plans for 4 nodes of 4 cores against the
// table of the thesis (table 5.1): connections of a node, bytes on the network,
// and what goes into and out of the memory of a node, in units of the block.
func TestComplexityOfGroups(t *testing.T) {
	const m = 96
	c := onNodes(Case{Op: Allgather, Bytes: m}, []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3})
	for _, w := range []struct {
		name                                string
		connections, network, writes, reads int
		traffic                             int
	}{
		{"allgather/group1_single", 1, 12, 4 + 16, 4 + 64, 88},
		{"allgather/group1_multi", 3, 12, 4 + 16, 4 + 64, 88},
		{"allgather/gather_groups", 3, 12, 4 + 16, 16 + 64, 100},
		{"allgather/group2", 6, 12, 4 + 16, 4 + 64, 88},
		{"allgather/groups", 12, 12, 16, 64, 80},
	} {
		a, known := Find(w.name)
		if !known {
			t.Fatalf("no %s", w.name)
		}
		for node := range 4 {
			got := tallyOf(t, a, c, node)
			if got.out != w.connections || got.in != w.connections {
				t.Errorf("%s, node %d: %d connections out and %d in, want %d", w.name, node, got.out, got.in, w.connections)
			}
			if got.sent != w.network*m {
				t.Errorf("%s, node %d: %d bytes sent, want %d blocks", w.name, node, got.sent, w.network)
			}
			if got.written != w.writes*m || got.copied != w.reads*m || got.written+got.copied != w.traffic*m {
				t.Errorf("%s, node %d: %d bytes in and %d out of its memory, want %d and %d blocks", w.name, node,
					got.written, got.copied, w.writes, w.reads)
			}
		}
	}
}

// TestGroupsCopyInOneGo counts copies: the thesis has one write of all per
// master, and one read of all per rank where a group's blocks are neighbours.
func TestGroupsCopyInOneGo(t *testing.T) {
	c := onNodes(Case{Op: Allgather, Bytes: 8}, []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3})
	for name, want := range map[string]nodeTally{
		"allgather/group1_multi":  {writes: 4 + 1, reads: 1 + 4},
		"allgather/gather_groups": {writes: 4 + 1, reads: 4 + 4},
		"allgather/group2":        {writes: 4 + 2, reads: 2 + 4*8},
		"allgather/groups":        {writes: 4, reads: 4 * 16},
	} {
		a, _ := Find(name)
		if got := tallyOf(t, a, c, 1); got.writes != want.writes || got.reads != want.reads {
			t.Errorf("%s: %d writes and %d reads, want %d and %d", name, got.writes, got.reads, want.writes, want.reads)
		}
	}
}

// TestGroupsTakeRounds tells one connection from many.
func TestGroupsTakeRounds(t *testing.T) {
	nodes := []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}
	for name, want := range map[string]int{
		"allgather/group1_single":    4,
		"allgather/group1_multi":     1,
		"allgather/gather_groups":    1,
		"allgather/group2":           1,
		"allgather/groups":           1,
		"allgather/smp_direct@1":     4,
		"allgather/smp_direct@4":     1,
		"allgather/smp_bruck@1":      3,
		"allgather/smp_bruck@2":      2,
		"allgather/smp_bruck@4":      1,
		"allgather/smp_gather_bcast": 3,
		"gather/smp":                 1,
		"gather/smp_tree":            2,
		"scatter/smp":                1,
		"scatter/smp_tree":           2,
		"bcast/smp":                  2,
		"bcast/smp_chain":            4,
		"barrier/smp":                3,
	} {
		a, known := Find(name)
		if !known {
			t.Fatalf("no %s", name)
		}
		plans := make([]*plan.Plan, len(nodes))
		for rank := range plans {
			c := onNodes(Case{Op: a.Op, Bytes: 64, Elem: 4, Commutative: true, Scheme: plan.Announced}, nodes)
			c.Rank = rank
			plans[rank] = a.Plan(c)
		}
		if got, err := plan.Rounds(plans); got != want || err != nil {
			t.Errorf("%s on 5 nodes of 2: %d rounds (%v), want %d", name, got, err, want)
		}
	}
}

// TestMoreNodesThanGroupsHaveSecondMasters looks who receives when there are
// fewer ranks on a node than nodes.
func TestMoreNodesThanGroupsHaveSecondMasters(t *testing.T) {
	nodes := []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}
	a, _ := Find("allgather/gather_groups")
	for rank, node := range nodes {
		c := onNodes(Case{Op: Allgather, Bytes: 8}, nodes)
		c.Rank = rank
		got, want := a.Plan(c).Tally(), 0
		if rank%2 == node%2 { // group 0 has masters on nodes 0, 2, 4 and group 1 on 1, 3
			want = 4
		}
		if got.Recvs != want {
			t.Errorf("rank %d receives %d messages, want %d", rank, got.Recvs, want)
		}
	}
}

// TestRailsOfNodes makes sure that masters use all rails alike.
func TestRailsOfNodes(t *testing.T) {
	nodes := []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}
	for _, name := range []string{"allgather/smp_direct", "allgather/group1_multi", "allgather/groups"} {
		a, _ := Find(name)
		c := onNodes(Case{Op: Allgather, Bytes: 8, Rails: 2}, nodes)
		bytes := a.Plan(c).Tally().RailBytes
		if bytes[1] == 0 || bytes[1] != bytes[2] {
			t.Errorf("%s: bytes by rail %v", name, bytes)
		}
	}
}
