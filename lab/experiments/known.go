package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/lab"
)

// Kind says why a bar is not kept.
type Kind string

// The kinds of reasons.
const (
	Model    Kind = "model limit"            // the simulated fabric does not have what the figure shows
	Document Kind = "document contradiction" // the document contradicts itself or what is possible
	Defect   Kind = "our defect"             // Weft does worse than it should
)

// Miss is a bar that is not kept today.
type Miss struct {
	Figure string
	Bar    string // as the check names it
	Kind   Kind
	Reason string
}

// Known lists the bars that are not kept, in the order of figures. A test fails when a bar fails that is not listed here,
// and when a listed one is kept again.
func Known() []Miss {
	return slices.Concat(knownChapter3, knownChapter4, knownChapter5, knownChapter6, knownOthers)
}

var knownChapter3 = []Miss{
	{"F3.3", "the overhead on InfiniBand peaks at the edge of programmed I/O", Model, "the copies of eager messages outgrow the step at the edge from 256 B on"},
	{"F3.3", "the overhead on iWARP peaks at the edge of programmed I/O", Model, "the copies of eager messages outgrow the step at the edge from 256 B on"},
	{"F3.5", "both ways on 10GE at 64 KB within 5%", Model, "64 KB leave by rendezvous there, and its handshake shows; the document's library still sends them eagerly"},
	{"F3.6", "4 KB is flat on iWARP", Model, "messages of several connections follow each other closely on the wire although one at a time is served"},
	{"F3.6", "4 KB is flat on InfiniBand", Model, "messages of several connections follow each other closely on the wire although one at a time is served"},
	{"F3.6", "4 KB is flat on Myrinet", Model, "messages of several connections follow each other closely on the wire although one at a time is served"},
	{"F3.7", "Myrinet, 256 KB over 15 connections, of the link", Model, "the model does not slow down an interface with many endpoints"},
}

var knownChapter4, knownChapter6 []Miss

var knownChapter5 = []Miss{
	{"T5.2", "one-sided: the limit is 4 KB, raised to 9 KB", Defect, "Weft has no one-sided operations yet, and so no limit for them"},
}

// explained returns the experiment with reasons added to the bars that are known not to be kept.
func explained(e lab.Experiment) lab.Experiment {
	run := e.Run
	e.Run = func(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
		r, err := run(ctx, b)
		if err != nil {
			return nil, err
		}
		for i, c := range r.Checks {
			for _, m := range Known() {
				if m.Figure == e.ID && m.Bar == c.Bar {
					r.Checks[i] = c.Because(string(m.Kind) + ": " + m.Reason)
				}
			}
		}
		return r, nil
	}
	return e
}

// KnownTable is the list as a table of a page.
func KnownTable() string {
	var b strings.Builder
	b.WriteString("| figure | bar | why | reason |\n|---|---|---|---|\n")
	for _, m := range Known() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", m.Figure, m.Bar, m.Kind, m.Reason)
	}
	return b.String()
}
