package mpi_test

import (
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// BenchmarkAlone is what a collective costs before any message: one rank, nothing to send.
func BenchmarkAlone(b *testing.B) {
	err := mpi.Run(1, func(w *mpi.Comm) error {
		x, y := []float64{1}, []float64{0}
		b.Run("barrier", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = mpi.Barrier(w)
			}
		})
		b.Run("allreduce", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = mpi.Allreduce(w, x, y, mpi.Sum)
			}
		})
		b.Run("bcast", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = mpi.Bcast(w, x, 0)
			}
		})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
