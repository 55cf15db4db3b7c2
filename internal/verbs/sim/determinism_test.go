package sim

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// chat is processes that send each other messages of many kinds and lengths, some of which get lost, and a
// trace of what each saw and when.
type chat struct {
	s     *clock.Scheduler
	log   bytes.Buffer
	sides []*side
	rc    []verbs.QP // from each to the next
	ud    []verbs.QP
}

const chatters = 6

// chatter runs a chat and returns its trace.
func chatter(t *testing.T, seed uint64) []byte {
	t.Helper()
	p, err := LoadProfile("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	c := &chat{s: clock.NewScheduler(seed)}
	f, err := New(c.s, Cluster{Nodes: 3, Profile: p, Seed: seed})
	if err == nil {
		err = f.Datagrams(Chance{Loss: 0.2, Duplicate: 0.1, Reorder: 0.3})
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range chatters {
		x := newSide(t, f, i/2, 1<<18)
		c.sides, c.ud, c.rc = append(c.sides, x), append(c.ud, x.qp(verbs.UD)), append(c.rc, x.qp(verbs.RC))
	}
	c.s.Go("bring up", func() {
		for i := range chatters {
			next := (i + 1) % chatters
			far := c.sides[next].qp(verbs.RC)
			connect(c.sides[i], c.sides[next], c.rc[i], far)
			for range 100 {
				must(far.PostRecv([]verbs.RecvWR{{ID: 1, SGL: c.sides[next].sge(1<<17, 1<<17)}}))
				must(c.ud[i].PostRecv([]verbs.RecvWR{{ID: 2, SGL: c.sides[i].sge(0, 4096)}}))
			}
		}
		for i := range chatters {
			c.s.Go("process", func() { c.talk(i, rand.New(rand.NewPCG(seed, uint64(i)))) })
		}
		if err := f.Stall(1, 0, 50_000); err != nil {
			t.Error(err)
		}
	})
	if err := c.s.Run(); err != nil {
		t.Fatal(err)
	}
	return c.log.Bytes()
}

// talk is one process.
func (c *chat) talk(i int, r *rand.Rand) {
	x, next := c.sides[i], c.sides[(i+1)%chatters]
	to := x.ah(c.ud[(i+1)%chatters].Addr())
	for range 50 {
		n := 1 << r.IntN(17)
		wr := verbs.SendWR{Op: verbs.Send, SGL: x.sge(0, n), RemoteAddr: next.mr.Addr(), RKey: next.mr.RKey()}
		if r.IntN(2) == 0 {
			wr.Flags = verbs.Signaled
		}
		switch r.IntN(4) {
		case 0:
			wr.Op = verbs.Write
		case 1:
			wr.Op = verbs.Read
		case 2:
			wr.SGL, wr.AH = x.sge(0, min(n, 4096)), to
			must(c.ud[i].PostSend([]verbs.SendWR{wr}))
			continue
		}
		must(c.rc[i].PostSend([]verbs.SendWR{wr}))
		c.listen(i, 5000)
	}
	for c.listen(i, 5_000_000) {
	}
	for _, n := range x.dev.Counters() {
		fmt.Fprintf(&c.log, "%d ", n)
	}
	fmt.Fprintf(&c.log, "process %d ends at %d\n", i, c.s.Now())
}

// listen notes what completes within a while.
func (c *chat) listen(i int, limit int64) bool {
	x := c.sides[i]
	if !x.cq.Wait(limit) {
		return false
	}
	for _, d := range x.out[:x.cq.Poll(x.out[:])] {
		fmt.Fprintf(&c.log, "%d process %d: qp %d %v %v %d from %v\n", c.s.Now(), i, d.QP, d.Op, d.Status, d.Len, d.Src)
	}
	return true
}

// TestDeterminism: the same seed gives the same trace to the nanosecond, whatever the machine does; another
// one another.
func TestDeterminism(t *testing.T) {
	first := chatter(t, 7)
	if bytes.Count(first, []byte("\n")) < 200 {
		t.Fatalf("a trace of %d bytes", len(first))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 2} {
		runtime.GOMAXPROCS(procs)
		if again := chatter(t, 7); !bytes.Equal(first, again) {
			t.Fatalf("another trace with GOMAXPROCS %d", procs)
		}
	}
	if bytes.Equal(first, chatter(t, 8)) {
		t.Error("the seed makes no difference")
	}
}

// TestMessagesAllocateNothing once everything has grown.
func TestMessagesAllocateNothing(t *testing.T) {
	for _, n := range []int{8, 100_000} {
		var allocs float64
		pingPong(t, "ne020", n, 1, func(round func()) {
			for range 200 {
				round()
			}
			allocs = testing.AllocsPerRun(200, round)
		})
		if allocs > 0 {
			t.Errorf("%v allocations per round trip of %d bytes", allocs, n)
		}
	}
}
