package simtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/launch/launchtest"
	"github.com/weft-mpi/weft/mpi"
)

// The test binary is its own rank: with this variable set it is one process of a job and runs the case of that seed.
const processSeed = "SIMTEST_PROCESS"

// processCase is what a seed means between processes of this host: a program of every kind by turns, on
// shared memory or on the loopback interface, with switches that matter nowhere else. Nobody is lost
// because the machine is slow.
func processCase(seed uint64) *Case {
	o := Options{Programs: []string{"", "collectives", "windows"}[seed%3], Ranks: 2 + int(seed/3%4), Faults: "none"}
	c := New(seed, o)
	g, s := aside(seed, 2), &c.Shape
	s.set("LINKS", one(g, "auto", "auto", "auto", "rail"))
	s.set("PEER_WAIT", "60s")
	s.set("SILENCE", "30s")
	s.set("LAB_UD_RETRY", 32768)
	s.set("STALL", "30s")
	nodes := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(s.numbered())), ","), "[]")
	s.set("LAB_NODES", one(g, "", "", nodes))
	s.set("CMA", one(g, "on", "on", "off"))
	s.set("LAB_HELP", one(g, "on", "off", "auto"))
	s.set("WAIT", one(g, "hybrid", "hybrid", "park"))
	s.set("LAB_EAGER_MAX", one(g, 0, 256, 4096))
	s.set("COLL_NODE", one(g, "256M", "256M", "1M", "0"))
	s.set("LAB_RMA_MEET", one(g, "on", "on", "off"))
	return c
}

// asProcess is what a rank of a job of processes does.
func asProcess(w *mpi.Comm, word string) error {
	seed, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		return err
	}
	return RunHere(w, processCase(seed))
}

// The same programs run between processes, in real time, with every switch of what they share.
func TestBetweenProcesses(t *testing.T) {
	seeds := uint64(40)
	switch {
	case soaking():
		seeds = 3000
	case testing.Short():
		seeds = 6
	}
	sums := Counters{}
	for seed := uint64(1); seed <= seeds; seed++ {
		c := processCase(seed)
		reports := t.TempDir()
		if code, text := startProcesses(t, c, reports); code != 0 {
			t.Errorf("code %d: %s%s", code, c.Describe(), text)
			continue
		}
		for r := range c.Shape.Ranks {
			sums.read(t, filepath.Join(reports, fmt.Sprintf("rank-%d.json", r)))
		}
	}
	for _, name := range []string{"Commons.Runs", "Commons.Slips", "Windows.Native", "Windows.Met", "Rail.Counters.EagerSR", "Rail.Counters.Datagrams"} {
		if sums[name] == 0 && !testing.Short() {
			t.Errorf("%s: never happened in %d seeds", name, seeds)
		}
	}
}

// read adds the report of a rank.
func (c Counters) read(t *testing.T, path string) {
	t.Helper()
	var tree map[string]any
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.walk("", tree)
}

// startProcesses runs a case as a job of this binary, whose ranks leave their reports in a directory.
func startProcesses(t *testing.T, c *Case, reports string) (code int, text string) {
	t.Helper()
	settings, err := boot.ReadSettings(c.Shape.Settings)
	if err := errors.Join(err, settings.Unknown()); err != nil {
		t.Fatalf("settings of seed %d: %v", c.Seed, err)
	}
	env := append(append(os.Environ(), c.Shape.Settings...), fmt.Sprintf("%s=%d", processSeed, c.Seed), "WEFT_REPORT="+reports)
	var out launchtest.Output
	code, err = launch.Run(context.Background(), launch.Job{
		Specs:  []launch.Spec{{N: c.Shape.Ranks, Argv: []string{os.Args[0]}, Env: env}},
		Stdout: &out, Stderr: &out, Segment: boot.Segments(settings), Timeout: 2 * time.Minute, StdinTo: launch.StdinNone,
		Signals: make(chan os.Signal),
	})
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String()
}
