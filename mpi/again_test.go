package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// again is some ways to make a communicator of all ranks of another one.
var again = map[string]func(c *mpi.Comm) (*mpi.Comm, error){
	"dup":    func(c *mpi.Comm) (*mpi.Comm, error) { return c.Dup() },
	"create": func(c *mpi.Comm) (*mpi.Comm, error) { return c.Create(c.Group()) },
	"split":  func(c *mpi.Comm) (*mpi.Comm, error) { return c.Split(0, 0) },
	"group":  func(c *mpi.Comm) (*mpi.Comm, error) { return c.CreateGroup(c.Group(), 0) },
	"idup": func(c *mpi.Comm) (*mpi.Comm, error) { // ranks wait for it before or after other calls
		coming, err := c.Idup()
		if err == nil && c.Rank()%2 > 0 {
			_, err = coming.Wait()
		}
		if err = errors.Join(err, mpi.Allreduce(c, []int{c.Rank()}, make([]int, 1), mpi.Max)); err != nil {
			return nil, err
		}
		return coming.Wait()
	},
}

// TestNumbersComeAgain: a message sent at once on a communicator whose number was another's before arrives, also from
// a rank to itself.
func TestNumbersComeAgain(t *testing.T) {
	t.Setenv("WEFT_LAB_COMM_NUMBERS", "4")
	for name, way := range again {
		for _, n := range []int{1, 3} {
			err := mpi.Run(n, func(w *mpi.Comm) error {
				for i := range 40 {
					c, err := way(w)
					if err == nil {
						err = errors.Join(tellLast(c, i), c.Free())
					}
					if err != nil {
						return fmt.Errorf("communicator %d: %w", i, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s, %d ranks: %v", name, n, err)
			}
		}
	}
}

// tellLast has rank 0 send to the last, short messages and long ones.
func tellLast(c *mpi.Comm, number int) (err error) {
	n := 1 + number%2*20_000
	var sent mpi.Request
	if c.Rank() == 0 {
		sent = mpi.Isend(c, numbers(n, number), c.Size()-1, 1)
	}
	if c.Rank() == c.Size()-1 {
		b := make([]int64, n)
		if _, err = mpi.Recv(c, b, 0, 1); err == nil {
			err = same("message", b, numbers(n, number))
		}
	}
	if c.Rank() == 0 {
		err = errors.Join(err, mpi.Waitall([]mpi.Request{sent}))
	}
	return err
}
