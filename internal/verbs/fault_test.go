package verbs_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest/model"
)

// tapped is a device without a wire of its own that shows datagrams to a tap when a test asks it to.
type tapped struct {
	verbs.Device
	f func(verbs.Datagram) verbs.Fate
}

func (d *tapped) Tap(f func(verbs.Datagram) verbs.Fate) { d.f = f }

func (d *tapped) Caps() verbs.Caps {
	c := d.Device.Caps()
	c.Wire = true
	return c
}

// fates shows n datagrams to a faulty device and returns what it decided.
func fates(t *testing.T, cfg verbs.FaultConfig, n int) ([]verbs.Fate, map[string]uint64) {
	t.Helper()
	inner := &tapped{Device: model.New(model.Hooks{}).Open()}
	dev, err := verbs.Fault(inner, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var list []verbs.Fate
	for i := range n {
		list = append(list, inner.f(verbs.Datagram{Size: 1 + i%1500}))
	}
	return list, counters(dev)
}

// TestFates: the seed decides, rates are about those asked for, and the counters say what was decided.
func TestFates(t *testing.T) {
	const n = 20_000
	cfg := verbs.FaultConfig{Seed: 7, Drop: 0.05, Duplicate: 0.1, Reorder: 0.2, Corrupt: 0.02, Delay: 10, Jitter: 5}
	first, count := fates(t, cfg, n)
	second, _ := fates(t, cfg, n)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Fatalf("the same seed decides differently: %s", diff)
	}
	cfg.Seed = 8
	if other, _ := fates(t, cfg, n); cmp.Equal(first, other) {
		t.Error("another seed decides the same")
	}
	var drop, twice, late, corrupt uint64
	for i, f := range first {
		if f.Drop {
			drop++
		}
		if f.Copies > 0 {
			twice++
		}
		if f.Corrupt > 0 {
			corrupt++
		}
		if f.Corrupt > 1+i%1500 {
			t.Fatalf("byte %d of %d is turned over", f.Corrupt-1, 1+i%1500)
		}
		if f.Delay > 15 {
			late++
		}
		if f.Delay < 11 || f.Delay > 15+1_000_000 {
			t.Fatalf("delay %d", f.Delay)
		}
	}
	for name, row := range map[string]struct {
		got  uint64
		rate float64
	}{"fault_dropped": {drop, 0.05}, "fault_duplicated": {twice, 0.1}, "fault_reordered": {late, 0.2}, "fault_corrupted": {corrupt, 0.02}} {
		if share := float64(row.got) / n; share < row.rate*0.8 || share > row.rate*1.2 {
			t.Errorf("%s: %v of all, asked for %v", name, share, row.rate)
		}
		if row.got > count[name] || row.got+20 < count[name] {
			t.Errorf("%s is %d, saw %d", name, count[name], row.got)
		}
	}
	if count["fault_datagrams"] != n {
		t.Errorf("%d datagrams seen, want %d", count["fault_datagrams"], n)
	}
}

// TestFaultKeepsTap: a tap set on the faulty device still decides, besides the faults.
func TestFaultKeepsTap(t *testing.T) {
	inner := &tapped{Device: model.New(model.Hooks{}).Open()}
	dev, err := verbs.Fault(inner, verbs.FaultConfig{Duplicate: 1})
	if err != nil {
		t.Fatal(err)
	}
	dev.(verbs.Tapped).Tap(func(verbs.Datagram) verbs.Fate { return verbs.Fate{Drop: true} })
	if f := inner.f(verbs.Datagram{Size: 10}); !f.Drop || f.Copies != 1 {
		t.Errorf("fate %+v", f)
	}
}

func TestFaultRefuses(t *testing.T) {
	inner := model.New(model.Hooks{}).Open()
	for what, row := range map[string]struct {
		cfg  verbs.FaultConfig
		want error
	}{
		"more than always":      {verbs.FaultConfig{Kill: 1.5}, verbs.ErrArgument},
		"less than never":       {verbs.FaultConfig{Drop: -1}, verbs.ErrArgument},
		"stalls without clock":  {verbs.FaultConfig{Stall: 0.1}, verbs.ErrArgument},
		"a negative delay":      {verbs.FaultConfig{Delay: -1}, verbs.ErrArgument},
		"loss without datagram": {verbs.FaultConfig{Drop: 0.1}, verbs.ErrUnsupported},
	} {
		if _, err := verbs.Fault(inner, row.cfg); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", what, err, row.want)
		}
	}
}

// TestKill: the queue pair dies at the same post for the same seed, says so, and rings the bell.
func TestKill(t *testing.T) {
	deathAt := func(seed uint64) int {
		dev, qps, cqs, mr := pairOf(t, verbs.UD, func(d verbs.Device) verbs.Device {
			w, err := verbs.Fault(d, verbs.FaultConfig{Seed: seed, Kill: 0.1})
			if err != nil {
				t.Fatal(err)
			}
			return w
		})
		rings := 0
		dev.NotifyEvents(func() { rings++ })
		ah := handle(t, dev, qps[1])
		var out [1]verbs.Completion
		for i := range 500 {
			if err := sendOne(t, qps[0], ah, mr, 1); err != nil {
				t.Fatal(err)
			}
			cqs[0].Poll(out[:])
			if qps[0].State() != verbs.Error {
				continue
			}
			var ev [4]verbs.Event
			if n := dev.PollEvents(ev[:]); n != 1 || ev[0].Kind != verbs.QPFatal || !errors.Is(ev[0].Err, verbs.ErrKilled) || ev[0].Num != qps[0].Num() {
				t.Errorf("events %+v", ev[:n])
			}
			if c := counters(dev)["fault_killed"]; c != 1 || rings != 1 {
				t.Errorf("%d killed, %d rings", c, rings)
			}
			return i
		}
		t.Fatal("nobody died")
		return 0
	}
	if a, b := deathAt(3), deathAt(3); a != b {
		t.Errorf("the same seed kills at post %d and %d", a, b)
	}
}

// TestStall: a stalled queue gives nothing until its time is over, or somebody wants to sleep.
func TestStall(t *testing.T) {
	now := int64(0)
	dev, qps, cqs, mr := pairOf(t, verbs.UD, func(d verbs.Device) verbs.Device {
		w, err := verbs.Fault(d, verbs.FaultConfig{Stall: 1, StallFor: 100, Now: func() int64 { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return w
	})
	ah := handle(t, dev, qps[1])
	var out [1]verbs.Completion
	polls := func(want int, what string) {
		t.Helper()
		if n := cqs[0].Poll(out[:]); n != want {
			t.Fatalf("%s: %d completions, want %d", what, n, want)
		}
	}
	post := func() {
		t.Helper()
		if err := sendOne(t, qps[0], ah, mr, 1); err != nil {
			t.Fatal(err)
		}
	}
	post()
	polls(0, "a stall begins")
	now = 99
	polls(0, "in the stall")
	now = 100
	polls(1, "after the stall")
	post()
	polls(0, "the next stall")
	cqs[0].Arm(false)
	polls(1, "after Arm")
	post()
	polls(0, "a third stall")
	if !cqs[0].Wait(0) {
		t.Fatal("Wait does not see through a stall")
	}
	polls(1, "after Wait")
	if n := counters(dev)["fault_stalls"]; n != 3 {
		t.Errorf("%d stalls, want 3", n)
	}
}
