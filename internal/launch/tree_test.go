package launch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/sched"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// forest is so many hosts, every so many of them this one, planted by a fan-out.
func forest(n, here int, fanOut func(int) int) []*host {
	var all []*host
	for i := range n {
		all = append(all, &host{node: i, name: fmt.Sprint("h", i), away: here == 0 || i%here != 0})
	}
	plant(all, fanOut)
	return all
}

// Whatever the width: every other host is reached, nobody starts more than that, hosts come after those that lead to
// them, and levels fill up before the next one begins.
func TestPlant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 40).Draw(t, "width")
		all := forest(rapid.IntRange(0, 300).Draw(t, "hosts"), rapid.IntRange(0, 5).Draw(t, "here"), func(int) int { return width })
		started, depth, last := map[*host]int{}, map[*host]int{}, 0
		for _, h := range all {
			if !h.away {
				if h.via != nil {
					t.Fatalf("%s is here and started by %s", h.name, h.via.name)
				}
				continue
			}
			if h.via != nil && (!h.via.away || h.via.node >= h.node || !h.isBelow(h.via) || h.via.isBelow(h)) {
				t.Fatalf("%s is started by %s", h.name, h.via.name)
			}
			if started[h.via]++; started[h.via] > width {
				t.Fatalf("%v starts more than %d", h.via, width)
			}
			if h.via != nil {
				depth[h] = depth[h.via] + 1
			}
			if depth[h] < last {
				t.Fatalf("%s on level %d comes after level %d", h.name, depth[h], last)
			}
			last = depth[h]
		}
	})
}

func TestFanOut(t *testing.T) {
	for _, c := range []struct {
		job    Job
		others int
		want   int
	}{
		{Job{}, 0, 0}, {Job{}, 32, 32}, {Job{}, 33, 6}, {Job{}, 512, 23}, {Job{}, 4096, 64},
		{Job{Reach: Reach{FanOut: 3}}, 9, 3}, {Job{Reach: Reach{FanOut: Star}}, 512, 512},
		{Job{Recover: true}, 512, 512}, {Job{Recover: true, Reach: Reach{FanOut: 8}}, 512, 8},
		{Job{Reach: Reach{FanOut: 8, Starter: &sched.Starter{}}}, 512, 512},
	} {
		if got := c.job.fanOut(c.others); got != c.want {
			t.Errorf("%d hosts, fan-out %d, recover %v: %d, want %d", c.others, c.job.FanOut, c.job.Recover, got, c.want)
		}
		if w := c.job.fanOut(c.others); c.job.FanOut == 0 && w+w*w < c.others {
			t.Errorf("%d hosts do not fit two levels of %d", c.others, w)
		}
	}
}

// treeSSH is fakeSSH whose log says who ran it for whom.
func treeSSH(t *testing.T) []string {
	t.Helper()
	words := fakeSSH(t, "run")
	text, err := os.ReadFile(words[0])
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `echo "$@"`, `echo "${FAKE_HOST-launcher}>$1"`, 1))
	if err := os.WriteFile(words[0], text, 0o700); err != nil {
		t.Fatal(err)
	}
	return words
}

// grown is a job on h0 to h6, two of them started from here, two by each of those, and one by the next.
func grown(t *testing.T, job Job) Job {
	t.Helper()
	job = spreadOut(t, job, "h0", "h1", "h2", "h3", "h4", "h5", "h6")
	job.FanOut = 2
	job.SSH = treeSSH(t)
	return job
}

// What ranks do on hosts that others have started comes out as from hosts that were started from here.
func TestTreeModes(t *testing.T) {
	for _, c := range []struct {
		mode string
		code int
		msg  string
	}{
		{"ok", 0, ""},
		{"leave 6 7", 7, " on h6) exited with code 7 without Finalize"},
		{"abort 5 42 no more", 42, " on h5) aborted the job with code 42: no more"},
		{"panic 3", 2, " on h3) exited with code 2; its last words:\npanic: rank 3 has had enough\n\ngoroutine 1"},
		{"mute 6", 1, " on h6) closed its control socket"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			m := newMark()
			job := grown(t, testJob(t, 9, c.mode, m))
			o := runJob(t, job, m)
			if said := o.msg.String(); o.err != nil || o.code != c.code || c.msg == "" && said != "" || !strings.Contains(said, c.msg) {
				t.Errorf("code %d, %v, want %d; said %q, want %q", o.code, o.err, c.code, said, c.msg)
			}
			log, err := os.ReadFile(job.SSH[0] + ".log")
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"launcher>h0", "launcher>h1", "h0>h2", "h0>h3", "h1>h4", "h1>h5", "h2>h6"} {
				if !strings.Contains(string(log), want+"\n") || strings.Count(string(log), ">") != 7 {
					t.Errorf("no %s in %q", want, log)
				}
			}
		})
	}
}

// Programs are copied to all hosts, input reaches all ranks, output is much more than fits anywhere, and
// nothing is lost.
func TestTreeCarriesAll(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	m := newMark()
	in := filepath.Join(temp, "in")
	if err := os.WriteFile(in, []byte(strings.Repeat("0123456789abcde\n", 1<<16)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	prog := filepath.Join(temp, "prog")
	if err := os.WriteFile(prog, []byte("#!/bin/sh\ncat; sleep 300 &\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var out slowWriter
	var msg text
	job := grown(t, Job{Specs: []Spec{{N: 8, Argv: []string{prog}, Env: append(os.Environ(), string(m))}}, Stdin: f, StdinTo: StdinAll, Stdout: &out})
	job.Stage = StageAlways
	job.HostTimeout = 10 * time.Second
	job.Stderr = &msg
	if code, err := Run(context.Background(), job); code != 0 || err != nil {
		t.Errorf("code %d, %v, said %s", code, err, msg.String())
	}
	if got := strings.Count(out.String(), "0123456789abcde\n"); got != 8<<16 {
		t.Errorf("%d lines, want %d", got, 8<<16)
	}
	m.noSurvivors(t)
	if left, _ := filepath.Glob(filepath.Join(temp, "weft-agent-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// Signals reach ranks on every level.
func TestTreeSignals(t *testing.T) {
	m := newMark()
	signals := make(chan os.Signal)
	var out text
	script := `trap "echo got USR1" USR1; trap "echo got TERM; exit 0" TERM; echo ready; while :; do sleep 0.1; done`
	job := grown(t, Job{Specs: []Spec{{N: 7, Argv: []string{"sh", "-c", script}, Env: append(os.Environ(), string(m))}}, Stdout: &out, Signals: signals})
	go func() {
		out.await("ready", 7)
		signals <- unix.SIGUSR1
		out.await("got USR1", 7)
		signals <- unix.SIGTERM
	}()
	code, err := Run(context.Background(), job)
	if code != 128+15 || err != nil || strings.Count(out.String(), "got USR1") != 7 || strings.Count(out.String(), "got TERM") != 7 {
		t.Errorf("code %d, %v, %q", code, err, out.String())
	}
	m.noSurvivors(t)
}

// A host is killed, or goes silent, that leads to others: it is named, and they with it; one that leads to
// nobody is named alone. Nothing is left on those behind it.
func TestTreeHostLost(t *testing.T) {
	for _, c := range []struct {
		name string
		host string
		sig  unix.Signal
		says string
	}{
		{"killed", "h0", unix.SIGKILL, "weft: host h0 is lost: the connection to its agent ended; rank 0 was there; " +
			"through it went the connections to h2, h3, h6, with ranks 2-3,6\n"},
		{"silent", "h1", unix.SIGSTOP, "weft: host h1 has been silent for 2s; rank 1 was there; through it went the connections to h4, h5, with ranks 4-5\n"},
		{"at the end", "h6", unix.SIGKILL, "weft: host h6 is lost: the connection to its agent ended; rank 6 was there\n"},
		{"silent at the end", "h6", unix.SIGSTOP, "weft: host h6 has been silent for 2s; rank 6 was there\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMark()
			name, value, _ := strings.Cut(string(m), "=")
			t.Setenv(name, value)
			job := grown(t, testJob(t, 7, "fork", m))
			job.HostTimeout = 2 * time.Second
			var out, msg text
			job.Stdout, job.Stderr = &out, &msg
			go func() {
				out.await("ready", 7)
				_ = unix.Kill(agentOf(t, m, c.host), c.sig)
			}()
			code, err := Run(context.Background(), job)
			if said := msg.String(); code != CodeHostLost || err != nil || !strings.HasPrefix(said, c.says) {
				t.Errorf("code %d, %v, said %q, want %q", code, err, said, c.says)
			}
			m.noSurvivors(t)
		})
	}
}

// What a host cannot reach the launcher reaches itself, and says so once; what nobody can reach is an error.
func TestTreeRefused(t *testing.T) {
	for name, c := range map[string]struct {
		when string // ssh fails
		code int
		says string
	}{
		"from h0":   {`[ "$FAKE_HOST" = h0 ]`, 0, "from host h0, host h2 cannot be reached by ssh (exit code 255: no way)"},
		"for h6":    {`[ "$1" = h6 ]`, 1, "host h6 cannot be reached by ssh (exit code 255: no way); does this work: "},
		"not found": {`[ "$FAKE_HOST" = h2 ] && exit 127`, 0, "from host h2, host h6: there is no"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMark()
			job := grown(t, testJob(t, 7, "ok", m))
			text, err := os.ReadFile(job.SSH[0])
			if err != nil {
				t.Fatal(err)
			}
			refusing := strings.Replace(string(text), "\n", "\n"+c.when+" && { echo no way >&2; exit 255; }\n", 1)
			if err := os.WriteFile(job.SSH[0], []byte(refusing), 0o700); err != nil {
				t.Fatal(err)
			}
			o := runJob(t, job, m)
			said := o.msg.String()
			if o.err != nil {
				said += o.err.Error()
			}
			says := c.says
			if name == "from h0" && strings.Contains(said, "from host h0, host h3") { // whichever came first
				says = strings.Replace(says, "host h2", "host h3", 1)
			}
			if o.code != c.code || !strings.Contains(said, says) || c.code == 0 && strings.Count(said, "starts the agents") != 1 {
				t.Errorf("code %d, said %q, want %q", o.code, said, says)
			}
		})
	}
}

// A signal ends a job that waits for a host which another one is to reach.
func TestTreeInterruptWhileConnecting(t *testing.T) {
	m := newMark()
	name, value, _ := strings.Cut(string(m), "=")
	t.Setenv(name, value)
	job := grown(t, testJob(t, 7, "ok", m))
	text, err := os.ReadFile(job.SSH[0])
	if err != nil {
		t.Fatal(err)
	}
	started := job.SSH[0] + ".started"
	mute := strings.Replace(string(text), "\n", "\n[ $1 != h6 ] || { : > "+started+"; sleep 300; }\n", 1)
	if err := os.WriteFile(job.SSH[0], []byte(mute), 0o700); err != nil {
		t.Fatal(err)
	}
	signals := make(chan os.Signal)
	job.Signals = signals
	go func() {
		eventually(func() bool { _, err := os.Stat(started); return err == nil })
		signals <- unix.SIGINT
	}()
	if o := runJob(t, job, m); o.code != 130 || o.err == nil {
		t.Errorf("code %d, %v", o.code, o.err)
	}
}

// Up to 512 hosts, both ways, and what that costs the launcher, as the pages tell it. It takes 2 GB and minutes.
func TestTreeOfMany(t *testing.T) {
	if os.Getenv("WEFT_SOAK") == "" {
		t.Skip("takes 2 GB and minutes: left out unless WEFT_SOAK=1")
	}
	for _, n := range []int{64, 128, 256, 512} {
		for _, fanOut := range []int{Star, 0} {
			treeOf(t, n, fanOut)
		}
	}
}

// treeOf runs a rank on each of n hosts.
func treeOf(t *testing.T, n, fanOut int) {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("h", i))
	}
	m := newMark()
	job := spreadOut(t, Job{Specs: []Spec{{N: n, Argv: []string{"sh", "-c", "echo rank $WEFT_RANK of $WEFT_HOSTS"}, Env: append(os.Environ(), string(m))}}}, names...)
	job.SSH, job.HostTimeout, job.FanOut = treeSSH(t), time.Minute, fanOut
	var descriptors atomic.Int64
	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			if all, err := os.ReadDir("/proc/self/fd"); err == nil {
				descriptors.Store(max(descriptors.Load(), int64(len(all))))
			}
			select {
			case <-over:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	})
	began := time.Now()
	o := runJob(t, job, m)
	took := time.Since(began)
	close(over)
	watch.Wait()
	if o.code != 0 || o.err != nil || o.msg.String() != "" {
		t.Errorf("code %d, %v, said %q", o.code, o.err, o.msg.String())
	}
	for i := range n {
		if !strings.Contains("\n"+o.out.String(), fmt.Sprintf("\nrank %d of %d\n", i, n)) {
			t.Errorf("nothing of rank %d", i)
		}
	}
	log, err := os.ReadFile(job.SSH[0] + ".log")
	want, by := job.fanOut(n), "all"
	if fanOut == 0 {
		by = "auto"
	}
	if got := strings.Count(string(log), "launcher>"); err != nil || got != want {
		t.Errorf("%d agents are started from here, want %d, %v", got, want, err)
	}
	t.Logf("| %d | `%s` | %d | %d | %.1f s |", n, by, want, descriptors.Load(), took.Seconds())
}
