// Package dropped has errors that nobody looks at, and some that somebody does.
package dropped

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

func dropped(c *mpi.Comm, w *mpi.Window, buf []int, reqs []mpi.Request) {
	mpi.Send(c, buf, 1, 0)      // want error "the error of Send is dropped: if the call fails, the program goes on as if it had not. Return the error, or write _ = to say"
	mpi.Recv(c, buf, 1, 0)      // want error "the error of Recv is dropped: .* write _, _ = to say"
	go mpi.Send(c, buf, 1, 0)   // want error "the error of Send is dropped"
	mpi.Barrier(c)              // want error "the error of Barrier is dropped"
	mpi.Waitall(reqs)           // want error "the error of Waitall is dropped"
	reqs[0].Wait()              // want error "the error of Wait is dropped"
	w.Fence()                   // want error "the error of Fence is dropped"
	mpi.Send[int](c, nil, 1, 0) // want error "the error of Send is dropped"
	func() {
		w.Flush(0) // want error "the error of Flush is dropped"
	}()
	c.Free() // want error "the error of Free is dropped"
}

func seen(c *mpi.Comm, w *mpi.Window, buf []int) error {
	_ = mpi.Send(c, buf, 1, 0)
	_, _ = mpi.Recv(c, buf, 1, 0)
	st, _ := mpi.Recv(c, buf, 1, 0)
	fmt.Println(st)
	c.SetName("c")
	c.Abort(1, "no")
	defer w.Free()
	if err := mpi.Barrier(c); err != nil {
		return err
	}
	return mpi.Finalize()
}

func meant(c *mpi.Comm) {
	mpi.Barrier(c) //weft:ignore error it is only to keep them together
}
