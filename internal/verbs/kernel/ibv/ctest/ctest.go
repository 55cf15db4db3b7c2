// Package ctest has a C compiler hold what Go says of a C interface against its headers.
//
// It is for tests alone. `make test` and `make interop` install compiler and headers; on a machine that
// lacks them a test is skipped, and says what is missing, but never in `make interop`.
package ctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Compile compiles a C program that needs a header of the system's, and returns what the compiler says.
func Compile(t *testing.T, header, source string) (said string, err error) {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("WEFT_INTEROP") != "" {
		missing = t.Fatalf
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		missing("no C compiler: %v", err)
	}
	if _, err := os.Stat(filepath.Join("/usr/include", header)); err != nil {
		missing("no headers of libibverbs and the kernel (Debian: libibverbs-dev): %v", err)
	}
	path := filepath.Join(t.TempDir(), "layout.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(gcc, "-fsyntax-only", path).CombinedOutput()
	return string(out), err
}
