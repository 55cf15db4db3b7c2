package coll

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// BenchmarkCounts is what a call costs whose counts no call has had before: the choice, and the plan.
func BenchmarkCounts(b *testing.B) {
	for _, op := range []Op{Gatherv, Scatterv, Allgatherv, Alltoallv, ReduceScatter} {
		for _, ranks := range []int{2, 4, 8} {
			c := Case{Op: op, Ranks: ranks, Bytes: 64, Elem: 8, Commutative: true, Local: ranks, Cores: 2, Nodes: make([]int, ranks), Shares: true, Fetches: true}
			counts, displs := slices.Repeat([]int{64}, ranks), make([]int, ranks)
			for i := range displs {
				displs[i] = 64 * i
			}
			switch op {
			case Scatterv:
				c.SendCounts, c.SendDispls = counts, displs
			case Alltoallv:
				c.SendCounts, c.SendDispls = counts, displs
				fallthrough
			default:
				c.RecvCounts, c.RecvDispls = counts, displs
			}
			s := Default()
			b.Run(fmt.Sprintf("choose/%s/%d", op, ranks), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.Choose(c)
				}
			})
			a, _ := s.Choose(c)
			b.Run(fmt.Sprintf("%s/%d", a.Name, ranks), func(b *testing.B) {
				b.ReportAllocs()
				var in plan.Builder
				for b.Loop() {
					a.PlanIn(&in, c)
				}
			})
		}
	}
}
