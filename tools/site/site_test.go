package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	codeBlock = regexp.MustCompile(`(?s)<pre>.*?</pre>|<code>.*?</code>`)
	leftover  = regexp.MustCompile("\\|-+\\||```|\\]\\(|\\*\\*|^#|<!--")
	reference = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)
	name      = regexp.MustCompile(`\bid="([^"]*)"`)
)

// TestSite writes the site of this checkout. No page has Markdown left in it, and every link leads to something.
func TestSite(t *testing.T) {
	s, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	if len(s.pages) < 10 {
		t.Errorf("only %d pages", len(s.pages))
	}
	for _, p := range s.pages {
		text := file(t, filepath.Join(dir, p.out))
		for _, line := range strings.Split(plain(codeBlock.ReplaceAllString(text, "")), "\n") {
			if found := leftover.FindString(line); found != "" {
				t.Errorf("%s: %q is left in %q", p.out, found, line)
			}
		}
		for _, m := range reference.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			checkReference(t, dir, p.out, m[1])
		}
	}
}

func checkReference(t *testing.T, dir, from, to string) {
	t.Helper()
	if strings.Contains(to, "://") {
		return
	}
	target, anchor, _ := strings.Cut(to, "#")
	at := filepath.Join(dir, from)
	if target != "" {
		at = filepath.Join(filepath.Dir(at), target)
	}
	if _, err := os.Stat(at); err != nil {
		t.Errorf("%s: link to %s: %v", from, to, err)
		return
	}
	if anchor == "" {
		return
	}
	for _, m := range name.FindAllStringSubmatch(file(t, at), -1) {
		if m[1] == anchor {
			return
		}
	}
	t.Errorf("%s: link to %s: no such heading", from, to)
}

func file(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A link to what is not there is an error that names the page.
func TestBrokenLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("[a](b.md)"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := read(dir); err == nil || !strings.Contains(err.Error(), "README.md links to b.md") {
		t.Error(err)
	}
}
