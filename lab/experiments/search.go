package experiments

import (
	"context"
	"math"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/lab"
)

var searchExperiment = lab.Experiment{
	ID: "F5.4",
	Explain: [2]string{
		"Before a small message leaves, the library looks up how often its buffer was used. The figure compares two ways to remember buffers, a hash table and a balanced tree, as the number of buffers grows: if the search takes longer than the copy it may save, nothing is gained.",
		"Both are the ones that Weft uses (WEFT_LAB_REUSE_TABLE). The hash table has the 2^20 buckets of the original; buffers are looked up in an order that the processor's caches cannot foresee. A tree of n buffers needs log2 n steps, of which each is likely to miss the cache; the hash table needs one or two.",
	},
	Run: searchTime,
}

// searchTime measures how long a look-up takes in tables of growing size. It is the processor of this host that is
// measured, whatever the platform.
func searchTime(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.4")
	b.UseHost()
	p := r.AddPanel("Search time of the table of buffers", lab.Axis{Label: "buffers", Scale: lab.Sizes}, lab.Axis{Label: "search", Unit: "ns", Scale: lab.Log})
	hash, tree := p.Line("hash table"), p.Line("tree")
	const most = 1 << 20
	memory := make([]byte, most*searchStride+searchLength)
	for _, n := range b.Sizes(16, most) {
		for line, index := range map[*lab.Series]reuse.Index{hash: reuse.Hash, tree: reuse.Tree} {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			nano, err := lookUp(index, memory, n)
			if err != nil {
				return nil, err
			}
			line.Add(float64(n), nano)
		}
	}
	r.Hold(lab.Prediction,
		lab.RatioAt("at 1M buffers the tree takes at least 3 times the hash table", tree, hash, most, 3).Since(slowly),
		lab.AtMost("the hash table's growth is at most a third of the tree's", 1.0/3, growth(hash)/growth(tree), "times").Since(slowly),
	)
	return r, nil
}

const slowly = "the document says very slowly, compared to the tree, without a number"

// growth is by how many nanoseconds a line rises from its first place to its last.
func growth(s *lab.Series) float64 {
	if len(s.Points) < 2 {
		return math.NaN()
	}
	return s.Points[len(s.Points)-1].Y - s.Points[0].Y
}

// Buffers overlap, so that a million of them need little memory: only their addresses count.
const (
	searchStride = 64
	searchLength = 1024
	searchBatch  = 20_000
	searchTries  = 5
)

// lookUp returns the nanoseconds of one search among n buffers: the fastest of several batches, for others may use the
// processor too.
func lookUp(index reuse.Index, memory []byte, n int) (float64, error) {
	cfg := reuse.Original()
	cfg.Thresholds, cfg.Index, cfg.Adapt, cfg.Entries = reuse.PaperThresholds, index, -1, 2*n
	table, err := reuse.New(cfg)
	if err != nil {
		return 0, err
	}
	use := func(i int) { table.Use(memory[i*searchStride:][:searchLength], reuse.Fast) }
	for i := range n {
		use(i)
	}
	best, at := math.Inf(1), 1
	for range searchTries {
		start := clock.Now()
		for range searchBatch {
			at = (at*1664525 + 1013904223) % n // jumps about
			use(at)
		}
		best = min(best, float64(clock.Now()-start)/searchBatch)
	}
	return best, nil
}
