package mpi_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/mpi"
)

// ndr is a cluster of nodes with two cores each.
var ndr = mpi.Cluster{Network: "ndr", Nodes: 4, Cores: 2}

// TestSimulate: what ranks charge takes as long as it should, what they send a little, and the same every time.
func TestSimulate(t *testing.T) {
	oneThread(t)
	defer goleak.VerifyNone(t)
	program := func(world *mpi.Comm) error {
		start := world.Wtime()
		world.Charge(3 * time.Millisecond)
		if took := world.Wtime() - start; took < 3e-3 || took > 3.001e-3 {
			t.Errorf("rank %d has computed for %v s", world.Rank(), took)
		}
		sum := []int{0}
		if err := mpi.Allreduce(world, []int{world.Rank()}, sum, mpi.Sum); err != nil || sum[0] != 28 {
			t.Errorf("sum %d, %v", sum[0], err)
		}
		if world.Rank() == 5 {
			world.Charge(7 * time.Millisecond)
		}
		return mpi.Barrier(world)
	}
	var first *mpi.Simulated
	for range 2 {
		s, err := mpi.Simulate(ndr, 8, program)
		if err != nil {
			t.Fatal(err)
		}
		if s.Time < 10*time.Millisecond || s.Time > 10*time.Millisecond+500*time.Microsecond {
			t.Errorf("it took %v, want a little more than 10 ms", s.Time)
		}
		if want := 7. / 10 * 7 / 8; s.Share < want || s.Share > want+.02 {
			t.Errorf("%v of the time in calls, want a little more than %v", s.Share, want)
		}
		if first != nil && (s.Time != first.Time || s.Share != first.Share) {
			t.Errorf("again it took %v, %v in calls; at first %v, %v", s.Time, s.Share, first.Time, first.Share)
		}
		first = s
	}
	var text strings.Builder
	if err := first.WriteProfile(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Simulated on ndr: 8 ranks on 4 nodes of 2 cores, computation charged", "Time 0.010", "simulate_test.go:", "barrier"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &text)
		}
	}
}

// TestSimulateTurns: ranks that share a core take turns.
func TestSimulateTurns(t *testing.T) {
	oneThread(t)
	s, err := mpi.Simulate(mpi.Cluster{Network: "ndr", Nodes: 1, Cores: 2}, 6, func(world *mpi.Comm) error {
		world.Charge(time.Millisecond)
		return nil
	})
	if err != nil || s.Time != 3*time.Millisecond {
		t.Errorf("%+v, %v; want 3 ms", s, err)
	}
}

// TestSimulateMeasured: what is measured is the program's own, which charges nothing then.
func TestSimulateMeasured(t *testing.T) {
	oneThread(t)
	on := ndr
	on.Measured = true
	s, err := mpi.Simulate(on, 4, func(world *mpi.Comm) error {
		world.Charge(time.Hour)
		start := world.Wtime()
		for world.Wtime() == start { // its own work makes the time go on
		}
		return mpi.Barrier(world)
	})
	if err != nil || s.Time <= 0 || s.Time > time.Minute {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestSimulateFails: what goes wrong is an error, never a hang.
func TestSimulateFails(t *testing.T) {
	oneThread(t)
	defer goleak.VerifyNone(t)
	mine := errors.New("mine")
	recv := func(world *mpi.Comm) error {
		_, err := mpi.Recv(world, []byte{0}, (world.Rank()+1)%world.Size(), 9)
		return err
	}
	ok := func(*mpi.Comm) error { return nil }
	for name, c := range map[string]struct {
		on   mpi.Cluster
		n    int
		f    func(*mpi.Comm) error
		want string
	}{
		"deadlock":   {ndr, 3, recv, "rank 2: has been waiting"},
		"error":      {ndr, 3, func(w *mpi.Comm) error { return errors.Join(mine, mpi.Barrier(w)) }, "mine"},
		"panic":      {ndr, 3, func(*mpi.Comm) error { panic("help") }, "panic: help"},
		"abort":      {ndr, 3, func(w *mpi.Comm) error { w.Abort(7, "why not"); return mpi.Barrier(w) }, "why not"},
		"left":       {ndr, 2, func(w *mpi.Comm) error { return mpi.Send(w, []byte{1}, 1-w.Rank(), 0) }, "never received"},
		"limit":      {mpi.Cluster{Network: "ndr", Limit: time.Second}, 2, func(w *mpi.Comm) error { w.Charge(time.Hour); return mpi.Barrier(w) }, "virtual time is up"},
		"no ranks":   {ndr, 0, ok, "0 ranks"},
		"network":    {mpi.Cluster{Network: "nrd"}, 2, ok, `no profile "nrd"`},
		"no network": {mpi.Cluster{}, 2, ok, "no profile"},
		"nodes":      {mpi.Cluster{Network: "ndr", Nodes: -1}, 2, ok, "-1 nodes"},
		"speed":      {mpi.Cluster{Network: "ndr", Speed: -1}, 2, ok, "-1 times"},
		"setting":    {mpi.Cluster{Network: "ndr", Settings: []string{"chanel=ud"}}, 2, ok, "WEFT_CHANEL"},
		"no setting": {mpi.Cluster{Network: "ndr", Settings: []string{"channel"}}, 2, ok, "NAME=VALUE"},
		"profile":    {mpi.Cluster{Network: "ndr", Settings: []string{"profile=-"}}, 2, ok, "a simulation has a profile"},
	} {
		s, err := mpi.Simulate(c.on, c.n, c.f)
		if err == nil || !strings.Contains(err.Error(), c.want) || s != nil {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestSimulateGoroutine: a call by a goroutine that is not the rank's is refused while another rank runs.
func TestSimulateGoroutine(t *testing.T) {
	oneThread(t)
	var first *mpi.Comm
	_, err := mpi.Simulate(ndr, 2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			first = world
			return mpi.Barrier(world)
		}
		refused := make(chan any)
		go func() {
			defer func() { refused <- recover() }()
			_ = mpi.Send(first, []byte{1}, 1, 0)
		}()
		if p := <-refused; p == nil {
			t.Error("nobody has refused it")
		}
		return mpi.Barrier(world)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOrdered: weft sim run orders a simulation by a variable: Run makes the ranks those of the cluster, and leaves a
// report; Init, which cannot, says so.
func TestOrdered(t *testing.T) {
	oneThread(t)
	order, err := boot.NewOrder("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	order.Ranks, order.Report = 64, filepath.Join(t.TempDir(), "report")
	text, err := order.Variable()
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(text, "=")
	t.Setenv(name, value)
	for range 2 {
		err := mpi.Run(3, func(world *mpi.Comm) error {
			world.Charge(time.Second)
			if now := mpi.Wtime(); now < 1 || now > 1.1 {
				t.Errorf("the time is %v", now)
			}
			return mpi.Barrier(world)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := mpi.Init(); err == nil || !strings.Contains(err.Error(), "weft sim run") {
		t.Error(err)
	}
	lines, err := os.ReadFile(order.Report)
	if err != nil {
		t.Fatal(err)
	}
	reports := json.NewDecoder(strings.NewReader(string(lines)))
	for range 2 {
		var s boot.Simulated
		if err := reports.Decode(&s); err != nil || len(s.Calls.Ranks) != 3 || s.Time < 1e9 {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if reports.More() {
		t.Error("there is more in the report")
	}
	t.Setenv(name, "{")
	if err := mpi.Run(1, func(*mpi.Comm) error { return nil }); err == nil || !strings.Contains(err.Error(), name) {
		t.Error(err)
	}
}
