package usage

import (
	"slices"
	"strings"
	"unicode"
)

// Completion is what may stand in the place of the last word of a command line.
type Completion struct {
	Words []Word
	Files bool // names of files, too
	Dirs  bool // names of directories, too
}

// Word is a word that fits, and what it means, if there is something to say.
type Word struct{ Text, About string }

// Complete finds what may be meant by the last of words, which follow the tool's name. The last one is what
// has been typed of it, perhaps nothing.
func (t *Tool) Complete(words []string) Completion {
	if len(words) == 0 {
		words = []string{""}
	}
	before, typed := words[:len(words)-1], words[len(words)-1]
	c, n := find(t.Commands, before)
	if c == nil {
		if len(before) > 0 {
			return Completion{}
		}
		return commandWords(t.Commands, typed)
	}
	return t.completeIn(c, before[n:], typed)
}

// completeIn completes a word of a command, given those between its name and the word.
func (t *Tool) completeIn(c *Command, before []string, typed string) Completion {
	place := 0 // among the words that are neither options nor their values
	rows := c.options()
	if other, _ := find(t.Commands, []string{c.Then}); other != nil {
		rows = append(rows, other.options()...)
	}
	for i := 0; i < len(before); i++ {
		name, _, joined := strings.Cut(before[i], "=")
		row := byName(rows, name)
		if row == nil {
			place++
			if c.Ends {
				return Completion{Files: true} // the words of somebody else's program
			}
			continue
		}
		values := strings.Fields(row.Value)
		if joined && len(values) > 0 {
			values = values[1:]
		}
		if left := len(before) - 1 - i; left < len(values) {
			return t.values(values[left], typed)
		}
		i += len(values)
	}
	if name, value, joined := strings.Cut(typed, "="); joined && byName(rows, name) != nil && byName(rows, name).takes() > 0 {
		return t.values(strings.Fields(byName(rows, name).Value)[0], value).after(name + "=")
	}
	if strings.HasPrefix(typed, "-") {
		return optionWords(rows, typed)
	}
	found := Completion{}
	if place == 0 {
		found = commandWords(c.Parts, typed)
	}
	if names := strings.Fields(c.Words); place < len(names) || strings.HasSuffix(c.Words, "...") {
		name := names[min(place, len(names)-1)]
		more := t.values(strings.Trim(strings.TrimSuffix(name, "..."), "[]"), typed)
		found.Words, found.Files, found.Dirs = append(found.Words, more.Words...), more.Files, more.Dirs
	}
	return found
}

// byName finds an option by a name, with one dash or two.
func byName(rows []Option, name string) *Option {
	bare := strings.TrimPrefix(strings.TrimPrefix(name, "-"), "-")
	if bare == name || bare == "" {
		return nil
	}
	for i := range rows {
		if slices.ContainsFunc(rows[i].Names, func(n string) bool { return strings.TrimLeft(n, "-") == bare }) {
			return &rows[i]
		}
	}
	return nil
}

func commandWords(commands []Command, typed string) (found Completion) {
	for _, c := range commands {
		found.add(typed, Word{lastWord(c.Name), c.Short})
	}
	return found
}

func optionWords(rows []Option, typed string) (found Completion) {
	for _, row := range rows {
		if row.Help == "" {
			continue // not for people
		}
		for _, name := range row.Names {
			found.add(typed, Word{name, row.Help})
		}
	}
	return found
}

// add adds a word that begins with what was typed.
func (f *Completion) add(typed string, w Word) {
	if strings.HasPrefix(w.Text, typed) {
		f.Words = append(f.Words, w)
	}
}

// after puts what was typed already in front of all words.
func (f Completion) after(head string) Completion {
	for i := range f.Words {
		f.Words[i].Text = head + f.Words[i].Text
	}
	return f
}

// values finds the words for a value by its name: FILE and DIR are names of such, NAME,... and
// NAME[,NAME...] lists with commas, a|b|NAME one of these, HOST[:N] what stands before the bracket,
// sim:NAME a word in front of a value.
func (t *Tool) values(name, typed string) (found Completion) {
	for _, list := range []string{",...", "[,"} {
		if first, _, is := strings.Cut(name, list); is {
			head := typed[:strings.LastIndexByte(typed, ',')+1]
			return t.values(first, typed[len(head):]).after(head)
		}
	}
	for name := range strings.SplitSeq(name, "|") {
		name, _, _ = strings.Cut(name, "[")
		prefix := name[:strings.LastIndexByte(name, ':')+1]
		words, known := t.Values[name[len(prefix):]]
		switch {
		case name == "FILE" || name == "PATH" || name == "PROGRAM":
			found.Files = true
		case name == "DIR":
			found.Dirs = true
		case known:
			for _, w := range words() {
				found.add(typed, Word{Text: prefix + w})
			}
		case name != "" && !strings.ContainsFunc(name, unicode.IsUpper):
			found.add(typed, Word{Text: name})
		}
	}
	return found
}
