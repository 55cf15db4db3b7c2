package progress_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/wire"
)

// crew is a communicator whose ranks share a node.
type crew struct {
	loops   []*progress.Loop
	commons []*progress.Commons
	procs   []int
}

// together are the links whose ranks share memory.
var together = map[string]bool{"inproc": true, "shm": true}

// onEveryNode runs a test on every kind of link whose ranks share memory.
func onEveryNode(t *testing.T, n int, test func(t *testing.T, c *crew)) {
	for _, k := range kinds {
		if together[k.name] {
			t.Run(k.name, func(t *testing.T) { test(t, newCrew(t, k.make(t, n))) })
		}
	}
}

// nodeOf is what the ranks of a link share.
func nodeOf(l progress.Transport) progress.Node {
	n := progress.Node{Memory: l.(progress.Memory)}
	if s, ok := l.(*shm.Link); ok {
		n.Copier, n.WillWrite, n.Populate = s, s.WillWrite, s.Populate
	}
	return n
}

func newCrew(t testing.TB, ends []end) *crew {
	c := &crew{}
	i := 0
	c.loops = newLoops(t, ends, func(cfg *progress.Config) {
		cfg.Node = nodeOf(ends[i].link.Transport)
		i++
	})
	for i := range ends {
		c.procs = append(c.procs, i)
	}
	c.open(8)
	return c
}

// open makes the ranks' shares of a communicator.
func (c *crew) open(ctx uint32) {
	c.commons = nil
	for i, l := range c.loops {
		c.commons = append(c.commons, l.OpenCommons(progress.NodeRanks{Ctx: ctx, Procs: c.procs, Here: c.procs, Self: i}))
	}
}

// bound is a rank's plan of a collective, ready to run.
func (c *crew) bound(rank, seq int, p *plan.Plan, in, out []byte) *progress.Bound {
	return &progress.Bound{Plan: p, In: in, Out: out, Peers: c.procs, Ctx: 8, Tag: int32(seq), Seq: seq, Bytes: len(out), Commons: c.commons[rank]}
}

func (c *crew) run(rank, seq int, p *plan.Plan, in, out []byte) error {
	return c.loops[rank].RunPlan(context.Background(), c.bound(rank, seq, p, in, out), why("shared"))
}

// each runs f on every rank at a time and waits.
func (c *crew) each(t testing.TB, f func(rank int) error) {
	t.Helper()
	var wg sync.WaitGroup
	for rank := range c.loops {
		wg.Go(func() {
			if err := f(rank); err != nil {
				t.Errorf("rank %d: %v", rank, err)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the ranks do not end")
	}
}

// gatherPlan has every rank put its bytes into the memory of the node and take all of it. Flags from spare
// on are raised too, to need more of them.
func gatherPlan(rank, ranks, n, flags int) *plan.Plan {
	b := plan.NewBuilder("gather", rank, ranks)
	b.OnNode(0, ranks*n, flags)
	at := func(r int) plan.Span { return plan.Span{Buf: plan.Node, Off: r * n, Len: n} }
	put := b.Copy(at(rank), plan.Span{Buf: plan.In, Len: n})
	for f := range flags {
		b.Set(f, put)
	}
	for r := range ranks {
		there := b.Await(r, (r+rank)%flags, put)
		b.Copy(plan.Span{Buf: plan.Out, Off: r * n, Len: n}, at(r), there)
	}
	return b.Build()
}

// barrierPlan has rank 0 wait for all and release them.
func barrierPlan(rank, ranks int) *plan.Plan {
	b := plan.NewBuilder("barrier", rank, ranks)
	b.OnNode(0, 0, 1)
	last := plan.None
	if rank == 0 {
		var all []int
		for r := 1; r < ranks; r++ {
			all = append(all, b.Await(r, 0))
		}
		last = b.Gate(all...)
	}
	last = b.Set(0, last)
	if rank != 0 {
		b.Await(0, 0, last)
	}
	return b.Build()
}

// Thousands of runs reuse the memory of the node, with ranks that are late now and then, and need more of
// it now and then: what arrives is always of this run.
func TestCommonsReuse(t *testing.T) {
	const ranks = 5
	runs := 1000
	if testing.Short() {
		runs = 300
	}
	onEveryNode(t, ranks, func(t *testing.T, c *crew) {
		c.each(t, func(rank int) error {
			chance := rand.New(rand.NewPCG(1, uint64(rank)))
			for seq := 1; seq <= runs; seq++ {
				n := []int{1, 8, 100, 2000, 5000}[seq*7%11%5]
				flags := []int{1, 8, 9, 40}[seq*5%7%4]
				if chance.IntN(50) == 0 {
					time.Sleep(time.Duration(chance.IntN(200)) * time.Microsecond)
				}
				out, want := make([]byte, ranks*n), []byte{}
				if err := c.run(rank, seq, gatherPlan(rank, ranks, n, flags), pattern(n, seq+rank), out); err != nil {
					return err
				}
				for r := range ranks {
					want = append(want, pattern(n, seq+r)...)
				}
				if !bytes.Equal(out, want) {
					return fmt.Errorf("run %d: wrong bytes", seq)
				}
			}
			return nil
		})
	})
}

// Many collectives are started before the first is waited for, more than the node has memory for at a time, on two
// communicators.
func TestCommonsOverlap(t *testing.T) {
	const ranks, many = 4, 40
	onEveryNode(t, ranks, func(t *testing.T, c *crew) {
		first := *c
		c.open(12)
		c.each(t, func(rank int) error {
			l := c.loops[rank]
			var hs []progress.Handle
			outs := make([][]byte, 2*many)
			for k := range many {
				for i, who := range []*crew{&first, c} {
					n := 64 + 5000*(k%3)
					outs[2*k+i] = make([]byte, ranks*n)
					b := who.bound(rank, k+1, gatherPlan(rank, ranks, n, 1+k%12), pattern(n, 100*i+k+rank), outs[2*k+i])
					b.Ctx = uint32(8 + 4*i)
					hs = append(hs, l.StartPlan(b, why("shared")))
				}
				if k%8 == rank {
					time.Sleep(time.Millisecond)
				}
			}
			_, errs, err := collect(l, progress.Want{Need: len(hs), All: true}, hs...)
			if err = errors.Join(append(errs, err)...); err != nil {
				return err
			}
			for j, out := range outs {
				n := len(out) / ranks
				for r := range ranks {
					if !bytes.Equal(out[r*n:(r+1)*n], pattern(n, 100*(j%2)+j/2+r)) {
						return fmt.Errorf("collective %d: wrong bytes of rank %d", j, r)
					}
				}
			}
			return nil
		})
	})
}

// A rank that is lost while others await its flags ends their plans, and those that need its memory later.
func TestCommonsLost(t *testing.T) {
	ends := inprocEnds(nil, 3)
	tell := make([]*teller, 3)
	for i := range ends {
		own := ends[i].link.Transport
		tell[i] = &teller{Transport: own}
		ends[i].link.Transport = struct {
			*teller
			progress.Memory
		}{tell[i], own.(progress.Memory)}
	}
	c := newCrew(t, ends)
	errs := make(chan error, 2)
	for _, rank := range []int{0, 1} {
		go func() { errs <- c.run(rank, 1, gatherPlan(rank, 3, 16, 1), pattern(16, rank), make([]byte, 48)) }()
	}
	waiting(t, c.loops[0], 1)
	waiting(t, c.loops[1], 1)
	cause := errors.New("it is gone")
	for _, rank := range []int{0, 1} {
		c.loops[rank].Locked(func() { tell[rank].lost = cause })
		c.loops[rank].Ring()
	}
	for range 2 {
		select {
		case err := <-errs:
			if !errors.Is(err, engine.ErrLost) {
				t.Errorf("ended with %v", err)
			}
		case <-time.After(patience):
			t.Fatal("a rank waits for one that is lost")
		}
	}
	for seq := 2; seq < 12; seq++ { // its flags never come, and after some runs its memory is not free
		for rank := range 2 {
			if err := c.run(rank, seq, barrierPlan(rank, 3), nil, nil); !errors.Is(err, engine.ErrLost) {
				t.Errorf("run %d: %v", seq, err)
			}
		}
	}
}

// teller is a link that tells of the loss of process 2.
type teller struct {
	progress.Transport
	lost error
}

func (l *teller) Ready() bool { return l.lost != nil || l.Transport.Ready() }

func (l *teller) Poll(s wire.Sink) bool {
	if l.lost == nil {
		return l.Transport.Poll(s)
	}
	s.Lost(2, l.lost)
	l.lost = nil
	return true
}

// A rank whose context ends while it waits gives its collective up, and whoever awaits its flags learns of it; the next
// collective works.
func TestCommonsGivenUp(t *testing.T) {
	onEveryNode(t, 3, func(t *testing.T, c *crew) {
		ctx, cancel := context.WithCancel(context.Background())
		plans := []*plan.Plan{awaitThenSet(0, 3, 2), awaitThenSet(1, 3, 0), awaitThenSet(2, 3, 1)} // each awaits another: nobody ends
		errs := make([]error, 3)
		var ended []<-chan struct{}
		for rank := range 3 {
			obeys := context.Background()
			if rank == 0 {
				obeys = ctx
			}
			ended = append(ended, async(func() {
				errs[rank] = c.loops[rank].RunPlan(obeys, c.bound(rank, 1, plans[rank], nil, nil), why("shared"))
			}))
			waiting(t, c.loops[rank], 1)
		}
		cancel()
		for rank, want := range []error{context.Canceled, engine.ErrLost, engine.ErrLost} {
			within(t, fmt.Sprintf("rank %d", rank), ended[rank])
			if !errors.Is(errs[rank], want) {
				t.Errorf("rank %d ended with %v", rank, errs[rank])
			}
		}
		c.each(t, func(rank int) error { return c.run(rank, 2, barrierPlan(rank, 3), nil, nil) })
	})
}

// awaitThenSet awaits the flag of another rank before it raises its own.
func awaitThenSet(rank, ranks, of int) *plan.Plan {
	b := plan.NewBuilder("circle", rank, ranks)
	b.OnNode(0, 0, 1)
	b.Set(0, b.Await(of, 0))
	return b.Build()
}

// What ranks tell each other about the memory that they share is not counted as the program's: it may still
// be on its way when the program has nothing left to wait for.
func TestCommonsPending(t *testing.T) {
	onEveryNode(t, 2, func(t *testing.T, c *crew) {
		h := c.loops[1].StartPlan(c.bound(1, 1, barrierPlan(1, 2), nil, nil), why("shared")) // asks rank 0 where the memory is
		if n := c.loops[1].Pending(); n != 1 {
			t.Errorf("%d requests in flight, of one collective", n)
		}
		if err := c.run(0, 1, barrierPlan(0, 2), nil, nil); err != nil {
			t.Error(err)
		}
		if _, errs, err := collect(c.loops[1], progress.Want{Need: 1}, h); err != nil || len(errs) != 1 || errs[0] != nil {
			t.Error(errs, err)
		}
		if n := c.loops[1].Pending(); n != 0 {
			t.Errorf("%d requests in flight at the end", n)
		}
	})
}

// The end of the job ends plans that wait for flags and such that wait for memory.
func TestCommonsFail(t *testing.T) {
	onEveryNode(t, 2, func(t *testing.T, c *crew) {
		var hs []progress.Handle
		for seq := 1; seq <= 12; seq++ {
			hs = append(hs, c.loops[0].StartPlan(c.bound(0, seq, barrierPlan(0, 2), nil, nil), why("shared")))
		}
		over := errors.New("over")
		c.loops[0].Fail(over)
		_, errs, err := collect(c.loops[0], progress.Want{Need: len(hs), All: true}, hs...)
		if err != nil || len(errs) != len(hs) {
			t.Fatalf("%d of %d ended, %v", len(errs), len(hs), err)
		}
		for i, err := range errs {
			if !errors.Is(err, over) {
				t.Errorf("plan %d ended with %v", i, err)
			}
		}
	})
}

// A node without memory ends the plans of all its ranks.
func TestCommonsNoRoom(t *testing.T) {
	c := newCrew(t, shmEndsOf(t, 3, 2<<20))
	c.each(t, func(rank int) error {
		if err := c.run(rank, 1, barrierPlan(rank, 3), nil, nil); err != nil {
			return err
		}
		big := gatherPlan(rank, 3, 1<<20, 1)
		if err := c.run(rank, 2, big, make([]byte, 1<<20), make([]byte, 3<<20)); !errors.Is(err, progress.ErrNoRoom) {
			return fmt.Errorf("with too little memory: %v", err)
		}
		return c.run(rank, 3, gatherPlan(rank, 3, 64<<10, 1), make([]byte, 64<<10), make([]byte, 192<<10))
	})
	for ctx := uint32(16); ctx < 808; ctx += 4 { // memory of communicators that are closed is used again
		c.open(ctx)
		c.each(t, func(rank int) error {
			b := c.bound(rank, 1, gatherPlan(rank, 3, 16<<10, 1), make([]byte, 16<<10), make([]byte, 48<<10))
			b.Ctx = ctx
			err := c.loops[rank].RunPlan(context.Background(), b, why("shared"))
			c.loops[rank].CloseCommons(c.commons[rank])
			return err
		})
	}
}

// A blocking collective in shared memory allocates nothing.
func TestCommonsAllocates(t *testing.T) {
	onEveryNode(t, 1, func(t *testing.T, c *crew) {
		b := c.bound(0, 1, gatherPlan(0, 1, 64, 1), make([]byte, 64), make([]byte, 64))
		if n := testing.AllocsPerRun(100, func() { _ = c.loops[0].RunPlan(context.Background(), b, why("shared")) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
	c := newCrew(t, inprocEnds(nil, 2))
	plans := []*progress.Bound{c.bound(0, 1, barrierPlan(0, 2), nil, nil), c.bound(1, 1, barrierPlan(1, 2), nil, nil)}
	go1, done := make(chan struct{}), make(chan struct{})
	defer close(go1)
	go func() {
		for range go1 {
			_ = c.loops[1].RunPlan(context.Background(), plans[1], why("shared"))
			done <- struct{}{}
		}
	}()
	n := testing.AllocsPerRun(200, func() {
		go1 <- struct{}{}
		_ = c.loops[0].RunPlan(context.Background(), plans[0], why("shared"))
		<-done
	})
	if n != 0 {
		t.Errorf("%v allocations between two ranks", n)
	}
}

// BenchmarkShared is what a barrier and an allreduce of 8 bytes cost in shared memory.
func BenchmarkShared(b *testing.B) {
	for _, ranks := range []int{2, 4, 16} {
		for _, k := range kinds {
			if !together[k.name] {
				continue
			}
			b.Run(fmt.Sprintf("barrier/%s/%d", k.name, ranks), func(b *testing.B) {
				benchShared(b, newCrew(b, k.make(b, ranks)), func(rank int) *plan.Plan { return barrierPlan(rank, ranks) })
			})
			b.Run(fmt.Sprintf("allreduce/%s/%d", k.name, ranks), func(b *testing.B) {
				benchShared(b, newCrew(b, k.make(b, ranks)), func(rank int) *plan.Plan { return sumPlan(rank, ranks) })
			})
		}
	}
}

func benchShared(b *testing.B, c *crew, p func(rank int) *plan.Plan) {
	var bounds []*progress.Bound
	for rank := range c.loops {
		bound := c.bound(rank, 1, p(rank), make([]byte, 8), make([]byte, 8))
		bound.Combine = func(dst, src []byte, _ bool) {
			binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(dst)+binary.LittleEndian.Uint64(src))
		}
		bounds = append(bounds, bound)
	}
	b.ResetTimer()
	c.each(b, func(rank int) error {
		for range b.N {
			if err := c.loops[rank].RunPlan(context.Background(), bounds[rank], why("shared")); err != nil {
				return err
			}
		}
		return nil
	})
}

// sumPlan has every rank add what all have put into the node's memory, each on a line of its own.
func sumPlan(rank, ranks int) *plan.Plan {
	b := plan.NewBuilder("sum", rank, ranks)
	b.OnNode(0, 64*ranks, 1)
	at := func(r int) plan.Span { return plan.Span{Buf: plan.Node, Off: 64 * r, Len: 8} }
	out := plan.Span{Buf: plan.Out, Len: 8}
	b.Set(0, b.Copy(at(rank), plan.Span{Buf: plan.In, Len: 8}))
	last := plan.None
	for r := range ranks {
		there := b.Await(r, 0, 1)
		if r == 0 {
			last = b.Copy(out, at(r), there)
		} else {
			last = b.Reduce(out, at(r), false, there, last)
		}
	}
	return b.Build()
}
