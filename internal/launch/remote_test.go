package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// agentMode makes the test binary an agent: under the variable "run" a good one, otherwise one that misbehaves.
const agentMode = "WEFT_TEST_AGENT"

// agentMain is the test binary as an agent.
func agentMain(mode string) int {
	os.Unsetenv(agentMode)
	switch mode {
	case "mute":
		time.Sleep(time.Minute)
	case "old":
		fmt.Println("weft-agent-hello 99 v9.9")
		time.Sleep(time.Minute)
	case "noisy":
		fmt.Print("Welcome!\nNo mail for you. ")
	case "babble":
		fmt.Printf("weft-agent-hello %d test\nthis is no frame, is it?", frame.Protocol)
		time.Sleep(time.Minute)
	}
	return Agent(AgentConfig{In: os.Stdin, Out: os.Stdout, Version: "test", Segment: func(env []string, n int) (*os.File, error) {
		f, err := os.CreateTemp("", "segment")
		if err == nil {
			os.Remove(f.Name())
			fmt.Fprintf(f, "segment of %d\n", n)
			_, err = f.Seek(0, 0)
		}
		return f, err
	}})
}

// fakeSSH writes a script that stands for ssh: it runs the agent on this machine, in mode, and says which host it was.
func fakeSSH(t *testing.T, mode string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "ssh")
	text := fmt.Sprintf("#!/bin/sh\necho \"$@\" >> %s.log\nFAKE_HOST=$1 %s=%s exec %s\n", script, agentMode, mode, self)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{script}
}

// spreadOut puts the ranks of a job on hosts reached by a fake ssh, in turn.
func spreadOut(t *testing.T, job Job, names ...string) Job {
	t.Helper()
	for _, n := range names {
		job.Hosts = append(job.Hosts, hosts.Host{Name: n})
	}
	for i := range job.size() {
		job.Node = append(job.Node, i%len(names))
	}
	for i := range job.Specs {
		s := &job.Specs[i]
		for _, v := range s.Env {
			if strings.HasPrefix(v, "WEFT_TEST_") {
				s.RemoteEnv = append(s.RemoteEnv, v)
			}
		}
	}
	job.SSH = fakeSSH(t, "run")
	job.Version = "test"
	return job
}

func TestRemoteModes(t *testing.T) {
	for _, c := range []struct {
		mode string
		n    int
		code int
		msg  string // must be in what the user is told; "" means that nothing is said
	}{
		{"ok", 4, 0, ""},
		{"leave 1 7", 3, 7, " on b) exited with code 7 without Finalize"},
		{"early 1 0", 3, 1, " on b) exited with code 0 before Init, while other ranks wait"},
		{"late 1 4", 3, 4, " on b) exited with code 4"},
		{"panic 1", 4, 2, " on b) exited with code 2; its last words:\npanic: rank 1 has had enough\n\ngoroutine 1"},
		{"abort 1 42 no more", 3, 42, " on b) aborted the job with code 42: no more"},
		{"words 1 5", 2, 5, "its last words:\n    recv on world: peer 2 is gone\n    at prog.go:12"},
		{"noise 1", 2, 1, " on b) broke the control protocol"},
		{"mute 1", 2, 1, " on b) closed its control socket"},
	} {
		for _, places := range [][]string{{"a", "b"}, {"localhost", "b"}} {
			t.Run(c.mode+" on "+places[0], func(t *testing.T) {
				t.Parallel()
				m := newMark()
				o := runJob(t, spreadOut(t, testJob(t, c.n, c.mode, m), places...), m)
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
}

func TestRemoteStall(t *testing.T) {
	m := newMark()
	o := runJob(t, spreadOut(t, testJob(t, 4, "stall", m), "a", "b"), m)
	if said := o.msg.String(); o.code != 0 || !strings.Contains(said, "missing: rank 3, running outside MPI") {
		t.Errorf("code %d, said:\n%s", o.code, said)
	}
}

// What a rank on another host sees: its place, its share of memory, the variables that were sent and those it found.
func TestRemoteEnvironment(t *testing.T) {
	m := newMark()
	script := `test $WEFT_RANK = 3 || exit 0; env; cat <&$WEFT_SHM_FD; ls /proc/self/fd | wc -l; pwd; cat`
	job := Job{Specs: []Spec{{N: 5, Argv: []string{"sh", "-c", script}, Env: append(os.Environ(), string(m)), RemoteEnv: []string{"SENT=1"}}},
		Segment: func(n int) (*os.File, error) {
			t.Errorf("asked for a segment of %d here", n)
			return nil, os.ErrInvalid
		}}
	o := runJob(t, spreadOut(t, job, "a", "b"), m)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SENT=1", "FAKE_HOST=b", "WEFT_RANK=3", "WEFT_SIZE=5", "WEFT_LOCAL_RANK=1", "WEFT_LOCAL_SIZE=2",
		"WEFT_LOCAL_RANKS=1,3", "WEFT_HOSTS=2", "WEFT_NODE=1", "WEFT_HOST=b", "OMPI_COMM_WORLD_LOCAL_RANK=1", "MPI_LOCALNRANKS=2",
		"segment of 2", "6", dir} {
		if !strings.Contains("\n"+o.out.String(), "\n"+want+"\n") {
			t.Errorf("no %s in\n%s", want, o.out.String())
		}
	}
	if o.code != 0 || o.err != nil {
		t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
	}
}

// The command line of ssh holds a host and two words; what is secret travels inside.
func TestRemoteCommandLine(t *testing.T) {
	m := newMark()
	job := spreadOut(t, testJob(t, 2, "ok", m), "a", "b")
	job.Hosts[1] = hosts.Host{Name: "b", User: "me", Port: 2222}
	job.SSHArgs, job.SSHPort = []string{"-v"}, 22
	if o := runJob(t, job, m); o.code != 0 || o.err != nil {
		t.Fatalf("code %d, %v", o.code, o.err)
	}
	text, err := os.ReadFile(job.SSH[0] + ".log")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-v -p 22 a exec weft agent\n", "-v -p 2222 me@b exec weft agent\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

func TestRemoteStdin(t *testing.T) {
	for _, c := range []struct {
		to   int
		want map[string]int
	}{
		{1, map[string]int{"[1] line 19999": 1, "[0] ": 0}},
		{StdinAll, map[string]int{"[0] line 19999": 1, "[1] line 19999": 1, "[2] line 0\n": 1}},
	} {
		m := newMark()
		in := filepath.Join(t.TempDir(), "in")
		var text strings.Builder
		for i := range 20000 {
			fmt.Fprintf(&text, "line %d\n", i)
		}
		if err := os.WriteFile(in, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		job := Job{Specs: []Spec{{N: 3, Argv: []string{"cat"}, Env: append(os.Environ(), string(m))}}, Stdin: f, StdinTo: c.to,
			Output: Output{Tag: TagRank}}
		o := runJob(t, spreadOut(t, job, "a", "b"), m)
		f.Close()
		if o.code != 0 || o.err != nil {
			t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
		}
		for what, n := range c.want {
			if got := strings.Count(o.out.String(), what); got != n {
				t.Errorf("to %d: %q is there %d times", c.to, what, got)
			}
		}
	}
}

// Nobody reads 5 MB of standard input, and the job ends all the same.
func TestRemoteStdinUnread(t *testing.T) {
	m := newMark()
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, make([]byte, 5<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"sleep", "0.2"}, Env: append(os.Environ(), string(m))}}, Stdin: f}
	if o := runJob(t, spreadOut(t, job, "a", "b"), m); o.code != 0 || o.err != nil {
		t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
	}
}

// Output is much more than fits anywhere, and its reader slow: nothing is lost, and the host is not taken for silent.
func TestRemoteLosesNoOutput(t *testing.T) {
	m := newMark()
	var out slowWriter
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", "seq 1 300000; sleep 300 &"}, Env: append(os.Environ(), string(m))}}, Stdout: &out}
	job = spreadOut(t, job, "a", "b")
	job.HostTimeout = 2 * time.Second
	var msg text
	job.Stderr = &msg
	if code, err := Run(context.Background(), job); code != 0 || err != nil {
		t.Errorf("code %d, %v, said %s", code, err, msg.String())
	}
	if got := strings.Count(out.String(), "\n"); got != 600000 {
		t.Errorf("%d lines, want 600000", got)
	}
	m.noSurvivors(t)
}

func TestRemoteSignals(t *testing.T) {
	const trapping = `trap "echo got INT" INT; trap "echo got TERM" TERM; trap "echo got USR1" USR1; echo ready; ` +
		`while :; do sleep 0.1; done`
	m := newMark()
	signals := make(chan os.Signal)
	var out text
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", trapping}, Env: append(os.Environ(), string(m))}}, Stdout: &out, Signals: signals}
	job = spreadOut(t, job, "a", "b")
	go func() {
		out.await("ready", 2)
		signals <- unix.SIGUSR1
		out.await("got USR1", 2)
		signals <- unix.SIGINT
		out.await("got INT", 2)
		signals <- unix.SIGINT
		out.await("got TERM", 2)
		signals <- unix.SIGINT
	}()
	if code, err := Run(context.Background(), job); code != 130 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
	for _, want := range []string{"got USR1", "got INT", "got TERM"} {
		if strings.Count(out.String(), want) < 2 {
			t.Errorf("%s is missing: %q", want, out.String())
		}
	}
	m.noSurvivors(t)
}

func TestRemoteTimeoutKillsTheStubborn(t *testing.T) {
	t.Parallel()
	m := newMark()
	job := Job{
		Specs: []Spec{{N: 2, Argv: []string{"sh", "-c", "trap '' TERM; sleep 300 & wait; sleep 300"},
			Env: append(os.Environ(), string(m))}},
		Timeout: 3 * time.Second, Grace: 200 * time.Millisecond, PrintExitCodes: true, // the shells have set their traps by then
	}
	o := runJob(t, spreadOut(t, job, "a", "b"), m)
	if o.code != CodeTimeout || strings.Count(o.msg.String(), "killed by signal 9") != 2 {
		t.Errorf("code %d, said %q", o.code, o.msg.String())
	}
}

// Programs of other MPIs find out from the mapping which ranks share a host.
func TestRemoteMapping(t *testing.T) {
	job := spreadOut(t, Job{Specs: []Spec{{N: 4, Argv: []string{"x"}}}, Stdout: os.Stdout, Stderr: os.Stderr}, "a", "b")
	r := newRun(job)
	for _, c := range []struct{ line, want string }{
		{"cmd=init pmi_version=1 pmi_subversion=1", "0"},
		{"cmd=get kvsname=kvs_" + r.id + " key=PMI_process_mapping", "(vector,(0,2,1))"},
	} {
		m, err := pmi.ParseMessage([]byte(c.line))
		if err != nil {
			t.Fatal(err)
		}
		out, err := r.server.Handle(3, m)
		if err != nil || !strings.Contains(fmt.Sprint(out.Replies), c.want) {
			t.Errorf("%s: %v, %v", c.line, out.Replies, err)
		}
	}
}

// A crash on one host makes a rank on another give up. The news of the crash comes later, and yet it is the culprit.
func TestRemoteCulpritIsNotWhoGaveUp(t *testing.T) {
	m := newMark()
	var msg text
	job := spreadOut(t, Job{Specs: []Spec{{N: 2, Argv: []string{"x"}, Env: []string{string(m)}}}, Stderr: &msg}, "a", "b")
	if err := job.check(); err != nil {
		t.Fatal(err)
	}
	r := newRun(job)
	for _, e := range []event{rankStarted{0, 10}, rankStarted{1, 11}, hungUp{0, io.EOF}, hungUp{1, io.EOF},
		rankExited{0, status{code: 15}}, rankExited{1, status{signal: unix.SIGSEGV}}} {
		for _, rk := range r.ranks {
			rk.stderr = &stream{to: r.out.err}
		}
		r.handle(e)
	}
	r.handle(elapsed{settleTime})
	close(r.done)
	if said := msg.String(); !strings.HasPrefix(said, "weft: rank 1 (pid 11 on b) was killed by signal 11") || strings.Contains(said, "rank 0") {
		t.Errorf("said %q", said)
	}
	if r.ending.code != 128+11 {
		t.Errorf("code %d", r.ending.code)
	}
}
