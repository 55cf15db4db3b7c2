package progress_test

import (
	"context"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/wire"
)

// lateBell is the bell of a rank whose messages come when it sleeps.
type lateBell struct {
	progress.Bell
	come func()
}

func (b *lateBell) Sleep(limit int64) {
	b.come()
	b.Bell.Sleep(limit)
}

// A rank whose messages come only when it has let go of its processor learns to do so soon; one
// that finds them when it polls does not, nor does one that was told how to wait.
func TestWaitsAreLearned(t *testing.T) {
	for name, c := range map[string]struct{ learns, late, sleeps bool }{
		"late":  {true, true, true},
		"early": {true, false, false},
		"told":  {false, true, false},
	} {
		ends := shmEnds(t, 2, shm.Config{})
		bell := &lateBell{Bell: ends[0].bell}
		ends[0].bell = bell
		loops := newLoops(t, ends, func(cfg *progress.Config) {
			cfg.Policy, cfg.Learns = clock.Policy{Spins: 2, Yields: 3}, c.learns
			if cfg.Self == 0 {
				cfg.Clock = new(fakeClock) // no yield takes long
			}
		})
		come := func(now bool) {
			if !now {
				return
			}
			if err := send(loops[1], []byte{1}, 0, 1); err != nil {
				t.Fatal(err)
			}
		}
		bell.come = func() { come(c.late) }
		for range 20 {
			come(!c.late)
			if _, err := loops[0].Recv(t.Context(), make([]byte, 1), at(1, 1), why("recv")); err != nil {
				t.Fatal(err)
			}
		}
		if got := loops[0].Learned(); got.Sleeps != c.sleeps || got.Vain > 0 != c.late {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// idleLink has nothing, and counts how often it is asked.
type idleLink struct {
	progress.Transport
	asked int
}

func (l *idleLink) Ready() bool         { l.asked++; return false }
func (l *idleLink) Poll(wire.Sink) bool { return false }

// Who spins for messages that may come by shared memory or from another host looks for the latter
// more rarely: it takes a call of the kernel. But it does look.
func TestFarLinksAreAskedMoreRarely(t *testing.T) {
	ends := shmEnds(t, 2, shm.Config{})
	near, far := &idleLink{Transport: ends[0].link.Transport}, &idleLink{Transport: ends[0].link.Transport}
	bell := &lateBell{Bell: ends[0].bell}
	links := []*progress.Link{{Transport: near}, {Transport: far}}
	l := progress.New(progress.Config{
		Links: links, Route: func(int) *progress.Link { return links[0] }, Loop: ends[0].self, Bell: bell,
		Policy: clock.Policy{Spins: 40},
	})
	defer l.Close()
	ctx, stop := context.WithCancel(t.Context())
	bell.come = stop
	if _, err := l.Recv(ctx, make([]byte, 1), at(1, 1), why("recv")); err == nil {
		t.Error("received something")
	}
	if far.asked < 5 || near.asked < 3*far.asked {
		t.Errorf("asked the near link %d times, the other one %d times", near.asked, far.asked)
	}
}
