package lab

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// SweptParameter sums up what a sweep found about one parameter of a profile.
type SweptParameter struct {
	Profile, Parameter string
	How                sim.How
	Value              float64
	Flips, Moves       int // bars that change sides, and bars whose values move at all
}

// Parameters sums up by parameter, the most important first. Those that nothing leans on are left out.
func (s *Sweep) Parameters() []SweptParameter {
	index := map[string]int{}
	var all []SweptParameter
	for _, f := range s.Figures {
		for _, b := range f.Bars {
			for _, l := range b.Leans {
				key := l.Profile + " " + l.Parameter
				i, known := index[key]
				if !known {
					i, index[key] = len(all), len(all)
					all = append(all, SweptParameter{Profile: l.Profile, Parameter: l.Parameter, How: l.How, Value: l.value()})
				}
				if all[i].Moves++; l.Flips() {
					all[i].Flips++
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b SweptParameter) int {
		return cmp.Or(cmp.Compare(b.Flips, a.Flips), cmp.Compare(b.Moves, a.Moves), cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Parameter, b.Parameter))
	})
	return all
}

// value is what the parameter is without a change.
func (l Lean) value() float64 {
	if p, err := sim.LoadProfile(l.Profile); err == nil {
		return p.Parameters[l.Parameter].Value
	}
	return 0
}

// Count tells how many bars there are, how many of them change sides with some value, and how many keep
// their side but move.
func (s *Sweep) Count() (bars, flip, move int) {
	for _, f := range s.Figures {
		for _, b := range f.Bars {
			bars++
			switch {
			case slices.ContainsFunc(b.Leans, Lean.Flips):
				flip++
			case len(b.Leans) > 0:
				move++
			}
		}
	}
	return bars, flip, move
}

// WriteText writes the sweep for people: which bars change sides and by what, and which parameters matter most.
func (s *Sweep) WriteText(w io.Writer) error {
	var b strings.Builder
	bars, flip, move := s.Count()
	fmt.Fprintf(&b, "%d bars of %d experiments, %d runs, values changed by %g%%: %d bars change sides, %d others move by more than %g%%\n",
		bars, len(s.Figures), s.Runs, s.By, flip, move, s.Least)
	if len(s.Left) > 0 {
		fmt.Fprintf(&b, "left out because they take long: %s (--figure %s, or --lengthy for all)\n", strings.Join(s.Left, ", "), s.Left[0])
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if flip > 0 {
		fmt.Fprintln(t, "\nfigure\tbar\tis\twith\tbecomes")
	}
	for _, f := range s.Figures {
		for _, bar := range f.Bars {
			for _, l := range bar.Leans {
				for _, e := range []*Effect{l.Less, l.More} {
					if e != nil && e.Flips {
						fmt.Fprintf(t, "%s\t%s\t%s, %s\t%s %s %v (%s)\t%s\n", f.ID, bar.Bar, verdict(bar.Pass), bar.Ours, l.Profile, l.Parameter, e.Value, l.How, e.Ours)
					}
				}
			}
		}
	}
	_ = t.Flush() // to a builder
	if all := s.Parameters(); len(all) > 0 {
		fmt.Fprintln(t, "\nprofile\tparameter\tvalue\tis\tbars that change sides\tbars that move")
		for _, p := range all {
			fmt.Fprintf(t, "%s\t%s\t%v\t%s\t%d\t%d\n", p.Profile, p.Parameter, p.Value, p.How, p.Flips, p.Moves)
		}
	}
	_ = t.Flush() // to a builder
	_, err := io.WriteString(w, b.String())
	return err
}

func verdict(pass bool) string { return Check{Pass: pass}.Verdict() }
