package progress_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/plan"
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

// Runs on slips, mixed with others, find the bytes of their own run: what stands on slips is never taken for a flag, and the flags
// of others runs are not either.
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
