package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// lending is how ranks of a node copy straight from each other's memory: a rank
// writes where its data is into its slip and raises a flag; who awaits the flag
// may fetch. Another flag tells that a rank has fetched all it wants, and who
// has lent something stays until all others have raised it.
type lending struct {
	r    *room
	keys slots
	flag int // there is something to fetch
	done int // nothing more is fetched
}

func (r *room) lending() lending {
	return lending{r: r, keys: r.each(plan.KeyLen), flag: r.flags(1), done: r.flags(1)}
}

// lend lets the others fetch src after deps. A rank that is alone on its node
// may have no memory to say it in, and nobody to say it to.
func (l lending) lend(src plan.Span, deps ...int) {
	if len(l.r.ranks) == 1 {
		return
	}
	l.r.b.Set(l.flag, l.place(src, deps...))
}

// place writes where src is, and raises no flag: there is nothing to fetch yet.
func (l lending) place(src plan.Span, deps ...int) int {
	return l.r.b.Lend(l.keys.at(l.r.me, 0), src, deps...)
}

// fetch copies to dst from byte at on of what a rank lends.
func (l lending) fetch(rank int, dst plan.Span, at int, deps ...int) int {
	return l.fetchAfter(rank, l.flag, dst, at, deps...)
}

// fetchAfter is fetch of what is there when the rank raises another flag.
func (l lending) fetchAfter(rank, flag int, dst plan.Span, at int, deps ...int) int {
	there := l.r.b.Await(rank, flag)
	key := l.keys.at(slices.Index(l.r.ranks, rank), 0)
	return l.r.b.Fetch(rank, dst, key, at, append(deps, there)...)
}

// returned raises the flag that tells of the end of what was fetched.
func (l lending) returned(fetched ...int) { l.r.b.Set(l.done, fetched...) }

// lendingFits reports that all ranks are on one node and can copy from each
// other's memory.
func lendingFits(c Case) bool { return onOneNode(c) && c.Fetches && c.Ranks*plan.SlipLen <= NodeMax }
