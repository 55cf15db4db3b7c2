package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/launchtest"
	"golang.org/x/sys/unix"
)

// faultJob is a job of the faulty program, or of programs given by argv.
type faultJob struct {
	ranks   int
	program string   // mode and words of the faulty program
	argv    []string // instead of ranks and program: what follows the options of weft run
	flags   string   // of weft run, in words
	env     []string // besides the usual
	limit   int      // seconds, 300 if 0: what takes longer has hung and ends with code 110
	dir     string   // working directory of the launcher
	prefix  []string // a command that runs the launcher
}

// faultRun is the job under way. Its ranks are real ranks of package mpi under the real launcher.
type faultRun struct {
	*launcher                   // out has what ranks printed
	said      launchtest.Output // standard error: the launcher's messages and the ranks'
	temp      string            // the launcher's directory for temporary files
	notes     string            // what ranks have left for the test
}

// cleanEnviron is the environment without the traces of any launcher or setting.
func cleanEnviron() []string {
	var env []string
	for _, v := range os.Environ() {
		if !regexp.MustCompile(`^(WEFT|PMI|PMIX|OMPI|SLURM|MPI|MPIEXEC|FAULTS)_`).MatchString(v) {
			env = append(env, v)
		}
	}
	return env
}

// place makes a directory in which the test binary is both weft and the faulty program, and the environment to go
// with it.
func place(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"weft", "faulty"} {
		if err := os.Symlink(program(t), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"temp", "notes"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir, append(cleanEnviron(), "FAULTS_MARK="+dir, faultNotes+"="+filepath.Join(dir, "notes"),
		"TMPDIR="+filepath.Join(dir, "temp"), "PATH="+dir+":"+os.Getenv("PATH"),
		"GORACE=atexit_sleep_ms=0") // the race detector would let every process sleep for a second at its end
}

// start starts the job.
func (j faultJob) start(t *testing.T) *faultRun {
	t.Helper()
	dir, env := place(t)
	if j.limit == 0 {
		j.limit = 300
	}
	words := append(append([]string{}, j.prefix...), filepath.Join(dir, "weft"), "run", "--oversubscribe", "--timeout", fmt.Sprint(j.limit))
	words = append(words, strings.Fields(j.flags)...)
	if j.argv != nil {
		words = append(words, j.argv...)
	} else {
		words = append(append(words, "-n", fmt.Sprint(j.ranks), "faulty"), strings.Fields(j.program)...)
	}
	r := &faultRun{
		launcher: &launcher{cmd: exec.Command(words[0], words[1:]...), mark: []byte("FAULTS_MARK=" + dir)},
		temp:     filepath.Join(dir, "temp"), notes: filepath.Join(dir, "notes"),
	}
	r.cmd.Env, r.cmd.Dir = append(env, j.env...), j.dir
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.said
	r.cmd.WaitDelay = 5 * time.Second
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

// run runs the job to its end, which has to be with that code, and see end.
func (j faultJob) run(t *testing.T, code int) *faultRun {
	t.Helper()
	r := j.start(t)
	r.end(t, code)
	return r
}

// end waits for the end of the job and sees that it is the right one and leaves nothing behind: no process, no
// temporary file, no holder of its shared memory.
func (r *faultRun) end(t *testing.T, code int) {
	t.Helper()
	if got := r.code(t); got != code {
		t.Errorf("exit code %d, want %d; printed:\n%.1000s\nsaid:\n%.3000s", got, code, r.out.String(), r.said.String())
	}
	r.nothingLeft(t)
	var found []string
	if !eventually(func() bool { found = r.holders(); return len(found) == 0 }) {
		t.Errorf("the job's shared memory is still held: %q", found)
	}
	for _, pattern := range []string{r.temp + "/*", "/dev/shm/*weft*"} {
		if left, _ := filepath.Glob(pattern); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

// holders returns the places in /proc where a process has the job's shared memory mapped or open.
func (r *faultRun) holders() (found []string) {
	inode, err := os.ReadFile(filepath.Join(r.notes, "segment"))
	if err != nil {
		return nil // rank 0 did not get as far as that
	}
	mapped := regexp.MustCompile(` ` + string(inode) + ` +/memfd:weft`)
	maps, _ := filepath.Glob("/proc/[0-9]*/maps")
	for _, f := range maps {
		if text, err := os.ReadFile(f); err == nil && mapped.Match(text) {
			found = append(found, f)
		}
	}
	opened, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, f := range opened {
		var st unix.Stat_t
		if name, err := os.Readlink(f); err != nil || !strings.HasPrefix(name, "/memfd:weft") {
			continue
		}
		if unix.Stat(f, &st) == nil && fmt.Sprint(st.Ino) == string(inode) {
			found = append(found, f)
		}
	}
	return found
}

// says fails unless the job has said, on standard error, what matches every pattern.
func (r *faultRun) says(t *testing.T, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(p).MatchString(r.said.String()) {
			t.Errorf("no %s in what the job said:\n%.3000s", p, r.said.String())
		}
	}
}

// printed fails unless the job has printed what n times.
func (r *faultRun) printed(t *testing.T, what string, n int) {
	t.Helper()
	if got := strings.Count(r.out.String(), what); got != n {
		t.Errorf("%q is %d times, not %d, in what the job printed:\n%s", what, got, n, r.out.String())
	}
}

// awaitSaid waits until the job has said what.
func (r *faultRun) awaitSaid(t *testing.T, what string) {
	t.Helper()
	if !eventually(func() bool { return strings.Contains(r.said.String(), what) }) {
		t.Fatalf("the job has not said %q:\n%s", what, r.said.String())
	}
}

// phases are the moments at which a rank can be killed.
var phases = []string{"messages", "rendezvous", "collectives", "init", "finalize", "finalized"}

// fatal are the signals that end a Go program. The runtime turns those that mean a crash into a report and code 2;
// the others end the process as signals.
var fatal = []struct {
	sig  unix.Signal
	code int
	how  string
}{
	{unix.SIGKILL, 137, `was killed by signal 9 `},
	{unix.SIGTERM, 143, `was killed by signal 15 `},
	{unix.SIGINT, 130, `was killed by signal 2 `},
	{unix.SIGHUP, 129, `was killed by signal 1 `},
	{unix.SIGSEGV, 2, `exited with code 2[ ;].*its last words:\nSIGSEGV: `},
	{unix.SIGABRT, 2, `exited with code 2[ ;].*its last words:\nSIGABRT: `},
	{unix.SIGBUS, 2, `exited with code 2[ ;].*its last words:\nSIGBUS: `},
	{unix.SIGQUIT, 2, `exited with code 2[ ;].*its last words:\nSIGQUIT: `},
	{unix.SIGILL, 2, `exited with code 2[ ;].*its last words:\nSIGILL: `},
	{unix.SIGFPE, 2, `exited with code 2[ ;].*its last words:\nSIGFPE: `},
}

// Any rank dies of any signal at any moment: the job ends with the documented code, and its first words name rank,
// process and host.
func TestFaultSignalAtAnyMoment(t *testing.T) {
	host, _ := os.Hostname()
	for s, c := range fatal {
		for p, phase := range phases {
			if testing.Short() && c.sig != unix.SIGKILL && s%len(phases) != p {
				continue // a short test takes every signal once, and every phase
			}
			if phase == "finalized" && c.code == 2 {
				continue // the crash report of a rank that needs nobody any more is not the job's end
			}
			t.Run(fmt.Sprintf("%v in %s", c.sig, phase), func(t *testing.T) {
				t.Parallel()
				victim, delay := rand.IntN(3), rand.IntN(40_000)
				job := faultJob{ranks: 3, program: fmt.Sprintf("kill %s %d %d %d", phase, victim, int(c.sig), delay)}
				t.Log(job.program) // chance cannot be repeated, but its choice can
				r := job.run(t, c.code)
				pid, err := os.ReadFile(filepath.Join(r.notes, "victim"))
				if err != nil {
					t.Fatal(err)
				}
				r.says(t, fmt.Sprintf(`\Aweft: rank %d \(pid %s on %s\) %s`, victim, pid, regexp.QuoteMeta(host), c.how))
			})
		}
	}
}

// A rank that crashes after Finalize needs nobody any more: its code becomes the job's, the others go on to their end.
func TestFaultCrashAfterFinalize(t *testing.T) {
	r := faultJob{ranks: 3, program: fmt.Sprintf("kill finalized 1 %d 0", int(unix.SIGSEGV))}.run(t, 2)
	r.says(t, `\Aweft: rank 1 \(pid \d+ on .*\) exited with code 2`, `SIGSEGV: `)
}

// Signals that mean nothing to a Go program disturb no transfer, however many come; a rank that is stopped for a while
// only makes the others wait.
func TestFaultHarmlessSignals(t *testing.T) {
	r := faultJob{ranks: 3, program: "collective until stop"}.start(t)
	r.await(t, "ready", 3)
	ranks := regexp.MustCompile(`^(\d+) faulty `)
	for range 30 {
		found := 0
		for _, line := range carriers(r.mark) {
			m := ranks.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			found++
			pid, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			for _, sig := range []unix.Signal{unix.SIGUSR1, unix.SIGWINCH, unix.SIGALRM, unix.SIGURG, unix.SIGSTOP, unix.SIGCONT} {
				if err := unix.Kill(pid, sig); err != nil {
					t.Fatal(err)
				}
			}
		}
		if found != 3 {
			t.Fatalf("%d ranks are there, not 3", found)
		}
	}
	if err := os.WriteFile(filepath.Join(r.notes, "stop"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	r.end(t, 0)
	r.printed(t, "all rounds right", 1)
}

// The launcher is killed in the middle of traffic: the ranks go with it.
func TestFaultLauncherKilledInTraffic(t *testing.T) {
	for _, kind := range []string{"messages", "rendezvous", "collectives"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			r := faultJob{ranks: 4, program: "traffic " + kind}.start(t)
			r.await(t, "ready", 4)
			if n := len(r.holders()); n < 4 {
				t.Errorf("%d holders of the shared memory are found while 4 ranks use it", n)
			}
			r.signal(unix.SIGKILL)
			r.end(t, -1)
		})
	}
}

func TestFaultEndings(t *testing.T) {
	const culprit = `\Aweft: rank 1 \(pid \d+ on \S+\) `
	for _, c := range []struct {
		program string
		code    int
		says    []string
	}{
		{"exit 1 0", 1, []string{culprit + `exited with code 0 without Finalize`}},
		{"exit 1 3", 3, []string{culprit + `exited with code 3 without Finalize`}},
		{"truncate", 15, []string{`\Aweft: rank 1: mpi: recv on world with rank 0, tag 7: message truncated: \d+ bytes into a buffer of \d+\nweft: rank 1 \(pid \d+ on \S+\) exited with code 15\n\z`}},
		{"complain 1", 1, []string{`\Aweft: rank 1: the input file is missing\nweft: rank 1 \(pid \d+ on \S+\) exited with code 1\n\z`}},
		{"panic 1", 2, []string{culprit + `exited with code 2; its last words:\npanic: rank 1 has lost its way`,
			`goroutine 1 \[running\]`, `faults_main_test\.go:\d+`}},
		{"wild 1", 2, []string{culprit + `exited with code 2; its last words:\n`, `SIGSEGV|unexpected fault address`, `faults_kernel_test\.go:\d+`}},
		{"abort 1 42", 42, []string{`\Aweft: rank 1 \(pid \d+ on \S+\) aborted the job with code 42: no convergence`}},
		{"abort 1 0", 1, []string{`(?m)^weft: rank 1 \(pid \d+ on \S+\) aborted the job with code 1: no convergence`}},
		{"abort 1 300", 44, []string{`(?m)^weft: rank 1 \(pid \d+ on \S+\) aborted the job with code 44: no convergence`}},
	} {
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			r := faultJob{ranks: 3, program: c.program}.run(t, c.code)
			r.says(t, c.says...)
		})
	}
}

// What a program forgets is told at Finalize, and is no failure.
func TestFaultForgottenAtFinalize(t *testing.T) {
	r := faultJob{ranks: 2, program: "forget"}.run(t, 0)
	r.says(t, `(?m)^weft: rank 0: 2 messages were never received: from process 1 tag 70 \(8 bytes\), from process 1 tag 71 \(24 bytes\)$`,
		`(?m)^weft: rank 0: 1 requests were still in flight at Finalize; wait for every request$`,
		`(?m)^weft: rank 1: 1 requests were still in flight`)
}
