package lab

import (
	"fmt"
	"io"
)

// Tally is how many bars the results of a document's figures kept, of how many.
type Tally struct {
	Document           string
	Results, Kept, All int
}

// Tallies counts the bars of each document that has results, in the catalogue's order. A figure that is the same as one of
// another document counts for both; total counts every result once.
func Tallies(results []*Result) (documents []Tally, total Tally) {
	byID := map[string]*Result{}
	for _, r := range results {
		byID[r.ID] = r
		total.add(r)
	}
	for _, d := range Documents() {
		t := Tally{Document: d.ID}
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
	kept, all := r.Count()
	t.Results, t.Kept, t.All = t.Results+1, t.Kept+kept, t.All+all
}

// WriteTallies writes one line per document and one for the whole.
func WriteTallies(w io.Writer, results []*Result) error {
	documents, total := Tallies(results)
	for _, t := range documents {
		if _, err := fmt.Fprintf(w, "document %s: %d of %d checks pass in %d figures\n", t.Document, t.Kept, t.All, t.Results); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d figures, %d of %d checks pass\n", total.Results, total.Kept, total.All)
	return err
}
