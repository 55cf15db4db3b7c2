package boot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/tune"
)

// layout numbers the nodes of the job's ranks in the order in which they first appear. host is where a rank is, by any number;
// nil is one host for all. Ranks of a host may pretend to be on several nodes. Where they do not, and reach each other over the
// network alone, they count as ranks of hosts of their own.
func layout(size int, host func(rank int) int, set *tune.Settings) []int {
	type place struct{ host, node int }
	pretend := &set.Node
	switch {
	case host != nil:
	case set.Net.Links == "rail" && pretend.Layout == nil && pretend.Blocks == 0:
		host = func(rank int) int { return rank }
	default:
		host = func(int) int { return 0 }
	}
	known := map[place]int{}
	nodes := make([]int, size)
	for rank := range nodes {
		at := place{host(rank), pretend.Of(rank, size)}
		n, seen := known[at]
		if !seen {
			n = len(known)
			known[at] = n
		}
		nodes[rank] = n
	}
	return nodes
}

func nodeKey(node int) string { return fmt.Sprintf("weft-node-%d", node) }

// tellNode tells the ranks on other hosts who is on ours, and how many rails it has. One rank of the host speaks for all.
func (p *place) tellNode(client board, rails int) error {
	if p.hosts == 1 || p.localRank() != 0 {
		return nil
	}
	return client.Put(nodeKey(p.node), fmt.Sprintf("%d:%s", rails, pmi.FormatRanks(p.local)))
}

// findHosts finds out on which host each rank is and how many rails all hosts have, once all have told.
func (p *place) findHosts(client board, ownRails int) (host []int, rails int, err error) {
	host, rails = make([]int, p.size), ownRails
	if p.hosts == 1 {
		return host, rails, nil
	}
	for i := range host {
		host[i] = -1
	}
	for node := range p.hosts {
		text, found, err := client.Get(nodeKey(node))
		if err != nil || !found {
			return nil, 0, fmt.Errorf("%w: the ranks of host %d are not known: %v", ErrLauncher, node, err)
		}
		count, list, _ := strings.Cut(text, ":")
		theirs, err := strconv.Atoi(count)
		if err != nil {
			return nil, 0, fmt.Errorf("%w: host %d says %q of its rails", ErrLauncher, node, count)
		}
		rails = min(rails, max(theirs, 1))
		ranks, err := pmi.ParseRanks(list, p.size)
		if err != nil {
			return nil, 0, fmt.Errorf("%w: the ranks of host %d: %w", ErrLauncher, node, err)
		}
		for _, rank := range ranks {
			host[rank] = node
		}
	}
	for rank, at := range host {
		if at < 0 {
			return nil, 0, fmt.Errorf("%w: nobody says on which host rank %d is", ErrLauncher, rank)
		}
	}
	return host, rails, nil
}

// commons fills in where all ranks are and what those of a node share. Ranks may share the slice.
func (ps *parts) commons(nodes []int, rails int, node progress.Node) {
	ps.nodes, ps.rails = nodes, rails
	if ps.shares = ps.set.Net.Links != "rail" && ps.set.Node.Commons > 0; ps.shares {
		ps.node, ps.fetches = node, true
		if voter, asks := node.(voter); asks {
			ps.fetches, ps.files = unanimous(voter)
		}
	}
}

// voter is a node whose ranks have to find out whether they can copy from each other's memory, and wake each other through files.
type voter interface {
	Vote()
	Votes() (copy, file, known bool)
}

// unanimous has us vote, and waits for the others, all of which have got here or are about to.
func unanimous(v voter) (copy, file bool) {
	v.Vote()
	for range 100_000 { // 10 s: somebody has died, and whoever started the job ends it
		if copy, file, known := v.Votes(); known {
			return copy, file
		}
		clock.Sleep(100_000)
	}
	return false, false
}

// railCount is how many rails the network has, 1 if there is none.
func (n *network) railCount() int {
	if n == nil {
		return 1
	}
	return max(n.rails, 1)
}
