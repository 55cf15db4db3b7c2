package vet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/vet"
)

const explained = "../../docs/using/vet.md"

// snippet is a piece of code of the page.
type snippet struct {
	check, kind, text string // kind: wrong or right
}

// snippets lists the code of the page, each with the check that its section explains.
func snippets(t *testing.T) (all []snippet) {
	text, err := os.ReadFile(explained)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?ms)^```go\n// (wrong|right)\n(.*?)^```$")
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		check, _, _ := strings.Cut(section, "\n")
		for _, m := range code.FindAllStringSubmatch(section, -1) {
			all = append(all, snippet{check, m[1], m[2]})
		}
	}
	return all
}

// inFunction is a file with a snippet in a function, whose variables the page takes for granted.
const inFunction = `package snippet

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

func Snippet(world *mpi.Comm, row, halo []float64, peer int) error {
	fmt.Print()
	%s
	return nil
}
`

// TestPage: what the page calls wrong is found by the check of its section alone, and what it calls right is not.
func TestPage(t *testing.T) {
	t.Parallel()
	all := snippets(t)
	job := vet.Job{Overlay: map[string][]byte{}}
	for i, s := range all {
		dir := fmt.Sprintf("testdata/page%d", i)
		path, err := filepath.Abs(filepath.Join(dir, "snippet.go"))
		if err != nil {
			t.Fatal(err)
		}
		job.Overlay[path] = fmt.Appendf(nil, inFunction, s.text)
		job.Patterns = append(job.Patterns, "./"+dir)
	}
	found, err := vet.Check(job)
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]bool{}
	for i, s := range all {
		var checks []string
		for _, f := range found {
			if filepath.Base(filepath.Dir(f.File)) == fmt.Sprintf("page%d", i) {
				checks = append(checks, f.Check)
			}
		}
		var want []string
		if s.kind == "wrong" {
			want, wrong[s.check] = []string{s.check}, true
		}
		if !slices.Equal(checks, want) {
			t.Errorf("in section %s, the %s snippet\n%sgives findings of %q, want %q", s.check, s.kind, s.text, checks, want)
		}
	}
	for _, a := range vet.Analyzers() {
		if !wrong[a.Name] {
			t.Errorf("the page shows nothing that the check %q finds", a.Name)
		}
	}
}
