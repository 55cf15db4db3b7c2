package coll

import (
	"math"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

func TestValidateRefuses(t *testing.T) {
	two := []int{4, 4}
	for name, c := range map[string]Case{
		"operation":        {Op: ops, Ranks: 1},
		"no ranks":         {Op: Barrier},
		"rank":             {Op: Barrier, Rank: 2, Ranks: 2},
		"negative rank":    {Op: Barrier, Rank: -1, Ranks: 2},
		"root":             {Op: Bcast, Ranks: 2, Root: 2},
		"negative bytes":   {Op: Bcast, Ranks: 2, Bytes: -1},
		"too many bytes":   {Op: Gather, Ranks: 3, Bytes: math.MaxInt / 2},
		"split element":    {Op: Allreduce, Ranks: 2, Bytes: 6, Elem: 4},
		"segment":          {Op: Bcast, Ranks: 2, Segment: -1},
		"missing counts":   {Op: Allgatherv, Ranks: 2},
		"missing displs":   {Op: Allgatherv, Ranks: 2, RecvCounts: two},
		"missing send":     {Op: Alltoallv, Ranks: 2, RecvCounts: two, RecvDispls: two},
		"too few counts":   {Op: ReduceScatter, Ranks: 3, RecvCounts: two},
		"negative count":   {Op: ReduceScatter, Ranks: 2, RecvCounts: []int{4, -4}},
		"sum of counts":    {Op: ReduceScatter, Ranks: 2, RecvCounts: []int{math.MaxInt, 1}},
		"split in counts":  {Op: ReduceScatter, Ranks: 2, Elem: 4, RecvCounts: []int{4, 3}},
		"negative displ":   {Op: Gatherv, Ranks: 2, RecvCounts: two, RecvDispls: []int{0, -1}},
		"far displ":        {Op: Scatterv, Ranks: 2, SendCounts: two, SendDispls: []int{0, math.MaxInt}},
		"unwanted counts":  {Op: Allgather, Ranks: 2, RecvCounts: two},
		"unwanted to send": {Op: Scatter, Ranks: 2, SendCounts: two},
	} {
		if c.Validate() == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for name, c := range map[string]Case{
		"root is ignored":   {Op: Allreduce, Ranks: 2, Root: 7},
		"counts at others":  {Op: Gatherv, Rank: 1, Ranks: 2},
		"in place alltoall": {Op: Alltoallv, Ranks: 2, RecvCounts: two, RecvDispls: []int{4, 0}, InPlace: true},
	} {
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLens(t *testing.T) {
	for _, c := range []struct {
		name string
		c    Case
		want plan.Lens
	}{
		{"barrier", Case{Op: Barrier, Ranks: 3}, plan.Lens{}},
		{"bcast", Case{Op: Bcast, Ranks: 3, Bytes: 8}, plan.Lens{Out: 8}},
		{"reduce at the root", Case{Op: Reduce, Ranks: 3, Bytes: 8}, plan.Lens{In: 8, Out: 8}},
		{"reduce elsewhere", Case{Op: Reduce, Rank: 1, Ranks: 3, Bytes: 8, InPlace: true}, plan.Lens{In: 8}},
		{"reduce in place", Case{Op: Reduce, Ranks: 3, Bytes: 8, InPlace: true}, plan.Lens{Out: 8}},
		{"gather", Case{Op: Gather, Ranks: 3, Bytes: 8}, plan.Lens{In: 8, Out: 24}},
		{"scatter in place", Case{Op: Scatter, Ranks: 3, Bytes: 8, InPlace: true}, plan.Lens{In: 24}},
		{"allgatherv", Case{Op: Allgatherv, Rank: 1, Ranks: 2, RecvCounts: []int{1, 2}, RecvDispls: []int{9, 0}},
			plan.Lens{In: 2, Out: 10}},
		{"reduce_scatter", Case{Op: ReduceScatter, Rank: 1, Ranks: 2, RecvCounts: []int{1, 2}}, plan.Lens{In: 3, Out: 2}},
		{"reduce_scatter in place", Case{Op: ReduceScatter, Rank: 1, Ranks: 2, RecvCounts: []int{1, 2}, InPlace: true},
			plan.Lens{Out: 3}},
	} {
		if got := c.c.Lens(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestCrowdedNeedsBothNumbers(t *testing.T) {
	for _, c := range []struct {
		local, cores int
		want         bool
	}{{0, 0, false}, {4, 0, false}, {4, 4, false}, {5, 4, true}} {
		if got := (Case{Local: c.local, Cores: c.cores}).Crowded(); got != c.want {
			t.Errorf("%d ranks on %d cores: crowded is %v", c.local, c.cores, got)
		}
	}
}

func TestSplitKeepsElementsWhole(t *testing.T) {
	for _, parts := range []int{1, 2, 3, 7, 16} {
		for elems := range 40 {
			offs := split(elems*4, 4, parts)
			if offs[0] != 0 || offs[parts] != elems*4 {
				t.Fatalf("%d elements in %d parts: %v", elems, parts, offs)
			}
			for i := range parts {
				if n := offs[i+1] - offs[i]; n%4 != 0 || n < elems/parts*4 || n > (elems/parts+1)*4 {
					t.Fatalf("%d elements in %d parts: %v", elems, parts, offs)
				}
			}
		}
	}
}

func TestFoldIsABijectionThatKeepsWhoMustStay(t *testing.T) {
	for ranks := 1; ranks <= 40; ranks++ {
		for keep := -1; keep < ranks; keep++ {
			f := newFold(ranks, keep)
			stay := 0
			for rank := range ranks {
				if !f.stays(rank) {
					if rank == keep || !f.stays(rank^1) {
						t.Fatalf("%d ranks, keep %d: %d drops out", ranks, keep, rank)
					}
					continue
				}
				stay++
				if f.rank(f.index(rank)) != rank {
					t.Fatalf("%d ranks, keep %d: %d has index %d, which is %d", ranks, keep, rank, f.index(rank), f.rank(f.index(rank)))
				}
			}
			if stay != f.pow {
				t.Fatalf("%d ranks, keep %d: %d stay, not %d", ranks, keep, stay, f.pow)
			}
		}
	}
}

func TestSegment(t *testing.T) {
	for _, c := range []struct{ bytes, asked, want int }{
		{100, 0, 32 << 10},
		{64 * 40000, 0, 40000},
		{64*40000 + 1, 0, 40001},
		{1 << 20, 512, 512},
	} {
		if got := (Case{Bytes: c.bytes, Segment: c.asked}).segment(); got != c.want {
			t.Errorf("%d bytes, asked for %d: segments of %d, want %d", c.bytes, c.asked, got, c.want)
		}
	}
}
