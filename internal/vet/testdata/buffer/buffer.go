// Package buffer has buffers that are used too early, and some that are not.
package buffer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

func written(c *mpi.Comm, buf []int) error {
	r := mpi.Isend(c, buf, 1, 0)
	buf[0] = 1 // want buffer "buf is written while the Isend of line 13 owns it: the message may carry either value. Wait for the request first"
	_, err := r.Wait()
	buf[0] = 2
	return err
}

func sentAndRead(c *mpi.Comm, buf []int) (int, error) {
	r := mpi.Isend(c, buf, 1, 0)
	sum := buf[0] + buf[1]
	for _, x := range buf {
		sum += x
	}
	fmt.Println(buf, len(buf))
	if err := mpi.Send(c, buf, 2, 0); err != nil {
		return 0, err
	}
	_, err := r.Wait()
	return sum, err
}

func readEarly(c *mpi.Comm, buf []int) (int, error) {
	r := mpi.Irecv(c, buf, 1, 0)
	first := buf[0] // want buffer "buf is read while the Irecv of line 35 owns it: what it holds is not defined yet"
	_, err := r.Wait()
	return first, err
}

func manyWays(c *mpi.Comm, a, b, d, e, g, h, k, l []int, n int) error {
	reqs := []mpi.Request{mpi.Irecv(c, a, 1, 0), mpi.Isend(c, b, 1, 0), mpi.Irecv(c, d, 1, 0), mpi.Isend(c, e, 1, 0)}
	reqs = append(reqs, mpi.Irecv(c, g, 1, 0), mpi.Irecv(c, h, 1, 0), mpi.Isend(c, k, 1, 0), mpi.Irecv(c, l, 1, 0))
	for _, x := range a { // want buffer "a is read"
		println(x)
	}
	b[n]++         // want buffer "b is written"
	copy(b, d)     // want buffer "d is read"
	clear(e)       // want buffer "e is written"
	fmt.Println(g) // want buffer "g is read"
	if h[n] > 0 {  // want buffer "h is read"
		slices.Sort(k) // want buffer "k is written"
	}
	if err := mpi.Send(c, l, 1, 0); err != nil { // want buffer "l is read"
		return err
	}
	return mpi.Waitall(reqs)
}

func untouched(c *mpi.Comm, a, b []int, n int) error {
	r, s := mpi.Irecv(c, a, 1, 0), mpi.Isend(c, b, 1, 0)
	for i := range a {
		println(i, len(a), cap(b), &a[i])
	}
	x := b[n]
	part := a[1:3]
	b = make([]int, x)
	b[0] = 1
	_, err := r.Wait()
	if err == nil {
		_, err = s.Wait()
	}
	part[0] = 1
	return err
}

func received(c *mpi.Comm, a, b []int) error {
	r := mpi.Isend(c, a, 1, 0)
	if _, err := mpi.Recv(c, a, 1, 0); err != nil { // want buffer "a is written while the Isend"
		return err
	}
	if _, err := r.Wait(); err != nil {
		return err
	}
	return mpi.Waitall([]mpi.Request{mpi.Isend(c, b, 1, 0), mpi.Irecv(c, b, 1, 0)}) // want buffer "b is written while the Isend"
}

func reductions(c *mpi.Comm, a, sum []float64) (float64, error) {
	r := mpi.Iallreduce(c, a, sum, mpi.Sum)
	a[0] = 1        // want buffer "a is written while the Iallreduce"
	total := sum[0] // want buffer "sum is read while the Iallreduce"
	_, err := r.Wait()
	return total + a[0] + sum[0], err
}

func reused(c *mpi.Comm, buf []int, n int) error {
	var reqs []mpi.Request
	for i := range n {
		buf[0] = i // want buffer "buf is written while the Isend"
		reqs = append(reqs, mpi.Isend(c, buf, i, 0))
	}
	return mpi.Waitall(reqs)
}

func fresh(c *mpi.Comm, n int, all [][]int) error {
	var reqs []mpi.Request
	for i := range n {
		buf := make([]int, 1)
		buf[0] = i
		reqs = append(reqs, mpi.Isend(c, buf, i, 0))
	}
	for i, buf := range all {
		buf[0] = i
		reqs = append(reqs, mpi.Isend(c, buf, i, 0))
	}
	for i := range n {
		var one [1]int
		one[0] = i
		reqs = append(reqs, mpi.Isend(c, one[:], i, 0))
	}
	return mpi.Waitall(reqs)
}

func refilled(c *mpi.Comm, buf []int) error {
	r := mpi.Isend(c, buf, 1, 0)
	buf = append(buf[:0], 1, 2) // want buffer "buf is written while the Isend"
	_, err := r.Wait()
	return err
}

func parts(c *mpi.Comm, buf []int, n int) error {
	r := mpi.Isend(c, buf[0:4], 1, 0)
	s := mpi.Irecv(c, buf[4:8], 1, 0)
	t := mpi.Irecv(c, buf[n:], 1, 0)
	buf[8] = 1
	buf[9] = buf[0]
	buf[n] = 1
	copy(buf[8:], buf[:2])
	buf[3] = 1      // want buffer "buf is written while the Isend"
	println(buf[4]) // want buffer "buf is read while the Irecv"
	return mpi.Waitall([]mpi.Request{r, s, t})
}

func tail(c *mpi.Comm, buf []int) error {
	r := mpi.Irecv(c, buf[2:], 1, 0)
	buf[0], buf[1] = 1, 2
	fmt.Println(buf) // want buffer "buf is read while the Irecv"
	_, err := r.Wait()
	return err
}

func array(c *mpi.Comm) (int, error) {
	var one [1]int
	r := mpi.Irecv(c, one[:], 1, 0)
	early := one[0] // want buffer "one is read while the Irecv"
	_, err := r.Wait()
	return early + one[0], err
}

type point struct{ x, y int }

type grid struct {
	halo, now []point
	rows      [][]point
}

func fields(c *mpi.Comm, g *grid) error {
	r := mpi.Irecv(c, g.halo, 1, 0)
	g.now[0].x = 1
	x := g.halo[0].x // want buffer "g.halo is read while the Irecv"
	if _, err := r.Wait(); err != nil {
		return err
	}
	r = mpi.Isend(c, g.now, 1, 0)
	g.now[x].y = 1 // want buffer "g.now is written while the Isend"
	if _, err := r.Wait(); err != nil {
		return err
	}
	r = mpi.Irecv(c, g.rows[1], 1, 0)
	g.rows[0][1].x = x
	println(g.rows[1][0].x) // want buffer "g.rows\[1\] is read while the Irecv"
	_, err := r.Wait()
	return err
}

func swapped(c *mpi.Comm, g *grid) error {
	r := mpi.Isend(c, g.now, 1, 0)
	g.now, g.halo = g.halo, g.now
	g.now[0].x = 1
	s := mpi.Isend(c, g.halo, 2, 0)
	g.swap()
	g.halo[0].x = 2
	t := mpi.Isend(c, g.rows[0], 2, 0)
	g.rows[0], g.rows[1] = g.rows[1], g.rows[0]
	g.rows[0][0].x = 2
	return mpi.Waitall([]mpi.Request{r, s, t})
}

func (g *grid) swap() { g.now, g.halo = g.halo, g.now }

func byBranch(c *mpi.Comm, buf []int, first bool) error {
	var r mpi.Request
	if first {
		r = mpi.Isend(c, buf, 1, 0)
	}
	buf[0] = 1 // want buffer "buf is written while the Isend"
	_, err := r.Wait()
	return err
}

func byRank(c *mpi.Comm, buf []int) (int, error) {
	var r mpi.Request
	if c.Rank() == 0 {
		r = mpi.Isend(c, buf, 1, 0)
	} else {
		r = mpi.Irecv(c, buf, 0, 0)
	}
	first := 0
	if c.Rank() == 0 {
		first = buf[0]
	}
	_, err := r.Wait()
	return first, err
}

func byRoot(c *mpi.Comm, buf []int, rank int) (int, error) {
	r := mpi.Ibcast(c, buf, 0)
	own := c.Rank()
	if own == 0 {
		println(buf[0])
	}
	first := buf[0] // want buffer "buf is read while the Ibcast"
	_, err := r.Wait()
	return first, err
}

func tested(c *mpi.Comm, buf []int) error {
	r := mpi.Irecv(c, buf, 1, 0)
	for {
		_, done, err := r.Test()
		if err != nil {
			return err
		}
		if done {
			buf[0]++
			return nil
		}
	}
}

func buffered(c *mpi.Comm, buf []int) error {
	r := mpi.Ibsend(c, buf, 1, 0)
	buf[0] = 1
	_, err := r.Wait()
	return err
}

func literals(c *mpi.Comm, buf []int) error {
	r := mpi.Irecv(c, buf, 1, 0)
	show := func() { println(buf[0]) }
	_, err := r.Wait()
	show()
	return err
}

func windows(w *mpi.Window, buf, out []int) error {
	r := mpi.Rget(w, buf, 1, 0)
	s := mpi.Rput(w, out, 1, 0)
	println(out[0])
	println(buf[0]) // want buffer "buf is read while the Rget"
	return mpi.Waitall([]mpi.Request{r, s})
}

func cancelled(c *mpi.Comm, buf []int) error {
	r := mpi.Irecv(c, buf, 1, 0)
	if err := r.Cancel(); err != nil {
		return err
	}
	buf[0] = 1 // want buffer "buf is written while the Irecv of .* owns it: what comes may overwrite it"
	_, err := r.Wait()
	return err
}

func again(c *mpi.Comm, in, out []int, n int) error {
	r, s := mpi.RecvInit(c, in, 1, 0), mpi.SendInit(c, out, 1, 0)
	for i := range n {
		out[0] = i
		if err := mpi.Start(r, s); err != nil {
			return err
		}
		println(in[0]) // want buffer "in is read while the Start of line 288 owns it"
		out[0]++       // want buffer "out is written while the Start"
		if err := mpi.Waitall([]mpi.Request{r, s}); err != nil {
			return err
		}
		println(in[0])
	}
	return nil
}

func testedInLoop(c *mpi.Comm, buf []int, n int) error {
	for range n {
		r := mpi.Irecv(c, buf, 1, 0)
		for done := false; !done; {
			var err error
			if _, done, err = r.Test(); err != nil {
				return err
			}
		}
		println(buf[0])
	}
	return nil
}

func onceMore(c *mpi.Comm, buf []int, n int) error {
	buf[0] = 1
	reqs := make([]mpi.Request, n)
	for i := range reqs {
		reqs[i] = mpi.Irecv(c, buf, i, 0) // want buffer "buf is written while the Irecv of line [0-9]+ owns it"
	}
	return mpi.Waitall(reqs)
}

func waited(r mpi.Request) error {
	_, err := r.Wait()
	return err
}

func oneByOne(c *mpi.Comm, buf []int) error {
	return errors.Join(waited(mpi.Irecv(c, buf, 1, 0)), waited(mpi.Irecv(c, buf, 2, 0)))
}
