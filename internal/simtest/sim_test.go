package simtest

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/weft-mpi/weft/mpi"
)

func TestMain(m *testing.M) {
	if seed := os.Getenv(processSeed); seed != "" {
		mpi.Main(func(w *mpi.Comm) error { return asProcess(w, seed) })
	}
	debug.SetGCPercent(400) // jobs of one seed are thrown away at once, and there are hundreds
	goleak.VerifyTestMain(m)
}

// soaking tells that there is all the time in the world.
func soaking() bool { return os.Getenv("WEFT_SOAK") != "" }

// sweep runs seeds and fails for each that does.
func sweep(t *testing.T, first, last uint64, o Options) Tally {
	t.Helper()
	s := Sweep{Seeds: []Range{{first, last}}, Options: o, Jobs: runtime.GOMAXPROCS(0), Patience: 2 * time.Minute}
	s.Failed = func(c *Case, r Result) {
		t.Errorf("seed %d (%s) fails: %v\n  again, with a trace: weft sim test --trace --seeds %d%s", c.Seed, c.Summary(), r.Err, c.Seed, o.words())
	}
	s.Stuck = func(c *Case) { panic(fmt.Sprintf("seed %d (%s) does not end", c.Seed, c.Summary())) }
	return s.Run()
}

// words are the options as the command has them.
func (o Options) words() (w string) {
	for _, x := range [][2]string{{"channel", o.Channel}, {"rndv", o.Rendezvous}, {"faults", o.Faults}, {"programs", o.Programs}, {"nodes", o.Nodes}, {"algorithms", o.Algorithm}, {"profile", o.Profile}} {
		if x[1] != "" {
			w += " --" + x[0] + " " + x[1]
		}
	}
	return w
}

// Whatever the seed, programs come to what MPI says, and seeds reach what they are for.
func TestSeeds(t *testing.T) {
	last := uint64(220)
	switch {
	case soaking():
		last = 20_000
	case testing.Short():
		last = 16
	}
	tally := sweep(t, 1, last, Options{})
	t.Logf("%d seeds, %d messages, %d deaths, %v in %v", tally.Seeds, tally.Messages, tally.Deaths, tally.Virtual, tally.Real)
	if testing.Short() {
		return
	}
	if tally.Deaths == 0 {
		t.Error("nobody died")
	}
	for _, name := range happened {
		if tally.Counters[name] == 0 {
			t.Errorf("%s: never happened in %d seeds", name, tally.Seeds)
		}
	}
}

// Programs that are made for something come to the same, with that and with whatever else a seed brings.
func TestPrograms(t *testing.T) {
	last := uint64(40)
	switch {
	case soaking():
		last = 2000
	case testing.Short():
		last = 3
	}
	for _, programs := range Programs {
		sweep(t, 1, last, Options{Programs: programs, Rendezvous: "speculative"})
	}
}

// happened are counters of what must have happened in some hundreds of seeds, or that all went well shows little.
var happened = []string{
	"Engine.EagerSends", "Engine.SyncSends", "Engine.Reads", "Engine.Prefixes", "Engine.Puts", "Engine.RTRUsed", "Engine.RTRDropped.Crossed",
	"Engine.RTRDropped.Deleted", "Engine.Stops", "Engine.Resumes", "Engine.RTSAcks", "Engine.RTRCancels", "Engine.Unexpected",
	"Rail.Flow.Retransmits", "Rail.Flow.Replayed", "Rail.Flow.Duplicates", "Rail.Flow.OutOfOrder", "Rail.Flow.Timeouts",
	"Rail.Counters.EagerRing", "Rail.Counters.EagerSR", "Rail.Counters.Datagrams", "Rail.Counters.ZeroCopies", "Rail.Counters.CreditStalls",
	"Rail.Counters.PoolEmpty", "Rail.Counters.Broken", "Rail.Counters.Rested", "Rail.Counters.Rings", "Rail.Counters.FullSets",
	"Rail.Counters.Watermarks", "Rail.Counters.Moved",
}

// What once went wrong does not any more.
func TestKept(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			c, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.Comment == "" {
				t.Error("the case does not say what went wrong")
			}
			if r := Run(c, nil); r.Err != nil {
				t.Errorf("%s\n%v\n  again, with a trace: weft sim test --trace --file internal/simtest/%s", c.Comment, r.Err, path)
			}
		})
	}
}

// often yields the first seeds, and more of them where there is time.
func often(n uint64) iter.Seq[uint64] {
	if soaking() {
		n *= 4
	}
	return func(yield func(uint64) bool) {
		for seed := uint64(1); seed <= n && yield(seed); seed++ {
		}
	}
}

// The same seed does the same things at the same nanoseconds, on one processor or two.
func TestSameSeedSameTrace(t *testing.T) {
	for seed := range often(12) {
		var traces [3]bytes.Buffer
		for i := range traces {
			was := runtime.GOMAXPROCS(1 + i%2)
			Run(New(seed, Options{}), &traces[i])
			runtime.GOMAXPROCS(was)
		}
		for i := 1; i < len(traces); i++ {
			if !bytes.Equal(traces[0].Bytes(), traces[i].Bytes()) {
				t.Errorf("seed %d: two runs differ: %s", seed, difference(traces[0].String(), traces[i].String()))
			}
		}
	}
}

// A job with a trace does what it does without one, in the same time.
func TestTraceChangesNothing(t *testing.T) {
	for seed := range often(6) {
		for _, o := range []Options{{}, {Programs: "windows"}, {Programs: "unasked", Rendezvous: "rget"}} {
			with, without := Run(New(seed, o), io.Discard), Run(New(seed, o), nil)
			if with.Virtual != without.Virtual || !reflect.DeepEqual(with.Counters, without.Counters) {
				t.Errorf("seed %d%s: %d ns with a trace, %d ns without; counted %v and %v", seed, o.words(), with.Virtual, without.Virtual, with.Counters, without.Counters)
			}
		}
	}
}

// difference shows the first line in which two traces differ.
func difference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i+1, left[i], right[i])
		}
	}
	return fmt.Sprintf("%d lines and %d", len(left), len(right))
}

// The same programs run on the links of this machine, in real time.
func TestOnHost(t *testing.T) {
	for seed := range uint64(20) {
		c := New(seed+1, Options{Settings: []string{"WEFT_LINKS=auto"}})
		if err := RunOnHost(c, nil); err != nil {
			t.Errorf("seed %d (%s): %v", c.Seed, c.Summary(), err)
		}
	}
}
