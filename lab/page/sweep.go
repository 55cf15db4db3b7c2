package page

import (
	"cmp"
	"slices"

	"github.com/weft-mpi/weft/lab"
)

// sweep is what the page tells about a sweep.
type sweep struct {
	*lab.Sweep
	Bars, Sided, Moved int // all bars; those that change sides with some value; others that move
	Values             []lab.SweptParameter
	Flips              []flip
}

// flip is a bar that changes sides with a value that nobody measured.
type flip struct {
	Figure string
	lab.SweptBar
	By []lab.Lean
}

// sweep sorts out a sweep; nil if there is none.
func (c Contents) sweep() *sweep {
	if c.Sweep == nil || len(c.Sweep.Figures) == 0 {
		return nil
	}
	s := &sweep{Sweep: c.Sweep, Values: c.Sweep.Parameters()}
	s.Bars, s.Sided, s.Moved = c.Sweep.Count()
	kinds := c.kinds()
	for _, f := range c.Sweep.Figures {
		for _, b := range f.Bars {
			if kind, shown := kinds[f.ID+" "+b.Bar]; shown {
				b.Kind = kind // the sweep may be older than the result
			}
			by := slices.DeleteFunc(slices.Clone(b.Leans), func(l lab.Lean) bool { return !l.Flips() })
			if len(by) > 0 {
				s.Flips = append(s.Flips, flip{f.ID, b, by})
			}
		}
	}
	slices.SortStableFunc(s.Flips, func(a, b flip) int { return cmp.Compare(rank(a.Kind), rank(b.Kind)) })
	return s
}

// kinds are those of all bars of the results, by figure and bar.
func (c Contents) kinds() map[string]lab.Kind {
	all := map[string]lab.Kind{}
	for _, r := range c.Results {
		for _, check := range r.Checks {
			all[r.ID+" "+check.Bar] = check.Kind
		}
	}
	return all
}

// rank puts predictions first.
func rank(k lab.Kind) int { return slices.Index(lab.Kinds(), k) }

// Verdict is the word for the outcome without a change.
func (f flip) Verdict() string { return lab.Check{Pass: f.Pass}.Verdict() }
