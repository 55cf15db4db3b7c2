package coll

import (
	"fmt"
	"slices"
	"strings"
)

// Selector chooses algorithms by rules. It does not change once made and may
// be shared.
type Selector struct {
	rules     []Rule
	overrides int       // how many of the rules stand before the defaults
	spread    [ops]bool // a rule for the operation asks how far apart ranks arrive
}

// AsksSpread reports whether a rule for the operation looks at Case.Spread. If none does, nobody need find out.
func (s *Selector) AsksSpread(op Op) bool { return s.spread[op] }

// newSelector makes a selector of rules, the first overrides of which were added to the defaults.
func newSelector(rules []Rule, overrides int) *Selector {
	s := &Selector{rules: rules, overrides: overrides}
	for _, r := range rules {
		s.spread[r.Op] = s.spread[r.Op] || r.Spread != anything
	}
	return s
}

// Default returns the selector with the default rules.
func Default() *Selector {
	rules, err := Parse(defaultRules)
	if err != nil {
		panic(err) // a mistake in defaults.go
	}
	return newSelector(rules, 0)
}

// With returns a selector that asks the given rules first.
func (s *Selector) With(rules ...Rule) *Selector {
	all := append(append([]Rule(nil), rules...), s.rules...)
	return newSelector(all, s.overrides+len(rules))
}

// Reason says why an algorithm was chosen.
type Reason struct {
	Rule     Rule
	Number   int      // of the rule in the table, from 1
	Override bool     // the rule was added to the defaults
	Skipped  []string // algorithms of earlier matching rules that do not fit
}

// String returns the reason as one line.
func (r Reason) String() string {
	from := "default"
	if r.Override {
		from = "override"
	}
	text := fmt.Sprintf("rule %d (%s) %s", r.Number, from, r.Rule)
	if len(r.Skipped) > 0 {
		text += "; " + strings.Join(r.Skipped, ", ") + " would match but does not fit"
	}
	return text
}

// Choose returns the algorithm of the first rule that matches and whose
// algorithm fits, and why. Ranks that share rules and describe the same call
// get the same answer. The case must be valid.
func (s *Selector) Choose(c Case) (Algorithm, Reason) {
	var skipped []string
	for i := range s.rules {
		r := &s.rules[i]
		if !r.matches(&c) {
			continue
		}
		a, known := Find(r.Algorithm)
		if !known || a.Op != c.Op || !a.Fits(c) {
			skipped = append(skipped, r.Algorithm)
			continue
		}
		return a, Reason{Rule: *r, Number: i + 1, Override: i < s.overrides, Skipped: skipped}
	}
	panic(fmt.Sprintf("coll: no rule for %s: a selector is made by Default and With", c.Op))
}

// Print returns the table of rules, one per line, numbered as in Reason.
func (s *Selector) Print() string {
	var w strings.Builder
	for i, r := range s.rules {
		from := "default"
		if i < s.overrides {
			from = "override"
		}
		fmt.Fprintf(&w, "%3d %-8s  %s\n", i+1, from, r)
	}
	return w.String()
}

// Explain returns, for people, which algorithm serves the case, by which rule,
// what the alternatives are, and the plan of rank c.Rank.
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
	var others []string
	for _, other := range Algorithms(c.Op) {
		if other.Name != a.Name && other.Fits(c) {
			others = append(others, other.Name)
		}
	}
	if len(others) == 0 {
		others = []string{"nothing"}
	}
	fmt.Fprintf(&w, "\nchosen: %s by %s\n", a.Name, why)
	if s.AsksSpread(c.Op) || c.Spread > 0 {
		fmt.Fprintf(&w, "by arrival: %s\n", s.byArrival(c))
	}
	fmt.Fprintf(&w, "fits too: %s\nplan: %s", strings.Join(others, ", "), a.Plan(c))
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
