package comm

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// stingy is a node with so many bytes for collectives.
type stingy struct {
	progress.Memory
	left  int
	given map[*byte]int
}

func (s *stingy) Take(n int) ([]byte, error) {
	if n > s.left {
		return nil, errors.New("no room")
	}
	mem, err := s.Memory.Take(n)
	s.left -= n
	s.given[&mem[0]] = n
	return mem, err
}

func (s *stingy) Give(b []byte) {
	s.left += s.given[&b[0]]
	delete(s.given, &b[0])
	s.Memory.Give(b)
}

// factsOf are those of ranks of one host that pretend to be on nodes and have so much memory each.
func factsOf(t *testing.T, nodes []int, room int) *agree.Facts {
	t.Helper()
	host := agree.Host{Name: "here", CPUs: 2, Room: room}
	for i := range nodes {
		host.Ranks = append(host.Ranks, i)
	}
	facts, err := agree.On(len(nodes), []agree.Host{host}, agree.Terms{Nodes: nodes, Shares: true, Slips: true, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// newJob makes ranks on nodes whose first ranks have so much memory each.
func newJob(t *testing.T, nodes []int, room func(rank int) int, rules string) (envs []*Env, memory []*stingy) {
	t.Helper()
	own, err := coll.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	x := inproc.NewExchange(0, len(nodes))
	facts := factsOf(t, nodes, 1<<30)
	for i := range nodes {
		box := x.Box(i)
		s := &stingy{Memory: box, left: room(i), given: map[*byte]int{}}
		loop := progress.New(progress.Config{Self: i, Links: []*progress.Link{{Transport: box, Near: box}}, Bell: box.Bell(), Policy: clock.Policy{Yields: 5}, Node: progress.Node{Memory: s}})
		t.Cleanup(loop.Close)
		memory = append(memory, s)
		envs = append(envs, &Env{Loop: loop, Self: i, Size: len(nodes), Facts: facts, Select: coll.Default().With(own...), Now: clock.Real.Now})
	}
	return envs, memory
}

// onAll runs f on every rank.
func onAll(t *testing.T, envs []*Env, f func(w *Comm) error) {
	t.Helper()
	var wg sync.WaitGroup
	for _, e := range envs {
		wg.Go(func() {
			if err := f(e.World()); err != nil {
				t.Errorf("rank %d: %v", e.Self, err)
				e.Loop.Fail(err)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the ranks do not end")
	}
}

// sumOf is an allreduce of the ranks' numbers, blocking or not.
func sumOf(c *Comm, n int, later bool) error {
	in, out := cyclic(n, c.rank, 1), make([]byte, n)
	call := &Call{Op: coll.Allreduce, Bytes: n, Elem: 1, In: in, Out: out, Commutative: true, Reduction: "sum",
		Combine: func(dst, src []byte, _ bool) {
			for i := range dst {
				dst[i] += src[i]
			}
		}}
	var err error
	if later {
		err = finish(c.Start(call))
	} else {
		err = c.Run(call)
	}
	if want := cyclic(n, c.Size()*(c.Size()-1)/2, c.Size()); err == nil && !bytes.Equal(out, want) {
		return fmt.Errorf("the sum of %d bytes is wrong, it begins with % x", n, out[:min(n, 16)])
	}
	return err
}

// cyclic is n bytes that begin with one and grow by a step. The race detector is slow with single bytes.
func cyclic(n, first, step int) []byte {
	b := make([]byte, n)
	done := min(n, 256)
	for i := range done {
		b[i] = byte(first + step*i)
	}
	for done < n {
		done += copy(b[done:], b[:done])
	}
	return b
}

// finish waits for a request.
func finish(r Request) error {
	_, _, err := r.One(true)
	return err
}

const throughNodes = "allreduce=smp,barrier=smp"

// need is what a communicator of so many ranks of a node reserves there.
func need(ranks int) int { return progress.CommonsNeed(ranks, coll.NodeMax, coll.FlagMax) }

// A communicator for which one node of several has no memory does without on all ranks, whatever the length
// and whether or not they block, and its calls have the right results.
func TestRanksAgreeToDoWithoutMemory(t *testing.T) {
	for poor := -1; poor < 6; poor++ {
		nodes := []int{0, 1, 0, 1, 2, 0}
		envs, memory := newJob(t, nodes, func(rank int) int {
			if rank == poor {
				return need(3) + 100<<10 // enough for the world and a block
			}
			return 3 * need(3)
		}, throughNodes)
		lacks := poor == 0 || poor == 1 // the first ranks of nodes with several
		onAll(t, envs, func(w *Comm) error {
			d, err := w.Dup()
			if err != nil {
				return err
			}
			before := w.env.Loop.Commons().Runs
			for i, n := range []int{8, 100_000, 1, 1_000_000, 5000} {
				blocks := (i+w.rank)%2 == 0
				if err := errors.Join(sumOf(d, n, blocks), sumOf(d, n, !blocks)); err != nil {
					return err
				}
			}
			if d.RoomLacks() != lacks || w.RoomLacks() {
				return fmt.Errorf("poor rank %d: room lacks for the world: %v, its twin: %v", poor, w.RoomLacks(), d.RoomLacks())
			}
			if runs := w.env.Loop.Commons().Runs - before; nodes[w.rank] != 2 && (runs == 0) != lacks { // who is alone shares with nobody
				return fmt.Errorf("poor rank %d: %d plans in memory", poor, runs)
			}
			return nil
		})
		for i := range envs {
			if lacks && i != poor && memory[i].left < need(3) {
				t.Errorf("poor rank %d: rank %d keeps memory that nobody uses", poor, i)
			}
		}
	}
}

// A job whose nodes have no memory for the world does without.
func TestWorldWithoutRoom(t *testing.T) {
	envs, _ := newJob(t, []int{0, 0, 1}, func(int) int { return 0 }, throughNodes)
	for _, e := range envs {
		e.Facts = factsOf(t, []int{0, 0, 1}, need(2)-1)
	}
	onAll(t, envs, func(w *Comm) error {
		if !w.RoomLacks() {
			return errors.New("there is room")
		}
		return sumOf(w, 70_000, w.rank == 0)
	})
}

// Memory that a communicator has given back serves the next; those in between do without.
func TestRoomComesBack(t *testing.T) {
	envs, _ := newJob(t, []int{0, 0, 0}, func(int) int { return 3 * need(3) }, throughNodes)
	onAll(t, envs, func(w *Comm) error {
		var all []*Comm
		for i := range 5 {
			d, err := w.Split(0, 0)
			if err != nil {
				return err
			}
			if err := sumOf(d, 70_000, false); err != nil {
				return fmt.Errorf("communicator %d: %w", i, err)
			}
			all = append(all, d)
		}
		if all[0].RoomLacks() || !all[4].RoomLacks() {
			return fmt.Errorf("room lacks for the first: %v, the last: %v", all[0].RoomLacks(), all[4].RoomLacks())
		}
		for _, d := range all {
			if err := d.Free(); err != nil {
				return err
			}
		}
		if err := w.Run(&Call{Op: coll.Barrier}); err != nil {
			return err
		}
		d, err := w.Dup()
		if err == nil {
			err = sumOf(d, 70_000, false)
		}
		if err == nil && d.RoomLacks() {
			err = errors.New("nothing came back")
		}
		return err
	})
}

// A communicator whose ranks cannot agree is none, and its node has its memory back.
func TestNoCommBesideAnError(t *testing.T) {
	envs, memory := newJob(t, []int{0, 0}, func(int) int { return 3 * need(2) }, throughNodes)
	for i, e := range envs {
		before := memory[i].left
		d := e.newComm(NewGroup([]int{0, 1}), 0, firstID, "twin")
		over := errors.New("the job is over")
		e.Loop.Fail(over)
		if got, err := d.settled("dup"); got != nil || !errors.Is(err, over) {
			t.Errorf("rank %d: %v, %v", i, got, err)
		}
		if memory[i].left != before {
			t.Errorf("rank %d: %d bytes are not given back", i, before-memory[i].left)
		}
	}
}

// The plan of the agreement fits together on every layout and tells everybody.
func TestAgreement(t *testing.T) {
	for ranks := 1; ranks <= 17; ranks++ {
		for _, node := range []func(rank int) int{
			func(int) int { return 0 }, func(rank int) int { return rank }, func(rank int) int { return rank / 3 }, func(rank int) int { return rank % 5 },
		} {
			nodes := make([]int, ranks)
			for r := range nodes {
				nodes[r] = node(r)
			}
			for lacking := -1; lacking < ranks; lacking++ {
				first := lacking >= 0 && slices.Index(nodes, nodes[lacking]) == lacking
				if err := tellAll(nodes, lacking, first); err != nil {
					t.Fatalf("nodes %v: %v", nodes, err)
				}
			}
		}
	}
}

// tellAll runs the agreement in which one rank lacks room, which counts if it is the first of its node.
func tellAll(nodes []int, lacking int, counts bool) error {
	var plans []*plan.Plan
	var bufs []plan.Bufs
	for r := range nodes {
		plans = append(plans, agreement(nodes, r))
		bufs = append(bufs, plan.Bufs{Out: []byte{0}})
		if r == lacking {
			bufs[r].Out[0] = 1
		}
	}
	if err := plan.Check(plans, slices.Repeat([]plan.Lens{{Out: 1}}, len(nodes))); err != nil {
		return err
	}
	if err := plan.Simulate(plans, plan.Simulation{Bufs: bufs, Combine: either}); err != nil {
		return err
	}
	for r := range nodes {
		if (bufs[r].Out[0] != 0) != counts {
			return fmt.Errorf("rank %d lacks room, and rank %d ends with %d", lacking, r, bufs[r].Out[0])
		}
	}
	return nil
}
