package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

// newBox makes a cluster on whose hosts the test binary is weft, netrank and stranger.
func newBox(t *testing.T, config cluster.Config) *fleet {
	t.Helper()
	clustertest.Need(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{bin: t.TempDir()}
	for _, name := range []string{"weft", "netrank", "stranger"} {
		if err := os.Symlink(self, filepath.Join(f.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	config.Path = f.bin + ":" + os.Getenv("PATH")
	f.Cluster = clustertest.Up(t, config)
	return f
}

// netJob is a job of netrank in a box.
type netJob struct {
	*launcher
	box *fleet
	dir string // holds the ranks' reports, and the file that ends the job
}

// job starts netrank with "weft run" on h0. Modes that go on until there is a file are given its name.
func (f *fleet) job(t *testing.T, options, mode string, words ...string) *netJob {
	t.Helper()
	j := &netJob{box: f, dir: t.TempDir()}
	args := append(shellWords(options), "--bind-to", "none", "--set", "report="+j.dir, filepath.Join(f.bin, "netrank"), mode)
	if mode != "idle" && mode != "soak" && mode != "wait" && mode != "every" {
		args = append(args, j.endFile())
	}
	j.launcher = f.launch(t, append(args, words...)...)
	return j
}

func (j *netJob) endFile() string { return filepath.Join(j.dir, "end") }

// end lets the job come to its end, which must be a good one.
func (j *netJob) end(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(j.endFile(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j.good(t)
}

// good waits for the end, which must be a good one.
func (j *netJob) good(t *testing.T) {
	t.Helper()
	if code := j.code(t); code != 0 {
		t.Fatalf("code %d:\n%s", code, tail(j.out.String()))
	}
}

// tail is the end of what a job has said.
func tail(text string) string { return text[max(0, len(text)-1500):] }

// patience is longer than the slowest machine takes.
const patience = 2 * time.Minute

// eventually waits for a condition.
func eventually(condition func() bool) bool {
	for start := time.Now(); time.Since(start) < patience; time.Sleep(20 * time.Millisecond) {
		if condition() {
			return true
		}
	}
	return false
}

func (j *netJob) eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	if !eventually(condition) {
		t.Fatalf("not within %v: %s. The job says\n%s", patience, what, tail(j.out.String()))
	}
}

// said counts how often the job has said something.
func (j *netJob) said(what string) int { return strings.Count(j.out.String(), what) }

// more waits until the job has said something so many times more.
func (j *netJob) more(t *testing.T, what string, times int) {
	t.Helper()
	want := j.said(what) + times
	j.eventually(t, fmt.Sprintf("%q %d times", what, want), func() bool { return j.said(what) >= want })
}

// netReport is what tests read of the report of a rank.
type netReport struct {
	Host string
	Rail struct {
		Channel  string
		Counters struct{ Reads, Datagrams, Broken, Resent uint64 }
		Device   map[string]uint64
		Rails    []struct{ Bytes uint64 } // of long messages
		Peers    int                      // spoken to over the network
	}
}

// reports reads what the ranks have left behind.
func (j *netJob) reports(t *testing.T, ranks int) []netReport {
	t.Helper()
	return readReports(t, j.dir, ranks)
}

func readReports(t *testing.T, dir string, ranks int) []netReport {
	t.Helper()
	all := make([]netReport, ranks)
	for i := range all {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("rank-%d.json", i)))
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// socket is one that a rank listens on.
type socket struct {
	addr string
	port int
}

func (s socket) String() string { return fmt.Sprintf("%s:%d", s.addr, s.port) }

var ssLine = regexp.MustCompile(`(?m)^\S+ +\d+ +\d+ +(\S+):(\d+) .*"netrank"`)

// listeners are the sockets of ranks on a host: kind is "-t" for connections, "-u" for datagrams.
func (f *fleet) listeners(t *testing.T, host, kind string) []socket {
	t.Helper()
	out, err := f.Command(host, "ss", "-Hlnp", kind).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []socket
	for _, m := range ssLine.FindAllStringSubmatch(string(out), -1) {
		port, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, socket{m[1], port})
	}
	return all
}

// carried is what an interface of a host has sent and received, in bytes.
func (f *fleet) carried(t *testing.T, host, iface string) uint64 {
	t.Helper()
	out, err := f.Command(host, "cat", "/proc/net/dev").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, numbers, _ := strings.Cut(strings.TrimSpace(line), ":")
		if n := strings.Fields(numbers); name == iface && len(n) > 8 {
			in, err := strconv.ParseUint(n[0], 10, 64)
			sent, err2 := strconv.ParseUint(n[8], 10, 64)
			if err != nil || err2 != nil {
				t.Fatalf("cannot read %q", line)
			}
			return in + sent
		}
	}
	t.Fatalf("%s has no %s:\n%s", host, iface, out)
	return 0
}
