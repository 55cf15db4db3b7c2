package progress_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// slipPlan has every rank put its bytes on its slip and take those of all, and raise further flags.
func slipPlan(rank, ranks, n, flags int) *plan.Plan {
	b := plan.NewBuilder("slips", rank, ranks)
	b.OnSlips(0, ranks, flags)
	at := func(r int) plan.Span { return plan.Span{Buf: plan.Node, Off: r * plan.SlipLen, Len: n} }
	put := b.Copy(at(rank), plan.Span{Buf: plan.In, Len: n})
	for f := range flags {
		b.Set(f, put)
	}
	for r := range ranks {
		there := put
		if r != rank {
			there = b.Await(r, 0)
		}
		for f := 1; f < flags && r != rank; f++ {
			there = b.Await(r, f, there)
		}
		b.Copy(plan.Span{Buf: plan.Out, Off: r * n, Len: n}, at(r), there)
	}
	return b.Build()
}

// runNumbers is n bytes that look like the numbers of runs about to come.
func runNumbers(n, seq, rank int) []byte {
	b := make([]byte, plan.SlipRoom)
	for i := range len(b) / 8 {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(seq+i+rank))
	}
	return b[:n]
}

// Runs on slips, mixed with others, find the bytes of their own run: what stands on slips is never taken
// for a flag, and the flags of others runs are not either.
func TestCommonsSlips(t *testing.T) {
	const ranks, runs = 4, 600
	onEveryNode(t, ranks, func(t *testing.T, c *crew) {
		c.each(t, func(rank int) error {
			chance := rand.New(rand.NewPCG(2, uint64(rank)))
			for seq := 1; seq <= runs; seq++ {
				n := []int{plan.SlipRoom, 8, 1, 40}[seq*5%7%4]
				p := slipPlan(rank, ranks, n, 1+seq%plan.SlipFlags)
				if seq%5 == 0 {
					p = gatherPlan(rank, ranks, n, 1)
				}
				if chance.IntN(50) == 0 {
					time.Sleep(time.Duration(chance.IntN(200)) * time.Microsecond)
				}
				out, want := make([]byte, ranks*n), []byte{}
				if err := c.run(rank, seq, p, runNumbers(n, seq, rank), out); err != nil {
					return err
				}
				for r := range ranks {
					want = append(want, runNumbers(n, seq, r)...)
				}
				if !bytes.Equal(out, want) {
					return fmt.Errorf("run %d: %d bytes are wrong", seq, n)
				}
			}
			return nil
		})
		for rank, l := range c.loops {
			if got := l.Commons().Slips; got != runs-runs/5 {
				t.Errorf("rank %d: %d runs on slips", rank, got)
			}
		}
	})
}

// handPlan has rank 1 put its bytes on its slip and rank 0 take them.
func handPlan(rank, n int) *plan.Plan {
	b := plan.NewBuilder("hand", rank, 2)
	b.OnSlips(0, 2, 1)
	slip := plan.Span{Buf: plan.Node, Off: plan.SlipLen, Len: n}
	if rank == 1 {
		b.Set(0, b.Copy(slip, plan.Span{Buf: plan.In, Len: n}))
	} else {
		b.Copy(plan.Span{Buf: plan.Out, Len: n}, slip, b.Await(1, 0))
	}
	return b.Build()
}

// A rank that waits for nobody hands over the bytes of many runs before the other has begun the
// first, and goes on in turns when the slots are full.
func TestCommonsRunsAhead(t *testing.T) {
	onEveryNode(t, 2, func(t *testing.T, c *crew) {
		const ahead, runs, n = 60, 1000, 16
		c.each(t, func(rank int) error { return c.run(rank, 1, barrierPlan(rank, 2), nil, nil) })
		give := func(from, to int) (err error) {
			for seq := from; seq < to && err == nil; seq++ {
				err = c.run(1, seq, handPlan(1, n), runNumbers(n, seq, 1), nil)
			}
			return err
		}
		within(t, "a rank that is ahead", async(func() {
			if err := give(2, 2+ahead); err != nil {
				t.Error(err)
			}
		}))
		c.each(t, func(rank int) error {
			if rank == 1 {
				return give(2+ahead, runs)
			}
			for seq := 2; seq < runs; seq++ {
				out := make([]byte, n)
				if err := c.run(0, seq, handPlan(0, n), nil, out); err != nil {
					return err
				}
				if !bytes.Equal(out, runNumbers(n, seq, 1)) {
					return fmt.Errorf("run %d: got %v", seq, out)
				}
			}
			return nil
		})
	})
}

// A plan that finds nothing to wait for has ended when it is started; one that does has not, and ends well.
func TestCommonsEndsAtOnce(t *testing.T) {
	c := spinners(t, progress.Config{Policy: clock.PolicyFor(2, 2)})
	c.each(t, func(rank int) error { return c.run(rank, 1, barrierPlan(rank, 2), nil, nil) })
	out := make([]byte, 8)
	early := c.loops[0].StartPlan(c.bound(0, 2, handPlan(0, 8), nil, out), why("shared"))
	if early.R == nil {
		t.Fatal("a rank has ended that waits for another")
	}
	if h := c.loops[1].StartPlan(c.bound(1, 2, handPlan(1, 8), runNumbers(8, 2, 1), nil), why("shared")); h.R != nil {
		t.Error("a rank has not ended that waits for nobody")
	}
	if _, errs, err := collect(c.loops[0], progress.Want{Need: 1}, early); err != nil || len(errs) != 1 || errs[0] != nil {
		t.Error(errs, err)
	}
	if !bytes.Equal(out, runNumbers(8, 2, 1)) {
		t.Errorf("got %v", out)
	}
}
