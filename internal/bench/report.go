package bench

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// direction says in words which way a value or, where there are ratios, a ratio is good.
func (c Comparison) direction() string {
	ratio := c.hasRatios()
	switch {
	case ratio && c.Unit == "MB":
		return "below 1 " + c.subject() + " needs less"
	case ratio && c.HigherIsBetter:
		return "above 1 " + c.subject() + " is faster"
	case ratio:
		return "below 1 " + c.subject() + " is faster"
	case c.HigherIsBetter:
		return "more is better"
	}
	return "less is better"
}

// subject is the first side, the one that ratios are for.
func (c Comparison) subject() string {
	if c.Libraries[0].Name == "weft" {
		return "Weft"
	}
	return c.Libraries[0].Name
}

// hasRatios says whether the first side is held against others.
func (c Comparison) hasRatios() bool {
	t, err := Find(c.Test)
	return err == nil && t.comparable() && len(c.Libraries) > 1
}

// share returns the head of the column of shares, or nothing.
func (c Comparison) share() string {
	t, err := Find(c.Test)
	if err != nil {
		return ""
	}
	return t.ShareText
}

func (c Comparison) heading() string {
	text := fmt.Sprintf("%s, %d ranks%s, %d interleaved rounds", c.Test, c.Ranks, between(c.Hosts), c.Rounds)
	if c.Window > 0 {
		text += fmt.Sprintf(", window %d", c.Window)
	}
	return text
}

// WriteText prints the report for a terminal: a table for each comparison, and how many targets are met. How the
// libraries were run is said where it changes.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	said := map[string]string{}
	r.comment(&b, (*Against).head)
	for i, c := range r.Comparisons {
		if i > 0 {
			b.WriteString("\n")
		}
		c.text(&b, said)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "# %s\n", note)
	}
	r.comment(&b, (*Against).verdict)
	kept := ""
	if reached, judged, _ := r.Count(); judged > 0 || r.Against == nil {
		kept = fmt.Sprintf("%d of %d targets are met; ", reached, judged)
	}
	fmt.Fprintf(&b, "# %s%s\n", kept, r.Host.Load())
	_, err := io.WriteString(w, b.String())
	return err
}

// comment writes what there is to say about another build, if there is one.
func (r Report) comment(b *strings.Builder, lines func(*Against) []string) {
	if r.Against == nil {
		return
	}
	for _, line := range lines(r.Against) {
		fmt.Fprintf(b, "# %s\n", line)
	}
}

// text prints per size the medians, then per peer the median ratio with its quartiles where ratios mean something.
// said holds how each library was run when it was last told.
func (c Comparison) text(b *strings.Builder, said map[string]string) {
	fmt.Fprintf(b, "# %s\n", c.heading())
	width := 8
	for _, lib := range c.Libraries {
		width = max(width, len(lib.Name))
	}
	for _, lib := range c.Libraries {
		if how := lib.Version + "; " + lib.Settings; said[lib.Name] != how {
			said[lib.Name] = how
			fmt.Fprintf(b, "# %-*s %s\n", width, lib.Name, how)
		}
	}
	for _, lib := range c.Libraries {
		if lib.Counters != "" {
			fmt.Fprintf(b, "# %-*s counted in the last round: %s\n", width, lib.Name, lib.Counters)
		}
	}
	if c.hasRatios() {
		fmt.Fprintf(b, "# medians in %s; ratio = %s/other within a round, median [quartiles], %s\n", c.Unit, c.Libraries[0].Name, c.direction())
	} else {
		fmt.Fprintf(b, "# medians in %s; %s\n", c.Unit, c.direction())
	}
	if len(c.Points) > 0 {
		c.textHead(b)
	}
	for _, p := range c.Points {
		c.textRow(b, p)
	}
	for _, note := range c.hangs() {
		fmt.Fprintf(b, "# %s\n", note)
	}
	if c.Failure != "" {
		fmt.Fprintf(b, "# failed: %s\n", strings.ReplaceAll(c.Failure, "\n", "\n#   "))
	}
}

// hangs says of each library how often it gave no result in time and was run again.
func (c Comparison) hangs() []string {
	var notes []string
	for _, lib := range c.Libraries {
		if lib.Hung > 0 {
			notes = append(notes, fmt.Sprintf("%s, %s: %d of %d runs gave no result in time and were done once more", c.Test, lib.Name, lib.Hung, c.Rounds+lib.Hung))
		}
	}
	return notes
}

// columnWidth is that of a side in the text form: its name or a value.
func (l Library) columnWidth() int { return max(14, len(l.Name)+2) }

// ratioWidth is that of the ratio to a side.
func (c Comparison) ratioWidth(l Library) int { return max(26, len(c.Libraries[0].Name)+len(l.Name)+3) }

func (c Comparison) textHead(b *strings.Builder) {
	fmt.Fprintf(b, "%-10s", "# Size")
	if share := c.share(); share != "" {
		fmt.Fprintf(b, "%*s", len(share)+2, share)
	}
	for _, lib := range c.Libraries {
		fmt.Fprintf(b, "%*s", lib.columnWidth(), lib.Name)
	}
	if c.hasRatios() {
		for _, lib := range c.Libraries[1:] {
			fmt.Fprintf(b, "%*s", c.ratioWidth(lib), c.Libraries[0].Name+"/"+lib.Name)
		}
	}
	b.WriteString("  target\n")
}

func (c Comparison) textRow(b *strings.Builder, p Point) {
	fmt.Fprintf(b, "%-10d", p.Size)
	if share := c.share(); share != "" {
		fmt.Fprintf(b, "%*d", len(share)+2, p.Share)
	}
	for i, side := range p.Sides {
		fmt.Fprintf(b, "%*s", c.Libraries[i].columnWidth(), measured(side.Summary.Median))
	}
	for i, r := range p.Ratios {
		fmt.Fprintf(b, "%*s", c.ratioWidth(c.Libraries[i+1]), r.text())
	}
	fmt.Fprintf(b, "  %s\n", p.barText())
}

// barText is what a table says about the bars of a point.
func (p Point) barText() string {
	if len(p.Bars) == 0 {
		return "-"
	}
	texts := make([]string, len(p.Bars))
	for i, j := range p.Bars {
		texts[i] = j.text()
	}
	return strings.Join(texts, "; ")
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

// Report is a set of comparisons made in one go, with what a reader needs to trust them.
type Report struct {
	Command     string       `json:"command,omitempty"` // that made it
	Started     time.Time    `json:"started"`
	Finished    time.Time    `json:"finished"`
	Host        Host         `json:"host"`
	Comparisons []Comparison `json:"comparisons"`
	Against     *Against     `json:"against,omitempty"` // how it stands to another build of Weft, where one took part
	Every       *Every       `json:"every,omitempty"`   // how every operation stands to other libraries, where that was asked
	Notes       []string     `json:"notes,omitempty"`   // what was left out, and why

	bars []Bar // of all cases, for the list above the tables
}

// Count returns how many bars are kept, of how many at all points, and how many comparisons had a failure.
func (r Report) Count() (reached, judged, failed int) {
	for _, c := range r.Comparisons {
		if c.Failure != "" {
			failed++
		}
		for _, p := range c.Points {
			for _, j := range p.Bars {
				judged++
				if j.Mark.Reached() {
					reached++
				}
			}
		}
	}
	return reached, judged, failed
}

// families are the tests whose comparisons share one table of a page.
var families = []struct{ name, text string }{
	{"Collectives", "Medians in µs, mean over the ranks; ratio below 1 Weft is faster."},
	{"Overlap", "Medians in % of a transfer that computation hides; more is better."},
	{"Progress", "Medians in % of a transfer that is left after a delay; less is better."},
	{"Idle", "Medians of a rank that waits: per cent of a processor, wake-ups in a second; less is better."},
	{"Memory", "Medians in MB that a process grows by; ratio below 1 the first needs less."},
}

// family returns the name of the table that the comparison goes into, or nothing when it has its own.
func (c Comparison) family() string {
	t, err := Find(c.Test)
	if err != nil {
		return ""
	}
	return map[Shape]string{Collective: "Collectives", Overlap: "Overlap", Progress: "Progress", Idle: "Idle", Resident: "Memory"}[t.Shape]
}

// WriteMarkdown writes the report as one page: the host, the bars, then a table for each comparison and one for each
// family of them.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	r.markdownAgainst(&b)
	r.markdownHost(&b)
	if len(r.bars) > 0 {
		b.WriteString("\nTargets:\n\n")
	}
	for _, bar := range r.bars {
		fmt.Fprintf(&b, "- %s\n", bar.Text)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	for _, c := range r.Comparisons {
		if c.family() == "" {
			ratio := ""
			if c.hasRatios() {
				ratio = "ratio "
			}
			fmt.Fprintf(&b, "\n## %s\n\nMedians in %s; %s%s.\n\n", c.heading(), strings.Replace(c.Unit, "us", "µs", 1), ratio, c.direction())
			markdownTable(&b, []Comparison{c}, false)
			c.markdownCounters(&b)
		}
	}
	for _, family := range families {
		var together []Comparison
		for _, c := range r.Comparisons {
			if c.family() == family.name {
				together = append(together, c)
			}
		}
		if len(together) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", family.name, family.text)
			markdownTable(&b, together, true)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownAgainst lists the builds, and how they stand to each other.
func (r Report) markdownAgainst(b *strings.Builder) {
	if r.Against == nil {
		return
	}
	for _, line := range append(r.Against.head(), r.Against.verdict()...) {
		fmt.Fprintf(b, "- %s\n", line)
	}
	b.WriteString("\n")
}

func (r Report) markdownHost(b *strings.Builder) {
	var facts []string
	reached, judged, failed := r.Count()
	if judged > 0 || r.Against == nil {
		facts = append(facts, fmt.Sprintf("%d of %d targets are met", reached, judged))
	}
	if failed > 0 {
		facts = append(facts, fmt.Sprintf("comparisons with a failure: %d", failed))
	}
	if len(facts) > 0 {
		fmt.Fprintf(b, "%s.\n\n", strings.Join(facts, "; "))
	}
	if warning := r.Host.Warning(); warning != "" {
		fmt.Fprintf(b, "**Careful: %s.**\n\n", warning)
	}
	b.WriteString("| fact | value |\n|---|---|\n")
	h := r.Host
	if r.Command != "" {
		fmt.Fprintf(b, "| command | `%s` |\n", r.Command)
	}
	fmt.Fprintf(b, "| date | %s to %s |\n", r.Started.Format(time.DateTime), r.Finished.Format(time.DateTime))
	fmt.Fprintf(b, "| host | %s, %d CPUs, %s |\n", h.Name, h.CPUs, h.CPU)
	fmt.Fprintf(b, "| system | Linux %s, %s |\n", h.Kernel, h.Go)
	fmt.Fprintf(b, "| load | %s |\n", h.Load())
	seen := map[Library]bool{}
	for _, c := range r.Comparisons {
		for _, lib := range c.Libraries {
			lib.Counters = ""
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
	if share := cs[0].share(); share != "" {
		column(share)
	}
	for _, lib := range cs[0].Libraries {
		column(lib.Name)
	}
	if cs[0].hasRatios() {
		for _, lib := range cs[0].Libraries[1:] {
			column(cs[0].Libraries[0].Name + "/" + lib.Name + " median [quartiles]")
		}
	}
	column("target met")
	fmt.Fprintf(b, "%s\n%s\n", head, rule)
	for _, c := range cs {
		c.markdownRows(b, named)
	}
	for _, c := range cs {
		for _, note := range c.hangs() {
			fmt.Fprintf(b, "\n%s\n", note)
		}
		if c.Failure != "" {
			fmt.Fprintf(b, "\nFailed: %s\n", c.Failure)
		}
	}
}

func (c Comparison) markdownRows(b *strings.Builder, named bool) {
	for _, p := range c.Points {
		b.WriteString("|")
		if named {
			fmt.Fprintf(b, " %s%s | %d |", c.Test, between(c.Hosts), c.Ranks)
		}
		if c.isSizeless() {
			b.WriteString(" - |")
		} else {
			fmt.Fprintf(b, " %s |", SizeText(p.Size))
		}
		if c.share() != "" {
			fmt.Fprintf(b, " %d |", p.Share)
		}
		for _, side := range p.Sides {
			fmt.Fprintf(b, " %s |", measured(side.Summary.Median))
		}
		for _, ratio := range p.Ratios {
			fmt.Fprintf(b, " %s |", ratio.text())
		}
		fmt.Fprintf(b, " %s |\n", p.barText())
	}
}

func (c Comparison) markdownCounters(b *strings.Builder) {
	for _, lib := range c.Libraries {
		if lib.Counters != "" {
			fmt.Fprintf(b, "\n%s counted in the last round: %s\n", lib.Name, lib.Counters)
		}
	}
}

func (c Comparison) isSizeless() bool {
	t, err := Find(c.Test)
	return err == nil && t.Sizeless
}
