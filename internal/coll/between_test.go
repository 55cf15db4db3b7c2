package coll

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// twoOf describes a call between groups as a rank sees it, with the buffers before and what must be in Out
// behind. Rank r brings data(r, to, n); counts differ where the operation has them.
func twoOf(op Op, rank, ranks, first, root, n int, commutes bool, m machine) (t Two, in, out, want []byte) {
	t = Two{Case: Case{Op: op, Rank: rank, Ranks: ranks, Root: root, Bytes: n, Elem: elemSize, Commutative: commutes}.on(m), First: first}
	t.Shares = false
	x := between{t: t}
	own, other := x.group(rank)
	each := func(r int) int { return (r%3 + 1) * n } // bytes of a rank where they differ
	rooted := op.Rooted()
	side, others := x.group(root)
	leads, has := rank == root, rank >= first != (root >= first)
	if rooted && !leads && !has {
		t.Root = NoPart
		return t, nil, nil, nil
	}
	_ = side
	total := func(of []int, n int) []byte {
		sum := data(of[0], 0, n)
		for _, r := range of[1:] {
			combineOf(t.Case)(sum, data(r, 0, n), false)
		}
		return sum
	}
	switch op {
	case Bcast:
		out = make([]byte, n)
		if want = data(root, 0, n); leads {
			copy(out, want)
		}
	case Gather, Gatherv:
		if !leads {
			if op == Gatherv {
				t.Bytes = each(rank)
			}
			in = data(rank, 0, t.Bytes)
			break
		}
		for _, r := range others {
			size := n
			if op == Gatherv {
				size = each(r)
				t.RecvCounts, t.RecvDispls = append(t.RecvCounts, size), append(t.RecvDispls, len(want))
			}
			want = append(want, data(r, 0, size)...)
		}
		out = make([]byte, len(want))
	case Scatter, Scatterv:
		if !leads {
			if op == Scatterv {
				t.Bytes = each(rank)
			}
			want = data(root, rank, t.Bytes)
			out = make([]byte, t.Bytes)
			break
		}
		for _, r := range others {
			size := n
			if op == Scatterv {
				size = each(r)
				t.SendCounts, t.SendDispls = append(t.SendCounts, size), append(t.SendDispls, len(in))
			}
			in = append(in, data(root, r, size)...)
		}
	case Reduce:
		if leads {
			want, out = total(others, n), make([]byte, n)
		} else {
			in = data(rank, 0, n)
		}
	case Allreduce:
		in, want, out = data(rank, 0, n), total(other, n), make([]byte, n)
	case ReduceScatter:
		all := n * ranks * 6 // that both groups can cut into their blocks
		at := 0
		for i, r := range own {
			size := all / len(own) / elemSize * elemSize
			if i == len(own)-1 {
				size = all - at
			}
			if t.RecvCounts = append(t.RecvCounts, size); r == rank {
				want = total(other, all)[at : at+size]
			}
			at += size
		}
		in, out = data(rank, 0, all), make([]byte, len(want))
	}
	return t, in, out, want
}

// tryBetween runs one call on all ranks, checked, in an order drawn from seed.
func tryBetween(op Op, ranks, first, root, n int, commutes bool, m machine, seed uint64) error {
	plans, lens, bufs, want := make([]*plan.Plan, ranks), make([]plan.Lens, ranks), make([]plan.Bufs, ranks), make([][]byte, ranks)
	var c Case
	for rank := range ranks {
		t, in, out, w := twoOf(op, rank, ranks, first, root, n, commutes, m)
		plans[rank], lens[rank] = betweenAll.Between(t), plan.Lens{In: len(in), Out: len(out)}
		bufs[rank], want[rank], c = plan.Bufs{In: in, Out: out}, w, t.Case
	}
	if err := plan.Check(plans, lens); err != nil {
		return err
	}
	if err := checkWithSignature(plans, lens); ranks <= 6 && err != nil {
		return err
	}
	order := lottery(seed)
	if err := plan.Simulate(plans, plan.Simulation{Bufs: bufs, Combine: combineOf(c), Pick: order.pick}); err != nil {
		return err
	}
	for rank, w := range want {
		if !bytes.Equal(bufs[rank].Out, w) {
			return fmt.Errorf("rank %d: got %x, want %x\n%s", rank, bufs[rank].Out, w, plans[rank])
		}
	}
	return nil
}

var betweenAll = Default().Remembering(notebook{})

// TestBetween proves the plans between groups of all sizes that have up to 40 ranks together, and compares with
// the naive result.
func TestBetween(t *testing.T) {
	for _, op := range []Op{Bcast, Reduce, Allreduce, Gather, Gatherv, Scatter, Scatterv, ReduceScatter} {
		l := lottery(op)
		for ranks := 2; ranks <= mostRanks; ranks++ {
			tries := 2
			if ranks > 12 {
				tries = 1 - min(l.pick(3), 1)
			}
			for range tries {
				first, root := 1+l.pick(ranks-1), l.pick(ranks)
				n := []int{0, elemSize, 257 * elemSize, 5000 * elemSize}[l.pick(4)]
				if ranks > 12 {
					n = min(n, 257*elemSize)
				}
				m := some(machines(ranks), 1, &l)[0]
				l++
				if err := tryBetween(op, ranks, first, root, n, l.pick(2) == 0, m, uint64(l)); err != nil {
					t.Fatalf("%s of %d bytes between %d and %d ranks, root %d, on %s: %v", op, n, first, ranks-first, root, m, err)
				}
			}
		}
	}
}
