package live

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/stall"
)

// mostRows is how many rows the table of ranks has: with who waits for what, a job should fit on a screen.
const mostRows = 16

// mostWaits is how many lines say who waits for whom.
const mostWaits = 20

// Line is a job on one line.
func Line(j *Job) string {
	return fmt.Sprintf("%d  %s on %s for %s: %s", j.Pid, some(len(j.Ranks), "rank"), some(len(hostsOf(j.Ranks)), "host"), old(j.age()), j.commands())
}

// Text is a job on a screen: what it is, who waits for whom, what has been sent and received, and what memory is taken.
// Rates are those since before, the same job a while ago; nil: since the ranks have been up. Ranks share rows, unless
// each is asked for.
func Text(j, before *Job, each bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "job %d on %s: %s\n", j.Pid, j.Host, j.commands())
	fmt.Fprintf(&b, "%s on %s for %s: %s\n", some(len(j.Ranks), "rank"), some(len(hostsOf(j.Ranks)), "host"), old(j.age()), j.states())
	for _, line := range stall.Waits(j.stalls(), mostWaits) {
		b.WriteString(line + "\n")
	}
	for _, line := range j.silent() {
		b.WriteString(line + "\n")
	}
	b.WriteString(table(j, before, each))
	if line := j.extremes(); line != "" {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (j *Job) age() time.Duration { return j.Time.Sub(j.Started) }

// old says how long something has lasted.
func old(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
}

func some(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// widest is how much of a command line is shown.
const widest = 100

func (j *Job) commands() string {
	text := printable(strings.Join(j.Programs, " : "))
	if r := []rune(text); len(r) > widest {
		return string(r[:widest-3]) + "..."
	}
	return text
}

// printable is text without what a terminal would obey.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}

// states says how many ranks are how far.
func (j *Job) states() string {
	waiting, longest := 0, 0.0
	for _, r := range j.Ranks {
		if len(r.Waits) > 0 {
			waiting++
		}
		for _, w := range r.Waits {
			longest = max(longest, w.Seconds)
		}
	}
	var words []string
	for _, s := range []struct {
		n    int
		what string
	}{{j.count(Starting), "not yet in Init"}, {j.count(Running) - waiting, "outside MPI"}, {waiting, "waiting"},
		{j.count(Finished), "through Finalize"}, {j.count(Ended), "ended"}} {
		if s.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", s.n, s.what))
		}
	}
	text := strings.Join(words, ", ")
	if waiting > 0 {
		text += fmt.Sprintf("; the longest for %s", old(time.Duration(longest*float64(time.Second))))
	}
	if j.Deaths > 0 {
		text += fmt.Sprintf("; %d died", j.Deaths)
	}
	if j.Ending {
		text += "; the job is being ended"
	}
	return text
}

// silent tells of ranks that have not answered.
func (j *Job) silent() (lines []string) {
	var never, late []int
	oldest := 0.0
	for _, r := range j.Ranks {
		switch {
		case !r.Silent:
		case r.Age == nil:
			never = append(never, r.Rank)
		default:
			late, oldest = append(late, r.Rank), max(oldest, *r.Age)
		}
	}
	if len(never) > 0 {
		lines = append(lines, fmt.Sprintf("  no answer from %s", stall.RankList(never)))
	}
	if len(late) > 0 {
		lines = append(lines, fmt.Sprintf("  no answer from %s now; their numbers are up to %s old", stall.RankList(late),
			old(time.Duration(oldest*float64(time.Second)))))
	}
	return lines
}

// hostsOf are the hosts of ranks, in the order of their first rank.
func hostsOf(ranks []Rank) (names []string) {
	seen := map[string]bool{}
	for _, r := range ranks {
		if !seen[r.Host] {
			seen[r.Host], names = true, append(names, r.Host)
		}
	}
	return names
}

// row is some ranks that share a line of the table.
type row struct {
	name, host string
	ranks      []int
}

// rowsOf puts ranks into as many rows as fit on a screen: each rank for itself, or those of a host, or of several.
func rowsOf(j *Job, each bool) (rows []row) {
	n, hosts := len(j.Ranks), hostsOf(j.Ranks)
	switch {
	case each || n <= mostRows:
		for i, r := range j.Ranks {
			rows = append(rows, row{strconv.Itoa(i), r.Host, []int{i}})
		}
	case len(hosts) == 1:
		for first := 0; first < n; first += blockOf(n) {
			last := min(first+blockOf(n), n) - 1
			rows = append(rows, row{fmt.Sprintf("%d-%d", first, last), hosts[0], span(first, last)})
		}
	default:
		of := map[string][]int{}
		for i, r := range j.Ranks {
			of[r.Host] = append(of[r.Host], i)
		}
		for first := 0; first < len(hosts); first += blockOf(len(hosts)) {
			some := hosts[first:min(first+blockOf(len(hosts)), len(hosts))]
			one := row{host: some[0]}
			if len(some) > 1 {
				one.host = fmt.Sprintf("%s ... %s", some[0], some[len(some)-1])
			}
			for _, h := range some {
				one.ranks = append(one.ranks, of[h]...)
			}
			slices.Sort(one.ranks)
			one.name = pmi.FormatRanks(one.ranks)
			rows = append(rows, one)
		}
	}
	return rows
}

// blockOf is how many of n share a row.
func blockOf(n int) int { return (n + mostRows - 1) / mostRows }

func span(first, last int) (all []int) {
	for i := first; i <= last; i++ {
		all = append(all, i)
	}
	return all
}

// sums is what a row of the table adds up.
type sums struct {
	told, waiting                        int // ranks
	sent, sentBytes, received, recvBytes float64
	sentRate, sentBytesRate              float64
	collectives, memory, library         float64
}

// table is the numbers of all ranks.
func table(j, before *Job, each bool) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ranks\thost\twait\tsent\tper s\tbytes\tper s\treceived\tbytes\tcollectives\tmemory\tof Weft\t")
	rows := rowsOf(j, each)
	if len(rows) > 1 {
		rows = append(rows, row{"all", "", span(0, len(j.Ranks)-1)})
	}
	for _, one := range rows {
		s := sumsOf(j, before, one.ranks)
		name := one.name
		if len(name) > 20 {
			name = some(len(one.ranks), "rank")
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t", name, printable(one.host), s.waiting)
		if s.told == 0 {
			fmt.Fprintln(w, "-\t-\t-\t-\t-\t-\t-\t-\t-\t")
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", short(s.sent), short(s.sentRate), size(s.sentBytes), size(s.sentBytesRate),
			short(s.received), size(s.recvBytes), short(s.collectives), size(s.memory), size(s.library))
	}
	w.Flush()
	return b.String()
}

func sumsOf(j, before *Job, ranks []int) (s sums) {
	for _, i := range ranks {
		r := &j.Ranks[i]
		if len(r.Waits) > 0 {
			s.waiting++
		}
		if r.Counts == nil {
			continue
		}
		s.told++
		s.sent += float64(r.Counts["sent"])
		s.sentBytes += float64(r.Counts["sent_bytes"])
		s.received += float64(r.Counts["received"])
		s.recvBytes += float64(r.Counts["received_bytes"])
		s.collectives += float64(r.Counts["collectives"])
		s.memory += float64(r.Counts["memory"])
		s.library += float64(r.Counts["link_memory"] + r.Counts["unreceived"])
		s.sentRate += rate(j, before, i, "sent")
		s.sentBytesRate += rate(j, before, i, "sent_bytes")
	}
	return s
}

// rate is how much of what a rank counts comes in a second.
func rate(j, before *Job, i int, name string) float64 {
	now := &j.Ranks[i]
	n, seconds := float64(now.Counts[name]), now.Up
	if before != nil && i < len(before.Ranks) && before.Pid == j.Pid {
		if old := &before.Ranks[i]; old.Counts != nil && old.Pid == now.Pid && old.Counts[name] <= now.Counts[name] {
			n, seconds = n-float64(old.Counts[name]), now.Up-old.Up
		}
	}
	if seconds <= 0 {
		return 0
	}
	return n / seconds
}

// extremes names ranks that stand out, where ranks share rows: those who run out of memory, or do less than the others.
func (j *Job) extremes() string {
	most, least := -1, -1
	for i := range j.Ranks {
		c := j.Ranks[i].Counts
		if c == nil || j.Ranks[i].State == Ended {
			continue
		}
		if most < 0 || c["memory"] > j.Ranks[most].Counts["memory"] {
			most = i
		}
		if least < 0 || c["sent"] < j.Ranks[least].Counts["sent"] {
			least = i
		}
	}
	if len(j.Ranks) <= mostRows || most < 0 {
		return ""
	}
	return fmt.Sprintf("most memory: rank %d with %s; fewest messages: rank %d, which sent %s", most,
		size(float64(j.Ranks[most].Counts["memory"])), least, short(float64(j.Ranks[least].Counts["sent"])))
}

// short is a number of at most 5 digits, with a letter for thousands.
func short(n float64) string {
	switch {
	case n > 0 && n < 10:
		return strconv.FormatFloat(n, 'g', 2, 64)
	case n < 1e5:
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return scaled(n, 1000, []string{"", " k", " M", " G", " T", " P"})
}

// size is a number of bytes.
func size(n float64) string {
	return scaled(n, 1024, []string{" B", " KB", " MB", " GB", " TB", " PB"})
}

func scaled(n, step float64, units []string) string {
	at := 0
	for n >= step && at < len(units)-1 {
		n, at = n/step, at+1
	}
	if n < 10 && at > 0 {
		return fmt.Sprintf("%.1f%s", n, units[at])
	}
	return fmt.Sprintf("%.0f%s", n, units[at])
}
