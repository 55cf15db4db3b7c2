package docs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// How much there is to read, in words.
const (
	mostWords = 40000 // on all pages that are read
	mostUsing = 2500  // on one page of docs/using
)

// apart are pages that are looked things up in: made from the code, results of measurements, how pictures
// are made, what changed when.
var apart = []string{"../docs/reference/", "../docs/results/", "../docs/pictures/", "../CHANGELOG.md"}

// TestWords keeps the pages short. Tables and code in running text count; blocks of code and generated parts do not.
func TestWords(t *testing.T) {
	total := 0
	for _, path := range pages(t) {
		if slices.ContainsFunc(apart, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			continue
		}
		n := words(read(t, path))
		t.Logf("%6d %s", n, path)
		if total += n; n > mostUsing && strings.HasPrefix(path, "../docs/using/") {
			t.Errorf("%s has %d words; a page of docs/using has at most %d", path, n, mostUsing)
		}
	}
	t.Logf("%6d altogether", total)
	if total > mostWords {
		t.Errorf("the pages have %d words, more than %d", total, mostWords)
	}
}

// words counts what has a letter in it.
func words(page string) (n int) {
	for _, part := range []*regexp.Regexp{generatedPart, fence, remark} {
		page = part.ReplaceAllString(page, "")
	}
	for _, field := range strings.Fields(page) {
		if strings.IndexFunc(field, unicode.IsLetter) >= 0 {
			n++
		}
	}
	return n
}
