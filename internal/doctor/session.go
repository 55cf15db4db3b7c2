package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/launch/ssh"
)

// session is a conversation with the agent of one host. Requests follow each other.
type session struct {
	host  hosts.Host
	hello hello
	in    io.WriteCloser
	lines *bufio.Scanner
	end   func()
}

// ask sends a request and returns the answer.
func (s *session) ask(r request) (response, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return response{}, err
	}
	if _, err := s.in.Write(append(text, '\n')); err != nil {
		return response{}, fmt.Errorf("the agent has gone: %w", err)
	}
	if !s.lines.Scan() {
		return response{}, fmt.Errorf("the agent has gone: %w", errors.Join(s.lines.Err(), io.ErrUnexpectedEOF))
	}
	var answer response
	if err := json.Unmarshal(s.lines.Bytes(), &answer); err != nil {
		return response{}, fmt.Errorf("the agent's answer is not understood: %w", err)
	}
	if answer.Error != "" {
		return response{}, errors.New(answer.Error)
	}
	return answer, nil
}

// here is a session with this very process.
func here(ctx context.Context, h hosts.Host, version string) (*session, error) {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	var served sync.WaitGroup
	served.Go(func() { answers.CloseWithError(Serve(ctx, requests, answers, version)) })
	end := func() {
		in.Close()
		out.Close()
		served.Wait()
	}
	s, err := greet(h, in, out, end)
	if err != nil {
		end()
	}
	return s, err
}

func greet(h hosts.Host, in io.WriteCloser, out io.Reader, end func()) (*session, error) {
	reader := bufio.NewReader(out)
	hello, err := readHello(reader)
	if err != nil {
		return &session{host: h, hello: hello}, err
	}
	lines := bufio.NewScanner(reader)
	lines.Buffer(nil, lineLimit)
	return &session{host: h, hello: hello, in: in, lines: lines, end: end}, nil
}

// Remote says how to reach the agents of other hosts.
type Remote struct {
	SSH     []string      // command that runs words on a host; none means ssh
	Weft    []string      // where weft may lie on the host, as any shell understands it; the first that is there is used
	Limit   time.Duration // for an agent to greet
	Version string        // of this weft
}

// unreached is a host whose agent could not be had.
type unreached struct {
	code  int    // exit code of ssh, which is the remote shell's if that got so far
	said  string // by ssh and the remote shell
	late  bool
	cause error
}

func (u *unreached) Error() string {
	return fmt.Sprintf("%v: code %d: %s", u.cause, u.code, u.said)
}

// there is a session by ssh.
func (r Remote) there(ctx context.Context, h hosts.Host) (s *session, err error) {
	for _, weft := range r.Weft {
		s, err = r.dial(ctx, h, weft)
		var no *unreached
		if !errors.As(err, &no) || no.code != codeNotFound {
			break
		}
	}
	return s, err
}

func (r Remote) dial(ctx context.Context, h hosts.Host, weft string) (*session, error) {
	words := ssh.Command{Words: r.SSH}.Line(h, "exec", weft, "doctor", "--agent")
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt reaches it by us only
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	end := func() {
		in.Close()
		// The agent leaves when its input ends; what ssh says about that does not matter.
		_ = cmd.Wait()
	}
	limit := time.AfterFunc(r.Limit, func() { cmd.Process.Kill() })
	s, err := greet(h, in, out, end)
	if late := !limit.Stop(); err != nil || late {
		if !late && !errors.Is(err, errSilent) {
			cmd.Process.Kill()
		}
		end()
		return s, &unreached{cmd.ProcessState.ExitCode(), lastLine(said.String(), s.hello.noise), late, err}
	}
	return s, nil
}

// lastLine is the last line of the first text that has any.
func lastLine(texts ...string) string {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			return text[strings.LastIndexByte(text, '\n')+1:]
		}
	}
	return ""
}
