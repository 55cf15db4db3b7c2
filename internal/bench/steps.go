package bench

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Step is one message size and how often it is measured. A batch is a timed loop of Iterations operations; the
// value of the step is the median over its batches, so one disturbed batch does not spoil it. A plain run has
// one batch, which makes the value the mean that the OSU suite prints.
type Step struct {
	Size       int // bytes
	Iterations int // operations in one timed batch
	Warmup     int // operations before the first batch
	Batches    int

	Share int // a percentage, or a number, whose meaning is the test's (Test.ShareText)
	Work  int // nanoseconds of computation per iteration of an exchange; 0 lets the ranks derive it from Share
}

// Case is everything an implementation must know to measure one test.
type Case struct {
	Test     Test
	Ranks    int
	Hosts    string // that ranks run on, joined by commas, for the report; empty: this one
	Unbound  bool   // nobody is bound to a core, unless users ask for it: who computes needs another CPU for its traffic
	Window   int    // messages in flight per iteration of a Stream test
	Validate bool
	Steps    []Step
	Bars     []Bar    // what a comparison is held against
	Evidence []string // counters that show by which way messages went (see Counters.Under)

	Resident float64 // megabytes of a rank before it joined the job; the rank itself fills it in, for the memory test
}

// Limits on what a step list may ask for, so that a mistyped list ends in a message and not in a dead host.
const (
	maxSize       = 1 << 30
	maxIterations = 100_000_000
	maxBatches    = 100_000
	maxSteps      = 1000
	maxShare      = 10_000
	maxWork       = 2_000_000_000
)

// MaxWindow and MaxRanks bound the window of a Stream test and the ranks of a job.
const (
	MaxWindow = 1 << 16
	MaxRanks  = 1 << 16
)

// FormatSteps writes steps as size:iterations:warmup:batches:share:work, joined by commas. The same text goes to
// every implementation, which is how all of them come to run the same loops.
func FormatSteps(steps []Step) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d:%d:%d:%d:%d:%d", s.Size, s.Iterations, s.Warmup, s.Batches, s.Share, s.Work)
	}
	return b.String()
}

// FormatCases writes the tests of cases and their steps as NAME=STEPS, joined by slashes.
func FormatCases(cases []Case) string {
	var words []string
	for _, c := range cases {
		words = append(words, c.Test.Name+"="+FormatSteps(c.Steps))
	}
	return strings.Join(words, "/")
}

// ParseCases reads what FormatCases wrote.
func ParseCases(text string) ([]Case, error) {
	var cases []Case
	for word := range strings.SplitSeq(text, "/") {
		name, steps, found := strings.Cut(word, "=")
		if !found {
			return nil, fmt.Errorf("%q is no test and its steps: want NAME=STEPS", word)
		}
		t, err := Find(name)
		if err != nil {
			return nil, err
		}
		c := Case{Test: t}
		if c.Steps, err = ParseSteps(steps); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// ParseSteps reads what FormatSteps wrote and checks every number.
func ParseSteps(text string) ([]Step, error) {
	parts := strings.Split(text, ",")
	if len(parts) > maxSteps {
		return nil, fmt.Errorf("step list has %d entries, at most %d are allowed", len(parts), maxSteps)
	}
	steps := make([]Step, 0, len(parts))
	for _, part := range parts {
		s, err := parseStep(part)
		if err != nil {
			return nil, fmt.Errorf("step %q: %w", part, err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func parseStep(text string) (Step, error) {
	fields := strings.Split(text, ":")
	if len(fields) != 6 {
		return Step{}, errors.New("want size:iterations:warmup:batches:share:work")
	}
	limits := [6]struct{ low, high int }{{0, maxSize}, {1, maxIterations}, {0, maxIterations}, {1, maxBatches},
		{0, maxShare}, {0, maxWork}}
	var n [6]int
	for i, f := range fields {
		v, err := strconv.Atoi(f)
		if err != nil || v < limits[i].low || v > limits[i].high {
			return Step{}, fmt.Errorf("%q is not a number from %d to %d", f, limits[i].low, limits[i].high)
		}
		n[i] = v
	}
	return Step{Size: n[0], Iterations: n[1], Warmup: n[2], Batches: n[3], Share: n[4], Work: n[5]}, nil
}

// Range is an inclusive range of message sizes; Given tells whether the user chose each end.
type Range struct {
	Min, Max           int
	MinGiven, MaxGiven bool
}

// ParseRange reads the -m option: MAX, MIN:MAX or MIN:. Sizes take the suffixes K, M and G (powers of 1024).
func ParseRange(text string) (Range, error) {
	low, high, both := strings.Cut(text, ":")
	if !both {
		low, high = "", text
	}
	var r Range
	var err error
	if low != "" {
		if r.Min, err = ParseSize(low); err != nil {
			return Range{}, err
		}
		r.MinGiven = true
	}
	if high != "" {
		if r.Max, err = ParseSize(high); err != nil {
			return Range{}, err
		}
		r.MaxGiven = true
	}
	if !r.MinGiven && !r.MaxGiven {
		return Range{}, fmt.Errorf("size range %q names no size; want MAX or MIN:MAX", text)
	}
	if r.MinGiven && r.MaxGiven && r.Min > r.Max {
		return Range{}, fmt.Errorf("size range %q: the smallest size is above the largest", text)
	}
	return r, nil
}

// ParseSize reads a number of bytes with an optional suffix K, M or G.
func ParseSize(text string) (int, error) {
	digits, unit := text, 1
	if n := len(text); n > 0 {
		switch text[n-1] {
		case 'k', 'K':
			digits, unit = text[:n-1], kib
		case 'm', 'M':
			digits, unit = text[:n-1], mib
		case 'g', 'G':
			digits, unit = text[:n-1], 1<<30
		}
	}
	v, err := strconv.ParseUint(digits, 10, 40)
	if err != nil || v > maxSize/uint64(unit) {
		return 0, fmt.Errorf("message size %q is not a number of bytes from 0 to 1G", text)
	}
	return int(v) * unit, nil
}

// Sizes returns the ladder of a test in r: the smallest size, then powers of two. memory caps the bytes of one
// buffer, which for a Spread test holds a block for each rank. A range that leaves no size is an error.
func Sizes(t Test, r Range, ranks, memory int) ([]int, error) {
	if t.Sizeless {
		return []int{0}, nil
	}
	low, high := t.Smallest, t.Largest
	if r.MinGiven {
		low = max(r.Min, t.Smallest)
	}
	if r.MaxGiven {
		high = r.Max
	}
	if !r.MinGiven && low > high {
		low = high
	}
	if t.Shared {
		low = max(low, 4*ranks)
	}
	blocks := 1
	if t.Spread {
		blocks = ranks
	}
	high = min(high, memory/blocks)
	if t.Vector {
		low = (low + 3) / 4 * 4
	}
	if low > high {
		return nil, fmt.Errorf("%s on %d ranks: no message size from %d to %d bytes is possible (smallest %d, -M allows %d)",
			t.Name, ranks, r.Min, high, low, memory/blocks)
	}
	sizes := []int{low}
	next := 1
	for ; next <= low; next *= 2 {
	}
	for ; next <= high; next *= 2 {
		sizes = append(sizes, next)
	}
	return sizes, nil
}

// Loops overrides the default loop counts where a field is positive (Warmup: where WarmupGiven), and the shares
// at which each size is measured where there are some.
type Loops struct {
	Iterations  int
	Warmup      int
	WarmupGiven bool
	Shares      []int
}

// override changes steps accordingly, but for their shares.
func (l Loops) override(steps []Step) {
	for i := range steps {
		if l.Iterations > 0 {
			steps[i].Iterations = l.Iterations
		}
		if l.WarmupGiven {
			steps[i].Warmup = l.Warmup
		}
	}
}

// defaultShares returns the percentages at which a test is measured; tests without a share have the one 0.
func defaultShares(t Test) []int {
	switch {
	case t.Shape == Progress:
		return []int{50, 100, 200, 400}
	case t.Neighbours > 0:
		return []int{10, 20, 35, 50, 65, 80, 100, 150, 200}
	case t.Reuses:
		return []int{0, 50, 100}
	case t.Beside:
		return []int{0, 100}
	case t.Threads:
		return []int{1, 2, 4, 8, 16, 64}
	}
	return []int{0}
}

// ParseShares reads percentages joined by commas.
func ParseShares(text string) ([]int, error) {
	var shares []int
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.Atoi(strings.TrimSuffix(part, "%"))
		if err != nil || v < 0 || v > maxShare {
			return nil, fmt.Errorf("share %q is not a percentage from 0 to %d", part, maxShare)
		}
		shares = append(shares, v)
	}
	return shares, nil
}

// largeFrom is the size above which the OSU suite runs fewer iterations.
const largeFrom = 8 * kib

// PlainSteps returns the steps of a plain run, with the iteration counts of the OSU suite: one long batch each.
func PlainSteps(t Test, sizes []int, l Loops) []Step {
	return makeSteps(t, sizes, l, func(size int) Step {
		small := size <= largeFrom
		pick := func(s, large int) int {
			if small {
				return s
			}
			return large
		}
		switch t.Shape {
		case PingPong:
			if t.Spectrum {
				return Step{Iterations: 1000, Batches: 1}
			}
			if t.Beside {
				return studySteps(t, size)
			}
			return Step{Iterations: pick(10000, 1000), Warmup: pick(100, 10), Batches: 1}
		case Sided:
			return Step{Iterations: pick(10000, 1000), Warmup: pick(100, 10), Batches: 1}
		case Overlap, Progress, Cycle, Resident, Idle:
			return studySteps(t, size)
		case Stream:
			return Step{Iterations: pick(100, 20), Warmup: pick(10, 2), Batches: 1}
		default:
			return Step{Iterations: pick(1000, 100), Warmup: pick(100, 10), Batches: 1}
		}
	})
}

// RoundSteps returns the steps of one round of a comparison: many short batches, each small enough to fit
// between two interruptions of a shared host, and few enough bytes to keep a round in the order of a second.
// Every round is a new set of processes, so it warms up for as long as a few batches take: a program's first
// hundreds of messages meet memory that was never touched.
func RoundSteps(t Test, sizes []int, ranks, window int, l Loops) []Step {
	return makeSteps(t, sizes, l, func(size int) Step {
		bytes := max(size, 1)
		switch t.Shape {
		case Overlap, Progress, Cycle, Resident, Idle:
			return studySteps(t, size)
		case PingPong:
			if t.Beside {
				return studySteps(t, size)
			}
			if t.Spectrum {
				return Step{Iterations: 200, Batches: 1} // 20100 messages, in a process that has seen none of the buffers
			}
			n := clamp(4*mib/bytes, 5, 200)
			return Step{Iterations: n, Warmup: clamp(16*mib/bytes, 5, 2000), Batches: 21}
		case Sided: // short ones may be over within the resolution of a clock
			n := clamp(4*mib/bytes, 5, 1000)
			return Step{Iterations: n, Warmup: 2 * n, Batches: 21}
		case Stream:
			n := clamp(16*mib/(bytes*window), 1, 20)
			return Step{Iterations: n, Warmup: 5 * n, Batches: 11}
		default:
			n := clamp(4*mib/(bytes*ranks), 2, 50)
			return Step{Iterations: n, Warmup: clamp(8*mib/(bytes*ranks), 4, 2000/ranks), Batches: clamp(64*mib/(bytes*ranks), 7, 21)}
		}
	})
}

// studySteps are the loops of the tests that the OSU suite does not have; they are the same in a plain run and in a
// round. In an overlap or progress test an iteration is one undisturbed message and one that meets computation; in
// a memory test it is a message to each other rank, in an idle one a second of waiting.
func studySteps(t Test, size int) Step {
	switch t.Shape {
	case Overlap:
		return Step{Iterations: 11, Warmup: 10, Batches: 1}
	case Progress:
		return Step{Iterations: 31, Warmup: 10, Batches: 1}
	case PingPong:
		return Step{Iterations: 10, Warmup: 40, Batches: 15} // each of them may wait for milliseconds
	case Idle:
		return Step{Iterations: 3, Batches: 1}
	case Resident:
		return Step{Iterations: 12, Batches: 1} // enough to earn a ring, or a connection of a hybrid
	}
	n := clamp(8*mib/max(size, 1), 5, 50)
	if t.Neighbours == 0 { // crossing: a few percent are to be told apart
		return Step{Iterations: n, Warmup: 2 * n, Batches: 31}
	}
	return Step{Iterations: n, Warmup: 2 * n, Batches: 15}
}

func makeSteps(t Test, sizes []int, l Loops, loops func(size int) Step) []Step {
	shares := defaultShares(t)
	if len(l.Shares) > 0 && t.ShareText != "" {
		shares = l.Shares
	}
	var steps []Step
	for _, size := range sizes {
		s := loops(size)
		s.Size = size
		for _, s.Share = range shares {
			steps = append(steps, t.divide(s))
		}
	}
	l.override(steps)
	return steps
}

// divide gives each goroutine its part of a step's iterations, so that few and many of them send
// the same number of messages. Libraries that let threads take turns need milliseconds for each.
func (t Test) divide(s Step) Step {
	if t.Threads {
		goroutines := max(s.Share, 1)
		s.Iterations = (s.Iterations + goroutines - 1) / goroutines
		s.Warmup, s.Batches = s.Iterations, min(s.Batches, 7)
	}
	return s
}

func clamp(v, low, high int) int { return max(low, min(v, high)) }
