package comm

import (
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/progress"
)

// nodeShare is what a communicator's ranks of one node share; made when the first plan needs it.
type nodeShare struct {
	mu      sync.Mutex // held by who makes it
	commons atomic.Pointer[progress.Commons]
	room    uint8 // what is known of it, see room.go; settled before the first call
}

// nodes numbers the nodes of the group's ranks in the order in which they first appear; nil if nobody knows where processes are.
// The ranks of one process may share a group, and so the answer. The caller must not change it.
func (g *Group) nodes(of []int) []int {
	if of == nil {
		return nil
	}
	g.laid.Do(func() {
		known := map[int]int{}
		g.layout = make([]int, len(g.procs))
		for rank, proc := range g.procs {
			n, seen := known[of[proc]]
			if !seen {
				n = len(known)
				known[of[proc]] = n
			}
			g.layout[rank] = n
		}
	})
	return g.layout
}

// commons is what we share with the ranks of our node; nil if nothing.
func (c *core) commons() *progress.Commons {
	if !c.env.Shares || c.env.Nodes == nil {
		return nil
	}
	s := &c.node
	if made := s.commons.Load(); made != nil {
		return made
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.commons.Load() == nil {
		nodes := c.group.nodes(c.env.Nodes)
		r := progress.NodeRanks{Ctx: c.ctx | 1, Procs: c.group.procs, Self: c.rank}
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
