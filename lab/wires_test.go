package lab

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
)

func TestWires(t *testing.T) {
	b := newBench(t, Options{})
	var one, four, rate float64
	var reg measure.Registration
	err := b.RunWires(t.Context(), WireJob{On: b.Setups("IB1")[0], Connections: 4, Slot: 64 << 10}, func(w *measure.Wires) (err error) {
		lead := func(to *float64, v float64, err error) error {
			if w.Lead {
				*to = v
			}
			return err
		}
		l := measure.Loops{Warmup: 3, Timed: 20}
		v, err := measure.WriteLatency(w, 8, 1, l)
		if err = lead(&one, v, err); err != nil {
			return err
		}
		v, err = measure.WriteLatency(w, 8, 4, l)
		if err = lead(&four, v, err); err != nil {
			return err
		}
		v, err = measure.WriteBandwidth(w, 64<<10, 4, 16, 100)
		if err = lead(&rate, v, err); err != nil {
			return err
		}
		if w.Lead {
			reg, err = measure.Register(w, 1<<20, l)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if one <= 0 || four <= 0 || four >= one {
		t.Errorf("a message takes %g us over one connection, %g us each over four", one, four)
	}
	if rate < 100 || rate > 4000 {
		t.Errorf("%g MB/s both ways", rate)
	}
	if reg.Register <= 0 || reg.Deregister <= 0 {
		t.Errorf("registration of 1 MB: %+v", reg)
	}
}

func TestWiresRefuse(t *testing.T) {
	b := newBench(t, Options{})
	if err := b.RunWires(t.Context(), WireJob{On: Setup{On: Host}, Connections: 1, Slot: 1}, nil); !errors.Is(err, ErrPlatform) {
		t.Errorf("on a host: %v", err)
	}
	boom := errors.New("boom")
	err := b.RunWires(t.Context(), WireJob{On: b.Setups("IW1")[0], Connections: 1, Slot: 8, SameNode: true}, func(w *measure.Wires) error {
		if _, err := measure.WriteLatency(w, 16, 1, measure.Loops{Timed: 1}); err == nil {
			t.Error("a message longer than its slot was sent")
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("a body that fails: %v", err)
	}
}
