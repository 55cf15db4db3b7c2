// Package request has requests that nobody waits for, and some that somebody does.
package request

import "github.com/weft-mpi/weft/mpi"

func dropped(c *mpi.Comm, buf, in []int) {
	mpi.Isend(c, buf, 1, 0)            // want request "nobody waits for the request of Isend: its buffer stays"
	_ = mpi.Irecv(c, in, 1, 0)         // want request "nobody waits for the request of Irecv"
	var _ = mpi.Ibarrier(c)            // want request "nobody waits for the request of Ibarrier"
	mpi.SendInit(c, buf, 1, 0)         // want request "nobody waits for the request of SendInit"
	begin(c, buf)                      // want request "nobody waits for the request of begin"
	_, _ = mpi.Ibarrier(c), len(buf)   // want request "nobody waits for the request of Ibarrier"
	_ = []mpi.Request{mpi.Ibarrier(c)} // want request "nobody waits for the request of Ibarrier"
}

func begin(c *mpi.Comm, buf []int) mpi.Request { return mpi.Isend(c, buf, 1, 0) }

func inTime(c *mpi.Comm, buf []int) error {
	if err := mpi.Isend(c, buf, 1, 0).Free(); err != nil {
		return err
	}
	if _, err := mpi.Irecv(c, buf, 1, 0).Wait(); err != nil {
		return err
	}
	r := mpi.Ibarrier(c)
	if _, done, err := r.Test(); done || err != nil {
		return err
	}
	_, err := mpi.Wait(mpi.Irecv(c, buf, 1, 0))
	return err
}

func onlyAsked(c *mpi.Comm, buf []int) (bool, error) {
	r := mpi.Isend(c, buf, 1, 0) // want request "which is kept in r: .* Call r.Wait\(\)"
	if err := r.Cancel(); err != nil {
		return false, err
	}
	return r.Active(), nil
}

func onlyStarted(c *mpi.Comm, buf []int) error {
	p := mpi.SendInit(c, buf, 1, 0) // want request "which is kept in p"
	return mpi.Start(p)
}

func silenced(c *mpi.Comm) {
	r := mpi.Ibarrier(c) // want request "which is kept in r"
	_ = r
}

func forgottenList(c *mpi.Comm, buf []int, n int) {
	reqs := make([]mpi.Request, n)
	for i := range reqs {
		reqs[i] = mpi.Isend(c, buf, i, 0) // want request "which is kept in reqs: .* Call mpi.Waitall\(reqs\)"
	}
	var more []mpi.Request
	for i := range n {
		more = append(more, mpi.Isend(c, buf, i, 0)) // want request "which is kept in more"
	}
	println(len(more))
	var two [2]mpi.Request
	two[0] = mpi.Ibarrier(c) // want request "which is kept in two"
}

func list(c *mpi.Comm, buf []int, n int) error {
	reqs := make([]mpi.Request, 0, n)
	for i := range n {
		reqs = append(reqs, mpi.Isend(c, buf, i, 0))
	}
	pair := [...]mpi.Request{mpi.Ibarrier(c), 1: mpi.Ibarrier(c)}
	if err := mpi.Waitall(pair[:]); err != nil {
		return err
	}
	byOne := []mpi.Request{mpi.Ibarrier(c)}
	for _, r := range byOne {
		if _, err := r.Wait(); err != nil {
			return err
		}
	}
	return mpi.Waitall(reqs)
}

func overwritten(c *mpi.Comm, a, b []int) error {
	r := mpi.Isend(c, a, 1, 0) // want request "the request of Isend in r is overwritten before anybody waits for it"
	r = mpi.Isend(c, b, 1, 0)
	_, err := r.Wait()
	return err
}

func overwrittenByTurn(c *mpi.Comm, a []int) error {
	var r mpi.Request
	for i := range 4 {
		r = mpi.Isend(c, a, i, 0) // want request "the request of Isend in r is overwritten"
	}
	_, err := r.Wait()
	return err
}

func lastOfSome(c *mpi.Comm, a []int, to []int) error {
	var r mpi.Request
	for _, i := range to {
		if i == 3 {
			r = mpi.Isend(c, a, i, 0)
		}
	}
	_, err := r.Wait()
	return err
}

func firstOfSome(c *mpi.Comm, a []int, to []int) error {
	var r mpi.Request
	for _, i := range to {
		r = mpi.Isend(c, a, i, 0)
		if i > 3 {
			break
		}
	}
	_, err := r.Wait()
	return err
}

func waitedByTurn(c *mpi.Comm, a []int) error {
	var r mpi.Request
	for i := range 4 {
		if _, err := r.Wait(); err != nil {
			return err
		}
		r = mpi.Isend(c, a, i, 0)
	}
	_, err := r.Wait()
	return err
}

func notOnEveryPath(c *mpi.Comm, a, b []int) error {
	r := mpi.Irecv(c, a, 1, 0)
	if err := mpi.Send(c, b, 1, 0); err != nil {
		return err
	}
	_, err := r.Wait()
	return err
}

func inLiteral(c *mpi.Comm, a []int) (err error) {
	r := mpi.Isend(c, a, 1, 0)
	defer func() {
		_, err = r.Wait()
	}()
	return nil
}

type kept struct{ r mpi.Request }

func passedOn(c *mpi.Comm, a []int, k *kept, to chan mpi.Request) (r mpi.Request, all []mpi.Request) {
	k.r = mpi.Isend(c, a, 1, 0)
	to <- mpi.Isend(c, a, 1, 0)
	all = append(all, mpi.Isend(c, a, 1, 0))
	r = mpi.Isend(c, a, 1, 0)
	other := mpi.Isend(c, a, 1, 0)
	copied := other
	later(copied)
	_ = kept{mpi.Isend(c, a, 1, 0)}
	deferred := mpi.Isend(c, a, 1, 0)
	defer later(deferred)
	byAddress := mpi.Isend(c, a, 1, 0)
	keep(&byAddress)
	return
}

func later(mpi.Request) {}

func keep(*mpi.Request) {}

func meant(c *mpi.Comm, buf []int) {
	mpi.Isend(c, buf, 1, 0) //weft:ignore request the peer answers, so it has arrived
	//weft:ignore request,error nobody cares
	mpi.Isend(c, buf, 1, 0)
	//weft:ignore buffer another check
	mpi.Isend(c, buf, 1, 0) // want request "nobody waits"
}

var atStart = func(c *mpi.Comm) {
	mpi.Ibarrier(c) // want request "nobody waits"
}

func partOf(c *mpi.Comm, all []mpi.Request, buf []int) error {
	first := all[:2]
	first[0] = mpi.Isend(c, buf, 1, 0)
	first[1] = mpi.Isend(c, buf, 2, 0)
	return mpi.Waitall(all)
}

func unfinished(c *mpi.Comm, buf []int) error {
	panic("not yet")
	r := mpi.Isend(c, buf, 1, 0)
	_, err := r.Wait()
	return err
}
