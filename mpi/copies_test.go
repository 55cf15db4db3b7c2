package mpi_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// copied are the calls that send a copy: each sends buf to peer, receives from it into in, and
// answers what it received.
var copied = map[string]func(w *mpi.Comm, buf, in []int64, peer int) ([]int64, error){
	"bsend": func(w *mpi.Comm, buf, in []int64, peer int) ([]int64, error) {
		err := mpi.Bsend(w, buf, peer, 1)
		clear(buf)
		_, err2 := mpi.Recv(w, in, peer, 1)
		return in, errors.Join(err, err2)
	},
	"ibsend": func(w *mpi.Comm, buf, in []int64, peer int) ([]int64, error) {
		r := mpi.Ibsend(w, buf, peer, 1)
		clear(buf)
		_, err := mpi.Recv(w, in, peer, 1)
		_, err2 := r.Wait()
		return in, errors.Join(err, err2)
	},
	"sendrecv_replace": func(w *mpi.Comm, buf, _ []int64, peer int) ([]int64, error) {
		_, err := mpi.SendrecvReplace(w, buf, peer, 1, peer, 1)
		return buf, err
	},
}

// TestCopiedMessages: what is sent as a copy arrives whole, though its own buffer is changed at
// once and that of the copy has been used before; and a long one finds such a buffer.
func TestCopiedMessages(t *testing.T) {
	const warm, rounds = 20, 100
	for name, call := range copied {
		for _, n := range []int{1, 700, 40_000} {
			runs(t, 2, func(w *mpi.Comm) error {
				buf, in, peer := make([]int64, n), make([]int64, n), 1-w.Rank()
				var before, after runtime.MemStats
				for round := range int64(warm + rounds) {
					if round == warm {
						runtime.ReadMemStats(&before)
					}
					for i := range buf {
						buf[i] = 2*round + int64(w.Rank())
					}
					got, err := call(w, buf, in, peer)
					if err != nil {
						return err
					}
					for i, v := range got {
						if want := 2*round + int64(peer); v != want {
							return fmt.Errorf("%s of %d, round %d: element %d is %d, wanted %d", name, n, round, i, v, want)
						}
					}
				}
				runtime.ReadMemStats(&after)
				spent := (after.TotalAlloc - before.TotalAlloc) / rounds
				if n == 40_000 && spent > uint64(8*n)/4 && !underRace { // under the race detector some buffers are forgotten on purpose
					return fmt.Errorf("%s of %d bytes allocates %d", name, 8*n, spent)
				}
				return nil
			})
		}
	}
}

// TestCopiesAtOnce: many buffered sends on their way at a time, of many lengths and by many
// goroutines, keep to their own buffers.
func TestCopiesAtOnce(t *testing.T) {
	const senders, each = 4, 30
	size := func(s, i int) int { return 1 + (s*7919+i*i*1237)%50_000 }
	runs(t, 2, func(w *mpi.Comm) error {
		peer := 1 - w.Rank()
		failed := make(chan error, senders)
		for s := range senders {
			go func() {
				buf := make([]int64, 50_000)
				var err error
				for i := range each {
					b := buf[:size(s, i)]
					for k := range b {
						b[k] = int64(s*each + i)
					}
					err = errors.Join(err, mpi.Bsend(w, b, peer, s))
				}
				failed <- err
			}()
		}
		in := make([]int64, 50_000)
		var err error
		for i := range each {
			for s := range senders {
				st, err2 := mpi.Recv(w, in, peer, s)
				if n, _ := mpi.Count[int64](st); err2 != nil || n != size(s, i) {
					return fmt.Errorf("sender %d, message %d: %v, %w", s, i, st, err2)
				}
				for k, v := range in[:size(s, i)] {
					if v != int64(s*each+i) {
						return fmt.Errorf("sender %d, message %d: element %d is %d", s, i, k, v)
					}
				}
			}
		}
		for range senders {
			err = errors.Join(err, <-failed)
		}
		return err
	})
}
