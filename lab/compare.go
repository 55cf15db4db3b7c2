package lab

import (
	"fmt"
	"math"
	"slices"
)

// Compare holds two results of the same figure against each other: every line of one divided by the line of
// that name of the other, place by place. What only one of them has is left out, and noted.
func Compare(a, b *Result, nameA, nameB string) (*Result, error) {
	if a.ID != b.ID {
		return nil, fmt.Errorf("%s and %s are different figures", a.ID, b.ID)
	}
	c := &Result{ID: a.ID, Title: a.Title + ": " + nameB + " over " + nameA, Version: b.Version, Seed: b.Seed,
		Platform: slices.Clone(b.Platform), Facts: []Fact{{nameA, a.Command}, {nameB, b.Command}}}
	for _, pa := range a.Panels {
		i := slices.IndexFunc(b.Panels, func(p *Panel) bool { return p.Title == pa.Title })
		if i < 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("only %s has the diagram %q", nameA, pa.Title))
			continue
		}
		c.comparePanels(pa, b.Panels[i], nameA, nameB)
	}
	for _, sa := range a.Scalars {
		for _, sb := range b.Scalars {
			if sa.Name == sb.Name && sa.Value != 0 {
				c.Note(sa.Name+", "+nameB+" over "+nameA, sb.Value/sa.Value, "times")
			}
		}
	}
	c.compareChecks(a, b, nameA, nameB)
	if len(c.Panels)+len(c.Scalars)+len(c.Tables) == 0 {
		return nil, fmt.Errorf("%s: the two results have nothing in common", a.ID)
	}
	return c, nil
}

func (r *Result) comparePanels(a, b *Panel, nameA, nameB string) {
	ratio := &Panel{Title: fmt.Sprintf("%s: %s over %s", a.Title, nameB, nameA), X: a.X, Y: Axis{Label: "ratio", Unit: "times"}}
	table := &Table{Title: ratio.Title, Head: []string{"line", a.X.Label, nameA + " (" + a.Y.Unit + ")", nameB, "ratio"}}
	for _, sa := range a.Series {
		i := slices.IndexFunc(b.Series, func(s *Series) bool { return s.Name == sa.Name })
		if i < 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("only %s has the line %q", nameA, sa.Name))
			continue
		}
		over := b.Series[i].Over(sa)
		over.Name = sa.Name
		if len(over.Points) == 0 {
			continue
		}
		ratio.Series = append(ratio.Series, over)
		for _, p := range over.Points {
			table.Add(sa.Name, place(p.X), number(sa.At(p.X), ""), number(b.Series[i].At(p.X), ""), fmt.Sprintf("%.3f", p.Y))
		}
	}
	if len(ratio.Series) == 0 {
		return
	}
	ratio.Claim("no difference", 1)
	r.Panels, r.Tables = append(r.Panels, ratio), append(r.Tables, table)
	for _, s := range ratio.Series {
		r.Note(s.Name+", geometric mean of the ratio", geometricMean(s), "times")
	}
}

// compareChecks shows the bars that both have, side by side, and counts those of each by kind.
func (r *Result) compareChecks(a, b *Result, nameA, nameB string) {
	table := &Table{Title: "Checks", Head: []string{"kind", "check", "document", nameA, nameB}}
	for _, ca := range a.Checks {
		for _, cb := range b.Checks {
			if ca.Bar == cb.Bar {
				table.Add(string(cb.Kind), ca.Bar, ca.Paper, ca.Ours+" ("+ca.Verdict()+")", cb.Ours+" ("+cb.Verdict()+")")
			}
		}
	}
	if len(table.Rows) == 0 {
		return
	}
	counts := &Table{Title: "Kept", Head: []string{"kind", nameA, nameB}}
	for _, kind := range Kinds() {
		if was, is := a.Count()[kind], b.Count()[kind]; was.All+is.All > 0 {
			counts.Add(string(kind), was.String(), is.String())
		}
	}
	r.Tables = append(r.Tables, table, counts)
}

func geometricMean(s *Series) float64 {
	sum, n := 0.0, 0
	for _, p := range s.Points {
		if p.Y > 0 {
			sum, n = sum+math.Log(p.Y), n+1
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}
