// Package docs_test holds the documentation to what the code does: generated tables are up to date, quoted messages and
// excerpts are real, links lead somewhere, commands have the options that the pages give them.
//
// Generated parts are written anew by
//
//	go test ./docs -run Generated -rewrite
package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the generated parts of the pages anew")

// root is the directory of the module, seen from this one.
const root = ".."

// pages returns the paths of all pages of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md", "examples/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 5 {
		t.Fatalf("found only %v", all)
	}
	return all
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is a fenced part of a page.
type block struct {
	language, text string
	line           int
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// blocks returns the fenced parts, and the page without them.
func blocks(page string) (all []block, rest string) {
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		all = append(all, block{page[m[2]:m[3]], page[m[4]:m[5]], 1 + strings.Count(page[:m[4]], "\n")})
	}
	return all, fence.ReplaceAllString(page, "")
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("`[^`]*`")
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	marks   = regexp.MustCompile("[^a-z0-9 _-]")
)

// anchors returns the names by which the headings of a page can be linked to.
func anchors(page string) map[string]bool {
	_, rest := blocks(page)
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(rest, -1) {
		all[strings.ReplaceAll(marks.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

func TestLinksResolve(t *testing.T) {
	links := 0
	for _, path := range pages(t) {
		text := read(t, path)
		_, rest := blocks(text)
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(rest, "code"), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: link to %s: %v", path, m[1], err)
			} else if anchor != "" && !anchors(read(t, target))[anchor] {
				t.Errorf("%s: link to %s: no such heading", path, m[1])
			}
		}
	}
	if links == 0 {
		t.Error("no page has a link")
	}
}

// TestPlainWords keeps out what a reader has no use for.
func TestPlainWords(t *testing.T) {
	bad := regexp.MustCompile(`(?i)\b(blazing|lightning|seamless|cutting[- ]edge|state[- ]of[- ]the[- ]art|revolutionary|TODO|FIXME)\b|/wor[k]/|/roo[t]/|/home/[a-z]`)
	for _, path := range pages(t) {
		for number, line := range strings.Split(read(t, path), "\n") {
			if found := bad.FindString(line); found != "" {
				t.Errorf("%s:%d: %q", path, number+1, found)
			}
		}
	}
}
