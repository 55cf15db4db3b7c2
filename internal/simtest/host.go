package simtest

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// hostStage runs ranks as goroutines in real time.
type hostStage struct {
	mu    sync.Mutex
	out   io.Writer
	began time.Time
}

func (h *hostStage) compute(_ int, nanos int64) {
	if nanos < 50_000 {
		runtime.Gosched()
		return
	}
	time.Sleep(time.Duration(nanos))
}

func (h *hostStage) now(int) int64 { return int64(time.Since(h.began)) }

func (h *hostStage) trace(rank int, format string, a ...any) {
	if h.out == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Fprintf(h.out, "%12.3f us  rank %d  %s\n", float64(h.now(rank))/1e3, rank, fmt.Sprintf(format, a...))
}

// RunOnHost runs a case in real time, on the links of this machine and without its faults. The settings become the
// environment's, so only one case can run at a time.
func RunOnHost(c *Case, trace io.Writer) error {
	for _, e := range c.Shape.Settings {
		name, value, _ := strings.Cut(e, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
		defer os.Unsetenv(name)
	}
	p := layOut(c)
	st := &hostStage{out: trace, began: time.Now()}
	actors := make([]*actor, c.Shape.Ranks)
	for i := range actors {
		actors[i] = newActor(i, st)
	}
	if err := mpi.Run(c.Shape.Ranks, func(w *mpi.Comm) error { return actors[w.Rank()].perform(w, p.scripts[w.Rank()]) }); err != nil {
		return err
	}
	return judge(p, actors, false)
}

// RunHere runs the part of a case that the rank of this process has, in a job of processes that all run the
// case. It judges that rank alone. The settings must be in the environment that the processes were started
// with.
func RunHere(w *mpi.Comm, c *Case) error {
	p := layOut(c)
	a := newActor(w.Rank(), &hostStage{began: time.Now()})
	if err := a.perform(w, p.scripts[a.rank]); err != nil {
		return err
	}
	actors := make([]*actor, len(p.scripts))
	for i, script := range p.scripts {
		actors[i] = elsewhere(i, script)
	}
	actors[a.rank] = a
	return judge(p, actors, false)
}
