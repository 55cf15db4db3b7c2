package window

import (
	"errors"
	"testing"

	"go.uber.org/goleak"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// onRanks runs f as n ranks of one process that reach each other over the network, so that windows are not
// native, unless near.
func onRanks(t testing.TB, n int, near bool, f func(c *comm.Comm) error) {
	t.Helper()
	if !near {
		if tt, ok := t.(interface{ Setenv(key, value string) }); ok {
			tt.Setenv("WEFT_LINKS", "rail")
		}
	}
	crew, err := boot.NewCrew(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	for i, r := range crew.Ranks {
		crew.Go(i, func() {
			if err := f(r.Env.World()); err != nil {
				crew.Fail(err)
			}
		})
	}
	if err := errors.Join(crew.Wait(), crew.Cause()); err != nil {
		t.Fatal(err)
	}
}

func barrier(c *comm.Comm) error { return c.Run(&comm.Call{Op: coll.Barrier}) }

// packets makes a window forget every other way.
func (w *Window) packetsOnly() {
	w.native = false
	for i := range w.parts {
		if i != w.self {
			w.parts[i].reach = progress.Reach{Key: w.parts[i].reach.Key}
		}
	}
}
