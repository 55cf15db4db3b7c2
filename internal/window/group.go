package window

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
)

// Tags of messages on the window's communicator.
const (
	tagPosted = iota + 1
	tagComplete
)

// ranksOf turns a group into ranks of the window.
func (w *Window) ranksOf(op string, g *comm.Group) ([]int, error) {
	ranks := make([]int, 0, g.Size())
	for _, proc := range g.Processes() {
		r := w.c.Group().Rank(proc)
		if r == comm.Undefined {
			return nil, w.fail(op, comm.None, fmt.Errorf("%w: process %d is not in the window", comm.ErrGroup, proc))
		}
		ranks = append(ranks, r)
	}
	return ranks, nil
}

// enterGroup checks that an epoch with a group may begin, and sets its bit.
func (w *Window) enterGroup(op string, g *comm.Group, bit uint32) ([]int, error) {
	ranks, err := w.ranksOf(op, g)
	if err != nil {
		return nil, err
	}
	if err := w.settled(op, bit|allHeld|used); err != nil {
		return nil, err
	}
	w.epoch.And(^(fenced | used))
	if w.epoch.Or(bit)&bit != 0 {
		return nil, w.fail(op, comm.None, fmt.Errorf("%w: another goroutine has just opened one", ErrEpoch))
	}
	return ranks, nil
}

// Post lets the ranks of a group access our part, until Wait. It does not wait for them.
func (w *Window) Post(g *comm.Group, assert Assert) error {
	ranks, err := w.enterGroup("post", g, posted)
	if err != nil {
		return err
	}
	var sends []comm.Request
	if assert&NoCheck == 0 {
		sends = w.tell(ranks, tagPosted)
	}
	w.mu.Lock()
	w.origins, w.calls = ranks, sends
	w.mu.Unlock()
	return nil
}

// tell sends a message without data to some ranks. It returns what does not leave at once.
func (w *Window) tell(ranks []int, tag int) (left []comm.Request) {
	for _, r := range ranks {
		if !w.c.SendShort(nil, r, tag) {
			left = append(left, w.c.Isend(nil, r, tag, comm.Standard))
		}
	}
	return left
}

// hear waits for such a message from each of some ranks.
func (w *Window) hear(op string, ranks []int, tag int) error {
	var failed []error
	for _, r := range ranks {
		if _, err := w.c.Recv(nil, r, tag); err != nil {
			failed = append(failed, err)
		}
	}
	if failed != nil {
		return w.fail(op, comm.None, errors.Join(failed...))
	}
	return nil
}

// StartGroup begins an epoch of access to the ranks of a group. It waits until they have called Post.
func (w *Window) StartGroup(g *comm.Group, assert Assert) error {
	ranks, err := w.enterGroup("start", g, started)
	if err != nil {
		return err
	}
	if assert&NoCheck == 0 {
		if err := w.hear("start", ranks, tagPosted); err != nil {
			w.epoch.And(^started)
			return err
		}
	}
	w.mu.Lock()
	w.group = ranks
	w.mu.Unlock()
	for _, r := range ranks {
		w.parts[r].open.Or(targeted)
	}
	return nil
}

// collect waits for requests.
func (w *Window) collect(op string, reqs []comm.Request) error {
	if len(reqs) == 0 {
		return nil
	}
	var failed []error
	_, err := comm.Collect(reqs, comm.Want{Need: len(reqs)}, func(_ int, _ comm.Status, err error) { failed = append(failed, err) })
	if err = errors.Join(append(failed, err)...); err != nil {
		return w.fail(op, comm.None, err)
	}
	return nil
}

// Complete ends the epoch that Start began: all operations are over when it returns, at their targets too. It does not
// wait until the targets can be told so: one that has no room for more messages before it has received some may be
// waiting in its own Complete, for us.
func (w *Window) Complete() error {
	if err := w.settled("complete", 0); err != nil {
		return err
	}
	if w.epoch.Load()&started == 0 {
		return w.fail("complete", comm.None, fmt.Errorf("%w: Start has not been called", ErrEpoch))
	}
	err := w.flushAll("complete", true)
	w.mu.Lock()
	group := w.group
	w.group = nil
	w.mu.Unlock()
	for _, r := range group {
		w.parts[r].open.And(^targeted)
	}
	sends := w.tell(group, tagComplete)
	w.epoch.And(^started)
	return errors.Join(err, w.later("complete", sends))
}

// later keeps sends that need not have left when a call ends, and takes those that have.
func (w *Window) later(op string, sends []comm.Request) error {
	w.mu.Lock()
	sends = append(w.leaving, sends...)
	w.leaving = nil
	w.mu.Unlock()
	if len(sends) == 0 {
		return nil
	}
	gone := make([]bool, len(sends))
	var failed []error
	_, err := comm.Collect(sends, comm.Want{}, func(i int, _ comm.Status, err error) {
		gone[i] = true
		failed = append(failed, err)
	})
	w.mu.Lock()
	for i, r := range sends {
		if !gone[i] {
			w.leaving = append(w.leaving, r)
		}
	}
	w.mu.Unlock()
	if err = errors.Join(append(failed, err)...); err != nil {
		return w.fail(op, comm.None, err)
	}
	return nil
}

// Wait ends the epoch that Post began, when all ranks of its group have called Complete.
func (w *Window) Wait() error {
	if err := w.exposed("wait"); err != nil {
		return err
	}
	w.mu.Lock()
	origins, calls := w.origins, w.calls
	w.origins, w.calls = nil, nil
	w.mu.Unlock()
	err := errors.Join(w.hear("wait", origins, tagComplete), w.collect("wait", calls))
	w.epoch.And(^posted)
	return err
}

// Test is Wait that does not wait: it tells whether the epoch has ended.
func (w *Window) Test() (bool, error) {
	if err := w.exposed("test"); err != nil {
		return false, err
	}
	w.mu.Lock()
	for _, r := range w.origins {
		w.calls = append(w.calls, w.c.Irecv(nil, r, tagComplete))
	}
	w.origins = nil
	calls := w.calls
	w.mu.Unlock()
	var failed []error
	taken := 0
	_, err := comm.Collect(calls, comm.Want{All: true}, func(_ int, _ comm.Status, err error) {
		taken++
		failed = append(failed, err)
	})
	if err = errors.Join(append(failed, err)...); err != nil {
		err = w.fail("test", comm.None, err)
	}
	if taken < len(calls) && err == nil {
		return false, nil
	}
	w.mu.Lock()
	w.calls = nil
	w.mu.Unlock()
	w.epoch.And(^posted)
	return true, err
}

func (w *Window) exposed(op string) error {
	if err := w.settled(op, 0); err != nil {
		return err
	}
	if w.epoch.Load()&posted == 0 {
		return w.fail(op, comm.None, fmt.Errorf("%w: Post has not been called", ErrEpoch))
	}
	return nil
}
