package hosts

import (
	"fmt"
	"strings"
)

// Policy says in which order ranks go to hosts.
type Policy int

// The policies.
const (
	BySlot Policy = iota // fill one host before the next
	ByNode               // one rank to each host in turn
)

// Request is what a placement has to satisfy.
type Request struct {
	Ranks         int // 0 means: as many as there are slots
	Policy        Policy
	PerNode       int  // ranks per host at most; 0 means not said
	Oversubscribe bool // more ranks than slots are fine
}

// Place returns the host of each rank, as an index into list. Hosts fill up to their slots; one without a number takes
// an equal share of what the others leave, without limit, and one slot when nobody says how many ranks there are.
func Place(list []Host, q Request) ([]int, error) {
	limits, total, open := limits(list, q)
	n := q.Ranks
	if n == 0 {
		n = total + open
		if q.PerNode > 0 {
			n = total
		}
	}
	counts := make([]int, len(list))
	left := n
	for i := range list { // those who said a number, in order
		if limits[i] > 0 && q.Policy == BySlot {
			counts[i] = min(limits[i], left)
			left -= counts[i]
		}
	}
	if q.Policy == ByNode {
		left = deal(counts, left, func(i int) bool { return limits[i] == 0 || counts[i] < limits[i] })
	} else {
		left = deal(counts, left, func(i int) bool { return limits[i] == 0 })
	}
	if left > 0 && q.Oversubscribe {
		left = deal(counts, left, func(i int) bool { return list[i].MaxSlots == 0 || counts[i] < list[i].MaxSlots })
	}
	if left > 0 {
		return nil, tooMany(list, q, n, n-left)
	}
	return spread(counts, n, q.Policy), nil
}

// limits returns the slots of each host, 0 for no limit, their sum, and the number of hosts without one.
func limits(list []Host, q Request) (limits []int, total, open int) {
	for _, h := range list {
		slots := h.Slots
		if q.PerNode > 0 {
			slots = q.PerNode
			if h.Slots > 0 && !q.Oversubscribe {
				slots = min(slots, h.Slots)
			}
		}
		if h.MaxSlots > 0 && slots > h.MaxSlots {
			slots = h.MaxSlots
		}
		if slots == 0 {
			open++
		}
		limits = append(limits, slots)
		total += slots
	}
	return limits, total, open
}

// deal gives out ranks one by one to the hosts that may have another, in turn, and returns how many are left over.
func deal(counts []int, n int, may func(i int) bool) (left int) {
	for n > 0 {
		before := n
		for i := range counts {
			if n > 0 && may(i) {
				counts[i]++
				n--
			}
		}
		if n == before {
			break
		}
	}
	return n
}

// spread turns counts per host into the host of each rank.
func spread(counts []int, n int, policy Policy) []int {
	node := make([]int, 0, n)
	if policy == BySlot {
		for i, c := range counts {
			for range c {
				node = append(node, i)
			}
		}
		return node
	}
	for round := 0; len(node) < n; round++ {
		for i, c := range counts {
			if round < c {
				node = append(node, i)
			}
		}
	}
	return node
}

func tooMany(list []Host, q Request, n, fit int) error {
	if q.Oversubscribe {
		return fmt.Errorf("%d ranks do not fit: max_slots allows %d on %s", n, fit, names(list))
	}
	if q.PerNode > 0 {
		return fmt.Errorf("%d ranks do not fit: at %d per host there are places for %d on %s; name more hosts, raise the "+
			"number per host, or add --oversubscribe", n, q.PerNode, fit, names(list))
	}
	return fmt.Errorf("%d ranks do not fit: there are %d slots on %s; give the hosts more slots (h1:4, or slots=4 in a "+
		"host file), or add --oversubscribe", n, fit, names(list))
}

// names lists the hosts for a message.
func names(list []Host) string {
	const most = 8
	var b strings.Builder
	for i, h := range list {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(list)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(h.Name)
	}
	return b.String()
}
