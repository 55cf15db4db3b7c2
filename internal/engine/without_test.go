package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/engine/rules"
)

// Tests that take rules away run in a binary of their own: the engine's tests, built over a source in which
// every edit asks without(NAME). In the plain binary nothing asks.

// away is the rule that the engines lack which are being played; absent one that all of this process lack.
var away, absent = "", os.Getenv("ENGINE_WITHOUT")

// without is what edits ask.
func without(r string) bool { return r == away || r == absent }

var _ = without

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := overlayDir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

var overlayDir = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "engine-rules-") })

// buildOverlay makes the binary in which rules can be taken away.
var buildOverlay = sync.OnceValues(func() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	dir, err := overlayDir()
	if err != nil {
		return "", err
	}
	text := map[string]string{"overlaid_test.go": "package engine\n\nconst overlaid = true\n"}
	files, err := filepath.Glob("*.go")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if b, err := os.ReadFile(file); err != nil {
			return "", err
		} else if !strings.HasSuffix(file, "_test.go") {
			text[file] = string(b)
		}
	}
	all := rules.Edits
	for _, a := range absences {
		all = append(all, a.Edit)
	}
	for _, e := range all {
		if err := e.Apply(text, "without", e.Rule); err != nil {
			return "", err
		}
	}
	replace := map[string]string{}
	for file, text := range text {
		replace[filepath.Join(here, file)] = filepath.Join(dir, file)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	binary, list := filepath.Join(dir, "engine.test"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", binary, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

// runOverlaid runs tests in the binary in which rules can be taken away.
func runOverlaid(t *testing.T, absent string, tests string, flags ...string) (out string, failed bool) {
	t.Helper()
	binary, err := buildOverlay()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary, append(flags, "-test.failfast", "-test.run", fmt.Sprintf("^(%s)$", tests))...)
	c.Env = append(os.Environ(), "WEFT_SOAK=", "ENGINE_WITHOUT="+string(absent))
	b, err := c.CombinedOutput()
	return string(b), err != nil
}

// rulesGo tells whether a test that takes rules away can do so here; if not, it has been run where it can.
func rulesGo(t *testing.T) bool {
	t.Helper()
	if overlaid {
		return true
	}
	if testing.Short() {
		t.Skip("left out of short tests: builds the engine with rules taken away")
	}
	out, failed := runOverlaid(t, "", t.Name(), fmt.Sprintf("-rewrite=%v", *rewrite))
	if failed {
		t.Error(out)
	}
	return false
}

// Without any of these rules a test fails, which does not fail with all of them.
func TestEveryRuleIsTested(t *testing.T) {
	if testing.Short() || overlaid {
		t.Skip("left out of short tests: builds the engine with rules taken away")
	}
	all := map[string]bool{}
	for _, a := range absences {
		all[a.tests] = true
		t.Run(a.Rule, func(t *testing.T) {
			if out, failed := runOverlaid(t, a.Rule, a.tests, "-test.short"); !failed {
				t.Errorf("%s: none fails without it\n%s", a.tests, out)
			}
		})
	}
	for tests := range all {
		if out, failed := runOverlaid(t, "", tests, "-test.short"); failed {
			t.Errorf("%s fails with all rules\n%s", tests, out)
		}
	}
}
