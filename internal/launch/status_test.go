package launch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/desk"
	"github.com/weft-mpi/weft/internal/launch/live"
)

// under starts a job whose ranks stay, and calls f while they are there; then the job is ended.
func under(t *testing.T, job Job, m mark, f func(o *outcome)) *outcome {
	t.Helper()
	o := &outcome{}
	job.Stdout, job.Stderr = &o.out, &o.msg
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { o.code, o.err = Run(ctx, job) })
	if o.out.await("ready", job.Specs[0].N) {
		f(o)
	} else {
		t.Errorf("the ranks do not get ready: %q", o.msg.String())
	}
	cancel()
	running.Wait()
	m.noSurvivors(t)
	return o
}

// inquire asks the only job in dir.
func inquire(dir string) (*live.Job, error) {
	jobs, err := desk.Jobs(dir)
	if err != nil || len(jobs) != 1 || jobs[0].Pid != os.Getpid() {
		return nil, fmt.Errorf("jobs %v, %v", jobs, err)
	}
	text, err := jobs[0].Ask()
	if err != nil {
		return nil, err
	}
	var j live.Job
	return &j, json.Unmarshal(text, &j)
}

// ask is inquire for the goroutine of a test.
func ask(t *testing.T, dir string) *live.Job {
	t.Helper()
	j, err := inquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// A job tells what its ranks do, also of those that do not answer, and to many at once; ranks are not asked more often
// for that. In the end nothing is left.
func TestStatus(t *testing.T) {
	m := newMark()
	job := testJob(t, 4, "toil 2", m)
	job.Desk = filepath.Join(t.TempDir(), "desk")
	under(t, job, m, func(*outcome) {
		j := ask(t, job.Desk)
		if len(j.Ranks) != 4 || j.Pid != os.Getpid() || j.Launcher.Memory == 0 || !strings.HasSuffix(j.Programs[0], ".test") {
			t.Errorf("the job is %+v", j)
		}
		for i, r := range j.Ranks {
			silent := i == 2
			if r.State != live.Running || r.Pid == 0 || r.Silent != silent {
				t.Errorf("rank %d: %+v", i, r)
			}
			if !silent && (len(r.Waits) != 1 || r.Waits[0].Op != "recv" || *r.Waits[0].Tag != 5 || r.Counts["sent"] != uint64(10*i) || r.Age == nil) {
				t.Errorf("rank %d has told %+v", i, r)
			}
		}
		text := live.Text(j, nil, false)
		for _, want := range []string{"4 ranks on 1 host", "no answer from rank 2", "ranks 0-1,3 wait in recv from rank 0, tag 5"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in:\n%s", want, text)
			}
		}
		var all sync.WaitGroup
		before := j.Launcher.Questions
		for range 20 {
			all.Go(func() {
				if j, err := inquire(job.Desk); err != nil || len(j.Ranks) != 4 {
					t.Errorf("one of many is told %+v, %v", j, err)
				}
			})
		}
		all.Wait()
		if n := ask(t, job.Desk).Launcher.Questions - before; n > 21 {
			t.Errorf("21 who asked made the launcher ask its ranks %d times", n)
		}
	})
	if left, err := os.ReadDir(job.Desk); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Ranks that have ended, and those that know nothing of MPI, are told of and hold nobody up.
func TestStatusOfTheEnded(t *testing.T) {
	m := newMark()
	job := testJob(t, 3, "", m)
	job.Desk = filepath.Join(t.TempDir(), "desk")
	job.Specs[0].Argv = []string{"sh", "-c", "echo ready; sleep 60"}
	job.Specs = append(job.Specs, Spec{N: 1, Argv: []string{"sh", "-c", "exit 0"}}) // another code would end the job
	under(t, job, m, func(*outcome) {
		var j *live.Job
		if !eventually(func() bool { j = ask(t, job.Desk); return j.Ranks[3].State == live.Ended }) {
			t.Fatal("a rank that has exited is not told of")
		}
		if *j.Ranks[3].Code != 0 || j.Ranks[0].State != live.Starting || j.Ranks[0].Silent {
			t.Errorf("the job is %+v", j)
		}
	})
}

// A directory that is not safe is not used, and the job runs.
func TestStatusWithoutDesk(t *testing.T) {
	m := newMark()
	job := testJob(t, 2, "ok", m)
	job.Desk = t.TempDir()
	if err := os.Chmod(job.Desk, 0o755); err != nil {
		t.Fatal(err)
	}
	if o := runJob(t, job, m); o.code != 0 || o.msg.String() != "" {
		t.Errorf("code %d, %q", o.code, o.msg.String())
	}
	if _, err := desk.Jobs(job.Desk); err == nil {
		t.Error("a directory that others can enter is trusted")
	}
}

// Prometheus finds the numbers of a job at the address that the launcher says, while the job runs; an
// address that cannot be taken ends it before it begins.
func TestMetricsOfJob(t *testing.T) {
	m := newMark()
	job := testJob(t, 3, "toil 1", m)
	job.Metrics = "0"
	url := ""
	fetch := func() (string, error) {
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
		answer, err := client.Get(url)
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return string(text), err
	}
	under(t, job, m, func(o *outcome) {
		if !o.msg.await("/metrics\n", 1) {
			t.Fatal(o.msg.String())
		}
		_, url, _ = strings.Cut(strings.TrimSpace(o.msg.String()), " at ")
		text, err := fetch()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"weft_job_ranks_alive 3\n", `weft_rank_messages_sent_total{rank="2",host="`, `weft_rank_answered{rank="1",`} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		job.Metrics = strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/metrics")
		if second := runJob(t, job, newMark()); second.err == nil || second.code != CodeFailure {
			t.Errorf("two jobs at one address: code %d, %v", second.code, second.err)
		}
	})
	if _, err := fetch(); err == nil {
		t.Error("a job that has ended answers")
	}
}
