package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check is one bar and what became of it. Paper is what the document states or the catalogue demands, Ours what we
// found.
type Check struct {
	Kind  Kind   `json:"kind"`
	Bar   string `json:"bar"`
	Paper string `json:"paper"`
	Ours  string `json:"ours"`
	Pass  bool   `json:"pass"`
	Why   string `json:"why,omitempty"`   // of a failure, or what is special about a pass
	Basis string `json:"basis,omitempty"` // why the bar is as wide as it is, or has one side only

	Claim    string   `json:"claim,omitempty"`     // which of the figure's claims it holds; nothing: the catalogue has no more than the figure
	FittedBy []string `json:"fitted_by,omitempty"` // what was chosen with this figure in sight
	OneSided bool     `json:"one_sided,omitempty"` // nothing keeps ours from being far off on the other side
	Width    float64  `json:"width,omitempty"`     // how far ours may be off on either side, in per cent; 0: it is no number
}

// Kind says what it means that a bar is kept.
type Kind string

// The kinds of bars. Only a prediction can surprise anybody: what is put in comes out again, what is read
// off a plan or a definition holds on every machine, and a parameter that was chosen with a figure in sight
// brings that figure about.
const (
	Input      Kind = "input"      // a profile takes the value from the document
	Structural Kind = "structural" // read off a plan, a definition or the code
	Fitted     Kind = "fitted"     // a parameter was chosen with this figure in sight; By names it
	Prediction Kind = "prediction"
)

// Kinds lists them in the order in which counts are shown.
func Kinds() []Kind { return []Kind{Prediction, Input, Structural, Fitted} }

// Means says in a sentence what a kept bar of this kind shows.
func (k Kind) Means() string {
	switch k {
	case Prediction:
		return "no value of the model was chosen for it: if it is kept, the mechanism does what the document found"
	case Input:
		return "the model takes the value from the document, and it comes out again"
	case Structural:
		return "read off a plan, a definition or the code: it holds on every machine"
	case Fitted:
		return "a value of the model was chosen with this figure in sight"
	}
	return ""
}

// widest is how far a prediction may be off, in per cent, unless the document is vaguer.
const widest = 35

// Because adds a reason to a check that failed: a limit of the model, a contradiction in the document, or a defect of
// ours. A check that passed stays as it is.
func (c Check) Because(reason string) Check {
	if !c.Pass {
		c.Why = strings.TrimPrefix(c.Why+"; "+reason, "; ")
	}
	return c
}

// Since says why a bar is wider than 35%, or has one side only: what the document leaves open.
func (c Check) Since(reason string) Check {
	c.Basis = reason
	return c
}

// By says what a bar of the kind Fitted was fitted by: names of parameters of the profile (rest_us), or in
// words a reading of the document that was chosen because the figure comes out with it.
func (c Check) By(what ...string) Check {
	c.FittedBy = append(slices.Clone(c.FittedBy), what...)
	return c
}

// Says points at the claim of the figure that the bar holds, by words that only that claim of the catalogue
// has. A bar of a figure with one claim holds that one, without being told.
func (c Check) Says(part string) Check {
	c.Claim = part
	return c
}

// Verdict is the word for the outcome.
func (c Check) Verdict() string {
	if c.Pass {
		return "pass"
	}
	return "fail"
}

// Loose says what a prediction leaves open without saying why: one side, or more than 35%. It is nothing
// for other bars.
func (c Check) Loose() string {
	switch {
	case c.Kind != Prediction || c.Basis != "":
		return ""
	case c.OneSided:
		return "one side only"
	case c.Width > widest:
		return fmt.Sprintf("wider than %d%%", widest)
	}
	return ""
}

// check finds what a check does not say of itself.
func (c Check) check() error {
	switch {
	case c.Bar == "":
		return errors.New("a check has no name")
	case !slices.Contains(Kinds(), c.Kind):
		return fmt.Errorf("the check %q is of kind %q, which is none of %v", c.Bar, c.Kind, Kinds())
	case c.Kind == Fitted && len(c.FittedBy) == 0:
		return fmt.Errorf("the check %q is fitted: say with By by which parameter", c.Bar)
	case c.Kind != Fitted && len(c.FittedBy) > 0:
		return fmt.Errorf("the check %q is of kind %s, but fitted by %s", c.Bar, c.Kind, strings.Join(c.FittedBy, ", "))
	}
	return nil
}
