package main

import (
	"html"
	"regexp"
	"strings"
)

// inline renders running text: code, links, pictures, emphasis.
func (r *renderer) inline(text string) string {
	var b strings.Builder
	for text != "" {
		out, n := r.span(text)
		if n == 0 {
			out, n = html.EscapeString(text[:1]), 1
			if text[0] >= 0x80 {
				out = text[:1] // a part of a letter
			}
		}
		b.WriteString(out)
		text = text[n:]
	}
	return b.String()
}

// span renders what text begins with, if that is more than a letter, and returns how many bytes it takes.
func (r *renderer) span(text string) (out string, n int) {
	switch text[0] {
	case '\\':
		if len(text) > 1 && strings.ContainsRune("\\`*_{}[]()#+-.!|<>~", rune(text[1])) {
			return html.EscapeString(text[1:2]), 2
		}
	case '`':
		return codeSpan(text)
	case '!':
		if strings.HasPrefix(text, "![") {
			return r.image(text)
		}
	case '[':
		return r.anchor(text)
	case '*':
		return r.emphasis(text)
	case '<':
		return r.tag(text)
	case '&':
		if m := entity.FindString(text); m != "" {
			return m, len(m)
		}
	}
	return "", 0
}

var entity = regexp.MustCompile(`^&#?\w+;`)

// option matches an option in a command, which browsers would break after its dashes; the style sheet keeps
// a span whole.
var option = regexp.MustCompile(`(^| )(-[^ ]+)`)

// codeSpan renders code between runs of as many backquotes.
func codeSpan(text string) (string, int) {
	ticks := len(text) - len(strings.TrimLeft(text, "`"))
	mark := text[:ticks]
	for at := ticks; ; {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return mark, ticks
		}
		at += i
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if run == ticks {
			inner := strings.ReplaceAll(text[ticks:at], "\n", " ")
			if strings.Contains(inner, "`") {
				inner = strings.TrimSpace(inner)
			}
			return "<code>" + option.ReplaceAllString(html.EscapeString(inner), "$1<span>$2</span>") + "</code>", at + ticks
		}
		at += run
	}
}

// bracketed returns the text between the bracket that text begins with and its partner, and what is between the
// parentheses that follow; n is 0 if this is no link.
func bracketed(text string) (inner, target string, n int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			_, n := codeSpan(text[i:])
			i += n - 1
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth > 0 {
			continue
		}
		rest := text[min(i+1, len(text)):]
		end := strings.IndexByte(rest, ')')
		if !strings.HasPrefix(rest, "(") || end < 0 {
			return "", "", 0
		}
		target, _, _ = strings.Cut(rest[1:end], " ")
		return text[1:i], target, i + 1 + end + 1
	}
	return "", "", 0
}

func (r *renderer) anchor(text string) (string, int) {
	inner, target, n := bracketed(text)
	if n == 0 {
		return "", 0
	}
	return `<a href="` + html.EscapeString(r.link(target)) + `">` + r.inline(inner) + "</a>", n
}

func (r *renderer) image(text string) (string, int) {
	inner, target, n := bracketed(text[1:])
	if n == 0 {
		return "", 0
	}
	alt := html.EscapeString(strings.ReplaceAll(inner, "\n", " "))
	return `<img src="` + html.EscapeString(r.link(target)) + `" alt="` + alt + `">`, n + 1
}

// emphasis renders strong and emphasized text.
func (r *renderer) emphasis(text string) (string, int) {
	mark, name := "*", "em"
	if strings.HasPrefix(text, "**") {
		mark, name = "**", "strong"
	}
	rest := text[len(mark):]
	if rest == "" || rest[0] == ' ' || rest[0] == '\n' {
		return mark, len(mark)
	}
	for i := 0; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == '`':
			_, n := codeSpan(rest[i:])
			i += n - 1
		case i > 0 && strings.HasPrefix(rest[i:], mark) && rest[i-1] != ' ':
			return "<" + name + ">" + r.inline(rest[:i]) + "</" + name + ">", len(mark) + i + len(mark)
		}
	}
	return mark, len(mark)
}

var (
	address   = regexp.MustCompile(`^<(https?://[^>\s]+)>`)
	remark    = regexp.MustCompile(`(?s)^<!--.*?-->`)
	plainTag  = regexp.MustCompile(`^</?(br|sub|sup|kbd|b|i|em|strong|details|summary)>`)
	activeTag = regexp.MustCompile(`^</?(a|img|picture|source)\b[^>]*>`)
)

// tag renders an address, passes a tag on and leaves out a comment; any other < is one.
func (r *renderer) tag(text string) (string, int) {
	if m := address.FindStringSubmatch(text); m != nil {
		at := html.EscapeString(m[1])
		return `<a href="` + at + `">` + at + "</a>", len(m[0])
	}
	if m := remark.FindString(text); m != "" {
		return "", len(m)
	}
	if m := plainTag.FindString(text); m != "" {
		return m, len(m)
	}
	if m := activeTag.FindString(text); m != "" {
		return r.targets(m), len(m)
	}
	return "&lt;", 1
}
