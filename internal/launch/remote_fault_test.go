package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/hosts"
	"golang.org/x/sys/unix"
)

// agentOf returns the process that is the agent of a host in a job with the mark: it has no PMI_RANK.
func agentOf(t *testing.T, m mark, name string) int {
	t.Helper()
	for _, pid := range m.survivors(t) {
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && bytes.Contains(env, []byte("FAKE_HOST="+name+"\x00")) && bytes.Contains(env, []byte(agentMode+"=")) &&
			!bytes.Contains(env, []byte("PMI_RANK=")) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if !bytes.Contains(line, []byte("weft-watchdog")) {
				return pid
			}
		}
	}
	t.Errorf("no agent of %s", name)
	return 0
}

// away is a job of four ranks that wait on two other hosts, with the mark in the environment of the agents as well.
func away(t *testing.T, mode string) (Job, mark) {
	t.Helper()
	m := newMark()
	name, value, _ := strings.Cut(string(m), "=")
	t.Setenv(name, value)
	job := spreadOut(t, testJob(t, 4, mode, m), "a", "b")
	job.HostTimeout = 2 * time.Second // a machine that is very busy is silent for longer than one
	return job, m
}

// A host is killed, goes silent, or stops in any other way: it is named, and the rest of the job ends.
func TestRemoteHostLost(t *testing.T) {
	for _, c := range []struct {
		name string
		sig  unix.Signal
		says string
	}{
		{"killed", unix.SIGKILL, "weft: host b is lost: the connection to its agent ended"},
		{"silent", unix.SIGSTOP, "weft: host b has been silent for 2s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			job, m := away(t, "fork")
			var out, msg text
			job.Stdout, job.Stderr = &out, &msg
			go func() {
				out.await("ready", 4)
				_ = unix.Kill(agentOf(t, m, "b"), c.sig)
			}()
			code, err := Run(context.Background(), job)
			if code != CodeHostLost || err != nil {
				t.Errorf("code %d, %v", code, err)
			}
			if said := msg.String(); !strings.HasPrefix(said, c.says) || !strings.Contains(said, "; ranks 1,3 were there\n") {
				t.Errorf("said %q, want %q", said, c.says)
			}
			m.noSurvivors(t)
		})
	}
}

// An agent that is told to end, as by a scheduler whose time limit is over, passes that on; what ranks
// make of it counts, and if they make nothing of it their host is lost. Signals that are meant for ranks
// it leaves to them.
func TestRemoteHostTerminated(t *testing.T) {
	for name, c := range map[string]struct {
		argv []string // instead of the test binary
		code int
		says string
	}{
		"obeyed":  {nil, 128 + 15, " on b) was killed by signal 15 (terminated) without Finalize"},
		"ignored": {[]string{"sh", "-c", "trap '' TERM; echo ready; sleep 300 & wait; sleep 300"}, CodeHostLost, "host b is lost: the connection to its agent ended (exit code 1: weft agent: ended by a signal, which ranks did not obey)"},
	} {
		t.Run(name, func(t *testing.T) {
			job, m := away(t, "fork")
			if c.argv != nil {
				job.Specs[0].Argv = c.argv
			}
			var out, msg text
			job.Stdout, job.Stderr = &out, &msg
			go func() {
				out.await("ready", 4)
				agent := agentOf(t, m, "b")
				for _, sig := range []unix.Signal{unix.SIGUSR1, unix.SIGUSR2, unix.SIGTERM} {
					_ = unix.Kill(agent, sig)
				}
			}()
			code, err := Run(context.Background(), job)
			if said := msg.String(); code != c.code || err != nil || !strings.Contains(said, c.says) {
				t.Errorf("code %d, %v, said %q", code, err, said)
			}
			m.noSurvivors(t)
		})
	}
}

// The launcher's end of the pipe is gone, or silent: an agent ends its ranks, their children and its copies.
func TestAgentWithoutLauncher(t *testing.T) {
	for _, silent := range []bool{false, true} {
		t.Run(fmt.Sprint("silent ", silent), func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			job, m := away(t, "fork")
			job.Stage = StageAlways
			var out text
			job.Stdout = &out
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			over := make(chan struct{})
			r := newLateRun(job)
			go func() {
				defer close(over)
				r.whole(ctx)
			}()
			if !out.await("ready", 4) {
				t.Fatal("not ready")
			}
			link := r.run.hosts[1].link
			if silent {
				link.out.close() // nothing is written any more, but the pipe stays open
			} else {
				link.conn.in.Close()
			}
			<-over
			m.noSurvivors(t)
			if left, _ := filepath.Glob(filepath.Join(temp, "weft-agent-*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// lateRun is Run with a look inside.
type lateRun struct{ run *run }

func newLateRun(job Job) lateRun {
	job.Stderr = &text{}
	if err := job.check(); err != nil {
		panic(err)
	}
	return lateRun{newRun(job)}
}

func (l lateRun) whole(ctx context.Context) {
	signals, stop := l.run.listen()
	defer stop()
	defer l.run.cleanup()
	if l.run.prepare(ctx, signals) == nil && l.run.startAll() == nil {
		l.run.loop(ctx, signals)
		l.run.drain(ctx, signals)
	}
}

// The agent is killed by what nobody can catch: its copies of programs go all the same.
func TestAgentKilledLeavesNoCopies(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	job, m := away(t, "hang")
	job.Stage = StageAlways
	var out text
	job.Stdout = &out
	go func() {
		out.await("ready", 4)
		if found, _ := filepath.Glob(filepath.Join(temp, "weft-agent-*", "0", "*")); len(found) != 2 {
			t.Errorf("copies: %q", found)
		}
		_ = unix.Kill(agentOf(t, m, "a"), unix.SIGKILL)
	}()
	if code, err := Run(context.Background(), job); code != CodeHostLost || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	m.noSurvivors(t)
	var left []string
	if !eventually(func() bool { left, _ = filepath.Glob(filepath.Join(temp, "weft-agent-*")); return len(left) == 0 }) {
		t.Errorf("copies are left behind: %q", left)
	}
}

// What a host answers instead of an agent is said, with what to do.
func TestRemoteRefusals(t *testing.T) {
	for _, c := range []struct {
		name, mode string // of the agent, or
		script     string // instead of ssh
		says       []string
	}{
		{name: "silent", mode: "mute", says: []string{"host a: ssh has not started weft's agent within 500ms"}},
		{name: "other version", mode: "old", says: []string{"host a: weft there (v9.9) speaks version 99", "install the same weft"}},
		{name: "nonsense", mode: "babble", says: []string{"host a sends what no agent would", "start-up file"}},
		{name: "no weft", script: "echo sh: weft: not found >&2; exit 127", says: []string{"host a: there is no", "weft: not found", "--agent PATH"}},
		{name: "no host", script: "echo ssh: Could not resolve hostname >&2; exit 255",
			says: []string{"host a cannot be reached by ssh (exit code 255: ssh: Could not resolve hostname); does this work:", " a true"}},
		{name: "talk only", script: "echo Welcome; exit 0", says: []string{`which printed "Welcome"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMark()
			job := spreadOut(t, testJob(t, 2, "ok", m), "a")
			if c.mode == "mute" { // all others answer, however late
				job.helloLimit = 500 * time.Millisecond
			}
			if c.mode != "" {
				job.SSH = fakeSSH(t, c.mode)
			} else {
				job.SSH = []string{"sh", "-c", c.script, "ssh"}
			}
			o := runJob(t, job, m)
			if o.err == nil {
				t.Fatalf("code %d, said %q", o.code, o.msg.String())
			}
			for _, want := range c.says {
				if !strings.Contains(o.err.Error(), want) {
					t.Errorf("%q is not in %q", want, o.err)
				}
			}
		})
	}
}

// What a shell prints before the agent does not matter.
func TestRemoteNoise(t *testing.T) {
	m := newMark()
	job := spreadOut(t, testJob(t, 2, "ok", m), "a", "b")
	job.SSH = fakeSSH(t, "noisy")
	if o := runJob(t, job, m); o.code != 0 || o.err != nil || o.msg.String() != "" {
		t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
	}
}

func TestRemoteOtherVersion(t *testing.T) {
	m := newMark()
	job := spreadOut(t, testJob(t, 1, "ok", m), "a")
	job.Version = "v8"
	if o := runJob(t, job, m); o.code != 0 || o.msg.String() != "weft: host a has weft test, this is weft v8; install the same on all hosts\n" {
		t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
	}
}

// Where weft is not in PATH, the path that the launcher has is tried.
func TestRemoteAgentAtTheSamePath(t *testing.T) {
	m := newMark()
	job := spreadOut(t, testJob(t, 1, "ok", m), "a")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	job.names = []string{"weft", self} // as of a program outside of the temporary directory
	text := fmt.Sprintf("#!/bin/sh\n[ \"$3\" = %s ] || exit 127\n%s=run exec $3\n", self, agentMode)
	if err := os.WriteFile(job.SSH[0], []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	if o := runJob(t, job, m); o.code != 0 || o.err != nil {
		t.Errorf("code %d, %v", o.code, o.err)
	}
	job.Agent = "/opt/weft"
	if o := runJob(t, job, m); o.err == nil || !strings.Contains(o.err.Error(), "there is no /opt/weft") {
		t.Errorf("code %d, %v", o.code, o.err)
	}
}

// A host that answers at the third time is waited for, if asked to, and not otherwise.
func TestRemoteWaitsForHosts(t *testing.T) {
	m := newMark()
	job := spreadOut(t, testJob(t, 2, "ok", m), "a")
	script, err := os.ReadFile(job.SSH[0])
	if err != nil {
		t.Fatal(err)
	}
	late := strings.Replace(string(script), "\n", fmt.Sprintf("\necho >> %[1]s.tries\n[ $(wc -l < %[1]s.tries) -ge 3 ] || { echo not yet >&2; exit 255; }\n", job.SSH[0]), 1)
	if err := os.WriteFile(job.SSH[0], []byte(late), 0o700); err != nil {
		t.Fatal(err)
	}
	if o := runJob(t, job, m); o.err == nil || o.code != CodeFailure {
		t.Errorf("not waiting: code %d, %v", o.code, o.err)
	}
	os.Remove(job.SSH[0] + ".tries")
	job.WaitHosts = time.Minute
	o := runJob(t, job, m)
	if said := o.msg.String(); o.code != 0 || o.err != nil || strings.Count(said, "trying again for 1m0s") != 1 || !strings.Contains(said, "not yet") {
		t.Errorf("code %d, %v, said %q", o.code, o.err, said)
	}
}

// Signals count from the first moment: here while a host is waited for.
func TestRemoteInterruptWhileConnecting(t *testing.T) {
	m := newMark()
	job := spreadOut(t, testJob(t, 2, "ok", m), "a", "b")
	job.SSH = fakeSSH(t, "mute")
	signals := make(chan os.Signal)
	job.Signals = signals
	go func() {
		time.Sleep(100 * time.Millisecond)
		signals <- unix.SIGINT
	}()
	if o := runJob(t, job, m); o.code != 130 || o.err == nil {
		t.Errorf("code %d, %v", o.code, o.err)
	}
}

func TestRemoteStartErrors(t *testing.T) {
	m := newMark()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.WriteFile(data, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), string(m), rankMode+"=hang")
	for _, c := range []struct {
		name string
		last Spec
		code int
		says string
	}{
		{"directory", Spec{N: 1, Argv: []string{self}, Dir: dir + "/none", Env: env}, CodeNotExecutable, "host b: rank 3: working directory"},
		{"no program", Spec{N: 1, Argv: []string{data}, Env: env}, CodeNotExecutable, "host b: rank 3: cannot run " + data + ": not a program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			job := Job{Specs: []Spec{{N: 3, Argv: []string{self}, Env: env}, c.last}}
			o := runJob(t, spreadOut(t, job, "a", "b"), m)
			var start *StartError
			if !errors.As(o.err, &start) || o.code != c.code || !strings.Contains(o.err.Error(), c.says) {
				t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
			}
		})
	}
}

// A program that a host does not have, or has otherwise, is copied there for the time of the job, unless
// the user says no.
func TestRemoteStaging(t *testing.T) {
	const exposed = "exposed"
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, c := range []struct {
		stage Stage
		there string // what is at the program's path on the other host; "" for nothing, exposed for mine where others can change it
		want  string // what runs
	}{
		{StageAuto, "", "mine"}, {StageAuto, "theirs", "mine"}, {StageAuto, "mine", "mine"}, {StageAlways, "mine", "mine"},
		{StageNever, "theirs", "theirs"}, {StageNever, "", ""},
		{StageAuto, exposed, "mine"}, {StageNever, exposed, "mine"},
	} {
		t.Run(fmt.Sprintf("%d %s", c.stage, c.there), func(t *testing.T) {
			m := newMark()
			dir := t.TempDir()
			path := filepath.Join(dir, "prog")
			write := func(words string) {
				if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+words+" in $(dirname $0)\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			write("mine")
			job := Job{Specs: []Spec{{N: 2, Argv: []string{path}, Env: append(os.Environ(), string(m))}}}
			job = spreadOut(t, job, "a")
			job.Stage = c.stage
			o := &outcome{}
			job.Stdout, job.Stderr = &o.out, &o.msg
			if err := job.check(); err != nil {
				t.Fatal(err)
			}
			o.code, o.err = runSwapped(t, job, func() {
				switch c.there {
				case "":
					os.Remove(path)
				case exposed:
					write("mine")
					if err := os.Chmod(dir, 0o777); err != nil {
						t.Fatal(err)
					}
				default:
					write(c.there)
				}
			})
			m.noSurvivors(t)
			if c.want == "" {
				if o.code != CodeNotFound || o.err == nil || !strings.Contains(o.err.Error(), "host a has no program "+path) {
					t.Errorf("code %d, %v", o.code, o.err)
				}
			} else if o.code != 0 || o.err != nil || strings.Count(o.out.String(), c.want+" in ") != 2 {
				t.Errorf("code %d, %v, printed %q", o.code, o.err, o.out.String())
			}
			copied := strings.Contains(o.out.String(), "weft-agent-")
			if want := c.stage == StageAlways || c.stage == StageAuto && c.there != "mine"; copied != want {
				t.Errorf("copied is %v: %q", copied, o.out.String())
			}
			if left, _ := filepath.Glob(filepath.Join(temp, "weft-agent-*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// runSwapped runs the job with an ssh that, before it starts the agent, moves the launcher's own copy of
// the program out of the way: this machine plays another one, which has other files.
func runSwapped(t *testing.T, job Job, swap func()) (int, error) {
	t.Helper()
	r := newRun(job)
	signals, stop := r.listen()
	defer stop()
	defer r.cleanup()
	finder := programs{ctx: t.Context(), built: map[string]string{}}
	if err := r.findPrograms(&finder); err != nil {
		return 1, err
	}
	keep := filepath.Join(t.TempDir(), "prog")
	if err := os.Rename(r.programs[0].path, keep); err != nil {
		t.Fatal(err)
	}
	swap()
	r.programs[0].source = keep
	r.dialer = newSpawner()
	err := r.connectAll(t.Context())
	if err == nil {
		err = r.startAll()
	}
	if err != nil {
		return r.codeOf(err), err
	}
	r.loop(t.Context(), signals)
	r.drain(t.Context(), signals)
	return r.ending.code, nil
}

// Any signal to any rank on any host at any moment: the job ends as one, with the code of the victim.
func TestRemoteRandomDeath(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	signals := []unix.Signal{unix.SIGKILL, unix.SIGTERM, unix.SIGHUP}
	for round := range 6 {
		m := newMark()
		job := spreadOut(t, testJob(t, 4, "hang", m), "localhost", "b", "c")
		job.Timeout = 2 * time.Minute
		var msg text
		job.Stderr = &msg
		delay := time.Duration(rng.IntN(30)) * time.Millisecond
		sig, pick := signals[rng.IntN(len(signals))], rng.IntN(1000)
		killed := make(chan bool, 1)
		go func() {
			time.Sleep(delay)
			var pids []int
			killed <- eventually(func() bool { pids = m.survivors(t); return len(pids) == 4 }) && killOneRank(pids, pick, sig)
		}()
		code, err := Run(context.Background(), job)
		if !<-killed || err != nil || code != 128+int(sig) {
			t.Fatalf("round %d: code %d after %v, %v, said %q", round, code, sig, err, msg.String())
		}
		m.noSurvivors(t)
	}
}

func TestHostsOf(t *testing.T) {
	job := Job{Specs: []Spec{{N: 6, Argv: []string{"x"}}}}
	job.Hosts = []hosts.Host{{Name: "unused"}, {Name: "far"}, {Name: "localhost"}, {Name: "127.0.0.1"}}
	job.Node = []int{2, 2, 1, 3, 1, 3}
	if err := job.check(); err != nil {
		t.Fatal(err)
	}
	all := hostsOf(&job, "me")
	if len(all) != 2 || all[0].name != "me" || all[0].away || fmt.Sprint(all[0].ranks) != "[0 1 3 5]" ||
		all[1].name != "far" || !all[1].away || fmt.Sprint(all[1].ranks) != "[2 4]" || fmt.Sprint(nodes(all, 6)) != "[0 0 1 0 1 0]" {
		t.Errorf("%+v %+v", all[0], all[1])
	}
	job.Node = []int{0, 1}
	if err := job.check(); err == nil {
		t.Error("ranks without a host are accepted")
	}
	job.Node = []int{0, 1, 2, 3, 4, 0}
	if err := job.check(); err == nil {
		t.Error("a host that is not in the list is accepted")
	}
}
