package coll

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// natives are the algorithms that switch between others by length: up to which
// length which one serves 8 ranks, and 5 or 9 where that makes a difference.
var natives = []struct {
	name  string
	ranks int
	upTo  []int // the last length of each part but the last
	parts []string
}{
	{"bcast/mpich", 8, []int{12<<10 - 1, 512<<10 - 1}, []string{"bcast/binomial", "bcast/scatter_doubling", "bcast/scatter_ring"}},
	{"bcast/mpich", 9, []int{12<<10 - 1}, []string{"bcast/binomial", "bcast/scatter_ring"}},
	{"bcast/mpich", 5, []int{64 << 10}, []string{"bcast/binomial", "bcast/binomial"}},
	{"bcast/elan", 5, nil, []string{"bcast/binomial"}},
	{"gather/elan", 8, []int{2 << 10, 4 << 10}, []string{"", "gather/knomial@1", "gather/flat"}},
	{"allgather/elan", 8, []int{32 << 10}, []string{"", "allgather/ring"}},
	{"allgather/mvapich", 8, []int{8 << 10}, []string{"allgather/doubling copied", "allgather/doubling announced"}},
	{"allgather/mvapich", 5, []int{16<<10 - 1}, []string{"allgather/bruck@1", "allgather/ring"}},
	{"allgather/mpich", 8, []int{64<<10 - 1}, []string{"allgather/doubling", "allgather/ring"}},
	{"allgather/mpich", 5, []int{16<<10 - 1}, []string{"allgather/bruck@1", "allgather/ring"}},
	{"alltoall/elan", 5, nil, []string{"alltoall/direct@1"}},
	{"alltoall/mvapich", 8, []int{256}, []string{"alltoall/bruck@1", "alltoall/exchange@1"}},
	{"alltoall/mvapich", 5, []int{256}, []string{"alltoall/bruck@1", "alltoall/direct@1"}},
	{"alltoall/mvapich_xor", 8, []int{256}, []string{"alltoall/bruck@1", "alltoall/xor"}},
	{"alltoall/mpich", 8, []int{256, 32 << 10}, []string{"alltoall/bruck@1", "alltoall/flat", "alltoall/xor"}},
	{"alltoall/mpich", 5, []int{32 << 10}, []string{"alltoall/flat", "alltoall/pairwise"}},
}

// stepsOf returns what the plans do, without the name of the algorithm and the
// ways of messages, and the ways that occur.
func stepsOf(plans []*plan.Plan) (text string, ways map[plan.Way]bool) {
	ways = map[plan.Way]bool{}
	var w strings.Builder
	for _, p := range plans {
		for i, s := range p.Steps {
			if s.Kind == plan.Send || s.Kind == plan.Recv {
				ways[s.Way] = true
				s.Way = plan.Auto
			}
			fmt.Fprintln(&w, i, s, p.Deps(i))
		}
	}
	return w.String(), ways
}

// TestNativesSwitchByLength holds the plans of natives against those of the
// algorithms they are made of, on both sides of each limit. They have one port,
// however many rails there are.
func TestNativesSwitchByLength(t *testing.T) {
	for _, n := range natives {
		for i, part := range n.parts {
			var lengths []int
			if i > 0 {
				lengths = append(lengths, n.upTo[i-1]+1)
			}
			if i < len(n.upTo) {
				lengths = append(lengths, n.upTo[i])
			} else {
				lengths = append(lengths, 1<<20)
			}
			name, way, _ := strings.Cut(part, " ")
			for _, bytes := range lengths {
				if name == "" {
					continue
				}
				c := Case{Ranks: n.ranks, Bytes: bytes, Rails: 2, Root: 1}
				got, ways := stepsOf(plansOf(t, n.name, c))
				want, _ := stepsOf(plansOf(t, name, c))
				if got != want {
					t.Errorf("%s on %d ranks, %d bytes is not %s", n.name, n.ranks, bytes, name)
				}
				if way == "" {
					way = plan.Auto.String()
				}
				if len(ways) != 1 || !strings.Contains(fmt.Sprint(ways), way) {
					t.Errorf("%s on %d ranks, %d bytes: messages travel %v, want %s", n.name, n.ranks, bytes, ways, way)
				}
			}
		}
	}
}

// TestNativesAgainstTheNaiveResult tries both sides of each limit on a few
// machines.
func TestNativesAgainstTheNaiveResult(t *testing.T) {
	order, places := lottery(1), 2
	if testing.Short() {
		places = 1
	}
	for _, n := range natives {
		a, _ := Find(n.name)
		tr := trials{a, order}
		for _, limit := range n.upTo {
			for _, bytes := range []int{limit, limit + 1} {
				for _, m := range some(machines(n.ranks), places, &order) {
					c := Case{Op: a.Op, Ranks: n.ranks, Root: order.pick(n.ranks), Bytes: bytes, InPlace: order.pick(2) == 1}
					if err := tr.run(c, m); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestElanGatherUsesTheNode: every rank but the chief of its node copies its
// block once into shared memory and sends nothing; chiefs send once. Where
// nothing is shared, messages take the place of copies.
func TestElanGatherUsesTheNode(t *testing.T) {
	const block = 100
	c := Case{Ranks: 11, Bytes: block, Root: 5, Nodes: []int{0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2}, Shares: true}
	chiefs := []int{0, 1, 5}
	for rank, p := range plansOf(t, "gather/elan", c) {
		got := p.Tally()
		switch {
		case rank == c.Root:
			if got.Sends != 0 || got.Recvs != 2 || got.NodeWriteBytes != block || got.NodeReadBytes != 11*block {
				t.Errorf("root: %+v", got)
			}
		case rank == 0: // alone on its node
			if got.Sends != 1 || got.NodeWrites != 0 {
				t.Errorf("rank 0: %+v", got)
			}
		case slices.Contains(chiefs, rank):
			if got.Sends != 1 || got.NodeWriteBytes != block || got.NodeReads != 0 {
				t.Errorf("chief %d: %+v", rank, got)
			}
		default:
			if got.Sends != 0 || got.Recvs != 0 || got.NodeWriteBytes != block || got.Flags != 1 {
				t.Errorf("rank %d: %+v", rank, got)
			}
		}
	}
	for _, apart := range []Case{{Shares: false}, {Shares: true, Bytes: 2 << 10, Ranks: 1200}} {
		c := c
		c.Shares = apart.Shares
		if apart.Ranks > 0 { // more than the node has room for
			c.Ranks, c.Bytes, c.Nodes = apart.Ranks, apart.Bytes, make([]int, apart.Ranks)
		}
		for _, p := range plansOf(t, "gather/elan", c) {
			if p.Shares() {
				t.Fatalf("rank %d of %d shares %d bytes", p.Rank, c.Ranks, p.NodeLen)
			}
		}
	}
}

// TestElanAlltoallUsesTheNode: blocks up to 2 KB go through the memory of nodes where there is some, longer
// ones do not.
func TestElanAlltoallUsesTheNode(t *testing.T) {
	c := Case{Ranks: 6, Nodes: []int{0, 0, 0, 1, 1, 1}, Shares: true, Rails: 2}
	for bytes, part := range map[int]string{4: "alltoall/shm_direct", 2 << 10: "alltoall/shm_direct", 2<<10 + 1: "alltoall/direct@1"} {
		c.Bytes = bytes
		got, _ := stepsOf(plansOf(t, "alltoall/elan", c))
		if want, _ := stepsOf(plansOf(t, part, c)); got != want {
			t.Errorf("%d bytes: it is not %s", bytes, part)
		}
	}
}
