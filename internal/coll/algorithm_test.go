package coll

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
	"pgregory.net/rapid"
)

// reduces reports whether the operation combines values.
func reduces(op Op) bool {
	switch op {
	case Reduce, Allreduce, Scan, Exscan, ReduceScatter:
		return true
	}
	return false
}

func TestIrregularCounts(t *testing.T) {
	for _, op := range []Op{Gatherv, Scatterv, Allgatherv, Alltoallv, ReduceScatter, NeighborAllgatherv, NeighborAlltoallv} {
		for _, a := range Algorithms(op) {
			t.Run(a.Name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					ranks := rapid.IntRange(1, 9).Draw(t, "ranks")
					length := rapid.SampledFrom([]int{0, 0, 1, 2, 5, 40})
					n := make(counts, ranks)
					for i := range n {
						for range ranks {
							n[i] = append(n[i], length.Draw(t, "elements")*elemSize)
						}
					}
					c := Case{Op: op, Ranks: ranks, Elem: elemSize,
						Root:        rapid.IntRange(0, ranks-1).Draw(t, "root"),
						InPlace:     rapid.Bool().Draw(t, "in place"),
						Commutative: rapid.Bool().Draw(t, "commutative")}
					if op.Neighborly() {
						c.Graph, c.InPlace = graphs(ranks)[rapid.IntRange(0, 3).Draw(t, "graph")], false
					}
					if usesNodes(a) {
						c = onNodes(c, make([]int, ranks))
					}
					if !a.Fits(c) {
						t.Skip("does not fit")
					}
					if err := try(a, describe(c, n), rapid.Uint64().Draw(t, "order")); err != nil {
						t.Fatal(err)
					}
				})
			})
		}
	}
}

// queue is a Port that delivers the empty messages and the flags of a barrier.
type queue struct {
	plan.Port // what a barrier does not ask for
	rank      int
	world     *[][]message
	board     *board
	run       plan.Run
	done      bool
}

type message struct {
	from, step int
	send       bool
}

func (q *queue) Send(s *plan.Step, _ []byte, step int) bool {
	peer := s.Peer
	(*q.world)[peer] = append((*q.world)[peer], message{from: q.rank, step: step, send: true})
	return false
}
func (q *queue) Recv(s *plan.Step, _ []byte, step int) {
	(*q.world)[q.rank] = append((*q.world)[q.rank], message{from: int(s.Peer), step: step})
}
func (q *queue) Cancel(int) {}

// board holds the flags of all ranks, and who awaits one that is not raised.
type board struct {
	raised map[[2]int]bool // rank and flag
	waits  []waiting
}

type waiting struct{ rank, step, peer, flag int }

func (q *queue) Set(flag int) { q.board.raised[[2]int{q.rank, flag}] = true }
func (q *queue) Await(peer, flag, step int) (raised bool) {
	if !q.board.raised[[2]int{peer, flag}] {
		q.board.waits = append(q.board.waits, waiting{q.rank, step, peer, flag})
		return false
	}
	return true
}

// release ends the waits for flags that have been raised.
func (b *board) release(ports []queue) (moved bool) {
	for i := 0; i < len(b.waits); {
		w := b.waits[i]
		if !b.raised[[2]int{w.peer, w.flag}] {
			i++
			continue
		}
		b.waits = slices.Delete(b.waits, i, i+1)
		ports[w.rank].done = ports[w.rank].run.Done(w.step, nil)
		moved = true
	}
	return moved
}

// settle delivers until nothing more can happen. Sends end at once, but their
// message waits for the receive.
func settle(ports []queue, world [][]message, flags *board) {
	for moved := true; moved; {
		moved = flags.release(ports)
		for rank := range world {
			for i := 0; i < len(world[rank]) && !moved; i++ {
				for j := range world[rank] {
					send, recv := world[rank][i], world[rank][j]
					if !send.send || recv.send || send.from != recv.from {
						continue
					}
					world[rank] = append(world[rank][:max(i, j)], world[rank][max(i, j)+1:]...)
					world[rank] = append(world[rank][:min(i, j)], world[rank][min(i, j)+1:]...)
					ports[send.from].done = ports[send.from].run.Done(send.step, nil)
					ports[rank].done = ports[rank].run.Done(recv.step, nil)
					moved = true
					break
				}
			}
		}
	}
}

// TestNobodyLeavesABarrierEarly holds one rank back and looks whether another
// one gets through.
func TestNobodyLeavesABarrierEarly(t *testing.T) {
	for _, a := range Algorithms(Barrier) {
		for ranks := 2; ranks <= 13; ranks++ {
			for _, perNode := range []int{1, 3, 13} {
				c := Case{Op: Barrier, Ranks: ranks, Nodes: make([]int, ranks), Shares: true}
				for rank := range c.Nodes {
					c.Nodes[rank] = rank / perNode
				}
				for late := 0; late < ranks && a.Fits(c); late++ {
					holdBack(t, a, c, late)
				}
			}
		}
	}
}

// holdBack runs a barrier in which one rank is late.
func holdBack(t *testing.T, a Algorithm, c Case, late int) {
	world, flags := make([][]message, c.Ranks), &board{raised: map[[2]int]bool{}}
	ports := make([]queue, c.Ranks)
	start := func(rank int) {
		p := &ports[rank]
		p.rank, p.world, p.board = rank, &world, flags
		c.Rank = rank
		p.done = p.run.Start(a.Plan(c), new(plan.Bufs), nil, p)
	}
	for rank := range c.Ranks {
		if rank != late {
			start(rank)
		}
	}
	settle(ports, world, flags)
	for rank := range c.Ranks {
		if ports[rank].done {
			t.Fatalf("%s, nodes %v: %d left before %d came", a.Name, c.Nodes, rank, late)
		}
	}
	start(late)
	settle(ports, world, flags)
	for rank := range c.Ranks {
		if !ports[rank].done {
			t.Fatalf("%s, nodes %v: %d never left", a.Name, c.Nodes, rank)
		}
	}
}

// TestRounds holds the plans against the number of rounds that the heads of
// the files promise.
func TestRounds(t *testing.T) {
	for name, want := range map[string]int{
		"barrier/dissemination":  4,
		"barrier/flat":           2,
		"bcast/flat":             1,
		"bcast/binomial":         4,
		"bcast/scatter_doubling": 7,
		"reduce/flat":            1,
		"reduce/binomial":        4,
		"reduce/rabenseifner":    8,
		"gather/knomial":         4,
		"scatter/knomial":        4,
		"scan/doubling":          4,
		"scan/chain":             15,
		"barrier/binomial":       8,
		"allreduce/flat":         2,
		"allreduce/doubling":     4,
		"allreduce/rabenseifner": 8,
		"allreduce/ring":         30,
		"allgather/flat":         1,
		"allgather/bruck":        4,
		"allgather/doubling":     4,
		"alltoall/flat":          1,
		"alltoall/bruck":         4,
		"alltoall/pairwise":      15,
		"reduce_scatter/halving": 4,
	} {
		a, known := Find(name)
		if !known {
			t.Fatalf("no %s", name)
		}
		plans := make([]*plan.Plan, 16)
		for rank := range plans {
			plans[rank] = a.Plan(Case{Op: a.Op, Rank: rank, Ranks: 16, Bytes: 64, Elem: 4, Commutative: true})
		}
		if got, err := plan.Rounds(plans); got != want || err != nil {
			t.Errorf("%s on 16 ranks: %d rounds (%v), want %d", name, got, err, want)
		}
	}
}

// TestPairwiseHasOneMessageInFlight makes sure that no receive and no send of a
// round is posted before those of the round before have ended.
func TestPairwiseHasOneMessageInFlight(t *testing.T) {
	for _, name := range []string{"alltoall/pairwise", "reduce_scatter/pairwise"} {
		a, _ := Find(name)
		p := a.Plan(Case{Op: a.Op, Rank: 1, Ranks: 6, Bytes: 8})
		before := make([]map[int]bool, len(p.Steps)) // what has ended when a step starts
		var recvs, sends []int
		for i, s := range p.Steps {
			before[i] = map[int]bool{}
			for _, d := range p.Deps(i) {
				before[i][int(d)] = true
				for e := range before[d] {
					before[i][e] = true
				}
			}
			switch s.Kind {
			case plan.Recv:
				recvs = append(recvs, i)
			case plan.Send:
				sends = append(sends, i)
			}
		}
		for k := 1; k < len(recvs); k++ {
			for _, next := range []int{recvs[k], sends[k]} {
				if !before[next][recvs[k-1]] || !before[next][sends[k-1]] {
					t.Errorf("%s: step %d does not wait for the round before\n%s", name, next, p)
				}
			}
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	eight := slices.Repeat([]int{64}, 8)
	for _, c := range []Case{
		{Op: Barrier, Ranks: 8},
		{Op: Allreduce, Ranks: 8, Bytes: 8, Elem: 8, Commutative: true},
		{Op: Allreduce, Ranks: 8, Bytes: 4 << 20, Elem: 8, Commutative: true},
		{Op: Alltoallv, Ranks: 8, SendCounts: eight, SendDispls: eight, RecvCounts: eight, RecvDispls: []int{0, 64, 128, 192, 256, 320, 384, 448}},
	} {
		s := Default()
		a, _ := s.Choose(c)
		b.Run(a.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, _ := s.Choose(c)
				a.Plan(c)
			}
		})
	}
}

// TestChoices: every algorithm has a number of its own that says its name, and plans carry it, with
// ports or without.
func TestChoices(t *testing.T) {
	if len(table) >= NoChoice {
		t.Fatalf("%d algorithms: a byte does not tell them apart", len(table))
	}
	seen := map[uint8]string{}
	for _, a := range table {
		n := algorithmNumbers[a.Name]
		if other, taken := seen[n]; n == 0 || taken || ChoiceName(n) != a.Name {
			t.Errorf("%s has the number %d, as %q, which says %s", a.Name, n, other, ChoiceName(n))
		}
		seen[n] = a.Name
	}
	a, _ := Find("allgather/bruck@2")
	if p := a.Plan(Case{Op: Allgather, Ranks: 4, Bytes: 8}); ChoiceName(p.Choice) != "allgather/bruck" {
		t.Errorf("the plan of %s says %s", a.Name, ChoiceName(p.Choice))
	}
}
