package topo

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawGrid is a grid of at most 4 dimensions and a few hundred places.
func drawGrid(t *rapid.T) Grid {
	sizes := rapid.SliceOfN(rapid.IntRange(1, 5), 0, 4).Draw(t, "sizes")
	periodic := rapid.SliceOfN(rapid.Bool(), len(sizes), len(sizes)).Draw(t, "periodic")
	g, err := NewGrid(sizes, periodic, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Coordinates name places, and each place once.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		for place := range g.Len() {
			at := g.Coords(place)
			if got := g.Place(at); got != place {
				t.Fatalf("%+v: place %d is at %v, where place %d is", g, place, at, got)
			}
			for d, n := range g.Sizes {
				for _, by := range []int{-1, 1, 3} {
					beyond := slices.Clone(at)
					beyond[d] += by * n
					want := Nowhere
					if g.Periodic[d] {
						want = place
					}
					if got := g.Place(beyond); got != want {
						t.Fatalf("%+v: %v is place %d, want %d", g, beyond, got, want)
					}
				}
			}
		}
	})
}

// Who sends to me is somebody who sends to me.
func TestShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		if len(g.Sizes) == 0 {
			t.Skip("there is no direction")
		}
		d := rapid.IntRange(0, len(g.Sizes)-1).Draw(t, "dimension")
		by := rapid.OneOf(rapid.IntRange(-7, 7), rapid.SampledFrom([]int{math.MinInt, math.MinInt + 1, math.MaxInt})).Draw(t, "by")
		for place := range g.Len() {
			from, to := g.Shift(place, d, by)
			if from != Nowhere {
				if _, back := g.Shift(from, d, by); back != place {
					t.Fatalf("%+v by %d: %d sends to %d and not to %d", g, by, from, back, place)
				}
			}
			if to != Nowhere {
				if back, _ := g.Shift(to, d, by); back != place {
					t.Fatalf("%+v by %d: %d receives from %d and not from %d", g, by, to, back, place)
				}
			}
			if g.Periodic[d] && (from == Nowhere || to == Nowhere) {
				t.Fatalf("%+v by %d: place %d has no neighbours", g, by, place)
			}
		}
	})
}

// Every place is in one of the smaller grids, and alone there.
func TestSub(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		keep := rapid.SliceOfN(rapid.Bool(), len(g.Sizes), len(g.Sizes)).Draw(t, "keep")
		seen := map[[2]int]bool{}
		for place := range g.Len() {
			sub, number, at := g.Sub(keep, place)
			if at < 0 || at >= sub.Len() || number < 0 || number >= g.Len()/sub.Len() || seen[[2]int{number, at}] {
				t.Fatalf("%+v keeps %v: place %d is place %d of grid %d, of %d places", g, keep, place, at, number, sub.Len())
			}
			seen[[2]int{number, at}] = true
		}
	})
}

// evenest finds the most even factors by trying all.
func evenest(n, dimensions, most int) (best []int) {
	if dimensions == 1 {
		if n > most {
			return nil
		}
		return []int{n}
	}
	for first := 1; first <= min(n, most); first++ {
		if n%first == 0 {
			if rest := evenest(n/first, dimensions-1, first); rest != nil && (best == nil || slices.Compare(append([]int{first}, rest...), best) < 0) {
				best = append([]int{first}, rest...)
			}
		}
	}
	return best
}

func TestDims(t *testing.T) {
	for n := 1; n <= 130; n++ {
		for dimensions := 1; dimensions <= 4; dimensions++ {
			if got, err := Dims(n, dimensions); err != nil || !slices.Equal(got, evenest(n, dimensions, n)) {
				t.Errorf("%d in %d dimensions: %v, %v, want %v", n, dimensions, got, err, evenest(n, dimensions, n))
			}
		}
	}
	for n, want := range map[int][]int{1 << 30: {1 << 10, 1 << 10, 1 << 10}, 999983: {999983, 1, 1}} {
		if got, err := Dims(n, 3); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d: %v, %v", n, got, err)
		}
	}
	for _, bad := range [][2]int{{0, 2}, {4, 0}, {-1, 1}} {
		if _, err := Dims(bad[0], bad[1]); !errors.Is(err, ErrGrid) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestBadGrids(t *testing.T) {
	for _, c := range []struct {
		sizes    []int
		periodic []bool
		ok       bool
	}{
		{[]int{2, 3}, []bool{true, false}, true},
		{[]int{2, 3}, []bool{true}, false},
		{[]int{0}, []bool{true}, false},
		{[]int{-2, -3}, []bool{true, true}, false},
		{[]int{7}, []bool{false}, false},
		{[]int{math.MaxInt, math.MaxInt}, []bool{false, false}, false},
		{nil, nil, true},
	} {
		if g, err := NewGrid(c.sizes, c.periodic, 6); c.ok != (err == nil) || err != nil && !errors.Is(err, ErrGrid) {
			t.Errorf("%v %v: %+v, %v", c.sizes, c.periodic, g, err)
		}
	}
}

// Every process has one place, and no more neighbours are apart than in the order of processes.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		n := g.Len()
		node := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "nodes")
		order := g.Arrange(node)
		sorted, same := slices.Sorted(slices.Values(order)), make([]int, n)
		for i := range same {
			same[i] = i
		}
		if !slices.Equal(sorted, same) || g.Cut(order, node) > g.Cut(same, node) {
			t.Fatalf("%+v on %v: %v cuts %d pairs, the order of processes %d", g, node, order, g.Cut(order, node), g.Cut(same, node))
		}
	})
}

// Nodes become bricks where these fit, and compact parts where not.
func TestArrangeNodes(t *testing.T) {
	for _, c := range []struct {
		sizes     []int
		periodic  bool
		nodes     []int // processes of each
		cut, flat int   // pairs of neighbours on different nodes: arranged, and in the order of processes
	}{
		{[]int{4, 4}, false, []int{4, 4, 4, 4}, 8, 12},
		{[]int{4, 4}, true, []int{4, 4, 4, 4}, 16, 16},
		{[]int{8, 8}, true, []int{16, 16, 16, 16}, 32, 32},
		{[]int{4, 4, 4}, false, []int{8, 8, 8, 8, 8, 8, 8, 8}, 48, 64},
		{[]int{6, 6}, false, []int{12, 24}, 6, 6},
		{[]int{6, 6}, false, []int{10, 26}, 7, 7},
		{[]int{12, 2}, false, []int{5, 7, 12}, 5, 5},
		{[]int{2, 12}, false, []int{12, 12}, 2, 12},
	} {
		periodic := make([]bool, len(c.sizes))
		for d := range periodic {
			periodic[d] = c.periodic
		}
		g := Grid{c.sizes, periodic}
		var node, same []int
		for number, count := range c.nodes {
			for range count {
				same = append(same, len(node))
				node = append(node, number)
			}
		}
		if cut, flat := g.Cut(g.Arrange(node), node), g.Cut(same, node); cut != c.cut || flat != c.flat {
			t.Errorf("%v on nodes of %v: %d pairs are apart, %d in the order of processes; want %d and %d", c.sizes, c.nodes, cut, flat, c.cut, c.flat)
		}
	}
}

// spread puts processes on nodes of these sizes: node by node, or by turns as long as nodes have room.
func spread(sizes []int, turns bool) (node []int) {
	if !turns {
		for number, n := range sizes {
			node = append(node, slices.Repeat([]int{number}, n)...)
		}
		return node
	}
	left := slices.Clone(sizes)
	for more := true; more; {
		more = false
		for number := range left {
			if left[number] > 0 {
				left[number]--
				node = append(node, number)
				more = true
			}
		}
	}
	return node
}

// fewest is how few pairs of neighbours can be on different nodes, by trying all ways to deal out places.
func fewest(g Grid, sizes []int) int {
	n := g.Len()
	best := -1
	part, left := make([]int, n), slices.Clone(sizes)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var deal func(place int)
	deal = func(place int) {
		if place == n {
			if cut := g.Cut(order, part); best < 0 || cut < best {
				best = cut
			}
			return
		}
		for number := range left {
			if left[number] > 0 {
				left[number]--
				part[place] = number
				deal(place + 1)
				left[number]++
			}
		}
	}
	deal(0)
	return best
}

// TestArrangeNearlyBest: on grids of every kind and nodes of any sizes, 3 and 1, primes, single processes, what is
// found is near the best there is.
func TestArrangeNearlyBest(t *testing.T) {
	found, least := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 9).Draw(t, "places")
		sizes, err := Dims(places, rapid.IntRange(1, 3).Draw(t, "dimensions"))
		if err != nil {
			t.Fatal(err)
		}
		sizes = rapid.Permutation(sizes).Draw(t, "sizes")
		g := Grid{sizes, rapid.SliceOfN(rapid.Bool(), len(sizes), len(sizes)).Draw(t, "periodic")}
		var nodes []int
		for left := places; left > 0; {
			n := rapid.IntRange(1, left).Draw(t, "node")
			nodes = append(nodes, n)
			left -= n
		}
		node := spread(nodes, rapid.Bool().Draw(t, "turns"))
		cut, best := g.Cut(g.Arrange(node), node), fewest(g, nodes)
		if cut < best || cut > best+len(node)/2 {
			t.Fatalf("%+v on %v: %d pairs are apart, at best %d", g, nodes, cut, best)
		}
		found += cut
		least += best
	})
	if found*20 > least*21 {
		t.Errorf("%d pairs are apart, at best %d", found, least)
	}
}
