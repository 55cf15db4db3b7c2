package simtest

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// Between two tests, a rank computes; the longer it has waited, the longer.
const (
	firstPause = 500       // ns
	lastPause  = 1_000_000 // ns
)

// wait waits for a request, and in the ways for several for all that are sure to end.
func (a *actor) wait(s *step) error {
	l := a.find(s.handle)
	if l == nil {
		return nil // a wait for several has had it
	}
	how := s.how
	switch {
	case l.alone && how != One:
		how = Testing
	case l.wild && how == TestAll:
		how = TestSome
	}
	switch how {
	case All:
		return a.waitAll(a.sure(s.key))
	case Any, Some:
		for pending := a.sure(s.key); len(pending) > 0; pending = a.sure(s.key) {
			if err := a.waitSome(how); err != nil {
				return err
			}
		}
		return nil
	case Testing, TestAll, TestAny, TestSome:
		return a.testing(how, s, l)
	}
	st, err := l.req.Wait()
	return a.land(l, st, err)
}

// together are those of the requests that may be waited for with others.
func (a *actor) together(all []*live) (out []*live) {
	for _, l := range all {
		if !l.alone {
			out = append(out, l)
		}
	}
	return out
}

// sure are the requests that end whatever happens after the steps before key.
func (a *actor) sure(key int64) (out []*live) {
	for _, l := range a.together(a.flights) {
		if l.legal <= key {
			out = append(out, l)
		}
	}
	return out
}

func requests(all []*live) []mpi.Request {
	reqs := make([]mpi.Request, len(all))
	for i, l := range all {
		reqs[i] = l.req
	}
	return reqs
}

func (a *actor) waitAll(all []*live) error {
	statuses := make([]mpi.Status, len(all))
	if err := mpi.WaitallStatus(requests(all), statuses); err != nil {
		return err
	}
	return a.landAll(all, statuses)
}

func (a *actor) landAll(all []*live, statuses []mpi.Status) error {
	for i, l := range all {
		if err := a.land(l, statuses[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// waitSome waits for some of all requests, whether they are sure to end or not.
func (a *actor) waitSome(how Waiting) error {
	all := a.together(a.flights)
	reqs := requests(all)
	if how == Any {
		i, st, err := mpi.Waitany(reqs)
		if i < 0 || i >= len(all) {
			return fmt.Errorf("waitany of %d requests returned %d: %v", len(all), i, err)
		}
		return a.land(all[i], st, err)
	}
	which, statuses, err := mpi.Waitsome(reqs)
	if err != nil {
		return err
	}
	if len(which) == 0 {
		return fmt.Errorf("waitsome of %d requests returned none", len(all))
	}
	return a.landSome(all, which, statuses)
}

func (a *actor) landSome(all []*live, which []int, statuses []mpi.Status) error {
	done := make([]*live, len(which))
	for i, w := range which {
		if w < 0 || w >= len(all) {
			return fmt.Errorf("request %d of %d has ended", w, len(all))
		}
		done[i] = all[w]
	}
	return a.landAll(done, statuses)
}

// testing tests until a request has ended, or all that are sure to.
func (a *actor) testing(how Waiting, s *step, l *live) error {
	for pause := int64(firstPause); a.find(s.handle) != nil; pause = min(2*pause, lastPause) {
		done, err := false, error(nil)
		switch how {
		case TestAll:
			done, err = a.testAll(a.sure(s.key))
		case TestAny, TestSome:
			done, err = a.testSome(a.together(a.flights))
		default:
			var st mpi.Status
			if st, done, err = l.req.Test(); done || err != nil {
				err = a.land(l, st, err)
			}
		}
		if err != nil {
			return err
		}
		if !done {
			a.stage.compute(a.rank, pause)
		}
	}
	return nil
}

// testAll tells whether all have ended. Testall returns no statuses, so receives from anybody are left out.
func (a *actor) testAll(all []*live) (bool, error) {
	all = slices.DeleteFunc(all, func(l *live) bool { return l.wild })
	reqs := requests(all)
	done, err := mpi.Testall(reqs)
	if err != nil || !done {
		return false, err
	}
	for _, l := range all {
		if err := a.land(l, mpi.Status{Source: unknown}, nil); err != nil {
			return true, err
		}
	}
	return true, nil
}

// unknown is the source of a status that a call does not return.
const unknown = -1000

// testSome ends what has ended, if anything has.
func (a *actor) testSome(all []*live) (bool, error) {
	reqs := requests(all)
	if len(all)%2 == 0 {
		i, st, done, err := mpi.Testany(reqs)
		switch {
		case err != nil:
			return false, err
		case !done:
			return false, nil
		case i < 0 || i >= len(all):
			return false, fmt.Errorf("testany of %d requests returned %d", len(all), i)
		}
		return true, a.land(all[i], st, nil)
	}
	which, statuses, err := mpi.Testsome(reqs)
	if err != nil || len(which) == 0 {
		return false, err
	}
	return true, a.landSome(all, which, statuses)
}
