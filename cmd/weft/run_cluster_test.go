package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
	"golang.org/x/sys/unix"
)

// fleet is a cluster on whose hosts the test binary is weft and rank.
type fleet struct {
	*cluster.Cluster
	bin string // directory of weft and rank, on every host
}

func newFleet(t *testing.T, hosts int) *fleet {
	t.Helper()
	clustertest.Need(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{bin: t.TempDir()}
	for _, name := range []string{"weft", "rank"} {
		if err := os.Symlink(self, filepath.Join(f.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	f.Cluster = clustertest.Up(t, cluster.Config{Hosts: hosts, Path: f.bin + ":" + os.Getenv("PATH")})
	return f
}

// launch starts weft run on h0.
func (f *fleet) launch(t *testing.T, args ...string) *launcher {
	t.Helper()
	l := &launcher{cmd: exec.Command(filepath.Join(f.bin, "weft"), append([]string{"run"}, args...)...)}
	l.cmd.Env = append(os.Environ(), "PATH="+f.bin+":"+os.Getenv("PATH"))
	l.cmd.Stdout, l.cmd.Stderr = &l.out, &l.out
	l.cmd.WaitDelay = 5 * time.Second
	if err := f.Start("h0", l.cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a host ends when all that ran on it has been waited for
		_ = l.cmd.Process.Kill()
		_ = l.cmd.Wait()
	})
	return l
}

// processes returns pid and command line of every process of a host that is a rank, an agent or their helper.
func (f *fleet) processes(t *testing.T, host string) []string {
	t.Helper()
	const script = `for d in /proc/[0-9]*; do echo "${d#/proc/} $(tr '\0' ' ' 2>/dev/null < $d/cmdline)"; done`
	out, err := f.Command(host, "sh", "-c", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, " rank ") || strings.Contains(line, "weft agent") || strings.Contains(line, "weft-watchdog") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// nothingLeft fails if anything of a job is alive on the hosts a moment later.
func (f *fleet) nothingLeft(t *testing.T, hosts ...string) {
	t.Helper()
	for _, h := range hosts {
		var left []string
		if !eventually(func() bool { left = f.processes(t, h); return len(left) == 0 }) {
			t.Errorf("left behind on %s: %q", h, left)
		}
	}
}

// Jobs over real ssh servers: what works on one host works on several.
func TestRunOnHosts(t *testing.T) {
	f := newFleet(t, 3)
	for _, c := range []struct {
		args string
		code int
		says []string
	}{
		{"-l --host h1:2,h2:2 rank ok", 0, []string{"[0] rank 0 of 4, program 0\n", "[3] rank 3 of 4, program 0\n"}},
		{"-l --host h0,h1,h2 -n 3 --map-by node sh -c 'echo $(hostname) $WEFT_HOST'", 0, []string{"[0] h0 h0\n", "[1] h1 h1\n", "[2] h2 h2\n"}},
		{"--host h1,h2 -n 4 rank leave 2 7", 7, []string{"weft: rank 2 (pid ", " on h2) exited with code 7 without Finalize"}},
		{"--host h0,h1 -n 2 rank panic 1", 2, []string{" on h1) exited with code 2", "panic: rank 1 has had enough"}},
		{"--host h1 --print-all-exitcodes -n 2 rank late 1 4", 4, []string{"weft: rank 0 (pid ", " on h1) exited with code 0"}},
		{"--host h1 --timeout 0.5 -n 2 rank hold", 110, []string{"its time limit"}},
		{"--host h1:1,h2:1 -n 3 rank ok", 1, []string{"3 ranks do not fit: there are 2 slots on h1, h2"}},
		{"--host h1,h9 rank ok", 1, []string{"weft: host h9 cannot be reached by ssh (exit code 255: "}},
		{"--host h1 --agent /nowhere/weft rank ok", 1, []string{"weft: host h1: there is no /nowhere/weft in the PATH"}},
		{"--host h1 --bind-to none --report-bindings --wdir /proc sh -c pwd", 0, []string{"/proc\n", "rank 0 is not bound"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			l := f.launch(t, shellWords(c.args)...)
			if code := l.code(t); code != c.code {
				t.Errorf("code %d, want %d", code, c.code)
			}
			for _, want := range c.says {
				if !strings.Contains(l.out.String(), want) {
					t.Errorf("no %q in\n%s", want, l.out.String())
				}
			}
		})
	}
	t.Run("nothing is left", func(t *testing.T) { f.nothingLeft(t, "h0", "h1", "h2") })
}

// PBS and LSF say where a job may run, in their words; ssh reaches the hosts.
func TestRunInAllocations(t *testing.T) {
	f := newFleet(t, 3)
	nodes := filepath.Join(t.TempDir(), "nodes")
	if err := os.WriteFile(nodes, []byte("h1\nh1\nh2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string]map[string]string{
		"PBS": {"PBS_JOBID": "7.server", "PBS_NODEFILE": nodes},
		"LSF": {"LSB_JOBID": "7", "LSB_MCPU_HOSTS": "h1 2 h2 1 "},
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range env {
				t.Setenv(k, v)
			}
			l := f.launch(t, "-l", "sh", "-c", "echo $(hostname) of $WEFT_SIZE")
			code := l.code(t)
			for _, want := range []string{"[0] h1 of 3\n", "[1] h1 of 3\n", "[2] h2 of 3\n"} {
				if code != 0 || !strings.Contains(l.out.String(), want) {
					t.Errorf("code %d, no %q in\n%s", code, want, l.out.String())
				}
			}
		})
	}
	f.nothingLeft(t, "h0", "h1", "h2")
}

// shellWords splits a line into words; the last may be in single quotes.
func shellWords(line string) []string {
	before, quoted, found := strings.Cut(line, "'")
	words := strings.Fields(before)
	if found {
		words = append(words, strings.TrimSuffix(quoted, "'"))
	}
	return words
}

// A program that only the launcher's host has is copied, and gone afterwards. /run is each host's own.
func TestRunCopiesTheProgram(t *testing.T) {
	f := newFleet(t, 2)
	const script = `printf '#!/bin/sh\necho here is $(hostname)\n' > /run/prog; chmod 755 /run/prog`
	if out, err := f.Command("h0", "sh", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l := f.launch(t, "--host", "h0,h1", "-n", "2", "/run/prog")
	if code := l.code(t); code != 0 || !strings.Contains(l.out.String(), "here is h0\n") || !strings.Contains(l.out.String(), "here is h1\n") {
		t.Errorf("code %d\n%s", code, l.out.String())
	}
	l = f.launch(t, "--stage", "never", "--host", "h0,h1", "-n", "2", "/run/prog")
	if code := l.code(t); code != 127 || !strings.Contains(l.out.String(), "host h1 has no program /run/prog") {
		t.Errorf("code %d\n%s", code, l.out.String())
	}
	f.nothingLeft(t, "h0", "h1")
}

// A stranger on another host has put the very program where it will be looked for, to exchange it
// before it starts: what runs is a copy of the launcher's.
func TestRunDistrustsStrangers(t *testing.T) {
	f := newFleet(t, 2)
	const script = `mkdir -m 1777 /run/open; printf '#!/bin/sh\necho $(hostname) runs $0\n' > /run/open/prog; chmod 755 /run/open/prog; `
	for host, more := range map[string]string{"h0": "", "h1": "chown 65534 /run/open/prog"} {
		if out, err := f.Command(host, "sh", "-c", script+more).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	l := f.launch(t, "--host", "h0,h1", "-n", "2", "/run/open/prog")
	if code := l.code(t); code != 0 || !strings.Contains(l.out.String(), "h0 runs /run/open/prog\n") ||
		!regexp.MustCompile(`h1 runs \S*/weft-agent-\w+/0/prog`).MatchString(l.out.String()) {
		t.Errorf("code %d\n%s", code, l.out.String())
	}
	if out, err := f.Command("h1", "chown", "0", "/run/open/prog").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l = f.launch(t, "--host", "h0,h1", "-n", "2", "/run/open/prog")
	if code := l.code(t); code != 0 || !strings.Contains(l.out.String(), "h1 runs /run/open/prog\n") {
		t.Errorf("one's own: code %d\n%s", code, l.out.String())
	}
	f.nothingLeft(t, "h0", "h1")
}

// A host is lost in one way or another: it is named within seconds, and nothing is left anywhere.
func TestRunLosesHost(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: waits until hosts count as silent")
	}
	for _, c := range []struct {
		name string
		lose func(t *testing.T, f *fleet) error
		says string
		left []string // hosts on which nothing may be left
	}{
		{"agent killed", killAgent, "weft: host h2 is lost: the connection to its agent ended", []string{"h0", "h1", "h2"}},
		{"killed", func(_ *testing.T, f *fleet) error { return f.Kill("h2") }, "weft: host h2 is lost: ", []string{"h0", "h1"}},
		{"crashed", func(_ *testing.T, f *fleet) error { return f.Crash("h2") }, "weft: host h2 has been silent for 2s", []string{"h0", "h1"}},
		{"cut", func(_ *testing.T, f *fleet) error { return f.Cut("h2", cluster.AllRails) }, "weft: host h2 has been silent for 2s",
			[]string{"h0", "h1", "h2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, 3)
			l := f.launch(t, "--host-timeout", "2", "--host", "h1:2,h2:2", "rank", "fork")
			l.await(t, "ready", 4)
			if err := c.lose(t, f); err != nil {
				t.Fatal(err)
			}
			if code := l.code(t); code != 111 {
				t.Errorf("code %d", code)
			}
			if said := l.out.String(); !strings.Contains(said, c.says) || !strings.Contains(said, "ranks 2-3 were there") {
				t.Errorf("no %q in\n%s", c.says, said)
			}
			f.nothingLeft(t, c.left...)
		})
	}
}

func killAgent(t *testing.T, f *fleet) error {
	for _, line := range f.processes(t, "h2") {
		if pid, command, _ := strings.Cut(line, " "); strings.Contains(command, "weft agent") {
			return f.Command("h2", "sh", "-c", "kill -9 "+pid).Run()
		}
	}
	return fmt.Errorf("no agent on h2")
}

// The launcher is killed or asked to end: nothing is left on any host.
func TestRunOnHostsLauncherEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: kills the launcher of a fleet three times")
	}
	f := newFleet(t, 3)
	for _, c := range []struct {
		sig  unix.Signal
		code int
	}{{unix.SIGKILL, -1}, {unix.SIGINT, 130}, {unix.SIGTERM, 143}} {
		l := f.launch(t, "--grace", "1", "--host", "h0,h1,h2", "-n", "3", "rank", "fork")
		l.await(t, "ready", 3)
		l.signal(c.sig)
		if code := l.code(t); code != c.code {
			t.Errorf("%v: code %d\n%s", c.sig, code, l.out.String())
		}
		f.nothingLeft(t, "h0", "h1", "h2")
	}
}
