package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestSameSamplesOnAllRanks: the number of ranks changes no digit that is printed.
func TestSameSamplesOnAllRanks(t *testing.T) {
	var first string
	for _, n := range []int{1, 2, 3, 7} { // seven ranks for five batches: two have nothing to do
		var out bytes.Buffer
		err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, 4*batch+17, 3) })
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(out.String(), fmt.Sprintf("on %d ranks", n), "on some ranks", 1)
		if first == "" {
			first = text
		}
		if text != first || !strings.Contains(text, "from 40017 samples on some ranks") {
			t.Errorf("%d ranks: %s\none rank: %s", n, text, first)
		}
	}
}

// TestErrorIsHonest: the exact answer is within four standard errors.
func TestErrorIsHonest(t *testing.T) {
	if math.Abs(robbins-0.661707182) > 1e-9 {
		t.Errorf("Robbins's constant is %v", robbins)
	}
	var out bytes.Buffer
	if err := mpi.Run(2, func(world *mpi.Comm) error { return run(world, &out, 200_000, 1) }); err != nil {
		t.Fatal(err)
	}
	var mean, deviation float64
	if _, err := fmt.Sscanf(out.String(), "mean distance %g ± %g,", &mean, &deviation); err != nil {
		t.Fatalf("%v in %q", err, out.String())
	}
	if deviation < 4e-4 || deviation > 7e-4 || math.Abs(mean-robbins) > 4*deviation {
		t.Errorf("%v ± %v", mean, deviation)
	}
}

// TestCombine: samples in two heaps have the moments of one.
func TestCombine(t *testing.T) {
	samples := []float64{4, 1, 7, 7, -2, 0.5}
	var whole moments
	for _, x := range samples {
		whole.add(x)
	}
	for cut := range len(samples) + 1 {
		var a, b moments
		for i, x := range samples {
			if i < cut {
				a.add(x)
			} else {
				b.add(x)
			}
		}
		got := combine(a, b)
		if got.Count != whole.Count || math.Abs(got.Mean-whole.Mean) > 1e-12 || math.Abs(got.Squares-whole.Squares) > 1e-12 {
			t.Errorf("cut at %d: %v, want %v", cut, got, whole)
		}
	}
}

func TestTooFewSamples(t *testing.T) {
	err := mpi.Run(2, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), 1, 1) })
	if err == nil || !strings.Contains(err.Error(), "-samples must be at least 2") {
		t.Errorf("got %v", err)
	}
}
