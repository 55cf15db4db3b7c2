package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// source is where files are shown that are not part of the site.
const source = "https://github.com/weft-mpi/weft/blob/main/"

// parts are the directories of docs in the order of the navigation.
var parts = []string{"using", "operating", "researching", "building", "reference", "results"}

var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	styleSheet []byte

	layout = template.Must(template.New("page").Parse(pageHTML))
)

// page is a page of the project. Paths are relative to the root, of the checkout and of the site alike, with slashes.
type page struct {
	path, out string // of the Markdown, of the HTML
	text      string // Markdown
	title     string
	headings  []heading
	content   string // HTML
}

// site is all pages, and the files that they show.
type site struct {
	root   string
	pages  []*page
	assets []string // files beside the pages, by path
}

// read finds the pages of a checkout and renders them.
func read(root string) (*site, error) {
	s := &site{root: root}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if err := s.add(file); err != nil {
				return nil, err
			}
		}
	}
	if s.page("README.md") == nil {
		return nil, fmt.Errorf("%s has no README.md: name a checkout with -root", root)
	}
	for _, p := range s.pages {
		if err := s.render(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *site) add(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(s.root, file)
	if err != nil {
		return err
	}
	p := &page{path: filepath.ToSlash(name), text: string(text)}
	p.out = strings.TrimSuffix(p.path, ".md") + ".html"
	if path.Base(p.path) == "README.md" {
		p.out = path.Join(path.Dir(p.path), "index.html")
	}
	s.pages = append(s.pages, p)
	return nil
}

// page returns the page at a path, or nil.
func (s *site) page(at string) *page {
	i := slices.IndexFunc(s.pages, func(p *page) bool { return p.path == at })
	if i < 0 {
		return nil
	}
	return s.pages[i]
}

// render makes the HTML of a page.
func (s *site) render(p *page) error {
	var broken error
	r := renderer{link: func(target string) string {
		href, err := s.resolve(p, target)
		if err != nil && broken == nil {
			broken = err
		}
		return href
	}}
	p.content = r.render(p.text)
	p.headings = r.headings
	p.title = path.Base(p.path)
	if len(p.headings) > 0 {
		p.title = p.headings[0].Text
	}
	return broken
}

// resolve returns where a link of a page leads on the site: to a page, to a file that is copied, or to the source.
func (s *site) resolve(p *page, target string) (string, error) {
	file, anchor, _ := strings.Cut(target, "#")
	if file == "" || strings.Contains(target, ":") {
		return target, nil
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	at := path.Join(path.Dir(p.path), file)
	if to := s.page(at); to != nil {
		return relative(p.out, to.out) + anchor, nil
	}
	info, err := os.Stat(filepath.Join(s.root, at))
	if err != nil {
		return "", fmt.Errorf("%s links to %s: %w", p.path, target, err)
	}
	if info.IsDir() || !strings.HasPrefix(at, "docs/") {
		return source + at + anchor, nil
	}
	if !slices.Contains(s.assets, at) {
		s.assets = append(s.assets, at)
	}
	return relative(p.out, at) + anchor, nil
}

// relative returns the way from one file of the site to another.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// write makes the files of the site below dir. Those of an earlier site are overwritten; nothing is removed.
func (s *site) write(dir string) error {
	for _, p := range s.pages {
		var b bytes.Buffer
		if err := layout.Execute(&b, s.view(p)); err != nil {
			return err
		}
		if err := writeFile(dir, p.out, b.Bytes()); err != nil {
			return err
		}
	}
	for _, name := range s.assets {
		content, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		if err := writeFile(dir, name, content); err != nil {
			return err
		}
	}
	return writeFile(dir, "style.css", styleSheet)
}

func writeFile(dir, name string, content []byte) error {
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

// view is what the layout shows of a page.
type view struct {
	Title, Root, Path, Source string
	Content                   template.HTML
	Parts                     []navPart
}

type navPart struct {
	Name  string
	Pages []navPage
}

type navPage struct {
	Label, Href string
	Here        bool
	Headings    []heading // of the page that is shown
}

func (s *site) view(p *page) view {
	v := view{Title: p.title, Root: relative(p.out, ""), Path: p.path, Source: source + p.path, Content: template.HTML(p.content)}
	for _, name := range parts {
		part := navPart{Name: name}
		for _, q := range s.part(name) {
			entry := navPage{Label: label(q), Href: relative(p.out, q.out), Here: p == q}
			if p == q {
				entry.Headings = sections(q.headings)
			}
			part.Pages = append(part.Pages, entry)
		}
		if len(part.Pages) > 0 {
			v.Parts = append(v.Parts, part)
		}
	}
	return v
}

// label is the name of a page in the navigation.
func label(p *page) string {
	name := strings.TrimSuffix(path.Base(p.path), ".md")
	if name == "README" {
		return "overview"
	}
	return strings.ToLower(strings.ReplaceAll(name, "-", " "))
}

// sections are the headings that the navigation shows.
func sections(all []heading) (those []heading) {
	for _, h := range all[min(1, len(all)):] {
		if h.Level <= 2 {
			those = append(those, h)
		}
	}
	return those
}

var toPage = regexp.MustCompile(`\]\(([^)#\s]+\.md)`)

// part returns the pages of one directory of docs, in the order in which its index names them, then by
// name. Pages beside README.md are for builders.
func (s *site) part(name string) []*page {
	var order []string
	if index := s.page("docs/README.md"); index != nil {
		for _, m := range toPage.FindAllStringSubmatch(index.text, -1) {
			order = append(order, path.Join("docs", m[1]))
		}
	}
	place := func(p *page) int {
		if path.Base(p.path) == "README.md" {
			return -1
		}
		if i := slices.Index(order, p.path); i >= 0 {
			return i
		}
		return len(order)
	}
	var those []*page
	for _, p := range s.pages {
		if name == "results" && path.Base(p.path) != "README.md" {
			continue // its overview leads to the others
		}
		beside := path.Dir(p.path) == "." && p.path != "README.md" && name == "building" // such as CONTRIBUTING.md
		if beside || path.Dir(p.path) == "docs/"+name {
			those = append(those, p)
		}
	}
	slices.SortStableFunc(those, func(a, b *page) int { return place(a) - place(b) })
	return those
}
