package tuner

import (
	"fmt"
	"strings"
)

// guard says that an operation is not slower than others one after the other, because it could be done by them.
type guard struct {
	whole string
	parts []part
}

// part is an operation with the bytes it has where the whole has n on p ranks.
type part struct {
	op    string
	bytes func(n, p int) int
}

func same(n, _ int) int  { return n }
func times(n, p int) int { return n * p }
func share(n, p int) int { return n / p }
func none(int, int) int  { return 8 }

var guards = []guard{
	{"allgather", []part{{"gather", same}, {"bcast", times}}},
	{"allgather", []part{{"alltoall", same}}},
	{"allreduce", []part{{"reduce", same}, {"bcast", same}}},
	{"bcast", []part{{"scatter", share}, {"allgather", share}}},
	{"gather", []part{{"allgather", same}}},
	{"scatter", []part{{"alltoall", same}}},
	{"scatter", []part{{"bcast", times}}},
	{"reduce", []part{{"allreduce", same}}},
	{"barrier", []part{{"allreduce", none}}},
}

// Check returns a sentence for every case in which the chosen algorithms break an expectation by more than
// margin: an operation that is slower than others which together do the same, or than itself with more
// bytes. Cases that were not measured are not looked at; what a size between two measured ones takes is the
// larger one's.
func Check(winners []Winner, margin float64) (broken []string) {
	for _, w := range winners {
		for _, g := range guards {
			if g.whole != w.Op {
				continue
			}
			if sum, text, known := g.cost(winners, w); known && w.Micros > (1+margin)*sum {
				broken = append(broken, fmt.Sprintf("%s takes %.2f us by %s, and %s %.2f us", w.name(), w.Micros, w.Algorithm, text, sum))
			}
		}
		if larger := cheaper(winners, w, margin); larger != nil {
			broken = append(broken, fmt.Sprintf("%s takes %.2f us by %s, and %s only %.2f us", w.name(), w.Micros, w.Algorithm,
				larger.name(), larger.Micros))
		}
	}
	return broken
}

// cheaper returns the case of the same operation with more bytes that takes the least time, if that is less
// by more than margin.
func cheaper(winners []Winner, w Winner, margin float64) (least *Winner) {
	for i := range winners {
		larger := &winners[i]
		if larger.Op == w.Op && larger.Place == w.Place && larger.Bytes > w.Bytes && w.Micros > (1+margin)*larger.Micros &&
			(least == nil || larger.Micros < least.Micros) {
			least = larger
		}
	}
	return least
}

func (w *Winner) name() string {
	return fmt.Sprintf("%s of %d bytes on %d ranks", w.Op, w.Bytes, w.Ranks)
}

// cost adds up what the parts take for the case of w.
func (g *guard) cost(winners []Winner, w Winner) (sum float64, text string, known bool) {
	var names []string
	for _, p := range g.parts {
		found := lookup(winners, w.Place, p.op, p.bytes(w.Bytes, w.Ranks))
		if found == nil {
			return 0, "", false
		}
		sum += found.Micros
		names = append(names, found.name())
	}
	return sum, strings.Join(names, " and "), true
}

// lookup finds the winner for at least so many bytes, and not many times more.
func lookup(winners []Winner, p Place, op string, bytes int) *Winner {
	for i := range winners {
		if w := &winners[i]; w.Op == op && w.Place == p && w.Bytes >= bytes {
			if w.Bytes > 8*max(bytes, 8) {
				return nil
			}
			return w
		}
	}
	return nil
}
