package launch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"golang.org/x/sys/unix"
)

// AgentConfig is what an agent needs from its program.
type AgentConfig struct {
	In, Out *os.File // the pipe to the launcher
	Version string

	// Segment makes the file that the n ranks of this host share, for ranks that have env besides their own variables.
	Segment func(env []string, n int) (*os.File, error)
}

// setupLimit is how long an agent waits for its first orders.
const setupLimit = time.Minute

// endGrace is how long ranks may take to end that somebody else than the launcher wants ended, as a
// scheduler does whose time limit is over.
const endGrace = 5 * time.Second

// agent runs the ranks of one host for a launcher on another. Its fields belong to the goroutine of Agent except where
// a comment says otherwise.
type agent struct {
	cfg   AgentConfig
	out   *outbox    // its own lock
	inbox chan order // from the reader
	over  chan error // the reader has ended
	quit  chan struct{}
	heard atomic.Bool // something came since the last beat
	stop  bool        // the job is over

	setup    *frame.Setup
	programs *depot
	starts   []*frame.Start // in the order of local ranks; nil where none has come
	crew     *crew
	streams  streams
	hops     *hops // its own lock
	missed   int
	paused   bool
	leaving  bool // bye was said
}

// order is a message for the agent's loop. Its bytes are the loop's own.
type order = frame.Message

// Agent serves one job on this host, as the launcher at the other end of the pipe asks, and returns the exit code for
// its process. It trusts the pipe and nothing else. When the pipe ends, or the launcher is silent for too long, or a
// signal asks for it, everything it has started ends.
func Agent(cfg AgentConfig) int {
	keepDescriptors()
	a := &agent{cfg: cfg, out: newOutbox(), inbox: make(chan order), over: make(chan error, 1), quit: make(chan struct{})}
	a.programs = newDepot()
	a.hops = newHops(a.say)
	children := make(chan os.Signal, 1)
	signal.Notify(children, unix.SIGCHLD)
	defer signal.Stop(children)
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, unix.SIGTERM, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT)
	defer signal.Stop(ends)
	signal.Ignore(unix.SIGPIPE)
	others := make(chan os.Signal, 1) // schedulers send what is meant for ranks to all processes; ignored, it would be by ranks, too
	signal.Notify(others, unix.SIGUSR1, unix.SIGUSR2)
	defer signal.Stop(others)
	if _, err := cfg.Out.Write(frame.AppendHello(nil, frame.Hello{Protocol: frame.Protocol, Version: cfg.Version})); err != nil {
		return CodeFailure
	}
	go a.read()
	go func() { _ = a.out.run(cfg.Out) }() // a launcher that cannot be written to is noticed by the reader
	err := a.loop(children, ends)
	a.close()
	if err != nil {
		fmt.Fprintf(os.Stderr, "weft agent: %v\n", err)
		return CodeFailure
	}
	return 0
}

// Read notes that the launcher is there.
func (a *agent) Read(p []byte) (int, error) {
	n, err := a.cfg.In.Read(p)
	if n > 0 {
		a.heard.Store(true)
	}
	return n, err
}

// read brings the launcher's frames to the loop. Bytes that lie in the reader's buffer are copied.
func (a *agent) read() {
	in := frame.NewReader(bufio.NewReaderSize(a, 64<<10))
	for {
		m, err := in.Next()
		if err != nil {
			a.over <- err
			return
		}
		if mine, err := a.hops.take(m); err != nil {
			a.over <- err
			return
		} else if mine {
			continue
		}
		switch m := m.(type) {
		case *frame.Data:
			m.Data = append([]byte(nil), m.Data...)
		case *frame.Piece:
			m.Data = append([]byte(nil), m.Data...)
		case *frame.Program:
			m.Sum = append([]byte(nil), m.Sum...)
		}
		select {
		case a.inbox <- m:
		case <-a.quit:
			return
		}
	}
}

// loop does what the launcher says until the job is over (nil) or the launcher is gone.
func (a *agent) loop(children, ends <-chan os.Signal) error {
	beat := time.NewTimer(setupLimit)
	defer beat.Stop()
	var over <-chan time.Time
	for !a.stop {
		select {
		case m := <-a.inbox:
			first := a.setup == nil
			if err := a.obey(m); err != nil {
				return err
			}
			if first && a.setup != nil {
				beat.Reset(a.period())
				go a.ping(a.period())
			}
		case err := <-a.over:
			if errors.Is(err, io.EOF) {
				return errors.New("the launcher is gone")
			}
			return err
		case <-children:
			a.look()
		case s := <-ends:
			if over != nil || a.crew == nil {
				return fmt.Errorf("ended by signal: %v", s)
			}
			a.crew.signal(unix.SIGTERM) // the launcher will hear of their ends
			a.crew.signal(unix.SIGCONT)
			over = time.After(endGrace)
		case <-over:
			return errors.New("ended by a signal, which ranks did not obey")
		case <-a.streams.finished():
			a.sayDone()
		case <-beat.C:
			if err := a.onBeat(); err != nil {
				return err
			}
			beat.Reset(a.period())
		}
	}
	return nil
}

// period is the time between two beats.
func (a *agent) period() time.Duration {
	return time.Duration(a.setup.Silence) * time.Millisecond / beats
}

// onBeat looks for the other end.
func (a *agent) onBeat() error {
	if a.setup == nil {
		return fmt.Errorf("no orders for %v", setupLimit)
	}
	if a.heard.Swap(false) || a.paused {
		a.missed = 0
		return nil
	}
	if a.missed++; a.missed >= beats {
		return fmt.Errorf("the launcher has been silent for %v ms", a.setup.Silence)
	}
	return nil
}

// ping says from time to time that this end is there, also when the loop is at work for long.
func (a *agent) ping(period time.Duration) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-a.quit:
			return
		case <-tick.C:
			a.say(&frame.Ping{})
		}
	}
}

// obey does what one frame says.
func (a *agent) obey(m order) error {
	if _, isSetup := m.(*frame.Setup); isSetup != (a.setup == nil) {
		return fmt.Errorf("%w: a %T out of turn", frame.ErrFrame, m)
	}
	switch m := m.(type) {
	case *frame.Setup:
		return a.onSetup(m)
	case *frame.Program:
		return a.programs.onProgram(m, a.say)
	case *frame.Piece:
		return a.programs.onPiece(m, a.say)
	case *frame.Start:
		return a.onStart(m)
	case *frame.Go:
		return a.onGo()
	case *frame.Data:
		return a.onData(m)
	case *frame.Credit:
		return a.streams.credit(m)
	case *frame.Signal:
		a.onSignal(m)
	case *frame.Pause:
		a.paused = m.On
	case *frame.Bye:
		a.onBye()
	case *frame.Ping:
	default:
		return fmt.Errorf("%w: a %T to an agent", frame.ErrFrame, m)
	}
	return nil
}

// say sends a message to the launcher.
func (a *agent) say(m frame.Message) {
	if err := a.out.put(m); err != nil {
		_ = a.out.put(&frame.Failed{Rank: frame.Everyone, Code: CodeFailure, Text: err.Error()})
	}
}

func (a *agent) onSetup(m *frame.Setup) error {
	ranks := len(m.Ranks) > 0 && len(m.Ranks) <= RanksMax && m.Size <= JobMax
	hosts := m.Node >= 0 && m.Node < m.Hosts && m.Hosts <= m.Size
	silence := m.Silence >= int(hostTimeoutMin.Milliseconds()) && m.Silence <= int(hostTimeoutMax.Milliseconds())
	bind := Bind(m.Bind) >= BindAuto && Bind(m.Bind) <= BindHWThread
	if !ranks || !hosts || !silence || !bind {
		return fmt.Errorf("%w: a setup that makes no sense", frame.ErrFrame)
	}
	for _, r := range m.Ranks {
		if r < 0 || r >= m.Size {
			return fmt.Errorf("%w: rank %d of %d", frame.ErrFrame, r, m.Size)
		}
	}
	a.setup = m
	a.starts = make([]*frame.Start, len(m.Ranks))
	return nil
}

// local returns the number that a rank has on this host.
func (a *agent) local(rank int) (int, error) {
	for i, r := range a.setup.Ranks {
		if r == rank {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: rank %d is not on this host", frame.ErrFrame, rank)
}

func (a *agent) onStart(m *frame.Start) error {
	i, err := a.local(m.Rank)
	if err != nil {
		return err
	}
	if a.starts[i] != nil || a.crew != nil || len(m.Argv) == 0 {
		return fmt.Errorf("%w: rank %d is started twice, or without a program", frame.ErrFrame, m.Rank)
	}
	a.starts[i] = m
	return nil
}

// look reports the ranks that have ended.
func (a *agent) look() {
	if a.crew == nil {
		return
	}
	a.crew.look(func(i int, s status) {
		a.say(&frame.Exited{Rank: a.setup.Ranks[i], Code: s.code, Signal: int(s.signal)})
	})
}

func (a *agent) onSignal(m *frame.Signal) {
	if a.crew == nil {
		return
	}
	if m.Rank != frame.Everyone {
		if local, err := a.local(m.Rank); err == nil {
			a.crew.signalOne(local, unix.Signal(m.Signal))
		}
	} else if m.Alone {
		a.crew.signalAlone(unix.Signal(m.Signal))
	} else {
		a.crew.signal(unix.Signal(m.Signal))
	}
}

// onData takes the next piece for a rank: a line for its control socket, or standard input.
func (a *agent) onData(m *frame.Data) error {
	i, err := a.local(m.Rank)
	if err != nil {
		return err
	}
	switch m.Stream {
	case frame.Control:
		if a.crew != nil && a.crew.tell(i, m.Data) != nil {
			a.say(&frame.Failed{Rank: m.Rank, Code: CodeFailure, Text: fmt.Sprintf("rank %d broke the control protocol: %v", m.Rank, errDeaf)})
		}
		return nil
	case frame.Stdin:
		if a.crew == nil {
			return fmt.Errorf("%w: standard input before the start", frame.ErrFrame)
		}
		return a.streams.input(m)
	}
	return fmt.Errorf("%w: output for a rank", frame.ErrFrame)
}

// onBye kills what is left and lets its last output through; sayDone follows.
func (a *agent) onBye() {
	if a.leaving {
		return
	}
	a.leaving = true
	if a.crew != nil {
		a.crew.signal(unix.SIGKILL)
	}
	a.streams.finish(lingerAfterKill, a.hops.wait) // through those, other agents have their last words
}

// sayDone is the last word: processes and files are gone, output is through.
func (a *agent) sayDone() {
	a.stop = true
	if a.crew != nil {
		a.crew.close(a.crew.gone(drainLimit))
		a.crew = nil
	}
	a.programs.close()
	a.say(&frame.Done{})
	a.out.flush(drainLimit)
}

// close ends everything that is still there. The reader and the writer may be stuck in the pipe: they end with the
// process, which has nothing else to do.
func (a *agent) close() {
	if a.crew != nil {
		a.crew.close(false)
	}
	a.programs.close()
	a.hops.close()
	a.streams.close()
	close(a.quit)
	a.out.close()
}
