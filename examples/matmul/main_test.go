package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestEqualToSerial(t *testing.T) {
	for _, p := range []problem{
		{Size: 6, Panel: 100},
		{Size: 23, Panel: 1},
		{Size: 40, Panel: 7},
	} {
		for _, n := range []int{1, 2, 3, 4, 6} {
			p.Check = true
			var out bytes.Buffer
			if err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, p) }); err != nil {
				t.Fatalf("%+v on %d ranks: %v", p, n, err)
			}
			if !strings.Contains(out.String(), "equal to the serial product") {
				t.Errorf("%+v on %d ranks: %s", p, n, out.String())
			}
		}
	}
}

// TestWrongIsFound: a block that is not the product is noticed.
func TestWrongIsFound(t *testing.T) {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		g, err := newGrid(world)
		if err != nil {
			return err
		}
		_, err = check(g, g.newBlock(8), 8)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "differs from the serial one") {
		t.Errorf("got %v", err)
	}
}

// TestOwner: parts cover all elements, in order, and differ by at most one.
func TestOwner(t *testing.T) {
	for n := 1; n < 40; n++ {
		for parts := 1; parts <= n; parts++ {
			for k := range n {
				part, end := owner(k, n, parts)
				if begin := first(part, n, parts); k < begin || k >= end || end-begin < n/parts || end-begin > n/parts+1 {
					t.Fatalf("element %d of %d in %d parts: part %d is %d to %d", k, n, parts, part, begin, end)
				}
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	for want, p := range map[string]problem{
		"must be at least 1":       {Size: 0, Panel: 1},
		"matrix of at least 3 row": {Size: 2, Panel: 1},
	} {
		err := mpi.Run(3, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), p) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
