package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// heading is a heading of a page: its text without markup, and the name by which it can be linked to.
type heading struct {
	Level    int
	ID, Text string
}

// renderer makes HTML of Markdown: of the part of the language that the project's pages use, by the rules
// of code hosts. It owns nothing outside itself; link says where a target leads.
type renderer struct {
	link     func(target string) string
	out      strings.Builder
	headings []heading
	tight    bool // paragraphs are those of a list without blank lines
}

// render returns the HTML of a whole page.
func (r *renderer) render(text string) string {
	r.blocks(strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n"))
	return r.out.String()
}

func (r *renderer) blocks(lines []string) {
	for len(lines) > 0 {
		lines = lines[r.block(lines):]
	}
}

var (
	headingLine = regexp.MustCompile(`^(#{1,6}) +(.*?) *#*$`)
	markerLine  = regexp.MustCompile(`^ {0,3}([-*]|\d{1,3}\.) +`)
	ruleLine    = regexp.MustCompile(`^ {0,3}(-{3,}|\*{3,})$`)
	tableRule   = regexp.MustCompile(`^\|( *:?-+:? *\|)+ *$`)
	htmlLine    = regexp.MustCompile(`^</?(p|div|picture|source|img|details|summary|figure|figcaption|table|tr|td|th)\b`)
)

// block renders the block that lines begin with and returns how many lines it takes.
func (r *renderer) block(lines []string) int {
	line := lines[0]
	switch {
	case blank(line):
		return 1
	case strings.HasPrefix(line, "```"):
		return r.fence(lines)
	case strings.HasPrefix(line, "    "):
		return r.indented(lines)
	case strings.HasPrefix(line, "<!--"):
		return comment(lines)
	case headingLine.MatchString(line):
		r.heading(line)
		return 1
	case ruleLine.MatchString(line):
		r.out.WriteString("<hr>\n")
		return 1
	case isTable(lines):
		return r.table(lines)
	case markerLine.MatchString(line):
		return r.list(lines)
	case strings.HasPrefix(line, ">"):
		return r.quote(lines)
	case htmlLine.MatchString(line):
		return r.html(lines)
	}
	return r.paragraph(lines)
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func isTable(lines []string) bool {
	return strings.HasPrefix(lines[0], "|") && len(lines) > 1 && tableRule.MatchString(lines[1])
}

// interrupts tells whether a line of a paragraph begins another block.
func interrupts(lines []string) bool {
	line := lines[0]
	m := markerLine.FindStringSubmatch(line)
	return blank(line) || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, ">") ||
		headingLine.MatchString(line) || isTable(lines) || m != nil && (len(m[1]) == 1 || m[1] == "1.")
}

// while counts the lines that fit.
func while(lines []string, fits func(line string) bool) int {
	n := 0
	for n < len(lines) && fits(lines[n]) {
		n++
	}
	return n
}

// comment passes over a comment.
func comment(lines []string) int {
	n := while(lines, func(line string) bool { return !strings.Contains(line, "-->") })
	return min(n+1, len(lines))
}

func (r *renderer) fence(lines []string) int {
	n := while(lines[1:], func(line string) bool { return !strings.HasPrefix(line, "```") })
	r.code(lines[1 : 1+n])
	return min(n+2, len(lines))
}

// indented renders code that is set in by four spaces; blank lines belong to it if more follows.
func (r *renderer) indented(lines []string) int {
	n := while(lines, func(line string) bool { return blank(line) || strings.HasPrefix(line, "    ") })
	for blank(lines[n-1]) {
		n--
	}
	var code []string
	for _, line := range lines[:n] {
		code = append(code, strings.TrimPrefix(line, "    "))
	}
	r.code(code)
	return n
}

func (r *renderer) code(lines []string) {
	fmt.Fprintf(&r.out, "<pre><code>%s\n</code></pre>\n", html.EscapeString(strings.Join(lines, "\n")))
}

func (r *renderer) heading(line string) {
	m := headingLine.FindStringSubmatch(line)
	content := r.inline(m[2])
	h := heading{Level: len(m[1]), Text: plain(content)}
	h.ID = slug(h.Text)
	for same, n := h.ID, 1; r.known(h.ID); n++ {
		h.ID = fmt.Sprintf("%s-%d", same, n)
	}
	r.headings = append(r.headings, h)
	fmt.Fprintf(&r.out, "<h%d id=\"%s\">%s</h%d>\n", h.Level, h.ID, content, h.Level)
}

func (r *renderer) known(id string) bool {
	for _, h := range r.headings {
		if h.ID == id {
			return true
		}
	}
	return false
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain returns what HTML says, without markup.
func plain(text string) string { return html.UnescapeString(tag.ReplaceAllString(text, "")) }

// slug is the name of a heading in links, as code hosts make it.
func slug(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_':
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}

func (r *renderer) paragraph(lines []string) int {
	n := 1
	for n < len(lines) && !interrupts(lines[n:]) {
		n++
	}
	text := r.inline(strings.Join(lines[:n], "\n"))
	if r.tight {
		r.out.WriteString(text + "\n")
	} else {
		r.out.WriteString("<p>" + text + "</p>\n")
	}
	return n
}

func (r *renderer) quote(lines []string) int {
	n := while(lines, func(line string) bool { return strings.HasPrefix(line, ">") })
	var inner []string
	for _, line := range lines[:n] {
		inner = append(inner, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
	}
	r.out.WriteString("<blockquote>\n")
	r.blocks(inner)
	r.out.WriteString("</blockquote>\n")
	return n
}

// html passes HTML on up to the next blank line, with its targets resolved.
func (r *renderer) html(lines []string) int {
	n := while(lines, func(line string) bool { return !blank(line) })
	r.out.WriteString(r.targets(strings.Join(lines[:n], "\n")) + "\n")
	return n
}

var target = regexp.MustCompile(`\b(src|srcset|href)="([^"]*)"`)

func (r *renderer) targets(text string) string {
	return target.ReplaceAllStringFunc(text, func(attribute string) string {
		m := target.FindStringSubmatch(attribute)
		return m[1] + `="` + html.EscapeString(r.link(m[2])) + `"`
	})
}

// list renders the items of one list. An item goes on as long as lines are set in, or follow without a blank line.
func (r *renderer) list(lines []string) int {
	kind := "ul"
	if first := markerLine.FindStringSubmatch(lines[0])[1]; strings.HasSuffix(first, ".") {
		kind = "ol"
	}
	items, n := items(lines, kind)
	outer := r.tight
	r.tight = true
	for _, item := range items {
		r.tight = r.tight && !hasGap(item)
	}
	fmt.Fprintf(&r.out, "<%s>\n", kind)
	for _, item := range items {
		r.out.WriteString("<li>")
		r.blocks(item)
		r.out.WriteString("</li>\n")
	}
	fmt.Fprintf(&r.out, "</%s>\n", kind)
	r.tight = outer
	return n
}

// hasGap tells whether blank lines divide the paragraphs of an item.
func hasGap(item []string) bool {
	n := while(item, func(line string) bool { return !blank(line) })
	return n < len(item) && while(item[n:], blank) < len(item)-n
}

// items cuts a list into its items, without their markers, and returns how many lines there are.
func items(lines []string, kind string) (all [][]string, n int) {
	for n < len(lines) {
		m := markerLine.FindStringSubmatch(lines[n])
		if m == nil || strings.HasSuffix(m[1], ".") != (kind == "ol") {
			break
		}
		margin := strings.Repeat(" ", len(m[0]))
		item := []string{lines[n][len(m[0]):]}
		for n++; n < len(lines) && belongs(lines, n, margin); n++ {
			item = append(item, strings.TrimPrefix(lines[n], margin))
		}
		all = append(all, item)
	}
	return all, n
}

// belongs tells whether line n is part of the item above it, whose text has this margin.
func belongs(lines []string, n int, margin string) bool {
	switch {
	case strings.HasPrefix(lines[n], margin) && !blank(lines[n]):
		return true
	case blank(lines[n]):
		gap := while(lines[n:], blank)
		return n+gap < len(lines) && strings.HasPrefix(lines[n+gap], margin)
	}
	return !blank(lines[n-1]) && !interrupts(lines[n:]) && !markerLine.MatchString(lines[n])
}

func (r *renderer) table(lines []string) int {
	n := while(lines, func(line string) bool { return strings.HasPrefix(line, "|") })
	rules := cells(lines[1])
	r.out.WriteString("<div class=\"table\"><table>\n<thead>\n")
	r.row("th", lines[0], rules)
	r.out.WriteString("</thead>\n<tbody>\n")
	for _, line := range lines[2:n] {
		r.row("td", line, rules)
	}
	r.out.WriteString("</tbody>\n</table></div>\n")
	return n
}

func (r *renderer) row(kind, line string, rules []string) {
	r.out.WriteString("<tr>")
	for i, cell := range cells(line) {
		align := ""
		if i < len(rules) && strings.HasSuffix(rules[i], ":") {
			align = ` class="right"`
		}
		fmt.Fprintf(&r.out, "<%s%s>%s</%s>", kind, align, r.inline(cell), kind)
	}
	r.out.WriteString("</tr>\n")
}

// cells cuts a row at its bars; an escaped bar is part of its cell.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, bar)
	all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, cell := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(cell), bar, "|")
	}
	return all
}
