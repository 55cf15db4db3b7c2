package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestEqualToSerial: whatever the numbers, the ranks' parts one after the other are all of them,
// sorted.
func TestEqualToSerial(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func(i int) int64{
		"random":     func(int) int64 { return random.Int64() },
		"all equal":  func(int) int64 { return 7 },
		"few values": func(int) int64 { return random.Int64N(3) - 1 },
		"backwards":  func(i int) int64 { return int64(-i) },
	} {
		for _, n := range []int{1, 3, 8} {
			for _, total := range []int{0, 5, 3000} {
				all := make([]int64, total)
				for i := range all {
					all[i] = draw(i)
				}
				parts := make([][]int64, n)
				err := mpi.Run(n, func(world *mpi.Comm) error {
					own := slices.Clone(all[world.Rank()*total/n : (world.Rank()+1)*total/n])
					before := digest(own)
					part, err := samplesort(world, own)
					if err != nil {
						return err
					}
					parts[world.Rank()] = part
					return check(world, part, before)
				})
				if err != nil {
					t.Fatalf("%s, %d numbers on %d ranks: %v", name, total, n, err)
				}
				slices.Sort(all)
				if !slices.Equal(slices.Concat(parts...), all) {
					t.Errorf("%s: %d numbers on %d ranks are not sorted", name, total, n)
				}
			}
		}
	}
}

// TestEven: random numbers end up spread evenly.
func TestEven(t *testing.T) {
	var out bytes.Buffer
	if err := mpi.Run(4, func(world *mpi.Comm) error { return run(world, &out, 100_000, 1) }); err != nil {
		t.Fatal(err)
	}
	var numbers, ranks, most int
	var seconds float64
	_, err := fmt.Sscanf(out.String(), "%d numbers on %d ranks: sorted in %g s, at most %d on a rank", &numbers, &ranks, &seconds, &most)
	if err != nil || numbers != 100_000 || ranks != 4 || most < 25_000 || most > 40_000 {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestWrongIsFound: the check finds what is not sorted, within a rank and between two, and what is
// lost.
func TestWrongIsFound(t *testing.T) {
	for want, parts := range map[string][][]int64{
		"not sorted":        {{1, 3, 2}, {4}},
		"larger number":     {{1, 5}, {4}},
		"that add up to 10": {{1, 2}, {3}},
	} {
		err := mpi.Run(2, func(world *mpi.Comm) error {
			before := digest(parts[world.Rank()])
			if strings.Contains(want, "10") && world.Rank() == 0 {
				before = []int64{3, 7}
			}
			return check(world, parts[world.Rank()], before)
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", parts, err)
		}
	}
}

func TestNegative(t *testing.T) {
	err := mpi.Run(2, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), -1, 1) })
	if err == nil || !strings.Contains(err.Error(), "must not be negative") {
		t.Errorf("got %v", err)
	}
}
