package cluster_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

func TestCutAndHeal(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 2, Rails: 2})
	carrier := func(nic string) string { return on(t, c, "h1", "cat", "/sys/class/net/"+nic+"/carrier") }
	if err := c.Cut("h1", 1); err != nil {
		t.Fatal(err)
	}
	if carrier("eth0") != "1" || carrier("eth1") != "0" {
		t.Error("not exactly the carrier of rail 1 is gone")
	}
	if !answers(c, "h0", "h1") || !silent(c, "h0", "h1-r1") {
		t.Error("not exactly rail 1 is cut")
	}
	if err := c.Heal("h1", cluster.AllRails); err != nil {
		t.Fatal(err)
	}
	if carrier("eth1") != "1" || !answers(c, "h0", "h1-r1") {
		t.Error("rail 1 is not healed")
	}
	if err := c.Cut("h1", 2); err == nil {
		t.Error("a rail was cut that is not there")
	}
	if err := c.Heal("h2", 0); err == nil {
		t.Error("a host was healed that is not there")
	}
}

// TestLoss counts what arrives of many datagrams.
func TestLoss(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 2, NoOffload: true})
	received := func() int {
		n, err := strconv.Atoi(on(t, c, "h1", "cat", "/sys/class/net/eth0/statistics/rx_packets"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	arrived := func() int {
		before := received()
		cmd := c.Command("h0", os.Args[0])
		cmd.Env = append(os.Environ(), part+"=send "+c.Addr("h1", 0).String()+":9")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("the sender notices: %v %s", err, text)
		}
		return received() - before
	}
	on(t, c, "h0", "ssh", "h1", "true") // both know each other's address
	// Each wire loses on its own: a share that stays is that of both together. Bounds are ten deviations wide.
	for _, want := range []struct {
		from, to    cluster.Percent
		least, most int
	}{
		{0, 0, datagrams, datagrams + 100},
		{20, 0, datagrams*74/100 - 1, datagrams*86/100 + 100},
		{0, 50, datagrams*42/100 - 1, datagrams*58/100 + 100},
		{50, 50, datagrams*18/100 - 1, datagrams*32/100 + 100},
		{100, 0, 0, 100},
		{0, 0, datagrams, datagrams + 100},
	} {
		if err := c.Loss("h0", 0, want.from); err != nil {
			t.Fatal(err)
		}
		if err := c.Loss("h1", cluster.AllRails, want.to); err != nil {
			t.Fatal(err)
		}
		if got := arrived(); got < want.least || got > want.most {
			t.Errorf("loss %v%% and %v%%: %d of %d arrived, want %d to %d", want.from, want.to, got, datagrams, want.least, want.most)
		}
	}
	if err := c.Loss("h0", 0, 101); err == nil {
		t.Error("more than everything is lost")
	}
}

// TestRate looks for the limit at both ends of a wire.
func TestRate(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 2, Rails: 2, Rate: cluster.Gbit})
	limits := func(rail string) string {
		atSwitch, err := cluster.OnSwitch(c, "tc", "qdisc", "show", "dev", "h1r"+rail)
		if err != nil {
			t.Fatal(err)
		}
		return atSwitch + on(t, c, "h1", "tc", "qdisc", "show", "dev", "eth"+rail)
	}
	if got := limits("0"); strings.Count(got, "rate 1Gbit") != 2 {
		t.Errorf("not limited as configured: %s", got)
	}
	if err := c.Rate("h1", 1, 100*cluster.Mbit); err != nil {
		t.Fatal(err)
	}
	if got := limits("0") + limits("1"); strings.Count(got, "rate 1Gbit") != 2 || strings.Count(got, "rate 100Mbit") != 2 {
		t.Errorf("not exactly rail 1 is changed: %s", got)
	}
	if err := c.Rate("h1", cluster.AllRails, 0); err != nil {
		t.Fatal(err)
	}
	if got := limits("0") + limits("1"); strings.Contains(got, "tbf") {
		t.Errorf("still limited: %s", got)
	}
	if err := c.Rate("h1", 0, 1); err == nil {
		t.Error("a rate of one bit per second")
	}
	on(t, c, "h0", "ssh", "h1-r1", "true")
}

func TestNoOffload(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 1, NoOffload: true})
	atSwitch, err := cluster.OnSwitch(c, "ethtool", "-k", "h0r0")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{atSwitch, on(t, c, "h0", "ethtool", "-k", "eth0")} {
		for _, feature := range []string{"tcp-segmentation-offload", "generic-segmentation-offload", "generic-receive-offload"} {
			if !strings.Contains(text, "\n"+feature+": off") {
				t.Errorf("%s is on:\n%s", feature, text)
			}
		}
	}
}

// TestKillCrashBoot ends a host in both ways and starts it again.
func TestKillCrashBoot(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 2, Rails: 2})
	on(t, c, "h1", "touch", "/dev/shm/before")
	for _, end := range []struct {
		name   string
		do     func(string) error
		signed bool // its kernel still refuses connections
	}{{"kill", c.Kill, true}, {"crash", c.Crash, false}} {
		sleep := c.Command("h1", "sleep", "1000")
		if err := sleep.Start(); err != nil {
			t.Fatal(err)
		}
		if err := end.do("h1"); err != nil {
			t.Fatal(err)
		}
		if err := sleep.Wait(); err == nil {
			t.Errorf("%s: a process of the host ended well", end.name)
		}
		if c.Status().Hosts[1].Pid != 0 {
			t.Errorf("%s: the host is up", end.name)
		}
		for rail, w := range c.Status().Hosts[1].Wires {
			if w.Cut == end.signed {
				t.Errorf("%s: rail %d cut: %v", end.name, rail, w.Cut)
			}
		}
		text, err := c.Command("h0", "ssh", "-o", "ConnectTimeout=1", "h1", "true").CombinedOutput()
		if err == nil || strings.Contains(string(text), "refused") != end.signed {
			t.Errorf("%s: seen from the other host: %v %s", end.name, err, text)
		}
		if err := c.Boot(t.Context(), "h1"); err != nil {
			t.Fatal(err)
		}
		if !answers(c, "h0", "h1") || !answers(c, "h1", "h0-r1") {
			t.Errorf("%s: the host did not come back", end.name)
		}
		if got := on(t, c, "h1", "ls", "/dev/shm"); got != "" {
			t.Errorf("%s: shared memory outlived the host: %s", end.name, got)
		}
	}
	if err := c.Boot(t.Context(), "h1"); err != nil {
		t.Errorf("boot of a running host: %v", err)
	}
}

// TestStatus reads back what was done.
func TestStatus(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 2, Rails: 2, Loss: 0.5})
	if err := c.Cut("h1", 0); err != nil {
		t.Fatal(err)
	}
	if err := c.Rate("h1", 1, cluster.Gbit); err != nil {
		t.Fatal(err)
	}
	s := c.Status()
	if len(s.Hosts) != 2 || s.Hosts[1].Name != "h1" || s.Hosts[0].Pid == s.Hosts[1].Pid {
		t.Fatalf("%+v", s)
	}
	got := s.Hosts[1].Wires
	want := []cluster.Wire{
		{Interface: "eth0", Address: "10.77.0.2", Cut: true, Loss: 0.5},
		{Interface: "eth1", Address: "10.77.1.2", Loss: 0.5, Rate: cluster.Gbit},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("wires %+v, want %+v", got, want)
	}
}
