package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// sizes are the job sizes that every body runs on.
func sizes() []int {
	if testing.Short() {
		return []int{1, 2, 3}
	}
	return []int{1, 2, 3, 5, 8}
}

// onComms runs a body on the communicators that a program can have: world, self, a duplicate, and the halves
// of a split whose ranks are in reverse order; for every job size.
func onComms(t *testing.T, body func(c *mpi.Comm) error) {
	t.Helper()
	for _, n := range sizes() {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			err := mpi.Run(n, func(w *mpi.Comm) error { return onAll(w, body) })
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func onAll(w *mpi.Comm, body func(c *mpi.Comm) error) error {
	dup, err := w.Dup()
	if err != nil {
		return err
	}
	half, err := w.Split(w.Rank()%2, -w.Rank())
	if err != nil {
		return err
	}
	for _, c := range []*mpi.Comm{w, w.Self(), dup, half} {
		if err := body(c); err != nil {
			return fmt.Errorf("on %s, rank %d of %d: %w", c.Name(), c.Rank(), c.Size(), err)
		}
	}
	return errors.Join(dup.Free(), half.Free())
}

// runs runs a job that has to succeed.
func runs(t *testing.T, n int, f func(w *mpi.Comm) error) {
	t.Helper()
	if err := mpi.Run(n, f); err != nil {
		t.Error(err)
	}
}

// want is an error unless got equals want.
func want[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s is %v, want %v", what, got, want)
	}
	return nil
}

// same compares two slices.
func same[T comparable](what string, got, want []T) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s has %d elements, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("%s[%d] is %v, want %v", what, i, got[i], want[i])
		}
	}
	return nil
}

// particle is a struct without pointers, with an array inside.
type particle struct {
	X, Y float64
	ID   int32
	Kind [3]byte
}

func particles(n, seed int) []particle {
	all := make([]particle, n)
	for i := range all {
		all[i] = particle{float64(i * seed), -float64(i), int32(seed + i), [3]byte{byte(i), byte(seed), 7}}
	}
	return all
}

func numbers(n, seed int) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(seed)*1_000_003 + int64(i)*7 + 1
	}
	return all
}
