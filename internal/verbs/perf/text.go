package perf

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
)

// The tables have the columns of the perftest tools, so that eyes and scripts that read those read these. Bandwidth is
// in MB/s with MB = 10^6 bytes.

// Header writes the line above the rows of a test.
func (p Plan) Header(w io.Writer) error {
	head := fmt.Sprintf("%-10s", "#bytes")
	if len(p.QPs) > 1 {
		head = fmt.Sprintf("%-10s%-8s", "#bytes", "#qps")
	}
	if p.Test.Shape == PingPong {
		head += fmt.Sprintf("%-12s%12s%12s%16s%12s%14s%12s%14s", "#iterations", "t_min[usec]", "t_max[usec]", "t_typical[usec]",
			"t_avg[usec]", "t_stdev[usec]", "99%[usec]", "99.9%[usec]")
	} else {
		head += fmt.Sprintf("%-12s%18s%20s%16s", "#iterations", "BW peak[MB/sec]", "BW average[MB/sec]", "MsgRate[Mpps]")
	}
	_, err := fmt.Fprintln(w, head)
	return err
}

// Row writes one row.
func (p Plan) Row(w io.Writer, r Row) error {
	line := fmt.Sprintf("%-10d", r.Size)
	if len(p.QPs) > 1 {
		line = fmt.Sprintf("%-10d%-8d", r.Size, r.QPs)
	}
	if l := r.Latency; l != nil {
		line += fmt.Sprintf("%-12d%12.2f%12.2f%16.2f%12.2f%14.2f%12.2f%14.2f", r.Iterations, l.Min, l.Max, l.Typical, l.Avg, l.Stdev,
			l.P99, l.P999)
	}
	if b := r.Bandwidth; b != nil {
		line += fmt.Sprintf("%-12d%18.2f%20.2f%16.6f", r.Iterations, b.Peak, b.Average, b.Rate)
	}
	if r.Lost > 0 {
		line += fmt.Sprintf("  %d lost", r.Lost)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// WriteText prints a comparison: medians of both, then the ratio with its quartiles.
func (c Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, %d interleaved rounds; medians in %s; ratio = %s / %s within a round\n", c.title(), c.Rounds, c.Unit, c.Ours, c.Theirs)
	fmt.Fprintf(&b, "%-10s%18s%18s%10s%20s\n", "#bytes", c.Ours, c.Theirs, "ratio", "[quartiles]")
	for _, p := range c.Points {
		fmt.Fprintf(&b, "%-10d%18.2f%18.2f%10.3f%20s", p.Size, p.Ours.Median, p.Theirs.Median, p.Ratio.Median, quartiles(p.Ratio))
		if p.Lost > 0 {
			fmt.Fprintf(&b, "  %d lost", p.Lost)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c Comparison) title() string {
	if c.Both {
		return c.Test + ", both ways"
	}
	return c.Test
}

func quartiles(s bench.Summary) string { return fmt.Sprintf("[%.3f-%.3f]", s.Q1, s.Q3) }

// verdict is the last column of the suite's table.
func (m Measured) verdict() string {
	text := map[bool]string{true: "yes", false: "no"}[m.Pass]
	if m.Near {
		text += ", within spread"
	}
	return text
}

// measured is the ratio column.
func (m Measured) measured() string {
	text := fmt.Sprintf("%.2f [%.2f-%.2f]", m.Ratio.Median, m.Ratio.Q1, m.Ratio.Q3)
	if m.Sizes > 1 {
		text += fmt.Sprintf(", %d of %d sizes", m.Kept, m.Sizes)
	}
	return text
}

// WriteText prints the report for a terminal.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-36s %-9s %-24s %-34s %s\n", "# target", "against", "ratio", "measured: median [quartiles]", "met")
	for _, m := range r.Bars {
		fmt.Fprintf(&b, "%-36s %-9s %-24s %-34s %s\n", m.Name, m.Against, m.Bar, m.measured(), m.verdict())
	}
	fmt.Fprintf(&b, "# %d of %d targets met; %s\n", r.Passed(), len(r.Bars), r.Host.Load())
	for i, name := range multiTests {
		p, err := MultiPlan(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n# %s, RC\n", name)
		_ = p.Header(&b) // a Builder takes everything
		for _, row := range r.Multi[i] {
			_ = p.Row(&b, row)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes the report as a page.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d targets met.\n\n", r.Passed(), len(r.Bars))
	if warning := r.Host.Warning(); warning != "" {
		fmt.Fprintf(&b, "**Careful: %s.**\n\n", warning)
	}
	fmt.Fprintf(&b, "%d CPUs, %s; Linux %s, %s; %s.\n\n", r.Host.CPUs, r.Host.CPU, r.Host.Kernel, r.Host.Go, r.Host.Load())
	b.WriteString("| target | against | ratio | measured: median [quartiles] | met |\n|---|---|---|---|---|\n")
	for _, m := range r.Bars {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", m.Name, m.Against, m.Bar, m.measured(), m.verdict())
	}
	b.WriteString("\n| RC queue pairs | normalised latency, 64 B (us) | both-way throughput, 64 KB (MB/s) |\n|---|---|---|\n")
	for i := range min(len(r.Multi[0]), len(r.Multi[1])) {
		fmt.Fprintf(&b, "| %d | %.2f | %.0f |\n", r.Multi[0][i].QPs, r.Multi[0][i].Value(), r.Multi[1][i].Value())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCSV writes one line per size.
func (c Comparison) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"test", "bytes", "unit", c.Ours, c.Theirs, "ratio_median", "ratio_q1", "ratio_q3"})
	for _, p := range c.Points {
		line := []string{c.Test, strconv.Itoa(p.Size), c.Unit}
		for _, v := range []float64{p.Ours.Median, p.Theirs.Median, p.Ratio.Median, p.Ratio.Q1, p.Ratio.Q3} {
			line = append(line, strconv.FormatFloat(v, 'f', 4, 64))
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}
