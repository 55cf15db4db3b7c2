package progress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
)

// fetchPlan has every rank lend its bytes and fetch those of all others, from byte at on.
func fetchPlan(rank, ranks, n, at int) *plan.Plan {
	b := plan.NewBuilder("fetch", rank, ranks)
	b.OnSlips(0, ranks, 2)
	key := func(r int) plan.Span { return plan.Span{Buf: plan.Node, Off: r * plan.SlipLen, Len: plan.KeyLen} }
	b.Set(0, b.Lend(key(rank), plan.Span{Buf: plan.In, Len: n}))
	var fetched []int
	for r := range ranks {
		if r != rank {
			fetched = append(fetched, b.Fetch(r, plan.Span{Buf: plan.Out, Off: r * (n - at), Len: n - at}, key(r), at, b.Await(r, 0)))
		}
	}
	b.Set(1, fetched...)
	for r := range ranks {
		if r != rank {
			b.Await(r, 1)
		}
	}
	return b.Build()
}

// What is lent is fetched as it is while the plan runs, whatever its lender does with it afterwards.
func TestCommonsFetch(t *testing.T) {
	const ranks, runs = 3, 200
	onEveryNode(t, ranks, func(t *testing.T, c *crew) {
		c.each(t, func(rank int) error {
			for seq := 1; seq <= runs; seq++ {
				n := []int{100, 5000, 70000}[seq%3]
				at := seq % 64
				in, out := pattern(n, seq+rank), make([]byte, ranks*(n-at))
				if err := c.run(rank, seq, fetchPlan(rank, ranks, n, at), in, out); err != nil {
					return err
				}
				clear(in)
				for r := range ranks {
					if got := out[r*(n-at) : (r+1)*(n-at)]; r != rank && !bytes.Equal(got, pattern(n, seq+r)[at:]) {
						return fmt.Errorf("run %d: wrong bytes of rank %d", seq, r)
					}
				}
			}
			return nil
		})
		for rank, l := range c.loops {
			if got := l.Commons().Fetches; got != runs*(ranks-1) {
				t.Errorf("rank %d counts %d fetches", rank, got)
			}
		}
	})
}

// A lender that gives the plan up ends the plans of those who would fetch: what they find may not be what was lent.
func TestCommonsLenderGivesUp(t *testing.T) {
	onEveryNode(t, 2, func(t *testing.T, c *crew) {
		lender := plan.NewBuilder("lender", 0, 2)
		lender.OnSlips(0, 2, 2)
		key := plan.Span{Buf: plan.Node, Len: plan.KeyLen}
		lender.Set(0, lender.Lend(key, plan.Span{Buf: plan.In, Len: 64}))
		lender.Await(1, 1)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		ended := async(func() {
			if err := c.loops[0].RunPlan(ctx, c.bound(0, 1, lender.Build(), make([]byte, 64), nil), why("shared")); !errors.Is(err, context.Canceled) {
				t.Errorf("the lender ended with %v", err)
			}
		})
		waiting(t, c.loops[0], 1)
		cancel()
		within(t, "the lender", ended)

		b := plan.NewBuilder("fetcher", 1, 2)
		b.OnSlips(0, 2, 2)
		b.Set(1, b.Fetch(0, plan.Span{Buf: plan.Out, Len: 64}, key, 0, b.Await(0, 0)))
		if err := c.run(1, 1, b.Build(), nil, make([]byte, 64)); !errors.Is(err, engine.ErrLost) {
			t.Errorf("the other ended with %v", err)
		}
	})
}
