package topo

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawEdges draws edges between places, some of which have none and some several to the same place, as each
// place names them.
func drawEdges(t *rapid.T, places int) (sources, dests [][]int) {
	sources, dests = make([][]int, places), make([][]int, places)
	for range rapid.IntRange(0, 3*places).Draw(t, "edges") {
		from, to := rapid.IntRange(0, places-1).Draw(t, "from"), rapid.IntRange(0, places-1).Draw(t, "to")
		sources[to], dests[from] = append(sources[to], from), append(dests[from], to)
	}
	return sources, dests
}

// meets fails unless the two ends of every edge name each other.
func meets(t *rapid.T, g *Graph) {
	for p := range g.Len() {
		for slot, end := range g.Out(p) {
			if end.Place != Nowhere && g.In(end.Place)[end.Slot] != (End{p, slot}) {
				t.Fatalf("edge %d out of place %d leads to %+v, which comes from %+v", slot, p, end, g.In(end.Place)[end.Slot])
			}
		}
		for slot, end := range g.In(p) {
			if end.Place != Nowhere && g.Out(end.Place)[end.Slot] != (End{p, slot}) {
				t.Fatalf("edge %d into place %d comes from %+v, which leads to %+v", slot, p, end, g.Out(end.Place)[end.Slot])
			}
		}
	}
}

// Both ends of an edge name each other, in their orders; an edge that one end alone names is told.
func TestGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 8).Draw(t, "places")
		sources, dests := drawEdges(t, places)
		for p := range places { // each in an order of its own
			sources[p], dests[p] = rapid.Permutation(sources[p]).Draw(t, "sources"), rapid.Permutation(dests[p]).Draw(t, "dests")
		}
		g, err := NewGraph(sources, dests)
		if err != nil {
			t.Fatal(err)
		}
		meets(t, g)
		edges := 0
		for p := range places {
			edges += len(dests[p])
			for slot, end := range g.In(p) {
				if end.Place != sources[p][slot] {
					t.Fatalf("edge %d into %d comes from %d, not %d", slot, p, end.Place, sources[p][slot])
				}
			}
		}
		if g.Edges() != edges {
			t.Fatalf("%d edges, want %d", g.Edges(), edges)
		}
		p := rapid.IntRange(0, places-1).Draw(t, "place")
		wrong := slices.Clone(sources)
		wrong[p] = append(slices.Clone(wrong[p]), rapid.IntRange(0, places-1).Draw(t, "source"))
		if _, err := NewGraph(wrong, dests); !errors.Is(err, ErrGraph) {
			t.Fatalf("an edge that its beginning does not name: %v", err)
		}
		if _, err := NewGraph(dests, wrong); !errors.Is(err, ErrGraph) {
			t.Fatalf("an edge that its end does not name: %v", err)
		}
	})
}

func TestWhichEdgesAreWrong(t *testing.T) {
	_, err := NewGraph([][]int{{1}, {0, 0}, {}}, [][]int{{1, 2}, {}, {}})
	want := "bad neighbours: rank 0 names rank 1 as a source, which does not name it as a destination; " +
		"rank 1 names rank 0 as a source, which does not name it as a destination as often; " +
		"rank 0 names rank 2 as a destination, which does not name it as a source"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	_, err = NewGraph([][]int{{1, 2, 3, 0}, {}, {}, {}}, make([][]int, 4))
	if err == nil || !strings.HasSuffix(err.Error(), "; and 1 more") {
		t.Errorf("%v", err)
	}
}

// What is sent below comes from above, also where there are one or two places along a dimension: then both
// sides are the same place.
func TestNeighborsOfAGrid(t *testing.T) {
	for n := 1; n <= 3; n++ {
		g := Grid{[]int{n}, []bool{true}}.Neighbors()
		for p := range n {
			below, above := (p+n-1)%n, (p+1)%n
			if out := g.Out(p); !slices.Equal(out, []End{{below, 1}, {above, 0}}) {
				t.Errorf("%d places: %d sends to %v", n, p, out)
			}
			if in := g.In(p); !slices.Equal(in, []End{{below, 1}, {above, 0}}) {
				t.Errorf("%d places: %d receives from %v", n, p, in)
			}
		}
	}
	g := Grid{[]int{3}, []bool{false}}.Neighbors()
	if g.Out(0)[0].Place != Nowhere || g.In(2)[1].Place != Nowhere || g.Edges() != 4 {
		t.Errorf("a line has %d edges", g.Edges())
	}
}

// Neighbourhoods lead where the grid says, and back.
func TestNeighborhood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grid := drawGrid(t)
		offset := rapid.SliceOfN(rapid.IntRange(-7, 7), len(grid.Sizes), len(grid.Sizes))
		offsets := rapid.SliceOfN(offset, 0, 6).Draw(t, "offsets")
		g, err := grid.Neighborhood(offsets)
		if err != nil {
			t.Fatal(err)
		}
		meets(t, g)
		for p := range g.Len() {
			for slot, end := range g.Out(p) {
				if want := grid.Beside(p, offsets[slot], 1); end.Place != want {
					t.Fatalf("%+v: %v from %d is %d, want %d", grid, offsets[slot], p, end.Place, want)
				}
			}
		}
		meets(t, grid.Neighbors())
		if _, err := grid.Neighborhood([][]int{make([]int, len(grid.Sizes)+1)}); !errors.Is(err, ErrGrid) {
			t.Fatal(err)
		}
	})
}

// Arranged, every process has one place, and no more goes between nodes than before.
func TestArrangeLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 24).Draw(t, "places")
		l := NewLoad(places)
		for range rapid.IntRange(0, 4*places).Draw(t, "edges") {
			l.Add(rapid.IntRange(0, places-1).Draw(t, "from"), rapid.IntRange(0, places-1).Draw(t, "to"), rapid.IntRange(0, 9).Draw(t, "weight"))
		}
		node := rapid.SliceOfN(rapid.IntRange(0, 4), places, places).Draw(t, "node")
		order := l.Arrange(node)
		same := make([]int, places)
		for i := range same {
			same[i] = i
		}
		if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, same) {
			t.Fatalf("%v is no arrangement", order)
		}
		if got, before := l.Cut(order, node), l.Cut(same, node); got > before {
			t.Fatalf("%d goes between nodes, before %d", got, before)
		}
		if again := l.Arrange(node); !slices.Equal(again, order) {
			t.Fatalf("%v, then %v", order, again)
		}
	})
}

// Cliques that are spread over nodes are brought together, and grids are cut well.
func TestArrangeFindsClusters(t *testing.T) {
	l, node := NewLoad(24), make([]int, 24)
	for p := range node {
		node[p] = p / 4
		for q := range p {
			if p%6 == q%6 {
				l.Add(p, q, 10)
			}
		}
		l.Add(p, (p+1)%24, 1)
	}
	if cut := l.Cut(l.Arrange(node), node); cut > 24 {
		t.Errorf("%d goes between nodes", cut)
	}
	grid := Grid{[]int{8, 8}, []bool{true, true}}
	l, node = NewLoad(64), make([]int, 64)
	for p := range node {
		node[p] = p / 16
		for d := range 2 {
			_, to := grid.Shift(p, d, 1)
			l.Add(p, to, 1)
		}
	}
	got := l.Cut(l.Arrange(node), node)
	t.Logf("a torus of 8 x 8 on 4 nodes: %d edges between nodes; in rows of 2: 64, in squares: 32", got)
	if got > 44 {
		t.Errorf("%d edges between nodes", got)
	}
}

func BenchmarkArrange(b *testing.B) {
	grid := Grid{[]int{10, 10, 10}, []bool{true, true, true}}
	l, node := NewLoad(1000), make([]int, 1000)
	for p := range node {
		node[p] = p / 20
		for d := range 3 {
			_, to := grid.Shift(p, d, 1)
			l.Add(p, to, 1)
		}
	}
	for b.Loop() {
		l.Arrange(node)
	}
}
