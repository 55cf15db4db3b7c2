package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/launch/launchtest"
)

// intruder is a stranger at work.
type intruder struct {
	cmd *exec.Cmd
	out launchtest.Output
}

// intrude starts a stranger on a host; it ends with the test.
func (f *fleet) intrude(t *testing.T, host string, words ...string) *intruder {
	t.Helper()
	i := &intruder{cmd: exec.Command(filepath.Join(f.bin, "stranger"), words...)}
	i.cmd.Stdout, i.cmd.Stderr = &i.out, &i.out
	hold, err := i.cmd.StdinPipe()
	if err == nil {
		err = f.Start(host, i.cmd)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = hold.Close()
		_ = i.cmd.Wait()
	})
	return i
}

// says waits until an intruder says something.
func (i *intruder) says(t *testing.T, what string) {
	t.Helper()
	if !eventually(func() bool { return strings.Contains(i.out.String(), what) }) {
		t.Fatalf("the stranger does not say %q but\n%s", what, tail(i.out.String()))
	}
}

// Whatever strangers do to the ports of a job, its messages go on and are right.
func TestNetStrangers(t *testing.T) {
	const first, last = 21000, 21099
	for _, c := range []struct {
		channel                string
		connections, datagrams bool // that the channel uses
	}{{"srq", true, false}, {"ud", false, true}, {"rd", false, true}, {"hybrid", true, true}} {
		t.Run(c.channel, func(t *testing.T) {
			t.Parallel()
			f := newBox(t, cluster.Config{Hosts: 3})
			loot := filepath.Join(t.TempDir(), "loot")
			spy := f.intrude(t, "h1", "sniff", fmt.Sprint(first), fmt.Sprint(last), loot)
			spy.says(t, "in place")
			j := f.job(t, fmt.Sprintf("--host h0:2,h1:2 --host-timeout 120 --port-range %d-%d --set channel=%s --set lab_promote=64", first, last, c.channel), "rounds")
			j.more(t, "round", 2)
			var strangers []*intruder
			if c.connections {
				spy.says(t, "heard a request")
				strangers = append(strangers, f.intrude(t, "h2", append([]string{"connect", "200", loot}, j.targets(t, "-t")...)...))
			}
			if c.datagrams {
				spy.says(t, "heard datagrams")
				strangers = append(strangers, f.intrude(t, "h2", append([]string{"datagram"}, j.targets(t, "-u")...)...),
					f.intrude(t, "h2", "replay", loot))
			}
			if c.datagrams && !c.connections { // else most messages go over these
				strangers = append(strangers, f.intrude(t, "h1", "forge", fmt.Sprint(first), fmt.Sprint(last)))
			}
			j.bear(t, strangers)
			j.end(t)
			j.undisturbed(t, c.channel, c.connections, c.datagrams)
		})
	}
}

// targets are the ports of the job's four ranks.
func (j *netJob) targets(t *testing.T, kind string) (all []string) {
	t.Helper()
	for _, host := range []string{"h0", "h1"} {
		for _, s := range j.box.listeners(t, host, kind) {
			all = append(all, s.String())
		}
	}
	if len(all) != 4 {
		t.Fatalf("four ranks listen on %q", all)
	}
	return all
}

// bear waits until all strangers are at it, and then for fifty rounds of the job.
func (j *netJob) bear(t *testing.T, strangers []*intruder) {
	t.Helper()
	for _, s := range strangers {
		s.says(t, "in place")
	}
	j.more(t, "round", 5)
	for _, s := range strangers {
		if strings.Contains(s.out.String(), "stranger: ") {
			t.Errorf("a stranger gave up:\n%s", tail(s.out.String()))
		}
	}
}

// undisturbed looks at a job that has ended: nothing was wrong, no connection broke, though strangers were there.
func (j *netJob) undisturbed(t *testing.T, channel string, connections, datagrams bool) {
	t.Helper()
	if j.said("all rounds right") != 1 {
		t.Errorf("the job says\n%s", tail(j.out.String()))
	}
	replayed := uint64(0)
	for rank, r := range j.reports(t, 4) {
		if r.Rail.Channel != channel || r.Rail.Peers != 2 || r.Rail.Counters.Broken != 0 {
			t.Errorf("rank %d: %+v", rank, r.Rail)
		}
		if connections && r.Rail.Device["strangers"] == 0 || datagrams && r.Rail.Device["datagrams_bad_tag"] == 0 {
			t.Errorf("no stranger has come to rank %d: %v", rank, r.Rail.Device)
		}
		replayed += r.Rail.Device["datagrams_replayed"] + r.Rail.Device["datagrams_too_old"]
	}
	if datagrams && replayed == 0 {
		t.Error("nothing that was recorded has come again")
	}
}
