package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/launchtest"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// The test binary is its own rank: started under the variable rankMode it behaves as launchtest says.
const rankMode = "WEFT_TEST_RANK"

func TestMain(m *testing.M) {
	if mode := os.Getenv(rankMode); mode != "" {
		os.Exit(launchtest.Main(strings.Fields(mode)))
	}
	if mode := os.Getenv(agentMode); mode != "" {
		os.Exit(agentMain(mode))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // agents and ranks are this program, too
	launchtest.HeedSignals()
	goleak.VerifyTestMain(m)
}

// mark is in the environment of every process of one job, so that those left behind can be found.
type mark string

func newMark() mark { return mark("WEFT_TEST_MARK=" + newID()) }

// survivors returns the processes that carry the mark, zombies not counted.
func (m mark) survivors(t *testing.T) []int {
	t.Helper()
	var pids []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ")) // empty for a zombie
		if err == nil && bytes.Contains(env, []byte(m)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// eventually waits for a condition, longer than the slowest machine takes.
func eventually(holds func() bool) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

// noSurvivors waits a little: a killed process needs a moment to vanish.
func (m mark) noSurvivors(t *testing.T) {
	t.Helper()
	var pids []int
	if eventually(func() bool { pids = m.survivors(t); return len(pids) == 0 }) {
		return
	}
	for _, pid := range pids {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		t.Errorf("pid %d is left behind: %q", pid, bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// text is output that can be waited for.
type text struct{ launchtest.Output }

// await returns when what has been written n times, or gives up.
func (x *text) await(what string, n int) bool {
	return eventually(func() bool { return strings.Count(x.String(), what) >= n })
}

type outcome struct {
	code     int
	err      error
	out, msg text
}

// testJob is a job of n ranks in some mode of launchtest.
func testJob(t *testing.T, n int, mode string, m mark) Job {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), rankMode+"="+mode, string(m))
	return Job{Specs: []Spec{{N: n, Argv: []string{self}, Env: env}}, Signals: make(chan os.Signal)}
}

// runJob runs the job and checks that nothing is left of it.
func runJob(t *testing.T, job Job, m mark) *outcome {
	t.Helper()
	o := &outcome{}
	job.Stdout, job.Stderr = &o.out, &o.msg
	o.code, o.err = Run(context.Background(), job)
	m.noSurvivors(t)
	return o
}

func TestRunModes(t *testing.T) {
	for _, c := range []struct {
		mode string
		n    int
		code int
		msg  string // must be in what the user is told; "" means that nothing is said
	}{
		{"ok", 4, 0, ""},
		{"ok", 1, 0, ""},
		{"leave 1 7", 3, 7, "rank 1 (pid "},
		{"leave 2 0", 3, 1, "exited with code 0 without Finalize"},
		{"early 1 3", 3, 3, "exited with code 3"},
		{"early 1 0", 3, 1, "exited with code 0 before Init, while other ranks wait"},
		{"early 1 0 200ms", 3, 1, "exited with code 0 before Init, while other ranks wait"},
		{"late 0 4", 3, 4, "rank 0 (pid "},
		{"panic 2", 4, 2, "exited with code 2; its last words:\npanic: rank 2 has had enough\n\ngoroutine 1"},
		{"gasp 2", 4, 2, "exited with code 2; its last words:\npanic: rank 2 has had enough\n\ngoroutine 1"},
		{"abort 1 42 no more", 3, 42, "aborted the job with code 42: no more"},
		{"abort 1 0", 3, 1, "aborted the job with code 0"},
		{"abort 1 300", 3, 44, "aborted the job with code 300"},
		{"words 0 5", 2, 5, "its last words:\n    recv on world: peer 2 is gone\n    at prog.go:12"},
		{"noise 1", 2, 1, "rank 1 (pid "},
		{"mute 1", 2, 1, "closed its control socket"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			m := newMark()
			o := runJob(t, testJob(t, c.n, c.mode, m), m)
			if o.err != nil || o.code != c.code {
				t.Errorf("code %d, %v, want %d", o.code, o.err, c.code)
			}
			said := o.msg.String()
			if c.msg == "" && said != "" || !strings.Contains(said, c.msg) {
				t.Errorf("said %q, want %q", said, c.msg)
			}
			if c.msg != "" && (strings.Count(said, "weft: rank") != 1 || !strings.HasPrefix(said, "weft: rank")) {
				t.Errorf("the culprit is not named first and alone:\n%s", said)
			}
		})
	}
}

func TestRunGoesOnAfterLateExit(t *testing.T) {
	m := newMark()
	o := runJob(t, testJob(t, 3, "late 0 4", m), m)
	if strings.Count(o.out.String(), "went on") != 2 {
		t.Errorf("the others did not finish their work: %q", o.out.String())
	}
}

func TestRunStall(t *testing.T) {
	m := newMark()
	o := runJob(t, testJob(t, 4, "stall", m), m)
	said := o.msg.String()
	for _, want := range []string{"weft: the job seems stuck", "allreduce, call 4 on world",
		"ranks 0-2 wait in allreduce for 2.0 s at prog.go:7", "missing: rank 3, running outside MPI"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in:\n%s", want, said)
		}
	}
	if o.code != 0 || strings.Count(said, "seems stuck") != 1 {
		t.Errorf("code %d, said:\n%s", o.code, said)
	}
}

func TestRunManyRanks(t *testing.T) {
	m := newMark()
	o := runJob(t, testJob(t, 64, "ok", m), m)
	if got := strings.Count(o.out.String(), " of 64, program 0\n"); o.code != 0 || got != 64 {
		t.Errorf("code %d, %d lines, said %q", o.code, got, o.msg.String())
	}
}

func TestRunSegment(t *testing.T) {
	var asked int
	m := newMark()
	job := Job{
		Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", "cat <&$WEFT_SHM_FD; ls /proc/self/fd | wc -l"},
			Env: append(os.Environ(), string(m))}},
		Segment: func(n int) (*os.File, error) {
			asked = n
			f, err := os.CreateTemp(t.TempDir(), "segment")
			if err == nil {
				_, err = f.WriteString("shared\n")
			}
			_, seekErr := f.Seek(0, io.SeekStart)
			return f, errors.Join(err, seekErr)
		},
	}
	o := runJob(t, job, m)
	// Descriptors of ls: 0, 1, 2, control, segment, and the directory it reads. Anything more is a leak.
	if got := o.out.String(); asked != 2 || strings.Count(got, "shared") != 1 || strings.Count(got, "6\n") != 2 {
		t.Errorf("asked for %d, ranks printed %q", asked, got)
	}
	job.Segment = func(int) (*os.File, error) { return nil, errors.New("no memory") }
	if o := runJob(t, job, m); o.err == nil || o.code != CodeFailure {
		t.Errorf("code %d, error %v", o.code, o.err)
	}
}

func TestRunContext(t *testing.T) {
	m := newMark()
	job := testJob(t, 2, "hang", m)
	var out text
	job.Stdout = &out
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		out.await("ready", 2)
		cancel()
	}()
	if code, err := Run(ctx, job); code != 128+15 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	m.noSurvivors(t)
}

// A rank that ignores SIGTERM is killed when its grace is over, and so is the child it has forked.
func TestRunKillsTheStubborn(t *testing.T) {
	m := newMark()
	job := Job{
		Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", "trap '' TERM; sleep 300 & wait; sleep 300"},
			Env: append(os.Environ(), string(m))}},
		Timeout: 200 * time.Millisecond, Grace: 200 * time.Millisecond,
	}
	if o := runJob(t, job, m); o.code != CodeTimeout {
		t.Errorf("code %d, said %q", o.code, o.msg.String())
	}
}

// A background child that holds standard output open delays the end by a moment only, and does not survive it.
func TestRunBackgroundChild(t *testing.T) {
	m := newMark()
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", "echo before; sleep 300 & exit 0"},
		Env: append(os.Environ(), string(m))}}}
	o := runJob(t, job, m)
	if o.code != 0 || strings.Count(o.out.String(), "before\n") != 2 {
		t.Errorf("code %d, out %q, said %q", o.code, o.out.String(), o.msg.String())
	}
}

// slowWriter gives ranks time to end long before their output is through.
type slowWriter struct{ text }

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(30 * time.Millisecond)
	return w.text.Write(p)
}

func TestRunLosesNoOutput(t *testing.T) {
	m := newMark()
	var out slowWriter
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", "i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; sleep 300 &"},
		Env: append(os.Environ(), string(m))}}, Stdout: &out}
	if code, err := Run(context.Background(), job); code != 0 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	if got := strings.Count(out.String(), "\n"); got != 4000 {
		t.Errorf("%d lines, want 4000", got)
	}
	m.noSurvivors(t)
}

// blockingWriter is a pager that nobody scrolls.
type blockingWriter struct{ writing, resume chan struct{} }

func (w blockingWriter) Write(p []byte) (int, error) {
	select {
	case w.writing <- struct{}{}:
	default:
	}
	<-w.resume
	return len(p), nil
}

// The reader does not read and the ranks have ended: an interrupt still gets the user out.
func TestRunInterruptWhileDraining(t *testing.T) {
	m := newMark()
	signals := make(chan os.Signal)
	w := blockingWriter{make(chan struct{}, 1), make(chan struct{})}
	defer close(w.resume)
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"echo", "x"}, Env: append(os.Environ(), string(m))}},
		Stdout: w, Signals: signals}
	go func() {
		<-w.writing
		m.noSurvivors(t) // both ranks are through
		time.Sleep(lingerAfterExit + 200*time.Millisecond)
		signals <- unix.SIGINT
	}()
	if code, err := Run(context.Background(), job); code != 130 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
}

// brokenWriter is the far end of "| head -1".
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, unix.EPIPE }

func TestRunReaderGone(t *testing.T) {
	m := newMark()
	job := testJob(t, 3, "hang", m)
	var msg text
	job.Stdout, job.Stderr = brokenWriter{}, &msg
	if code, err := Run(context.Background(), job); code != 128+13 || err != nil || msg.String() != "" {
		t.Errorf("code %d, %v, said %q", code, err, msg.String())
	}
	m.noSurvivors(t)
}

// Any signal to any rank at any moment: the job ends as one, with the code of the victim, and nothing is left.
func TestRunRandomDeath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	signals := []unix.Signal{unix.SIGKILL, unix.SIGTERM, unix.SIGSEGV, unix.SIGABRT, unix.SIGHUP}
	for round := range 10 {
		m := newMark()
		job := testJob(t, 4, "hang", m)
		var msg text
		job.Stderr = &msg
		delay := time.Duration(rng.IntN(30)) * time.Millisecond
		sig := signals[rng.IntN(len(signals))]
		pick := rng.IntN(1000)
		killed := make(chan bool, 1)
		go func() {
			time.Sleep(delay)
			var pids []int
			killed <- eventually(func() bool { pids = m.survivors(t); return len(pids) == 4 }) && killOneRank(pids, pick, sig)
		}()
		job.Timeout = 2 * time.Minute
		code, err := Run(context.Background(), job)
		if !<-killed || err != nil {
			t.Fatalf("round %d: nobody was killed: code %d, %v", round, code, err)
		}
		// Go turns SIGSEGV, SIGABRT and SIGQUIT from outside into a crash with code 2.
		if want := 128 + int(sig); code != want && !(code == 2 && (sig == unix.SIGSEGV || sig == unix.SIGABRT)) {
			t.Errorf("round %d: code %d after %v, said %q", round, code, sig, msg.String())
		}
		m.noSurvivors(t)
	}
}

// killOneRank picks a process that is a rank (has PMI_RANK) and signals it.
func killOneRank(pids []int, pick int, sig unix.Signal) bool {
	for i := range pids {
		pid := pids[(i+pick)%len(pids)]
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && bytes.Contains(env, []byte("PMI_RANK=")) {
			return unix.Kill(pid, sig) == nil
		}
	}
	return false
}
