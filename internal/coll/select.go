package coll

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/model"
)

// Selector chooses algorithms: by the first rule that speaks of a case, else by what they cost on
// a machine. It does not change once made and may be shared.
type Selector struct {
	rules     []Rule
	overrides int       // how many of the rules stand before the exceptions
	binding   bool      // these: who asks for what does not fit is refused
	spread    [ops]bool // a rule for the operation asks how far apart ranks arrive
	machine   model.Machine
	memory    Memory // of what was reckoned; nil: nothing is kept
}

// AsksSpread reports whether a rule for the operation looks at Case.Spread. If none does, nobody need find out.
func (s *Selector) AsksSpread(op Op) bool { return s.spread[op] }

// Machine is what algorithms are reckoned on.
func (s *Selector) Machine() model.Machine { return s.machine }

// Default returns the selector for machines of which nothing is known.
func Default() *Selector { return For(model.Ethernet) }

// For returns the selector for a machine, with the exceptions that measurements have shown.
func For(m model.Machine) *Selector {
	rules, err := Parse(exceptions)
	if err != nil {
		panic(err) // a mistake in exceptions.go
	}
	s := &Selector{machine: m}
	return s.ruled(rules, 0)
}

// ruled is the selector with other rules, the first overrides of which are a user's.
func (s *Selector) ruled(rules []Rule, overrides int) *Selector {
	own := Selector{rules: rules, overrides: overrides, binding: s.binding, machine: s.machine, memory: s.memory}
	for _, r := range rules {
		own.spread[r.Op] = own.spread[r.Op] || r.Spread != anything
	}
	return &own
}

// With returns a selector that asks the given rules first.
func (s *Selector) With(rules ...Rule) *Selector {
	return s.ruled(slices.Concat(rules, s.rules), s.overrides+len(rules))
}

// Binding returns a selector whose user's rules are binding: where the first that speaks of a case names an
// algorithm that does not fit, Refusal says so, and nobody has to take what another rule or the model would
// choose.
func (s *Selector) Binding() *Selector {
	own := *s
	own.binding = true
	return &own
}

// ErrUnfit is the error of a case for which a rule that is binding names an algorithm that does not fit.
var ErrUnfit = errors.New("the algorithm that is named does not fit")

// Refusal is why a choice must not be used, nil if it may: see Binding.
func (s *Selector) Refusal(why Reason) error {
	if !s.binding || why.Denied == "" {
		return nil
	}
	return fmt.Errorf("%w: %s; WEFT_LAB_COLL_BINDING=off would take the next that does", ErrUnfit, why.Denied)
}

// Reason says why an algorithm was chosen: by a rule, or because it costs least.
type Reason struct {
	Number   int // of the rule in the table, from 1; 0 if there was none
	Rule     Rule
	Override bool     // the rule is a user's
	Cost     Cost     // if there was no rule
	Skipped  []string // algorithms of earlier matching rules that do not fit
	Denied   string   // the first of them, if a user's rule names it
}

// String returns the reason as one line.
func (r Reason) String() string {
	text := "the model, " + formatNanos(r.Cost.Nanos)
	if r.Number > 0 {
		from := "exception"
		if r.Override {
			from = "override"
		}
		text = fmt.Sprintf("rule %d (%s) %s", r.Number, from, r.Rule)
	}
	if len(r.Skipped) > 0 {
		text += "; " + strings.Join(r.Skipped, ", ") + " would match but does not fit"
	}
	return text
}

// Choose returns the algorithm of the first rule that matches and whose algorithm fits, else the
// one that fits and costs least, and why. Ranks that share rules and machine and describe the same
// call get the same answer. The case must be valid.
func (s *Selector) Choose(c Case) (Algorithm, Reason) {
	var why Reason
	for i := range s.rules {
		r := &s.rules[i]
		if !r.matches(&c) {
			continue
		}
		a, known := Find(r.Algorithm)
		if !known || a.Op != c.Op || !a.Fits(c) {
			if why.Skipped = append(why.Skipped, r.Algorithm); len(why.Skipped) == 1 && i < s.overrides {
				why.Denied = r.Algorithm
			}
			continue
		}
		why.Rule, why.Number, why.Override = *r, i+1, i < s.overrides
		return a, why
	}
	for _, k := range s.costs(c) {
		if k.Algorithm.Fits(c) {
			why.Cost = k
			return k.Algorithm, why
		}
	}
	for _, a := range Algorithms(c.Op) { // of the kind, only what does not fit this case was cheap
		if a.Fits(c) && !a.Rival() {
			return a, why
		}
	}
	panic(fmt.Sprintf("coll: no algorithm for %s", c.Op))
}

// Print returns the table of rules, one per line, numbered as in Reason, and the machine by which
// all other cases are decided.
func (s *Selector) Print() string {
	var w strings.Builder
	for i, r := range s.rules {
		from := "exception"
		if i < s.overrides {
			from = "override"
		}
		fmt.Fprintf(&w, "%3d %-9s  %s\n", i+1, from, r)
	}
	fmt.Fprintf(&w, "%s%s", "all other cases: what costs least on a machine with\n", s.machine.Table())
	return w.String()
}

// Explain returns, for people, which algorithm serves the case and why, what all candidates cost,
// and the plan of rank c.Rank.
func (s *Selector) Explain(c Case) (string, error) {
	if err := c.Validate(); err != nil {
		return "", err
	}
	a, why := s.Choose(c)
	var w strings.Builder
	fmt.Fprintf(&w, "case: %s, %s bytes, %d ranks", c.Op, formatBytes(c.Size()), c.Ranks)
	if c.rooted() {
		fmt.Fprintf(&w, ", root %d", c.Root)
	}
	if c.Op.Neighborly() {
		fmt.Fprintf(&w, ", %d edges", c.Graph.Edges())
		if g, offsets := c.Graph.Offsets(); offsets != nil {
			fmt.Fprintf(&w, " to %d neighbours in a grid of %v", len(offsets), g.Sizes)
		}
	}
	if c.NodeCount() > 1 {
		rails := "1 rail"
		if c.Rails > 1 {
			rails = fmt.Sprintf("%d rails", c.Rails)
		}
		fmt.Fprintf(&w, ", %d nodes with up to %d ranks, %s", c.NodeCount(), c.MostLocal(), rails)
	}
	if c.Crowded() {
		fmt.Fprintf(&w, ", crowded (%d ranks on %d cores)", c.Local, c.Cores)
	}
	if c.Spread > 0 {
		fmt.Fprintf(&w, ", arriving %d messages' time apart", c.Spread)
	}
	fmt.Fprintf(&w, "\nchosen: %s by %s\n", a.Name, why)
	if s.AsksSpread(c.Op) || c.Spread > 0 {
		fmt.Fprintf(&w, "by arrival: %s\n", s.byArrival(c))
	}
	fmt.Fprintf(&w, "costs, for %s and lengths near it:\n%s", bytesText(c), costTable(s.Costs(c), c))
	fmt.Fprintf(&w, "plan: %s", a.Plan(c))
	return w.String(), nil
}

// byArrival says what is chosen as ranks come further apart.
func (s *Selector) byArrival(c Case) string {
	if !s.AsksSpread(c.Op) {
		return fmt.Sprintf("no rule for %s asks how far apart ranks come", c.Op)
	}
	edges := []int{0}
	for _, r := range s.rules {
		if r.Op == c.Op && r.Spread != anything {
			edges = append(edges, r.Spread.From)
			if r.Spread.To >= 0 {
				edges = append(edges, r.Spread.To+1)
			}
		}
	}
	slices.Sort(edges)
	var parts []string
	last := ""
	for _, c.Spread = range slices.Compact(edges) {
		if a, _ := s.Choose(c); a.Name != last {
			last = a.Name
			parts = append(parts, fmt.Sprintf("from %d on %s", c.Spread, a.Name))
		}
	}
	return strings.Join(parts, ", ")
}
