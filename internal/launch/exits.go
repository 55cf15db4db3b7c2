package launch

import (
	"os"
	"sort"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// exits keeps track of ranks that have ended but have not been judged. Judging waits a moment, until everything a
// rank wrote and said before its end has arrived: its last line may be the abort or the panic that explains the rest.
type exits struct {
	children <-chan os.Signal // SIGCHLD
	pending  []int            // ended, not judged, in the order they were found
	judged   int
	lingered bool // output held open by children of ended ranks is waited for no longer
}

// lookForExits finds ranks on this host that have ended since the last look; agents report theirs.
func (r *run) lookForExits() {
	for _, h := range r.hosts {
		if h.crew != nil {
			h.crew.look(func(local int, s status) { r.noteExit(h.ranks[local], s) })
		}
	}
	r.settle()
}

// noteExit takes note that rank i has ended; settle follows.
func (r *run) noteExit(i int, s status) {
	rk := r.ranks[i]
	rk.ended, rk.status = true, s
	if len(r.exits.pending) == 0 {
		period := settlePeriod
		if r.away() {
			period = settleHosts
		}
		r.after(period, settleTime)
	}
	r.exits.pending = append(r.exits.pending, i)
	r.countAnswers()
}

// settle judges the ended ranks as soon as all of them have been heard out. Where there are other hosts,
// one that gave up waits for its judgment: the news of the crash that made it give up may take longer than
// it took itself.
func (r *run) settle() {
	for _, i := range r.exits.pending {
		rk := r.ranks[i]
		if !rk.controlClosed || rk.streamsOpen > 0 || rk.status.code != 0 && !r.ending.active && r.away() {
			return
		}
	}
	r.judgeAll()
}

// judgeAll judges the ended ranks, the likeliest culprit first.
func (r *run) judgeAll() {
	pending := r.exits.pending
	if len(pending) == 0 {
		return
	}
	r.exits.pending = nil
	sort.SliceStable(pending, func(a, b int) bool {
		ra, rb := r.ranks[pending[a]], r.ranks[pending[b]]
		return severity(ra.status, ra.memory.panicked()) < severity(rb.status, rb.memory.panicked())
	})
	for _, i := range pending {
		rk := r.ranks[i]
		r.judgeExit(i, judge(rk.status, r.server.Exited(i), rk.words != "" || rk.memory.panicked()))
		r.ranks[i].stderr.release()
		r.record(r.withCode(r.about(i, levelInfo, "exit", "%s", obituary(i, rk.pid, rk.host.name, rk.status, ""))))
		r.exits.judged++
	}
	if r.exits.judged == len(r.ranks) {
		r.after(lingerAfterExit, lastChance)
	}
}

// judgeExit carries out the verdict on rank i. Only the first abnormal end is spoken of: what follows is its
// consequence, or our own doing.
func (r *run) judgeExit(i int, v verdict) {
	if v.endsJob && r.survives() {
		r.bury(i, v)
		return
	}
	r.forgo(i)
	if v.code == 0 || r.ending.active {
		return
	}
	if first := r.ending.code == 0; first || v.endsJob {
		r.mourn(i, v.why, v.endsJob)
	}
	if v.endsJob {
		r.end(v.code, unix.SIGTERM, r.job.CrashGrace)
	} else {
		r.ending.note(v.code)
	}
}

// onDesertion ends the job because somebody joined who will wait in vain for rank i, which left earlier.
func (r *run) onDesertion(i int) {
	if r.ending.active {
		return
	}
	v := judge(r.ranks[i].status, pmi.NeverJoined, false)
	if r.ending.code == 0 {
		r.mourn(i, v.why, true)
	} else {
		r.sayOf(i, levelError, "absent", "the job is ended, since its other ranks would wait in Init for rank %d forever", i)
	}
	r.end(v.code, unix.SIGTERM, r.job.CrashGrace)
}

// mourn names rank i and how it ended, and with its last words if asked to: those it left with the launcher, the crash
// report that was kept back for this moment, or the end of what it wrote to standard error. What has been shown is not
// shown again.
func (r *run) mourn(i int, why string, words bool) {
	rk := r.ranks[i]
	level := levelError
	if r.survives() {
		level = levelWarning
	}
	text := obituary(i, rk.pid, rk.host.name, rk.status, why)
	last := strings.TrimRight(rk.words, "\n")
	if last == "" && rk.stderr.keepsBack() {
		r.remark(r.withCode(r.about(i, level, "death", "%s; its last words:", text)))
		rk.stderr.release()
		return
	}
	switch said := rk.memory.words(); {
	case rk.stderr.shown() && (last == "" || strings.Contains(said, last)):
		last = ""
	case last == "":
		last = said
	}
	if !words || last == "" {
		r.remark(r.withCode(r.about(i, level, "death", "%s", text)))
		return
	}
	r.remark(r.withCode(r.about(i, level, "death", "%s; its last words:\n    %s", text, strings.ReplaceAll(last, "\n", "\n    "))))
}

// finished tells whether the loop is over: every rank is judged, and output is through or waited for long enough.
func (r *run) finished() bool {
	if r.ending.gaveUp {
		return true
	}
	if r.exits.judged < len(r.ranks) {
		return false
	}
	open := 0
	for _, rk := range r.ranks {
		open += rk.streamsOpen
	}
	return open == 0 || r.exits.lingered || r.ending.active
}

func (r *run) printExitCodes() {
	if !r.job.PrintExitCodes {
		return
	}
	for i, rk := range r.ranks {
		r.remark(r.withCode(r.about(i, levelInfo, "code", "%s", obituary(i, rk.pid, rk.host.name, rk.status, ""))))
	}
}
