package mpi_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// TestVirtualScale: a thousand ranks reduce, and 256 exchange 1 KB each with each.
func TestVirtualScale(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: takes half a minute on a busy machine, and a gigabyte")
	}
	for _, c := range []struct {
		name  string
		ranks int
		f     func(*mpi.Comm) error
	}{
		{"allreduce", 1024, func(c *mpi.Comm) error {
			x, sum := make([]int, 128), make([]int, 128)
			x[5] = c.Rank()
			if err := mpi.Allreduce(c, x, sum, mpi.Sum); err != nil {
				return err
			}
			if n := c.Size(); sum[5] != n*(n-1)/2 {
				return fmt.Errorf("the sum is %d", sum[5])
			}
			return nil
		}},
		{"alltoall", 256, func(c *mpi.Comm) error {
			out, in := make([]byte, 1024*c.Size()), make([]byte, 1024*c.Size())
			for i := range c.Size() {
				out[1024*i+77] = byte(c.Rank() ^ i)
			}
			if err := mpi.Alltoall(c, out, in); err != nil {
				return err
			}
			for i := range c.Size() {
				if in[1024*i+77] != byte(c.Rank()^i) {
					return fmt.Errorf("from rank %d: %d", i, in[1024*i+77])
				}
			}
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) { scale(t, c.ranks, c.f) })
	}
}

// scale runs a program and tells what it took.
func scale(t *testing.T, ranks int, f func(*mpi.Comm) error) {
	j := &cluster{profile: "connectx-ddr", nodes: ranks / 8, ranks: ranks, env: []string{"WEFT_VBUF=2K", "WEFT_SEND_BYTES=512K"}}
	start := time.Now()
	var at float64
	var heap uint64
	err := j.run(t, func(w *mpi.Comm) error {
		if err := f(w); err != nil {
			return err
		}
		if at = max(at, w.Wtime()); w.Rank() == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap = m.HeapAlloc
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	switches, events := j.s.Stats()
	var frames uint64
	for _, r := range j.crew.Ranks {
		_, l := r.Counters()
		frames += l.Counters.EagerSR
	}
	took := time.Since(start)
	t.Logf("%d ranks: %.6f s of virtual time in %v; %d switches, %d events, %d frames, %d KB of heap per rank",
		ranks, at, took.Round(time.Millisecond), switches, events, frames, heap>>10/uint64(ranks))
}

// BenchmarkVirtualMessages measures how many messages a second of the host simulates.
func BenchmarkVirtualMessages(b *testing.B) {
	for _, ranks := range []int{2, 16, 256} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			j := &cluster{profile: "connectx-ddr", nodes: ranks, ranks: ranks}
			err := j.run(b, func(c *mpi.Comm) error {
				msg := make([]byte, 8)
				right, left := (c.Rank()+1)%ranks, (c.Rank()+ranks-1)%ranks
				for range b.N/ranks + 1 {
					if _, err := mpi.Sendrecv(c, msg, right, 0, msg, left, 0); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}
