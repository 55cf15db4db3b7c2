package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/chart"
)

// FromResult makes the figure of a plain run.
func FromResult(r bench.Result) Figure {
	f := New(r.Test, title(r.Test, r.Ranks), r.Unit)
	places := make([]place, len(r.Rows))
	for i, row := range r.Rows {
		places[i] = place{row.Size, row.Share}
	}
	x := f.across(r.Test, places)
	for i, row := range r.Rows {
		low, high := row.Value, row.Value
		if row.Max > 0 {
			low, high = row.Min, row.Max
		}
		f.add(x.line("weft", places[i]), x.at(places[i]), row.Value, low, high)
	}
	return f
}

// FromReport makes one figure per test of a report: medians with quartiles. A test on several numbers of ranks is
// drawn across those.
func FromReport(r bench.Report) []Figure {
	var figures []Figure
	for i, c := range r.Comparisons {
		if slices.ContainsFunc(r.Comparisons[:i], func(before bench.Comparison) bool { return before.Test == c.Test }) {
			continue
		}
		var same []bench.Comparison
		for _, other := range r.Comparisons[i:] {
			if other.Test == c.Test && len(other.Points) > 0 {
				same = append(same, other)
			}
		}
		switch {
		case len(same) == 1:
			figures = append(figures, fromComparison(same[0]))
		case len(same) > 1:
			figures = append(figures, acrossRanks(same))
		}
	}
	return figures
}

func fromComparison(c bench.Comparison) Figure {
	f := New(c.Test, title(c.Test, c.Ranks), c.Unit)
	places := make([]place, len(c.Points))
	for i, p := range c.Points {
		places[i] = place{p.Size, p.Share}
	}
	x := f.across(c.Test, places)
	for k, lib := range c.Libraries {
		for i, p := range c.Points {
			f.AddSummary(x.line(lib.Name, places[i]), x.at(places[i]), p.Sides[k].Summary)
		}
	}
	return f
}

func acrossRanks(cs []bench.Comparison) Figure {
	f := New(cs[0].Test, cs[0].Test, cs[0].Unit)
	f.X = chart.Axis{Label: "ranks"}
	for _, c := range cs {
		for k, lib := range c.Libraries {
			for _, p := range c.Points {
				name := people(lib.Name)
				if len(c.Points) > 1 {
					name += ", " + bench.SizeText(p.Size)
				}
				f.AddSummary(name, c.Ranks, p.Sides[k].Summary)
			}
		}
	}
	return f
}

func title(test string, ranks int) string {
	return fmt.Sprintf("%s%s, %d ranks", strings.ToUpper(test[:1]), test[1:], ranks)
}

// people is the name of a library as its makers write it.
func people(name string) string {
	switch name {
	case "weft":
		return "Weft"
	case "openmpi":
		return "Open MPI"
	case "mpich":
		return "MPICH"
	}
	return name
}

// place is where a value belongs: a message size and a share.
type place struct{ size, share int }

// axis says which of the two the figure is drawn across; the other one, where it varies, makes lines of its own.
type axis struct{ shares, sizes, byShare bool }

// across chooses the axis: shares when one size was measured at several of them, sizes otherwise.
func (f *Figure) across(test string, places []place) axis {
	var x axis
	for _, p := range places {
		x.shares = x.shares || p.share != places[0].share
		x.sizes = x.sizes || p.size != places[0].size
	}
	x.byShare = x.shares && !x.sizes
	if t, err := bench.Find(test); err == nil && x.byShare {
		f.X = chart.Axis{Label: t.ShareText}
	}
	return x
}

func (x axis) at(p place) int {
	if x.byShare {
		return p.share
	}
	return p.size
}

func (x axis) line(name string, p place) string {
	if x.shares && x.sizes {
		return fmt.Sprintf("%s, %d %%", people(name), p.share)
	}
	return people(name)
}
