package lab

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes a result for people: numbers as tables, then the bars.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", r.ID, r.Title)
	if len(r.Platform) > 0 {
		fmt.Fprintf(&b, "on %s\n", strings.Join(r.Platform, ", "))
	}
	for _, p := range r.Panels {
		p.write(&b)
	}
	for _, t := range r.Tables {
		t.write(&b)
	}
	for _, s := range r.Scalars {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, number(s.Value, s.Unit))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(&b, n)
	}
	r.writeChecks(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Panel) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s (%s)\n", p.Title, p.Y.Unit)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	var xs []float64
	fmt.Fprintf(t, "%s\t", p.X.Label)
	for _, s := range p.Series {
		fmt.Fprintf(t, "%s\t", s.Name)
		for _, pt := range s.Points {
			if !slices.Contains(xs, pt.X) {
				xs = append(xs, pt.X)
			}
		}
	}
	fmt.Fprintln(t)
	slices.Sort(xs)
	for _, x := range xs {
		fmt.Fprintf(t, "%s\t", place(x))
		for _, s := range p.Series {
			fmt.Fprintf(t, "%s\t", number(s.At(x), ""))
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // to a builder
}

func (t *Table) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n", t.Title)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
	}
	_ = w.Flush() // to a builder
}

func (r *Result) writeChecks(b *strings.Builder) {
	if len(r.Checks) > 0 {
		fmt.Fprintf(b, "\nchecks: %v\n", r.Count())
		writeRows(b, r.Checks)
	}
}

// WriteChecks writes some of a result's bars for people, without its numbers; nothing if there are none.
func (r *Result) WriteChecks(w io.Writer, some []Check) error {
	if len(some) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\nchecks: %v\n", r.ID, r.Title, r.Count())
	writeRows(&b, some)
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// WriteEvidence writes some of a result's bars for people, each with all that there is to judge it by;
// nothing if there are none.
func (r *Result) WriteEvidence(w io.Writer, some []Check, f Figure, s *Sweep) error {
	if len(some) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\nchecks: %v\n", r.ID, r.Title, r.Count())
	for _, c := range some {
		fmt.Fprintf(&b, "\n%s  %s  %s\n", c.Verdict(), c.Kind, c.Bar)
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range EvidenceOf(f, r, c, s).rows(c) {
			fmt.Fprintf(t, "  %s\t%s\n", row[0], row[1])
		}
		_ = t.Flush() // to a builder
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// rows are names and texts; a name is left out where it would stand twice.
func (e Evidence) rows(c Check) (rows [][2]string) {
	add := func(name string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				rows = append(rows, [2]string{name, text})
				name = ""
			}
		}
	}
	add("document", c.Paper)
	add("ours", c.Ours)
	add("why", c.Why)
	add("the bar", c.Basis)
	add("fitted by", strings.Join(c.FittedBy, ", "))
	add("stated", e.Claims...)
	add("where", e.Place)
	add("made by", e.Command)
	var leans []string
	for _, l := range e.Leans {
		leans = append(leans, fmt.Sprintf("%s of %s (%s): %s", l.Parameter, l.Profile, l.How, l.Effects()))
	}
	if e.Swept && len(leans) == 0 {
		leans = []string{"none of the assumed and fitted values"}
	}
	add("leans on", leans...)
	for _, m := range e.Models {
		add("model", m.Name+": "+m.Sources())
	}
	return rows
}

func writeRows(b *strings.Builder, checks []Check) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  \tkind\tcheck\tdocument\tours\twhy")
	for _, c := range checks {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\n", c.Verdict(), c.Kind, c.Bar, c.Paper, c.Ours, c.remarks())
	}
	_ = w.Flush() // to a builder
}

// remarks is all that a check says beyond its values.
func (c Check) remarks() string {
	var all []string
	if c.Why != "" {
		all = append(all, c.Why)
	}
	if len(c.FittedBy) > 0 {
		all = append(all, "fitted by "+strings.Join(c.FittedBy, ", "))
	}
	if c.Basis != "" {
		all = append(all, "the bar: "+c.Basis)
	}
	return strings.Join(all, "; ")
}
