package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/cluster/clustertest"
	"github.com/weft-mpi/weft/internal/soak"
)

func TestSoakFlags(t *testing.T) {
	o, err := parseSoak(strings.Fields("-n 3 --host a,b:2 --host c --time 90 --seed 7 --set channel=ud,rndv=rput --set iface=eth0,eth1 --limit 5s --json"))
	if err != nil {
		t.Fatal(err)
	}
	want := &soakOptions{ranks: 3, hosts: []string{"a,b:2", "c"}, time: 90 * time.Second, seed: 7, limit: 5 * time.Second, json: true,
		settings: []string{"channel=ud", "rndv=rput", "iface=eth0,eth1"}}
	if !reflect.DeepEqual(o, want) {
		t.Errorf("got %+v", o)
	}
	words, err := o.runWords()
	if err != nil {
		t.Fatal(err)
	}
	run, err := parseRun(words)
	if err != nil {
		t.Fatalf("weft run does not understand %q: %v", words, err)
	}
	if !slices.Contains(run.globalEnv, "WEFT_IFACE=eth0,eth1") || run.apps[0].ranks != 3 || len(run.reach.hosts) != 2 {
		t.Errorf("the job is %+v", run)
	}
	again, err := parseSoak(run.apps[0].argv[2:]) // what a rank is given
	if err != nil || again.seed != 7 || again.time != o.time || again.limit != o.limit || !again.json {
		t.Errorf("a rank reads %+v, %v", again, err)
	}
	for _, bad := range []string{"--set channel", "--set =ud", "--time never", "--time -1s", "-n 0", "word", "--box --host a", "--box --rounds 3",
		"--legs srq/rget", "--leg 3s", "--box --legs srq/none", "--seed x", "--host ="} {
		if o, err := parseSoak(strings.Fields(strings.ReplaceAll(bad, "--host =", "--host= "))); err == nil {
			t.Errorf("%s: understood as %+v", bad, o)
		}
	}
}

// Every channel between processes: where there are datagrams some are lost, doubled and late.
func TestSoakEveryChannel(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: takes seconds")
	}
	for i, l := range []string{"srq/rget", "sr/rput", "ardma-srq/speculative", "ud/rget", "rd/rput", "hybrid/speculative"} {
		t.Run(l, func(t *testing.T) {
			channel, way, _ := strings.Cut(l, "/")
			line := "soak --time 1s --quiet --json --set links=rail,iface=lo,channel=" + channel + ",rndv=" + way
			if channel == "ud" || channel == "rd" || channel == "hybrid" {
				line += ",lab_ud_drop=2%,lab_ud_double=1%,lab_ud_delay=1%"
			}
			out, _ := runWeft(t, 0, line+" --seed "+string(rune('1'+i)))
			var sum soak.Summary
			if err := json.Unmarshal([]byte(out), &sum); err != nil || sum.Ranks != 4 || sum.Messages == 0 || sum.Bytes == 0 || sum.Seed != uint64(1+i) {
				t.Errorf("%v, %+v", err, sum)
			}
		})
	}
}

// A few seconds of what "weft soak --box" does for an hour.
func TestSoakInABox(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: takes seconds")
	}
	clustertest.Need(t)
	// Ranks on other hosts do not get this process's environment: what tells the test program to be weft is its name.
	weft := filepath.Join(t.TempDir(), "weft")
	if text, err := exec.Command("cp", program(t), weft).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	cmd := exec.CommandContext(t.Context(), weft, strings.Fields("soak --box --quiet --json --time 6s --leg 6s --seed 5 --legs hybrid/rget")...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var r boxResult
	if err := json.Unmarshal(out, &r); err != nil || len(r.Legs) == 0 {
		t.Fatalf("%v, %s", err, out)
	}
	for _, l := range r.Legs {
		if l.Ranks != boxRanks || l.Messages == 0 || len(l.Mischief) == 0 {
			t.Errorf("leg %+v", l)
		}
	}
}
