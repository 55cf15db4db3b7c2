package mpi_test

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestCreateGroupAgain: a message sent at once in a communicator whose number was another's before arrives.
func TestCreateGroupAgain(t *testing.T) {
	const numbers = 1 << 14 // of communicators that a process leads, before they come again
	err := mpi.Run(3, func(w *mpi.Comm) error {
		b := []int{0}
		for i := range numbers + 4000 {
			c, err := w.CreateGroup(w.Group(), 0)
			if err != nil {
				return err
			}
			last := c.Size() - 1
			switch c.Rank() {
			case 0:
				err = mpi.Send(c, []int{i}, last, 1)
			case last:
				if _, err = mpi.Recv(c, b, 0, 1); err == nil && b[0] != i {
					err = fmt.Errorf("communicator %d: got %d", i, b[0])
				}
			}
			if err != nil {
				return err
			}
			if err := c.Free(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
