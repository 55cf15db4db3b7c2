package usage

import (
	"fmt"
	"strings"
)

// Page is a page of the manual.
type Page struct {
	Name    string // "weft-run"
	Section int    // 1 for commands, 7 for topics
	Text    string // in the language of troff, with the macros of man
}

// File is where a page belongs below a directory of manuals.
func (p Page) File() string { return fmt.Sprintf("man%d/%s.%d", p.Section, p.Name, p.Section) }

// Pages are all pages of the manual: of the tool, of its commands and of its topics.
func (t *Tool) Pages() (pages []Page) {
	for i := range t.Commands {
		pages = append(pages, t.commandPages(&t.Commands[i])...)
	}
	for _, topic := range t.Topics {
		r := t.page(t.Name+"-"+topic.Name, 7, topic.Short)
		r.body("DESCRIPTION", topic.Text)
		pages = append(pages, r.end(t))
	}
	r := t.page(t.Name, 1, t.Short)
	r.synopsis(t.Name, []string{"COMMAND [options]"})
	r.body("DESCRIPTION", t.About)
	r.line(".SH COMMANDS")
	for _, c := range t.Commands {
		r.item(Option{Names: []string{t.Name + " " + c.Name}, Help: c.Short + "."})
	}
	r.line(".SH TOPICS")
	for _, topic := range t.Topics {
		r.item(Option{Names: []string{t.Name + " help " + topic.Name}, Help: topic.Short + "."})
	}
	return append(pages, r.end(t))
}

// commandPages are the page of a command and those of its parts that have one.
func (t *Tool) commandPages(c *Command) (pages []Page) {
	r := t.page(t.Name+"-"+strings.ReplaceAll(c.Name, " ", "-"), 1, c.Short)
	r.synopsis(t.Name+" "+c.Name, c.Forms)
	r.body("DESCRIPTION", c.About)
	r.parts(t.Name, c)
	r.groups(c.Groups)
	r.body("NOTES", c.After)
	pages = append(pages, r.end(t))
	for i := range c.Parts {
		if c.Parts[i].About != "" {
			pages = append(pages, t.commandPages(&c.Parts[i])...)
		}
	}
	return pages
}

// roff is a page that is being written.
type roff struct {
	page Page
	b    strings.Builder
}

// page begins a page.
func (t *Tool) page(name string, section int, short string) *roff {
	r := &roff{page: Page{Name: name, Section: section}}
	r.line(`.TH "%s" %d "" "%s" "%s"`, escape(strings.ToUpper(name)), section, escape(t.Name+" "+t.Version), escape(t.Name))
	r.line(".nh") // words stay whole, so that they can be searched for
	r.line(".ad l")
	r.line(".SH NAME")
	r.line(`%s \- %s`, escape(name), escape(short))
	return r
}

// end ends a page with where to read on.
func (r *roff) end(t *Tool) Page {
	r.line(".SH SEE ALSO")
	if r.page.Name == t.Name {
		r.words("Every command has a page of its own, such as " + t.Name + "-" + t.Commands[0].Name + "(1).")
	} else {
		r.words(t.Name + "(1)")
	}
	r.page.Text = r.b.String()
	return r.page
}

// line writes a line of the page.
func (r *roff) line(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }

// words writes words that flow, none of which is taken for a request.
func (r *roff) words(text string) {
	for _, line := range Wrap(text, Width) {
		r.line("%s", guard(strings.ReplaceAll(escape(line), "|", `|\:`)))
	}
}

// escape writes what troff would not take for itself.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

// guard keeps a line that begins with a dot from being a request.
func guard(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}

func (r *roff) synopsis(name string, forms []string) {
	r.line(".SH SYNOPSIS")
	for i, form := range forms {
		if i > 0 {
			r.line(".br")
		}
		r.line(`\fB%s\fR %s`, escape(name), escape(form))
	}
}

// body writes a section of text, if there is any.
func (r *roff) body(title, text string) {
	for i, p := range paragraphs(text) {
		if i == 0 {
			r.line(".SH %s", title)
		}
		if p.lines == nil {
			r.line(".PP")
			r.words(p.words)
			continue
		}
		r.line(".PP")
		r.line(".nf")
		for _, line := range p.lines {
			r.line("%s", guard(escape(line)))
		}
		r.line(".fi")
	}
}

// parts writes a section about the parts of a command.
func (r *roff) parts(tool string, whole *Command) {
	for i, c := range whole.Parts {
		if i == 0 {
			r.line(".SH COMMANDS")
		}
		for _, form := range c.Forms {
			r.line(".SS %s", strings.TrimSpace(escape(tool+" "+c.Name+" "+form)))
		}
		r.words(c.Short + ".")
		if c.About != "" {
			r.words("It has a page of its own.")
			continue
		}
		for _, row := range c.own(whole) {
			r.item(row)
		}
	}
}

func (r *roff) groups(groups []Group) {
	for i, g := range groups {
		if i == 0 {
			r.line(".SH OPTIONS")
		}
		if g.Title != "" {
			r.line(".SS %s", escape(g.Title))
		}
		for _, row := range g.Rows {
			r.item(row)
		}
	}
}

// item writes an option, unless it is not for people.
func (r *roff) item(row Option) {
	if row.Help == "" {
		return
	}
	var names []string
	for _, n := range row.Names {
		names = append(names, `\fB`+escape(n)+`\fR`)
	}
	r.line(".TP")
	tag := strings.Join(names, ", ")
	if row.Value != "" {
		tag += ` \fI` + strings.ReplaceAll(escape(row.Value), "|", `|\:`) + `\fR` // a line may end after a bar
	}
	r.line("%s", tag)
	r.words(row.Help)
}
