package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"
)

// Result is a plain run: one test on one implementation.
type Result struct {
	Test    string    `json:"test"`
	Unit    string    `json:"unit"`
	Ranks   int       `json:"ranks"`
	Window  int       `json:"window,omitempty"`
	Library string    `json:"library"`
	Started time.Time `json:"started"`
	Host    Host      `json:"host"`
	Rows    []Row     `json:"rows"`
}

// WriteJSON writes v, a Result, Comparison or Report, as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// WriteCSV writes the rows under a header line.
func (r Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"test", "ranks", "size", "share", "value", "unit", "min", "max", "rate", "iterations", "valid"})
	for _, row := range r.Rows {
		_ = out.Write([]string{r.Test, strconv.Itoa(r.Ranks), strconv.Itoa(row.Size), strconv.Itoa(row.Share), decimal(row.Value), r.Unit,
			decimal(row.Min), decimal(row.Max), decimal(row.Rate), strconv.Itoa(row.Iterations), string(row.Valid)})
	}
	out.Flush()
	return out.Error()
}

// WriteCSV writes one line per point and implementation of every comparison, with the spread and, for all sides but
// the first, the ratio.
func (r Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"test", "ranks", "size", "share", "implementation", "unit", "median", "q1", "q3", "min", "max",
		"ratio_median", "ratio_q1", "ratio_q3"})
	for _, c := range r.Comparisons {
		for _, p := range c.Points {
			for i, side := range p.Sides {
				_ = out.Write(c.csvLine(p, i, side))
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (c Comparison) csvLine(p Point, i int, side Side) []string {
	s := side.Summary
	line := []string{c.Test, strconv.Itoa(c.Ranks), strconv.Itoa(p.Size), strconv.Itoa(p.Share), side.Name, c.Unit,
		decimal(s.Median), decimal(s.Q1), decimal(s.Q3), decimal(s.Min), decimal(s.Max)}
	if i == 0 || len(p.Ratios) == 0 {
		return append(line, "", "", "")
	}
	q := p.Ratios[i-1].Summary
	return append(line, decimal(q.Median), decimal(q.Q1), decimal(q.Q3))
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// SizeText writes a size the short way: 512 B, 64 KB, 4 MB; other numbers in bytes.
func SizeText(bytes int) string {
	switch {
	case bytes >= mib && bytes%mib == 0:
		return fmt.Sprintf("%d MB", bytes/mib)
	case bytes >= kib && bytes%kib == 0:
		return fmt.Sprintf("%d KB", bytes/kib)
	}
	return fmt.Sprintf("%d B", bytes)
}
