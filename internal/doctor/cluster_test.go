package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
	"github.com/weft-mpi/weft/internal/launch/hosts"
)

// The test program is the doctor on h0 when this variable is set to its orders, and the agent on the other hosts.
const orders = "WEFT_DOCTOR_TEST"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(orders) != "":
		examineByOrder()
	case slices.Equal(os.Args[1:], []string{"doctor", "--agent"}):
		version := os.Getenv("WEFT_DOCTOR_TEST_VERSION")
		if version == "" {
			version = "v1"
		}
		if err := Serve(context.Background(), os.Stdin, os.Stdout, version); err != nil {
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

func examineByOrder() {
	var o Order
	if err := json.Unmarshal([]byte(os.Getenv(orders)), &o); err != nil {
		panic(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(Examine(context.Background(), o)); err != nil {
		panic(err)
	}
}

// found is a finding as it comes out of JSON.
type found struct{ Grade, Host, Check, Text, Fix string }

// examine runs the doctor on h0 and returns what is not well, without what this machine's other work causes.
func examine(t *testing.T, c *cluster.Cluster, change func(o *Order)) (bad []found, well []string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Order{
		Remote:   Remote{SSH: []string{"ssh"}, Weft: []string{exe}, Limit: time.Minute, Version: "v1"},
		Patience: 10 * time.Second,
		Ports:    Ports{20000, 20100},
	}
	for _, name := range c.Hosts() {
		o.Hosts = append(o.Hosts, hosts.Host{Name: name})
	}
	change(&o)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := c.Command("h0", exe)
	cmd.Env = append(os.Environ(), orders+"="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct{ Findings []found }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range report.Findings {
		switch {
		case slices.Contains([]string{"load", "memory", "cpus", "open files", "receive buffer", "send buffer", "congestion", "quota", "single copy"}, f.Check):
		case f.Grade == "ok":
			well = append(well, f.Check+": "+f.Text)
		default:
			bad = append(bad, f)
		}
	}
	return bad, well
}

// want is a finding that is expected: its host, its check, and words of its text.
func want(t *testing.T, what string, got []found, want ...found) {
	t.Helper()
	for _, w := range want {
		if !slices.ContainsFunc(got, func(f found) bool {
			return f.Grade == w.Grade && f.Host == w.Host && f.Check == w.Check && strings.Contains(f.Text, w.Text) && f.Fix != ""
		}) {
			t.Errorf("%s: not found: %+v", what, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: found %d things, want %d: %+v", what, len(got), len(want), got)
	}
}

// upAgain waits until the kernel has noticed that an interface of all hosts has its carrier back, which it
// looks at once a second, and forgets which neighbours did not answer meanwhile.
func upAgain(t *testing.T, c *cluster.Cluster, name string) {
	t.Helper()
	for _, h := range c.Hosts() {
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			text, err := c.Command(h, "ip", "-o", "link", "show", name).CombinedOutput()
			if err == nil && strings.Contains(string(text), "state UP") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %v %s", h, err, text)
			}
		}
		if text, err := c.Command(h, "ip", "neigh", "flush", "dev", name).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", h, err, text)
		}
	}
}

// TestClusterOfThree makes faults one after the other; each must be found and named, and nothing else.
func TestClusterOfThree(t *testing.T) {
	c := clustertest.Up(t, cluster.Config{Hosts: 3, Rails: 2})
	on := func(host string, args ...string) {
		t.Helper()
		if text, err := c.Command(host, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", host, err, text)
		}
	}
	plain := func(*Order) {}
	hurried := func(o *Order) { o.Patience = 2 * time.Second } // which every silence takes

	bad, well := examine(t, c, plain)
	want(t, "nothing wrong", bad)
	for _, text := range []string{
		"network: 10.77.0.0/24: TCP and UDP pass between h0, h1, h2", "network: 10.77.1.0/24: TCP and UDP pass between h0, h1, h2",
		"ssh: works without a password", "version: weft v1",
	} {
		if !slices.Contains(well, text) {
			t.Errorf("not told: %s", text)
		}
	}

	// A cut rail and three firewalls, of which one lets a single port through.
	if err := c.Cut("h1", 1); err != nil {
		t.Fatal(err)
	}
	const filter = "table inet filter { chain input { type filter hook input priority 0; %s; }; }"
	on("h2", "nft", fmt.Sprintf(filter, "iifname eth0 tcp dport 20000-20100 drop"))
	on("h1", "nft", fmt.Sprintf(filter, "iifname eth0 udp dport 20000-20100 reject"))
	on("h0", "nft", fmt.Sprintf(filter, "iifname eth1 tcp dport 20001-20100 reject"))
	bad, _ = examine(t, c, hurried)
	want(t, "cut rail and firewalls", bad,
		found{Grade: "fail", Host: "h0", Check: "firewall", Text: "10.77.1.1 (eth1) from h2: TCP port 20033 (of 20000-20100) is rejected by a firewall, UDP passes"},
		found{Grade: "warn", Host: "h1", Check: "interface", Text: "eth1 has no carrier"},
		found{Grade: "fail", Host: "h1", Check: "cable", Text: "eth1 has no carrier: nothing passes between it and h0, h2"},
		found{Grade: "fail", Host: "h2", Check: "firewall", Text: "10.77.0.3 (eth0) from h0, h1: TCP port 20000 (of 20000-20100) is dropped by a firewall"},
		found{Grade: "fail", Host: "h1", Check: "firewall", Text: "10.77.0.2 (eth0) from h0, h2: UDP port 20000 (of 20000-20100) is rejected by a firewall"})

	// Another wire that carries nothing although it is plugged in, and different MTUs. Other ports are open.
	if err := c.Heal("h1", 1); err != nil {
		t.Fatal(err)
	}
	upAgain(t, c, "eth1")
	if err := c.Loss("h2", 1, 100); err != nil {
		t.Fatal(err)
	}
	on("h0", "ip", "link", "set", "eth0", "mtu", "9000")
	bad, _ = examine(t, c, func(o *Order) {
		hurried(o)
		o.Ports = Ports{30000, 30100}
	})
	want(t, "broken wire and MTU", bad,
		found{Grade: "fail", Host: "h0", Check: "network", Text: "10.77.1.1 (eth1) from h2: nothing passes"},
		found{Grade: "fail", Host: "h1", Check: "network", Text: "10.77.1.2 (eth1) from h2: nothing passes"},
		found{Grade: "fail", Host: "h2", Check: "network", Text: "10.77.1.3 (eth1) from h0, h1: nothing passes"},
		found{Grade: "warn", Check: "mtu", Text: "10.77.0.0/24 differ in MTU: 1500 on h1 eth0, h2 eth0; 9000 on h0 eth0"},
		found{Grade: "fail", Host: "h1", Check: "mtu", Text: "10.77.0.2 (eth0) from h0: small packets pass, packets of 9000 bytes do not"},
		found{Grade: "fail", Host: "h2", Check: "mtu", Text: "10.77.0.3 (eth0) from h0: small packets pass, packets of 9000 bytes do not"})
}

// TestClusterContact has hosts on which ssh or weft does not work as it should.
func TestClusterContact(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: many calls of ssh, one after the other")
	}
	c := clustertest.Up(t, cluster.Config{Hosts: 2})
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	with := func(paths ...string) func(o *Order) { return func(o *Order) { o.Remote.Weft = paths } }

	bad, _ := examine(t, c, with("/nowhere/weft"))
	want(t, "no weft", bad, found{Grade: "fail", Host: "h1", Check: "weft", Text: "there is no weft"})
	bad, _ = examine(t, c, with("/nowhere/weft", exe))
	want(t, "weft elsewhere", bad)
	bad, _ = examine(t, c, with(script("old", "WEFT_DOCTOR_TEST_VERSION=v0 exec "+exe+` "$@"`)))
	want(t, "old weft", bad, found{Grade: "fail", Host: "h1", Check: "version", Text: "weft there is v0, here v1"})
	bad, _ = examine(t, c, with(script("chatty", "echo Welcome; exec "+exe+` "$@"`)))
	want(t, "chatty shell", bad, found{Grade: "warn", Host: "h1", Check: "shell", Text: "1 line(s)"})
	bad, _ = examine(t, c, func(o *Order) { o.Remote.Weft, o.Remote.Limit = []string{script("stuck", "sleep 1000")}, time.Second })
	want(t, "stuck shell", bad, found{Grade: "fail", Host: "h1", Check: "ssh", Text: "did not answer in time"})
	bad, _ = examine(t, c, with(script("broken", "echo cannot work >&2; exit 3")))
	want(t, "broken weft", bad, found{Grade: "fail", Host: "h1", Check: "weft", Text: "code 3 (cannot work)"})
	bad, _ = examine(t, c, func(o *Order) {
		o.Remote.SSH = []string{"ssh", "-F", "/dev/null", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"}
	})
	want(t, "not let in", bad, found{Grade: "fail", Host: "h1", Check: "ssh", Text: "Permission denied"})
	bad, _ = examine(t, c, func(o *Order) { o.Hosts = append(o.Hosts, hosts.Host{Name: "h9"}) })
	want(t, "no such host", bad, found{Grade: "fail", Host: "h9", Check: "ssh", Text: "resolve"})
	if err := c.Kill("h1"); err != nil {
		t.Fatal(err)
	}
	bad, _ = examine(t, c, with(exe))
	want(t, "no ssh server", bad, found{Grade: "fail", Host: "h1", Check: "ssh", Text: "refused"})
}
