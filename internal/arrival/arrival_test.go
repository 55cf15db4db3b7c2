package arrival_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/mpi"
)

func call(arrive ...int64) arrival.Call {
	return arrival.Call{Routine: "bcast", Bytes: 100, Arrive: arrive, Leave: make([]int64, len(arrive))}
}

func TestImbalance(t *testing.T) {
	for _, c := range []struct {
		arrive         []int64
		average, worst float64
	}{
		{[]int64{5}, 0, 0},
		{[]int64{7, 7, 7}, 0, 0},
		{[]int64{0, 10}, 5, 10},
		{[]int64{0, 0, 0, 100}, 37.5, 100}, // one late rank: the mean is 25
	} {
		one := call(c.arrive...)
		if got := one.Imbalance(); got.Average != c.average || got.Worst != c.worst {
			t.Errorf("%v: %+v", c.arrive, got)
		}
	}
}

func TestRowsDivideByTheCostOfAMessage(t *testing.T) {
	p := arrival.Profile{Ranks: 2, Costs: []arrival.Cost{{Bytes: 0, Nanos: 10}, {Bytes: 200, Nanos: 30}},
		Calls: []arrival.Call{call(0, 40), call(10, 10), {Routine: "barrier", Arrive: []int64{0, 5}, Leave: []int64{7, 8}}}}
	rows := p.Rows(false)
	if len(rows) != 2 || rows[0].Routine != "bcast" || rows[0].Calls != 2 || rows[0].Worst != 1 || rows[0].Average != 0.5 ||
		rows[0].Spread != 20 || rows[0].Bytes != 100 {
		t.Errorf("%+v", rows)
	}
	if b := rows[1]; b.Worst != 0.5 || b.Inside != 5 {
		t.Errorf("%+v", b)
	}
}

func TestReadRefusesWhatIsNoProfile(t *testing.T) {
	for _, text := range []string{"", "{", `{"ranks":1,"calls":[{"routine":"bcast","arrive":[1,2],"leave":[1,2]}]}`,
		`{"ranks":2,"calls":[{"routine":"bcast","arrive":[],"leave":[]}]}`, `{"ranks":2,"calls":[{"arrive":[1],"leave":[1]}]}`,
		`{"message_costs":[{"bytes":2},{"bytes":1}]}`} {
		if _, err := arrival.Read(strings.NewReader(text)); !errors.Is(err, arrival.ErrProfile) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := (&arrival.Profile{Ranks: 2, Calls: []arrival.Call{call(1, 2)}}).Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := arrival.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range append(p.Rows(false), p.Rows(true)...) {
			if r.Worst < r.Average-1e-6*r.Average {
				t.Errorf("%+v", r)
			}
		}
	})
}

// late is how much later rank i comes to the barrier.
func late(i int) time.Duration { return time.Duration(i*i) * 300 * time.Microsecond }

// program has ranks come to a barrier at different times, thrice.
func program(world *mpi.Comm, compute func(time.Duration)) error {
	for range 3 {
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		compute(late(world.Rank()))
		if err := mpi.Allreduce(world, []int{1}, make([]int, 1), mpi.Sum); err != nil {
			return err
		}
	}
	return nil
}

// TestSkewIsFoundAgain: in virtual time, in which ranks compute for exactly as long as they say, the
// profile shows what was put in.
func TestSkewIsFoundAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arrivals")
	profile, err := sim.LoadProfile("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	s := clock.NewScheduler(1)
	fabric, err := sim.New(s, sim.Cluster{Nodes: 4, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	crew, err := boot.NewSimCrew(boot.SimConfig{Scheduler: s, Fabric: fabric, Ranks: 4, Env: []string{"WEFT_ARRIVALS=" + file}})
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	if err := boot.Run(crew, func(world *mpi.Comm) error {
		return program(world, func(d time.Duration) { s.Sleep(int64(d)) })
	}); err != nil {
		t.Fatal(err)
	}
	p := read(t, file)
	if p.Ranks != 4 || p.Bound <= 0 || p.Bound > 50_000 || len(p.Calls) != 6 {
		t.Fatalf("%d ranks, %d calls, error %d ns", p.Ranks, len(p.Calls), p.Bound)
	}
	for _, row := range p.Rows(true) {
		if row.Routine == "allreduce" {
			want, slack := float64(late(3)), float64(p.Bound)+20_000 // and the way out of the barrier
			if row.Calls != 3 || row.Spread < want-slack || row.Spread > want+slack {
				t.Errorf("spread of %.0f ns, put in %.0f: %+v", row.Spread, want, row)
			}
			if row.Inside < want/4 { // rank 0 comes first and waits for the last
				t.Errorf("%+v", row)
			}
		}
	}
}

func read(t *testing.T, file string) *arrival.Profile {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := arrival.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOnThisHost: real ranks, real time, and communicators that share nothing but the job.
func TestOnThisHost(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arrivals")
	t.Setenv("WEFT_ARRIVALS", file)
	err := mpi.Run(4, func(world *mpi.Comm) error {
		half, err := world.Split(world.Rank()%2, 0)
		if err != nil {
			return err
		}
		if err := mpi.Barrier(half); err != nil {
			return err
		}
		if err := half.Free(); err != nil {
			return err
		}
		return program(world, time.Sleep)
	})
	if err != nil {
		t.Fatal(err)
	}
	p := read(t, file)
	routines := map[string]int{}
	for _, c := range p.Calls {
		routines[c.Routine]++
		if c.Site == "" {
			t.Errorf("a call of %s without its site", c.Routine)
		}
	}
	if p.Partial != 0 || routines["allreduce"] != 3 || routines["barrier"] != 5 {
		t.Errorf("partial %d, %v", p.Partial, routines)
	}
}
