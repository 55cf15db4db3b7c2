package lab

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// hostClock is real time; its computation is a calibrated amount of work and not a look at the clock until
// time is up: a rank that loses its processor to somebody else must still do the rest of its work
// afterwards, as a program would.
type hostClock struct {
	perNano float64 // steps of grind
	state   uint64  // keeps the compiler from leaving the work out
}

func (h *hostClock) Now() int64 { return clock.Now() }

func (h *hostClock) Compute(nano int64) { h.state = grind(h.state, int(float64(nano)*h.perNano)) }

// grind is a chain of multiplications of which each needs the one before.
//
//go:noinline
func grind(x uint64, steps int) uint64 {
	for range steps {
		x = x*2862933555777941757 + 3037000493
	}
	return x
}

// speed is how many steps of grind a nanosecond takes when nobody disturbs: the fastest of many short pieces.
var speed = sync.OnceValue(func() float64 {
	const steps, pieces = 20_000, 200
	fastest, state := int64(0), uint64(1)
	for range pieces {
		start := clock.Now()
		state = grind(state, steps)
		if spent := clock.Now() - start; fastest == 0 || spent < fastest {
			fastest = spent
		}
	}
	return steps / float64(max(fastest, 1))
})

// hostRuns keeps runs on this host apart: settings are variables of the whole process.
var hostRuns sync.Mutex

// runHost runs ranks as goroutines of this process.
func runHost(ctx context.Context, job Job, env []string, body func(k *measure.Rank) error) error {
	hostRuns.Lock()
	defer hostRuns.Unlock()
	restore, err := setenv(env)
	if err != nil {
		return err
	}
	defer restore()
	return mpi.Run(job.Ranks, func(world *mpi.Comm) error {
		k := measure.NewRank(world.WithContext(ctx), &hostClock{perNano: speed(), state: 1})
		job.Watch.attach(k)
		return body(k)
	})
}

// setenv sets variables and returns what puts the old ones back.
func setenv(env []string) (restore func(), err error) {
	var undo []func()
	restore = func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		old, had := os.LookupEnv(name)
		if err := os.Setenv(name, value); err != nil {
			restore()
			return nil, err
		}
		undo = append(undo, func() {
			if had {
				_ = os.Setenv(name, old) // it was set before, so it can be
			} else {
				_ = os.Unsetenv(name)
			}
		})
	}
	return restore, nil
}
