package plan

import "fmt"

// key returns where the key of a Lend or a Fetch is.
func (s *Step) key() (key Span, lending bool) {
	switch s.Kind {
	case Lend:
		return s.Dst, true
	case Fetch:
		return s.Src, true
	}
	return Span{}, false
}

// checkLent makes sure that every Fetch follows the Lend of its key, that it stays inside what was lent,
// that its lender changes nothing of that at the same time, and that the lender's plan cannot end before
// it.
func (o *nodeOrder) checkLent() error {
	type lease struct {
		rank int
		key  Span
	}
	lent := map[lease]int{} // the step
	for _, rank := range o.ranks {
		for i := range o.plans[rank].Steps {
			if s := &o.plans[rank].Steps[i]; s.Kind == Lend {
				lent[lease{rank, s.Dst}] = i
			}
		}
	}
	for _, rank := range o.ranks {
		for i := range o.plans[rank].Steps {
			s := &o.plans[rank].Steps[i]
			if s.Kind != Fetch {
				continue
			}
			lend, found := lent[lease{int(s.Peer), s.Src}]
			if !found || !o.before(o.id(int(s.Peer), lend), o.id(rank, i)) {
				return fmt.Errorf("step %d of rank %d (%s): rank %d has not lent it by then", i, rank, s, s.Peer)
			}
			if err := o.checkFetch(rank, i, lend); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFetch looks at one Fetch, step i of rank, and what its lender does.
func (o *nodeOrder) checkFetch(rank, i, lend int) error {
	s := &o.plans[rank].Steps[i]
	lender, fetch := int(s.Peer), o.id(rank, i)
	steps := o.plans[lender].Steps
	whole := steps[lend].Src
	if s.At < 0 || s.At+s.Dst.Len > whole.Len {
		return fmt.Errorf("step %d of rank %d (%s): rank %d has lent %s", i, rank, s, lender, whole)
	}
	read := whole.Sub(s.At, s.Dst.Len)
	known := false // to a step of the lender, without which it does not end
	for j := range steps {
		step := o.id(lender, j)
		known = known || set(o.end, step, o.words)[fetch/64]>>(fetch%64)&1 == 1
		if steps[j].writes().overlaps(read) && !o.before(step, fetch) && !o.before(fetch, step) {
			return fmt.Errorf("step %d of rank %d (%s) and step %d of rank %d (%s) touch the same bytes and are not ordered",
				i, rank, s, j, lender, &steps[j])
		}
	}
	if !known {
		return fmt.Errorf("step %d of rank %d (%s): rank %d does not wait for its end", i, rank, s, lender)
	}
	return nil
}
