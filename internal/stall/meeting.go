package stall

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
)

// meeting is one collective: same communicator, same number. Ranks that are inside by different operations disagree,
// which is a bug worth naming.
type meeting struct {
	comm    string
	seq     int
	last    bool // it is that of Finalize
	members []int
	inside  []pmi.Stall // by rank
}

// meetings groups the collective waits, in the order of their lowest rank.
func meetings(ranks []Rank) []*meeting {
	var all []*meeting
	for _, r := range ranks {
		for _, w := range r.Waits {
			if w.Seq == pmi.NoSeq {
				continue
			}
			last := w.Op == finalize
			at := slices.IndexFunc(all, func(m *meeting) bool {
				return m.comm == w.Comm && m.seq == w.Seq && m.last == last && slices.Equal(m.members, w.Members)
			})
			if at < 0 {
				at = len(all)
				all = append(all, &meeting{comm: w.Comm, seq: w.Seq, last: last, members: w.Members})
			}
			all[at].inside = append(all[at].inside, w)
		}
	}
	return all
}

func (m *meeting) describe(ranks []Rank) (lines []string) {
	ops := map[string][]pmi.Stall{}
	for _, w := range m.inside {
		ops[w.Op] = append(ops[w.Op], w)
	}
	var names []string
	for op := range ops {
		names = append(names, op)
	}
	sort.Strings(names)
	head := fmt.Sprintf("  %s, call %d on %s", strings.Join(names, " and "), m.seq, commName(m.comm))
	switch {
	case m.last:
		head = "  " + opName(finalize)
	case len(names) > 1:
		head += ": the ranks disagree about the operation"
	}
	lines = append(lines, head)
	for _, op := range names {
		var inside []int
		longest := ops[op][0]
		for _, w := range ops[op] {
			inside = append(inside, w.Rank)
			if w.Seconds > longest.Seconds {
				longest = w
			}
		}
		lines = append(lines, fmt.Sprintf("    %s %s in %s for %s%s", RankList(inside), verb(len(inside), "waits", "wait"),
			opName(op), seconds(longest.Seconds), site(longest)))
	}
	return append(lines, m.describeMissing(ranks)...)
}

// describeMissing names the missing members, those in the same situation together.
func (m *meeting) describeMissing(ranks []Rank) (lines []string) {
	var doing groups[string]
	for _, r := range m.missing() {
		doing.add(whereabouts(ranks[r]), r)
	}
	for _, text := range doing.order {
		missing := doing.of[text]
		lines = append(lines, fmt.Sprintf("    missing: %s, %s", RankList(missing), several(text, len(missing))))
	}
	return lines
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
