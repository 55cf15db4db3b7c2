package lab

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/lab/measure"
)

// TestLetters: messages go to and fro over connections and by datagrams, also those that need several, on a
// model and on this host; both sides measure the same trips.
func TestLetters(t *testing.T) {
	b, err := NewBench(Options{Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range b.Setups("C1", string(Host)) {
		for _, kind := range []verbs.Type{verbs.RC, verbs.UD} {
			const most = 64 << 10
			var us [2][2]float64 // side, size
			err := b.RunLetters(t.Context(), LetterJob{On: on, Type: kind, Most: most}, func(w *measure.Letters) error {
				for i, size := range []int{1, most} {
					v, err := measure.SendLatency(w, size, measure.Loops{Warmup: 2, Timed: 3})
					if err != nil {
						return err
					}
					side := 0
					if !w.Lead {
						side = 1
					}
					us[side][i] = v
				}
				return nil
			})
			if err != nil || us[0][0] <= 0 || us[1][0] <= 0 {
				t.Errorf("%s, %v: %v, %v", on.Label, kind, us, err)
			}
			if on.On.Virtual() && us[0][1] <= us[0][0] {
				t.Errorf("%s, %v: 64 KB take %g us, 1 B %g", on.Label, kind, us[0][1], us[0][0])
			}
		}
	}
}

// TestLettersRefused: what cannot be is an error.
func TestLettersRefused(t *testing.T) {
	b, err := NewBench(Options{Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	on := b.Setups("C1")[0]
	for _, size := range []int{0, 9 * 1024} {
		err := b.RunLetters(t.Context(), LetterJob{On: on, Type: verbs.RC, Most: 1024}, func(w *measure.Letters) error {
			_, err := measure.SendLatency(w, size, measure.Loops{Timed: 1})
			return err
		})
		if err == nil {
			t.Errorf("%d bytes were sent through receives of 8 times 1024", size)
		}
	}
	if err := b.RunLetters(t.Context(), LetterJob{On: on, Type: verbs.RD, Most: 64}, nil); err == nil {
		t.Error("the model has no reliable datagrams, and yet they were made")
	}
}

// TestOneSided: every operation is copied once; with a buffer that is used often the copies end where the
// document's table says, and a Put becomes faster.
func TestOneSided(t *testing.T) {
	b, err := NewBench(Options{Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	const uses, first = 400, 14 // a quarter of 56 for 4 KB
	for _, a := range []measure.Access{measure.Put, measure.Get} {
		var us [2]float64
		for i, lend := range []bool{false, true} {
			want := []int{uses, first - 1}[i]
			err := b.RunWires(t.Context(), WireJob{On: b.Setups("IB2")[0], Connections: 2, Slot: 4096}, func(w *measure.Wires) error {
				o, err := measure.NewOneSided(w, lend)
				if err != nil {
					return err
				}
				v, err := o.Latency(a, 4096, measure.Loops{Timed: uses})
				if w.Lead {
					us[i] = v
					if o.Copies != want || o.Copies+o.Lent != uses {
						t.Errorf("%v, lend %v: %d copies and %d without, want %d copies of %d", a, lend, o.Copies, o.Lent, want, uses)
					}
				}
				if err != nil {
					return err
				}
				return o.Close()
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if a == measure.Put && us[1] >= us[0] { // the copy of a Get hides behind the fence
			t.Errorf("%v: %g us with copies, %g without", a, us[0], us[1])
		}
	}
}

// TestPrices: on a model they are the profile's, and on this host there are some.
func TestPrices(t *testing.T) {
	b, err := NewBench(Options{Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	on := b.Setups("IB2", string(Host))
	alone, err := b.Prices(t.Context(), on[0], false)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := b.Prices(t.Context(), on[0], true)
	if err != nil {
		t.Fatal(err)
	}
	if p, q := alone.At(4096), whole.At(4096); p.Register <= 0 || q.Register <= p.Register || p.Copy <= alone.Search || alone.Search <= 0 {
		t.Errorf("without the end %+v, with it %+v, searching %g", p, q, alone.Search)
	}
	if costs, err := b.Prices(t.Context(), on[1], false); err != nil || costs.At(8192).Copy <= 0 {
		t.Errorf("on this host: %+v, %v", costs, err)
	}
}
