package bench

import (
	"encoding/json"
	"slices"
)

// Bar is a promise about the ratio Weft/peer for some tests over a range of sizes (both ends included).
type Bar struct {
	Tests    []string
	Min, Max int
	Limit    float64 // the median ratio is at most this; at least this when higher values are better
	Text     string
}

var collectives = []string{"barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall",
	"reduce_scatter", "scan"}

// Bars lists the promises that reports are held against. A bar is met only against the peer that does best, which
// implies all peers.
var Bars = []Bar{
	{Tests: []string{"latency"}, Min: 0, Max: 64, Limit: 0.80, Text: "latency 0-64 B: at most 0.80 of every peer"},
	{Tests: []string{"latency"}, Min: 256, Max: 8 * kib, Limit: 1, Text: "latency 256 B-8 KB: at most 1.00 of every peer"},
	{Tests: []string{"latency"}, Min: 16 * kib, Max: 4 * mib, Limit: 1, Text: "latency 16 KB-4 MB: at most 1.00 of every peer"},
	{Tests: []string{"bw"}, Min: 8, Max: 4 * kib, Limit: 1, Text: "bandwidth 8 B-4 KB: at least 1.00 of the better peer"},
	{Tests: []string{"bw"}, Min: 8 * kib, Max: 4 * mib, Limit: 1, Text: "bandwidth 8 KB-4 MB: at least 1.00 of the better peer"},
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

// Judged is a point held against its bar.
type Judged struct {
	Mark  Mark    `json:"met"`
	Limit float64 `json:"limit,omitempty"`
	Peer  string  `json:"peer,omitempty"` // the best peer at this size
}

// Judge finds the bar of a point and holds the ratio to the best peer against it. Without a bar, peer or sample
// the mark is NoBar.
func Judge(t Test, p Point) Judged {
	at := slices.IndexFunc(Bars, func(b Bar) bool {
		return slices.Contains(b.Tests, t.Name) && p.Size >= b.Min && p.Size <= b.Max
	})
	best := bestPeer(p, t.HigherIsBetter())
	if at < 0 || best < 0 {
		return Judged{}
	}
	limit := Bars[at].Limit
	r := p.Ratios[best]
	return Judged{Mark: mark(r.Summary, limit, t.HigherIsBetter()), Limit: limit, Peer: r.Peer}
}

// bestPeer returns the index into Ratios of the peer that is hardest to beat: the ratio, not the peer's own
// median, decides, because only the ratio is formed within a round. -1 when no ratio has samples.
func bestPeer(p Point, higher bool) int {
	best := -1
	for i, r := range p.Ratios {
		if r.Summary.Count == 0 {
			continue
		}
		if best < 0 || (r.Summary.Median > p.Ratios[best].Summary.Median) != higher {
			best = i
		}
	}
	return best
}

func mark(s Summary, limit float64, higher bool) Mark {
	if higher {
		s.Q1, s.Median, s.Q3, limit = -s.Q3, -s.Median, -s.Q1, -limit
	}
	switch {
	case s.Q3 <= limit:
		return Met
	case s.Median <= limit:
		return MetClose
	case s.Q1 <= limit:
		return MissClose
	}
	return Missed
}
