package usage

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// Tool is a program with commands.
type Tool struct {
	Name     string
	Short    string // what it is, in a few words without a full stop
	About    string // a text (see Command.About) for its own page
	Version  string
	Commands []Command
	Topics   []Topic

	// Values are the words that may stand for a value, by the value's name: those of "PROFILE", for
	// example. They are asked for when a shell completes a command line.
	Values map[string]func() []string
}

// Command is a word after the tool's name, or after the word of a command that has several.
type Command struct {
	Name  string // "tune"; of a part "lab run"
	Short string // what it does, in a few words without a full stop

	// Forms are the ways to write it, without the tool and the name: "[options] FILE".
	Forms []string

	// About is paragraphs with an empty line between two. One with a line that begins with a space stays as it is.
	About string

	Words  string // the names of the values that its words have, such as "TEST [HOST]", for completion; the last may end in ...
	Ends   bool   // options end at the first word: what follows belongs to somebody else
	Groups []Group
	Then   string    // the name of a command whose options may follow its own
	After  string    // as About, after the options
	Parts  []Command // one with an About has help and a manual page of its own, the others are told of here
}

// Topic is something to read about that is no command.
type Topic struct {
	Name, Short string
	Text        string // as Command.About
}

// Group is options that belong together. Its title may be empty.
type Group struct {
	Title string
	Rows  []Option
}

// Option is an option of a command.
type Option struct {
	Names []string // with their dashes, the one to be shown first in front
	Value string   // names of the words that follow it, with spaces between; empty if none does
	Help  string
}

// takes is how many words follow the option.
func (o *Option) takes() int { return len(strings.Fields(o.Value)) }

// left is the option as it is written.
func (o *Option) left() string { return strings.TrimSpace(strings.Join(o.Names, ", ") + " " + o.Value) }

// Flags describes the options of a set. A flag's usage names its value in back quotes, somewhere in its
// text or in front of it with a colon; flags with the same usage are names of the same option, and those
// without are not for people.
func Flags(set *flag.FlagSet) (rows []Option) {
	at := map[string]int{} // by usage
	set.VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			return
		}
		i, known := at[f.Usage]
		if !known {
			i = len(rows)
			at[f.Usage] = i
			value, help := flag.UnquoteUsage(f)
			rows = append(rows, Option{Value: value, Help: strings.TrimPrefix(help, value+": ")})
		}
		rows[i].Names = append(rows[i].Names, Dashed(f.Name))
	})
	for _, row := range rows {
		slices.SortStableFunc(row.Names, func(a, b string) int { return len(a) - len(b) })
	}
	return rows
}

// Also gives an option of a set a further name.
func Also(set *flag.FlagSet, name string, more ...string) {
	f := set.Lookup(name)
	for _, other := range more {
		set.Var(f.Value, other, f.Usage)
	}
}

// Dashed is how an option is shown: with one dash if its name is a letter, else with two.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// options are all rows of a command.
func (c *Command) options() (rows []Option) {
	for _, g := range c.Groups {
		rows = append(rows, g.Rows...)
	}
	return rows
}

// own are the rows of a part that its command does not have, too.
func (c *Command) own(whole *Command) []Option {
	shared := whole.options()
	return slices.DeleteFunc(c.options(), func(o Option) bool {
		return slices.ContainsFunc(shared, func(s Option) bool { return s.Names[0] == o.Names[0] })
	})
}

// find returns the command, or the part of one, that the first words name, and how many words these are.
func find(commands []Command, words []string) (found *Command, n int) {
	for n < len(words) {
		i := slices.IndexFunc(commands, func(c Command) bool { return lastWord(c.Name) == words[n] })
		if i < 0 {
			break
		}
		found, commands = &commands[i], commands[i].Parts
		n++
	}
	return found, n
}

func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// Help is the text about the command or topic that words name, or about the whole tool if there are none.
func (t *Tool) Help(words ...string) (string, error) {
	if len(words) == 0 {
		return t.overview(), nil
	}
	if c, n := find(t.Commands, words); n == len(words) {
		return t.text(c), nil
	}
	for _, topic := range t.Topics {
		if len(words) == 1 && topic.Name == words[0] {
			return strings.Join(layOut(topic.Text), "\n") + "\n", nil
		}
	}
	return "", fmt.Errorf("there is neither a command nor a topic %q", strings.Join(words, " "))
}

// Names are the words after which Help has something to say.
func (t *Tool) Names() (names []string) {
	for _, c := range t.Commands {
		names = append(names, c.Name)
	}
	for _, topic := range t.Topics {
		names = append(names, topic.Name)
	}
	return names
}
