package vet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/vet"
)

// expectation is a comment of the form: want CHECK "regular expression".
var expectation = regexp.MustCompile(`// want ([a-z]+) (".*")$`)

// wanted lists the findings that the comments of a file ask for, by file and line.
func wanted(t *testing.T, path string) map[string]*regexp.Regexp {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*regexp.Regexp{}
	for i, line := range strings.Split(string(text), "\n") {
		if m := expectation.FindStringSubmatch(line); m != nil {
			what := strings.Trim(m[2], `"`)
			all[fmt.Sprintf("%s:%d: %s", path, i+1, m[1])] = regexp.MustCompile(what)
		}
	}
	return all
}

// TestFindings holds the findings in the packages of testdata against what their comments ask for, no more and no less.
func TestFindings(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	want := map[string]*regexp.Regexp{}
	var packages []string
	for _, f := range files {
		packages = append(packages, "./"+filepath.Dir(f))
		path, err := filepath.Abs(f)
		if err != nil {
			t.Fatal(err)
		}
		for where, what := range wanted(t, path) {
			want[where] = what
		}
	}
	found, err := vet.Check(vet.Job{Patterns: packages})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		where := f.File + ":" + strconv.Itoa(f.Line) + ": " + f.Check
		switch what := want[where]; {
		case what == nil:
			t.Errorf("not expected: %v", f)
		case !what.MatchString(f.Message):
			t.Errorf("%s: %q does not match %q", where, f.Message, what)
		}
		delete(want, where)
	}
	for where, what := range want {
		t.Errorf("%s: nothing was found, want %q", where, what)
	}
}
