package mpi_test

import (
	"path/filepath"
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

// BenchmarkProfile is what it costs to count a call: that of an empty one, and of one that is counted.
func BenchmarkProfile(b *testing.B) {
	b.Setenv("WEFT_CHECK", "off")
	for name, file := range map[string]string{"off": "", "on": filepath.Join(b.TempDir(), "profile")} {
		b.Setenv("WEFT_PROFILE", file)
		err := mpi.Run(1, func(w *mpi.Comm) error {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_ = mpi.Send(w, []byte(nil), mpi.ProcNull, 0)
				}
			})
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
