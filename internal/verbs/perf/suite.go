package perf

import (
	"context"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Bar is one promise about a ratio between two ways.
type Bar struct {
	Name   string
	Test   string
	Sizes  []int
	Both   bool
	Ours   Way
	Theirs Way
	Limit  float64
	AtMost bool    // the ratio is at most Limit; otherwise at least
	Share  float64 // of the sizes must keep it; 0: all
}

// smallSizes are the powers of two below 64 KB.
func smallSizes() []int {
	var sizes []int
	for size := 2; size < 64*kib; size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// Bars lists the promises that `weft verbs suite` measures.
func Bars() []Bar {
	rc, ud, rd, tcp, udp := Way{Kind: RC}, Way{Kind: UD}, Way{Kind: RD}, Way{Kind: TCP}, Way{Kind: UDP}
	plain := Way{Kind: RC, NoCRC: true}
	return []Bar{
		{Name: "RC Send latency, 64 B", Test: "send_lat", Sizes: []int{64}, Ours: rc, Theirs: tcp, Limit: 1.15, AtMost: true},
		{Name: "RC Write bandwidth, 1 MB, CRC off", Test: "write_bw", Sizes: []int{mib}, Ours: plain, Theirs: tcp, Limit: 0.85},
		{Name: "RC Write bandwidth, 1 MB, CRC on", Test: "write_bw", Sizes: []int{mib}, Ours: rc, Theirs: tcp, Limit: 0.60},
		{Name: "UD Send latency, 64 B", Test: "send_lat", Sizes: []int{64}, Ours: ud, Theirs: udp, Limit: 1.15, AtMost: true},
		{Name: "UD Send latency, 2 B-32 KB", Test: "send_lat", Sizes: smallSizes(), Ours: ud, Theirs: rc, Limit: 1, AtMost: true, Share: 0.8},
		{Name: "UD both-way bandwidth, 2 KB", Test: "send_bw", Sizes: []int{2 * kib}, Both: true, Ours: ud, Theirs: rc, Limit: 1.10},
		{Name: "RD bandwidth, 64 KB", Test: "send_bw", Sizes: []int{64 * kib}, Ours: rd, Theirs: rc, Limit: 0.80},
	}
}

// Measured is a bar and what was found.
type Measured struct {
	Name       string        `json:"name"`
	Against    string        `json:"against"`
	Bar        string        `json:"bar"`
	Ratio      bench.Summary `json:"ratio"`
	Sizes      int           `json:"sizes"`
	Kept       int           `json:"kept"` // sizes whose median ratio keeps the limit
	Pass       bool          `json:"pass"`
	Near       bool          `json:"near"` // the quartiles reach across the limit
	Comparison Comparison    `json:"comparison"`
}

// Report is the outcome of the suite.
type Report struct {
	Started  time.Time  `json:"started"`
	Finished time.Time  `json:"finished"`
	Host     bench.Host `json:"host"`
	Peer     string     `json:"peer"`
	Bars     []Measured `json:"bars"`
	Multi    [2][]Row   `json:"multi"` // multi_lat, multi_bw
}

// multiTests are the tests of many connections that belong to the suite.
var multiTests = [2]string{"multi_lat", "multi_bw"}

// Passed counts the bars that are kept.
func (r Report) Passed() int {
	n := 0
	for _, b := range r.Bars {
		if b.Pass {
			n++
		}
	}
	return n
}

// text says what is promised.
func (b Bar) text() string {
	sign := ">="
	if b.AtMost {
		sign = "<="
	}
	text := fmt.Sprintf("%s %.2f", sign, b.Limit)
	if b.Share > 0 {
		text += fmt.Sprintf(" at %.0f%% of sizes", 100*b.Share)
	}
	return text
}

// keeps tells whether a ratio keeps the limit.
func (b Bar) keeps(ratio float64) bool {
	if b.AtMost {
		return ratio <= b.Limit
	}
	return ratio >= b.Limit
}

// judge holds a comparison against the bar. With several sizes the ratio shown is the distribution of their medians.
func (b Bar) judge(cmp Comparison) Measured {
	m := Measured{Name: b.Name, Against: cmp.Theirs, Bar: b.text(), Sizes: len(cmp.Points), Comparison: cmp}
	var medians []float64
	for _, p := range cmp.Points {
		medians = append(medians, p.Ratio.Median)
		if p.Ratio.Count > 0 && b.keeps(p.Ratio.Median) {
			m.Kept++
		}
	}
	m.Ratio = bench.Summarize(medians)
	if len(cmp.Points) == 1 {
		m.Ratio = cmp.Points[0].Ratio
		m.Near = b.keeps(m.Ratio.Q1) != b.keeps(m.Ratio.Q3)
	}
	share := b.Share
	if share == 0 {
		share = 1
	}
	m.Pass = m.Sizes > 0 && float64(m.Kept) >= share*float64(m.Sizes)
	return m
}

// Depths of queues by default: those of the perftest tools for one queue pair, and few for many.
const (
	DefaultTxDepth = 128
	DefaultRxDepth = 512
	ManyTxDepth    = 16
	ManyRxDepth    = 64
)

// complete gives a way its defaults.
func (w Way) complete(maxSize int) Way {
	w.QPs, w.TxDepth, w.RxDepth, w.MaxSize = 1, DefaultTxDepth, DefaultRxDepth, maxSize
	return w
}

// RunBar measures one bar.
func (s *Session) RunBar(ctx context.Context, b Bar, rounds int, tick func()) (Measured, error) {
	test, err := Find(b.Test)
	if err != nil {
		return Measured{}, err
	}
	longest := b.Sizes[len(b.Sizes)-1]
	plan := Plan{Test: test, Way: b.Ours.complete(longest), Sizes: b.Sizes, QPs: []int{1}, Both: b.Both}
	other := Other{Way: b.Theirs.complete(longest), Op: test.Op}
	if typeOf(b.Theirs.Kind) == 0 {
		other.Op = verbs.Send
	}
	cmp, err := s.Compare(ctx, plan, other, rounds, tick)
	if err != nil {
		return Measured{}, fmt.Errorf("%s: %w", b.Name, err)
	}
	return b.judge(cmp), nil
}

// MultiCounts are the numbers of queue pairs of the multi tests, up to a largest.
func MultiCounts(most int) []int {
	var counts []int
	for n := 1; n <= most; n *= 2 {
		counts = append(counts, n)
	}
	return counts
}

// MultiPlan is the plan of a test over 1 to 256 RC queue pairs.
func MultiPlan(name string) (Plan, error) {
	test, err := Find(name)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Test: test, Way: Way{Kind: RC, TxDepth: ManyTxDepth, RxDepth: ManyRxDepth}, Sizes: []int{test.Size},
		QPs: MultiCounts(256), Both: test.Shape == Stream}
	return p, p.Complete()
}

// SuiteSteps is how often RunSuite calls tick.
func SuiteSteps(rounds int) int { return len(Bars())*(rounds+1) + 2*len(MultiCounts(256)) }

// RunSuite measures every bar, then many connections. tick names what it is about.
func (s *Session) RunSuite(ctx context.Context, rounds int, tick func(string)) (Report, error) {
	r := Report{Started: time.Now(), Host: bench.Observe(), Peer: s.Peer}
	for _, b := range Bars() {
		m, err := s.RunBar(ctx, b, rounds, func() { tick(b.Name) })
		if err != nil {
			return r, err
		}
		r.Bars = append(r.Bars, m)
	}
	for i, name := range multiTests {
		p, err := MultiPlan(name)
		if err == nil {
			err = s.RunPlan(ctx, p, func(row Row) error {
				r.Multi[i] = append(r.Multi[i], row)
				tick(name)
				return nil
			})
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	r.Host.Done()
	r.Finished = time.Now()
	return r, nil
}
