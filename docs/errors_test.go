package docs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// mistakes are the examples of errors.md: each makes its error on two ranks, and the page must quote the message.
var mistakes = []struct {
	class error
	name  string
	call  func(world *mpi.Comm) error
}{
	{mpi.ErrTruncate, "ErrTruncate", func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, make([]int, 10), 1, 7)
		}
		_, err := mpi.Recv(w, make([]int, 3), 0, 7)
		return err
	}},
	{mpi.ErrRank, "ErrRank", func(w *mpi.Comm) error { return mpi.Send(w, []int{1}, 2, 0) }},
	{mpi.ErrTag, "ErrTag", func(w *mpi.Comm) error { return mpi.Send(w, []int{1}, 0, -5) }},
	{mpi.ErrType, "ErrType", func(w *mpi.Comm) error { return mpi.Send(w, []string{"text"}, 0, 0) }},
	{mpi.ErrCount, "ErrCount", func(w *mpi.Comm) error { return mpi.Allgather(w, []int{1, 2}, make([]int, 3)) }},
	{mpi.ErrRoot, "ErrRoot", func(w *mpi.Comm) error { return mpi.Bcast(w, []int{1}, 2) }},
	{mpi.ErrOp, "ErrOp", func(w *mpi.Comm) error { return mpi.Allreduce(w, []float64{1}, []float64{0}, mpi.Band) }},
	{mpi.ErrMismatch, "ErrMismatch", func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Barrier(w)
		}
		return mpi.Bcast(w, []int{1}, 0)
	}},
	{mpi.ErrElement, "ErrElement", func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return mpi.Send(w, make([]float32, 2), 1, 7)
		}
		_, err := mpi.Recv(w, make([]int64, 1), 0, 7)
		return err
	}},
	{mpi.ErrComm, "ErrComm", func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		d.SetName("row")
		if err := d.Free(); err != nil {
			return err
		}
		return mpi.Barrier(d)
	}},
	{mpi.ErrGroup, "ErrGroup", func(w *mpi.Comm) error {
		_, err := w.Group().Incl(0, 0)
		return err
	}},
	{mpi.ErrGrid, "ErrGrid", func(w *mpi.Comm) error {
		_, err := w.Cart([]int{3, 2}, []bool{false, false}, false)
		return err
	}},
	{mpi.ErrGraph, "ErrGraph", func(w *mpi.Comm) error {
		_, err := w.Graph(nil, []int{1}[:1-w.Rank()], nil, false)
		return err
	}},
	{mpi.ErrTwo, "ErrTwo", func(w *mpi.Comm) error {
		both, err := w.Self().Intercomm(0, w, 1-w.Rank(), 0)
		if err != nil {
			return err
		}
		both.SetName("both")
		return mpi.Scan(both, []int{1}, []int{0}, mpi.Sum)
	}},
	{mpi.ErrRequest, "ErrRequest", func(w *mpi.Comm) error {
		r := mpi.Irecv(w.Self(), make([]int, 1), 0, 0)
		if err := mpi.Send(w.Self(), []int{1}, 0, 0); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		_, err := r.Wait()
		return err
	}},
	{mpi.ErrBuffer, "ErrBuffer", func(w *mpi.Comm) error { return mpi.Bsend(w, make([]byte, 300<<20), 0, 0) }},
	{mpi.ErrAborted, "ErrAborted", func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			return errors.New("no input file")
		}
		_, err := mpi.Recv(w, make([]int, 1), 0, 3)
		return err
	}},
	{context.Canceled, "context", func(w *mpi.Comm) error {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := mpi.Recv(w.WithContext(ctx), make([]int, 1), 0, 3)
		return err
	}},
	{mpi.ErrEpoch, "ErrEpoch", func(w *mpi.Comm) error {
		return inWindow(w, func(win *mpi.Window) error { return mpi.Put(win, []int{1}, 1, 0) })
	}},
	{mpi.ErrRange, "ErrRange", func(w *mpi.Comm) error {
		return inWindow(w, func(win *mpi.Window) error {
			err := win.Fence()
			return errors.Join(err, mpi.Get(win, make([]int, 3), 1, 8), win.Fence())
		})
	}},
	{mpi.ErrLock, "ErrLock", func(w *mpi.Comm) error {
		return inWindow(w, func(win *mpi.Window) error {
			err := win.Lock(mpi.LockShared, 1)
			return errors.Join(err, win.Lock(mpi.LockExclusive, 1), win.Unlock(1))
		})
	}},
	{mpi.ErrAlign, "ErrAlign", func(w *mpi.Comm) error {
		win, err := mpi.CreateWindow(w, make([]byte, 16))
		if err != nil {
			return err
		}
		err = win.Fence()
		return errors.Join(err, mpi.Put(win, []int{1}, 1, 3), win.Fence(), win.Free())
	}},
	{mpi.ErrWindow, "ErrWindow", func(w *mpi.Comm) error {
		var freed *mpi.Window
		if err := inWindow(w, func(win *mpi.Window) error { freed = win; return nil }); err != nil {
			return err
		}
		return freed.Fence()
	}},
	{mpi.ErrShared, "ErrShared", func(w *mpi.Comm) error {
		return inWindow(w, func(win *mpi.Window) error {
			_, err := mpi.Query[int](win, 1)
			return err
		})
	}},
}

// inWindow calls f with a window of ten numbers per rank.
func inWindow(w *mpi.Comm, f func(*mpi.Window) error) error {
	win, err := mpi.CreateWindow(w, make([]int, 10))
	if err != nil {
		return err
	}
	return errors.Join(f(win), win.Free())
}

// site matches the place in the source that messages of check mode end with.
var site = regexp.MustCompile(` at \S*/docs/(\w+\.go:)\d+`)

func TestErrorMessagesAreQuoted(t *testing.T) {
	page := read(t, "using/errors.md")
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			found := make([]error, 2)
			mpi.Run(2, func(world *mpi.Comm) error {
				err := m.call(world)
				found[world.Rank()] = err
				if m.class == mpi.ErrAborted {
					return err // the mistake is that a rank gives up
				}
				return nil // so that both ranks get their own error, not the news of the other's
			})
			quoted := false
			var messages []string
			for _, err := range found {
				if !errors.Is(err, m.class) {
					continue
				}
				message := site.ReplaceAllString(err.Error(), "")
				messages = append(messages, message)
				quoted = quoted || strings.Contains(page, "`"+message+"`")
			}
			if len(messages) == 0 {
				t.Fatalf("the mistake gave %v", found)
			}
			if !quoted {
				t.Errorf("errors.md does not quote\n`%s`", strings.Join(messages, "`\nor\n`"))
			}
		})
	}
}

// TestErrorPageIsComplete sees that the page has a section for every class that package mpi exports.
func TestErrorPageIsComplete(t *testing.T) {
	page := read(t, "using/errors.md")
	source, err := os.ReadFile("../mpi/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	classes := regexp.MustCompile(`(?m)^\t(Err\w+) +=`).FindAllStringSubmatch(string(source), -1)
	if len(classes) < 10 {
		t.Fatalf("found only %d classes in mpi/errors.go", len(classes))
	}
	for _, c := range classes {
		if !strings.Contains(page, fmt.Sprintf("`mpi.%s`", c[1])) {
			t.Errorf("errors.md says nothing about mpi.%s", c[1])
		}
	}
}
