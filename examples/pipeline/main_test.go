package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// serial is the naive twin: it looks at one number after the other.
func serial(limit int) (primes, twins int) {
	last := 0
	for n := 2; n < limit; n++ {
		prime := true
		for d := 2; d*d <= n && prime; d++ {
			prime = n%d != 0
		}
		if !prime {
			continue
		}
		if primes++; n == last+2 && last > 0 {
			twins++
		}
		last = n
	}
	return primes, twins
}

// TestEqualToSerial: however many ranks are in each group and wherever batches end, no prime and no pair of twins is
// lost or counted twice.
func TestEqualToSerial(t *testing.T) {
	for _, limit := range []int{2, 3, 6, 100, 5000} {
		primes, twins := serial(limit)
		for _, batch := range []int{2, 3, 59, 6000} {
			if limit/batch > 500 {
				continue
			}
			for _, n := range []int{2, 3, 5, 6} {
				var out bytes.Buffer
				err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, limit, batch) })
				want := fmt.Sprintf("%d ranks found %d primes below %d, %d others %d twins among them\n", n/2, primes, limit, n-n/2, twins)
				if err != nil || out.String() != want {
					t.Errorf("%d ranks, batches of %d: %v\n%swant %s", n, batch, err, out.String(), want)
				}
			}
		}
	}
}

func TestTwoGroupsTakeTwoRanks(t *testing.T) {
	err := mpi.Run(1, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), 100, 10) })
	if err == nil || !strings.Contains(err.Error(), "it takes two ranks at least") {
		t.Errorf("got %v", err)
	}
}
