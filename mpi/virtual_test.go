package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/mpi"
)

// oneThread leaves a test in virtual time out under the race detector, where ranks run one at a time: it
// finds there what shorter tests show it, too.
func oneThread(t *testing.T) {
	if underRace {
		t.Skip("left out under the race detector: virtual time has one thread")
	}
}

// cluster is a job on a simulated cluster, and what its ranks say they did when.
type cluster struct {
	profile      string
	nodes, ranks int
	seed         uint64
	env          []string
	limit        int64

	s    *clock.Scheduler
	fab  *sim.Fabric
	crew *boot.Crew
	log  bytes.Buffer
}

// run runs a program in virtual time.
func (j *cluster) run(t testing.TB, f func(*mpi.Comm) error) error {
	t.Helper()
	profile, err := sim.LoadProfile(j.profile)
	if err != nil {
		t.Fatal(err)
	}
	j.s = clock.NewScheduler(j.seed)
	if j.limit == 0 {
		j.limit = 3600e9
	}
	j.s.Limit(j.limit)
	if j.fab, err = sim.New(j.s, sim.Cluster{Nodes: j.nodes, Profile: profile}); err != nil {
		t.Fatal(err)
	}
	j.crew, err = boot.NewSimCrew(boot.SimConfig{Scheduler: j.s, Fabric: j.fab, Ranks: j.ranks, Env: j.env})
	if err != nil {
		t.Fatal(err)
	}
	defer j.crew.Close()
	return boot.Run(j.crew, f)
}

// say notes what a rank has done, with its time.
func (j *cluster) say(c *mpi.Comm, format string, args ...any) {
	fmt.Fprintf(&j.log, "%.9f %d %s\n", c.Wtime(), c.Rank(), fmt.Sprintf(format, args...))
}

// compute lets a rank compute.
func (j *cluster) compute(c *mpi.Comm, d int64) { j.crew.Ranks[c.Rank()].Clock().Sleep(d) }

// pingPong sends messages of some lengths to and fro between ranks 0 and 1.
func (j *cluster) pingPong(c *mpi.Comm) error {
	for _, n := range []int{0, 1, 1000, 5000, 40_000, 300_000, 1 << 20} {
		b, want := make([]byte, n), bytes.Repeat([]byte{1, 2, 3, 5, 8, 13, 21}, n/7+1)[:n]
		for range 3 {
			if c.Rank() == 0 {
				copy(b, want)
				if err := mpi.Send(c, b, 1, 5); err != nil {
					return err
				}
				clear(b)
			}
			if _, err := mpi.Recv(c, b, 1-c.Rank(), 5); err != nil {
				return err
			}
			if !bytes.Equal(b, want) {
				return fmt.Errorf("%d bytes are not what was sent", n)
			}
			if c.Rank() == 1 {
				if err := mpi.Send(c, b, 0, 5); err != nil {
					return err
				}
			}
			j.say(c, "%d bytes", n)
		}
	}
	return nil
}

func TestVirtualPingPong(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, profile := range sim.Profiles() {
		t.Run(profile, func(t *testing.T) {
			j := &cluster{profile: profile, nodes: 2, ranks: 2}
			if err := j.run(t, j.pingPong); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(j.log.String(), "\n"); n != 42 {
				t.Errorf("%d notes", n)
			}
		})
	}
}

// collectives runs one of each and checks the results.
func (j *cluster) collectives(c *mpi.Comm) error {
	n, me := c.Size(), c.Rank()
	for _, count := range []int{1, 300, 20_000} {
		x, sum := make([]int, count), make([]int, count)
		for i := range x {
			x[i] = me + i
		}
		if err := mpi.Allreduce(c, x, sum, mpi.Sum); err != nil {
			return err
		}
		for i := range sum {
			if sum[i] != n*(n-1)/2+n*i {
				return fmt.Errorf("allreduce of %d: element %d is %d", count, i, sum[i])
			}
		}
		if err := mpi.Bcast(c, x, n-1); err != nil {
			return err
		}
		if x[0] != n-1 {
			return fmt.Errorf("bcast of %d: %d", count, x[0])
		}
		j.say(c, "%d", count)
	}
	out, in := make([]int, n), make([]int, n)
	for i := range out {
		out[i] = me*n + i
	}
	if err := mpi.Alltoall(c, out, in); err != nil {
		return err
	}
	for i := range in {
		if in[i] != i*n+me {
			return fmt.Errorf("alltoall: %d from %d", in[i], i)
		}
	}
	if err := mpi.Barrier(c); err != nil {
		return err
	}
	j.say(c, "end")
	return nil
}

func TestVirtualCollectives(t *testing.T) {
	oneThread(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, ranks := range []int{1, 2, 3, 4, 7, 16, 33, 64} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			j := &cluster{profile: "connectx-ddr", nodes: (ranks + 3) / 4, ranks: ranks}
			if err := j.run(t, j.collectives); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// overlap computes while long messages travel.
func (j *cluster) overlap(c *mpi.Comm) error {
	peer := c.Rank() ^ 1
	for round := range 6 {
		in, out := make([]byte, 500_000), bytes.Repeat([]byte{byte(c.Rank() + round)}, 500_000)
		recv := mpi.Irecv(c, in, peer, round)
		send := mpi.Isend(c, out, peer, round)
		for done := false; !done; {
			j.compute(c, 50_000+int64(c.Rank())*700)
			var err error
			if _, done, err = recv.Test(); err != nil {
				return err
			}
		}
		if _, err := send.Wait(); err != nil {
			return err
		}
		if in[0] != byte(peer+round) || in[len(in)-1] != in[0] {
			return fmt.Errorf("round %d: got %d", round, in[0])
		}
		j.say(c, "round %d", round)
	}
	return nil
}

func TestVirtualOverlap(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, mode := range []string{"auto", "poll", "wake"} {
		t.Run(mode, func(t *testing.T) {
			j := &cluster{profile: "mt25204", nodes: 4, ranks: 4, env: []string{"WEFT_PROGRESS=" + mode}}
			if err := j.run(t, j.overlap); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// everything is a program of all of them.
func (j *cluster) everything(c *mpi.Comm) error {
	if c.Rank() < 2 {
		if err := j.pingPong(c); err != nil {
			return err
		}
	}
	if err := j.overlap(c); err != nil {
		return err
	}
	return j.collectives(c)
}

// TestVirtualIsRepeatable: the same seed gives the same run to the nanosecond, on every channel and with
// every rendezvous, whatever the number of processors.
func TestVirtualIsRepeatable(t *testing.T) {
	oneThread(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, channel := range []string{"srq", "sr", "ardma-sr", "ardma-srq", "ud", "hybrid"} {
		for _, rndv := range []string{"rget", "rput", "speculative"} {
			if testing.Short() && (channel == "srq") == (rndv == "rget") {
				continue // one channel with what others do not have
			}
			t.Run(channel+"/"+rndv, func(t *testing.T) {
				var logs [3]string
				for i := range logs {
					if testing.Short() && i == 1 {
						continue
					}
					runtime.GOMAXPROCS(1 + (i+1)/2)
					j := &cluster{profile: "connectx-ddr", nodes: 4, ranks: 6, seed: 7, env: []string{"WEFT_CHANNEL=" + channel, "WEFT_RNDV=" + rndv}}
					if err := j.run(t, j.everything); err != nil {
						t.Fatal(err)
					}
					logs[i] = j.log.String()
					runtime.GC()
				}
				for i, log := range logs[1:] {
					if log != logs[0] && log != "" {
						t.Errorf("run %d differs: %s", i+1, difference(logs[0], log))
					}
				}
			})
		}
	}
}

// difference is the first line that two texts do not share.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range as {
		if i >= len(bs) || as[i] != bs[i] {
			return fmt.Sprintf("line %d: %q, %q", i, as[i], bs[min(i, len(bs)-1)])
		}
	}
	return "lengths"
}

// TestVirtualDeadlock: ranks that wait for each other for ever are named with what they wait for.
func TestVirtualDeadlock(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	j := &cluster{profile: "connectx-ddr", nodes: 3, ranks: 3}
	err := j.run(t, func(c *mpi.Comm) error {
		switch c.Rank() {
		case 0:
			_, err := mpi.Recv(c, make([]byte, 10), 1, 44)
			return err
		case 1:
			return mpi.Barrier(c) //weft:ignore collective the deadlock is what is tested
		}
		return nil
	})
	var d *clock.Deadlock
	if !errors.As(err, &d) {
		t.Fatal(err)
	}
	says(t, err, nil, "rank 0: has been waiting", "recv on world with process 1, tag 44", "barrier (collective 1 on world)", "rank 2: has ended")
}

// TestVirtualCrash: the others notice that a rank has crashed, and can go on without it.
func TestVirtualCrash(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, c := range []struct {
		channel string
		nodes   int
	}{{"srq", 3}, {"ud", 3}, {"srq", 1}} {
		t.Run(fmt.Sprint(c.channel, c.nodes), func(t *testing.T) {
			j := &cluster{profile: "connectx-ddr", nodes: c.nodes, ranks: 3, env: []string{"WEFT_CHANNEL=" + c.channel, "WEFT_LAB_UD_RETRY=10"}}
			err := j.run(t, func(c *mpi.Comm) error {
				if err := mpi.Barrier(c); err != nil {
					return err
				}
				b := make([]byte, 100)
				switch c.Rank() {
				case 1:
					j.crew.Kill(1)
					return errors.New("a crashed rank goes on")
				case 0:
					err := mpi.Ssend(c, b, 1, 0)
					if !errors.Is(err, mpi.ErrProcFailed) {
						return fmt.Errorf("sent to a crashed rank: %w", err)
					}
					return mpi.Send(c, b, 2, 0)
				}
				_, err := mpi.Recv(c, b, 0, 0)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestVirtualAbortFromOutside: an event may end the job, whatever the ranks are doing.
func TestVirtualAbortFromOutside(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	j := &cluster{profile: "connectx-ddr", nodes: 2, ranks: 4}
	err := j.run(t, func(c *mpi.Comm) error {
		if c.Rank() == 0 {
			j.s.At(j.s.Now()+2_345_678, func() { j.crew.Fail(errors.New("the operator had enough")) })
		}
		for {
			if err := mpi.Barrier(c); err != nil {
				return err
			}
		}
	})
	says(t, err, nil, "the operator had enough")
}

// TestVirtualHoldsNothing: when a job is over, everything that was held for messages has been given back.
func TestVirtualHoldsNothing(t *testing.T) {
	oneThread(t)
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, channel := range []string{"srq", "ardma-sr", "ud", "hybrid"} {
		j := &cluster{profile: "connectx-ddr", nodes: 4, ranks: 6, env: []string{"WEFT_CHANNEL=" + channel}}
		if err := j.run(t, j.everything); err != nil {
			t.Fatal(err)
		}
		for i, r := range j.crew.Ranks {
			if requests, link := r.Held(); requests != 0 || link != (rail.Held{}) {
				t.Errorf("%s: rank %d holds %d requests, %+v", channel, i, requests, link)
			}
		}
	}
}

// TestVirtualTasks: several tasks of a rank may wait at a time, and a context ends a wait.
func TestVirtualTasks(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	j := &cluster{profile: "connectx-ddr", nodes: 2, ranks: 2}
	got := 0
	err := j.run(t, func(c *mpi.Comm) error {
		if c.Rank() == 1 {
			j.compute(c, 1_000_000)
			for tag := range 5 {
				if err := mpi.Send(c, []int{tag}, 0, tag); err != nil {
					return err
				}
			}
			return mpi.Send(c, []int{9}, 0, 9)
		}
		for tag := range 5 {
			j.s.Go(fmt.Sprint("receiver ", tag), func() {
				b := make([]int, 1)
				if _, err := mpi.Recv(c, b, 1, tag); err != nil || b[0] != tag {
					t.Errorf("tag %d: %d, %v", tag, b[0], err)
				}
				got++
			})
		}
		ctx, cancel := context.WithCancel(context.Background())
		j.s.At(j.s.Now()+500_000, cancel)
		if _, err := mpi.Recv(c.WithContext(ctx), make([]int, 1), 1, 77); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("a wait whose context ended: %w", err)
		}
		_, err := mpi.Recv(c, make([]int, 1), 1, 9)
		return err
	})
	if err != nil || got != 5 {
		t.Fatal(got, err)
	}
}

// TestVirtualError: the error of a rank ends the others.
func TestVirtualError(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	j := &cluster{profile: "connectx-ddr", nodes: 2, ranks: 3}
	err := j.run(t, func(c *mpi.Comm) error {
		if c.Rank() == 2 {
			return errors.New("had enough")
		}
		err := mpi.Barrier(c)
		if !errors.Is(err, mpi.ErrAborted) {
			return fmt.Errorf("barrier: %w", err)
		}
		return nil
	})
	says(t, err, nil, "rank 2: had enough")
}
