package main

import (
	"fmt"
	"os"

	"github.com/weft-mpi/weft/internal/verbs/perf"
)

// way describes what the options ask for, for one queue pair or many.
func (o *verbsOptions) way() perf.Way {
	w := perf.Way{Kind: o.kind, QPs: 1, TxDepth: perf.DefaultTxDepth, RxDepth: perf.DefaultRxDepth, Inline: max(o.inline, 0),
		NoCRC: o.noCRC, Markers: o.markers, NoOffload: o.noOffload, Datagram: o.datagram}
	if o.test.Multi || o.test.Name == "mem" {
		w.TxDepth, w.RxDepth = perf.ManyTxDepth, perf.ManyRxDepth
	}
	if o.tx > 0 {
		w.TxDepth = o.tx
	}
	if o.rx > 0 {
		w.RxDepth = o.rx
	}
	return w
}

// allSizes are the sizes of -a.
func allSizes() []int {
	var sizes []int
	for size := 2; size <= 8<<20; size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// plan turns the options into what the session runs. Sizes that no message of the type can have are left out of -a,
// with a word about it.
func (o *verbsOptions) plan(s *perf.Session) (perf.Plan, error) {
	p := perf.Plan{Test: o.test, Way: o.way(), Sizes: o.sizes, Iterations: o.iterations, Duration: o.duration, QPs: []int{1},
		Both: o.both || o.test.Multi && o.test.Shape == perf.Stream}
	switch {
	case o.test.Multi:
		p.QPs = perf.MultiCounts(max(o.qps, 1))
		if o.qps == 0 {
			p.QPs = perf.MultiCounts(256)
		}
	case o.qps > 0:
		p.QPs = []int{o.qps}
	}
	kinds := []string{o.kind}
	if o.compare != "" {
		kinds = append(kinds, o.otherKind())
	}
	if o.all {
		limit := 8 << 20
		for _, kind := range kinds {
			longest, err := longestOf(s, p.Way, kind)
			if err != nil {
				return p, err
			}
			limit = min(limit, longest)
		}
		p.Sizes = nil
		for _, size := range allSizes() {
			if size <= limit {
				p.Sizes = append(p.Sizes, size)
			}
		}
		if limit < 8<<20 {
			fmt.Fprintf(os.Stderr, "weft verbs: a message here has at most %d bytes; longer sizes are left out\n", limit)
		}
	}
	if len(p.Sizes) == 0 {
		p.Sizes = []int{o.test.Size}
		longest, err := longestOf(s, p.Way, o.kind)
		if err != nil {
			return p, err
		}
		p.Sizes[0] = min(p.Sizes[0], longest)
	}
	return p, p.Complete()
}

// longestOf is the longest message of a kind of way.
func longestOf(s *perf.Session, w perf.Way, kind string) (int, error) {
	switch kind {
	case perf.TCP:
		return perf.MaxSize, nil
	case perf.UDP:
		return perf.LongestDatagram, nil
	}
	w.Kind = kind
	caps, err := s.Caps(w)
	return perf.MaxSizeOf(kind, caps), err
}

// otherKind is the kind of way that --compare names.
func (o *verbsOptions) otherKind() string {
	switch o.compare {
	case "rc":
		return perf.RC
	case "ud":
		return perf.UD
	case "rd":
		return perf.RD
	}
	return perf.RawOf(o.kind)
}
