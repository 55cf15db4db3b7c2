package mpi

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/comm"
)

// process is the rank that this process is, between Init and Finalize.
var process struct {
	sync.Mutex
	world *Comm
	over  bool
}

var (
	errTwice = errors.New("Init was called before in this process")
	errNever = errors.New("Init has not been called, or Finalize has")

	errSimulated = errors.New("weft sim run makes all ranks of one process, so the program has to hand over a function: to Main, or to Run")
)

func lifeError(op string, err error) error {
	return &Error{Op: op, Peer: comm.None, Tag: comm.None, Err: err}
}

// Init joins the job that this process was started for, and returns the communicator of all its ranks. A
// process started without a launcher is a job of one rank. Most programs use [Main] instead.
func Init() (*Comm, error) {
	process.Lock()
	defer process.Unlock()
	if process.world != nil || process.over {
		return nil, lifeError("init", errTwice)
	}
	if order, err := boot.Ordered(); order != nil || err != nil {
		return nil, lifeError("init", errors.Join(err, errSimulated))
	}
	r, err := boot.Join(callSite)
	if err != nil {
		return nil, lifeError("init", err)
	}
	if err := r.Begin(); err != nil {
		return nil, lifeError("init", err)
	}
	process.world = worldOf(r)
	return process.world, nil
}

// Finalize leaves the job. All ranks call it, and it waits for them; messages that nobody received are
// reported on standard error.
func Finalize() error {
	process.Lock()
	defer process.Unlock()
	if process.world == nil {
		return lifeError("finalize", errNever)
	}
	w := process.world
	process.world, process.over = nil, true
	err := errors.Join(w.rank.End(), w.c.Env().Meet())
	return errors.Join(err, reportLeft(w), w.rank.Leave())
}

// reportLeft tells of messages and requests that the program has forgotten. Messages of collectives are an error.
func reportLeft(w *Comm) (err error) {
	if left := w.rank.Left(); errors.Is(left, ErrMismatch) {
		err = lifeError("finalize", left)
	} else if left != nil {
		fmt.Fprintf(os.Stderr, "weft: %v\n", left)
	}
	if n := w.c.Env().Loop.Pending(); n > 0 && !w.c.Env().Mourns() {
		fmt.Fprintf(os.Stderr, "weft: rank %d: %d requests were still in flight at Finalize; wait for every request\n", w.Rank(), n)
	}
	return err
}

// Main joins the job, calls f with the communicator of all ranks, leaves the job and exits; it does
// not return. If f returns an error, it is printed, and the whole job ends with the error's class as
// exit code (1 if it is not an [Error], or if f ends its goroutine by runtime.Goexit).
//
// Started by weft sim run, it calls f as every rank of a simulated cluster; see [Simulate].
func Main(f func(world *Comm) error) {
	if simulatedMain(f) {
		os.Exit(0)
	}
	world, err := Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, "weft:", err)
		os.Exit(1)
	}
	if err := callMain(world, f); err != nil {
		giveUp(world, err)
	}
	if err := Finalize(); err != nil {
		giveUp(world, err)
	}
	os.Exit(0)
}

// giveUp ends the process, and with it the job, because of err.
func giveUp(world *Comm, err error) {
	fmt.Fprintf(os.Stderr, "weft: rank %d: %v\n", world.Rank(), err)
	world.rank.LastWords(err.Error())
	os.Exit(exitCode(err))
}

// callMain calls f, and ends the process if f ends its goroutine: the others would wait for this
// rank for ever. A panic goes on.
func callMain(world *Comm, f func(*Comm) error) (err error) {
	err = boot.ErrGoexit
	defer func() {
		if p := recover(); p != nil {
			panic(p)
		} else if err == boot.ErrGoexit {
			giveUp(world, err)
		}
	}()
	return f(world)
}

func exitCode(err error) int {
	var ours *Error
	if errors.As(err, &ours) {
		return int(comm.Class(err))
	}
	return 1
}

// Run calls f as n ranks that are goroutines of this process, each with its own communicator of
// all, and returns when all have. The first error, panic, abort or runtime.Goexit (a test's Fatal)
// of a rank ends the others: their calls fail with [ErrAborted], and Run returns why. Messages left
// unreceived are an error too.
//
// Started by weft sim run, it makes the ranks those of a simulated cluster; see [Simulate].
func Run(n int, f func(world *Comm) error) error {
	if n < 1 {
		return lifeError("run", fmt.Errorf("%w: %d ranks", ErrCount, n))
	}
	if order, err := boot.Ordered(); err != nil {
		return lifeError("run", err)
	} else if order != nil {
		return simulateOrder(order, n, f)
	}
	crew, err := boot.NewCrew(n, callSite)
	if err != nil {
		return lifeError("run", err)
	}
	defer crew.Close()
	return boot.Run(crew, f)
}

var started = time.Now()

// Wtime is the time in seconds since some moment in the past, for measuring how long something
// takes. The moment differs between processes. Where weft sim run simulates the program, it is the
// simulated time of the rank that calls.
func Wtime() float64 {
	if now := simulatedNow.Load(); now != nil {
		return float64((*now)()) * 1e-9
	}
	return float64(time.Since(started)) * 1e-9
}

// Wtime is the rank's time in seconds since some moment in the past. Unlike the function of this
// name, it is the simulated time where the rank runs in a simulation.
func (c *Comm) Wtime() float64 { return float64(c.rank.Now()) / 1e9 }

// callSite returns file:line of the nearest caller outside this module's library.
func callSite() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "github.com/weft-mpi/weft/mpi.") && !strings.HasPrefix(f.Function, "github.com/weft-mpi/weft/internal/") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}
