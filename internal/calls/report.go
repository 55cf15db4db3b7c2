package calls

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is what all ranks have handed in, in the order of ranks.
type Report struct {
	Program string `json:"program"`
	Ranks   []Page `json:"ranks"`
}

// sum is a kind of call from one place, of all ranks.
type sum struct {
	Line
	ranks int
	most  int64 // time of the rank with the longest
}

// sums joins the lines of all ranks.
func (r *Report) sums() []sum {
	all := map[[2]string]*sum{}
	for _, p := range r.Ranks {
		for _, l := range p.Lines {
			name := [2]string{l.Call, l.Place}
			s := all[name]
			if s == nil {
				s = &sum{Line: Line{Call: l.Call, Place: l.Place, Shortest: l.Shortest}}
				all[name] = s
			}
			s.add(l)
		}
	}
	var list []sum
	for _, s := range all {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b sum) int { return longestFirst(a.Line, b.Line) })
	return list
}

func (s *sum) add(l Line) {
	s.ranks++
	s.most = max(s.most, l.Time)
	s.Count, s.Time, s.Bytes = s.Count+l.Count, s.Time+l.Time, s.Bytes+l.Bytes
	s.Longest, s.Shortest, s.Peak = max(s.Longest, l.Longest), min(s.Shortest, l.Shortest), max(s.Peak, l.Peak)
}

// total is the time of the program and in calls, of all ranks.
func (r *Report) total() (all, inside int64) {
	for _, p := range r.Ranks {
		all, inside = all+p.Time, inside+p.Inside
	}
	return all, inside
}

// Inside is the share of its time that a rank spends in calls, in the mean.
func (r *Report) Inside() float64 {
	all, inside := r.total()
	return float64(inside) / float64(max(1, all))
}

// Text writes the report for people. top is how many places it names.
func (r *Report) Text(w io.Writer, top int) error {
	b := new(strings.Builder)
	all, inside := r.total()
	fmt.Fprintf(b, "Profile of %s: %d ranks, %s of the time in MPI\n", r.Program, len(r.Ranks), percent(inside, all))
	r.writeRanks(b)
	r.writeCalls(b, top, all, inside)
	r.writeSizes(b)
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes rows of cells, separated by tabs, below a line that says what they are.
func table(b *strings.Builder, title string, rows func(row func(format string, args ...any))) {
	fmt.Fprintf(b, "\n%s\n", title)
	t := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	rows(func(format string, args ...any) { fmt.Fprintf(t, format+"\t\n", args...) })
	t.Flush()
}

// mostRanks is how many ranks are told of one by one; of more, only those with the least and the most time in calls.
const mostRanks = 32

// told are the ranks that a report for people tells of, and what it says of the choice.
func (r *Report) told() (some []Page, choice string) {
	if len(r.Ranks) <= mostRanks {
		return r.Ranks, ""
	}
	const each = mostRanks / 4
	some = slices.Clone(r.Ranks)
	slices.SortStableFunc(some, func(a, b Page) int { return cmp.Compare(a.Inside, b.Inside) })
	some = slices.Concat(some[:each], some[len(some)-each:])
	return some, fmt.Sprintf("; of %d, those with the least and the most time in MPI", len(r.Ranks))
}

func (r *Report) writeRanks(b *strings.Builder) {
	some, choice := r.told()
	table(b, "Time, messages and peers, by rank (unexpected: here before their receive)"+choice, func(row func(string, ...any)) {
		row("rank\ttime s\tMPI s\tMPI\tmessages\tbytes\tpeers\treceived\tunexpected")
		for _, p := range some {
			var messages, bytes int64
			for _, peer := range p.Peers {
				messages, bytes = messages+peer.Messages, bytes+peer.Bytes
			}
			got := p.Received.Expected + p.Received.Unexpected
			row("%d\t%.3f\t%.3f\t%s\t%d\t%d\t%d\t%d\t%s", p.Rank, seconds(p.Time), seconds(p.Inside), percent(p.Inside, p.Time), messages, bytes,
				len(p.Peers), got, percent(int64(p.Received.Unexpected), int64(got)))
		}
	})
}

func (r *Report) writeCalls(b *strings.Builder, top int, all, inside int64) {
	sums := r.sums()
	title := "Calls by place, the longest first"
	if len(sums) > top {
		title = fmt.Sprintf("The %d of %d places with the longest calls", top, len(sums))
		sums = sums[:top]
	}
	width := len("place")
	for _, s := range sums {
		width = max(width, len(s.Place))
	}
	table(b, title+" (uneven: the rank with the most time, over the mean)", func(row func(string, ...any)) {
		row("%-*s\tcall\tcount\ttime s\tof MPI\tof all\tmean\tlongest\tuneven\tbytes\tmean bytes", width, "place")
		for _, s := range sums {
			row("%-*s\t%s\t%d\t%.3f\t%s\t%s\t%s\t%s\t%.2f\t%d\t%d", width, s.Place, s.Call, s.Count, seconds(s.Time), percent(s.Time, inside), percent(s.Time, all),
				human(s.Time/s.Count), human(s.Longest), float64(s.most)*float64(len(r.Ranks))/float64(max(1, s.Time)), s.Bytes, s.Bytes/s.Count)
		}
	})
}

// writeSizes writes how many calls brought how many bytes, for every kind of call that brings some.
func (r *Report) writeSizes(b *strings.Builder) {
	counts := map[string][]int64{}
	last := 0
	for _, p := range r.Ranks {
		for _, l := range p.Lines {
			if l.Bytes == 0 {
				continue
			}
			c := counts[l.Call]
			for i, n := range l.Sizes {
				if i == len(c) {
					c = append(c, 0)
				}
				c[i] += n
			}
			counts[l.Call] = c
			last = max(last, len(c))
		}
	}
	if len(counts) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(counts))
	table(b, "Calls by the bytes that each rank brings", func(row func(string, ...any)) {
		row("bytes\t%s", strings.Join(names, "\t"))
		for i := range last {
			cells, any := []string{sizeClass(i)}, int64(0)
			for _, name := range names {
				n := int64(0)
				if i < len(counts[name]) {
					n = counts[name][i]
				}
				any += n
				cells = append(cells, fmt.Sprint(n))
			}
			if any > 0 {
				row("%s", strings.Join(cells, "\t"))
			}
		}
	})
}

// sizeClass names a class of lengths.
func sizeClass(i int) string {
	switch i {
	case 0:
		return "0"
	case 1:
		return "1"
	}
	return fmt.Sprintf("%d-%d", int64(1)<<(i-1), int64(1)<<i-1)
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

func percent(part, whole int64) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(1, whole)))
}

// human writes a time with three digits or so.
func human(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d >= time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	}
	return d.String()
}
