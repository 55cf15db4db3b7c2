package mpi_test

import (
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// Ranks that call different collectives are told so, also where calls are not compared: they have
// chosen different algorithms. The call neither hangs nor gives a result.
func TestDispute(t *testing.T) {
	buf := func(n int) []byte { return make([]byte, n) } // of a rank's own
	for name, c := range map[string]struct {
		even, odd func(w *mpi.Comm) error
		words     []string
	}{
		"operations": {
			func(w *mpi.Comm) error { return mpi.Bcast(w, buf(8), 0) },
			func(w *mpi.Comm) error { return mpi.Allreduce(w, buf(8), buf(8), mpi.Sum) },
			[]string{"bcast/", "allreduce/"},
		},
		"lengths": {
			func(w *mpi.Comm) error { return mpi.Allgather(w, buf(8), buf(8*w.Size())) },
			func(w *mpi.Comm) error { return mpi.Allgather(w, buf(1<<20), buf(w.Size()<<20)) },
			[]string{"allgather/"},
		},
		"forms": {
			func(w *mpi.Comm) error { return mpi.Barrier(w) },
			func(w *mpi.Comm) error {
				_, err := mpi.Ireduce(w, buf(8), buf(8), mpi.Sum, 0).Wait()
				return err
			},
			[]string{"barrier/", "reduce/"},
		},
	} {
		for _, links := range []string{"auto", "rail"} {
			t.Run(name+" "+links, func(t *testing.T) {
				t.Setenv("WEFT_CHECK", "off")
				t.Setenv("WEFT_LINKS", links)
				err := mpi.Run(4, func(w *mpi.Comm) error {
					if w.Rank()%2 == 0 {
						return c.even(w)
					}
					return c.odd(w)
				})
				says(t, err, mpi.ErrMismatch, append(c.words, "takes part in", "4 ranks on")...)
			})
		}
	}
}
