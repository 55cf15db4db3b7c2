package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/cluster"
)

// layouts are jobs on hosts that have nothing in common but the network: they must choose alike all the same.
var layouts = []string{
	"--host h0:3,h1:1",
	"--host h0:1,h1:3",
	"--host h0:4,h1:1",
	"--host h0:2,h1:2",
	"--host h0:1,h1:1,h2:5",
	"--host h0:2,h1:1,h2:3",
	"--map-by node --host h0:3,h1:3 -n 5",
}

// every runs every collective in a box, on hosts as the options say, and with lengths for which
// different algorithms are chosen.
func (f *fleet) every(t *testing.T, options string, lengths ...string) {
	t.Helper()
	if len(lengths) == 0 {
		lengths = []string{"8", "1000", "40000"}
	}
	j := f.job(t, options+" --oversubscribe --host-timeout 120", "every", lengths...)
	j.good(t)
	if !strings.Contains(j.out.String(), "collectives right") {
		t.Errorf("%s: nobody says that all is right:\n%s", options, tail(j.out.String()))
	}
}

// Hosts with different numbers of ranks take the same algorithms.
func TestNetLayouts(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 3})
	for i, options := range layouts {
		t.Run(options, func(t *testing.T) {
			f.every(t, options)
			if i == 0 || i == len(layouts)-1 || os.Getenv("WEFT_SOAK") != "" { // the others take long, and choose as these do
				f.every(t, options, "1600000")
			}
		})
	}
}

// Hosts that differ in what they are, not only in how many ranks they have, take the same
// algorithms: one has fewer processors, on one the kernel keeps ranks from each other's memory, one
// has a rail less, and rails are of different rates.
func TestNetUnlikeHosts(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 3, Rails: 2})
	on := func(host string, args ...string) {
		t.Helper()
		if out, err := f.Command(host, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %v\n%s", host, args, err, out)
		}
	}
	even := "--host h0:2,h1:2"
	t.Run("one processor", func(t *testing.T) {
		on("h1", "taskset", "-p", "-c", "0", "1") // of its ssh server, which starts all others
		f.every(t, even)
		on("h1", "taskset", "-p", "-c", "0-1", "1")
	})
	t.Run("copies denied", func(t *testing.T) {
		f.every(t, "--host h0:3,h1:3 -x NETRANK_DENY=h1")
		f.every(t, "--host h0:1,h1:3,h2:2 -x NETRANK_DENY=h1", "8", "40000")
	})
	t.Run("rates", func(t *testing.T) {
		if err := errors.Join(f.Rate("h0", 0, 2e9), f.Rate("h0", 1, 5e8), f.Rate("h1", 1, 1e9)); err != nil {
			t.Fatal(err)
		}
		f.every(t, "--host h0:2,h1:1,h2:1", "8", "200000")
		if err := errors.Join(f.Rate("h0", 0, 0), f.Rate("h0", 1, 0), f.Rate("h1", 1, 0)); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("a rail less", func(t *testing.T) {
		on("h1", "ip", "link", "set", "dev", "eth1", "down")
		f.every(t, "--host h0:2,h1:1,h2:2", "8", "200000")
		on("h1", "ip", "link", "set", "dev", "eth1", "up")
	})
}

// Settings that must be the same and are not end the job at its start, with words that say which,
// where and what; so do programs that cannot understand each other. It does not hang.
func TestNetSettingsDiffer(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	netrank := filepath.Join(f.bin, "netrank")
	for _, c := range []struct{ name, value, first string }{
		{"WEFT_LAB_COLL_SLIPS", "off", "on"}, {"WEFT_COLL_NODE", "0", "256M"}, {"WEFT_LAB_NODES", "2", "empty"}, {"WEFT_CHECK", "on", "off"},
		{"WEFT_CHANNEL", "hybrid", "srq"}, {"WEFT_COLL", "bcast=flat", "empty"}, {"WEFT_LAB_STRIPE", "1M", "64K"},
	} {
		l := f.launch(t, "--host", "h0:2,h1:2", "-n", "2", netrank, "every", "8", ":", "-n", "2", "-env", c.name, c.value, netrank, "every", "8")
		if code := l.code(t); code == 0 {
			t.Errorf("%s: code 0", c.name)
		}
		want := fmt.Sprintf("%s is %s on rank 2 (host h1) and %s on rank 0 (host h0)", c.name, c.value, c.first)
		if !strings.Contains(l.out.String(), want) {
			t.Errorf("no %q in\n%s", want, l.out.String())
		}
	}
}

// others are values that are not the default of settings that may differ between ranks.
var others = map[string]string{
	"WEFT_STALL": "50s", "WEFT_PROGRESS": "wake", "WEFT_WAIT": "park", "WEFT_LAB_EAGER_MAX": "1K",
	"WEFT_CMA": "off", "WEFT_LAB_HELP": "on", "WEFT_ARENA": "64M", "WEFT_BSEND": "1M",
	"WEFT_UNEXPECTED": "64K", "WEFT_RNDV": "rput", "WEFT_RAILS": "1", "WEFT_NET_EAGER_MAX": "1K",
	"WEFT_LAB_NET_EAGER_ALONE": "0", "WEFT_LAB_NET_UNASKED": "0", "WEFT_LAB_NET_PREFIX": "0", "WEFT_LAB_HOLD": "0",
	"WEFT_LAB_PLACE": "off", "WEFT_LAB_SRQ_SIZE": "40", "WEFT_LAB_SRQ_LIMIT": "5",
	"WEFT_LAB_SR_FIRST": "8", "WEFT_LAB_SR_FULL": "16", "WEFT_LAB_RING_AFTER": "1", "WEFT_LAB_RING_PEERS": "1",
	"WEFT_LAB_RING_BYTES": "64K", "WEFT_LAB_RC_RECVS": "10", "WEFT_LAB_RC_MAX": "1", "WEFT_LAB_PROMOTE": "1",
	"WEFT_LAB_SEND_BYTES": "256K", "WEFT_LAB_STRIPING": "even",
	"WEFT_LAB_UD_WINDOW": "16", "WEFT_LAB_UD_ACK_EVERY": "3",
	"WEFT_LAB_UD_ACK_DELAY": "1ms", "WEFT_LAB_UD_TIMEOUT": "50ms", "WEFT_LAB_UD_RETRY": "2000",
	"WEFT_LAB_UD_PATIENCE": "1", "WEFT_LAB_CONGESTION": "reno", "WEFT_SILENCE": "8s", "WEFT_LAB_QUIET": "0",
	"WEFT_PEER_WAIT": "30s", "WEFT_LAB_RECONNECT": "off", "WEFT_LAB_CRC": "on", "WEFT_LAB_REGCACHE": "0",
	"WEFT_LAB_REGCACHE_BYTES": "1M", "WEFT_LAB_REUSE": "off", "WEFT_LAB_REUSE_WAITS": "on", "WEFT_LAB_REUSE_SPEC": "0",
	"WEFT_LAB_REUSE_ADAPT": "0", "WEFT_LAB_REUSE_TABLE": "tree", "WEFT_LAB_REUSE_COSTS": "paper",
	"WEFT_LAB_SPEC_THRESHOLD": "0", "WEFT_LAB_SPEC_SAMPLES": "1", "WEFT_LAB_SPEC_WINDOW": "4",
	"WEFT_LAB_SPEC_SCOPE": "process", "WEFT_LAB_SPEC_UNUSED": "1", "WEFT_LAB_SPEC_RTT": "0",
	"WEFT_LAB_SPEC_CHAIN": "off", "WEFT_LAB_SPEC_INITIAL": "off", "WEFT_LAB_RMA_PUT": "0",
	"WEFT_LAB_RMA_GET": "0", "WEFT_LAB_RMA_COPY": "0", "WEFT_LAB_UD_DROP": "1%", "WEFT_LAB_UD_DOUBLE": "1%",
	"WEFT_LAB_UD_DELAY": "1%", "WEFT_IFACE": "eth0", "WEFT_PORTS": "20000-20100",
	"WEFT_LAB_COMM_NUMBERS": "100", "WEFT_RDMA_GID": "3", "WEFT_RDMA_SL": "1", "WEFT_RDMA_TCLASS": "104", "WEFT_LAB_RDMA_LIBRARY": "on",
}

// Whatever is not listed as having to be the same may differ between the ranks of a job, all of it at once.
func TestNetSettingsMayDiffer(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	words := []string{filepath.Join(f.bin, "netrank"), "soak", "3", "4"}
	set, err := boot.ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	var envs []string
	for _, i := range set.Values {
		switch other := others[i.Name]; {
		case i.Alike || i.Name == "WEFT_REPORT" || i.Name == "WEFT_DEVICE": // what the devices are is compared, and other ones need adapters
		case other == "" || other == i.Default:
			t.Errorf("%s has no other value in this test", i.Name)
		default:
			envs = append(envs, "-env", i.Name, other)
		}
	}
	for _, common := range []string{"channel=srq", "channel=hybrid", "rndv=speculative", "channel=ardma-sr"} {
		args := slices.Concat([]string{"--oversubscribe", "--timeout", "120", "--host", "h0:2,h1:2", "--set", common, "-n", "1"}, words,
			[]string{":", "-n", "2"}, envs, words, []string{":", "-n", "1"}, words)
		if l := f.launch(t, args...); l.code(t) != 0 {
			t.Errorf("%s:\n%s", common, tail(l.out.String()))
		}
	}
}
