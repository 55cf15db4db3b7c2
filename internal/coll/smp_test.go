package coll

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// nodeLayouts are layouts of ranks on nodes: one node, equal nodes, unequal ones,
// one rank per node, and nodes whose ranks are not neighbours.
var nodeLayouts = [][]int{
	{0, 0},
	{0, 0, 0},
	slices.Repeat([]int{0}, 5),
	slices.Repeat([]int{0}, 8),
	{0, 1},
	{0, 1, 2},
	{0, 0, 1},
	{0, 1, 1, 1},
	{0, 0, 1, 1, 2, 2},
	{0, 1, 0, 1, 0},
	{0, 1, 1, 0, 2, 1, 0},
	{0, 0, 0, 1, 2, 2, 2, 2},
	{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3},
	{0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 5},
}

// onNodes completes a case with a layout whose nodes have memory.
func onNodes(c Case, nodes []int) Case {
	c.Nodes, c.Ranks, c.Shares, c.Fetches = nodes, len(nodes), true, true
	return c
}

// usesNodes reports whether an algorithm fits some case only because nodes have
// memory.
func usesNodes(a Algorithm) bool {
	c := Case{Op: a.Op, Ranks: 2, Bytes: 4, Elem: 4, Commutative: true, Graph: graphs(2)[0]}
	return !a.Fits(c) && a.Fits(onNodes(c, []int{0, 0}))
}

func TestAlgorithmsOfNodesAgainstTheNaiveResult(t *testing.T) {
	for _, a := range table {
		if !usesNodes(a) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			seed := lottery(len(a.Name))
			tried := 0
			for _, nodes := range nodeLayouts {
				for _, c := range variants(a.Op, len(nodes)) {
					c = onNodes(c, nodes)
					c.Rails, c.Ports = 1+seed.pick(2), seed.pick(4)
					c.Scheme = plan.Way(seed.pick(3))
					c.Segment = []int{0, 64, 1000}[seed.pick(3)]
					c.NoSlips = seed.pick(3) == 0
					if err := tryOnNodes(a, c, &seed); err != nil {
						t.Fatalf("nodes %v, segments %d, %d ports, %d rails: %v", nodes, c.Segment, c.Ports, c.Rails, err)
					}
					if a.Fits(c) {
						tried++
					}
				}
			}
			if tried < 8 {
				t.Errorf("fits %d cases only", tried)
			}
		})
	}
}

// tryOnNodes runs a case that fits and looks at what its plans ask of the nodes.
func tryOnNodes(a Algorithm, c Case, seed *lottery) error {
	var n counts
	if !c.regular() && c.Op != ReduceScatter || c.Op == ReduceScatter && c.Bytes%8 != 0 {
		n = uneven(c.Ranks, seed)
		c.Bytes = 0
	}
	cases := describe(c, n)
	for _, each := range cases {
		if a.Fits(each) != a.Fits(cases[0]) {
			return fmt.Errorf("ranks 0 and %d do not agree whether it fits", each.Rank)
		}
	}
	if !a.Fits(cases[0]) {
		return nil
	}
	for _, each := range cases {
		if p := a.Plan(each); p.NodeLen > NodeMax || p.Flags > FlagMax {
			return fmt.Errorf("rank %d asks for %d bytes and %d flags of its node", each.Rank, p.NodeLen, p.Flags)
		}
	}
	*seed += 17
	return try(a, cases, uint64(*seed))
}

// TestFitsKeepsToTheLimits asks for plans of long cases, which are only looked at.
func TestFitsKeepsToTheLimits(t *testing.T) {
	for _, a := range table {
		if !usesNodes(a) || a.Op == Barrier {
			continue
		}
		fits := 0
		for _, nodes := range [][]int{slices.Repeat([]int{0}, 2), slices.Repeat([]int{0}, 16), {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1}} {
			for bytes := 8; bytes <= 64<<20; bytes *= 2 {
				c := onNodes(Case{Op: a.Op, Bytes: bytes, Elem: 8, Commutative: true}, nodes)
				c.Graph = graphs(c.Ranks)[0]
				if c.Op == Allgatherv {
					c.RecvCounts, c.RecvDispls = slices.Repeat([]int{bytes}, c.Ranks), make([]int, c.Ranks)
				}
				if !a.Fits(c) {
					continue
				}
				fits++
				if p := a.Plan(c); p.NodeLen > NodeMax || p.Flags > FlagMax {
					t.Errorf("%s of %d bytes on %v asks for %d bytes and %d flags", a.Name, bytes, nodes, p.NodeLen, p.Flags)
				}
			}
		}
		if fits == 0 {
			t.Errorf("%s never fits", a.Name)
		}
	}
}

// TestLongBroadcastsUseSlotsAgain runs broadcasts that do not fit the memory of
// a node at once.
func TestLongBroadcastsUseSlotsAgain(t *testing.T) {
	for _, name := range []string{"bcast/shm", "bcast/smp", "bcast/smp_chain"} {
		a, _ := Find(name)
		for _, nodes := range [][]int{{0, 0, 0}, {0, 0, 1, 1, 2, 2}, {0, 1, 1, 0, 2}} {
			c := onNodes(Case{Op: Bcast, Bytes: 2_200_000, Elem: 4, Segment: 100_000, Root: 1}, nodes)
			if !a.Fits(c) {
				continue
			}
			if p := a.Plan(c); p.NodeLen > c.Bytes/2 || len(p.Steps) < 40 {
				t.Errorf("%s on %v: %d bytes of the node and %d steps do not make a pipeline", name, nodes, p.NodeLen, len(p.Steps))
			}
			if err := try(a, describe(c, nil), 7); err != nil {
				t.Errorf("%s on %v: %v", name, nodes, err)
			}
		}
	}
}

// TestLongAllgathersUseSlotsAgain runs allgathers whose blocks do not fit the memory of a node at once, and
// holds what masters send against the formula: every block crosses the network once for each other node.
func TestLongAllgathersUseSlotsAgain(t *testing.T) {
	a, _ := Find("allgather/smp_turns")
	for _, nodes := range [][]int{slices.Repeat([]int{0}, 5), {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 1, 0, 2, 1, 0}, {0, 1, 2}} {
		c := onNodes(Case{Op: Allgather, Bytes: 600_001, Elem: 1}, nodes)
		shape := c.gatherShape()
		if turns := len(shape.offs) - 1; !a.Fits(c) || turns <= shape.depth {
			t.Fatalf("on %v: %d turns of which %d fit do not use memory again", nodes, turns, shape.depth)
		}
		l := c.layout()
		for rank, p := range plansOf(t, a.Name, c) {
			want := 0
			if l.local[rank] == 0 {
				want = (len(l.ranks) - 1) * len(l.ranks[l.node[rank]]) * c.Bytes
			}
			sent := 0
			for _, s := range p.Steps {
				if s.Kind == plan.Send {
					sent += s.Src.Len
				}
			}
			if sent != want {
				t.Errorf("on %v: rank %d sends %d bytes; want %d", nodes, rank, sent, want)
			}
		}
		if err := try(a, describe(c, nil), 7); err != nil {
			t.Errorf("on %v: %v", nodes, err)
		}
	}
}

// TestOneNodeSendsNothing makes sure that what is meant for one node stays in its memory.
func TestOneNodeSendsNothing(t *testing.T) {
	nodes := slices.Repeat([]int{0}, 6)
	for _, a := range table {
		if !usesNodes(a) {
			continue
		}
		c := onNodes(Case{Op: a.Op, Bytes: 48, Elem: 4, Commutative: true}, nodes)
		if c.Op == Allgatherv {
			c.RecvCounts, c.RecvDispls = slices.Repeat([]int{4}, 6), []int{0, 4, 8, 12, 16, 20}
		}
		if c.Op.Neighborly() {
			c.Graph = graphs(6)[0]
		}
		for c.Rank = range c.Ranks {
			if !a.Fits(c) {
				continue
			}
			if sum := a.Plan(c).Tally(); sum.Sends+sum.Recvs > 0 {
				t.Errorf("%s: rank %d has %d messages", a.Name, c.Rank, sum.Sends+sum.Recvs)
			}
		}
	}
}

// TestShortCallsOnOneNode counts flags and copies of short calls: one flag per
// rank, one copy in and as few copies out as can be.
func TestShortCallsOnOneNode(t *testing.T) {
	nodes := slices.Repeat([]int{0}, 4)
	for _, w := range []struct {
		name                 string
		rank                 int
		flags, writes, reads int
	}{
		{"barrier/shm", 2, 1, 0, 0},
		{"barrier/shm_tree", 0, 1, 0, 0},
		{"bcast/shm", 0, 1, 1, 0},
		{"bcast/shm", 3, 0, 0, 1},
		{"gather/shm", 0, 0, 0, 3},
		{"gather/shm", 1, 1, 1, 0},
		{"scatter/shm", 0, 1, 1, 0},
		{"scatter/shm", 1, 0, 0, 1},
		{"allgather/shm", 1, 1, 1, 3}, // each block stands on the slip of its rank
		{"alltoall/shm", 1, 1, 1, 3},
		{"reduce/shm", 0, 0, 0, 3},
		{"reduce/shm", 2, 1, 1, 0},
		{"reduce/shm_share", 0, 2, 1 + 1 + 3, 3 + 3 + 1},
		{"allreduce/shm", 1, 1, 1, 3},
		{"allreduce/shm", 2, 1, 1, 4},
		{"allreduce/smp", 0, 1, 1 + 3, 3 + 3 + 1},
		{"allreduce/smp", 1, 1, 1, 1},
		{"reduce_scatter/shm", 1, 1, 1, 3},
		{"scan/shm", 0, 1, 1, 0},
		{"scan/shm", 2, 1, 1, 2},
		{"exscan/shm", 3, 0, 0, 3},
	} {
		a, known := Find(w.name)
		if !known {
			t.Fatalf("no %s", w.name)
		}
		c := onNodes(Case{Op: a.Op, Rank: w.rank, Bytes: 16, Elem: 4, Commutative: true}, nodes)
		got := a.Plan(c).Tally()
		if got.Flags != w.flags || got.NodeWrites != w.writes || got.NodeReads != w.reads {
			t.Errorf("%s, rank %d: %d flags, %d writes, %d reads; want %d, %d, %d\n%s", w.name, w.rank,
				got.Flags, got.NodeWrites, got.NodeReads, w.flags, w.writes, w.reads, a.Plan(c))
		}
	}
}

// TestFewBytesStandBesideTheirFlag: what fits a slip goes there, and nothing
// that is longer, or anything where slips are switched off.
func TestFewBytesStandBesideTheirFlag(t *testing.T) {
	for _, w := range []struct {
		name string
		most int // bytes of the case, on 4 ranks
	}{
		{"bcast/shm", 112}, {"allreduce/shm", 112}, {"allgather/shm", 112}, {"gather/shm", 112}, {"alltoall/shm", 28},
		{"reduce/shm", 112}, {"scatter/shm", 36}, {"scan/shm", 112}, {"exscan/smp", 112},
	} {
		a, _ := Find(w.name)
		for _, bytes := range []int{w.most, w.most + 4} {
			c := onNodes(Case{Op: a.Op, Bytes: bytes, Elem: 4, Commutative: true}, []int{0, 0, 0, 0})
			if p := a.Plan(c); p.Slips != (bytes == w.most) {
				t.Errorf("%d bytes: %s", bytes, p)
			}
			if c.NoSlips = true; a.Plan(c).Slips {
				t.Errorf("%d bytes, no slips: %s", bytes, a.Plan(c))
			}
		}
	}
}

// TestSlicesShareTheWork: where every core drives a slice, all ranks of a node
// send, and about the same; otherwise one does.
func TestSlicesShareTheWork(t *testing.T) {
	nodes := []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}
	for name, drivers := range map[string]int{
		"bcast/smp": 1, "bcast/smp_chain": 4,
		"reduce/smp": 1, "reduce/smp_slices": 4,
		"allreduce/smp": 1, "allreduce/smp_slices": 4,
		"reduce_scatter/smp": 1, "reduce_scatter/smp_slices": 4,
	} {
		a, _ := Find(name)
		c := onNodes(Case{Op: a.Op, Bytes: 4096, Elem: 4, Commutative: true}, nodes)
		sent := map[int]int{}
		for rank := range c.Ranks {
			c.Rank = rank
			if n := a.Plan(c).Tally().SendBytes; n > 0 {
				sent[c.Nodes[rank]]++
			}
		}
		// The last node of a reduction sends, that of a broadcast does not.
		node := 1
		if a.Op == Bcast {
			node = 0
		}
		if sent[node] != drivers {
			t.Errorf("%s: %d ranks of node %d send, want %d", name, sent[node], node, drivers)
		}
	}
}

// crooked merges in a way that is neither associative nor commutative, so that
// the result tells the order of all that was merged.
func crooked(dst, src []byte, srcFirst bool) {
	for i := range dst {
		left, right := dst[i], src[i]
		if srcFirst {
			left, right = right, left
		}
		dst[i] = 3*left + 5*right + 1
	}
}

// TestEveryRankGetsTheSameBits: floating-point sums depend on the order of
// additions, but all ranks of an Allreduce must agree.
func TestEveryRankGetsTheSameBits(t *testing.T) {
	for _, a := range Algorithms(Allreduce) {
		for _, nodes := range [][]int{{0, 0, 0, 0, 0}, {0, 0, 0, 1, 1}, {0, 0, 0, 0}, {0, 1, 0, 2, 1, 2}} {
			c := onNodes(Case{Op: Allreduce, Bytes: 64, Elem: 4, Commutative: true, Segment: 16}, nodes)
			if !a.Fits(c) {
				continue
			}
			cases := describe(c, nil)
			plans, bufs := make([]*plan.Plan, c.Ranks), make([]plan.Bufs, c.Ranks)
			for rank, each := range cases {
				plans[rank], bufs[rank] = a.Plan(each), contribute(each)
			}
			if err := plan.Simulate(plans, plan.Simulation{Bufs: bufs, Combine: crooked}); err != nil {
				t.Fatal(err)
			}
			for rank := range bufs {
				if !bytes.Equal(bufs[rank].Out, bufs[0].Out) {
					t.Errorf("%s on %v: rank %d has other bits than rank 0", a.Name, nodes, rank)
				}
			}
		}
	}
}
