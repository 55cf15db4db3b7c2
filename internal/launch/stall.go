package launch

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
)

// stallCollect is how long ranks may take to say what they wait for, once one has complained.
const stallCollect = 300 * time.Millisecond

// stalls collects complaints of ranks for one report.
type stalls struct {
	collecting bool
	waits      map[int][]pmi.Stall
	next       time.Time // no report before
}

// onStall takes a rank's complaint. The first one makes the launcher ask all ranks; one report follows.
func (r *run) onStall(s pmi.Stall) {
	now := time.Now()
	if !r.stalls.collecting {
		if now.Before(r.stalls.next) || r.ending.active {
			return
		}
		r.stalls.collecting = true
		r.stalls.waits = map[int][]pmi.Stall{}
		period := time.Duration(min(s.Seconds, 3600) * float64(time.Second))
		r.stalls.next = now.Add(max(period, time.Second))
		for i := range r.ranks {
			if r.server.Phase(i) == pmi.Joined && !r.ranks[i].controlClosed {
				_ = r.tell(i, r.server.DumpRequest()) // a rank that cannot be told will not be heard either
			}
		}
		r.after(stallCollect, stallTime)
	}
	for i, old := range r.stalls.waits[s.Rank] {
		if sameWait(old, s) {
			r.stalls.waits[s.Rank][i] = s
			return
		}
	}
	r.stalls.waits[s.Rank] = append(r.stalls.waits[s.Rank], s)
}

// sameWait tells whether b is a later report of the call in a.
func sameWait(a, b pmi.Stall) bool {
	return a.Op == b.Op && a.Comm == b.Comm && a.Seq == b.Seq && a.Peer == b.Peer && a.Tag == b.Tag && a.Site == b.Site
}

func (r *run) reportStalls() {
	r.stalls.collecting = false
	if r.ending.active {
		return
	}
	standings := make([]standing, len(r.ranks))
	for i, rk := range r.ranks {
		standings[i] = standing{phase: r.server.Phase(i), ended: rk.ended, waits: r.stalls.waits[i]}
	}
	r.say("%s", stallReport(standings))
}

// standing is what the launcher knows about one rank when it reports a stall.
type standing struct {
	phase pmi.Phase
	ended bool
	waits []pmi.Stall
}

// stallReport says who waits for whom: first the collectives, with the members that are missing and what those do
// instead, then the point-to-point calls.
func stallReport(ranks []standing) string {
	var b strings.Builder
	waiting, longest := 0, 0.0
	for _, s := range ranks {
		if len(s.waits) > 0 {
			waiting++
		}
		for _, w := range s.waits {
			longest = max(longest, w.Seconds)
		}
	}
	fmt.Fprintf(&b, "the job seems stuck: %d of %d ranks wait, the longest for %s", waiting, len(ranks), seconds(longest))
	for _, meeting := range meetings(ranks) {
		meeting.describe(&b, ranks)
	}
	for i, s := range ranks {
		for _, w := range s.waits {
			if w.Seq != pmi.NoSeq {
				continue
			}
			fmt.Fprintf(&b, "\n  rank %d waits in %s", i, call(w))
			if w.Peer >= 0 {
				fmt.Fprintf(&b, "\n    peer: rank %d, %s", w.Peer, whereabouts(ranks[w.Peer]))
			}
		}
	}
	return b.String()
}

// meeting is one collective: same communicator, same number. Ranks that are inside by different operations disagree,
// which is a bug worth naming.
type meeting struct {
	comm    string
	seq     int
	members []int
	inside  []pmi.Stall // by rank
}

// meetings groups the collective waits, in the order of their lowest rank.
func meetings(ranks []standing) []*meeting {
	var all []*meeting
	for _, s := range ranks {
		for _, w := range s.waits {
			if w.Seq == pmi.NoSeq {
				continue
			}
			at := slices.IndexFunc(all, func(m *meeting) bool {
				return m.comm == w.Comm && m.seq == w.Seq && slices.Equal(m.members, w.Members)
			})
			if at < 0 {
				at = len(all)
				all = append(all, &meeting{comm: w.Comm, seq: w.Seq, members: w.Members})
			}
			all[at].inside = append(all[at].inside, w)
		}
	}
	return all
}

func (m *meeting) describe(b *strings.Builder, ranks []standing) {
	ops := map[string][]pmi.Stall{}
	var names []string
	for _, w := range m.inside {
		if ops[w.Op] == nil {
			names = append(names, w.Op)
		}
		ops[w.Op] = append(ops[w.Op], w)
	}
	sort.Strings(names)
	fmt.Fprintf(b, "\n  %s, call %d on %s", strings.Join(names, " and "), m.seq, commName(m.comm))
	if len(names) > 1 {
		b.WriteString(": the ranks disagree about the operation")
	}
	for _, op := range names {
		var inside []int
		longest := ops[op][0]
		for _, w := range ops[op] {
			inside = append(inside, w.Rank)
			if w.Seconds > longest.Seconds {
				longest = w
			}
		}
		verb := "wait"
		if len(inside) == 1 {
			verb = "waits"
		}
		fmt.Fprintf(b, "\n    %s %s in %s for %s%s", rankList(inside), verb, op, seconds(longest.Seconds), site(longest))
	}
	m.describeMissing(b, ranks)
}

// describeMissing names the missing members, those in the same situation together.
func (m *meeting) describeMissing(b *strings.Builder, ranks []standing) {
	doing := map[string][]int{}
	var order []string
	for _, r := range m.missing() {
		text := whereabouts(ranks[r])
		if doing[text] == nil {
			order = append(order, text)
		}
		doing[text] = append(doing[text], r)
	}
	for _, text := range order {
		fmt.Fprintf(b, "\n    missing: %s, %s", rankList(doing[text]), text)
	}
}

// missing returns the members that are not inside.
func (m *meeting) missing() []int {
	var out []int
	for _, r := range m.members {
		if !slices.ContainsFunc(m.inside, func(w pmi.Stall) bool { return w.Rank == r }) {
			out = append(out, r)
		}
	}
	return out
}

// whereabouts says what a rank does that others wait for.
func whereabouts(s standing) string {
	switch {
	case s.ended:
		return "which has exited"
	case s.phase == pmi.Silent:
		return "not yet in Init"
	case s.phase == pmi.Finalised:
		return "already through Finalize"
	case len(s.waits) == 0:
		return "running outside MPI"
	}
	w := s.waits[0]
	if w.Seq != pmi.NoSeq {
		return fmt.Sprintf("waiting in %s, call %d on %s%s", w.Op, w.Seq, commName(w.Comm), site(w))
	}
	return "waiting in " + call(w)
}

// call describes a point-to-point wait: recv (peer 1, tag 5, 8 bytes, world) for 60 s at prog.go:3.
func call(w pmi.Stall) string {
	var about []string
	switch {
	case w.Peer >= 0:
		about = append(about, fmt.Sprintf("peer %d", w.Peer))
	case w.Peer == pmi.AnyPeer:
		about = append(about, "any peer")
	}
	if w.Peer != pmi.NoPeer && w.Tag >= 0 {
		about = append(about, fmt.Sprintf("tag %d", w.Tag))
	} else if w.Peer != pmi.NoPeer {
		about = append(about, "any tag")
	}
	about = append(about, fmt.Sprintf("%d bytes", w.Bytes), commName(w.Comm))
	return fmt.Sprintf("%s (%s) for %s%s", w.Op, strings.Join(about, ", "), seconds(w.Seconds), site(w))
}

func commName(name string) string {
	if name == "" {
		return "an unnamed communicator"
	}
	return name
}

func site(w pmi.Stall) string {
	if w.Site == "" {
		return ""
	}
	return " at " + w.Site
}

func seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

func rankList(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	return "ranks " + pmi.FormatRanks(ranks)
}
