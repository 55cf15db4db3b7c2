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
	return fmt.Sprintf("%d ranks on %d nodes, %s, %s, %s, progress %s, %s, %d items", s.Ranks, s.Nodes, s.Profile, s.value("WEFT_CHANNEL"),
		s.value("WEFT_RNDV"), s.value("WEFT_PROGRESS"), faults, len(c.Items))
}

// Describe lists everything that a case is made of, a line each.
func (c *Case) Describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s\n", c.Seed, c.Summary())
	if c.Comment != "" {
		fmt.Fprintf(&b, "  %s\n", c.Comment)
	}
	fmt.Fprintf(&b, "  settings: %s\n", strings.ReplaceAll(strings.Join(c.Shape.Settings, " "), "WEFT_", ""))
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
