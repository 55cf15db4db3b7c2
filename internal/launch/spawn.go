package launch

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// spawner is one operating-system thread that forks all ranks and then stays. It has to: PR_SET_PDEATHSIG fires when
// the thread that forked ends, not the process, and a CPU affinity set before a fork is inherited from that thread.
type spawner struct {
	work chan func()
	done chan struct{}
}

func newSpawner() *spawner {
	s := &spawner{work: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		runtime.LockOSThread()
		for f := range s.work {
			f()
		}
		runtime.UnlockOSThread()
	}()
	return s
}

// do runs f on the thread and waits for it.
func (s *spawner) do(f func()) {
	finished := make(chan struct{})
	s.work <- func() {
		defer close(finished)
		f()
	}
	<-finished
}

// close ends the thread. Processes started by it that are still alive may die.
func (s *spawner) close() {
	close(s.work)
	<-s.done
}

// keepDescriptors marks every descriptor this process has inherited beyond the standard ones, so that ranks
// inherit what they are given and nothing else: a pipe held open by a rank would keep its reader waiting.
// Go's own are marked anyway. Kernels before 5.11 cannot, and pass them on.
func keepDescriptors() {
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// child is what it takes to start one rank.
type child struct {
	path  string
	argv  []string
	env   []string
	dir   string
	files []*os.File // become descriptors 0, 1, 2, ...
	cpus  []int      // nil means no binding
}

// start forks and executes c as the leader of its own process group and returns its pid. Whoever starts it has to
// reap it with wait4.
func (s *spawner) start(c child) (pid int, err error) {
	s.do(func() {
		if c.cpus != nil {
			var restore func()
			if restore, err = bindThread(c.cpus); err != nil {
				return
			}
			defer restore()
		}
		var files []uintptr
		for _, f := range c.files {
			files = append(files, f.Fd())
		}
		pid, err = syscall.ForkExec(c.path, c.argv, &syscall.ProcAttr{
			Dir:   c.dir,
			Env:   c.env,
			Files: files,
			Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
		})
	})
	runtime.KeepAlive(c.files)
	return pid, err
}

// bindThread restricts the calling thread to cpus until restore is called.
func bindThread(cpus []int) (restore func(), err error) {
	var before, now unix.CPUSet
	for _, cpu := range cpus {
		now.Set(cpu)
	}
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("cannot read the CPU affinity: %w", err)
	}
	if err := unix.SchedSetaffinity(0, &now); err != nil {
		return nil, fmt.Errorf("cannot bind to CPUs %v: %w", cpus, err)
	}
	return func() { _ = unix.SchedSetaffinity(0, &before) }, nil
}

// explainStart says why a rank could not be started, and what to do.
func explainStart(rank int, c child, err error) error {
	if c.dir != "" {
		if info, statErr := os.Stat(c.dir); statErr != nil || !info.IsDir() {
			return startError(CodeNotExecutable, "rank %d: working directory %s does not exist or is no directory",
				rank, c.dir)
		}
	}
	switch {
	case errors.Is(err, unix.ENOENT):
		return startError(CodeNotFound, "rank %d: cannot run %s: the interpreter or loader it names is missing; "+
			"see its first line, or run: file %s", rank, c.path, c.path)
	case errors.Is(err, unix.ENOEXEC):
		return startError(CodeNotExecutable, "rank %d: cannot run %s: not a program for this machine; "+
			"a script needs a first line such as #!/bin/sh", rank, c.path)
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM):
		return startError(CodeFailure, "rank %d: cannot start another process (%v); see ulimit -u and free memory, "+
			"or run fewer ranks", rank, err)
	}
	return startError(CodeNotExecutable, "rank %d: cannot run %s: %v", rank, c.path, err)
}

// controlPair makes the socket between launcher and rank. The near end is driven by Go's poller; the far end blocks,
// as an inherited descriptor should.
func controlPair() (near, far *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot make a control socket: %w%s", err, descriptorHint(err))
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "control"), os.NewFile(uintptr(fds[1]), "control of rank"), nil
}

// descriptorHint adds what to do to an error about running out of descriptors.
func descriptorHint(err error) string {
	if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) {
		return " (raise the limit of open files: ulimit -n)"
	}
	return ""
}
