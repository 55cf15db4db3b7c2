package simtest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Summary is a case in a few words.
func (c *Case) Summary() string {
	var kinds []string
	for _, f := range c.Faults {
		kinds = append(kinds, f.Kind)
	}
	faults := strings.Join(sorted(kinds), "+")
	if faults == "" {
		faults = "no faults"
	}
	s := &c.Shape
	return fmt.Sprintf("%d ranks on %s, %s, %s, %s, progress %s, %s, %d items", s.Ranks, s.where(), s.Profile, s.value("WEFT_CHANNEL"),
		s.value("WEFT_RNDV"), s.value("WEFT_PROGRESS"), faults, len(c.Items))
}

// where tells on how many nodes the ranks are, and if these are not alike, how many are on which.
func (s *Shape) where() string {
	where := fmt.Sprintf("%d nodes", s.Nodes)
	if s.Spots == nil {
		return where
	}
	return fmt.Sprintf("%s (%s, %s)", where, strings.Trim(strings.ReplaceAll(fmt.Sprint(s.counts()), " ", "+"), "[]"), s.order())
}

// nodes describes nodes that are not alike, a line each.
func (s *Shape) nodes() string {
	var b strings.Builder
	for node, own := range s.Each {
		var ranks []int
		for rank := range s.Ranks {
			if at, _ := s.nodeOf(rank); at == node {
				ranks = append(ranks, rank)
			}
		}
		fmt.Fprintf(&b, "  node %d: ranks %v,%s\n", node, ranks, inWords(own))
	}
	return b.String()
}

// Describe lists everything that a case is made of, a line each.
func (c *Case) Describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s\n", c.Seed, c.Summary())
	if c.Comment != "" {
		fmt.Fprintf(&b, "  %s\n", c.Comment)
	}
	fmt.Fprintf(&b, "  settings: %s\n", strings.ReplaceAll(strings.Join(c.Shape.Settings, " "), "WEFT_", ""))
	b.WriteString(c.Shape.nodes())
	for _, f := range c.Faults {
		fmt.Fprintf(&b, "  fault: %s\n", inWords(f))
	}
	for i, it := range c.Items {
		fmt.Fprintf(&b, "  item %d: %s\n", i, inWords(it))
	}
	return b.String()
}

// inWords is a value as JSON without most of its punctuation.
func inWords(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return strings.NewReplacer(`"`, "", "{", " ", "}", "", ",", " ", ":", " ").Replace(string(text))
}
