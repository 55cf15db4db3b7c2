package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/usage"
)

// everyCommand calls use with all commands and their parts.
func everyCommand(commands []usage.Command, use func(c *usage.Command)) {
	for i := range commands {
		use(&commands[i])
		everyCommand(commands[i].Parts, use)
	}
}

// valueName is how values are named: FILE, a|b, NAME=VALUE, N[,N...]. What package flag calls them by itself is none.
var valueName = regexp.MustCompile(`^([A-Z<]|[a-z]+[|:]|\[MIN|soft$)`)

// TestEveryOptionIsDescribed: options have a text for people, and a value with a name; commands say what
// they do and how they are written.
func TestEveryOptionIsDescribed(t *testing.T) {
	n := 0
	everyCommand(theTool().Commands, func(c *usage.Command) {
		if c.Short == "" || len(c.Forms) == 0 || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: %q, %q", c.Name, c.Short, c.Forms)
		}
		for _, g := range c.Groups {
			for _, o := range g.Rows {
				n++
				if o.Value != "" && !valueName.MatchString(o.Value) {
					t.Errorf("%s %s: the value is called %q", c.Name, o.Names[0], o.Value)
				}
				if strings.HasSuffix(o.Help, ".") {
					t.Errorf("%s %s: %q ends in a full stop", c.Name, o.Names[0], o.Help)
				}
			}
		}
	})
	if n < 150 {
		t.Errorf("only %d options", n)
	}
}

// TestExamplesOfHelp: what help shows as a command has the options that it names.
func TestExamplesOfHelp(t *testing.T) {
	tool := theTool()
	checked := 0
	check := func(where, text string) {
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			if !strings.HasPrefix(line, "  weft ") || len(words) < 2 {
				continue
			}
			checked++
			if words[1] == "cluster" && words[2] == "exec" {
				words = words[4:] // a command on a host
			}
			for i := 2; i < len(words) && !strings.HasPrefix(words[i], "./"); i++ {
				name, _, _ := strings.Cut(words[i], "=")
				if !strings.HasPrefix(name, "-") {
					continue
				}
				found := tool.Complete(append(slices.Clone(words[1:i]), name)).Words
				if name != "-h" && !slices.ContainsFunc(found, func(w usage.Word) bool { return w.Text == name }) {
					t.Errorf("%s: %q: there is no option %s", where, strings.TrimSpace(line), name)
				}
			}
		}
	}
	everyCommand(tool.Commands, func(c *usage.Command) { check(c.Name, c.About) })
	for _, topic := range tool.Topics {
		check(topic.Name, topic.Text)
	}
	check("weft", tool.About)
	if checked < 50 {
		t.Errorf("only %d examples", checked)
	}
}
