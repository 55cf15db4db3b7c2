//go:build cgo && linux

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// prefix is where the library is installed for the tests.
var prefix string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "weft-libmpi-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		prefix = dir
		install := exec.Command("./install.sh", prefix)
		install.Env = append(os.Environ(), "CFLAGS=-O0") // hundreds of functions that pass calls on
		if out, err := install.CombinedOutput(); err != nil {
			os.Stderr.Write(out)
			return 1
		}
		return m.Run()
	}())
}

// run runs a command, with settings before its environment, and returns what it prints. It fails the test
// unless the command ends well.
func run(t *testing.T, settings []string, name string, args ...string) string {
	t.Helper()
	out, err := try(t, settings, name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

func try(t *testing.T, settings []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), settings...)
	cmd.Dir = t.TempDir()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func bin(name string) string { return filepath.Join(prefix, "bin", name) }

// compile compiles a program of testdata, once for all of its runs.
func compile(t *testing.T, source string, flags ...string) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join("testdata", source))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	compiler, strict := "mpicc", []string{"-Wall", "-Wextra", "-Werror"}
	switch filepath.Ext(source) {
	case ".f", ".f90":
		compiler, strict = "mpifort", []string{"-Wall", "-Wno-unused-dummy-argument", "-Werror"}
	}
	run(t, nil, bin(compiler), slices.Concat(strict, []string{"-g", source, "-o", program}, flags)...)
	return program
}

// TestSymbols: the library shows the functions of the table, each also as PMPI, and nothing else but the functions of
// signals.
func TestSymbols(t *testing.T) {
	t.Parallel()
	want := []string{"sigaction", "signal"}
	for _, f := range spec.Functions() {
		want = append(want, "MPI_"+f.Name, "PMPI_"+f.Name)
	}
	got := symbols(t, filepath.Join(prefix, "lib/libmpi_abi.so.1"))
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the library shows %d names, not %d", len(got), len(want))
	}
}

// TestFortranSymbols: Fortran has every function of the table that is for it, also as PMPI, but for a few that are documented.
func TestFortranSymbols(t *testing.T) {
	t.Parallel()
	missing := []string{"Comm_spawn", "Comm_spawn_multiple", "Info_create_env", "Register_datarep", "Session_detach_buffer"}
	there := run(t, nil, "nm", "-D", "--defined-only", "--format=posix", filepath.Join(prefix, "lib/libmpi_weft_f.so"))
	for _, f := range spec.Functions() {
		forC := f.Large || f.Family.Chapter == 15 || strings.HasSuffix(f.Name, "int") || strings.Contains(f.Name, "_fortran_")
		want := !slices.Contains(missing, f.Name) && (!forC || f.Name == "Pcontrol")
		for _, name := range []string{"mpi_", "pmpi_"} {
			name += strings.ToLower(f.Name) + "_ "
			if found := strings.Contains("\n"+there, "\n"+name); found != want {
				t.Errorf("%s: %v", name, found)
			}
		}
	}
}

// TestHeader: the header is clean in old and new C and in C++.
func TestHeader(t *testing.T) {
	t.Parallel()
	for _, c := range [][]string{
		{"mpicc", "-std=c89", "-x", "c"}, {"mpicc", "-std=c11", "-x", "c"}, {"mpicc", "-std=c11", "-DMPI_ABI_STRICT", "-x", "c"},
		{"mpicxx", "-std=c++11", "-x", "c++"},
	} {
		run(t, nil, bin(c[0]), append(c[1:], "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-c", filepath.Join(prefix, "include/mpi.h"))...)
	}
}

// TestPrograms runs programs that check themselves, with several numbers of ranks, and over the network.
func TestPrograms(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.c")
	fortran, failed := filepath.Glob("testdata/fortran/*.f*")
	if err := errors.Join(err, failed); err != nil || len(sources) == 0 || len(fortran) == 0 {
		t.Fatal(err, sources, fortran)
	}
	for _, source := range append(sources, fortran...) {
		name := strings.TrimPrefix(source, "testdata/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := compile(t, name)
			for _, n := range []string{"1", "2", "4"} {
				run(t, nil, bin("mpiexec"), "--oversubscribe", "-n", n, program)
			}
			run(t, []string{"WEFT_LINKS=rail"}, bin("mpiexec"), "-n", "2", program)
		})
	}
}

// TestWrappers: what build systems ask wrappers for.
func TestWrappers(t *testing.T) {
	t.Parallel()
	if got := run(t, nil, bin("mpicc"), "-show", "-c", "a.c"); !strings.Contains(got, "-I"+prefix+"/include -c a.c") || strings.Contains(got, "-lmpi") {
		t.Errorf("mpicc -show -c says %q", got)
	}
	if got := run(t, []string{"CXX=g++"}, bin("mpicxx"), "-show"); !strings.HasPrefix(got, "g++ ") || !strings.Contains(got, "-lmpi_abi") {
		t.Errorf("mpicxx -show says %q", got)
	}
	if got := run(t, nil, bin("mpif90"), "-show"); !strings.HasPrefix(got, "gfortran ") || !strings.Contains(got, "-lmpi_weft_f -lmpi_abi") {
		t.Errorf("mpif90 -show says %q", got)
	}
	if got := run(t, nil, bin("mpicc"), "-showme:incdirs"); strings.TrimSpace(got) != prefix+"/include" {
		t.Errorf("mpicc -showme:incdirs says %q", got)
	}
}
