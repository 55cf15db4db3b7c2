package usage

import (
	"fmt"
	"strings"
)

// Width is how many columns a text has.
const Width = 100

// Wrap cuts a text between words into lines of up to width bytes.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// paragraph is a part of a text: words that flow, or lines that stay as they are.
type paragraph struct {
	words string
	lines []string
}

// paragraphs takes a text apart.
func paragraphs(text string) (all []paragraph) {
	for block := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		block = strings.Trim(block, "\n")
		if strings.HasPrefix(block, " ") || strings.Contains(block, "\n ") {
			all = append(all, paragraph{lines: strings.Split(block, "\n")})
		} else if block != "" {
			all = append(all, paragraph{words: block})
		}
	}
	return all
}

// layOut makes lines of a text.
func layOut(text string) (lines []string) {
	for i, p := range paragraphs(text) {
		if i > 0 {
			lines = append(lines, "")
		}
		if p.lines != nil {
			lines = append(lines, p.lines...)
		} else {
			lines = append(lines, Wrap(p.words, Width)...)
		}
	}
	return lines
}

// text is the help of a command.
func (t *Tool) text(c *Command) string {
	var b strings.Builder
	head := "usage: "
	for _, form := range c.Forms {
		fmt.Fprintln(&b, strings.TrimRight(head+t.Name+" "+c.Name+" "+form, " "))
		head = "       "
	}
	section := func(lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n%s\n", strings.Join(lines, "\n"))
		}
	}
	section(layOut(c.About))
	for i := range c.Parts {
		section(t.partText(c, &c.Parts[i]))
	}
	for _, g := range c.Groups {
		title := g.Title
		if title == "" {
			title = "options"
		}
		section(append([]string{title + ":"}, optionLines(g.Rows, 2)...))
	}
	section(layOut(c.After))
	return strings.TrimLeft(b.String(), "\n")
}

// partText is a part of a command below the others.
func (t *Tool) partText(whole, c *Command) (lines []string) {
	for _, form := range c.Forms {
		lines = append(lines, strings.TrimRight("  "+t.Name+" "+c.Name+" "+form, " "))
	}
	for _, line := range Wrap(c.Short, Width-6) {
		lines = append(lines, "      "+line)
	}
	if c.About != "" {
		return append(lines, "      ("+t.Name+" help "+c.Name+" shows the options)")
	}
	return append(lines, optionLines(c.own(whole), 6)...)
}

// Of the column that has the options: how narrow and how wide it may be.
const (
	narrowest = 12
	widest    = 28
)

// optionLines shows options in two columns.
func optionLines(rows []Option, indent int) (lines []string) {
	width := narrowest
	for _, row := range rows {
		if n := len(row.left()); n <= widest {
			width = max(width, n)
		}
	}
	margin := strings.Repeat(" ", indent)
	for _, row := range rows {
		if row.Help == "" {
			continue
		}
		left := row.left()
		if len(left) > width {
			lines, left = append(lines, margin+left), ""
		}
		for _, line := range Wrap(row.Help, Width-indent-width-2) {
			lines = append(lines, fmt.Sprintf("%s%-*s  %s", margin, width, left, line))
			left = ""
		}
	}
	return lines
}

// overview is the help of the tool.
func (t *Tool) overview() string {
	var b strings.Builder
	for _, line := range layOut(t.About) {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b, "\ncommands:")
	for _, c := range t.Commands {
		fmt.Fprintf(&b, "  %s %-10s  %s\n", t.Name, c.Name, c.Short)
	}
	fmt.Fprintf(&b, "\n%s help COMMAND shows a command with its options. There is also help on:\n", t.Name)
	for _, topic := range t.Topics {
		fmt.Fprintf(&b, "  %s help %-10s  %s\n", t.Name, topic.Name, topic.Short)
	}
	return b.String()
}
