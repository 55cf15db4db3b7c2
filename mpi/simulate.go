package mpi

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
)

// Cluster is a cluster to simulate. What is zero is as Network says.
type Cluster struct {
	// Network names what the cluster is made of: a profile (weft lab list --profiles shows them), or a
	// file that ends in .json, with a profile or a description of a cluster in it.
	Network string
	Nodes   int // 0: as many as the ranks need, with a core each
	Cores   int // of a node; more ranks than that take turns
	Rails   int // interfaces of a node
	// Measured has the time that ranks compute measured on this host, and makes them so busy; Speed is how
	// many times as fast the cluster's processors are, 0 for as fast. The result is then not the same
	// every time. Without, only what ranks charge counts; see [Comm.Charge].
	Measured bool
	Speed    float64
	// Settings are those of the library, NAME=VALUE as weft run --set takes them.
	Settings []string
	// Limit ends the simulation when that much of its time has passed, with an error; 0: never.
	Limit time.Duration
	// Seed is that of ties between ranks that are ready at the same moment; 0: the lowest comes first.
	Seed uint64
}

// Simulated is what came of [Simulate].
type Simulated struct {
	Time  time.Duration // of the rank that took longest
	Share float64       // of their time that ranks spent in calls, in the mean: from 0 to 1
	whole *boot.Simulated
}

// WriteProfile writes where the time went, by rank and by place in the program, as weft run --profile does.
func (s *Simulated) WriteProfile(w io.Writer) error { return s.whole.Text(w, boot.Longest) }

// Simulate calls f as n ranks of a cluster in virtual time: messages, copies and waits take as long as they
// would there, and the program's own work as long as it charges ([Comm.Charge]) or, if asked for, as it
// takes here. One rank runs at a time; unless computation is measured, the same program has the same result every
// time, to the nanosecond.
//
// It fails as [Run] does, and if ranks wait for each other for ever it says who waits for what. Ranks make
// calls from the goroutine that f runs on, and must not wait for each other but by calls. The time of package
// time and of contexts is that of the host.
func Simulate(on Cluster, n int, f func(world *Comm) error) (*Simulated, error) {
	order, err := boot.NewOrder(on.Network)
	if err != nil {
		return nil, lifeError("simulate", err)
	}
	order.Ranks, order.Measured, order.Limit, order.Seed = n, on.Measured, int64(on.Limit), on.Seed
	own := order.Cluster
	own.Nodes, own.Cores, own.Rails, own.Speed, own.Settings = on.Nodes, on.Cores, on.Rails, on.Speed, on.Settings
	order.Cluster = order.Cluster.With(own)
	s, err := boot.NewSimulation(order, callSite)
	if err != nil {
		return nil, lifeError("simulate", err)
	}
	out, err := s.Run(func(r *boot.Rank) error { return f(worldOf(r)) })
	if err != nil {
		return nil, err
	}
	return &Simulated{Time: time.Duration(out.Time), Share: out.Inside(), whole: out}, nil
}

// simulateOrder does what weft sim run has ordered, with n ranks.
func simulateOrder(o *boot.Order, n int, f func(world *Comm) error) error {
	o.Ranks = n
	s, err := boot.NewSimulation(o, callSite)
	if err != nil {
		return lifeError("simulate", err)
	}
	now := s.Now
	simulatedNow.Store(&now)
	defer simulatedNow.Store(nil)
	_, err = s.Run(func(r *boot.Rank) error { return f(worldOf(r)) })
	return err
}

// simulatedMain is Main where weft sim run has ordered a simulation, and tells whether it has.
func simulatedMain(f func(world *Comm) error) bool {
	order, err := boot.Ordered()
	if order == nil && err == nil {
		return false
	}
	if err == nil {
		err = simulateOrder(order, order.Ranks, f)
	}
	if err == nil {
		return true
	}
	fmt.Fprintln(os.Stderr, "weft:", err)
	var abort *boot.AbortError
	if errors.As(err, &abort) {
		os.Exit(max(1, abort.Code&0xff))
	}
	os.Exit(exitCode(err))
	return true
}

// Charge makes the rank busy for d where it runs in a simulation without measured computation: as long as the cluster's
// processor takes for what the program has just computed, or stands for. Elsewhere it does nothing.
func (c *Comm) Charge(d time.Duration) { c.rank.Charge(int64(d)) }

// simulatedNow is the time of the rank that runs, while weft sim run simulates this program.
var simulatedNow atomic.Pointer[func() int64]
