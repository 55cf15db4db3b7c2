package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// group is a group as C sees it.
type group struct{ g *comm.Group }

var emptyGroup = &group{comm.NewGroup(nil)}

// chapterGroups makes groups.
var chapterGroups = map[string]row{
	"Group_size": {do: groupSize}, "Group_rank": {do: groupRank}, "Group_compare": {do: groupCompare}, "Group_translate_ranks": {do: translateRanks},
	"Group_union": {do: groupSet}, "Group_intersection": {do: groupSet}, "Group_difference": {do: groupSet},
	"Group_incl": {do: groupIncl}, "Group_excl": {do: groupIncl}, "Group_range_incl": {do: groupRange}, "Group_range_excl": {do: groupRange}, "Group_free": {do: freeGroup},
}

// group is argument i, a group.
func (c call) group(i int) (*group, error) {
	switch h := c.word(i); h {
	case spec.GROUP_EMPTY:
		return emptyGroup, nil
	case spec.GROUP_NULL:
		return nil, bad(spec.ERR_GROUP, "the group is MPI_GROUP_NULL")
	default:
		if g := c.p.groups.get(h); g != nil {
			return g, nil
		}
		return nil, bad(spec.ERR_GROUP, "0x%x is no group, or it has been freed", h)
	}
}

// newGroup gives a group a handle, and returns that by argument i.
func (c call) newGroup(i int, g *comm.Group) error {
	if err := c.outs(i); err != nil {
		return err
	}
	if g.Size() == 0 {
		c.setHandle(i, spec.GROUP_EMPTY)
		return nil
	}
	h, err := c.p.groups.add(&group{g})
	if err == nil {
		c.setHandle(i, h)
	}
	return err
}

func groupSize(c call) error {
	g, err := c.group(0)
	if err != nil {
		return err
	}
	c.setInt(1, g.g.Size())
	return c.outs(1)
}

func groupRank(c call) error {
	g, err := c.group(0)
	if err != nil {
		return err
	}
	c.setInt(1, g.g.Rank(c.p.world.c.Env().Self))
	return c.outs(1)
}

func groupCompare(c call) error {
	a, err := c.group(0)
	if err != nil {
		return err
	}
	b, err := c.group(1)
	if err != nil {
		return err
	}
	c.setInt(2, relations[a.g.Compare(b.g)])
	return c.outs(2)
}

// translateRanks is Group_translate_ranks: group, n, ranks, group, ranks.
func translateRanks(c call) error {
	a, err := c.group(0)
	if err != nil {
		return err
	}
	b, err := c.group(3)
	if err != nil {
		return err
	}
	n := c.int(1)
	if n < 0 {
		return bad(spec.ERR_ARG, "n is %d", n)
	}
	from, err := c.ints(2, n)
	if err != nil {
		return err
	}
	to, err := c.ints(4, n)
	if err != nil {
		return err
	}
	for i, r := range from {
		if r == spec.PROC_NULL {
			to[i] = spec.PROC_NULL
			continue
		}
		if r < 0 || int(r) >= a.g.Size() {
			return bad(spec.ERR_RANK, "rank %d in a group of %d", r, a.g.Size())
		}
		to[i] = int32(b.g.Rank(a.g.Process(int(r))))
	}
	return nil
}

// groupSet is Group_union, Group_intersection and Group_difference.
func groupSet(c call) error {
	a, err := c.group(0)
	if err != nil {
		return err
	}
	b, err := c.group(1)
	if err != nil {
		return err
	}
	switch c.f.Name {
	case "Group_union":
		return c.newGroup(2, a.g.Union(b.g))
	case "Group_intersection":
		return c.newGroup(2, a.g.Intersection(b.g))
	}
	return c.newGroup(2, a.g.Difference(b.g))
}

// groupIncl is Group_incl and Group_excl: group, n, ranks, new group.
func groupIncl(c call) error {
	g, err := c.group(0)
	if err != nil {
		return err
	}
	n := c.int(1)
	if n < 0 {
		return bad(spec.ERR_ARG, "n is %d", n)
	}
	list, err := c.ints(2, n)
	if err != nil {
		return err
	}
	ranks := make([]int, n)
	for i, r := range list {
		ranks[i] = int(r)
	}
	return c.chosen(g, ranks, c.f.Name == "Group_incl", 3)
}

// chosen is the group of some ranks, or of all others.
func (c call) chosen(g *group, ranks []int, incl bool, at int) error {
	d, err := g.g.Excl(ranks...)
	if incl {
		d, err = g.g.Incl(ranks...)
	}
	if err != nil {
		return err
	}
	return c.newGroup(at, d)
}

// groupRange is Group_range_incl and Group_range_excl: group, n, triples of first, last and stride, new group.
func groupRange(c call) error {
	g, err := c.group(0)
	if err != nil {
		return err
	}
	n := c.int(1)
	if n < 0 {
		return bad(spec.ERR_ARG, "n is %d", n)
	}
	triples, err := array[[3]int32](c, 2, n)
	if err != nil {
		return err
	}
	var ranks []int
	for _, t := range triples {
		first, last, stride := int(t[0]), int(t[1]), int(t[2])
		if stride == 0 {
			return bad(spec.ERR_ARG, "a stride of 0")
		}
		for r := first; stride > 0 && r <= last || stride < 0 && r >= last; r += stride {
			if r < 0 || r >= g.g.Size() {
				return bad(spec.ERR_RANK, "rank %d in a group of %d", r, g.g.Size())
			}
			ranks = append(ranks, r)
		}
	}
	return c.chosen(g, ranks, c.f.Name == "Group_range_incl", 3)
}

func freeGroup(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	if h != spec.GROUP_EMPTY && c.p.groups.remove(h) == nil {
		return bad(spec.ERR_GROUP, "0x%x is no group that can be freed", h)
	}
	c.setHandle(0, spec.GROUP_NULL)
	return nil
}
