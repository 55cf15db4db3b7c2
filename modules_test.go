package weft_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestModulesOfAUser: a program that uses the library requires, downloads and compiles nothing of other modules but golang.org/x/sys.
// What draws plots and what tests are made of are in this module's go.mod, but go leaves them out of a user's.
func TestModulesOfAUser(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module user\n\ngo 1.26.0\n\nrequire github.com/weft-mpi/weft v0.0.0\n\nreplace github.com/weft-mpi/weft => " + root + "\n",
		"main.go": "package main\n\nimport \"github.com/weft-mpi/weft/mpi\"\n\nfunc main() { mpi.Main(func(*mpi.Comm) error { return nil }) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// Modules come from the cache, which the build of this module has filled, so that no network is needed.
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, text)
		}
		return string(text)
	}
	compiled := run("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	for what, text := range map[string]string{"compiles": compiled, "requires": requirements(read(t, filepath.Join(dir, "go.mod"))), "downloads": contents(read(t, filepath.Join(dir, "go.sum")))} {
		for _, m := range regexp.MustCompile(`(?m)\b[a-z0-9-]+(?:\.[a-z0-9-]+)+/[^\s@]+`).FindAllString(text, -1) {
			if !slices.Contains([]string{"github.com/weft-mpi/weft", "golang.org/x/sys"}, m) {
				t.Errorf("a user %s %s", what, m)
			}
		}
	}
}

// contents are the lines of a go.sum that are about modules, not about their go.mod alone.
func contents(sums string) string {
	return regexp.MustCompile(`(?m)^\S+ \S+/go\.mod .*$`).ReplaceAllString(sums, "")
}

// requirements are the lines of a go.mod but for those that say where modules are.
func requirements(mod string) string {
	return regexp.MustCompile(`(?m)^replace .*$`).ReplaceAllString(mod, "")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
