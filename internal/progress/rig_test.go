package progress_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/wire"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// end is one rank's link with its doorbell.
type end struct {
	link *progress.Link
	bell progress.Bell
	self *progress.Link // to itself, where link cannot

	eventual bool // what one end has sent takes time to reach the other, and both must poll
}

// kinds are the links that every test runs on: their name, and how to make n connected ends.
var kinds = []struct {
	name string
	make func(t testing.TB, n int) []end
}{
	{"inproc", inprocEnds},
	{"shm", func(t testing.TB, n int) []end { return shmEnds(t, n, shm.Config{}) }},
	{"shm-help", func(t testing.TB, n int) []end { return shmEnds(t, n, shm.Config{Help: true}) }},
	{"put", writers(wire.Put)},
	{"speculative", writers(wire.Speculate)},
	{"shm-denied", func(t testing.TB, n int) []end { return shmEnds(t, n, shm.Config{NoCMA: true}) }},
	{"rail-srq", rails(rail.SRQ)},
	{"rail-sr", rails(rail.SR)},
	{"rail-ardma-srq", rails(rail.ArdmaSRQ)},
	{"rail-ud", rails(rail.UD)},
	{"rail-rd", rails(rail.RD)},
	{"rail-hybrid", rails(rail.Hybrid)},
}

func inprocEnds(_ testing.TB, n int) (ends []end) {
	x := inproc.NewExchange(0, n)
	for i := range n {
		ends = append(ends, end{link: boxLink(x.Box(i)), bell: x.Box(i).Bell()})
	}
	return ends
}

// boxLink, selfLink and shmLink are links within a process, to oneself and within a host.
func boxLink(b *inproc.Box) *progress.Link { return &progress.Link{Transport: b, Near: b} }
func selfLink(i int) *progress.Link        { return boxLink(inproc.NewExchange(i, 1).Box(0)) }
func shmLink(l *shm.Link) *progress.Link {
	return &progress.Link{Transport: l, Near: l, Copier: l, Picker: l}
}

// speculates tells whether receives speculate over a link.
func speculates(l *progress.Link) bool {
	return l.Long != nil && l.Long.Rendezvous(1) >= wire.Speculate
}

// shmEndsOf is shmEnds with so much memory per rank for collectives.
func shmEndsOf(t testing.TB, n, commons int) []end { return newShmEnds(t, n, commons, shm.Config{}) }

func shmEnds(t testing.TB, n int, cfg shm.Config) []end { return newShmEnds(t, n, 16<<20, cfg) }

func newShmEnds(t testing.TB, n, commons int, cfg shm.Config) (ends []end) {
	g := shm.GeometryFor(n, 0, commons)
	g.Cells = 32
	f, err := shm.Create(g)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seg, err := shm.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { seg.Close() })
	for i := range n {
		cfg.Segment, cfg.Self = seg, i
		l := shm.NewLink(cfg)
		ends = append(ends, end{link: shmLink(l), bell: l.Bell(), self: selfLink(i)})
	}
	return ends
}

// onEveryLink runs a test on every kind of link.
func onEveryLink(t *testing.T, n int, test func(t *testing.T, ends []end)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { test(t, k.make(t, n)) })
	}
}

// home stands for a communicator.
type home struct{}

func (home) Name() string   { return "test" }
func (home) Members() []int { return []int{0, 1} }
func (home) Dispute(d progress.Dispute) error {
	return fmt.Errorf("%w: process %d called %+v, we %+v", errDispute, d.Proc, *d.Theirs, *d.Ours)
}

var errDispute = errors.New("different choices")

func why(op string) progress.Why { return progress.Why{Op: op, Home: home{}} }

// newLoops makes a loop per end and closes them when the test ends.
func newLoops(t testing.TB, ends []end, change func(*progress.Config)) []*progress.Loop {
	var loops []*progress.Loop
	for i, e := range ends {
		cfg := progress.Config{
			Self: i, Links: []*progress.Link{e.link}, Loop: e.self, Bell: e.bell, Policy: clock.Policy{Spins: 1, Yields: 5},
		}
		if change != nil {
			change(&cfg)
		}
		loops = append(loops, progress.New(cfg))
	}
	t.Cleanup(func() {
		for _, l := range loops {
			l.Close()
		}
	})
	return loops
}

func at(peer, tag int) progress.Peer { return progress.Peer{Ctx: 8, Peer: peer, Tag: int32(tag)} }

func send(l *progress.Loop, b []byte, peer, tag int) error {
	if l.SendShort(b, at(peer, tag)) {
		return nil
	}
	return l.Send(context.Background(), b, at(peer, tag), engine.Standard, why("send"))
}

func recv(l *progress.Loop, b []byte, peer, tag int) (engine.Status, error) {
	return l.Recv(context.Background(), b, at(peer, tag), why("recv"))
}

// collect waits for handles and returns the errors they ended with.
func collect(l *progress.Loop, want progress.Want, hs ...progress.Handle) (taken []int, errs []error, err error) {
	_, err = l.Collect(context.Background(), hs, want, func(i int, r *progress.Request) {
		taken, errs = append(taken, i), append(errs, r.Err)
	})
	return taken, errs, err
}

// patience is longer than anything takes that does not hang, however busy the machine.
const patience = 2 * time.Minute

// within fails the test if done is not closed soon: something hangs.
func within(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s does not end", what)
	}
}

// async runs f and returns a channel that closes when it has returned.
func async(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	return done
}

// waiting blocks until n goroutines wait in the loop.
func waiting(t *testing.T, l *progress.Loop, n int) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if len(l.Waiting()) >= n {
			return
		}
	}
	t.Fatalf("%d wait, not %d", len(l.Waiting()), n)
}

// pattern is n bytes that depend on seed. They repeat after a prime number of bytes, at which nothing else
// does; the race detector is slow with single ones.
func pattern(n, seed int) []byte {
	b := make([]byte, n)
	done := min(n, 4099)
	for i := range done {
		b[i] = byte(i*7 + seed*13 + i>>8)
	}
	for done < n {
		done += copy(b[done:], b[:done])
	}
	return b
}
