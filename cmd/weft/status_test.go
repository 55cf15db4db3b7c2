package main

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/launch/desk"
	"github.com/weft-mpi/weft/internal/launch/live"
)

// job finds a launcher among the user's jobs.
func (l *launcher) job(t *testing.T) desk.Job {
	t.Helper()
	var found desk.Job
	if !eventually(func() bool {
		all, err := desk.Jobs(desk.Home())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all, func(j desk.Job) bool { return j.Pid == l.cmd.Process.Pid })
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	}) {
		t.Fatal("the job cannot be asked")
	}
	return found
}

// Real ranks tell what they wait for and since when, what they have sent, and their memory; one that does not call MPI
// answers, too. Nothing is left of what the launcher has put where it can be asked.
func TestStatusOfRanks(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 4, flags: "--set stall=0", program: "absent 2"}.start(t)
	job := r.job(t)
	var j *live.Job
	if !eventually(func() bool {
		var err error
		j, err = inquire(job)
		return err == nil && len(j.Ranks[0].Waits) == 1 && len(j.Ranks[1].Waits) == 1 && len(j.Ranks[3].Waits) == 1 && j.Ranks[2].Counts != nil
	}) {
		t.Errorf("the job tells %+v", j)
	}
	for i := range j.Ranks {
		c := j.Ranks[i].Counts
		if c["memory"] < 1<<20 || c["go_heap"] == 0 || c["go_memory"] < c["go_heap"] {
			t.Errorf("rank %d has counted %v", i, c)
		}
	}
	if w := j.Ranks[0].Waits[0]; w.Op != "allreduce" || w.Members != "0-3" || !regexp.MustCompile(`\.go:\d+$`).MatchString(w.Site) && w.Seconds > 1 {
		t.Errorf("rank 0 waits in %+v", w)
	}
	for _, want := range []string{"1 outside MPI, 3 waiting", "ranks 0-1,3 wait in allreduce", "missing: rank 2, running outside MPI"} {
		if text := live.Text(j, nil, false); !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	r.signal(unix.SIGTERM)
	r.end(t, 143)
	if _, err := job.Ask(); err == nil {
		t.Error("a job that has ended answers")
	}
}

func TestStatusFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want statusOptions
	}{
		{nil, statusOptions{}},
		{[]string{"12", "--json"}, statusOptions{json: true, job: 12}},
		{[]string{"-v", "--watch", "0.5", "12"}, statusOptions{verbose: true, watch: time.Second / 2, job: 12}},
	} {
		if o, err := parseStatus(c.args); err != nil || *o != c.want {
			t.Errorf("%q: %+v, %v", c.args, o, err)
		}
	}
	for _, bad := range [][]string{{"x"}, {"0"}, {"-3"}, {"12", "13"}, {"--watch", "0"}, {"--watch"}, {"--what"}} {
		if o, err := parseStatus(bad); err == nil {
			t.Errorf("%q: %+v", bad, o)
		}
	}
	o := statusOptions{job: os.Getpid()}
	if err := o.show(t.Context(), t.TempDir()); err == nil {
		t.Error("a job that is not there was shown")
	}
}
