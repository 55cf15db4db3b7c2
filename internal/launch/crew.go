package launch

import (
	"errors"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// crew is the ranks of a job on this host: their processes, their control sockets and the memory they share. The
// launcher has one for the ranks beside it, an agent one for those of its host. Its methods are for one goroutine.
type crew struct {
	position
	members []member // by local rank
	segment *os.File // until all have started
	bound   [][]int  // CPUs of each, nil for no binding
	spawner *spawner
	guard   *watchdog
}

// member is one process.
type member struct {
	pid     int      // 0 before the start
	control *os.File // near end of the control socket
	ended   bool     // it is a zombie
}

// crewConfig is what a crew is made from, besides its position.
type crewConfig struct {
	bind    Bind
	report  bool                             // say which CPUs ranks are bound to
	note    func(format string, args ...any) // says something to the user
	segment func(n int) (*os.File, error)    // makes the shared memory; nil for none
}

// newCrew makes what the ranks share. The caller closes it, also after an error.
func newCrew(p position, cfg crewConfig) (*crew, error) {
	c := &crew{position: p, members: make([]member, len(p.ranks)), spawner: newSpawner()}
	var err error
	if cfg.segment != nil {
		if c.segment, err = cfg.segment(len(p.ranks)); err != nil {
			return c, err
		}
	}
	c.position.segment = c.segment != nil
	if c.bound, err = bindings(cfg.bind, len(p.ranks), cfg.note); err != nil {
		return c, err
	}
	if cfg.report {
		c.reportBindings(cfg.note)
	}
	c.guard = startWatchdog("")
	return c, nil
}

// recruit is one rank about to be started.
type recruit struct {
	path               string
	argv, env          []string // env without this launcher's variables
	dir                string
	stdin, out, errOut *os.File // the caller's; the rank gets copies
}

// start starts the rank with the number local. The near end of its control socket is the crew's.
func (c *crew) start(local int, who recruit) error {
	near, far, err := controlPair()
	if err != nil {
		return err
	}
	defer far.Close()
	m := &c.members[local]
	m.control = near
	var cpus []int
	if c.bound != nil {
		cpus = c.bound[local]
	}
	ch := child{
		path:  who.path,
		argv:  who.argv,
		env:   c.environment(who.env, local, cpus),
		dir:   who.dir,
		files: []*os.File{who.stdin, who.out, who.errOut, far},
		cpus:  cpus,
	}
	if c.segment != nil {
		ch.files = append(ch.files, c.segment)
	}
	pid, err := c.spawner.start(ch)
	if err != nil {
		return explainStart(c.ranks[local], ch, err)
	}
	m.pid = pid
	c.guard.guard(pid)
	return nil
}

// started is called when all ranks have started: they have the memory now.
func (c *crew) started() {
	if c.segment != nil {
		c.segment.Close()
		c.segment = nil
	}
}

// errDeaf says that a rank lets its control socket fill up.
var errDeaf = errors.New("it does not read its control socket")

// tell sends the rank a line. It never waits: a rank that lets its socket fill up is out of order, and one that is gone
// will be noticed by its exit.
func (c *crew) tell(local int, line []byte) error {
	control := c.members[local].control
	if control == nil {
		return nil
	}
	raw, err := control.SyscallConn()
	if err != nil {
		return nil
	}
	var sendErr error
	err = raw.Write(func(fd uintptr) bool {
		sendErr = unix.Sendto(int(fd), line, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, nil)
		return true
	})
	if err == nil && errors.Is(sendErr, unix.EAGAIN) {
		return errDeaf
	}
	return nil
}

// signal signals the process groups of all ranks, the children of ranks that have ended included.
func (c *crew) signal(sig unix.Signal) {
	for _, m := range c.members {
		if m.pid != 0 {
			signalGroup(m.pid, sig)
		}
	}
}

// signalOne signals the process group of one rank.
func (c *crew) signalOne(local int, sig unix.Signal) {
	if pid := c.members[local].pid; pid != 0 {
		signalGroup(pid, sig)
	}
}

// signalAlone signals the ranks that run and not their children, who may not expect it and would die of it.
func (c *crew) signalAlone(sig unix.Signal) {
	for _, m := range c.members {
		if m.pid != 0 && !m.ended {
			_ = unix.Kill(m.pid, sig)
		}
	}
}

// look calls found for every rank that has ended since the last look.
func (c *crew) look(found func(local int, s status)) {
	for i := range c.members {
		m := &c.members[i]
		if m.pid == 0 || m.ended {
			continue
		}
		if s, over := ended(m.pid); over {
			m.ended = true
			found(i, s)
		}
	}
}

// gone waits until all ranks have ended, and tells whether they did within limit.
func (c *crew) gone(limit time.Duration) bool {
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		c.look(func(int, status) {})
		running := slices.ContainsFunc(c.members, func(m member) bool { return m.pid != 0 && !m.ended })
		if !running || time.Now().After(end) {
			return !running
		}
	}
}

// close kills what is left and frees everything. wait is false when ranks do not end even by SIGKILL.
func (c *crew) close(wait bool) {
	c.signal(unix.SIGKILL)
	for _, m := range c.members {
		if m.pid != 0 && wait {
			reap(m.pid)
		}
		if m.control != nil {
			m.control.Close()
		}
	}
	c.started()
	c.guard.release()
	c.spawner.close()
}
