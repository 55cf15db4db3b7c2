package comm

import (
	"cmp"
	"slices"
)

// member is one process of a new communicator.
type member struct {
	key, rank int
	id        uint32 // the context number it proposed
}

// order sorts members by key and old rank and returns their processes and the leader.
func order(members []member, old *Group) ([]int, member) {
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.rank, b.rank))
	})
	procs := make([]int, len(members))
	for i, m := range members {
		procs[i] = old.Process(m.rank)
	}
	return procs, members[0]
}
