package launch

import (
	"time"

	"golang.org/x/sys/unix"
)

// giveUpPeriod is how long SIGKILL may take. A process in uninterruptible input or output can take forever, and the
// user wants the shell back.
const giveUpPeriod = 10 * time.Second

// ending is the job's way down: at most one code, signals of rising force.
type ending struct {
	active     bool // the job is being ended
	code       int  // exit code: set by the first abnormal end, even one that lets the others go on
	interrupts int  // how often the user pressed Ctrl-C
	killed     bool
	gaveUp     bool
}

// note keeps the exit code of the first abnormal end.
func (e *ending) note(code int) {
	if e.code == 0 {
		e.code = code
	}
}

// begin starts the ending with code, unless an earlier abnormal end has set another.
func (e *ending) begin(code int) {
	e.active = true
	e.note(code)
}

// end brings the job down: sig to all now, SIGKILL after grace. Calling it again can only speed things up.
func (r *run) end(code int, sig unix.Signal, grace time.Duration) {
	r.ending.begin(code)
	if r.ending.killed {
		return
	}
	r.signalAll(sig)
	r.signalAll(unix.SIGCONT) // a stopped process does not act on sig
	r.after(grace, killTime)
}

// signalAll signals the process groups of all ranks, the children of ranks that have ended included.
func (r *run) signalAll(sig unix.Signal) {
	for _, h := range r.hosts {
		h.signal(sig)
	}
}

func (r *run) killAll() {
	if r.ending.killed {
		return
	}
	r.ending.killed = true
	r.signalAll(unix.SIGKILL)
	r.after(giveUpPeriod, giveUpTime)
}

func (r *run) giveUp() {
	for i, rk := range r.ranks {
		if !rk.ended {
			r.sayOf(i, levelError, "stubborn", "rank %d (pid %d on %s) does not end even on SIGKILL; it hangs in the kernel and is left behind",
				i, rk.pid, rk.host.name)
			r.ending.gaveUp = true
		}
	}
}

// onSignal acts on a signal to the launcher.
func (r *run) onSignal(sig unix.Signal) {
	switch sig {
	case unix.SIGINT:
		r.onInterrupt()
	case unix.SIGTERM, unix.SIGHUP:
		r.end(codeSignal+int(sig), unix.SIGTERM, r.job.Grace)
	case unix.SIGQUIT:
		r.end(codeSignal+int(sig), unix.SIGQUIT, r.job.Grace)
	case unix.SIGUSR1, unix.SIGUSR2:
		for _, h := range r.hosts {
			h.signalAlone(sig)
		}
	case unix.SIGCONT:
		r.pauseHosts(false)
		r.signalAll(sig)
	case unix.SIGTSTP:
		r.signalAll(unix.SIGSTOP)
		r.pauseHosts(true)
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
	}
}

// onInterrupt: the first Ctrl-C is passed on, and ranks may use the grace to save their work; the second insists; the
// third does not ask.
func (r *run) onInterrupt() {
	r.ending.interrupts++
	code := codeSignal + int(unix.SIGINT)
	switch r.ending.interrupts {
	case 1:
		r.end(code, unix.SIGINT, r.job.Grace)
	case 2:
		r.end(code, unix.SIGTERM, r.job.Grace)
	default:
		r.killAll()
	}
}
