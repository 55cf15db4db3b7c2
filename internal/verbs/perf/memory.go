package perf

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Memory is what one idle peer costs, in bytes: an RC connection, or a UD or RD peer of one queue pair. Negative
// values are noise around nothing.
type Memory struct {
	Kind   string  `json:"kind"`
	Peers  int     `json:"peers"`
	Heap   float64 `json:"heap"`   // of the client's process
	RSS    float64 `json:"rss"`    // of the client's process, heap included
	Kernel float64 `json:"kernel"` // of the host: slab memory and socket buffers; the server's too if that is here
}

// fewPeers is the number that Memory compares with, so that what a device costs by itself cancels out.
const fewPeers = 16

// Memory measures what each of so many peers costs. The two processes exchange one message with every peer and
// leave it alone; then memory is compared with that after the same with only a few peers.
func (s *Session) Memory(ctx context.Context, w Way, peers int) (Memory, error) {
	m := Memory{Kind: w.Kind, Peers: peers}
	if peers <= fewPeers {
		return m, fmt.Errorf("%d peers are too few to measure: take more than %d", peers, fewPeers)
	}
	var used [3]usage // the first settles what earlier work left behind
	for i, n := range []int{fewPeers, fewPeers, peers} {
		var err error
		if used[i], err = s.idlePeers(w, n); err != nil {
			return m, fmt.Errorf("%d peers: %w", n, err)
		}
		if ctx.Err() != nil {
			return m, context.Cause(ctx)
		}
	}
	more := float64(peers - fewPeers)
	m.Heap = (used[2].heap - used[1].heap) / more
	m.RSS = (used[2].rss - used[1].rss) / more
	m.Kernel = (used[2].kernel - used[1].kernel) / more
	return m, nil
}

// idlePeers opens a way to n peers, uses each once and returns what memory is in use then.
func (s *Session) idlePeers(w Way, n int) (usage, error) {
	theirs, mine := w, w
	theirs.QPs, mine.QPs = n, n
	if w.Kind != RC {
		mine.QPs = 1
	}
	way := len(s.ends)
	if _, err := s.openEnds(theirs, mine); err != nil {
		return usage{}, err
	}
	s.ways[way].QPs = n
	if _, err := s.Run(way, Batch{Op: verbs.Send, Shape: PingPong, QPs: n, Size: w.MaxSize, Iterations: 1, InTurn: true}); err != nil {
		return usage{}, err
	}
	used, err := memoryUsed()
	if err != nil {
		return usage{}, err
	}
	return used, s.CloseWay(way)
}

// usage is memory in bytes.
type usage struct{ heap, rss, kernel float64 }

// memoryUsed collects garbage and reads what is left.
func memoryUsed() (usage, error) {
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return usage{}, err
	}
	meminfo, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return usage{}, err
	}
	sockets, err := os.ReadFile("/proc/net/sockstat")
	if err != nil {
		return usage{}, err
	}
	rss, err := kilobytes(string(status), "VmRSS")
	if err != nil {
		return usage{}, err
	}
	slab, err := kilobytes(string(meminfo), "Slab")
	if err != nil {
		return usage{}, err
	}
	buffers := socketPages(string(sockets)) * os.Getpagesize()
	return usage{heap: float64(stats.HeapAlloc), rss: float64(rss), kernel: float64(slab + buffers)}, nil
}

// kilobytes reads a line "Name: 123 kB" and returns bytes.
func kilobytes(text, name string) (int, error) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			if fields := strings.Fields(rest); len(fields) == 2 && fields[1] == "kB" {
				if v, err := strconv.Atoi(fields[0]); err == nil && v >= 0 && v < 1<<40 {
					return v * kib, nil
				}
			}
		}
	}
	return 0, fmt.Errorf("the kernel does not tell %s in a form that is known here", name)
}

// socketPages adds up the pages of socket buffers that /proc/net/sockstat tells: lines "TCP: inuse 5 ... mem 2".
func socketPages(text string) int {
	pages := 0
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		for i, f := range fields[:max(0, len(fields)-1)] {
			if v, err := strconv.Atoi(fields[i+1]); f == "mem" && err == nil {
				pages += v
			}
		}
	}
	return pages
}
