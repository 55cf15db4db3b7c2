package lab

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Sweep is what becomes of bars when the values of profiles that nobody measured are otherwise: every
// assumed and every fitted value of the profiles that an experiment runs on was changed by By per cent (see
// Sweeper).
type Sweep struct {
	Command string        `json:"command"`
	Made    string        `json:"made"` // the day, as 2026-11-18
	Version string        `json:"version"`
	By      float64       `json:"by"`             // per cent
	Least   float64       `json:"least"`          // per cent by which a bar's value moves before it is said to lean on something
	Runs    int           `json:"runs"`           // of experiments, those without a change included
	Left    []string      `json:"left,omitempty"` // experiments that were left out because they take long
	Figures []SweptFigure `json:"figures"`
}

// SweptFigure is one experiment of a sweep.
type SweptFigure struct {
	ID       string         `json:"id"`
	Profiles []SweptProfile `json:"profiles"`
	Bars     []SweptBar     `json:"bars"`
}

// SweptProfile tells what a sweep did with a profile for one experiment.
type SweptProfile struct {
	Name    string   `json:"name"`
	Changed []string `json:"changed"`          // parameters
	Zero    int      `json:"zero,omitempty"`   // how many were left out because they are 0, which a factor does not change
	Unread  []string `json:"unread,omitempty"` // left out because the run did not look at them
}

// SweptBar is a bar, and what it leans on, the greatest effect first.
type SweptBar struct {
	Bar   string `json:"bar"`
	Kind  Kind   `json:"kind,omitempty"`
	Pass  bool   `json:"pass"`
	Ours  string `json:"ours"`
	Leans []Lean `json:"leans,omitempty"`
}

// Lean is a parameter of a profile that decides about a bar, or moves its value.
type Lean struct {
	Profile   string  `json:"profile"`
	Parameter string  `json:"parameter"`
	How       sim.How `json:"how"`
	Less      *Effect `json:"less,omitempty"` // of a smaller value; nil: nothing to speak of
	More      *Effect `json:"more,omitempty"`
}

// Effect is what a changed value does to a bar.
type Effect struct {
	Value float64 `json:"value"`           // of the parameter
	Moved float64 `json:"moved"`           // per cent by which the bar's value moves; 0 also if that is not a number
	Flips bool    `json:"flips,omitempty"` // kept instead of missed, or the other way round
	Ours  string  `json:"ours,omitempty"`  // what the bar's value becomes, if it flips
}

// Flips tells whether a change of the parameter decides about the bar.
func (l Lean) Flips() bool { return l.Less != nil && l.Less.Flips || l.More != nil && l.More.Flips }

// most is how far the bar's value moves at most.
func (l Lean) most() (percent float64) {
	for _, e := range []*Effect{l.Less, l.More} {
		if e != nil {
			percent = max(percent, math.Abs(e.Moved))
		}
	}
	return percent
}

// before orders by effect: what flips the bar comes first.
func (l Lean) before(m Lean) int {
	switch {
	case l.Flips() != m.Flips():
		if l.Flips() {
			return -1
		}
		return 1
	case l.most() > m.most():
		return -1
	case l.most() < m.most():
		return 1
	}
	return 0
}

// Bar finds a bar of a figure; nil if the sweep does not have it.
func (s *Sweep) Bar(figure, bar string) *SweptBar {
	for i := range s.Figures {
		if f := &s.Figures[i]; f.ID == figure {
			if j := slices.IndexFunc(f.Bars, func(b SweptBar) bool { return b.Bar == bar }); j >= 0 {
				return &f.Bars[j]
			}
		}
	}
	return nil
}

// Write writes the sweep as JSON, one line per bar, so that differences between two can be read.
func (s *Sweep) Write(w io.Writer) error {
	head := *s
	head.Figures = nil
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return err
	}
	out := &lines{w: w}
	out.write(string(text[:len(text)-len("null\n}")]) + "[")
	for i, f := range s.Figures {
		out.rows(i, "\n  {\"id\": %s, \"profiles\": [", f.ID)
		for j, p := range f.Profiles {
			out.rows(j, "\n    %s", p)
		}
		out.write("],\n   \"bars\": [")
		for j, b := range f.Bars {
			out.rows(j, "\n    %s", b)
		}
		out.write("]}")
	}
	out.write("]\n}\n")
	return out.err
}

// lines writes JSON of several values; the first error stays.
type lines struct {
	w   io.Writer
	err error
}

func (l *lines) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, text)
	}
}

// rows writes value i of a list by a form that has one place for it.
func (l *lines) rows(i int, form string, value any) {
	text, err := json.Marshal(value)
	l.err = errors.Join(l.err, err)
	if i > 0 {
		l.write(",")
	}
	l.write(fmt.Sprintf(form, text))
}

// ReadSweep reads what Write has written, and checks it.
func ReadSweep(from io.Reader) (*Sweep, error) {
	s := new(Sweep)
	if err := json.NewDecoder(io.LimitReader(from, mostStored)).Decode(s); err != nil {
		return nil, fmt.Errorf("%w: a sweep: %w", ErrStored, err)
	}
	if !(s.By > 0) || s.Command == "" {
		return nil, fmt.Errorf("%w: a sweep that does not say by how much it changed values, or by which command", ErrStored)
	}
	return s, nil
}

// LoadSweep reads a file that `weft lab sweep --json` has written.
func LoadSweep(path string) (*Sweep, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadSweep(file)
}

// newest is the newest sweep over everything; `make sweep` writes it.
//
//go:embed sweep.json
var newest []byte

// NewestSweep is the sweep over everything that this program comes with.
func NewestSweep() (*Sweep, error) { return ReadSweep(bytes.NewReader(newest)) }
