package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/mpi"
	"go.uber.org/goleak"
)

// The test binary is its own rank: with this variable set it is one process of a job and does what the word says.
const rankMode = "WEFT_TEST_RANK"

func TestMain(m *testing.M) {
	if mode := os.Getenv(rankMode); mode != "" {
		mpi.Main(func(w *mpi.Comm) error { return asProcess(w, mode) })
	}
	goleak.VerifyTestMain(m)
}

// bodies are the tests that run on any communicator, and so between processes too.
var bodies = []func(c *mpi.Comm) error{
	bodyElementTypes, bodySendrecvReplace, bodyOrder, bodySelfMessages, bodyProcNull, bodyProbe, bodyWaitallStatus,
	bodyPersistent, bodyCancel, bodyValues, bodyTruncation, bodyContextEndsWaits, bodyManyInFlight,
	eachMode, eachForm, manyGoroutines, bodyShaped, bodyShapesMeet, bodyAlltoallLayout,
}

func eachMode(c *mpi.Comm) error {
	for _, send := range []func(*mpi.Comm, []int64, int, int) error{mpi.Send[int64], mpi.Ssend[int64], mpi.Bsend[int64], mpi.Rsend[int64]} {
		for _, n := range append(lens, 400_000) {
			if err := ring(c, n, func(b []int64, dst, tag int) error { return send(c, b, dst, tag) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func eachForm(c *mpi.Comm) error {
	for _, body := range []func(*mpi.Comm, form, int) error{bodyBarrier, bodyBcast, bodyReduce, bodyAllreduceAndScans,
		bodyReduceScatter, bodyGatherAndScatter, bodyGathervAndScatterv, bodyAllgather, bodyAlltoall, bodyAlltoallv} {
		for name, do := range forms {
			for _, n := range []int{0, 7, 20_000} {
				if err := body(c, do, n); err != nil {
					return fmt.Errorf("%s, %d elements: %w", name, n, err)
				}
			}
		}
	}
	return nil
}

// asProcess is what a rank of a job of processes does.
func asProcess(w *mpi.Comm, mode string) error {
	switch mode {
	case "bodies":
		for i, body := range bodies {
			if err := onAll(w, body); err != nil {
				return fmt.Errorf("body %d: %w", i, err)
			}
		}
		buf, err := mpi.Alloc[int64](w, 300_000)
		if err != nil {
			return err
		}
		copy(buf, numbers(len(buf), w.Rank()))
		if err := errors.Join(mpi.Bcast(w, buf, 0), same("shared memory", buf, numbers(len(buf), 0)), mpi.Free(w, buf)); err != nil {
			return err
		}
		fmt.Println("all is well")
		return nil
	case "windows":
		err := onWindows(w)
		if err == nil {
			fmt.Println("windows are well")
		}
		return err
	case "algorithms":
		return everyOp(w, os.Getenv("WEFT_TEST_CHOICE"))
	case "random windows":
		return randomPrograms(w)
	case "written meanwhile":
		return writtenMeanwhile(w)
	case "histories":
		return histories(w)
	case "hasty":
		return hasty(w)
	case "twice":
		if _, err := mpi.Init(); err == nil {
			return errors.New("initialised twice")
		}
		return nil
	case "left":
		return mpi.Send(w, []byte("lost"), (w.Rank()+1)%w.Size(), 6)
	case "truncate":
		if w.Rank() == 0 {
			return errors.Join(mpi.Send(w, make([]byte, 10), 1, 0), mpi.Barrier(w))
		}
		_, err := mpi.Recv(w, make([]byte, 5), 0, 0)
		return err
	case "abort":
		if w.Rank() == 1 {
			w.Abort(19, "no more")
		}
		return mpi.Barrier(w)
	case "over":
		return afterFinalize(w)
	case "goexit":
		if w.Rank() == 1 {
			runtime.Goexit()
		}
		return mpi.Barrier(w)
	case "panicking op", "leaving op":
		leave := func() { panic("boom") }
		if mode == "leaving op" {
			leave = runtime.Goexit
		}
		return mpi.Allreduce(w, []int{1}, []int{0}, mpi.NewOp(true, func(a, b int) int { leave(); return 0 }))
	}
	return errors.New("unknown mode " + mode)
}

// job runs n processes of this binary.
func job(t *testing.T, n int, mode string, vars ...string) (code int, text string) {
	t.Helper()
	if onFakes {
		t.Skip("processes have no driver made of Go in common")
	}
	var mu sync.Mutex
	var out bytes.Buffer
	write := writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return out.Write(p)
	})
	settings, err := boot.ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err = launch.Run(context.Background(), launch.Job{
		Specs:  []launch.Spec{{N: n, Argv: []string{os.Args[0]}, Env: append(append(os.Environ(), rankMode+"="+mode), vars...)}},
		Stdout: write, Stderr: write, Segment: boot.Segments(settings), Timeout: 60 * time.Second, StdinTo: launch.StdinNone,
		Signals: make(chan os.Signal),
	})
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	return code, out.String()
}

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// TestProcesses runs every body between processes: with single copies, without, and with small limits.
func TestProcesses(t *testing.T) {
	for i, c := range []struct {
		n    int
		vars []string
	}{{2, nil}, {3, nil}, {2, []string{"WEFT_CMA=off"}}, {2, []string{"WEFT_LAB_HELP=on", "WEFT_LAB_EAGER_MAX=256"}}, {2, []string{"WEFT_PROGRESS=wake", "WEFT_WAIT=park"}}} {
		if code, text := job(t, c.n, "bodies", c.vars...); code != 0 || strings.Count(text, "all is well") != c.n {
			t.Errorf("%d processes, %v: code %d\n%s", c.n, c.vars, code, text)
		}
		if testing.Short() || underRace && i == 1 {
			return
		}
	}
}

// TestHastyProcesses: contexts end between processes, whichever way messages travel, and nothing is
// left to be blamed.
func TestHastyProcesses(t *testing.T) {
	rail := "WEFT_LINKS=rail"
	for _, vars := range [][]string{nil, {"WEFT_CMA=off"}, {rail}, {rail, "WEFT_CHANNEL=hybrid", "WEFT_RNDV=speculative"}} {
		code, text := job(t, 3, "hasty", append(vars, "WEFT_CHECK=off")...)
		if code != 0 || strings.Count(text, "all is well") != 3 || strings.Contains(text, "never received") || strings.Contains(text, "in flight") {
			t.Errorf("%v: code %d\n%s", vars, code, text)
		}
		if testing.Short() {
			return
		}
	}
}

// TestProcessesThatFail: exit codes and words of programs that misbehave.
func TestProcessesThatFail(t *testing.T) {
	for _, c := range []struct {
		n    int
		mode string
		code int
		text string
	}{
		{1, "twice", 0, ""},
		{2, "left", 0, "1 messages were never received"},
		{2, "truncate", 15, "mpi: recv on world with rank 0, tag 0: message truncated"},
		{3, "abort", 19, "no more"},
		{2, "over", 0, "all is over"},
		{3, "goexit", 1, "rank 1: the rank's function called runtime.Goexit"},
		{3, "panicking op", 2, "process_test.go"},
		{3, "leaving op", 1, "called runtime.Goexit"},
	} {
		if code, text := job(t, c.n, c.mode); code != c.code || !strings.Contains(text, c.text) {
			t.Errorf("%s: code %d, want %d\n%s", c.mode, code, c.code, text)
		}
	}
}
