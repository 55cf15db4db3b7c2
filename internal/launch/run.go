package launch

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// run is a job under way. Its fields belong to the goroutine of Run, except where a comment says otherwise.
type run struct {
	job  Job
	id   string // unique, not guessable
	host string

	ranks   []*rank
	server  *pmi.Server
	out     *outputs // its own lock
	in      *input
	segment *os.File
	spawner *spawner
	guard   *watchdog
	tempDir string

	events  chan event    // from the helpers
	done    chan struct{} // closed when the loop has stopped listening to events
	drained bool
	wg      sync.WaitGroup

	ending ending
	exits  exits
	stalls stalls
}

// rank is one process of the job.
type rank struct {
	spec    *Spec
	path    string   // the executable
	pid     int      // 0 before the start
	control *os.File // near end of the control socket
	words   string   // what the rank asked to be shown if it ends abnormally
	memory  memory   // its own lock
	stderr  *stream  // its own lock

	ended         bool // the process is a zombie
	status        status
	controlClosed bool
	streamsOpen   int // outputs whose end has not been seen
}

// Run runs the job to its end and returns its exit code: 0 when every rank ended well, otherwise that of the first
// abnormal end in time (see judge), of an abort, of Job.Timeout or of the signal that ended the job. Everything the
// user should know about ranks has been written to Job.Stderr. An error means that the job could not be set up; the
// code goes with it, and so does a *StartError when a program could not be run.
//
// A program is the path of an executable, a name in PATH, or a Go package (see IsGoPackage), which is built first.
//
// When ctx ends, the job ends as by SIGTERM. When Run returns no process, goroutine or file of the job is left.
func Run(ctx context.Context, job Job) (int, error) {
	if err := job.check(); err != nil {
		return CodeFailure, err
	}
	keepDescriptors()
	r := newRun(job)
	signals, stop := r.listen()
	defer stop()
	defer r.cleanup()
	err := r.prepare(ctx, signals)
	if err == nil {
		err = r.startAll()
	}
	if err != nil {
		return r.codeOf(err), err
	}
	r.loop(ctx, signals)
	r.drain(ctx, signals)
	return r.ending.code, nil
}

func newRun(job Job) *run {
	r := &run{
		job:    job,
		id:     newID(),
		events: make(chan event, 64),
		done:   make(chan struct{}),
	}
	r.host, _ = os.Hostname()
	if r.host == "" {
		r.host = "localhost"
	}
	r.out = newOutputs(&r.job, func(err error) { r.post(outputBroken{err}) })
	var appNums []int
	for i := range r.job.Specs {
		for range r.job.Specs[i].N {
			r.ranks = append(r.ranks, &rank{spec: &r.job.Specs[i]})
			appNums = append(appNums, i)
		}
	}
	r.server = pmi.NewServer(pmi.ServerConfig{Size: len(r.ranks), KVSName: "kvs_" + r.id, AppNum: appNums,
		Preset: map[string]string{pmi.JobKey: randomHex(32)}})
	return r
}

func newID() string { return randomHex(16) }

// randomHex returns n random bytes as hexadecimal digits.
func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails, by its documentation
	return hex.EncodeToString(b)
}

// caught are the signals that a job acts on. SIGPIPE is among them so that a reader who leaves (| head -1) is an error
// of a write instead of the launcher's death.
var caught = []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2,
	unix.SIGCONT, unix.SIGTSTP, unix.SIGPIPE}

// listen returns the signals for the job.
func (r *run) listen() (signals <-chan os.Signal, stop func()) {
	children := make(chan os.Signal, 1) // one is enough: each makes the loop look at all ranks
	signal.Notify(children, unix.SIGCHLD)
	r.exits.children = children
	if r.job.Signals != nil {
		return r.job.Signals, func() { signal.Stop(children) }
	}
	own := make(chan os.Signal, 16)
	for _, sig := range caught {
		if !signal.Ignored(sig) { // as nohup and shells ask of background jobs
			signal.Notify(own, sig)
		}
	}
	return own, func() {
		signal.Stop(own)
		signal.Stop(children)
	}
}

// signalError is a signal that came before any rank was started.
type signalError struct{ sig unix.Signal }

func (e signalError) Error() string { return fmt.Sprintf("interrupted by signal: %v", e.sig) }

// prepare finds or builds the programs. A signal meanwhile stops it.
func (r *run) prepare(ctx context.Context, signals <-chan os.Signal) error {
	if err := r.makeTempDir(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	finished := make(chan struct{})
	defer close(finished)
	r.wg.Go(func() {
		for {
			select {
			case <-finished:
				return
			case s := <-signals:
				switch sig := s.(unix.Signal); sig {
				case unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT:
					cancel(signalError{sig})
				}
			}
		}
	})
	finder := programs{ctx: ctx, dir: r.tempDir, built: map[string]string{}}
	if r.tempDir != "" {
		finder.guard = startWatchdog(r.tempDir)
		defer finder.guard.release()
	}
	first := 0
	for i := range r.job.Specs {
		spec := r.job.Specs[i]
		path, err := finder.path(spec, first)
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		for _, rk := range r.ranks[first : first+spec.N] {
			rk.path = path
		}
		first += spec.N
	}
	return nil
}

// makeTempDir makes the directory for built programs, if there is anything to build.
func (r *run) makeTempDir() (err error) {
	for _, s := range r.job.Specs {
		if IsGoPackage(s.Argv[0]) {
			r.tempDir, err = os.MkdirTemp("", "weft-run-")
			return err
		}
	}
	return nil
}

// say writes one message of the launcher, naming itself in every first line.
func (r *run) say(format string, args ...any) {
	text := fmt.Sprintf("weft: "+format, args...)
	if r.job.Output.Tag == TagJSON {
		r.out.err.write(appendJSON(nil, -1, "launcher", time.Now(), []byte(text), true))
		return
	}
	r.out.err.write([]byte(strings.TrimRight(text, "\n") + "\n"))
}

func (r *run) codeOf(err error) int {
	var start *StartError
	var sig signalError
	switch {
	case errors.As(err, &start):
		return start.Code
	case errors.As(err, &sig):
		return codeSignal + int(sig.sig)
	}
	return CodeFailure
}

// drain ends what ranks have left running and carries the rest of the output. It waits for a slow reader as long as
// that takes, but not when the job is being ended, nor when the user loses patience.
func (r *run) drain(ctx context.Context, signals <-chan os.Signal) {
	r.drained = true
	close(r.done)
	r.signalAll(unix.SIGKILL)
	through := make(chan struct{})
	go func() {
		defer close(through)
		r.out.finish(lingerAfterKill)
	}()
	var limit <-chan time.Time
	cancelled := ctx.Done()
	if r.ending.active {
		limit, cancelled = time.After(drainLimit), nil
	}
	for {
		select {
		case <-through:
			return
		case <-limit:
			return
		case <-cancelled:
			r.ending.note(codeSignal + int(unix.SIGTERM))
			return
		case s := <-signals:
			switch sig := s.(unix.Signal); sig {
			case unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT:
				r.ending.note(codeSignal + int(sig))
				return
			}
		}
	}
}

// cleanup frees what is left, in whatever state the run ended.
func (r *run) cleanup() {
	r.signalAll(unix.SIGKILL)
	for _, rk := range r.ranks {
		if rk.pid != 0 && !r.ending.gaveUp {
			reap(rk.pid)
		}
	}
	if !r.drained {
		close(r.done)
		r.out.finish(lingerAfterKill)
	}
	for _, rk := range r.ranks {
		if rk.control != nil {
			rk.control.Close()
		}
	}
	if r.in != nil {
		r.in.close()
	}
	if r.segment != nil {
		r.segment.Close()
	}
	if r.tempDir != "" {
		os.RemoveAll(r.tempDir)
	}
	r.guard.release()
	if r.spawner != nil {
		r.spawner.close()
	}
	r.wg.Wait()
}
