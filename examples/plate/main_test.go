package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// serial is the naive twin: the same plate without ranks, blocks, layouts or halos.
func serial(p problem) (plate []float64, steps int, change float64) {
	width := p.Columns + 2
	now := make([]float64, (p.Rows+2)*width)
	for r := range p.Rows + 2 {
		now[r*width] = warm
	}
	for c := range width {
		now[c] = hot
	}
	next := slices.Clone(now)
	for steps = 1; ; steps++ {
		change = 0
		for r := 1; r <= p.Rows; r++ {
			for i := r*width + 1; i <= r*width+p.Columns; i++ {
				next[i] = (now[i-width] + now[i+width] + now[i-1] + now[i+1]) / 4
				change = max(change, math.Abs(next[i]-now[i]))
			}
		}
		now, next = next, now
		if steps >= p.Steps || steps%p.Every == 0 && change <= p.Epsilon {
			break
		}
	}
	for r := 1; r <= p.Rows; r++ {
		plate = append(plate, now[r*width+1:(r+1)*width-1]...)
	}
	return plate, steps, change
}

func TestEqualToSerial(t *testing.T) {
	for _, p := range []problem{
		{Rows: 13, Columns: 30, Steps: 77, Every: 10},                    // ends by its steps, between looks
		{Rows: 12, Columns: 7, Steps: 5000, Every: 10, Epsilon: 1e-3},    // ends by its change
		{Rows: 12, Columns: 4, Steps: 30, Every: 1},                      // blocks of one column, or one row
		{Rows: 40, Columns: 9, Steps: 5, Every: 1, Epsilon: math.Inf(1)}, // ends at once
	} {
		wantPlate, wantSteps, wantChange := serial(p)
		for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 12} {
			err := mpi.Run(n, func(world *mpi.Comm) error {
				s, err := solve(world, p)
				if err != nil {
					return err
				}
				if s.steps != wantSteps || s.change != wantChange {
					t.Errorf("%+v on %d ranks: change %g after %d steps, want %g after %d", p, n, s.change, s.steps, wantChange, wantSteps)
				}
				if s.plate != nil && !slices.Equal(s.plate, wantPlate) {
					t.Errorf("%+v on %d ranks: the plate differs from the serial one", p, n)
				}
				plates := []int{0}
				if s.plate != nil {
					plates[0] = 1
				}
				if err := mpi.Allreduce(world, slices.Clone(plates), plates, mpi.Sum); err != nil || plates[0] != 1 {
					t.Errorf("%+v on %d ranks: %d of them have the plate: %v", p, n, plates[0], err)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestPicture(t *testing.T) {
	var out bytes.Buffer
	p := problem{Rows: 48, Columns: 60, Steps: 600, Every: 100, Check: true}
	if err := mpi.Run(3, func(world *mpi.Comm) error { return run(world, &out, p) }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 2+24 || len(lines[2]) != 60 || !strings.Contains(lines[1], "the same") {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	lines = lines[2:]
	if top, bottom, left, right := lines[0][30], lines[23][30], lines[12][0], lines[12][59]; top != '@' || bottom != ' ' || left <= ' ' || right != ' ' {
		t.Errorf("%q above, %q below, %q left, %q right", top, bottom, left, right)
	}
}

// TestCheckFindsADifference: what one rank alone computes is compared to the last bit.
func TestCheckFindsADifference(t *testing.T) {
	p := problem{Rows: 6, Columns: 5, Steps: 9, Every: 1}
	err := mpi.Run(1, func(world *mpi.Comm) error {
		s, err := solve(world, p)
		if err != nil {
			return err
		}
		if err := check(world.Self(), s, p); err != nil {
			return err
		}
		s.plate[17] = math.Nextafter(s.plate[17], 0)
		if err := check(world.Self(), s, p); err == nil || !strings.Contains(err.Error(), "another plate") {
			t.Errorf("a point that differs in its last bit: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMoreRanksThanPoints(t *testing.T) {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		return run(world, new(bytes.Buffer), problem{Rows: 1, Columns: 9, Steps: 1, Every: 1})
	})
	if err == nil || !strings.Contains(err.Error(), "4 ranks are a grid of 2 x 2, each of them needs a point") {
		t.Errorf("got %v", err)
	}
}
