package weft_test

import (
	"go/build/constraint"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trick says what is wrong with a line of a package: nobody takes functions out of Go's runtime,
// and nothing of the library is hidden from the race detector. Tools may look at memory that others
// write to: that is what they measure.
func trick(level int, line string) string {
	switch {
	case line == keptForPurego:
		return ""
	case strings.HasPrefix(line, "//go:linkname "):
		return "what the runtime does not export is not ours"
	case level > face:
		return ""
	case strings.HasPrefix(line, "//go:norace"):
		return "the race detector must see it"
	case constraint.IsGoBuild(line):
		return hidden(line)
	}
	return ""
}

// keptForPurego takes a function out of the runtime that the runtime keeps for others: its comment there
// names purego. Without purego in the program it does not work, and imports_test.go says who may have that.
const keptForPurego = "//go:linkname cgocall runtime.cgocall"

// hidden complains of a build constraint that tells the race detector's builds from others.
func hidden(line string) string {
	expr, err := constraint.Parse(line)
	if err != nil {
		return err.Error()
	}
	asked := false
	note := func(tag string) bool {
		asked = asked || tag == "race"
		return false
	}
	if _ = expr.Eval(note); asked {
		return "the race detector must see the code that runs without it"
	}
	return ""
}

// TestNoTricks holds every line against trick. Tests may be shorter under the race detector.
func TestNoTricks(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." && (name[0] == '.' || name[0] == '_' || name == "testdata") {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); d.IsDir() || ext != ".go" && ext != ".s" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r, _ := rowOf(filepath.ToSlash(filepath.Dir(path)))
		for i, line := range strings.Split(string(text), "\n") {
			if c := trick(r.level, line); c != "" {
				t.Errorf("%s:%d: %s: %s", path, i+1, line, c)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTricks: the rules do find what they are for.
func TestTricks(t *testing.T) {
	for _, c := range []struct {
		level int
		line  string
		wrong bool
	}{
		{0, "//go:linkname procyield runtime.procyield", true}, {tool, "//go:linkname procyield runtime.procyield", true},
		{1, "//go:linkname cgocall runtime.cgocall", false}, {1, "//go:linkname cgocallback runtime.cgocallback", true},
		{4, "//go:norace", true}, {tool, "//go:norace", false},
		{4, "//go:build !race", true}, {4, "//go:build linux && (race || amd64)", true}, {4, "//go:build !linux", false},
		{4, "// the //go:norace of others", false},
	} {
		if got := trick(c.level, c.line); (got != "") != c.wrong {
			t.Errorf("%q of level %d: %q", c.line, c.level, got)
		}
	}
}
