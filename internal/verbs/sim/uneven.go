package sim

import "fmt"

// Node is what a node has that others may not have.
type Node struct {
	Cores int `json:",omitempty"` // 0: as many as the cluster says
	Rails int `json:",omitempty"` // likewise; rails with the same number are on one network
	// Rates are those of its rails' wires, as shares of what the profile says; those that are
	// missing are 1. A message between two rails is as slow as the slower one.
	Rates []float64 `json:",omitempty"`
	// Denies has its kernel keep ranks from reading each other's memory. What they share they still share.
	Denies bool `json:",omitempty"`
}

// maxRails and maxCores are of one node.
const (
	maxRails = 8
	maxCores = 1024
)

// fill puts the profile's numbers where there are none.
func (c *Cluster) fill() {
	if c.Rails == 0 {
		c.Rails = int(c.Profile.get("rails"))
	}
	if c.Cores == 0 {
		c.Cores = int(c.Profile.get("cores"))
	}
}

// own is what a node has, with the cluster's numbers filled in.
func (c *Cluster) own(node int) (n Node) {
	if node < len(c.Each) {
		n = c.Each[node]
	}
	if n.Cores == 0 {
		n.Cores = c.Cores
	}
	if n.Rails == 0 {
		n.Rails = c.Rails
	}
	return n
}

// check tells what is wrong with a cluster that is filled in.
func (c *Cluster) check() error {
	switch {
	case c.Nodes < 1 || c.Nodes > maxNodes:
		return fmt.Errorf("sim: a cluster of %d nodes; there can be 1 to %d", c.Nodes, maxNodes)
	case len(c.Each) > c.Nodes:
		return fmt.Errorf("sim: a cluster of %d nodes, of which %d are described", c.Nodes, len(c.Each))
	}
	for i := range max(len(c.Each), 1) {
		if err := c.own(i).check(); err != nil {
			return fmt.Errorf("sim: node %d: %w", i, err)
		}
	}
	return nil
}

func (n Node) check() error {
	switch {
	case n.Rails < 1 || n.Rails > maxRails:
		return fmt.Errorf("%d rails; there can be 1 to %d", n.Rails, maxRails)
	case n.Cores < 1 || n.Cores > maxCores:
		return fmt.Errorf("%d cores; there can be 1 to %d", n.Cores, maxCores)
	case len(n.Rates) > n.Rails:
		return fmt.Errorf("%d rates of %d rails", len(n.Rates), n.Rails)
	}
	for _, r := range n.Rates {
		if !(r >= minRate && r <= maxRate) {
			return fmt.Errorf("a rail of %v of the rate; there can be %v to %v", r, minRate, float64(maxRate))
		}
	}
	return nil
}

// minRate and maxRate are shares of the profile's rate.
const (
	minRate = 1e-6
	maxRate = 1e6
)

// share is the rate of a rail's wire, as a share of the profile's.
func (n Node) share(rail int) float64 {
	if rail < len(n.Rates) {
		return n.Rates[rail]
	}
	return 1
}

// Node is what a node has, with the cluster's numbers filled in.
func (f *Fabric) Node(i int) (Node, error) {
	n, err := f.node(i)
	if err != nil {
		return Node{}, err
	}
	return n.own, nil
}
