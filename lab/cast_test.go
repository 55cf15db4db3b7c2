package lab

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
)

// TestCasts: the broadcast of the hardware brings every rank what the root has, in one
// piece and in many, again and again; and the groups that use it need a network that has one.
func TestCasts(t *testing.T) {
	b := newBench(t, Options{})
	on := b.Setups("QS")[0]
	if !b.Casts(on.On) || b.Casts("sim:connectx-ddr") || b.Casts(Host) {
		t.Error("QsNetII has a broadcast of the hardware, others have none")
	}
	var times [2]float64
	err := b.Run(t.Context(), Job{On: on, Ranks: 6, PerNode: 2, Casts: true}, func(k *measure.Rank) error {
		for _, n := range []int{1, 5000, 1 << 20} {
			buf, want := make([]byte, n), make([]byte, n)
			for i := range want {
				want[i] = byte(i * n >> 3)
			}
			if k.Lead() {
				copy(buf, want)
			}
			mr, err := k.Cast.Register(buf)
			if err != nil {
				return err
			}
			if err := k.Cast.Send(k, buf, mr); err != nil {
				return err
			}
			if !bytes.Equal(buf, want) {
				t.Errorf("rank %d got other than %d bytes of the root", k.World.Rank(), n)
			}
		}
		for i, group := range []func(*measure.Rank, measure.Collective, int) (*measure.Group, error){measure.NewGroup, measure.NewCastGroup} {
			g, err := group(k, measure.Allgather, 2048)
			if err != nil {
				return err
			}
			if times[i], err = g.Slowest(measure.Loops{Warmup: 12, Timed: 2}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if times[1] <= 0 || times[1] >= times[0] {
		t.Errorf("allgather: %g us with a gather and a broadcast of the hardware, %g us down a tree", times[1], times[0])
	}
	err = b.Run(t.Context(), Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		_, err := measure.NewCastGroup(k, measure.Bcast, 1)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "has none") {
		t.Errorf("without a caster: %v", err)
	}
}

// TestRulesAreJoined: what is given last counts first, whatever it is called, and other settings stay as they are.
func TestRulesAreJoined(t *testing.T) {
	got := joinRules([]string{"coll=bcast=binomial,barrier=flat", "rndv=rget", "coll=bcast=elan", "WEFT_COLL=alltoall=xor"})
	if want := []string{"rndv=rget", "coll=alltoall=xor,bcast=elan,bcast=binomial,barrier=flat"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := joinRules([]string{"rndv=rget"}); !slices.Equal(got, []string{"rndv=rget"}) {
		t.Errorf("without rules: %q", got)
	}
}

// TestMachinesNameTheirCollectives: no figure of a document's machine depends on what Weft chooses by default.
func TestMachinesNameTheirCollectives(t *testing.T) {
	for _, m := range Machines() {
		rules := strings.Join(joinRules(m.Settings), " ")
		for _, op := range []string{"barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall"} {
			if !strings.Contains(rules, "="+op+"=") && !strings.Contains(rules, ","+op+"=") {
				t.Errorf("%s does not say which %s it has", m.ID, op)
			}
		}
		if _, err := environ(joinRules(m.Settings)); err != nil {
			t.Errorf("%s: %v", m.ID, err)
		}
	}
}
