package bench

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Bar is a promise about some tests over a range of sizes (both ends included): about the ratio of one side of a
// comparison to another, about the value of one side by itself, or about how a value grows with the job.
type Bar struct {
	Tests    []string
	Min, Max int
	Shares   []int // at these shares only; nil: at all
	Ranks    int   // on so many ranks only; 0: on any number

	Side    string // whose value; empty: the first side's
	Against string // the side it is divided by; empty: the one that is hardest to beat
	Alone   bool   // the value itself, not a ratio
	Since   int    // the ratio of the value to that of the same side on so many ranks

	Limit float64
	Least bool // the median is at least Limit; otherwise at most
	Text  string
}

var collectives = []string{"barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall",
	"reduce_scatter", "scan"}

// HostBars are the promises about ranks on one host. A bar without Against is met only against the peer that does
// best, which implies all peers.
var HostBars = append(namedBars, Bar{Tests: unnamed(namedBars), Min: 0, Max: maxSize, Limit: EveryWorst,
	Text: "every other operation: at most 1.30 of the better peer"})

// unnamed are the operations that no bar names.
func unnamed(bars []Bar) []string {
	var names []string
	for _, t := range EveryTests() {
		if !slices.ContainsFunc(bars, func(b Bar) bool { return slices.Contains(b.Tests, t.Name) }) {
			names = append(names, t.Name)
		}
	}
	return names
}

var namedBars = []Bar{
	{Tests: []string{"latency"}, Min: 0, Max: 64, Limit: 0.80, Text: "latency 0-64 B: at most 0.80 of every peer"},
	{Tests: []string{"latency"}, Min: 256, Max: 8 * kib, Limit: 1, Text: "latency 256 B-8 KB: at most 1.00 of every peer"},
	{Tests: []string{"latency"}, Min: 16 * kib, Max: 4 * mib, Limit: 1, Text: "latency 16 KB-4 MB: at most 1.00 of every peer"},
	{Tests: []string{"bw"}, Min: 8, Max: 4 * kib, Limit: 1, Least: true, Text: "bandwidth 8 B-4 KB: at least 1.00 of the better peer"},
	{Tests: []string{"bw"}, Min: 8 * kib, Max: 4 * mib, Limit: 1, Least: true, Text: "bandwidth 8 KB-4 MB: at least 1.00 of the better peer"},
	{Tests: []string{"put", "get", "put_created", "get_created"}, Min: 1, Max: 4 * kib, Limit: 0.80, Text: "put and get of 1 B-4 KB: at most 0.80 of every peer"},
	{Tests: collectives, Min: 0, Max: maxSize, Limit: 1, Text: "collectives: at most 1.00 of the better peer"},
}

// Mark says how a point stands to its bar.
type Mark int

const (
	NoBar     Mark = iota // nothing is promised here
	Met                   // the median and the near quartiles are on the right side
	MetClose              // the median is on the right side, the quartiles reach across the limit
	MissClose             // the median is on the wrong side, the quartiles reach across the limit
	Missed                // the median and the near quartiles are on the wrong side
)

var markText = [...]string{NoBar: "", Met: "yes", MetClose: "yes, within spread", MissClose: "no, within spread", Missed: "no"}

// String returns the word for tables; NoBar is empty.
func (m Mark) String() string { return markText[m] }

// Reached says whether the median ratio keeps the promise.
func (m Mark) Reached() bool { return m == Met || m == MetClose }

// MarshalJSON writes the mark as its word.
func (m Mark) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

// UnmarshalJSON reads the word, so that saved reports can be drawn again.
func (m *Mark) UnmarshalJSON(b []byte) error {
	var word string
	if err := json.Unmarshal(b, &word); err != nil {
		return err
	}
	i := slices.Index(markText[:], word)
	if i < 0 {
		return fmt.Errorf("%q is no judgement of a bar", word)
	}
	*m = Mark(i)
	return nil
}

// Judged is a point held against a bar.
type Judged struct {
	Mark  Mark    `json:"met"`
	Side  string  `json:"side,omitempty"` // whose promise it is, when not the first side's
	Peer  string  `json:"peer,omitempty"` // the side it was compared with
	Value Summary `json:"value"`          // what was held against the limit: ratios, or the values themselves
	Limit float64 `json:"limit"`
	Least bool    `json:"at_least,omitempty"`
}

// text is the judgement for a table: whose, whether it holds, and the limit.
func (j Judged) text() string {
	who := ""
	if j.Side != "" {
		who = j.Side + " "
	}
	return fmt.Sprintf("%s%s (%.2f)", who, j.Mark, j.Limit)
}

// applies says whether the bar promises something about a point.
func (b Bar) applies(test string, ranks int, p Point) bool {
	return slices.Contains(b.Tests, test) && p.Size >= b.Min && p.Size <= b.Max &&
		(b.Shares == nil || slices.Contains(b.Shares, p.Share)) && (b.Ranks == 0 || b.Ranks == ranks)
}

// Judge holds a point against the bars that promise something about it. A bar whose sides have no samples here says
// nothing; neither does one about growth, which Report.judgeGrowth looks after.
func Judge(bars []Bar, test string, ranks int, p Point) []Judged {
	var all []Judged
	for _, b := range bars {
		if b.Since == 0 && b.applies(test, ranks, p) {
			if j, ok := b.judge(p); ok {
				all = append(all, j)
			}
		}
	}
	return all
}

func (b Bar) judge(p Point) (Judged, bool) {
	ours := 0
	if b.Side != "" {
		ours = p.side(b.Side)
	}
	if ours < 0 || ours >= len(p.Sides) {
		return Judged{}, false
	}
	j := Judged{Side: b.Side, Limit: b.Limit, Least: b.Least}
	switch {
	case b.Alone:
		j.Value = Summarize(p.Sides[ours].Samples)
	case b.Against != "":
		if at := p.side(b.Against); at >= 0 {
			j.Peer, j.Value = b.Against, p.ratio(ours, at)
		}
	default:
		j.Peer, j.Value = b.hardest(p, ours)
	}
	j.Mark = mark(j.Value, b.Limit, b.Least)
	return j, j.Value.Count > 0
}

// hardest returns the side that is hardest to beat, another build of Weft excepted, and the ratio
// to it: the ratio, not the peer's own median, decides, because only the ratio is formed within a
// round.
func (b Bar) hardest(p Point, ours int) (peer string, ratio Summary) {
	for i, side := range p.Sides {
		if i == ours || side.Name == Old {
			continue
		}
		r := p.ratio(ours, i)
		if r.Count > 0 && (ratio.Count == 0 || (r.Median > ratio.Median) != b.Least) {
			peer, ratio = side.Name, r
		}
	}
	return peer, ratio
}

func mark(s Summary, limit float64, least bool) Mark {
	if least {
		s.Q1, s.Median, s.Q3, limit = -s.Q3, -s.Median, -s.Q1, -limit
	}
	switch {
	case s.Count == 0:
		return NoBar
	case s.Q3 <= limit:
		return Met
	case s.Median <= limit:
		return MetClose
	case s.Q1 <= limit:
		return MissClose
	}
	return Missed
}
