package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestCountsPrimes(t *testing.T) {
	const limit, primes = 10_000, 1229
	for _, n := range []int{1, 2, 3, 9} {
		for _, size := range []int{100, 9_999, 20_000} { // many tasks, two, and one for all workers
			var out bytes.Buffer
			err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, limit, size) })
			if err != nil {
				t.Fatal(err)
			}
			if first := fmt.Sprintf("%d primes below %d\n", primes, limit); !strings.HasPrefix(out.String(), first) {
				t.Errorf("%d ranks, tasks of %d: %q", n, size, out.String())
			}
			checkShares(t, out.String(), n-1, (limit+size-1)/size)
		}
	}
}

// checkShares sees that every worker reports and that together they did every task once.
func checkShares(t *testing.T, text string, workers, tasks int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")[1:]
	if len(lines) != workers {
		t.Fatalf("%d workers report, want %d:\n%s", len(lines), workers, text)
	}
	sum := 0
	for _, line := range lines {
		var worker, did, of int
		if _, err := fmt.Sscanf(line, "worker %d did %d of %d tasks", &worker, &did, &of); err != nil || of != tasks {
			t.Errorf("line %q: %v", line, err)
		}
		sum += did
	}
	if workers > 0 && sum != tasks {
		t.Errorf("workers did %d tasks of %d", sum, tasks)
	}
}

func TestCutCoversAll(t *testing.T) {
	next := 0
	for _, task := range cut(1000, 33) {
		if task.Low != next || task.High <= task.Low {
			t.Fatalf("task %v after %d", task, next)
		}
		next = task.High
	}
	if next != 1000 {
		t.Errorf("tasks end at %d", next)
	}
}
