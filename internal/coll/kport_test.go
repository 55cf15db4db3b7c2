package coll

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// plansOf returns the plans of all ranks.
func plansOf(t *testing.T, name string, c Case) []*plan.Plan {
	t.Helper()
	a, known := Find(name)
	if !known {
		t.Fatalf("no %s", name)
	}
	c.Op = a.Op
	plans := make([]*plan.Plan, c.Ranks)
	for rank := range plans {
		c.Rank = rank
		plans[rank] = a.Plan(c)
	}
	return plans
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// floorLog and ceilLog return the logarithm of n to base r, and whether n is a
// power of r.
func floorLog(n, r int) (e int, power bool) {
	pow := 1
	for pow*r <= n {
		pow *= r
		e++
	}
	return e, pow == n
}

func ceilLog(n, r int) int {
	e, power := floorLog(n, r)
	if !power {
		e++
	}
	return e
}

type claim struct {
	name   string
	rounds func(n, k int) int
	busy   func(n, k int) int
	everyN bool
}

// slack is how many rounds fewer it may be: one in Standard Exchange, if no
// rank beyond the core has to wait for another such; in Bruck's alltoall as
// many as the digits of the ranks allow, as a message waits only for the blocks
// in it.
func (c claim) slack(n, k int) int {
	_, power := floorLog(n, min(k+1, n))
	switch {
	case c.name == "alltoall/bruck":
		return logRounds(n, k) - treeDepth(n, k)
	case !power && strings.HasSuffix(c.name, "/exchange"):
		return 1
	}
	return 0
}

// claims are what the heads of the k-port algorithms promise for n ranks and k
// ports, r = k+1: rounds, for every n; and how many blocks leave by the busiest
// rail, for n a power of r (for Direct, every n).
var claims = []claim{
	{"scatter/knomial", treeDepth, evenShare, false},
	{"gather/knomial", treeDepth, func(n, k int) int { return n / (k + 1) }, false}, // a child of the root sends a subtree
	{"allgather/bruck", logRounds, evenShare, false},
	{"allgather/exchange", corrected, evenShare, false},
	{"alltoall/bruck", logRounds, digitShare, false},
	{"alltoall/exchange", corrected, digitShare, false},
	{"scatter/direct", directRounds, directRounds, true},
	{"gather/direct", directRounds, func(int, int) int { return 1 }, true},
	{"allgather/direct", directRounds, directRounds, true},
	{"alltoall/direct", directRounds, directRounds, true},
}

func logRounds(n, k int) int { return ceilLog(n, k+1) }

// treeDepth is the longest way down a k-nomial tree, or of a block by hops in
// radix k+1: the most digits that are
// not 0. It is at most logRounds; whoever is above posts all its messages at
// once, and its ports see to it that k leave at a time.
func treeDepth(n, k int) (most int) {
	for v := range n {
		digits := 0
		for rest := v; rest > 0; rest /= k + 1 {
			if rest%(k+1) > 0 {
				digits++
			}
		}
		most = max(most, digits)
	}
	return most
}

func directRounds(n, k int) int { return ceilDiv(n-1, k) }
func evenShare(n, k int) int    { return (n - 1) / k }
func digitShare(n, k int) int   { return ceilLog(n, k+1) * n / (k + 1) }

// corrected is the number of rounds of Standard Exchange: up to two more unless
// n is a power. Fewer ranks than k+1 need no more ports than there are others.
func corrected(n, k int) int {
	e, power := floorLog(n, min(k+1, n))
	if !power {
		e += 2
	}
	return e
}

// busiest returns how many bytes leave a rank by one rail, at most, and makes
// sure that no port is used that is not there.
func busiest(t *testing.T, plans []*plan.Plan, k int) (most int) {
	t.Helper()
	for _, p := range plans {
		for rail, bytes := range p.Tally().RailBytes {
			if rail > k || rail == 0 && k > 1 || rail > 0 && k == 1 {
				t.Fatalf("%s, %d ports: %d bytes leave by rail %d\n%s", p.Name, k, bytes, rail-1, p)
			}
			most = max(most, bytes)
		}
	}
	return most
}

// telling returns numbers of ranks around the powers of k+1, or all up to 81;
// with -short fewer.
func telling(k int) (ranks []int) {
	if os.Getenv("WEFT_SOAK") != "" {
		for n := 2; n <= 81; n++ {
			ranks = append(ranks, n)
		}
		return ranks
	}
	most := 40
	if testing.Short() {
		most = 16
	}
	for pow := k + 1; pow <= most; pow *= k + 1 {
		ranks = append(ranks, pow-1, pow, pow+1, pow+2, 2*pow)
	}
	slices.Sort(ranks)
	return slices.DeleteFunc(slices.Compact(ranks), func(n int) bool { return n < 2 || n > most })
}

func TestRoundsAndRailsOfKPortAlgorithms(t *testing.T) {
	const block = 8
	for _, claim := range claims {
		for k := 1; k <= MaxPorts; k++ {
			for _, n := range telling(k) {
				plans := plansOf(t, fmt.Sprintf("%s@%d", claim.name, k), Case{Ranks: n, Bytes: block, Root: n / 3, Stripe: 1 << 20})
				rounds, err := plan.Rounds(plans)
				if want := claim.rounds(n, k); err != nil || rounds > want || rounds < want-claim.slack(n, k) {
					t.Fatalf("%s@%d on %d ranks: %d rounds (%v), want %d", claim.name, k, n, rounds, err, want)
				}
				busy := busiest(t, plans, k)
				if _, power := floorLog(n, k+1); !power && !claim.everyN {
					continue
				}
				if want := claim.busy(n, k) * block; busy != want {
					t.Fatalf("%s@%d on %d ranks: %d bytes on the busiest rail, want %d", claim.name, k, n, busy, want)
				}
			}
		}
	}
}

// TestPortsOfTrees: by its busiest port the root sends, or is sent, one message
// per digit of the ranks: as many as there are rounds in the formula.
func TestPortsOfTrees(t *testing.T) {
	for k := 2; k <= MaxPorts; k++ {
		for n := 2; n <= 40; n++ {
			c := Case{Ranks: n, Root: n / 2, Bytes: 4, Stripe: 1 << 20}
			down, up := map[uint8]int{}, map[uint8]int{}
			for _, s := range plansOf(t, fmt.Sprintf("scatter/knomial@%d", k), c)[c.Root].Steps {
				if s.Kind == plan.Send {
					down[s.Rail]++
				}
			}
			for _, p := range plansOf(t, fmt.Sprintf("gather/knomial@%d", k), c) {
				for _, s := range p.Steps {
					if s.Kind == plan.Send && int(s.Peer) == c.Root {
						up[s.Rail]++
					}
				}
			}
			if want := logRounds(n, k); down[1] != want || up[1] != want {
				t.Fatalf("%d ranks, %d ports: %d messages down and %d up by port 1, want %d", n, k, down[1], up[1], want)
			}
			for port := range down {
				if down[port] > down[1] || down[port] != up[port] {
					t.Fatalf("%d ranks, %d ports: down %v, up %v", n, k, down, up)
				}
			}
		}
	}
}

// TestBytesOfKPortAlgorithms holds what every rank sends and moves against what
// must be, whatever the number of ranks and ports.
func TestBytesOfKPortAlgorithms(t *testing.T) {
	const block = 8
	for k := 1; k <= 4; k++ {
		for _, n := range telling(k) {
			for _, way := range []string{"bruck", "direct", "exchange"} {
				for rank, p := range plansOf(t, fmt.Sprintf("allgather/%s@%d", way, k), Case{Ranks: n, Bytes: block}) {
					_, power := floorLog(n, min(k+1, n))
					got := p.Tally()
					move := map[string]int{"bruck": n + 1, "direct": 1, "exchange": 1}[way] * block
					if way == "exchange" && !power {
						continue
					}
					if got.SendBytes != (n-1)*block || got.RecvBytes != (n-1)*block || got.MoveBytes != move {
						t.Fatalf("allgather/%s@%d, rank %d of %d: %+v, want %d bytes each way and %d moved",
							way, k, rank, n, got, (n-1)*block, move)
					}
				}
			}
			hops := 0 // digits that are not 0 of all distances: what Bruck sends
			for i := range n {
				for rest := i; rest > 0; rest /= k + 1 {
					if rest%(k+1) > 0 {
						hops++
					}
				}
			}
			for rank, p := range plansOf(t, fmt.Sprintf("alltoall/bruck@%d", k), Case{Ranks: n, Bytes: block}) {
				if got := p.Tally(); got.SendBytes != hops*block || got.MoveBytes != (hops+n)*block {
					t.Fatalf("alltoall/bruck@%d, rank %d of %d: %+v, want %d blocks sent and %d moved", k, rank, n, got, hops, hops+n)
				}
			}
		}
	}
}

// TestCorrectionSteps: what a rank beyond the core of Standard Exchange hands
// over and gets back.
func TestCorrectionSteps(t *testing.T) {
	for _, c := range []struct {
		name       string
		sent, came int
	}{{"allgather/exchange@2", 1, 16}, {"alltoall/exchange@2", 16, 16}} {
		plans := plansOf(t, c.name, Case{Ranks: 16, Bytes: 4, Stripe: 1 << 20}) // 9 in the core, 7 beyond
		for rank := 9; rank < 16; rank++ {
			got := plans[rank].Tally()
			if got.Sends != 1 || got.Recvs != 1 || got.SendBytes != c.sent*4 || got.RecvBytes != c.came*4 || got.Peers != 1 {
				t.Errorf("%s, rank %d: %+v", c.name, rank, got)
			}
		}
	}
}

// TestLongMessagesAreLeftToTheLink: from Case.Stripe on, else above 1 KB, the
// link cuts a message over all rails, and a port does not choose one.
func TestLongMessagesAreLeftToTheLink(t *testing.T) {
	for _, c := range []struct {
		bytes, stripe int
		pinned        bool
	}{{1024, 0, true}, {1025, 0, false}, {1025, 2000, true}, {2000, 2000, false}} {
		for _, name := range []string{"allgather/direct@2", "alltoall/direct@2", "scatter/direct@2", "gather/direct@2",
			"scatter/knomial@2", "gather/knomial@2"} {
			for _, p := range plansOf(t, name, Case{Ranks: 3, Bytes: c.bytes, Stripe: c.stripe}) {
				if got := p.Tally(); got.Sends > 0 && got.RailBytes[0] == 0 != c.pinned {
					t.Errorf("%s, %d bytes, stripe from %d, rank %d: %v", name, c.bytes, c.stripe, p.Rank, got.RailBytes)
				}
			}
		}
	}
}

// TestPortsAreForOtherNodes: messages that stay on a node take no port, and those of a rank to or from
// other nodes take its ports in turn, whether its neighbours are on its node or not. Of the ranks of a node
// not all begin with the same one.
func TestPortsAreForOtherNodes(t *testing.T) {
	for layout, nodes := range map[string][]int{
		"host by host": {0, 0, 0, 0, 1, 1, 1, 1}, "by turns": {0, 1, 0, 1, 0, 1, 0, 1}, "uneven": {0, 1, 1, 1, 0, 2, 2, 1, 0},
	} {
		for _, name := range []string{"scatter/direct", "scatter/knomial", "gather/direct", "gather/knomial", "allgather/direct", "allgather/bruck",
			"allgather/exchange", "alltoall/direct", "alltoall/bruck", "alltoall/exchange"} {
			k := 2
			hears := strings.HasPrefix(name, "gather") // the receiver deals the ports out
			taken := make([]map[uint8]int, len(nodes)) // by rank and port: messages
			for i := range taken {
				taken[i] = map[uint8]int{}
			}
			begin := map[uint8]bool{} // ports of first messages
			plans := plansOf(t, fmt.Sprintf("%s@%d", name, k), Case{Ranks: len(nodes), Root: 1, Bytes: 8, Nodes: nodes, Stripe: 1 << 20})
			for rank, p := range plans {
				first := true
				for _, s := range p.Steps {
					away := s.Kind == plan.Send && nodes[rank] != nodes[s.Peer]
					switch {
					case s.Kind != plan.Send:
					case away != (s.Rail > 0):
						t.Fatalf("%s, %s: rank %d to %d by port %d", name, layout, rank, s.Peer, s.Rail)
					case away && hears:
						taken[s.Peer][s.Rail]++
					case away:
						taken[rank][s.Rail]++
						if first {
							begin[s.Rail], first = true, false
						}
					}
				}
			}
			for rank, by := range taken {
				if by[1]-by[2] > 1 || by[2]-by[1] > 1 {
					t.Errorf("%s, %s: rank %d has messages by its ports %v", name, layout, rank, by)
				}
			}
			if strings.HasPrefix(name, "all") && len(begin) < k {
				t.Errorf("%s, %s: all ranks begin with the same port", name, layout)
			}
		}
	}
}

// TestPortsFollowRailsAndNames: as many ports as rails, unless the case or the
// name of the algorithm asks for another number.
func TestPortsFollowRailsAndNames(t *testing.T) {
	for _, c := range []struct {
		name         string
		rails, ports int
		rounds       int
	}{
		{"alltoall/direct", 0, 0, 8}, {"alltoall/direct", 2, 0, 4}, {"alltoall/direct", 2, 3, 3}, {"alltoall/direct@4", 2, 3, 2},
		{"alltoall/direct", 99, 0, 1},
	} {
		plans := plansOf(t, c.name, Case{Ranks: 9, Bytes: 8, Rails: c.rails, Ports: c.ports})
		if got, err := plan.Rounds(plans); err != nil || got != c.rounds {
			t.Errorf("%s with %d rails, %d ports: %d rounds (%v), want %d", c.name, c.rails, c.ports, got, err, c.rounds)
		}
	}
	for _, bad := range []string{"alltoall/direct@0", "alltoall/direct@9", "alltoall/direct@x", "alltoall/direct@", "alltoall/nothing@2"} {
		if _, known := Find(bad); known {
			t.Errorf("%s is known", bad)
		}
	}
}
