package agree

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// Terms are what the settings mean for collectives. They are made of settings that stand on the
// Sheet, so that ranks whose sheets have been compared have the same.
type Terms struct {
	Nodes  []int    // node of each rank where ranks pretend to be on others than their hosts; nil: on their hosts
	Shares bool     // the ranks of a node use memory in common
	Stripe int      // bytes from which messages are spread over all rails; 0: as links do by themselves
	Scheme plan.Way // how messages between nodes travel in collectives that leave it open
	Slips  bool     // a few bytes of collectives stand beside the flag that tells of them
	Check  bool     // calls are compared between neighbours
}

// Facts are what all ranks of a job know alike. They do not change, and may be shared.
type Facts struct {
	terms Terms
	hosts []Host
	host  []int // of each rank
	node  []int // of each rank, numbered in the order in which they first appear
}

// On makes the facts of a job of what every host has told, by number of host, and what the settings
// mean, which have been compared.
func On(size int, hosts []Host, terms Terms) (*Facts, error) {
	f := &Facts{terms: terms, hosts: hosts, host: make([]int, size)}
	for rank := range f.host {
		f.host[rank] = -1
	}
	for i, h := range hosts {
		for _, rank := range h.Ranks {
			if rank >= size || f.host[rank] >= 0 {
				return nil, fmt.Errorf("%w: host %s tells of rank %d, which it does not have", ErrTold, h.Name, rank)
			}
			f.host[rank] = i
		}
	}
	if rank := slices.Index(f.host, -1); rank >= 0 {
		return nil, fmt.Errorf("%w: nobody says on which host rank %d is", ErrTold, rank)
	}
	f.node = f.numberNodes()
	return f, nil
}

// numberNodes numbers the nodes of ranks: those of one host that pretend to be on one node share it.
func (f *Facts) numberNodes() []int {
	return number(len(f.host), func(rank int) [2]int {
		if f.terms.Nodes == nil {
			return [2]int{f.host[rank], 0}
		}
		return [2]int{f.host[rank], f.terms.Nodes[rank]}
	})
}

// number numbers what n things have in the order in which it first appears.
func number[T comparable](n int, of func(int) T) []int {
	known := map[T]int{}
	numbers := make([]int, n)
	for i := range numbers {
		at := of(i)
		number, seen := known[at]
		if !seen {
			number = len(known)
			known[at] = number
		}
		numbers[i] = number
	}
	return numbers
}

// Terms are what the settings mean for collectives.
func (f *Facts) Terms() Terms { return f.terms }

// Checks tells whether calls are compared between neighbours.
func (f *Facts) Checks() bool { return f.terms.Check }

// Rails is how many rails every host has.
func (f *Facts) Rails() int {
	least := 0
	for _, h := range f.hosts {
		if n := max(h.Rails, 1); least == 0 || n < least {
			least = n
		}
	}
	return max(least, 1)
}

// Room is how much memory for collectives a rank has at least, on the host that has least.
func (f *Facts) Room() int {
	least := f.hosts[0].Room
	for _, h := range f.hosts {
		least = min(least, h.Room)
	}
	return least
}

// Among returns what holds for some of the ranks, such as those of a communicator: the same on each of them.
func (f *Facts) Among(ranks []int) *Shared {
	s := &Shared{nodes: number(len(ranks), func(i int) int { return f.node[ranks[i]] }), fetches: true}
	seen := map[int]int{} // node of the job: ranks of ours
	for _, rank := range ranks {
		seen[f.node[rank]]++
	}
	worst := -1.0
	for _, rank := range ranks {
		h := &f.hosts[f.host[rank]]
		if crowd := h.crowding(); crowd > worst {
			worst, s.local, s.cores = crowd, len(h.Ranks), h.CPUs
		}
		if seen[f.node[rank]] > 1 && !h.Fetches {
			s.fetches = false
		}
	}
	return s
}

// Shared is what some ranks of a job know alike.
type Shared struct {
	nodes        []int
	local, cores int
	fetches      bool
}

// Nodes is the node of each of the ranks, numbered in the order in which they first appear. The
// caller must not change it.
func (s *Shared) Nodes() []int { return s.nodes }

// Crowd returns how many ranks of the job share how many processors on the host that is most
// crowded; 0 processors if that is not known.
func (s *Shared) Crowd() (ranks, processors int) { return s.local, s.cores }

// Fetches tells that ranks can copy straight from the memory of those that share a node with them,
// on all nodes.
func (s *Shared) Fetches() bool { return s.fetches }

// String tells all of it, for people.
func (s *Shared) String() string {
	most := map[int]int{}
	for _, node := range s.nodes {
		most[node]++
	}
	largest := 0
	for _, n := range most {
		largest = max(largest, n)
	}
	return fmt.Sprintf("%d ranks on %d nodes, %d on the largest; %d ranks of the job on %d processors where it is most crowded; memory of others fetched: %v",
		len(s.nodes), len(most), largest, s.local, s.cores, s.fetches)
}
