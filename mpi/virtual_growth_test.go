package mpi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// growth is what TestVirtualGrowth measures: an operation, on clusters of nodes with eight ranks each.
type growth struct {
	name  string
	ranks []int
	quick int // ranks up to which it takes seconds
	env   []string
	f     func(*mpi.Comm) error
}

var allGrowth = []growth{
	{"barrier", []int{256, 1024, 4096, 16384}, 256, nil, mpi.Barrier},
	{"allreduce", []int{256, 1024, 4096, 16384}, 1024, nil, allreduceAll},
	{"alltoall", []int{64, 128, 256, 512}, 128, []string{"WEFT_LAB_SEND_BYTES=512K"}, alltoallAll},
	{"alltoall-ud", []int{64, 128, 256, 512, 1024}, 64, []string{"WEFT_LAB_SEND_BYTES=512K", "WEFT_CHANNEL=ud"}, alltoallAll},
}

// TestVirtualGrowth measures how time and memory grow with the ranks of a simulated job;
// docs/results/simulation.md has the table. One row, and all:
//
//	WEFT_SOAK=1 go test -v -run 'VirtualGrowth/alltoall-ud/1024$' ./mpi
//	WEFT_SOAK=1 go test -v -run VirtualGrowth ./mpi
func TestVirtualGrowth(t *testing.T) {
	oneThread(t)
	for _, g := range allGrowth {
		for _, n := range g.ranks {
			t.Run(fmt.Sprintf("%s/%d", g.name, n), func(t *testing.T) {
				switch {
				case os.Getenv("WEFT_SOAK") != "":
				case n > g.quick:
					t.Skip("left out unless WEFT_SOAK=1: the largest take a minute and gigabytes")
				case n > 64 && testing.Short():
					t.Skip("left out of short tests: takes seconds, on a busy machine half a minute")
				}
				g.run(t, n)
			})
		}
	}
}

// run runs the operation once and tells what it took.
func (g *growth) run(t *testing.T, ranks int) {
	j := &cluster{profile: "connectx-ddr", nodes: ranks / 8, ranks: ranks, env: append([]string{"WEFT_LAB_VBUF=2K"}, g.env...)}
	start := time.Now()
	memory := 0
	var at float64
	err := j.run(t, func(w *mpi.Comm) error {
		if err := g.f(w); err != nil {
			return err
		}
		if at = max(at, w.Wtime()); w.Rank() == 0 {
			memory = resident()
		}
		return nil
	})
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	sent := uint64(0)
	for node := range j.nodes {
		passed, err := j.fab.Traffic(node, 0)
		if err != nil {
			t.Fatal(err)
		}
		sent += passed.Sent
	}
	if sent < uint64(ranks) {
		t.Errorf("%d messages between %d nodes", sent, j.nodes)
	}
	switches, _ := j.s.Stats()
	t.Logf("%d ranks: %.0f us of virtual time in %.2f s, %d messages between nodes, %.0f in a second, %d switches, %d MB",
		ranks, at*1e6, took.Seconds(), sent, float64(sent)/took.Seconds(), switches, memory>>20)
}

// resident is how much memory the process has, 0 if nobody can tell.
func resident() (bytes int) {
	text, _ := os.ReadFile("/proc/self/statm")
	if f := strings.Fields(string(text)); len(f) > 1 {
		_, _ = fmt.Sscan(f[1], &bytes)
	}
	return bytes * os.Getpagesize()
}

func allreduceAll(c *mpi.Comm) error {
	var sum [1]int
	if err := mpi.Allreduce(c, []int{c.Rank()}, sum[:], mpi.Sum); err != nil {
		return err
	}
	if n := c.Size(); sum[0] != n*(n-1)/2 {
		return fmt.Errorf("the sum is %d", sum[0])
	}
	return nil
}

// alltoallAll exchanges 1 KB each with each.
func alltoallAll(c *mpi.Comm) error {
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
}
