package launch

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/launch/desk"
	"github.com/weft-mpi/weft/internal/launch/live"
	"github.com/weft-mpi/weft/internal/launch/metrics"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// fresh is how old answers may be for whoever asks next: so ranks are not asked more often, whoever asks how often.
const fresh = 250 * time.Millisecond

// asked is the event that somebody wants to know what the job does.
type asked struct{ reply chan<- *live.Job }

// onAsked answers, now if the answers are fresh, else when the ranks have been asked.
func (r *run) onAsked(e asked) {
	answer := func() { e.reply <- r.status() }
	if c := &r.census; !c.open && c.number > 0 && time.Since(c.closed) < fresh {
		answer()
		return
	}
	r.ask(answer)
}

// errOver is the answer of a job that has just ended.
var errOver = errors.New("the job is over")

// inquire asks the loop what the job does. Safe from any goroutine.
func (r *run) inquire(ctx context.Context) (*live.Job, error) {
	reply := make(chan *live.Job, 1)
	r.post(asked{reply})
	select {
	case j := <-reply:
		return j, nil
	case <-r.done:
		return nil, errOver
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// openDesk lets the user ask what the job does, while it runs. Without a desk the job runs as well.
func (r *run) openDesk() {
	if r.job.Desk == "" {
		return
	}
	r.desk, _ = desk.Open(r.job.Desk, func(ctx context.Context) ([]byte, error) {
		j, err := r.inquire(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(j)
	})
}

// openMetrics takes the address for those who want the numbers.
func (r *run) openMetrics() (err error) {
	if r.job.Metrics == "" {
		return nil
	}
	r.metrics, err = metrics.Listen(r.job.Metrics, r.job.MetricsToken)
	return err
}

// serveMetrics begins to answer them, now that the loop does.
func (r *run) serveMetrics() {
	if r.metrics == nil {
		return
	}
	r.say(levelInfo, "metrics", "the numbers of the job are at %s", r.metrics.URL())
	r.metrics.Serve(func(ctx context.Context) ([]byte, error) {
		j, err := r.inquire(ctx)
		if err != nil {
			return nil, err
		}
		return live.Metrics(j), nil
	})
}

// status is the job as it is now, with what the ranks have told last.
func (r *run) status() *live.Job {
	now := time.Now()
	j := &live.Job{Time: now, Pid: os.Getpid(), Host: r.self, Started: r.began, Ending: r.ending.active, Recover: r.job.Recover,
		Deaths: r.survivors.deaths, Stalls: r.stalls.reports, Launcher: r.launcher()}
	for _, s := range r.job.Specs {
		j.Programs = append(j.Programs, strings.Join(s.Argv, " "))
	}
	for i, rk := range r.ranks {
		j.Ranks = append(j.Ranks, r.rankStatus(i, rk, now))
	}
	return j
}

func (r *run) rankStatus(i int, rk *rank, now time.Time) live.Rank {
	s := live.Rank{Rank: i, Host: rk.host.name, Pid: rk.pid, State: r.stateOf(i)}
	if rk.ended {
		code := rk.status.exitCode()
		s.Code = &code
	}
	if r.census.answers == nil {
		return s
	}
	a := &r.census.answers[i]
	s.Silent = r.answerable(i) && !a.told
	if !rk.ended {
		for _, w := range a.waits {
			s.Waits = append(s.Waits, live.WaitOf(w))
		}
	}
	if a.tally != nil {
		age := max(0, now.Sub(a.arrived).Seconds())
		s.Age, s.Up, s.Counts = &age, a.tally.Seconds, map[string]uint64{}
		for _, c := range a.tally.Counts {
			s.Counts[c.Name] = c.Value
		}
	}
	return s
}

func (r *run) stateOf(i int) live.State {
	switch {
	case r.ranks[i].ended:
		return live.Ended
	case r.server.Phase(i) == pmi.Silent:
		return live.Starting
	case r.server.Phase(i) == pmi.Finalised:
		return live.Finished
	}
	return live.Running
}

// launcher is what this process takes.
func (r *run) launcher() live.Launcher {
	l := live.Launcher{Version: r.job.Version, Questions: r.census.number, Memory: pages.Resident()}
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		l.CPUSeconds = time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	}
	return l
}
