package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// serial is the naive twin: the same plate without ranks, bands or halos.
func serial(p problem) (plate []float64, steps int, change float64) {
	width := p.Size + 2
	now, next := make([]float64, width*width), make([]float64, width*width)
	for i := range width {
		now[i], next[i] = hot, hot
	}
	for steps = 1; ; steps++ {
		change = 0
		for y := 1; y <= p.Size; y++ {
			for x := 1; x <= p.Size; x++ {
				i := y*width + x
				next[i] = (now[i-width] + now[i+width] + now[i-1] + now[i+1]) / 4
				change = max(change, math.Abs(next[i]-now[i]))
			}
		}
		now, next = next, now
		if steps >= p.Steps || steps%p.Every == 0 && change <= p.Epsilon {
			return now[width : width*(p.Size+1)], steps, change
		}
	}
}

func TestEqualToSerial(t *testing.T) {
	for _, p := range []problem{
		{Size: 30, Steps: 77, Every: 10},                     // ends by its steps, between looks
		{Size: 11, Steps: 5000, Every: 10, Epsilon: 1e-3},    // ends by its change
		{Size: 7, Steps: 20, Every: 1, Epsilon: math.Inf(1)}, // ends at once
	} {
		wantPlate, wantSteps, wantChange := serial(p)
		for _, n := range []int{1, 2, 3, 7} {
			err := mpi.Run(n, func(world *mpi.Comm) error {
				plate, steps, change, err := solve(world, p)
				if err != nil {
					return err
				}
				if steps != wantSteps || change != wantChange {
					t.Errorf("%+v on %d ranks: change %g after %d steps, want %g after %d", p, n, change, steps, wantChange, wantSteps)
				}
				if world.Rank() == 0 && !slices.Equal(plate, wantPlate) {
					t.Errorf("%+v on %d ranks: the plate differs from the serial one", p, n)
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
	p := problem{Size: 48, Steps: 600, Every: 100}
	if err := mpi.Run(3, func(world *mpi.Comm) error { return run(world, &out, p, "") }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")[1:]
	if len(lines) != lettersDown {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	middle := lettersAcross / 2
	if first, last := lines[0][middle], lines[lettersDown-1][middle]; first != '@' || last != ' ' {
		t.Errorf("%q at the hot edge, %q at the cold one", first, last)
	}
}

// TestHotterIsBrighter: on grey paper a hotter point is brighter, everywhere on the scale.
func TestHotterIsBrighter(t *testing.T) {
	last := -1.0
	for i := range 101 {
		c := colour(hot * float64(i) / 100)
		grey := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
		if grey <= last {
			t.Errorf("%d%% of the heat is as bright as %.1f, and less heat as %.1f", i, grey, last)
		}
		last = grey
	}
	if colour(-1) != colours[0] || colour(2*hot) != colours[len(colours)-1] {
		t.Error("what is off the scale has no colour of its ends")
	}
}

func TestMoreRanksThanRows(t *testing.T) {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		return run(world, new(bytes.Buffer), problem{Size: 3, Steps: 1, Every: 1}, "")
	})
	if err == nil || !strings.Contains(err.Error(), "each rank needs a row") {
		t.Errorf("got %v", err)
	}
}
