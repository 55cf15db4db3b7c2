package main

import (
	"strings"
	"testing"
)

// Every construct that the pages use, by itself.
func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>\n"},
		{"# A `b` & c", "<h1 id=\"a-b--c\">A <code>b</code> &amp; c</h1>\n"},
		{"## x\n## x", "<h2 id=\"x\">x</h2>\n<h2 id=\"x-1\">x</h2>\n"},
		{"```go\na <b>\n\n- c\n```\nd", "<pre><code>a &lt;b&gt;\n\n- c\n</code></pre>\n<p>d</p>\n"},
		{"    make\n\n    make test\n\ntext", "<pre><code>make\n\nmake test\n</code></pre>\n<p>text</p>\n"},
		{"- a\n  b\n- c", "<ul>\n<li>a\nb\n</li>\n<li>c\n</li>\n</ul>\n"},
		{"- a\n  - b\n", "<ul>\n<li>a\n<ul>\n<li>b\n</li>\n</ul>\n</li>\n</ul>\n"},
		{"1. a\n\n   b\n2. c", "<ol>\n<li><p>a</p>\n<p>b</p>\n</li>\n<li><p>c</p>\n</li>\n</ol>\n"},
		{"- a\n\ntext", "<ul>\n<li>a\n</li>\n</ul>\n<p>text</p>\n"},
		{"a list:\n- a", "<p>a list:</p>\n<ul>\n<li>a\n</li>\n</ul>\n"},
		{"in\n2008. There", "<p>in\n2008. There</p>\n"},
		{"> a\n> b", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n"},
		{"a\n<!-- x\ny -->\nb <!-- z -->c", "<p>a</p>\n<p>b c</p>\n"},
		{"---", "<hr>\n"},
		{"| a | b |\n|---|---:|\n| `x\\|y` | 1 |\ntext",
			"<div class=\"table\"><table>\n<thead>\n<tr><th>a</th><th class=\"right\">b</th></tr>\n</thead>\n<tbody>\n" +
				"<tr><td><code>x|y</code></td><td class=\"right\">1</td></tr>\n</tbody>\n</table></div>\n<p>text</p>\n"},
		{"<p align=\"center\">\n<img src=\"a.svg\">\n</p>\n\nb", "<p align=\"center\">\n<img src=\"to:a.svg\">\n</p>\n<p>b</p>\n"},
	} {
		if got := rendered(c.text); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}

func TestInline(t *testing.T) {
	for text, want := range map[string]string{
		"a `<b> *c*` d":                "a <code>&lt;b&gt; *c*</code> d",
		"`` a`b ``":                    "<code>a`b</code>",
		"`weft -n 4 --by a-b`":         "<code>weft <span>-n</span> 4 <span>--by</span> a-b</code>",
		"an open ` tick":               "an open ` tick",
		"[a `b]`](c.md#d)":             `<a href="to:c.md#d">a <code>b]</code></a>`,
		"[a] and [b](c)":               `[a] and <a href="to:c">b</a>`,
		"![a \"b\"](c.svg \"title\")":  `<img src="to:c.svg" alt="a &#34;b&#34;">`,
		"**a *b* `**`** c":             "<strong>a <em>b</em> <code>**</code></strong> c",
		"**`a`** b":                    "<strong><code>a</code></strong> b",
		"2 * 3 * 4, a**b":              "2 * 3 * 4, a**b",
		`\*a\* \| b\c`:                 `*a* | b\c`,
		"a < b, &lt; & c":              "a &lt; b, &lt; &amp; c",
		"<https://go.dev/x?a=1&b=2>":   `<a href="https://go.dev/x?a=1&amp;b=2">https://go.dev/x?a=1&amp;b=2</a>`,
		"10<sup>6</sup><br><script>":   "10<sup>6</sup><br>&lt;script&gt;",
		`<a href="b.md">µs</a>`:        `<a href="to:b.md">µs</a>`,
		"weft_lab_x and _y_ stay so":   "weft_lab_x and _y_ stay so",
		"[a\nb](c.md)":                 "<a href=\"to:c.md\">a\nb</a>",
		"[![a](b.svg)](c.md)":          `<a href="to:c.md"><img src="to:b.svg" alt="a"></a>`,
		"a (see [b](c.md), [d](e.md))": `a (see <a href="to:c.md">b</a>, <a href="to:e.md">d</a>)`,
	} {
		if got := strings.TrimSuffix(strings.TrimPrefix(rendered(text), "<p>"), "</p>\n"); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
	}
}

func rendered(text string) string {
	r := renderer{link: func(target string) string { return "to:" + target }}
	return r.render(text)
}

// Whatever a page says, rendering it ends.
func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{"- a\n  - b\n\n      c", "| a |\n|---|\n", "* |\n-| ", "[a](b", "**`a", "1. \n\n2. ", "<a\n<!--", "```"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { rendered(text) })
}
