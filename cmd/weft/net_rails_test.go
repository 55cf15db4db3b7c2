package main

import (
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
)

// streamOnTwoRails starts long messages from h0 to h1 over two slow rails, 32 MB at a time.
func streamOnTwoRails(t *testing.T) *netJob {
	f := newBox(t, cluster.Config{Hosts: 2, Rails: 2, Rate: 200 * cluster.Mbit})
	j := f.job(t, "--host h0,h1 -n 2 --host-timeout 120 --set silence=1s", "stream", "32")
	j.more(t, "whole", 1)
	return j
}

// usesBoth waits until each rail has carried a good part of a message.
func (j *netJob) usesBoth(t *testing.T) {
	t.Helper()
	for _, iface := range []string{"eth0", "eth1"} {
		before := j.box.carried(t, "h1", iface)
		j.eventually(t, "megabytes on "+iface, func() bool { return j.box.carried(t, "h1", iface) > before+8<<20 })
	}
}

// One of two rails is cut in the middle of a message: this one and the next arrive over the other, and after the wire
// was mended both are used again.
func TestNetRailCut(t *testing.T) {
	for _, c := range []struct {
		name string
		host string
		rail int
	}{{"second rail of the receiver", "h1", 1}, {"first rail of the sender", "h0", 0}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			j := streamOnTwoRails(t)
			j.usesBoth(t)
			j.more(t, "sending", 1)
			if err := j.box.Cut(c.host, c.rail); err != nil {
				t.Fatal(err)
			}
			// Rail 0 is also where the words of the ranks travel, so count where they cannot be held up: at the end.
			if c.rail == 0 {
				time.Sleep(3 * time.Second)
			} else {
				j.more(t, "whole", 2)
			}
			if err := j.box.Heal(c.host, c.rail); err != nil {
				t.Fatal(err)
			}
			j.usesBoth(t)
			j.more(t, "whole", 1)
			j.end(t)
			j.checkRails(t)
		})
	}
}

// checkRails: both rails carried much, and connections did break.
func (j *netJob) checkRails(t *testing.T) {
	t.Helper()
	var bytes [2]uint64
	broken := uint64(0)
	for rank, r := range j.reports(t, 2) {
		if len(r.Rail.Rails) != 2 {
			t.Fatalf("rank %d has rails %+v", rank, r.Rail.Rails)
		}
		broken += r.Rail.Counters.Broken
		for i, rail := range r.Rail.Rails {
			bytes[i] += rail.Bytes
		}
	}
	if bytes[0] < 16<<20 || bytes[1] < 16<<20 || broken == 0 {
		t.Errorf("rails carried %d bytes, %d connections broke", bytes, broken)
	}
}

// Nothing gets through for three seconds: everything arrives later.
func TestNetAllRailsCut(t *testing.T) {
	t.Parallel()
	j := streamOnTwoRails(t)
	j.more(t, "sending", 1)
	if err := j.box.Cut("h1", cluster.AllRails); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	if err := j.box.Heal("h1", cluster.AllRails); err != nil {
		t.Fatal(err)
	}
	j.more(t, "whole", 2)
	j.usesBoth(t)
	j.end(t)
	j.checkRails(t)
}
