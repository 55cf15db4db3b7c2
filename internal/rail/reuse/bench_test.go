package reuse_test

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// BenchmarkUse compares the indexes as they fill.
func BenchmarkUse(b *testing.B) {
	for name, index := range map[string]reuse.Index{"hash": reuse.Hash, "tree": reuse.Tree} {
		for _, buffers := range []int{16, 1024, 16384} {
			b.Run(fmt.Sprintf("%s/%d", name, buffers), func(b *testing.B) {
				t, err := reuse.New(reuse.Config{Thresholds: reuse.PaperThresholds, Index: index, Adapt: -1, Entries: 1 << 20})
				if err != nil {
					b.Fatal(err)
				}
				memory := make([]byte, buffers*256)
				i := 0
				b.ReportAllocs()
				for b.Loop() {
					i = (i*5 + 1021) % buffers
					t.Use(memory[i*256:(i+1)*256], reuse.Fast)
				}
			})
		}
	}
}

// BenchmarkMeasure is what the first small message pays on the software device, and prints what it learns.
func BenchmarkMeasure(b *testing.B) {
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer dev.Close()
	pd, err := dev.NewPD()
	if err != nil {
		b.Fatal(err)
	}
	cache, err := regcache.New(regcache.Config{Registrar: pd, Entries: 1024, Bytes: regcache.DefaultBytes})
	if err != nil {
		b.Fatal(err)
	}
	pair := func(buf []byte) {
		if e, err := cache.Acquire(buf, 0); err == nil {
			cache.Release(e)
		}
	}
	var costs reuse.Costs
	for b.Loop() {
		costs, err = reuse.Measure(reuse.Meter{Now: clock.Now, Search: pair, Register: func(buf []byte) error {
			mr, err := pd.Register(buf, 0)
			if err != nil {
				return err
			}
			return mr.Close()
		}})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%+v: %v", costs, costs.Thresholds()[reuse.Fast])
}
