package launch

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/launch/desk"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/launch/metrics"
	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// run is a job under way. Its fields belong to the goroutine of Run, except where a comment says otherwise.
type run struct {
	job Job
	id  string // unique, not guessable

	hosts    []*host
	ranks    []*rank
	programs []program // by spec
	server   *pmi.Server
	out      *outputs // its own lock
	in       *input
	dialer   *spawner      // starts ssh, where there are other hosts
	turns    chan struct{} // of hosts that are reached and served from here
	reached  atomic.Int64  // how often an agent was asked to reach another host
	tempDir  string        // for programs that are built
	guard    *watchdog     // removes tempDir should the launcher be killed

	events  chan event    // from the helpers
	done    chan struct{} // closed when the loop has stopped listening to events
	drained bool
	wg      sync.WaitGroup

	ending    ending
	exits     exits
	census    census
	stalls    stalls
	survivors survivors
	desk      *desk.Desk      // where the user asks; nil without one
	metrics   *metrics.Server // where Prometheus does; nil without one
	self      string          // this host
	began     time.Time
	startErr  *StartError // from another host
}

// rank is one process of the job.
type rank struct {
	number  int
	spec    *Spec
	program int // index into run.programs
	host    *host
	local   int     // its number on the host
	pid     int     // on its host; 0 before the start
	words   string  // what the rank asked to be shown if it ends abnormally
	memory  memory  // its own lock
	stderr  *stream // its own lock

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
	over := r.recordJob()
	err := r.openMetrics()
	if err == nil {
		err = r.prepare(ctx, signals)
	}
	if err == nil {
		r.openDesk() // who asks now is answered when the ranks have been started
		err = r.startAll()
	}
	if err != nil {
		over(r.codeOf(err))
		return r.codeOf(err), err
	}
	r.serveMetrics()
	r.loop(ctx, signals)
	r.drain(ctx, signals)
	over(r.ending.code)
	if r.startErr != nil {
		return r.ending.code, r.startErr
	}
	return r.ending.code, nil
}

func newRun(job Job) *run {
	r := &run{
		job:    job,
		id:     newID(),
		events: make(chan event, 64),
		done:   make(chan struct{}),
		began:  time.Now(),
	}
	if r.self, _ = os.Hostname(); r.self == "" {
		r.self = "localhost"
	}
	r.out = newOutputs(&r.job, func(err error) { r.post(outputBroken{err}) })
	var appNums []int
	for i := range r.job.Specs {
		for range r.job.Specs[i].N {
			r.ranks = append(r.ranks, &rank{number: len(r.ranks), spec: &r.job.Specs[i], program: i})
			appNums = append(appNums, i)
		}
	}
	r.hosts = hostsOf(&r.job, r.self)
	plant(r.hosts, job.fanOut)
	for _, h := range r.hosts {
		for local, i := range h.ranks {
			r.ranks[i].host, r.ranks[i].local = h, local
		}
	}
	r.server = pmi.NewServer(pmi.ServerConfig{Size: len(r.ranks), KVSName: "kvs_" + r.id, AppNum: appNums,
		Mapping: hosts.Mapping(nodes(r.hosts, len(r.ranks))), Preset: map[string]string{pmi.JobKey: randomHex(32)}, Recover: job.Recover})
	r.survivors.init(&r.job)
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

// Heeded returns those of the signals that the process was not told to ignore when it was started,
// as nohup does with SIGHUP and a shell with SIGINT for what it runs in the background: to be
// notified of the others would undo that. SIGTERM is always heeded.
func Heeded(signals ...os.Signal) (heeded []os.Signal) {
	for _, s := range signals {
		if !signal.Ignored(s) {
			heeded = append(heeded, s)
		}
	}
	return heeded
}

// listen returns the signals for the job.
func (r *run) listen() (signals <-chan os.Signal, stop func()) {
	children := make(chan os.Signal, 1) // one is enough: each makes the loop look at all ranks
	signal.Notify(children, unix.SIGCHLD)
	r.exits.children = children
	if r.job.Signals != nil {
		return r.job.Signals, func() { signal.Stop(children) }
	}
	own := make(chan os.Signal, 16)
	signal.Notify(own, Heeded(caught...)...)
	return own, func() {
		signal.Stop(own)
		signal.Stop(children)
	}
}

// signalError is a signal that came before any rank was started.
type signalError struct{ sig unix.Signal }

func (e signalError) Error() string { return fmt.Sprintf("interrupted by signal: %v", e.sig) }

// prepare finds or builds the programs and connects the other hosts. A signal meanwhile stops it.
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
	finder := programs{ctx: ctx, dir: r.tempDir, built: map[string]string{}, say: r.tellUser, slow: slowBuild}
	if r.tempDir != "" {
		r.guard = startWatchdog(r.tempDir)
		finder.guard = startWatchdog("")
	}
	err := r.findPrograms(&finder)
	finder.guard.release() // the compilers are through, and their numbers will be others'
	if err == nil && r.away() {
		r.dialer = newSpawner()
		err = r.connectAll(ctx)
	}
	if context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	return err
}

// away tells whether the job has other hosts.
func (r *run) away() bool {
	return slices.ContainsFunc(r.hosts, func(h *host) bool { return h.away })
}

// findPrograms finds or builds what the ranks run.
func (r *run) findPrograms(finder *programs) error {
	first := 0
	for _, spec := range r.job.Specs {
		path, err := finder.path(spec, first)
		if err != nil {
			return err
		}
		p := program{path: path, source: path, name: pathName(spec.Argv[0]), built: IsGoPackage(spec.Argv[0])}
		if r.away() {
			if err := p.describe(); err != nil {
				return startError(CodeNotExecutable, "rank %d: program %s: %v", first, path, err)
			}
		}
		r.programs = append(r.programs, p)
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
	r.desk.Close()
	r.metrics.Close()
	r.signalAll(unix.SIGKILL)
	r.sayBye()
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
			r.awaitHosts(drainLimit)
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

// sayBye asks the agents to end what is left on their hosts.
func (r *run) sayBye() {
	for _, h := range r.hosts {
		if h.link != nil && !h.lost {
			h.link.bye()
		}
	}
}

// awaitHosts waits for the agents to be done, for limit at most.
func (r *run) awaitHosts(limit time.Duration) {
	deadline := time.Now().Add(limit)
	for _, h := range r.hosts {
		if h.link != nil && !h.lost {
			h.link.awaitDone(time.Until(deadline))
		}
	}
}

// cleanup frees what is left, in whatever state the run ended.
func (r *run) cleanup() {
	r.signalAll(unix.SIGKILL)
	if !r.drained {
		close(r.done)
		r.sayBye()
		r.awaitHosts(drainLimit)
		r.desk.Close()
		r.metrics.Close()
	}
	var closing sync.WaitGroup
	for _, h := range r.hosts {
		if h.link != nil {
			closing.Go(h.link.close)
		}
		if h.crew != nil {
			h.crew.close(!r.ending.gaveUp)
		}
	}
	closing.Wait()
	if !r.drained {
		r.out.finish(lingerAfterKill)
	}
	if r.in != nil {
		r.in.close()
	}
	if r.tempDir != "" {
		os.RemoveAll(r.tempDir)
	}
	r.guard.release()
	if r.dialer != nil {
		r.dialer.close()
	}
	r.wg.Wait()
}
