package sim

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Barrier is the network's own, where a profile has one (sync_us): nodes enter it, and when all have, its
// switches let all go. It can be entered again as soon as it has let go.
type Barrier struct {
	f      *Fabric
	nodes  int
	inside []func() // what is called when they are let go
}

// NewBarrier makes a barrier of that many nodes.
func (f *Fabric) NewBarrier(nodes int) (*Barrier, error) {
	switch {
	case !f.cluster.Profile.Syncs():
		return nil, fmt.Errorf("sim: %w: the network of profile %s has no barrier (sync_us is 0)", verbs.ErrArgument, f.cluster.Profile.Name)
	case nodes < 1 || nodes > len(f.nodes):
		return nil, fmt.Errorf("sim: %w: a barrier of %d nodes, there are %d", verbs.ErrArgument, nodes, len(f.nodes))
	}
	return &Barrier{f: f, nodes: nodes}, nil
}

// Enter says that a node is there, and charges its processor for that. leave is called when all nodes have
// entered and are let go.
func (b *Barrier) Enter(leave func()) {
	s := b.f.s
	s.Charge(b.f.cost.post.get())
	s.At(s.Now(), func() { b.enter(leave) })
}

func (b *Barrier) enter(leave func()) {
	b.inside = append(b.inside, leave)
	if len(b.inside) < b.nodes {
		return
	}
	all := b.inside
	b.inside = nil
	b.f.s.At(b.f.s.Now()+b.f.cost.sync.get(), func() {
		for _, leave := range all {
			leave()
		}
	})
}
