package launch

import (
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"golang.org/x/sys/unix"
)

// hopsMax bounds how many hosts one agent leads to. It catches a launcher that has lost its wits.
const hopsMax = 4096

// hops are the commands by which an agent reaches further hosts for its launcher, which talks to their
// agents through them. What passes is not looked at. The frames about them are handled by whoever reads
// frames, and do not wait for the agent's loop.
type hops struct {
	say func(frame.Message)

	mu      sync.Mutex
	first   int // the lowest number that a hop may have: ranks have those below. 0 before the setup
	all     map[int]*hop
	spawner *spawner // from the first hop on
	closed  bool
	running sync.WaitGroup
}

// hop is one of them.
type hop struct {
	id          int
	feed        *mailbox // what it is to read
	out, errOut *valve   // room at the launcher for what it writes
	pid         int      // while it runs; with its own lock that of hops
	dropped     bool     // the launcher wants no more of it
}

func newHops(say func(frame.Message)) *hops { return &hops{say: say, all: map[int]*hop{}} }

// take handles a frame that is about a hop, and tells whether it is.
func (x *hops) take(m frame.Message) (mine bool, err error) {
	switch m := m.(type) {
	case *frame.Setup:
		x.mu.Lock()
		x.first = m.Size
		x.mu.Unlock()
	case *frame.Reach:
		return true, x.reach(m)
	case *frame.Drop:
		x.drop(m.ID)
		return true, nil
	case *frame.Data:
		if x.isHop(m.Rank) {
			return true, x.input(m)
		}
	case *frame.Credit:
		if x.isHop(m.Rank) {
			return true, x.credit(m)
		}
	}
	return false, nil
}

func (x *hops) isHop(id int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.first > 0 && id >= x.first
}

// find returns a hop, nil for one that has ended: what is still said about it does not matter.
func (x *hops) find(id int) *hop {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.all[id]
}

func (x *hops) input(m *frame.Data) error {
	h := x.find(m.Rank)
	if h == nil || m.Stream != frame.Stdin {
		return nil
	}
	if err := h.feed.put(m.Data); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrFrame, err)
	}
	return nil
}

func (x *hops) credit(m *frame.Credit) error {
	h := x.find(m.Rank)
	if h == nil {
		return nil
	}
	v := h.out
	if m.Stream != frame.Stdout {
		v = h.errOut
	}
	if err := v.add(m.N); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrFrame, err)
	}
	return nil
}

// reach begins a hop.
func (x *hops) reach(m *frame.Reach) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.first == 0 || m.ID < x.first || x.all[m.ID] != nil || len(x.all) >= hopsMax || len(m.Words) == 0 {
		return fmt.Errorf("%w: a way to another host that makes no sense", frame.ErrFrame)
	}
	if x.closed {
		return nil
	}
	if x.spawner == nil {
		x.spawner = newSpawner()
	}
	h := &hop{id: m.ID, out: newValve(), errOut: newValve()}
	h.feed = newMailbox(func(n int) { x.say(&frame.Credit{Rank: h.id, Stream: frame.Stdin, N: n}) })
	x.all[h.id] = h
	words := append([]string(nil), m.Words...)
	x.running.Go(func() { x.run(h, words) })
	return nil
}

// run is the life of a hop.
func (x *hops) run(h *hop, words []string) {
	cmd, ends, err := x.start(h, words)
	over := frame.Reached{ID: h.id, Code: -1}
	if err == nil {
		var carried sync.WaitGroup
		carried.Go(func() { forward(ends.fromOut, h.id, frame.Stdout, h.out, x.say) })
		carried.Go(func() { forward(ends.fromErr, h.id, frame.Stderr, h.errOut, x.say) })
		go feedPipe(ends.feed, h.feed)
		_ = cmd.Wait()
		x.noteEnd(h)
		over.Code = cmd.ProcessState.ExitCode()
		late := time.Now().Add(settlePeriod) // what it has left running may hold its outputs open
		_ = ends.fromOut.SetReadDeadline(late)
		_ = ends.fromErr.SetReadDeadline(late)
		carried.Wait()
		closeSome(ends.fromOut, ends.fromErr)
	} else {
		over.Error = fmt.Sprintf("cannot run %s: %v%s", words[0], err, descriptorHint(err))
	}
	h.feed.Close()
	x.mu.Lock()
	delete(x.all, h.id)
	x.mu.Unlock()
	x.say(&over)
}

// noteEnd notes that the number of the process may be another's from now on.
func (x *hops) noteEnd(h *hop) {
	x.mu.Lock()
	defer x.mu.Unlock()
	h.pid = 0
}

var errDropped = errors.New("nobody wants it any more")

// start starts the command of a hop, as the leader of a process group. It dies with the agent.
func (x *hops) start(h *hop, words []string) (*exec.Cmd, ends, error) {
	e, err := openEnds(h.id, true)
	if err != nil {
		return nil, e, err
	}
	defer e.close()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.stdin, e.out, e.errOut
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err = errDropped; !x.closed && !h.dropped {
		x.spawner.do(func() { err = cmd.Start() })
	}
	if err != nil {
		closeSome(e.feed, e.fromOut, e.fromErr)
		return nil, e, err
	}
	h.pid = cmd.Process.Pid
	return cmd, e, nil
}

// drop ends a hop that the launcher has given up.
func (x *hops) drop(id int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if h := x.all[id]; h != nil {
		h.drop()
	}
}

func (h *hop) drop() {
	h.dropped = true
	if h.pid != 0 {
		signalGroup(h.pid, unix.SIGKILL)
	}
	h.feed.Close()
	h.out.close()
	h.errOut.close()
}

// wait waits for all hops to have ended. No more begin.
func (x *hops) wait() {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.running.Wait()
}

// close ends all hops.
func (x *hops) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closed = true
	for _, h := range x.all {
		h.drop()
	}
	if x.spawner != nil {
		x.spawner.close()
		x.spawner = nil
	}
}
