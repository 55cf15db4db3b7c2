package main

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestValue(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		var out bytes.Buffer
		err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, 10_000) })
		if err != nil {
			t.Fatal(err)
		}
		var value float64
		if _, err := fmt.Sscanf(out.String(), "pi is about %g,", &value); err != nil {
			t.Fatalf("%v in %q", err, out.String())
		}
		if off := math.Abs(value - math.Pi); off > 1e-8 { // the rule errs by about 1/(12*strips^2)
			t.Errorf("%d ranks: %v is off by %g", n, value, off)
		}
	}
}

func TestFewerStripsThanRanks(t *testing.T) {
	if got := area(2, 5, 8); got != 0 {
		t.Errorf("a rank without strips has area %v", got)
	}
	if got, want := area(2, 0, 2)+area(2, 1, 2), area(2, 0, 1); math.Abs(got-want) > 1e-15 {
		t.Errorf("two halves make %v, the whole is %v", got, want)
	}
}

func TestNoStrips(t *testing.T) {
	if err := mpi.Run(2, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), 0) }); err == nil {
		t.Error("0 strips gave no error")
	}
}
