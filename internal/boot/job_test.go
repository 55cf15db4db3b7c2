package boot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/launch/launchtest"
	"go.uber.org/goleak"
)

// The test binary is its own rank: with this variable set it joins a job and does what the word says.
const rankMode = "WEFT_TEST_RANK"

func TestMain(m *testing.M) {
	if mode := os.Getenv(rankMode); mode != "" {
		os.Unsetenv(rankMode)
		if err := beRank(mode); err != nil {
			fmt.Fprintln(os.Stderr, "rank failed:", err)
			os.Exit(42)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// beRank joins and behaves.
func beRank(mode string) error {
	if mode == "pmi" { // as if another launcher that speaks PMI had started us
		for _, name := range []string{"WEFT_LAUNCHER", "WEFT_RANK", "WEFT_SIZE", "WEFT_SHM_FD"} {
			os.Unsetenv(name)
		}
	}
	if mode == "closed" {
		os.Setenv("WEFT_SHM_FD", "999")
	}
	r, err := Join(nil)
	if err != nil {
		return err
	}
	w := r.Env.World()
	switch {
	case mode == "abort" && w.Rank() == 1:
		r.Abort(7, "enough")
	case mode == "die" && w.Rank() == 1:
		os.Exit(3)
	case mode == "abort" || mode == "die":
		_, err := w.Recv(make([]byte, 1), 1, 99)
		return fmt.Errorf("a receive from a dead rank returned: %v", err)
	}
	if mode == "room" {
		if err := roomJob(w); err != nil {
			return err
		}
	}
	if err := ringJob(w); err != nil {
		return err
	}
	fmt.Printf("rank %d of %d is done\n", w.Rank(), w.Size())
	return r.Leave()
}

// ringJob passes messages of many lengths around and ends with a barrier.
func ringJob(w *comm.Comm) error {
	right, left := (w.Rank()+1)%w.Size(), (w.Rank()-1+w.Size())%w.Size()
	for i, n := range []int{0, 1, 100, 5000, 100_000, 3_000_000} {
		in, out := make([]byte, n), bytes.Repeat([]byte{byte(w.Rank() + i)}, n)
		r := w.Irecv(in, left, i)
		if err := w.Send(out, right, i, comm.Standard); err != nil {
			return err
		}
		if _, _, err := r.One(true); err != nil {
			return err
		}
		if !bytes.Equal(in, bytes.Repeat([]byte{byte(left + i)}, n)) {
			return fmt.Errorf("%d bytes came wrong", n)
		}
	}
	return w.Run(&comm.Call{Op: coll.Barrier})
}

// job runs n ranks of this binary.
func job(t *testing.T, n int, mode string, vars ...string) (code int, text string) {
	t.Helper()
	out := new(launchtest.Output)
	settings, err := ReadSettings(vars)
	if err != nil {
		settings = defaults() // the ranks will refuse it
	}
	code, err = launch.Run(context.Background(), launch.Job{
		Specs:  []launch.Spec{{N: n, Argv: []string{os.Args[0]}, Env: append(append(os.Environ(), rankMode+"="+mode), vars...)}},
		Stdout: out, Stderr: out, Segment: Segments(settings), Timeout: 30 * time.Second, StdinTo: launch.StdinNone,
		Signals: make(chan os.Signal),
	})
	if err != nil {
		t.Fatal(err, out)
	}
	return code, out.String()
}

// TestJobs runs real processes: under weft's own launcher and as under another one, with different settings.
func TestJobs(t *testing.T) {
	for name, c := range map[string]struct {
		n    int
		mode string
		vars []string
	}{
		"one":         {1, "ring", nil},
		"two":         {2, "ring", nil},
		"five":        {5, "ring", nil},
		"pmi":         {3, "pmi", nil},
		"pmi alone":   {1, "pmi", nil},
		"two copies":  {2, "ring", []string{"WEFT_CMA=off"}},
		"with help":   {2, "ring", []string{"WEFT_LAB_HELP=on"}},
		"parking":     {3, "ring", []string{"WEFT_WAIT=park"}},
		"polling":     {2, "ring", []string{"WEFT_PROGRESS=poll"}},
		"waking":      {2, "ring", []string{"WEFT_PROGRESS=wake"}},
		"small eager": {2, "ring", []string{"WEFT_LAB_EAGER_MAX=64"}},
		"unchecked":   {3, "ring", []string{"WEFT_CHECK=off"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, text := job(t, c.n, c.mode, c.vars...)
			if code != 0 || strings.Count(text, "is done") != c.n {
				t.Errorf("code %d:\n%s", code, text)
			}
		})
	}
}

// TestJobsThatFail end as one, with the culprit's code and words.
func TestJobsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		mode string
		vars []string
		code int
		text string
	}{
		"abort":      {"abort", nil, 7, "enough"},
		"death":      {"die", nil, 3, ""},
		"segment":    {"closed", nil, 42, "descriptor 999 of WEFT_SHM_FD is not open"},
		"setting":    {"ring", []string{"WEFT_WAIT=never"}, 42, "WEFT_WAIT"},
		"congestion": {"ring", []string{"WEFT_LINKS=rail", "WEFT_LAB_CONGESTION=nosuch"}, 42, `congestion control "nosuch"`},
	} {
		t.Run(name, func(t *testing.T) {
			if code, text := job(t, 3, c.mode, c.vars...); code != c.code || !strings.Contains(text, c.text) {
				t.Errorf("code %d, want %d:\n%s", code, c.code, text)
			}
		})
	}
}

// TestOpenMPI: a real mpirun starts ranks on this host, which find each other, and end as one.
func TestOpenMPI(t *testing.T) {
	mpirun, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		t.Skip("Open MPI is not installed; make bench-deps does it")
	}
	for mode, c := range map[string]struct {
		code int
		said string
	}{"ring": {0, "rank 2 of 3 is done"}, "abort": {7, "the job is over: rank 1 aborted the job with code 7: enough"}, "die": {3, "Exit code:    3"}} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "3", os.Args[0])
		cmd.Env = append(os.Environ(), rankMode+"="+mode)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.said) {
			t.Errorf("%s: code %d:\n%s", mode, code, out)
		}
	}
}

// TestAlone: without a launcher a process is a job of one.
func TestAlone(t *testing.T) {
	r, err := Join(func() string { return "here" })
	if err != nil {
		t.Fatal(err)
	}
	w := r.Env.World()
	if w.Size() != 1 || w.Rank() != 0 {
		t.Errorf("rank %d of %d", w.Rank(), w.Size())
	}
	if err := ringJob(w); err != nil {
		t.Error(err)
	}
	if err := r.Leave(); err != nil {
		t.Error(err)
	}
}

// TestInheritedEnvironment: a program started by a rank finds the rank's variables but not its socket.
func TestInheritedEnvironment(t *testing.T) {
	for k, v := range weftEnv.with("PMI_FD", "997") {
		t.Setenv(k, v)
	}
	if _, err := Join(nil); !errors.Is(err, ErrLauncher) || !strings.Contains(err.Error(), "PMI_FD") {
		t.Errorf("joined through a closed socket: %v", err)
	}
}

// TestCrewStall: goroutine ranks that wait too long are reported by one watcher.
func TestCrewStall(t *testing.T) {
	t.Setenv("WEFT_STALL", "10ms")
	crew, err := NewCrew(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	done := make(chan error)
	go func() { _, err := crew.Ranks[0].Env.World().Recv(make([]byte, 1), 1, 5); done <- err }()
	for deadline := time.Now().Add(20 * time.Second); !crew.report(time.Millisecond); {
		if time.Now().After(deadline) {
			t.Fatal("nobody was reported")
		}
		time.Sleep(time.Millisecond)
	}
	crew.Fail(errors.New("enough"))
	if err := <-done; !errors.Is(err, comm.ErrAborted) {
		t.Error(err)
	}
	if crew.Cause() == nil {
		t.Error("no cause")
	}
}
