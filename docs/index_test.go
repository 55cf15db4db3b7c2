package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIndexIsComplete: every page is named in the list of all pages, or in the list of its own directory if it has one.
func TestIndexIsComplete(t *testing.T) {
	all, err := filepath.Glob("*/*.md")
	if err != nil || len(all) < 20 {
		t.Fatal(all, err)
	}
	for _, page := range all {
		list, name := "README.md", page
		own := filepath.Join(filepath.Dir(page), "README.md")
		if _, err := os.Stat(own); err == nil && page != own {
			list, name = own, filepath.Base(page)
		}
		if !strings.Contains(read(t, list), "]("+name) {
			t.Errorf("docs/%s does not name %s", list, name)
		}
	}
}
