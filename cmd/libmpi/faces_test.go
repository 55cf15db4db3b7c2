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

// others are the libraries that there are faces for: their compilers, the libraries that programs need,
// and what of them the face has not.
var others = []struct{ face, compiler, library, fortran, missing string }{
	{"mpich", "mpicc.mpich", "libmpich.so.12", "libmpichfort.so.12", "MPIX_Comm_agree MPIX_Comm_failure_ack MPIX_Comm_failure_get_acked MPIX_Comm_revoke " +
		"MPIX_Comm_shrink MPIX_Delete_error_class MPIX_Delete_error_code MPIX_Delete_error_string MPIX_GPU_query_support " +
		"MPIX_Grequest_class_allocate MPIX_Grequest_class_create MPIX_Grequest_start MPI_F08_STATUSES_IGNORE MPI_F08_STATUS_IGNORE " +
		"mpi_comm_spawn_ mpi_comm_spawn_multiple_ mpi_conversion_fn_null_ mpi_f_sync_reg_ mpi_info_create_env_ mpi_register_datarep_"},
	{"openmpi", "mpicc.openmpi", "libmpi.so.40", "libmpi_mpifh.so.40", "mpi_alloc_mem_cptr_ mpi_comm_spawn_ mpi_comm_spawn_multiple_ " +
		"mpi_f_sync_reg_ mpi_register_datarep_ mpi_win_allocate_cptr_ mpi_win_allocate_shared_cptr_ mpi_win_shared_query_cptr_"},
}

// ranks are how many ranks programs run on.
var ranks = map[string][]string{".c": {"1", "2", "4"}, ".f90": {"2"}}

// TestPrebuilt: programs that the compilers of other libraries have made run on Weft as they are.
func TestPrebuilt(t *testing.T) {
	dir, err := filepath.Abs("testdata/faces")
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range others {
		t.Run(other.face, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "program")
			for _, source := range []string{"prebuilt08.f90", "prebuilt.f90", "prebuilt.c"} {
				compiler := other.compiler
				if strings.HasSuffix(source, "f90") {
					compiler = strings.Replace(compiler, "cc", "fort", 1)
				}
				if source == "prebuilt08.f90" && other.face != "openmpi" {
					continue // said to be missing
				}
				run(t, nil, compiler, "-w", "-g", filepath.Join(dir, source), "-o", program)
				for _, n := range ranks[filepath.Ext(source)] {
					run(t, nil, bin("mpiexec"), "--as", other.face, "--oversubscribe", "-n", n, program)
				}
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

// TestFaceSymbols: a face has every function and every object of MPI that the library it stands for has,
// but for those named.
func TestFaceSymbols(t *testing.T) {
	t.Parallel()
	for _, other := range others {
		var missing []string
		for _, library := range []string{other.library, other.fortran} {
			theirs, err := exec.Command(other.compiler, "-print-file-name="+library).Output()
			if err != nil {
				t.Fatal(err)
			}
			there := symbols(t, filepath.Join(prefix, "lib/weft", other.face, library))
			for _, name := range symbols(t, strings.TrimSpace(string(theirs))) {
				if public(name, library == other.fortran) && !slices.Contains(there, name) {
					missing = append(missing, strings.TrimPrefix(strings.TrimPrefix(name, "P"), "p"))
				}
			}
		}
		slices.Sort(missing)
		if got := strings.Join(slices.Compact(missing), " "); got != other.missing {
			t.Errorf("%s: missing are %s", other.library, got)
		}
	}
}

// public tells whether programs use a name: that of a function in C, or of one in Fortran but for those
// of modules and MPI_SIZEOF, and other names of functions that programs pass.
func public(name string, fortran bool) bool {
	base := strings.TrimPrefix(strings.TrimPrefix(name, "P"), "p")
	switch {
	case fortran:
		return strings.HasPrefix(base, "mpi_") && strings.HasSuffix(base, "_") && !strings.HasSuffix(base, "__") &&
			!strings.Contains(base, "_f08") && !strings.Contains(base, "_sizeof_") && !(base != name && strings.HasSuffix(base, "_fn_"))
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
