package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteEvery prints what a report says of every operation: tables of ratios, one for this host and
// one for layouts of several, the means, and the worst points.
func (r Report) WriteEvery(w io.Writer) error {
	var b strings.Builder
	e := r.Every
	rounds, libraries := 0, []string{}
	for _, c := range r.Comparisons {
		rounds = max(rounds, c.Rounds)
		for _, lib := range c.Libraries {
			if word := lib.Name + ": " + lib.Version; lib.Version != "" && !slices.Contains(libraries, word) {
				libraries = append(libraries, word)
			}
		}
	}
	for _, lib := range libraries {
		fmt.Fprintf(&b, "# %s\n", lib)
	}
	fmt.Fprintf(&b, "# time of Weft over that of the fastest other library, median of %s; %s is above %.2f; tests without sizes stand under the first\n",
		plural(rounds, "interleaved round"), badMark, EveryWorst)
	var here, between []int
	for i, l := range e.Layouts {
		if strings.Contains(l, "x") {
			between = append(between, i)
		} else {
			here = append(here, i)
		}
	}
	e.table(&b, "ranks", here)
	e.table(&b, "hosts x ranks", between)
	for _, line := range e.verdict() {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	r.everyTroubles(&b)
	fmt.Fprintf(&b, "# %s\n", r.Host.Load())
	_, err := io.WriteString(w, b.String())
	return err
}

// everyTroubles tells what failed, what hung, and what was left out.
func (r Report) everyTroubles(b *strings.Builder) {
	for _, c := range r.Comparisons {
		if c.Failure != "" {
			fmt.Fprintf(b, "# failed: %s\n", strings.ReplaceAll(c.Failure, "\n", "\n#   "))
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(b, "# %s\n", note)
	}
}

const (
	badMark   = "*"
	cellWidth = 8
)

// table is one row for each operation, and for each of the layouts one column for each size; it
// ends with means.
func (e *Every) table(b *strings.Builder, what string, layouts []int) {
	if len(layouts) == 0 {
		return
	}
	width := max(len(what), len("operation"))
	for _, t := range e.Tests {
		width = max(width, len(t.Test))
	}
	fmt.Fprintf(b, "\n%-*s", width, what)
	for _, l := range layouts {
		fmt.Fprintf(b, " | %-*s", cellWidth*len(e.Sizes)-1, e.Layouts[l])
	}
	fmt.Fprintf(b, " |\n%-*s", width, "operation")
	for range layouts {
		b.WriteString(" |")
		for _, size := range e.Sizes {
			fmt.Fprintf(b, "%*s ", cellWidth-1, SizeText(size))
		}
	}
	fmt.Fprintf(b, " | %s\n", "mean")
	for _, t := range e.Tests {
		e.row(b, t.Test, width, layouts, func(p EveryPoint) bool { return p.Test == t.Test })
	}
	e.row(b, "mean", width, layouts, func(EveryPoint) bool { return true })
}

// row is the means of some points by column, and over the columns; one without any is left out.
func (e *Every) row(b *strings.Builder, name string, width int, layouts []int, of func(EveryPoint) bool) {
	in := func(column int) []float64 {
		return e.ratios(func(p EveryPoint) bool { return p.column == column && of(p) })
	}
	var all []float64
	line := fmt.Sprintf("%-*s", width, name)
	for _, l := range layouts {
		line += " |"
		for i := range e.Sizes {
			ratios := in(l*len(e.Sizes) + i)
			line += ratioCell(ratios)
			all = append(all, ratios...)
		}
	}
	if len(all) > 0 {
		fmt.Fprintf(b, "%s | %.2f\n", line, GeometricMean(all))
	}
}

// ratioCell is a mean and the mark of a bad one, or space.
func ratioCell(ratios []float64) string {
	if len(ratios) == 0 {
		return strings.Repeat(" ", cellWidth)
	}
	mark := " "
	if mean := GeometricMean(ratios); mean > EveryWorst {
		mark = badMark
	}
	return fmt.Sprintf("%*.2f%s", cellWidth-1, GeometricMean(ratios), mark)
}

// verdict sums up, and names the worst points.
func (e *Every) verdict() []string {
	if len(e.Points) == 0 {
		return []string{"nothing was compared"}
	}
	lines := []string{
		fmt.Sprintf("geometric mean %.3f over %s: %s (at most %.2f)", e.Ratio, plural(len(e.Points), "point"), met(e.Ratio <= EveryMean), EveryMean),
		fmt.Sprintf("above %.2f: %s: %s (none)", EveryWorst, plural(e.Above, "point"), met(e.Above == 0)),
	}
	for _, p := range e.worst() {
		at := p.Test
		if p.Size > 0 {
			at += ", " + SizeText(p.Size)
		}
		where := p.Layout + " ranks"
		if strings.Contains(p.Layout, "x") {
			where = p.Layout
		}
		lines = append(lines, fmt.Sprintf("worst: %s on %s: %.2f [%.2f-%.2f] of %s, %.1f us against %.1f us",
			at, where, p.Ratio.Median, p.Ratio.Q1, p.Ratio.Q3, p.Peer, p.Ours, p.Best))
	}
	return lines
}

func met(yes bool) string {
	if yes {
		return "target met"
	}
	return "target missed"
}
