package launch

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// agentProcess is an agent and the pipe to it.
type agentProcess struct {
	cmd    *exec.Cmd
	in     *os.File
	frames *frame.Reader
	said   bytes.Buffer
}

func startAgent(t *testing.T) *agentProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a := &agentProcess{cmd: exec.Command(self)}
	a.cmd.Env = append(os.Environ(), agentMode+"=run")
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	a.in = ours
	a.cmd.Stdin, a.cmd.Stderr = theirs, &a.said
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	lines := bufio.NewReader(out)
	if h, noise, err := frame.ReadHello(lines); err != nil || noise != "" || h.Version != "test" {
		t.Fatalf("%v, %q, %v", h, noise, err)
	}
	a.frames = frame.NewReader(lines)
	return a
}

// end waits for the agent and returns its exit code.
func (a *agentProcess) end(t *testing.T) int {
	t.Helper()
	timer := time.AfterFunc(20*time.Second, func() { _ = a.cmd.Process.Kill() })
	defer timer.Stop()
	for {
		if _, err := a.frames.Next(); err != nil {
			break
		}
	}
	err := a.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	a.in.Close()
	return a.cmd.ProcessState.ExitCode()
}

// An agent trusts its pipe, and yet does nothing that makes no sense: it says so and ends.
func TestAgentRefuses(t *testing.T) {
	setup := &frame.Setup{Job: "j", Size: 2, Hosts: 1, Host: "a", Ranks: []int{0, 1}, Silence: 10000}
	start := func(rank int, argv ...string) *frame.Start {
		return &frame.Start{Rank: rank, Argv: argv, Dir: "/", Env: []string{}}
	}
	sum := make([]byte, 32)
	for name, c := range map[string]struct {
		orders []frame.Message
		raw    string
		says   string
	}{
		"no setup":             {orders: []frame.Message{&frame.Go{}}, says: "out of turn"},
		"two setups":           {orders: []frame.Message{setup, setup}, says: "out of turn"},
		"nobody":               {orders: []frame.Message{&frame.Setup{Size: 1, Hosts: 1, Silence: 1000}}, says: "makes no sense"},
		"no patience":          {orders: []frame.Message{&frame.Setup{Size: 1, Hosts: 1, Ranks: []int{0}, Silence: 99}}, says: "makes no sense"},
		"patience for ever":    {orders: []frame.Message{&frame.Setup{Size: 1, Hosts: 1, Ranks: []int{0}, Silence: 1 << 60}}, says: "makes no sense"},
		"rank out of range":    {orders: []frame.Message{&frame.Setup{Size: 1, Hosts: 1, Ranks: []int{1}, Silence: 1000}}, says: "rank 1 of 1"},
		"another host's rank":  {orders: []frame.Message{setup, start(5, "x")}, says: "rank 5 is not on this host"},
		"twice":                {orders: []frame.Message{setup, start(0, "x"), start(0, "x")}, says: "started twice"},
		"without program":      {orders: []frame.Message{setup, start(0)}, says: "without a program"},
		"too early":            {orders: []frame.Message{setup, &frame.Go{}}, says: "nobody said how to start rank 0"},
		"relative program":     {orders: []frame.Message{setup, &frame.Program{Path: "x", Sum: sum}}, says: "a program that makes no sense"},
		"short sum":            {orders: []frame.Message{setup, &frame.Program{Path: "/x"}}, says: "a program that makes no sense"},
		"piece of nothing":     {orders: []frame.Message{setup, &frame.Piece{ID: 3}}, says: "piece of no program"},
		"long program":         {orders: []frame.Message{setup, &frame.Program{Path: "/x", Sum: sum, Upload: true, Size: 1}, &frame.Piece{Data: []byte("ab")}}, says: "longer than announced"},
		"output for a rank":    {orders: []frame.Message{setup, &frame.Data{Stream: frame.Stdout}}, says: "output for a rank"},
		"input too early":      {orders: []frame.Message{setup, &frame.Data{Stream: frame.Stdin}}, says: "before the start"},
		"credit for nothing":   {orders: []frame.Message{setup, &frame.Credit{Stream: frame.Stdout, N: 5}}, says: "nobody sends"},
		"a launcher's message": {orders: []frame.Message{setup, &frame.Done{}}, says: "to an agent"},
		"noise":                {raw: "GET / HTTP/1.1\r\n\r\n", says: "malformed frame"},
		"the end":              {raw: "", says: "the launcher is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := startAgent(t)
			b := []byte(c.raw)
			for _, m := range c.orders {
				var err error
				if b, err = frame.Append(b, m); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := a.in.Write(b); err != nil {
				t.Fatal(err)
			}
			if name == "the end" {
				a.in.Close()
			}
			if code := a.end(t); code != CodeFailure || !strings.Contains(a.said.String(), c.says) {
				t.Errorf("code %d, said %q, want %q", code, a.said.String(), c.says)
			}
		})
	}
}

// An agent that is told to leave before anything was started says that nothing is left.
func TestAgentLeaves(t *testing.T) {
	a := startAgent(t)
	var b []byte
	for _, m := range []frame.Message{&frame.Setup{Job: "j", Size: 1, Hosts: 1, Ranks: []int{0}, Silence: 10000}, &frame.Bye{}} {
		b, _ = frame.Append(b, m)
	}
	if _, err := a.in.Write(b); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := a.frames.Next()
		if err != nil {
			t.Fatal(err)
		}
		if _, done := m.(*frame.Done); done {
			break
		}
	}
	if code := a.end(t); code != 0 {
		t.Errorf("code %d, said %q", code, a.said.String())
	}
}

// FuzzSetup: an agent that accepts a setup can beat, bind its ranks and tell them where they are.
func FuzzSetup(f *testing.F) {
	for _, m := range []frame.Setup{
		{Job: "j", Size: 8, Hosts: 2, Node: 1, Host: "h1", Ranks: []int{4, 5, 6, 7}, Bind: int(BindCore), Silence: 5000},
		{Size: 1, Hosts: 1, Ranks: []int{0}, Silence: 100},
		{Size: 1, Hosts: 1, Ranks: []int{0}, Silence: 1 << 62},
		{Size: 1 << 62, Hosts: 1 << 62, Ranks: []int{1 << 61}, Bind: -1, Silence: 1 << 33},
	} {
		b, err := frame.Append(nil, &m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, _, err := frame.Parse(b)
		setup, isSetup := m.(*frame.Setup)
		a := agent{}
		if err != nil || !isSetup || a.onSetup(setup) != nil {
			return
		}
		if p := a.period(); p <= 0 || p*beats > hostTimeoutMax {
			t.Errorf("%v between beats from %+v", p, setup)
		}
		if _, err := bindings(Bind(setup.Bind), len(setup.Ranks), func(string, ...any) {}); err != nil {
			t.Errorf("%v from %+v", err, setup)
		}
		p := position{job: setup.Job, size: setup.Size, hosts: setup.Hosts, node: setup.Node, host: setup.Host, ranks: setup.Ranks}
		p.environment(nil, len(setup.Ranks)-1, nil)
	})
}
