package abi

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/comm"
)

func itoa(n int) string { return strconv.Itoa(n) }

// chapterStart begins and ends.
var chapterStart = map[string]row{
	"Init": {do: initialize, always: true}, "Init_thread": {do: initialize, always: true}, "Finalize": {do: finalize},
	"Initialized": {do: initialized, always: true}, "Finalized": {do: isFinalized, always: true}, "Abort": {do: abort, always: true},
	"Query_thread": {do: queryThread}, "Is_thread_main": {do: isThreadMain}, "Comm_get_parent": {do: getParent},
}

// join brings the rank up, once.
func (p *Proc) join() error {
	if p.rank != nil {
		return nil
	}
	r, err := p.cfg.Join()
	if err != nil {
		return err
	}
	p.rank = r
	p.world = &communicator{handle: spec.COMM_WORLD, c: r.Env.World(), name: "MPI_COMM_WORLD", info: newInfo(), fixed: true}
	p.self = &communicator{handle: spec.COMM_SELF, c: r.Env.SelfComm(), name: "MPI_COMM_SELF", info: newInfo(), fixed: true}
	p.main = unix.Gettid()
	if err := p.setCells(); err != nil {
		return err
	}
	p.admit()
	return nil
}

// initialize is Init and Init_thread. Every level of threads is MULTIPLE underneath; the program gets what it asked for.
func initialize(c call) error {
	p := c.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.Load() != fresh || p.initialised {
		return bad(spec.ERR_OTHER, "called twice")
	}
	level := spec.THREAD_SINGLE
	if c.f.Name == "Init_thread" {
		if err := c.outs(3); err != nil {
			return err
		}
		if level = c.int(2); level < spec.THREAD_SINGLE || level > spec.THREAD_MULTIPLE {
			return bad(spec.ERR_ARG, "no level of threads is %d", level)
		}
		c.setInt(3, level)
	}
	if err := p.join(); err != nil {
		return err
	}
	p.level, p.initialised = level, true
	p.uses++
	p.state.Store(running)
	return nil
}

// finalize ends the world model. The rank leaves the job when no session needs it any more.
func finalize(c call) error {
	p := c.p
	for _, cm := range []*communicator{p.self, p.world} { // attributes of MPI_COMM_SELF first: the standard
		if err := p.deleteAttributes(commKind, cm.handle, &cm.attributes); err != nil {
			return err
		}
		if err := cm.buffer.flush(); err != nil {
			return err
		}
	}
	if err := p.buffer.flush(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.initialised {
		return bad(spec.ERR_OTHER, "MPI_Init has not been called")
	}
	p.uses--
	p.worldOver = true
	if p.uses > 0 {
		return nil
	}
	return p.over()
}

// over leaves the job. The lock is held.
func (p *Proc) over() error {
	p.state.Store(finalized)
	p.rank.Dismiss()
	return errors.Join(p.leaveAll(), p.cfg.Leave(p.rank))
}

// AtExit ends what a program has left open that used sessions alone.
func (p *Proc) AtExit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rank != nil && !p.initialised && p.uses == 0 && p.state.Load() == running {
		if err := p.over(); err != nil {
			fmt.Fprintln(os.Stderr, "weft:", err)
		}
	}
}

func initialized(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	c.setFlag(0, c.p.initialised)
	return nil
}

func isFinalized(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	c.setFlag(0, c.p.worldOver)
	return nil
}

// abort ends the job, whatever the communicator is.
func abort(c call) error {
	p, code := c.p, c.int(1)
	p.cfg.Abort(p.rank, code, fmt.Sprintf("MPI_Abort with code %d", code))
	return nil
}

func queryThread(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	c.setInt(0, c.p.level)
	return nil
}

// isThreadMain asks for the thread that we run on, which is the caller's.
func isThreadMain(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c.setFlag(0, unix.Gettid() == c.p.main)
	return nil
}

func getParent(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	c.setHandle(0, spec.COMM_NULL)
	return nil
}

// Leave ends a rank: what processes do with Config.Leave. Messages and requests that the program has forgotten
// are told on standard error; those of collectives are an error.
func Leave(r *boot.Rank) error {
	err := errors.Join(r.End(), r.Env.Meet())
	if left := r.Left(); errors.Is(left, comm.ErrMismatch) {
		err = errors.Join(err, left)
	} else if left != nil {
		fmt.Fprintln(os.Stderr, "weft:", left)
	}
	if n := r.Env.Loop.Pending(); n > 0 {
		fmt.Fprintf(os.Stderr, "weft: rank %d: %d requests were still in flight at MPI_Finalize; wait for every request\n", r.Env.Self, n)
	}
	return errors.Join(err, r.Leave())
}
