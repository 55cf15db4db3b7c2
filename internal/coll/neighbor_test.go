package coll

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/topo"
)

// graphs returns who may be whose neighbour: in a plane that is a torus, at the ends of a line, at the corners
// and beyond of a space that is a torus along one dimension, and by lot, where ranks may have none, themselves,
// and others several times.
func graphs(ranks int) []*topo.Graph {
	grid := func(dimensions int, periodic ...bool) topo.Grid {
		sizes, err := topo.Dims(ranks, dimensions)
		if err != nil {
			panic(err)
		}
		return topo.Grid{Sizes: sizes, Periodic: periodic}
	}
	corners, err := grid(3, true, false, false).Neighborhood([][]int{{1, 1, 0}, {-1, 0, 1}, {1, 1, 1}, {0, 0, 0}, {0, -1, -1}, {1, 0, 0}, {-1, -1, 2}, {1, 1, 1}, {3, 0, 0}})
	lots, bad := byLot(ranks)
	if err := errors.Join(err, bad); err != nil {
		panic(err)
	}
	return []*topo.Graph{grid(2, true, true).Neighbors(), grid(1, false).Neighbors(), corners, lots}
}

func byLot(ranks int) (*topo.Graph, error) {
	l := lottery(ranks)
	sources, dests := make([][]int, ranks), make([][]int, ranks)
	for range ranks * 3 {
		from, to := l.pick(ranks), l.pick(ranks)
		if l.pick(9) == 0 {
			to = from
		}
		for range 1 + l.pick(2) {
			sources[to], dests[from] = append(sources[to], from), append(dests[from], to)
		}
	}
	return topo.NewGraph(sources, dests)
}

// betweenNeighbors returns the cases of an operation on some ranks that differ in length and in who is whose
// neighbour.
func betweenNeighbors(op Op, ranks int) (all []Case) {
	for _, n := range lengths(op, ranks) {
		for _, g := range graphs(ranks) {
			all = append(all, Case{Op: op, Ranks: ranks, Bytes: n, Graph: g})
		}
	}
	return all
}

// moore is the neighbourhood of all that are within a step along each of so many dimensions of a torus.
func moore(t testing.TB, sizes ...int) *topo.Graph {
	t.Helper()
	offsets := [][]int{{}}
	for range sizes {
		var longer [][]int
		for _, o := range offsets {
			for by := -1; by <= 1; by++ {
				longer = append(longer, append(append([]int(nil), o...), by))
			}
		}
		offsets = longer
	}
	offsets = append(offsets[:len(offsets)/2], offsets[len(offsets)/2+1:]...)
	periodic := make([]bool, len(sizes))
	for d := range periodic {
		periodic[d] = true
	}
	g, err := topo.Grid{Sizes: sizes, Periodic: periodic}.Neighborhood(offsets)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestCombiningCosts holds the messages and bytes of a rank against the head of the file, on tori of which
// each neighbour is another rank.
func TestCombiningCosts(t *testing.T) {
	const n = 8
	for _, k := range []struct {
		op              Op
		sizes           []int
		messages, bytes int
	}{
		{NeighborAlltoall, []int{4, 4}, 4, 12 * n},
		{NeighborAllgather, []int{4, 4}, 4, 8 * n},
		{NeighborAlltoall, []int{3, 3, 4}, 6, 54 * n},
		{NeighborAllgather, []int{3, 3, 4}, 6, 26 * n},
	} {
		g := moore(t, k.sizes...)
		a, _ := Find(k.op.String() + "/combining")
		p := a.Plan(Case{Op: k.op, Ranks: g.Len(), Bytes: n, Graph: g})
		messages, bytes := 0, 0
		for _, s := range p.Steps {
			if s.Kind == plan.Send {
				messages++
				bytes += s.Src.Len
			}
		}
		if messages != k.messages || bytes != k.bytes {
			t.Errorf("%s on %v: %d messages of %d bytes, want %d of %d", k.op, k.sizes, messages, bytes, k.messages, k.bytes)
		}
	}
}

// TestNeighborsByTheModel: who has many neighbours in a grid and little for them combines; who has few or much does not.
func TestNeighborsByTheModel(t *testing.T) {
	for _, k := range []struct {
		g     *topo.Graph
		bytes int
		want  string
	}{
		{moore(t, 3, 3, 3), 8, "neighbor_alltoall/combining"},
		{moore(t, 3, 3, 3), 256 << 10, "neighbor_alltoall/flat"},
		{graphs(27)[0], 8, "neighbor_alltoall/flat"},
	} {
		c := shaped(NeighborAlltoall, k.bytes, even(27, 1)...)
		c.Graph = k.g
		if a, why := Default().Choose(c); a.Name != k.want {
			t.Errorf("%d bytes along %d edges: %s by %s, want %s", k.bytes, k.g.Degree(), a.Name, why, k.want)
		}
	}
}

// TestOneMessageForEachNode: between nodes of four, neighbours in a plane take one message for each other node,
// and nobody sends all of them.
func TestOneMessageForEachNode(t *testing.T) {
	g := topo.Grid{Sizes: []int{8, 4}, Periodic: []bool{true, true}}.Neighbors()
	for _, op := range []Op{NeighborAllgather, NeighborAlltoall} {
		c := shaped(op, 64, even(8, 4)...)
		c.Graph = g
		a, _ := Find(op.String() + "/smp")
		if !a.Fits(c) {
			t.Fatalf("%s does not fit", a.Name)
		}
		sum := tallyOf(t, a, c, 3)
		if sum.out != 2 || sum.in != 2 || sum.sent != 8*64 {
			t.Errorf("%s: %+v", op, sum)
		}
		for rank := range c.Ranks {
			if n := a.Plan(c.of(rank)).Tally(); n.Sends > 1 {
				t.Errorf("%s: rank %d sends %d messages", op, rank, n.Sends)
			}
		}
	}
}
