package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// receives are the ways to receive a message of so many elements.
func receives[T any]() map[string]func(w *mpi.Comm, n int) error {
	return map[string]func(w *mpi.Comm, n int) error{
		"recv":  func(w *mpi.Comm, n int) error { _, err := mpi.Recv(w, make([]T, n), 0, 7); return err },
		"irecv": func(w *mpi.Comm, n int) error { _, err := mpi.Irecv(w, make([]T, n), 0, 7).Wait(); return err },
		"any": func(w *mpi.Comm, n int) error {
			_, err := mpi.Recv(w, make([]T, n), mpi.AnySource, mpi.AnyTag)
			return err
		},
		"mrecv": func(w *mpi.Comm, n int) error {
			m, err := mpi.Mprobe(w, 0, 7)
			if err != nil {
				return err
			}
			_, err = mpi.Mrecv(m, make([]T, n))
			return err
		},
		"imrecv": func(w *mpi.Comm, n int) error {
			m, err := mpi.Mprobe(w, 0, 7)
			if err != nil {
				return err
			}
			_, err = mpi.Imrecv(m, make([]T, n)).Wait()
			return err
		},
	}
}

// TestTypesCompared: in check mode a message that is received as another type than it was sent is an error
// that names both places, however it travels and is received.
func TestTypesCompared(t *testing.T) {
	for _, links := range []string{"auto", "rail"} {
		t.Run(links, func(t *testing.T) {
			t.Setenv("WEFT_LINKS", links)
			for _, n := range []int{1, 100, 100_000} {
				for name, recv := range receives[int64]() {
					runs(t, 2, func(w *mpi.Comm) error {
						if w.Rank() == 0 {
							return mpi.Send(w, make([]float32, 2*n), 1, 7)
						}
						err := recv(w, n)
						if !errors.Is(err, mpi.ErrElement) || !strings.Contains(err.Error(), "sent as float32 at") ||
							!strings.Contains(err.Error(), "received as int64 at") || strings.Count(err.Error(), "label_test.go:") != 2 {
							return fmt.Errorf("%s of %d: %v", name, n, err)
						}
						return nil
					})
				}
			}
		})
	}
}

// TestSameElements: what means the same may be received as another type, and bytes are anything.
func TestSameElements(t *testing.T) {
	type pair struct{ A, B int32 }
	for name, recv := range receives[int64]() {
		runs(t, 2, func(w *mpi.Comm) error {
			if w.Rank() == 0 {
				return errors.Join(mpi.Send(w, []int{1}, 1, 7), mpi.Send(w, []uint64{1}, 1, 7), mpi.Send(w, make([]byte, 8), 1, 7), mpi.Send(w, []pair{{}}, 1, 7))
			}
			for range 4 {
				if err := recv(w, 1); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return nil
		})
	}
}

// TestTypesUnchecked: without check mode nobody compares.
func TestTypesUnchecked(t *testing.T) {
	t.Setenv("WEFT_CHECK", "off")
	runs(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, []float32{1, 2}, 1, 7)
		}
		_, err := mpi.Recv(w, []int64{0}, 0, 7)
		return err
	})
}
