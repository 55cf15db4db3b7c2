package calls

import (
	"cmp"
	"slices"
)

// Page is what one rank hands in. Times are in nanoseconds.
type Page struct {
	Rank     int      `json:"rank"`
	Time     int64    `json:"time_ns"`     // of the program, from its first call to its last
	Inside   int64    `json:"mpi_time_ns"` // in calls; several goroutines may be inside at a time
	Lines    []Line   `json:"calls"`
	Peers    []Peer   `json:"peers"`
	Received Received `json:"received"`
	Trace    *Trace   `json:"trace,omitempty"` // if it was asked for
}

// Line is what calls of one kind from one place have cost. Bytes are those that went out.
type Line struct {
	Call     string  `json:"call"`
	Place    string  `json:"place"`
	Count    int64   `json:"count"`
	Time     int64   `json:"time_ns"`
	Longest  int64   `json:"longest_ns"`
	Shortest int64   `json:"shortest_ns"`
	Bytes    int64   `json:"bytes"`
	Peak     int64   `json:"longest_message"`
	Sizes    []int64 `json:"sizes"` // calls by bytes: none, 1, 2 to 3, 4 to 7, 8 to 15 and so on
}

// Peer is a process that messages went to.
type Peer struct {
	Rank     int   `json:"rank"`
	Messages int64 `json:"messages"`
	Bytes    int64 `json:"bytes"`
}

// Received is how messages found this rank: with a receive that waited for them, or before it. They include those
// that collective calls are made of.
type Received struct {
	Expected   uint64 `json:"expected"`
	Unexpected uint64 `json:"unexpected"`
}

// Page ends the counting for good: nobody makes calls any more. library tells whether a function is the library's.
func (r *Recorder) Page(rank int, got Received, library func(function string) bool) Page {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Page{Rank: rank, Time: r.now() - r.began, Received: got}
	merged := map[[2]string]*tally{}
	for k, t := range r.tally {
		name := [2]string{k.name, place(k.places, library)}
		if merged[name] == nil {
			merged[name] = &tally{shortest: t.shortest}
		}
		merged[name].merge(t)
	}
	for name, t := range merged {
		p.Inside += t.time
		p.Lines = append(p.Lines, t.line(name[0], name[1]))
	}
	slices.SortFunc(p.Lines, longestFirst)
	for _, peer := range r.peers {
		p.Peers = append(p.Peers, *peer)
	}
	slices.SortFunc(p.Peers, func(a, b Peer) int { return a.Rank - b.Rank })
	if r.log != nil {
		p.Trace = r.log.trace(library)
	}
	return p
}

func (t *tally) merge(u *tally) {
	t.count, t.bytes, t.time = t.count+u.count, t.bytes+u.bytes, t.time+u.time
	t.longest, t.shortest, t.peak = max(t.longest, u.longest), min(t.shortest, u.shortest), max(t.peak, u.peak)
	for i, n := range u.sizes {
		t.sizes[i] += n
	}
}

func (t *tally) line(call, place string) Line {
	last := len(t.sizes)
	for last > 0 && t.sizes[last-1] == 0 {
		last--
	}
	return Line{Call: call, Place: place, Count: t.count, Time: t.time, Longest: t.longest, Shortest: t.shortest, Bytes: t.bytes, Peak: t.peak,
		Sizes: slices.Clone(t.sizes[:last])}
}

// longestFirst is the order of lines: by time, then by name.
func longestFirst(a, b Line) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Call, b.Call), cmp.Compare(a.Place, b.Place))
}
