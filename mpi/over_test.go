package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// afterwards are calls on what a job has left behind: its communicators, and a request, a message
// and a window on one.
func afterwards(w, dup *mpi.Comm, r mpi.Request, m *mpi.Message, win *mpi.Window) map[string]error {
	first := func(_ any, err error) error { return err }
	wait := func(r mpi.Request) error { _, err := r.Wait(); return err }
	peer := w.Size() - 1 - w.Rank()
	calls := map[string]func() error{
		"barrier":    func() error { return mpi.Barrier(w) },
		"barrier2":   func() error { return mpi.Barrier(dup) },
		"ibarrier":   func() error { return wait(mpi.Ibarrier(w)) },
		"allreduce":  func() error { return mpi.Allreduce(w, []int{1}, []int{0}, mpi.Sum) },
		"send":       func() error { return mpi.Send(w, []int{1}, peer, 0) },
		"long send":  func() error { return mpi.Send(w, make([]int, 1_000_000), peer, 0) },
		"bsend":      func() error { return mpi.Bsend(w, []int{1}, peer, 0) },
		"self send":  func() error { return mpi.Send(w.Self(), []int{1}, 0, 0) },
		"isend":      func() error { return wait(mpi.Isend(w, []int{1}, peer, 0)) },
		"recv":       func() error { _, err := mpi.Recv(w, []int{0}, peer, 0); return err },
		"irecv":      func() error { return wait(mpi.Irecv(w, []int{0}, mpi.AnySource, 0)) },
		"probe":      func() error { _, err := mpi.Probe(w, peer, 0); return err },
		"iprobe":     func() error { _, _, err := mpi.Iprobe(w, peer, 0); return err },
		"mprobe":     func() error { _, err := mpi.Mprobe(w, peer, 0); return err },
		"improbe":    func() error { _, err := mpi.Improbe(w, peer, 0); return err },
		"dup":        func() error { return first(w.Dup()) },
		"split":      func() error { return first(w.Split(0, 0)) },
		"free":       dup.Free,
		"alloc":      func() error { return first(mpi.Alloc[int](w, 10)) },
		"window":     func() error { return first(mpi.CreateWindow(w, []int{1})) },
		"request":    func() error { return wait(r) },
		"message":    func() error { _, err := mpi.Mrecv(m, []int{0}); return err },
		"fence":      func() error { return win.Fence() },
		"put":        func() error { return mpi.Put(win, []int{1}, peer, 0) },
		"fetch":      func() error { _, err := mpi.FetchOp(win, 1, peer, 0, mpi.Sum); return err },
		"rget":       func() error { return wait(mpi.Rget(win, []int{1}, peer, 0)) },
		"lock":       func() error { return win.Lock(mpi.LockShared, peer) },
		"unlock":     func() error { return win.Unlock(peer) },
		"lock all":   func() error { return win.LockAll() },
		"unlock all": win.UnlockAll,
		"flush":      func() error { return win.Flush(peer) },
		"flush all":  win.FlushAll,
		"sync":       win.Sync,
		"post":       func() error { return win.Post(w.Group()) },
		"start":      func() error { return win.Start(w.Group()) },
		"complete":   win.Complete,
		"wait":       win.Wait,
		"test":       func() error { _, err := win.Test(); return err },
		"win free":   win.Free,
	}
	errs := map[string]error{}
	for name, call := range calls {
		errs[name] = call()
	}
	return errs
}

// leftBehind makes what a rank may leave behind.
func leftBehind(w *mpi.Comm) (dup *mpi.Comm, r mpi.Request, m *mpi.Message, win *mpi.Window, err error) {
	if dup, err = w.Dup(); err != nil {
		return
	}
	if win, err = mpi.CreateWindow(w, make([]int, 4)); err != nil {
		return
	}
	if err = win.Fence(); err != nil {
		return
	}
	r = mpi.Irecv(dup, make([]int, 1), mpi.AnySource, 7)
	if err = mpi.Send(dup, make([]int, 100), w.Rank(), 8); err != nil {
		return
	}
	m, err = mpi.Mprobe(dup, w.Rank(), 8)
	return
}

// overErrors complains of calls that did not say that the job is over.
func overErrors(errs map[string]error) (all error) {
	for name, err := range errs {
		if !errors.Is(err, mpi.ErrComm) && !errors.Is(err, mpi.ErrWindow) {
			all = errors.Join(all, errors.New(name+": "+errorText(err)))
		}
	}
	return all
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// TestAfterRun: every call on what a Run has left behind is an error, and somebody who still waits is told.
func TestAfterRun(t *testing.T) {
	for _, links := range []string{"auto", "rail"} {
		t.Setenv("WEFT_LINKS", links)
		var later func() map[string]error
		var waits sync.WaitGroup
		var waited error
		err := mpi.Run(2, func(w *mpi.Comm) error {
			dup, r, m, win, err := leftBehind(w)
			if err == nil && w.Rank() == 0 {
				later = func() map[string]error { return afterwards(w, dup, r, m, win) }
				waits.Go(func() { _, waited = mpi.Recv(w, []int{0}, 1, 9) })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		waits.Wait()
		errs := later()
		errs["somebody who waits"] = waited
		if err := overErrors(errs); err != nil {
			t.Errorf("links %s:\n%v", links, err)
		}
		says(t, errs["barrier"], mpi.ErrComm, "barrier on world", "Run has returned")
		says(t, errs["fence"], mpi.ErrWindow, "Run has returned")
	}
}

// afterFinalize is a process that goes on after its job; it ends here.
func afterFinalize(w *mpi.Comm) error {
	dup, r, m, win, err := leftBehind(w)
	if err == nil {
		err = mpi.Finalize()
	}
	if err == nil {
		err = overErrors(afterwards(w, dup, r, m, win))
	}
	if err != nil {
		return err
	}
	fmt.Println("all is over")
	os.Exit(0)
	return nil
}

// TestAfterFinalizeOverNetwork is "over" of TestProcessesThatFail with devices and sockets to close.
func TestAfterFinalizeOverNetwork(t *testing.T) {
	if code, text := job(t, 2, "over", "WEFT_LINKS=rail"); code != 0 || strings.Count(text, "all is over") != 2 {
		t.Errorf("code %d\n%s", code, text)
	}
}

// TestActive: a request is active until somebody has waited for it, through whichever copy.
func TestActive(t *testing.T) {
	runs(t, 1, func(w *mpi.Comm) error {
		r := mpi.Irecv(w, []int{0}, 0, 1)
		other := r
		if err := errors.Join(want("active", r.Active(), true), mpi.Send(w, []int{1}, 0, 1), want("active when it is there", r.Active(), true)); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		if err := errors.Join(want("active after Wait", r.Active(), false), want("a copy", other.Active(), false)); err != nil {
			return err
		}
		short := []mpi.Request{mpi.Isend(w, []int{1}, 0, 2), mpi.Irecv(w, []int{0}, 0, 2)}
		if err := mpi.Waitall(short); err != nil {
			return err
		}
		var zero mpi.Request
		p := mpi.RecvInit(w, []int{0}, 0, 3)
		if err := errors.Join(want("a send after Waitall", short[0].Active(), false), want("a receive after Waitall", short[1].Active(), false),
			want("the zero request", zero.Active(), false), want("one that was not started", p.Active(), false), mpi.Start(p)); err != nil {
			return err
		}
		if err := errors.Join(want("one that was", p.Active(), true), p.Cancel()); err != nil {
			return err
		}
		_, done, err := p.Test()
		return errors.Join(err, want("done", done, true), want("one that was tested", p.Active(), false))
	})
}
