package stall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
)

// talk is what point-to-point calls have in common that wait alike: all but who waits for whom.
type talk struct {
	op, comm, site string
	tag            int
	bytes          int64
}

// pair is a rank and whom it waits for.
type pair struct{ rank, peer int }

// pairsShown is how many pairs of a talk are told of.
const pairsShown = 6

// talks tells of the point-to-point calls, those that wait alike together.
func talks(ranks []Rank) (lines []string) {
	var order []talk
	pairs, longest := map[talk][]pair{}, map[talk]float64{}
	for i, r := range ranks {
		for _, w := range r.Waits {
			if w.Seq != pmi.NoSeq {
				continue
			}
			t := talk{w.Op, w.Comm, w.Site, w.Tag, w.Bytes}
			if pairs[t] == nil {
				order = append(order, t)
			}
			pairs[t] = append(pairs[t], pair{i, w.Peer})
			longest[t] = max(longest[t], w.Seconds)
		}
	}
	for _, t := range order {
		lines = append(lines, t.describe(pairs[t], longest[t]))
		lines = append(lines, peersOf(pairs[t], ranks)...)
	}
	return lines
}

// describe says who waits for whom: rank 2 waits in recv from rank 0, tag 5 (8 bytes, world) for 61 s at halo.go:12.
func (t talk) describe(pairs []pair, longest float64) string {
	var who []int
	same := true // all wait for the same rank
	for _, p := range pairs {
		if !slices.Contains(who, p.rank) {
			who = append(who, p.rank)
		}
		same = same && p.peer == pairs[0].peer
	}
	text := fmt.Sprintf("  %s %s in %s", RankList(who), verb(len(who), "waits", "wait"), t.op)
	if same {
		text += t.peer(pairs[0].peer)
	}
	if peer := pairs[0].peer; peer != pmi.NoPeer {
		text += t.about()
	}
	text += fmt.Sprintf(" (%d bytes, %s) for %s", t.bytes, commName(t.comm), seconds(longest))
	if t.site != "" {
		text += " at " + t.site
	}
	if same {
		return text
	}
	var each []string
	for _, p := range pairs[:min(len(pairs), pairsShown)] {
		each = append(each, fmt.Sprintf("%d%s", p.rank, strings.Replace(t.peer(p.peer), "rank ", "", 1)))
	}
	if len(pairs) > pairsShown {
		each = append(each, "...")
	}
	return text + ": " + strings.Join(each, ", ")
}

// peer says whom a call waits for.
func (t talk) peer(peer int) string {
	way := " with"
	switch {
	case strings.Contains(t.op, "recv") || strings.Contains(t.op, "probe"):
		way = " from"
	case strings.Contains(t.op, "send"):
		way = " to"
	}
	switch {
	case peer >= 0:
		return fmt.Sprintf("%s rank %d", way, peer)
	case peer == pmi.AnyPeer:
		return way + " any rank"
	}
	return ""
}

// about says which message a call waits for.
func (t talk) about() string {
	if t.tag >= 0 {
		return fmt.Sprintf(", tag %d", t.tag)
	}
	return ", any tag"
}

// peersOf says what those do who are waited for, unless they wait in a point-to-point call themselves,
// which is told of anyway.
func peersOf(pairs []pair, ranks []Rank) (lines []string) {
	var doing groups[string]
	var seen []int
	for _, p := range pairs {
		if p.peer < 0 || slices.Contains(seen, p.peer) {
			continue
		}
		seen = append(seen, p.peer)
		r := ranks[p.peer]
		if len(r.Waits) > 0 && r.Waits[0].Seq == pmi.NoSeq {
			continue
		}
		doing.add(whereabouts(r), p.peer)
	}
	for _, text := range doing.order {
		peers := doing.of[text]
		slices.Sort(peers)
		lines = append(lines, fmt.Sprintf("    peer: %s, %s", RankList(peers), several(text, len(peers))))
	}
	return lines
}

// circles finds ranks each of which waits for the next alone, and the last for the first.
func circles(ranks []Rank) (lines []string) {
	next := make([]int, len(ranks))
	for i, r := range ranks {
		next[i] = waitsOnlyFor(r)
	}
	seen := make([]bool, len(ranks))
	for i := range ranks {
		var path []int
		at := i
		for at >= 0 && !seen[at] {
			seen[at] = true
			path = append(path, at)
			at = next[at]
		}
		if first := slices.Index(path, at); at >= 0 && first >= 0 {
			lines = append(lines, circle(path[first:]))
		}
	}
	return lines
}

// waitsOnlyFor is the rank that all calls of r wait for; -1 if there is no such rank.
func waitsOnlyFor(r Rank) int {
	only := -1
	for i, w := range r.Waits {
		if w.Seq != pmi.NoSeq || w.Peer < 0 || i > 0 && w.Peer != only {
			return -1
		}
		only = w.Peer
	}
	return only
}

// circle tells of ranks that wait in a circle: 0 for 1, 1 for 2, 2 for 0.
func circle(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("  rank %d waits for itself", ranks[0])
	}
	text := fmt.Sprintf("  %d ranks wait in a circle: %d for %d", len(ranks), ranks[0], ranks[1])
	for i := 1; i < len(ranks); i++ {
		if i == pairsShown/2 && len(ranks) > pairsShown {
			text += ", ..."
			i = len(ranks) - 1
		}
		text += fmt.Sprintf(", %d for %d", ranks[i], ranks[(i+1)%len(ranks)])
	}
	return text
}
