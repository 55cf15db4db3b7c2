package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestContextEndsMaking: who waits for a partner that does not come, to make a communicator of a part of
// the ranks or of two groups, goes on when its context ends. Messages go on, too, but no communicator is
// made that way any more: words of the call that was given up would be taken for those of the next.
func TestContextEndsMaking(t *testing.T) {
	group := func(w *mpi.Comm) error { _, err := w.CreateGroup(w.Group(), 1); return err }
	inter := func(w *mpi.Comm) error { _, err := w.Self().Intercomm(0, w, 1-w.Rank(), 1); return err }
	for name, c := range map[string]struct {
		first, next func(w *mpi.Comm) error
		words       string
	}{
		"group":            {group, group, "create_group"},
		"inter":            {inter, inter, "intercomm"},
		"group then inter": {group, inter, "create_group"},
		"inter then group": {inter, group, "intercomm"},
	} {
		t.Run(name, func(t *testing.T) {
			runs(t, 2, func(w *mpi.Comm) error {
				if w.Rank() == 0 {
					ctx, stop := soon()
					defer stop()
					if err := c.first(w.WithContext(ctx)); !errors.Is(err, errStop) || !strings.Contains(err.Error(), c.words) {
						return fmt.Errorf("ended with %v", err)
					}
					if err := c.next(w); !errors.Is(err, mpi.ErrGivenUp) || !strings.Contains(err.Error(), "by another one") {
						return fmt.Errorf("the next one ended with %v", err)
					}
				}
				peer, got := 1-w.Rank(), []int{0}
				if _, err := mpi.Sendrecv(w, []int{7}, peer, 5, got, peer, 5); err != nil || got[0] != 7 {
					return fmt.Errorf("received %v, %w", got, err)
				}
				d, err := w.Dup()
				if err != nil {
					return err
				}
				g, err := d.CreateGroup(d.Group(), 1)
				if err != nil {
					return err
				}
				return errors.Join(mpi.Barrier(g), g.Free(), d.Free())
			})
		})
	}
}
