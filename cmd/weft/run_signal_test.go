package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/launchtest"
	"golang.org/x/sys/unix"
)

// launcher is "weft run" as a process of its own, to be signalled.
type launcher struct {
	cmd  *exec.Cmd
	out  launchtest.Output
	mark []byte // in the environment of every process of the job
}

// startLauncher starts weft run with the words of args, in which "rank" is the test's rank.
func startLauncher(t *testing.T, args ...string) *launcher {
	t.Helper()
	return startLauncherBy(t, []string{"weft"}, args...)
}

// startLauncherBy does so by words that end in the name of the tool, or in a command that runs it.
func startLauncherBy(t *testing.T, by []string, args ...string) *launcher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"rank", "weft"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	l := &launcher{cmd: exec.Command(self), mark: fmt.Appendf(nil, "WEFT_TEST_MARK=%s", dir)}
	if by[0] != "weft" {
		l.cmd = exec.Command(by[0])
	}
	l.cmd.Args = append(append(by, "run", "--oversubscribe", "--grace", "2"), args...)
	l.cmd.Env = append(os.Environ(), string(l.mark), "PATH="+dir+":"+os.Getenv("PATH"))
	l.cmd.Stdout, l.cmd.Stderr = &l.out, &l.out
	l.cmd.WaitDelay = 5 * time.Second
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.cmd.Process.Kill() })
	return l
}

// await waits until the job has printed what n times.
func (l *launcher) await(t *testing.T, what string, n int) {
	t.Helper()
	if !eventually(func() bool { return strings.Count(l.out.String(), what) >= n }) {
		t.Fatalf("the job did not print %q %d times:\n%s", what, n, l.out.String())
	}
}

func (l *launcher) signal(sig unix.Signal) { _ = l.cmd.Process.Signal(sig) }

// code waits for the launcher's end and returns its exit code, -1 when it was killed.
func (l *launcher) code(t *testing.T) int {
	t.Helper()
	err := l.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return l.cmd.ProcessState.ExitCode()
}

// nothingLeft fails if any process of the job is alive a moment later.
func (l *launcher) nothingLeft(t *testing.T) {
	t.Helper()
	var left []string
	if !eventually(func() bool { left = carriers(l.mark); return len(left) == 0 }) {
		t.Errorf("left behind: %q", left)
	}
}

func TestSignals(t *testing.T) {
	const trapping = `trap "echo got INT" INT; trap "echo got TERM" TERM; trap "echo got USR1" USR1; echo ready; ` +
		`while :; do sleep 0.1; done`
	for _, c := range []struct {
		name    string
		program []string
		send    []unix.Signal
		code    int
		printed map[string]int // words the job must have printed, and how often at least
	}{
		{"interrupt", []string{"rank", "hold"}, []unix.Signal{unix.SIGINT}, 130, nil},
		{"terminate", []string{"rank", "hold"}, []unix.Signal{unix.SIGTERM}, 143, nil},
		{"hang up", []string{"rank", "hold"}, []unix.Signal{unix.SIGHUP}, 129, nil},
		{"quit", []string{"rank", "hold"}, []unix.Signal{unix.SIGQUIT}, 131, map[string]int{"SIGQUIT: quit": 2}},
		{"interrupt twice", []string{"sh", "-c", trapping}, []unix.Signal{unix.SIGINT, unix.SIGINT}, 130,
			map[string]int{"got INT": 2, "got TERM": 2}},
		{"interrupt thrice", []string{"sh", "-c", trapping}, []unix.Signal{unix.SIGINT, unix.SIGINT, unix.SIGINT}, 130,
			map[string]int{"got INT": 2}},
		{"user signal", []string{"sh", "-c", trapping}, []unix.Signal{unix.SIGUSR1, unix.SIGTERM}, 143,
			map[string]int{"got USR1": 2, "got TERM": 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := startLauncher(t, append([]string{"-n", "2"}, c.program...)...)
			l.await(t, "ready", 2)
			for i, sig := range c.send {
				if i > 0 {
					l.await(t, "got", 2*i) // ranks see one signal before the next is sent
				}
				l.signal(sig)
			}
			if code := l.code(t); code != c.code {
				t.Errorf("code %d, want %d:\n%s", code, c.code, l.out.String())
			}
			for what, n := range c.printed {
				if strings.Count(l.out.String(), what) < n {
					t.Errorf("%q is not %d times in:\n%s", what, n, l.out.String())
				}
			}
			l.nothingLeft(t)
		})
	}
}

// Who starts weft run by nohup wants its job to outlive the hang-up, and a shell that runs it in
// the background has Ctrl-C mean others.
func TestIgnoredSignals(t *testing.T) {
	for name, sig := range map[string]unix.Signal{"HUP": unix.SIGHUP, "INT": unix.SIGINT} {
		for where, hosts := range map[string][]string{"here": {"-n", "3"}, "on other hosts": fakeSSH(t)} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "go")
				wait := "echo ready; while [ ! -e " + file + " ]; do sleep 0.05; done; echo done"
				ignoring := []string{"/bin/sh", "-c", "trap '' " + name + `; exec weft "$@"`, "sh"}
				l := startLauncherBy(t, ignoring, append(slices.Clone(hosts), "sh", "-c", wait)...)
				l.await(t, "ready", 3)
				l.signal(sig)
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				if code := l.code(t); code != 0 || strings.Count(l.out.String(), "done") != 3 {
					t.Errorf("code %d:\n%s", code, l.out.String())
				}
				l.nothingLeft(t)
			})
		}
	}
}

// The other commands that run for long heed signals as weft run does.
func TestEndSignals(t *testing.T) {
	signal.Ignore(unix.SIGHUP)
	defer launchtest.HeedSignals()
	if s := endSignals(); slices.Contains(s, os.Signal(unix.SIGHUP)) || !slices.Contains(s, os.Signal(unix.SIGTERM)) {
		t.Errorf("%v", s)
	}
}

// Ctrl-Z stops the ranks and the launcher; fg lets both go on.
func TestStopAndContinue(t *testing.T) {
	l := startLauncher(t, "-n", "2", "sh", "-c", "echo ready; while :; do sleep 0.1; done")
	l.await(t, "ready", 2)
	l.signal(unix.SIGTSTP)
	for _, state := range []string{"T", "S"} {
		if !l.awaitState(state) {
			t.Fatalf("launcher and ranks are not in state %s", state)
		}
		l.signal(unix.SIGCONT)
	}
	l.signal(unix.SIGTERM)
	if code := l.code(t); code != 143 {
		t.Errorf("code %d", code)
	}
	l.nothingLeft(t)
}

// awaitState waits until the launcher and the shells that are its ranks are all stopped (T) or all not (S).
func (l *launcher) awaitState(state string) bool {
	return eventually(func() bool {
		stopped, total := 0, 0
		for _, line := range carriers(l.mark) {
			pid, command, _ := strings.Cut(line, " ")
			if strings.Contains(command, "weft-watchdog") || strings.HasPrefix(command, "sleep") {
				continue
			}
			total++
			stat, _ := os.ReadFile("/proc/" + pid + "/stat")
			if _, after, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(after, "T") {
				stopped++
			}
		}
		return total == 3 && (state == "T" && stopped == 3 || state == "S" && stopped == 0)
	})
}

// The launcher is killed without warning, at any moment: ranks, their children and built programs go with it.
func TestLauncherKilled(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ mode, ready string }{
		{"hang", ""}, {"hang", ""}, {"hang", "ready"}, {"hold", "ready"}, {"fork", "ready"}, {"fork", "ready"},
	} {
		l := startLauncher(t, "-n", "3", "rank", c.mode)
		if c.ready != "" {
			l.await(t, c.ready, 3)
		} else {
			time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
		}
		l.signal(unix.SIGKILL)
		_ = l.cmd.Wait()
		l.nothingLeft(t)
	}
}

// fakeSSH writes a script that runs commands of other hosts on this one, and returns the options that use
// it: three ranks, one here and two on hosts of their own.
func fakeSSH(t *testing.T) []string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "ssh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nshift\neval \"$*\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{"--ssh", script, "--host", "localhost,far1,far2", "-n", "3"}
}

// The same with agents: the launcher is killed while it connects, copies the program, starts ranks, or later.
func TestLauncherOfHostsKilled(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range 8 {
		l := startLauncher(t, append(fakeSSH(t), "--stage", "always", "rank", "fork")...)
		if round < 6 {
			time.Sleep(time.Duration(rng.IntN(120)) * time.Millisecond)
		} else {
			l.await(t, "ready", 3)
		}
		l.signal(unix.SIGKILL)
		_ = l.cmd.Wait()
		l.nothingLeft(t)
	}
	var left []string
	if !eventually(func() bool { // by a watchdog, if the agent cannot
		left, _ = filepath.Glob(filepath.Join(temp, "weft-*"))
		return len(left) == 0
	}) {
		t.Errorf("left behind: %q", left)
	}
}

// A launcher that is stopped for longer than hosts may be silent finds its ranks again, stopped and then running.
func TestStopAndContinueOnHosts(t *testing.T) {
	l := startLauncher(t, append(fakeSSH(t), "--host-timeout", "1", "sh", "-c", "echo ready; while :; do sleep 0.1; echo on; done")...)
	l.await(t, "ready", 3)
	l.signal(unix.SIGTSTP)
	time.Sleep(2500 * time.Millisecond)
	before := strings.Count(l.out.String(), "on\n")
	l.signal(unix.SIGCONT)
	l.await(t, "on\n", before+30)
	l.signal(unix.SIGTERM)
	if code := l.code(t); code != 143 {
		t.Errorf("code %d:\n%s", code, l.out.String())
	}
	l.nothingLeft(t)
}

func TestLauncherKilledRemovesBuild(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":  "module example.com/p\ngo 1.26\n",
		"main.go": "package main\nimport (\"fmt\"; \"time\")\nfunc main() { fmt.Println(\"ready\"); time.Sleep(time.Minute) }\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, running := range []bool{false, true} { // first in the middle of the building
		l := startLauncher(t, "-n", "2", dir)
		if running {
			l.await(t, "ready", 2)
		} else {
			awaitFile(t, filepath.Join(temp, "weft-run-*", "program0"))
		}
		l.signal(unix.SIGKILL)
		_ = l.cmd.Wait()
		l.nothingLeft(t)
		if left, _ := filepath.Glob(filepath.Join(temp, "weft-run-*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

// An interrupt while a package is being built ends the building, and no rank is started.
func TestInterruptWhileBuilding(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("GOCACHE", t.TempDir()) // so that there is something to compile
	l := startLauncher(t, "-n", "2", ".")
	awaitFile(t, filepath.Join(temp, "weft-run-*", "program0"))
	l.signal(unix.SIGINT)
	if code := l.code(t); code != 130 {
		t.Errorf("code %d:\n%s", code, l.out.String())
	}
	l.nothingLeft(t)
	if left, _ := filepath.Glob(filepath.Join(temp, "weft-run-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func awaitFile(t *testing.T, pattern string) {
	t.Helper()
	if !eventually(func() bool { found, _ := filepath.Glob(pattern); return len(found) > 0 }) {
		t.Fatalf("no file %s", pattern)
	}
}
