package mpi

import "github.com/weft-mpi/weft/internal/comm"

// Intercomm makes a communicator between two groups: that of c and another one, whose ranks make the same call on
// their communicator. leader is a rank of c. Of the two leaders each names the other one by its rank in bridge, a
// communicator that both are in, and both give the same tag; other ranks may pass nil and any number.
//
// Ranks of such a communicator are those of the own group, but as peers those of the other one: a message to
// rank 0 goes to the other group's. Collectives go between the groups, see [Root]: what one group contributes,
// the other receives.
func (c *Comm) Intercomm(leader int, bridge *Comm, remote, tag int) (*Comm, error) {
	var inner *comm.Comm
	if bridge != nil {
		inner = bridge.c
	}
	return c.wrap(c.c.Intercomm(leader, inner, remote, tag))
}

// Merge makes a communicator of both groups. The ranks of one that says high come behind the others; if both say
// the same, one group is first. All ranks call it, those of a group with the same word.
func (c *Comm) Merge(high bool) (*Comm, error) { return c.wrap(c.c.Merge(high)) }

// Remote is the other group of a communicator between two; nil if there is one group.
func (c *Comm) Remote() *Group {
	if g := c.c.Remote(); g != nil {
		return &Group{g}
	}
	return nil
}

// blocks is from how many ranks blocks come in a collective: those of the other group, if there are two.
func blocks(c *Comm) int {
	if g := c.c.Remote(); g != nil {
		return g.Size()
	}
	return c.Size()
}

// isRoot tells whether a call has this rank as its root.
func isRoot(c *Comm, root int) bool {
	if c.c.Remote() != nil {
		return root == Root
	}
	return c.Rank() == root
}

// CreateGroup makes a communicator of the processes in g, a subset of c's. They alone call it, with the same
// group and tag; calls at the same time for other groups have other tags.
func (c *Comm) CreateGroup(g *Group, tag int) (*Comm, error) {
	return c.wrap(c.c.CreateGroup(g.g, tag))
}

// NewComm is a communicator that is being made, see [Comm.Idup].
type NewComm struct {
	p    *comm.Pending
	from *Comm
}

// Idup starts a [Comm.Dup]: the ranks do not wait for each other. All ranks call it.
func (c *Comm) Idup() (*NewComm, error) {
	p, err := c.c.Idup()
	if err != nil {
		return nil, err
	}
	return &NewComm{p, c}, nil
}

// Wait waits for the communicator.
func (n *NewComm) Wait() (*Comm, error) { return n.from.wrap(n.p.Wait()) }

// Relation is how much two groups or communicators have in common.
type Relation int

// The relations, closest first.
const (
	Identical = Relation(comm.Identical) // the same
	Congruent = Relation(comm.Congruent) // communicators with the same ranks, whose messages do not meet
	Similar   = Relation(comm.Similar)   // the same processes in another order
	Unequal   = Relation(comm.Unequal)
)

// Compare tells how much two communicators have in common.
func (c *Comm) Compare(d *Comm) Relation { return Relation(c.c.Compare(d.c)) }

// Compare tells how much two groups have in common: they are identical, similar or unequal.
func (g *Group) Compare(h *Group) Relation { return Relation(g.g.Compare(h.g)) }

// Range is the ranks from First to Last, each Stride behind the one before; a negative stride counts down.
type Range struct{ First, Last, Stride int }

func rangesOf(ranges []Range) []comm.Range {
	own := make([]comm.Range, len(ranges))
	for i, r := range ranges {
		own[i] = comm.Range(r)
	}
	return own
}

// RangeIncl is the group of the ranks in ranges, in their order.
func (g *Group) RangeIncl(ranges ...Range) (*Group, error) {
	return wrapGroup(g.g.RangeIncl(rangesOf(ranges)...))
}

// RangeExcl is the group without the ranks in ranges.
func (g *Group) RangeExcl(ranges ...Range) (*Group, error) {
	return wrapGroup(g.g.RangeExcl(rangesOf(ranges)...))
}
