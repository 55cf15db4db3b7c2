package bench

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// direction says in words which way a ratio Weft/peer is good.
func (c Comparison) direction() string {
	if c.HigherIsBetter {
		return "above 1 Weft is faster"
	}
	return "below 1 Weft is faster"
}

func (c Comparison) heading() string {
	text := fmt.Sprintf("%s, %d ranks, %d interleaved rounds", c.Test, c.Ranks, c.Rounds)
	if c.Window > 0 {
		text += fmt.Sprintf(", window %d", c.Window)
	}
	return text
}

// WriteText prints the comparison for a terminal: per size the medians, then per peer the median ratio with its
// quartiles.
func (c Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", c.heading())
	for _, lib := range c.Libraries {
		fmt.Fprintf(&b, "# %-8s %s; %s\n", lib.Name, lib.Version, lib.Settings)
	}
	fmt.Fprintf(&b, "# medians in %s; ratio = weft/peer within a round, median [quartiles], %s\n", c.Unit, c.direction())
	fmt.Fprintf(&b, "%-10s", "# Size")
	for _, lib := range c.Libraries {
		fmt.Fprintf(&b, "%14s", lib.Name)
	}
	for _, lib := range c.Libraries[1:] {
		fmt.Fprintf(&b, "%26s", "weft/"+lib.Name)
	}
	b.WriteString("  bar\n")
	for _, p := range c.Points {
		fmt.Fprintf(&b, "%-10d", p.Size)
		for _, side := range p.Sides {
			fmt.Fprintf(&b, "%14s", measured(side.Summary.Median))
		}
		for _, r := range p.Ratios {
			fmt.Fprintf(&b, "%26s", r.text())
		}
		fmt.Fprintf(&b, "  %s\n", p.Bar.text())
	}
	if c.Failure != "" {
		fmt.Fprintf(&b, "# stopped early: %s\n", c.Failure)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// measured prints a value with three or more significant digits.
func measured(v float64) string {
	switch {
	case v >= 1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func (r Ratio) text() string {
	s := r.Summary
	if s.Count == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f [%.2f-%.2f]", s.Median, s.Q1, s.Q3)
}

func (j Judged) text() string {
	if j.Mark == NoBar {
		return "-"
	}
	return fmt.Sprintf("%s (%.2f)", j.Mark, j.Limit)
}

// Report is a set of comparisons made in one go, with what a reader needs to trust them.
type Report struct {
	Started     time.Time    `json:"started"`
	Finished    time.Time    `json:"finished"`
	Host        Host         `json:"host"`
	Comparisons []Comparison `json:"comparisons"`
}

// Count returns how many points keep their bar, how many have one, and how many comparisons stopped early.
func (r Report) Count() (reached, judged, failed int) {
	for _, c := range r.Comparisons {
		if c.Failure != "" {
			failed++
		}
		for _, p := range c.Points {
			if p.Bar.Mark == NoBar {
				continue
			}
			judged++
			if p.Bar.Mark.Reached() {
				reached++
			}
		}
	}
	return reached, judged, failed
}

// WriteMarkdown writes the report as one page: the host, the bars, then point-to-point tables and one table of
// all collectives.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	r.markdownHost(&b)
	b.WriteString("\nBars (ratio Weft/peer):\n\n")
	for _, bar := range Bars {
		fmt.Fprintf(&b, "- %s\n", bar.Text)
	}
	for _, c := range r.Comparisons {
		if !c.isCollective() {
			fmt.Fprintf(&b, "\n## %s\n\nMedians in %s; ratio %s.\n\n", c.heading(), c.Unit, c.direction())
			markdownTable(&b, []Comparison{c}, false)
		}
	}
	var together []Comparison
	for _, c := range r.Comparisons {
		if c.isCollective() {
			together = append(together, c)
		}
	}
	if len(together) > 0 {
		b.WriteString("\n## Collectives\n\nMedians in us, mean over the ranks; ratio below 1 Weft is faster.\n\n")
		markdownTable(&b, together, true)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) markdownHost(b *strings.Builder) {
	reached, judged, failed := r.Count()
	fmt.Fprintf(b, "%d of %d points keep their bar", reached, judged)
	if failed > 0 {
		fmt.Fprintf(b, "; comparisons that stopped early: %d", failed)
	}
	b.WriteString(".\n\n")
	if warning := r.Host.Warning(); warning != "" {
		fmt.Fprintf(b, "**Careful: %s.**\n\n", warning)
	}
	b.WriteString("| fact | value |\n|---|---|\n")
	h := r.Host
	fmt.Fprintf(b, "| date | %s to %s |\n", r.Started.Format(time.DateTime), r.Finished.Format(time.DateTime))
	fmt.Fprintf(b, "| host | %s, %d CPUs, %s |\n", h.Name, h.CPUs, h.CPU)
	fmt.Fprintf(b, "| system | Linux %s, %s |\n", h.Kernel, h.Go)
	fmt.Fprintf(b, "| load average before, after | %.2f, %.2f |\n", h.LoadBefore[0], h.LoadAfter[0])
	seen := map[Library]bool{}
	for _, c := range r.Comparisons {
		for _, lib := range c.Libraries {
			if lib.Version != "" && !seen[lib] {
				seen[lib] = true
				fmt.Fprintf(b, "| %s | %s; %s |\n", lib.Name, lib.Version, lib.Settings)
			}
		}
	}
}

// markdownTable writes the points of comparisons that have the same libraries; named adds test and ranks.
func markdownTable(b *strings.Builder, cs []Comparison, named bool) {
	head, rule := "|", "|"
	column := func(name string) { head += " " + name + " |"; rule += "---|" }
	if named {
		column("test")
		column("ranks")
	}
	column("size")
	for _, lib := range cs[0].Libraries {
		column(lib.Name)
	}
	for _, lib := range cs[0].Libraries[1:] {
		column("weft/" + lib.Name + " median [quartiles]")
	}
	column("bar met")
	fmt.Fprintf(b, "%s\n%s\n", head, rule)
	for _, c := range cs {
		c.markdownRows(b, named)
	}
	for _, c := range cs {
		if c.Failure != "" {
			fmt.Fprintf(b, "\nStopped early: %s\n", c.Failure)
		}
	}
}

func (c Comparison) markdownRows(b *strings.Builder, named bool) {
	for _, p := range c.Points {
		b.WriteString("|")
		if named {
			fmt.Fprintf(b, " %s | %d |", c.Test, c.Ranks)
		}
		if c.isSizeless() {
			b.WriteString(" - |")
		} else {
			fmt.Fprintf(b, " %s |", SizeText(p.Size))
		}
		for _, side := range p.Sides {
			fmt.Fprintf(b, " %s |", measured(side.Summary.Median))
		}
		for _, ratio := range p.Ratios {
			fmt.Fprintf(b, " %s |", ratio.text())
		}
		fmt.Fprintf(b, " %s |\n", p.Bar.text())
	}
}

func (c Comparison) isCollective() bool {
	t, err := Find(c.Test)
	return err == nil && t.Shape == Collective
}

func (c Comparison) isSizeless() bool {
	t, err := Find(c.Test)
	return err == nil && t.Sizeless
}
