package comm

import (
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/progress"
)

// nodeShare is what a communicator's ranks of one node share; made when the first plan needs it.
type nodeShare struct {
	mu      sync.Mutex // held by who makes it
	commons atomic.Pointer[progress.Commons]
	room    uint8 // what is known of it, see room.go; settled before the first call
}

// shared is what the group's ranks know alike. The ranks of one process may share a group, and so the answer.
func (g *Group) shared(f *agree.Facts) *agree.Shared {
	g.once.Do(func() { g.alike = f.Among(g.procs) })
	return g.alike
}

// nodes is the node of each rank, numbered in the order in which they first appear.
func (c *core) nodes() []int { return c.group.shared(c.env.Facts).Nodes() }

// commons is what we share with the ranks of our node; nil if nothing.
func (c *core) commons() *progress.Commons {
	if !c.env.Facts.Terms().Shares {
		return nil
	}
	s := &c.node
	if made := s.commons.Load(); made != nil {
		return made
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.commons.Load() == nil {
		nodes := c.nodes()
		r := progress.NodeRanks{Ctx: c.collectives(), Procs: c.group.procs, Self: c.rank}
		for rank, node := range nodes {
			if node == nodes[c.rank] {
				r.Here = append(r.Here, rank)
			}
		}
		s.commons.Store(c.env.Loop.OpenCommons(r))
	}
	return s.commons.Load()
}

// closeNode gives back what the ranks of our node share.
func (c *core) closeNode() {
	if made := c.node.commons.Swap(nil); made != nil {
		c.env.Loop.CloseCommons(made)
	}
}

// MemoryColor is the color by which Split makes one communicator for the ranks of a host that use
// processors next to the same memory alone: Undefined for a rank that may use others, too.
func (c *Comm) MemoryColor() int {
	node := c.env.NUMA()
	if node < 0 || node >= mostMemories {
		return Undefined
	}
	return c.SharedColor()*mostMemories + node
}

// mostMemories is more than a host has NUMA nodes.
const mostMemories = 1 << 10

// SharedColor is the color by which Split makes one communicator for the ranks whose memory can be shared: the
// lowest of them.
func (c *Comm) SharedColor() int {
	for rank, proc := range c.group.procs {
		if c.env.Loop.Shares(proc) {
			return rank
		}
	}
	return c.rank
}
