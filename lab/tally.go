package lab

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Count is how many bars were kept, of how many.
type Count struct {
	Kept int `json:"kept"`
	All  int `json:"all"`
}

// String is such as "3 of 4", or a dash where there are none.
func (c Count) String() string {
	if c.All == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", c.Kept, c.All)
}

// Missed is how many were not kept.
func (c Count) Missed() int { return c.All - c.Kept }

// Counts are bars by kind. There is no sum over the kinds: a kept input says nothing about the model.
type Counts map[Kind]Count

func (c Counts) add(check Check) {
	n := c[check.Kind]
	n.All++
	if check.Pass {
		n.Kept++
	}
	c[check.Kind] = n
}

// Add adds the counts of others.
func (c Counts) Add(other Counts) {
	for kind, n := range other {
		c[kind] = Count{c[kind].Kept + n.Kept, c[kind].All + n.All}
	}
}

// Bars tells how many bars were held, of all kinds, and how many of these were missed.
func (c Counts) Bars() (all, missed int) {
	for _, n := range c {
		all, missed = all+n.All, missed+n.Missed()
	}
	return all, missed
}

// String has the predictions first, then each other kind that there is.
func (c Counts) String() string {
	text := "no predictions"
	if n := c[Prediction]; n.All > 0 {
		text = n.String() + " predictions kept"
	}
	if others := c.Others(); others != "" {
		text += ", " + others
	}
	return text
}

// Others has the kinds that are no predictions, such as "input 3 of 3, fitted 1 of 2".
func (c Counts) Others() string {
	var parts []string
	for _, kind := range Kinds()[1:] {
		if n := c[kind]; n.All > 0 {
			parts = append(parts, string(kind)+" "+n.String())
		}
	}
	return strings.Join(parts, ", ")
}

// Tally counts the bars of the results of a document's figures.
type Tally struct {
	Document string
	Results  int
	Counts   Counts
}

// Tallies counts the bars of each document that has results, in the catalogue's order. A figure that is the
// same as one of another document counts for both; total counts every result once.
func Tallies(results []*Result) (documents []Tally, total Tally) {
	byID := map[string]*Result{}
	total.Counts = Counts{}
	for _, r := range results {
		byID[r.ID] = r
		total.add(r)
	}
	for _, d := range Documents() {
		t := Tally{Document: d.ID, Counts: Counts{}}
		for _, f := range Figures() {
			r := byID[f.ID]
			if r == nil && f.Same != "" {
				r = byID[f.Same]
			}
			if r != nil && f.Document() == d.ID {
				t.add(r)
			}
		}
		if t.Results > 0 {
			documents = append(documents, t)
		}
	}
	return documents, total
}

func (t *Tally) add(r *Result) {
	t.Results++
	t.Counts.Add(r.Count())
}

// WriteTallies writes one row per document and a line for the whole, the predictions first.
func WriteTallies(w io.Writer, results []*Result) error {
	documents, total := Tallies(results)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "document\tfigures\tpredictions kept")
	for _, kind := range Kinds()[1:] {
		fmt.Fprint(t, "\t", kind)
	}
	fmt.Fprintln(t)
	for _, d := range documents {
		fmt.Fprintf(t, "%s\t%d", d.Document, d.Results)
		for _, kind := range Kinds() {
			fmt.Fprint(t, "\t", d.Counts[kind])
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "all %d figures: %v\n", total.Results, total.Counts)
	return err
}
