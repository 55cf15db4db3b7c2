package tune

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Node is the settings of what the ranks of a node have in common.
type Node struct {
	Commons int    // bytes per rank for collectives; 0: none are shared
	Layout  []int  // node that a rank pretends to be on, from the first rank on, and again from the start; nil: nobody pretends
	Blocks  int    // the same: so many nodes, of ranks in a row; 0: nobody pretends
	Scheme  string // "auto", "copied", "announced"
	Slips   bool   // a few bytes of collectives stand in one line with their flag
}

var nodeTable = []tunable{
	{"WEFT_COLL_NODE", "256M", "memory per rank, shared with the ranks of its node, that collectives may use; only touched pages cost memory; 0: collectives send messages", func(s *Settings, v string) (err error) {
		s.Node.Commons, err = parseBytes(v, 1<<44)
		return err
	}},
	{"WEFT_COLL_SCHEME", "auto", "how messages between nodes travel in collectives that leave it open: copied (with their envelope), announced (the receiver says where it wants them), auto (copied up to 8 KB)", func(s *Settings, v string) error {
		return choice(&s.Node.Scheme, v, "auto", "copied", "announced")
	}},
	{"WEFT_COLL_SLIPS", "on", "collectives within a node put a few bytes (up to 112) beside the flag that tells of them: on, off (bytes and flags on lines of the cache of their own)",
		onOff(func(s *Settings) *bool { return &s.Node.Slips })},
	{"WEFT_NODES", "", "nodes that collectives pretend there are on a host: a number of nodes, or the node of each rank, such as 0,0,1, over and over; empty: one", func(s *Settings, v string) error {
		return s.Node.pretend(v)
	}},
}

func init() { table = append(table, nodeTable...) }

var errNodes = errors.New("must be a number of nodes, such as 2, or the nodes of ranks, such as 0,1,1")

// pretend reads a layout.
func (n *Node) pretend(v string) error {
	if v == "" {
		return nil
	}
	words := strings.Split(v, ",")
	for _, w := range words {
		node, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil || node < 0 || node > 1<<20 {
			return errNodes
		}
		n.Layout = append(n.Layout, node)
	}
	if len(words) == 1 {
		if n.Blocks, n.Layout = n.Layout[0], nil; n.Blocks == 0 {
			return fmt.Errorf("%w; not 0", errNodes)
		}
	}
	return nil
}

// Of is the node that one of size ranks pretends to be on.
func (n *Node) Of(rank, size int) int {
	switch {
	case n.Layout != nil:
		return n.Layout[rank%len(n.Layout)]
	case n.Blocks > 0:
		return rank * min(n.Blocks, size) / size
	}
	return 0
}
