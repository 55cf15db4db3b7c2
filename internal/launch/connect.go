package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"github.com/weft-mpi/weft/internal/launch/ssh"
	"golang.org/x/sys/unix"
)

const (
	hangUpLimit  = 2 * time.Second // for ssh to end after the agent has
	firstPause   = 500 * time.Millisecond
	longestPause = 8 * time.Second
	notFound     = 127 // a shell's exit code when there is no such program
)

// connection is what leads to an agent: an ssh, or a scheduler's starter, here (dial) or on another host (link.reach).
type connection struct {
	in    io.WriteCloser // to the agent
	out   io.Reader      // from the agent
	lines *bufio.Reader  // out, with what has been read ahead
	heard atomic.Bool    // something has come; whoever reads it resets it
	said  tail           // the end of what ssh says
	ended chan struct{}  // closed when ssh has ended
	code  int            // its exit code; valid after ended
	end   func()         // kills ssh and what it may have started; out ends, whoever may still hold its far end
	free  func()         // gives the files back
	wg    sync.WaitGroup
}

// tail keeps the end of what was written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if extra := len(t.b) - tailBytes; extra > 0 {
		t.b = append(t.b[:0], t.b[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.b))
}

// Read reads from the agent and notes that something came.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.out.Read(p)
	if n > 0 {
		c.heard.Store(true)
	}
	return n, err
}

// lineTo returns the words that run others on the host.
func (r *run) lineTo(h *host, run ...string) []string {
	if r.job.Starter != nil {
		return r.job.Starter.Line(h.at, run...)
	}
	return ssh.Command{Words: r.job.SSH, Args: r.job.SSHArgs, Port: r.job.SSHPort}.Line(h.at, run...)
}

// starter is what lineTo's words begin with, for people.
func (r *run) starter() string {
	if r.job.Starter != nil {
		return r.job.Starter.Name
	}
	return "ssh"
}

// starterEnv is the environment of what starts agents: nil for ours.
func (r *run) starterEnv() []string {
	if r.job.Starter == nil {
		return nil
	}
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(r.job.Starter.Less, name)
	})
}

// dial starts ssh. It is the leader of a process group, so that Ctrl-C does not reach it, and it dies with
// the launcher.
func (r *run) dial(h *host, words []string) (*connection, error) {
	var files [6]*os.File
	for i := 0; i < len(files); i += 2 {
		var err error
		if files[i], files[i+1], err = os.Pipe(); err != nil {
			closeAll(files[:i])
			return nil, fmt.Errorf("cannot make a pipe to host %s: %w%s", h.name, err, descriptorHint(err))
		}
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = r.starterEnv()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = files[0], files[3], files[5]
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var err error
	r.dialer.do(func() { err = cmd.Start() })
	closeAll([]*os.File{files[0], files[3], files[5]})
	if err != nil {
		closeAll([]*os.File{files[1], files[2], files[4]})
		return nil, fmt.Errorf("host %s: cannot run %s: %w; --ssh names another command", h.name, words[0], err)
	}
	in, out, errors := files[1], files[2], files[4]
	c := newConnection(in, out, errors)
	c.end = func() {
		select {
		case <-c.ended:
		default:
			signalGroup(cmd.Process.Pid, unix.SIGKILL)
		}
		_ = out.SetReadDeadline(time.Now())
		_ = errors.SetReadDeadline(time.Now().Add(lingerAfterKill))
	}
	c.free = func() { closeAll([]*os.File{out, errors}) }
	c.wg.Go(func() {
		_ = cmd.Wait()
		c.code = cmd.ProcessState.ExitCode()
		close(c.ended)
	})
	return c, nil
}

// newConnection begins to listen to what ssh says. The caller sets end and free.
func newConnection(in io.WriteCloser, out, errors io.Reader) *connection {
	c := &connection{in: in, out: out, ended: make(chan struct{})}
	c.lines = bufio.NewReaderSize(c, 64<<10)
	c.wg.Go(func() { _, _ = io.Copy(&c.said, errors) })
	return c
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// kill ends what leads to the agent. The agent notices.
func (c *connection) kill() {
	c.in.Close()
	c.end()
}

// hangUp lets an ssh whose agent is done end by itself.
func (c *connection) hangUp() {
	c.in.Close()
	select {
	case <-c.ended:
	case <-time.After(hangUpLimit):
	}
}

// close frees everything after kill.
func (c *connection) close() {
	c.wg.Wait()
	c.free()
}

// exitCode is that of ssh, -1 if it is not known to have ended.
func (c *connection) exitCode() int {
	select {
	case <-c.ended:
		return c.code
	default:
		return -1
	}
}

// lastWords waits a moment for ssh to end and returns what it said, as the end of a sentence.
func (c *connection) lastWords() string {
	select {
	case <-c.ended:
	case <-time.After(settlePeriod):
		return ""
	}
	time.Sleep(settlePeriod / 10) // for the last line to arrive
	text := ""
	if code := c.exitCode(); code > 0 {
		text = fmt.Sprintf("exit code %d", code)
	}
	if said := c.said.String(); said != "" {
		if text != "" {
			text += ": "
		}
		text += lastLine(said)
	}
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func lastLine(text string) string {
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// connect reaches the agent of a host, trying again until Job.WaitHosts is over.
func (r *run) connect(ctx context.Context, h *host) error {
	deadline := time.Now().Add(r.job.WaitHosts)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := r.connectOnce(ctx, h)
		var no refusal
		if err == nil || ctx.Err() != nil || errors.As(err, &no) && no.final {
			return err
		}
		left := time.Until(deadline)
		if left <= 0 {
			if r.job.WaitHosts > 0 {
				err = fmt.Errorf("%w (tried for %v)", err, r.job.WaitHosts)
			}
			return err
		}
		if pause == firstPause {
			r.say(levelWarning, "retry", "%v; trying again for %v", err, left.Round(time.Second))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(pause, left)):
		}
	}
}

// refusal is a host that cannot take part.
type refusal struct {
	text  string
	final bool // trying again will not help
}

func (e refusal) Error() string { return e.text }

// connectOnce reaches the agent of a host, from the host that is to start it or, if that cannot, from here.
func (r *run) connectOnce(ctx context.Context, h *host) error {
	var failed error
	if h.via != nil && !h.via.barren.Load() {
		if failed = r.try(ctx, h); failed == nil || ctx.Err() != nil {
			return failed
		}
	}
	via := h.via
	h.via = nil
	if !r.takeTurn(ctx) {
		return ctx.Err()
	}
	defer r.giveTurn()
	err := r.try(ctx, h)
	switch {
	case err != nil:
		h.via = via
	case failed != nil && !via.barren.Swap(true):
		r.say(levelWarning, "fan-out", "%v; from here it can, so this host starts the agents that %s was to start", failed, via.name)
	}
	return err
}

// try reaches the agent under the first name by which the host knows it.
func (r *run) try(ctx context.Context, h *host) error {
	var err error
	for _, agent := range r.job.agents() {
		err = r.greet(ctx, h, agent)
		var no refusal
		if !errors.As(err, &no) || !no.final {
			break
		}
	}
	return err
}

// start runs ssh where the host is to be reached from.
func (r *run) start(h *host, agent string) (*connection, error) {
	words := r.lineTo(h, "exec", agent, "agent")
	if h.via != nil {
		return h.via.link.reach(int(r.reached.Add(1))+len(r.ranks)-1, words), nil
	}
	return r.dial(h, words)
}

// greet starts ssh and waits for the agent's greeting.
func (r *run) greet(ctx context.Context, h *host, agent string) error {
	c, err := r.start(h, agent)
	if err != nil {
		return err
	}
	late := context.AfterFunc(ctx, c.kill)
	limit := time.AfterFunc(r.job.helloLimit, c.kill)
	hello, noise, err := frame.ReadHello(c.lines)
	interrupted := !late()
	tooLate := !limit.Stop()
	if err == nil && !interrupted && !tooLate && hello.Protocol == frame.Protocol {
		r.checkVersion(h, hello)
		h.link = newLink(h, c, r.job.HostTimeout, r.post)
		return nil
	}
	words := c.lastWords()
	c.kill()
	c.close()
	name := "host " + h.name
	if h.via != nil {
		name = fmt.Sprintf("from host %s, host %s", h.via.name, h.name)
	}
	switch code := c.exitCode(); {
	case interrupted:
		return ctx.Err()
	case tooLate:
		return refusal{fmt.Sprintf("%s: %s has not started weft's agent within %v%s", name, r.starter(), r.job.helloLimit, quoted(noise)), false}
	case err == nil:
		return refusal{fmt.Sprintf("host %s: weft there (%s) speaks version %d of the agents' language, weft here (%s) version %d; "+
			"install the same weft on all hosts", h.name, hello.Version, hello.Protocol, r.job.Version, frame.Protocol), true}
	case code == notFound:
		return refusal{fmt.Sprintf("%s: there is no %s in the PATH that %s gives its commands%s; install weft there, or say "+
			"where it is with --agent PATH", name, agent, r.starter(), words), true}
	default:
		return refusal{fmt.Sprintf("%s cannot be reached by %s%s%s; does this work: %s", name, r.starter(), words, quoted(noise),
			strings.Join(r.lineTo(h, "true"), " ")), false}
	}
}

// quoted is what a host printed instead of a greeting, as a part of a message.
func quoted(noise string) string {
	if noise = strings.TrimSpace(noise); noise == "" {
		return ""
	}
	return fmt.Sprintf(", which printed %.200q", noise)
}

// checkVersion remarks on another version of weft, which may work.
func (r *run) checkVersion(h *host, hello frame.Hello) {
	if r.job.Version != "" && hello.Version != r.job.Version {
		r.say(levelWarning, "version", "host %s has weft %s, this is weft %s; install the same on all hosts", h.name, hello.Version, r.job.Version)
	}
}

// connectAll reaches all other hosts at the same time, those that others start after those, and hands them the job and
// its programs.
func (r *run) connectAll(ctx context.Context) error {
	const atOnce = 64
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.turns = make(chan struct{}, atOnce)
	failures := make(chan error, len(r.hosts))
	var all sync.WaitGroup
	for _, h := range r.hosts {
		if !h.away {
			continue
		}
		all.Go(func() {
			if err := r.join(ctx, h); err != nil {
				failures <- err
				cancel() // the others need not be waited for
			}
		})
	}
	all.Wait()
	close(failures)
	return <-failures // the first; the others may be its consequence
}

// join reaches a host and hands it the job.
func (r *run) join(ctx context.Context, h *host) error {
	if h.via != nil {
		select {
		case <-h.via.up:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := r.connect(ctx, h); err != nil {
		return err
	}
	r.setUp(h)
	close(h.up)
	if !r.takeTurn(ctx) {
		return ctx.Err()
	}
	defer r.giveTurn()
	return r.introduce(ctx, h)
}

// takeTurn waits until fewer hosts than may be are being served from here.
func (r *run) takeTurn(ctx context.Context) bool {
	select {
	case r.turns <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (r *run) giveTurn() { <-r.turns }
