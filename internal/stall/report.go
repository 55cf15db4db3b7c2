package stall

import (
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
)

// Rank is what is known of one rank: how far it has come, and what it waits for.
type Rank struct {
	Phase pmi.Phase
	Ended bool
	Waits []pmi.Stall
}

// mostLines is how long a report may be: it should fit on a screen.
const mostLines = 40

// Report says who waits for whom: first the ranks that wait in a circle, then the collectives with the members that are
// missing, then the point-to-point calls, then the messages that nobody asks for. Ranks that wait alike share a line.
func Report(ranks []Rank) string {
	waiting, longest := 0, 0.0
	for _, r := range ranks {
		if len(r.Waits) > 0 {
			waiting++
		}
		for _, w := range r.Waits {
			longest = max(longest, w.Seconds)
		}
	}
	head := fmt.Sprintf("the job seems stuck: %d of %d ranks wait, the longest for %s", waiting, len(ranks), seconds(longest))
	return strings.Join(append([]string{head}, Waits(ranks, mostLines-1)...), "\n")
}

// Waits are the lines of a report without the first, and at most so many, but for one that says how many more there are.
func Waits(ranks []Rank, most int) []string {
	lines := circles(ranks)
	for _, m := range meetings(ranks) {
		lines = append(lines, m.describe(ranks)...)
	}
	lines = append(lines, talks(ranks)...)
	lines = append(lines, unasked(ranks)...)
	if extra := len(lines) - most; extra > 1 {
		lines = append(lines[:most], fmt.Sprintf("  and %d lines more", extra))
	}
	return lines
}

// groups collects ranks that have something in common, in the order of their first ranks.
type groups[K comparable] struct {
	order []K
	of    map[K][]int
}

func (g *groups[K]) add(key K, rank int) {
	if g.of == nil {
		g.of = map[K][]int{}
	}
	if g.of[key] == nil {
		g.order = append(g.order, key)
	}
	g.of[key] = append(g.of[key], rank)
}

// whereabouts says what a rank does that others wait for.
func whereabouts(r Rank) string {
	switch {
	case r.Ended:
		return "which has exited"
	case r.Phase == pmi.Silent:
		return "not yet in Init"
	case r.Phase == pmi.Finalised:
		return "already through Finalize"
	case len(r.Waits) == 0:
		return "running outside MPI"
	}
	w := r.Waits[0]
	if w.Seq != pmi.NoSeq && w.Op != finalize {
		return fmt.Sprintf("waiting in %s, call %d on %s%s", w.Op, w.Seq, commName(w.Comm), site(w))
	}
	return "waiting in " + opName(w.Op) + site(w)
}

// several is what whereabouts says, of so many ranks.
func several(text string, n int) string {
	if n > 1 {
		return strings.Replace(text, "which has", "which have", 1)
	}
	return text
}

// finalize is the operation in which all ranks meet at the end of a job.
const finalize = "finalize"

// opName is how programs know an operation.
func opName(op string) string {
	if op == finalize {
		return "Finalize"
	}
	return op
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

// RankList names ranks: rank 3, or ranks 0-2,7.
func RankList(ranks []int) string {
	if len(ranks) == 1 {
		return fmt.Sprintf("rank %d", ranks[0])
	}
	return "ranks " + pmi.FormatRanks(ranks)
}

// verb is that of so many ranks.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
