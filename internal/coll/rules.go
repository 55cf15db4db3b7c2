package coll

import (
	"fmt"
	"strings"
)

// Range is the numbers from From to To, both included. To < 0 means no end, so
// that Range{0, -1} takes everything.
type Range struct{ From, To int }

// anything takes every number.
var anything = Range{0, -1}

func (r Range) has(n int) bool { return n >= r.From && (r.To < 0 || n <= r.To) }

// Condition is what a rule asks of a yes-or-no property of the case.
type Condition uint8

// The conditions.
const (
	Either Condition = iota // does not matter
	Yes
	No
)

func (c Condition) holds(is bool) bool { return c == Either || (c == Yes) == is }

// Rule says which algorithm serves which cases.
type Rule struct {
	Op          Op
	Bytes       Range     // of Case.Size
	Ranks       Range     // of Case.Ranks
	Nodes       Range     // of Case.NodeCount
	Local       Range     // of Case.MostLocal
	Rails       Range     // of Case.Rails
	Spread      Range     // of Case.Spread
	Crowded     Condition // of Case.Crowded
	Commutative Condition // of Case.Commutative
	Algorithm   string    // full name, such as bcast/chain or allgather/bruck@2
}

// everything returns the rule for all cases of an operation.
func everything(op Op, algorithm string) Rule {
	return Rule{Op: op, Bytes: anything, Ranks: anything, Nodes: anything, Local: anything, Rails: anything, Spread: anything,
		Algorithm: algorithm}
}

// places are the ranges that a rule names by a word, because few rules ask for them: the range, and what it
// is compared with.
var places = []struct {
	word string
	of   func(*Rule) *Range
	is   func(Case) int
}{
	{"nodes", func(r *Rule) *Range { return &r.Nodes }, Case.NodeCount},
	{"local", func(r *Rule) *Range { return &r.Local }, Case.MostLocal},
	{"rails", func(r *Rule) *Range { return &r.Rails }, func(c Case) int { return max(c.Rails, 1) }},
	{"spread", func(r *Rule) *Range { return &r.Spread }, func(c Case) int { return c.Spread }},
}

// matches reports whether the rule speaks of the case.
func (r *Rule) matches(c *Case) bool {
	if r.Op != c.Op || !r.Bytes.has(c.Size()) || !r.Ranks.has(c.Ranks) || !r.Crowded.holds(c.Crowded()) ||
		!r.Commutative.holds(c.Commutative) {
		return false
	}
	for _, n := range places {
		if asks := n.of(r); *asks != anything && !asks.has(n.is(*c)) {
			return false
		}
	}
	return true
}

// String returns the rule in the syntax of Parse.
func (r Rule) String() string {
	pieces := []string{r.Op.String(), formatRange(r.Bytes, formatBytes), formatRange(r.Ranks, formatNumber)}
	switch r.Crowded {
	case Yes:
		pieces = append(pieces, "crowded")
	case No:
		pieces = append(pieces, "roomy")
	}
	switch r.Commutative {
	case Yes:
		pieces = append(pieces, "commutative")
	case No:
		pieces = append(pieces, "ordered")
	}
	for _, n := range places {
		if asks := *n.of(&r); asks != anything {
			pieces = append(pieces, n.word+formatRange(asks, formatNumber))
		}
	}
	for len(pieces) > 1 && pieces[len(pieces)-1] == "*" {
		pieces = pieces[:len(pieces)-1]
	}
	_, way, _ := strings.Cut(r.Algorithm, "/")
	return strings.Join(pieces, ":") + "=" + way
}

func formatRange(r Range, number func(int) string) string {
	switch {
	case r == anything:
		return "*"
	case r.To < 0:
		return number(r.From) + "-"
	case r.From == r.To:
		return number(r.From)
	}
	return number(r.From) + "-" + number(r.To)
}

func formatNumber(n int) string { return fmt.Sprint(n) }

// formatBytes writes n with the largest unit that divides it.
func formatBytes(n int) string {
	for i := len(units) - 1; i >= 0; i-- {
		if n > 0 && n%units[i].bytes == 0 {
			return fmt.Sprintf("%d%c", n/units[i].bytes, units[i].letter)
		}
	}
	return fmt.Sprint(n)
}

// units are the suffixes of a number of bytes.
var units = [...]struct {
	letter byte
	bytes  int
}{{'K', 1 << 10}, {'M', 1 << 20}, {'G', 1 << 30}}
