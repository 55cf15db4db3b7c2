// Package freed has objects that are used after their end, and some that are not.
package freed

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

func communicator(world *mpi.Comm) error {
	c, err := world.Dup()
	if err != nil {
		return err
	}
	if err := c.Free(); err != nil {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	fmt.Println(c.Rank(), c.Size())
	if err := mpi.Barrier(c); err != nil { // want freed "Barrier uses c, which the Free of line 16 has ended: the call fails. Call it before, or with a new one"
		return err
	}
	c, err = world.Dup()
	if err != nil {
		return err
	}
	return mpi.Barrier(c)
}

func twice(w *mpi.Window) error {
	err := w.Free()
	return errors.Join(err, w.Free()) // want freed "Free uses w, which the Free of line"
}

func window(w *mpi.Window, buf []int) error {
	if err := w.Free(); err != nil {
		return err
	}
	return mpi.Put(w, buf, 0, 0) // want freed "Put uses w, which the Free"
}

func request(c *mpi.Comm, buf []int) error {
	r := mpi.Isend(c, buf, 1, 0)
	if _, err := r.Wait(); err != nil {
		return err
	}
	if r.Active() {
		return nil
	}
	_, err := r.Wait() // want freed "Wait uses r, which the Wait"
	r = mpi.Isend(c, buf, 1, 0)
	return errors.Join(err, r.Free())
}

func again(c *mpi.Comm, buf []int) error {
	r := mpi.SendInit(c, buf, 1, 0)
	if err := mpi.Start(r); err != nil {
		return err
	}
	if _, err := r.Wait(); err != nil {
		return err
	}
	if err := mpi.Start(r); err != nil {
		return err
	}
	_, err := r.Wait()
	return err
}

func memory(c *mpi.Comm) (int, error) {
	buf, err := mpi.Alloc[int](c, 4)
	if err != nil {
		return 0, err
	}
	buf[0] = 1
	if err := mpi.Free(c, buf); err != nil {
		return 0, err
	}
	fmt.Println(len(buf))
	return buf[0], nil // want freed "buf is read, but the Free of line 76 has given it back"
}

func sometimes(c *mpi.Comm, buf []int, last bool) error {
	if last {
		if err := c.Free(); err != nil {
			return err
		}
	}
	if !last {
		return mpi.Barrier(c)
	}
	return nil
}

func atTheEnd(c *mpi.Comm) error {
	defer c.Free()
	for range 3 {
		d, err := c.Dup()
		if err != nil {
			return err
		}
		if err := mpi.Barrier(d); err != nil {
			return err
		}
		if err := d.Free(); err != nil {
			return err
		}
	}
	return mpi.Barrier(c)
}

func expected(c *mpi.Comm, fails func(error) bool) error {
	if !fails(c.Free()) {
		return nil
	}
	var zero mpi.Request
	if _, err := zero.Wait(); err != nil {
		return err
	}
	return errors.Join(zero.Free(), mpi.Barrier(c))
}

func shown(c *mpi.Comm) {
	if err := c.Free(); err != nil {
		return
	}
	if err := mpi.Barrier(c); errors.Is(err, mpi.ErrComm) {
		fmt.Println("it is gone")
	}
}
