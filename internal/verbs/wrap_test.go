package verbs_test

import (
	"errors"
	"maps"
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
	"github.com/weft-mpi/weft/internal/verbs/verbstest/model"
)

// wrapped opens models of one fabric inside wrappers.
func wrapped(wrap func(verbs.Device) verbs.Device) verbstest.Opener {
	return func(_ testing.TB, n int) []verbs.Device {
		f := model.New(model.Hooks{})
		var devs []verbs.Device
		for range n {
			devs = append(devs, wrap(f.Open()))
		}
		return devs
	}
}

// faulty wraps with faults that must be possible.
func faulty(tb testing.TB, cfg verbs.FaultConfig) func(verbs.Device) verbs.Device {
	return func(d verbs.Device) verbs.Device {
		w, err := verbs.Fault(d, cfg)
		if err != nil {
			tb.Fatal(err)
		}
		return w
	}
}

// TestWrapped holds wrapped models to all that the seam promises: a wrapper must not be noticed.
func TestWrapped(t *testing.T) {
	idle := faulty(t, verbs.FaultConfig{})
	verbstest.Run(t, wrapped(func(d verbs.Device) verbs.Device {
		return verbs.Count(verbs.Trace(idle(d), func(string) {}))
	}), verbstest.Options{Brief: true, Allocates: true})
}

// TestWrappedAllocs: counting, and faults that do not happen, cost no allocation.
func TestWrappedAllocs(t *testing.T) {
	idle := faulty(t, verbs.FaultConfig{})
	both := wrapped(func(d verbs.Device) verbs.Device { return verbs.Count(idle(d)) })
	for _, name := range []string{"alloc/ping-pong", "alloc/ping-pong inline", "alloc/Write and Read"} {
		t.Run(name, func(t *testing.T) { verbstest.Check(t, verbs.RC, name, both, verbstest.Options{}) })
	}
}

// TestStalling: a device that goes silent now and then still keeps every promise.
func TestStalling(t *testing.T) {
	if testing.Short() {
		t.Skip("stalls take time")
	}
	var now atomic.Int64
	cfg := verbs.FaultConfig{Seed: 1, Stall: 0.05, StallFor: 20, Now: func() int64 { return now.Add(1) }}
	verbstest.Run(t, wrapped(faulty(t, cfg)), verbstest.Options{Brief: true, Types: []verbs.Type{verbs.RD}})
}

// foreign is a queue pair of nobody.
type foreign struct{ verbs.QP }

// TestForeignObjects: a wrapped device refuses the objects of another one, wrapped or not.
func TestForeignObjects(t *testing.T) {
	f := model.New(model.Hooks{})
	inner := f.Open()
	dev, other := verbs.Count(inner), verbs.Count(f.Open())
	cfg := verbs.CQConfig{Depth: 4}
	mine, _ := dev.NewCQ(cfg)
	theirs, _ := other.NewCQ(cfg)
	bare, _ := inner.NewCQ(cfg)
	pd, _ := dev.NewPD()
	otherPD, _ := other.NewPD()
	srq, _ := otherPD.NewSRQ(verbs.SRQConfig{Depth: 4})
	ok := verbs.QPConfig{Type: verbs.RC, SendCQ: mine, RecvCQ: mine, SendDepth: 1, RecvDepth: 1}
	for what, spoil := range map[string]func(*verbs.QPConfig){
		"another device's CQ": func(c *verbs.QPConfig) { c.SendCQ = theirs },
		"the inner CQ":        func(c *verbs.QPConfig) { c.RecvCQ = bare },
		"no CQ":               func(c *verbs.QPConfig) { c.RecvCQ = nil },
		"another SRQ":         func(c *verbs.QPConfig) { c.SRQ = srq },
	} {
		bad := ok
		spoil(&bad)
		if _, err := pd.NewQP(bad); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("NewQP with %s: %v", what, err)
		}
	}
	qp, err := pd.NewQP(ok)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := dev.Listen(verbs.ListenConfig{})
	if err := errors.Join(qp.Modify(verbs.Init), qp.Connect(l.Addr(), nil)); err != nil {
		t.Fatal(err)
	}
	var ev [1]verbs.Event
	if dev.PollEvents(ev[:]) != 1 || ev[0].Request == nil {
		t.Fatalf("no request: %+v", ev[0])
	}
	if err := ev[0].Request.Accept(foreign{}, nil); !errors.Is(err, verbs.ErrArgument) {
		t.Errorf("Accept of a foreign queue pair: %v", err)
	}
}

// pairOf makes two queue pairs of wrapped models, ready, sharing a completion queue on each side.
func pairOf(t *testing.T, typ verbs.Type, wrap func(verbs.Device) verbs.Device) (dev verbs.Device, qps [2]verbs.QP, cqs [2]verbs.CQ, mr verbs.MR) {
	t.Helper()
	dev = wrap(model.New(model.Hooks{}).Open())
	pd, err := dev.NewPD()
	if err != nil {
		t.Fatal(err)
	}
	for i := range qps {
		cqs[i], err = dev.NewCQ(verbs.CQConfig{Depth: 64})
		if err != nil {
			t.Fatal(err)
		}
		cfg := verbs.QPConfig{Type: typ, SendCQ: cqs[i], RecvCQ: cqs[i], SendDepth: 16, RecvDepth: 16, Inline: 16}
		if qps[i], err = pd.NewQP(cfg); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(qps[i].Modify(verbs.Init), qps[i].Modify(verbs.RTS)); err != nil {
			t.Fatal(err)
		}
	}
	if mr, err = pd.Register(make([]byte, 64), verbs.LocalWrite|verbs.RemoteWrite); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev, qps, cqs, mr
}

// counters collects what a device counted.
func counters(d verbs.Device) map[string]uint64 { return maps.Collect(d.Counters()) }
