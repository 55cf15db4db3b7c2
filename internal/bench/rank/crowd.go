package rank

import (
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// crowd runs the memory test: everyone sends to everyone, then each says how much it has grown.
type crowd struct {
	world     *mpi.Comm
	before    float64
	out, in   []byte
	mine, all []float64
}

const tagCrowd = 30

func newCrowd(world *mpi.Comm, c bench.Case) *crowd {
	bytes := largest(c.Steps)
	return &crowd{world: world, before: c.Resident, out: alignedBytes(bytes), in: alignedBytes(bytes),
		mine: make([]float64, 1), all: make([]float64, world.Size())}
}

// resident sends s.Iterations messages from each to each and returns the megabytes that processes have grown by since
// before they joined the job: the mean, and the least and most of any rank.
func (c *crowd) resident(s bench.Step) (bench.Row, error) {
	row := bench.Row{Size: s.Size, Share: s.Share, Iterations: s.Iterations}
	rank, ranks := c.world.Rank(), c.world.Size()
	for range s.Iterations {
		for shift := 1; shift < ranks; shift++ {
			to, from := (rank+shift)%ranks, (rank+ranks-shift)%ranks
			if _, err := mpi.Sendrecv(c.world, c.out[:s.Size], to, tagCrowd, c.in[:s.Size], from, tagCrowd); err != nil {
				return row, err
			}
		}
	}
	debug.FreeOSMemory() // garbage of the start is nobody's need
	c.mine[0] = max(ResidentMegabytes()-c.before, 0)
	if err := mpi.Gather(c.world, c.mine, c.all, 0); err != nil || rank != 0 {
		return row, err
	}
	for _, v := range c.all {
		row.Value += v / float64(ranks)
	}
	row.Min, row.Max = slices.Min(c.all), slices.Max(c.all)
	return row, nil
}

// ResidentMegabytes returns the memory (2^20 bytes) of this process that is neither program text nor a mapped file:
// anonymous pages and shared memory. 0 when the system does not say.
func ResidentMegabytes() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return parseResident(string(text))
}

func parseResident(status string) float64 {
	total := 0.0
	for line := range strings.Lines(status) {
		key, value, _ := strings.Cut(line, ":")
		if key != "RssAnon" && key != "RssShmem" {
			continue
		}
		if kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64); err == nil && kilobytes > 0 {
			total += kilobytes / 1024
		}
	}
	return total
}
