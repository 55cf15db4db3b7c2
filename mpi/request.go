package mpi

import (
	"errors"
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
)

// Request is an operation that was started and has to be waited for: by [Request.Wait], [Waitall]
// and the like, or by [Request.Test] until it says so. Errors of the operation come with the wait.
// The zero Request is inactive: waiting for it returns at once. A Request may be copied; whichever
// copy is waited for first gets the result, the others become stale ([ErrRequest]).
type Request struct{ r comm.Request }

// inner is the same requests; they have no other field.
func inner(reqs []Request) []comm.Request {
	return unsafe.Slice((*comm.Request)(unsafe.Pointer(unsafe.SliceData(reqs))), len(reqs))
}

// Active tells whether there is an operation to wait for: one that was started, and that nobody has
// waited for through this or another copy of the request. Of an operation that was over when it was
// started, such as a short send, or an error, only those copies know that are elements of a list
// given to [Waitall] or its relatives; [Request.Wait] cannot change the request.
func (r Request) Active() bool { return r.r.Active() }

// Wait waits until the operation has completed: then its buffers are the program's again. The
// status is that of the message if it was a receive. If the context of its communicator ends
// before, the operation is withdrawn, or waited for if it has begun: in either case the request is
// over.
func (r Request) Wait() (Status, error) {
	st, _, err := r.r.One(true)
	return Status(st), err
}

// Test is [Request.Wait] that does not wait: it tells whether the operation has completed. If so,
// the request is over, and its buffers are the program's again.
func (r Request) Test() (st Status, done bool, err error) {
	got, done, err := r.r.One(false)
	return Status(got), done, err
}

// Done tells what [Request.Test] would, and leaves the request as it is: it still has to be waited for, and
// its buffers are the library's until then.
func (r Request) Done() (st Status, done bool, err error) {
	got, done, err := r.r.Done()
	return Status(got), done, err
}

// Cancel asks to withdraw a receive that has met no message, or a send that has met no receive. The
// request still has to be waited for; its status tells whether it was withdrawn. A short send is
// gone at once, and collectives are not cancelled.
func (r Request) Cancel() error { return r.r.Cancel() }

// Free lets the operation run to its end without anybody waiting for it. Nobody can know when that
// is, so its buffers must be left alone from then on. A request that [Start] has started cannot be
// started again.
func (r Request) Free() error { return r.r.Free() }

// Wait waits for a request; it is [Request.Wait].
func Wait(r Request) (Status, error) { return r.Wait() }

// Test tests a request; it is [Request.Test].
func Test(r Request) (Status, bool, error) { return r.Test() }

// Cancel cancels a request; it is [Request.Cancel].
func Cancel(r Request) error { return r.Cancel() }

// Waitall waits for all requests and makes them inactive. Those that are not active it skips.
// Errors of several are joined.
func Waitall(reqs []Request) error { return WaitallStatus(reqs, nil) }

// WaitallStatus is [Waitall] that also fills in statuses, which is nil or as long as reqs.
func WaitallStatus(reqs []Request, statuses []Status) (err error) {
	_, cerr := comm.Collect(inner(reqs), comm.Want{Need: len(reqs)}, func(i int, st comm.Status, e error) {
		if statuses != nil {
			statuses[i] = Status(st)
		}
		if e != nil {
			err = errors.Join(err, e)
		}
	})
	if cerr != nil {
		return errors.Join(cerr, err)
	}
	return err
}

// Waitany waits until one of the requests has completed, makes it inactive and returns its index;
// -1 if none is active. If a context ends the wait, all stay active.
func Waitany(reqs []Request) (index int, st Status, err error) {
	index = -1
	_, cerr := comm.Collect(inner(reqs), comm.Want{Need: 1, First: true}, func(i int, s comm.Status, e error) { index, st, err = i, Status(s), e })
	return index, st, errors.Join(cerr, err)
}

// Waitsome waits until at least one of the requests has completed, makes all that have inactive,
// and returns their indices and statuses; nil if none is active.
func Waitsome(reqs []Request) (indices []int, statuses []Status, err error) { return some(reqs, 1) }

// Testsome is [Waitsome] that does not wait: it returns the indices and statuses of the requests
// that have completed, and makes these inactive.
func Testsome(reqs []Request) (indices []int, statuses []Status, err error) { return some(reqs, 0) }

func some(reqs []Request, need int) (indices []int, statuses []Status, err error) {
	_, cerr := comm.Collect(inner(reqs), comm.Want{Need: need}, func(i int, st comm.Status, e error) {
		indices, statuses = append(indices, i), append(statuses, Status(st))
		err = errors.Join(err, e)
	})
	return indices, statuses, errors.Join(cerr, err)
}

// Testall is [Waitall] that does not wait: it tells whether all requests have completed. If so,
// they are made inactive, else all stay as they are.
func Testall(reqs []Request) (done bool, err error) {
	taken := 0
	active, cerr := comm.Collect(inner(reqs), comm.Want{All: true}, func(_ int, _ comm.Status, e error) {
		taken++
		err = errors.Join(err, e)
	})
	return taken == active && cerr == nil, errors.Join(cerr, err)
}

// Testany is [Waitany] that does not wait: done tells whether one of the requests has completed,
// which is made inactive. done is also true, with index -1, if none is active.
func Testany(reqs []Request) (index int, st Status, done bool, err error) {
	index = -1
	active, cerr := comm.Collect(inner(reqs), comm.Want{First: true}, func(i int, s comm.Status, e error) { index, st, err = i, Status(s), e })
	return index, st, index >= 0 || active == 0, errors.Join(cerr, err)
}
