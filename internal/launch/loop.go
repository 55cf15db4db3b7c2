package launch

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// event is something that a helper goroutine or a timer brings to the loop.
type event interface{}

type (
	said struct { // a rank sent a line
		rank int
		m    pmi.Message
	}
	hungUp struct { // a rank's control socket ended
		rank int
		err  error
	}
	streamEnded  struct{ rank int }  // one of a rank's outputs ended
	outputBroken struct{ err error } // our own output cannot be written
	elapsed      struct{ what timer }

	rankStarted struct{ rank, pid int } // on another host
	rankExited  struct {                // on another host
		rank   int
		status status
	}
	startFailed struct { // another host cannot start its ranks
		host *host
		err  *StartError
	}
	hostEnded struct { // the connection to another host is gone
		host  *host
		cause error
	}
	note struct{ text string } // something for the user, from another host
)

// timer names a moment that the loop waits for.
type timer int

const (
	jobTimeout  timer = iota // Job.Timeout is over
	tracesDone               // ranks had time to print their stacks
	killTime                 // grace is over
	giveUpTime               // not even SIGKILL helped
	settleTime               // ended ranks had time to be heard out
	silenceTime              // a rank that closed its control socket had time to exit
	lastChance               // children of ended ranks had time to finish their output
)

const (
	settlePeriod    = 100 * time.Millisecond // for what an ended rank wrote and said to arrive
	settleHosts     = 400 * time.Millisecond // the same, and for the news of other hosts that may explain it
	lingerAfterExit = 500 * time.Millisecond // for output held open by children of ranks that have all ended
	lingerAfterKill = 100 * time.Millisecond // the same after those were killed
	hangUpPeriod    = 3 * time.Second        // for a rank that closed its control socket to be seen to have ended
	drainLimit      = 2 * time.Second        // for a reader that does not read, when the job is being ended
)

// post hands an event to the loop, or drops it when the loop is over. Safe from any goroutine.
func (r *run) post(e event) {
	select {
	case r.events <- e:
	case <-r.done:
	}
}

// after makes the loop see elapsed{what} once, d from now.
func (r *run) after(d time.Duration, what timer) {
	time.AfterFunc(d, func() { r.post(elapsed{what}) })
}

// loop takes all decisions until every rank has ended, and its output as well or nearly so.
func (r *run) loop(ctx context.Context, signals <-chan os.Signal) {
	if r.job.Timeout > 0 {
		r.after(r.job.Timeout, jobTimeout)
	}
	r.lookForExits()
	cancelled := ctx.Done()
	for !r.finished() {
		select {
		case e := <-r.events:
			r.handle(e)
		case <-r.exits.children:
			r.lookForExits()
		case s := <-signals:
			if sig, ok := s.(unix.Signal); ok {
				r.onSignal(sig)
			}
		case <-cancelled:
			cancelled = nil
			r.end(codeSignal+int(unix.SIGTERM), unix.SIGTERM, r.job.Grace)
		}
	}
	if r.survivors.council != nil {
		r.lastCode()
	}
	r.printExitCodes()
}

func (r *run) handle(e event) {
	switch e := e.(type) {
	case said:
		r.onMessage(e.rank, e.m)
	case hungUp:
		r.onHangUp(e.rank, e.err)
	case streamEnded:
		r.ranks[e.rank].streamsOpen--
		r.settle()
	case outputBroken:
		r.onOutputBroken(e.err)
	case elapsed:
		r.onTimer(e.what)
	case rankStarted:
		r.ranks[e.rank].pid = e.pid
		r.recordStart(e.rank)
	case rankExited:
		if !r.ranks[e.rank].ended {
			r.noteExit(e.rank, e.status)
		}
		r.settle()
	case startFailed:
		r.onStartFailed(e.host, e.err)
	case hostEnded:
		r.onHostEnded(e.host, e.cause)
	case note:
		r.tellUser("%s", e.text)
	case censusOver:
		r.onCensusOver(e.number)
	case asked:
		r.onAsked(e)
	}
}

func (r *run) onTimer(what timer) {
	switch what {
	case jobTimeout:
		r.onTimeout()
	case tracesDone:
		r.end(CodeTimeout, unix.SIGTERM, r.job.Grace)
	case killTime:
		r.killAll()
	case giveUpTime:
		r.giveUp()
	case settleTime:
		r.judgeAll()
	case silenceTime:
		r.onSilence()
	case lastChance:
		r.exits.lingered = true
	}
}

// onMessage lets the PMI server answer rank i.
func (r *run) onMessage(i int, m pmi.Message) {
	out, err := r.server.Handle(i, m)
	for _, reply := range out.Replies {
		err = errors.Join(err, r.tell(reply.Rank, reply.Message))
	}
	if err != nil {
		r.blame(i, err)
		return
	}
	switch {
	case out.Abort != nil:
		r.onAbort(i, *out.Abort)
	case out.Stall != nil:
		r.onStall(*out.Stall)
	case out.Tally != nil:
		r.onTally(*out.Tally)
	case out.LastWords != nil:
		r.ranks[i].words = *out.LastWords
	case out.Ballot != nil:
		r.onBallot(i, *out.Ballot)
	case out.Revocation != nil:
		r.onRevocation(*out.Revocation)
	case out.Deserted != nil:
		r.onDesertion(*out.Deserted)
	}
}

// blame ends the job because rank i broke the protocol.
func (r *run) blame(i int, err error) {
	if !r.ending.active {
		r.sayOf(i, levelError, "protocol", "rank %d (pid %d on %s) broke the control protocol: %v; is it built with another MPI?",
			i, r.ranks[i].pid, r.ranks[i].host.name, err)
	}
	r.end(CodeFailure, unix.SIGTERM, r.job.CrashGrace)
}

func (r *run) onHangUp(i int, err error) {
	rk := r.ranks[i]
	rk.controlClosed = true
	r.countAnswers()
	if !rk.ended && !errors.Is(err, io.EOF) && !errors.Is(err, unix.ECONNRESET) {
		r.blame(i, err)
	}
	if !rk.ended && r.server.Phase(i) == pmi.Joined {
		r.after(hangUpPeriod, silenceTime)
	}
	r.settle()
}

// onSilence ends the job, or the rank if the others can go on, when a rank has hung up in the middle of things and yet
// goes on running.
func (r *run) onSilence() {
	for i, rk := range r.ranks {
		if rk.controlClosed && !rk.ended && r.server.Phase(i) == pmi.Joined && !r.ending.active {
			r.sayOf(i, levelError, "protocol", "rank %d (pid %d on %s) closed its control socket without Finalize", i, rk.pid, rk.host.name)
			if r.survives() {
				r.kill(i)
				continue
			}
			r.end(CodeFailure, unix.SIGTERM, r.job.CrashGrace)
		}
	}
}

func (r *run) onAbort(i int, a pmi.Abort) {
	if !r.ending.active {
		text := ""
		if a.Text != "" {
			text = ": " + a.Text
		}
		m := r.about(i, levelError, "abort", "rank %d (pid %d on %s) aborted the job with code %d%s", i, r.ranks[i].pid, r.ranks[i].host.name, a.Code, text)
		m.Code = &a.Code
		r.remark(m)
	}
	r.end(abortCode(a.Code), unix.SIGTERM, r.job.CrashGrace)
}

// onOutputBroken ends the job because nobody reads it any more, quietly, or because a file cannot be written.
func (r *run) onOutputBroken(err error) {
	if errors.Is(err, unix.EPIPE) {
		r.end(codeSignal+int(unix.SIGPIPE), unix.SIGTERM, r.job.CrashGrace)
		return
	}
	r.say(levelError, "output", "cannot write output: %v", err)
	r.end(CodeFailure, unix.SIGTERM, r.job.CrashGrace)
}

func (r *run) onTimeout() {
	if r.ending.active {
		return
	}
	r.say(levelError, "timeout", "the job has run for %v, its time limit, and is ended", r.job.Timeout)
	if r.job.StackTraces {
		r.ending.begin(CodeTimeout)
		r.signalAll(unix.SIGQUIT)
		r.after(time.Second, tracesDone)
		return
	}
	r.end(CodeTimeout, unix.SIGTERM, r.job.Grace)
}
