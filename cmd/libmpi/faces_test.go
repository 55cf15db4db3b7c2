//go:build cgo && linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// others are the libraries that there are faces for: their compilers, the library that programs need, and what of it the face
// has not.
var others = []struct{ face, compiler, library, missing string }{
	{"mpich", "mpicc.mpich", "libmpich.so.12", "MPIX_Comm_agree MPIX_Comm_failure_ack MPIX_Comm_failure_get_acked MPIX_Comm_revoke " +
		"MPIX_Comm_shrink MPIX_Delete_error_class MPIX_Delete_error_code MPIX_Delete_error_string MPIX_GPU_query_support " +
		"MPIX_Grequest_class_allocate MPIX_Grequest_class_create MPIX_Grequest_start MPI_F08_STATUSES_IGNORE MPI_F08_STATUS_IGNORE"},
	{"openmpi", "mpicc.openmpi", "libmpi.so.40", ""},
}

// TestPrebuilt: programs that the compilers of other libraries have made run on Weft as they are.
func TestPrebuilt(t *testing.T) {
	source, err := filepath.Abs("testdata/faces/prebuilt.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range others {
		t.Run(other.face, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "program")
			run(t, nil, other.compiler, "-w", "-g", source, "-o", program)
			for _, n := range []string{"1", "2", "4"} {
				run(t, nil, bin("mpiexec"), "--as", other.face, "--oversubscribe", "-n", n, program)
			}
			run(t, []string{"WEFT_LINKS=rail"}, bin("mpiexec"), "--as", other.face, "-n", "2", program)
			if out, err := try(t, nil, bin("mpiexec"), "--as", other.face, "-n", "2", program, "fatal"); code(err) != 6 || !strings.Contains(out, "MPI_Send") {
				t.Errorf("a mistake of the program ends with %v: %s", err, out)
			}
		})
	}
}

// TestWrongFace: what a program needs and does not find is said before it starts.
func TestWrongFace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "agree.c"), filepath.Join(dir, "agree")
	const text = "#include <mpi.h>\nint MPIX_Comm_agree(MPI_Comm, int *);\nint main(void) { int flag = 1; return MPIX_Comm_agree(MPI_COMM_WORLD, &flag); }\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, nil, "mpicc.mpich", source, "-o", program)
	for face, want := range map[string]string{"mpich": "needs what Weft has not: MPIX_Comm_agree", "openmpi": "needs libmpich.so.12: run it --as mpich"} {
		if out, err := try(t, nil, bin("mpiexec"), "--as", face, "-n", "1", program); code(err) != 1 || !strings.Contains(out, want) {
			t.Errorf("as %s: %v: %s", face, err, out)
		}
	}
}

// TestFaceSymbols: a face has every function and every object of MPI that the library it stands for has, but for those named.
func TestFaceSymbols(t *testing.T) {
	t.Parallel()
	for _, other := range others {
		theirs, err := exec.Command(other.compiler, "-print-file-name="+other.library).Output()
		if err != nil {
			t.Fatal(err)
		}
		there := symbols(t, filepath.Join(prefix, "lib/weft", other.face, other.library))
		var missing []string
		for _, name := range symbols(t, strings.TrimSpace(string(theirs))) {
			if public(name) && !slices.Contains(there, name) {
				missing = append(missing, strings.TrimPrefix(name, "P"))
			}
		}
		slices.Sort(missing)
		if got := strings.Join(slices.Compact(missing), " "); got != other.missing {
			t.Errorf("%s: missing are %s", other.library, got)
		}
	}
}

// public tells whether programs use a name: functions, and objects that handles point to.
func public(name string) bool {
	base := strings.TrimPrefix(name, "P")
	switch {
	case strings.HasPrefix(base, "MPI_"), strings.HasPrefix(base, "MPIX_"):
		return base != strings.ToUpper(base) || strings.HasSuffix(base, "IGNORE") // not Fortran's
	}
	return false
}

// symbols are the names that a library shows.
func symbols(t *testing.T, library string) (names []string) {
	t.Helper()
	for line := range strings.Lines(run(t, nil, "nm", "-D", "--defined-only", "--format=posix", library)) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, name)
	}
	return names
}
