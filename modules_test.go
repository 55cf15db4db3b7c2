package weft_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// user is a module that uses this one.
type user struct {
	t   *testing.T
	dir string
}

// newUser makes the module, with a program that imports these packages.
func newUser(t *testing.T, imports string) *user {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module user\n\ngo 1.26.0\n\nrequire github.com/weft-mpi/weft v0.0.0\n\nreplace github.com/weft-mpi/weft => " + root + "\n",
		"main.go": "package main\n\nimport \"github.com/weft-mpi/weft/mpi\"\n" + imports + "\nfunc main() { mpi.Main(func(*mpi.Comm) error { return nil }) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &user{t, dir}
}

// run calls go there.
func (u *user) run(args ...string) string {
	u.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = u.dir
	// Modules come from the cache, which the build of this module has filled, so that no network is needed.
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "CGO_ENABLED=0")
	text, err := cmd.CombinedOutput()
	if err != nil {
		u.t.Fatalf("go %v: %v\n%s", args, err, text)
	}
	return string(text)
}

// static builds the program and tells whether it needs no library of the system's.
func (u *user) static(args ...string) bool {
	u.t.Helper()
	program := filepath.Join(u.dir, "program")
	u.run(append(append([]string{"build", "-o", program}, args...), ".")...)
	f, err := elf.Open(program)
	if err != nil {
		u.t.Fatal(err)
	}
	defer f.Close()
	return !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}

const rdmaImport = "import _ \"github.com/weft-mpi/weft/mpi/rdma\"\n"

// TestRDMAIsAskedFor: without the tag a program that imports mpi/rdma is static and compiles nothing of it, and with
// the tag one that does not import it.
func TestRDMAIsAskedFor(t *testing.T) {
	asks := newUser(t, rdmaImport)
	if !asks.static() {
		t.Error("a program without the tag is not static")
	}
	if regexp.MustCompile(`purego`).MatchString(asks.run("list", "-deps", ".")) {
		t.Error("a program without the tag compiles purego")
	}
	if asks.static("-tags", "rdma") {
		t.Error("a program with the tag is static: how can it call libibverbs?")
	}
	if plain := newUser(t, ""); !plain.static("-tags", "rdma") {
		t.Error("a program that does not import mpi/rdma is not static with the tag")
	}
}

// TestModulesOfAUser: a program that uses the library requires, downloads and compiles nothing of other
// modules but golang.org/x/sys. What draws plots and what tests are made of are in this module's go.mod,
// but go leaves them out of a user's.
func TestModulesOfAUser(t *testing.T) {
	u := newUser(t, "")
	compiled := u.run("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	for what, text := range map[string]string{"compiles": compiled, "requires": requirements(read(t, filepath.Join(u.dir, "go.mod"))), "downloads": contents(read(t, filepath.Join(u.dir, "go.sum")))} {
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
