package launch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tool returns the path of a program of another MPI, or skips the test.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// Our rank under another launcher: the PMI client against a real hydra.
func TestRankUnderHydra(t *testing.T) {
	hydra := tool(t, "mpiexec.hydra")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, hydra, "-n", "3", self)
	cmd.Env = append(os.Environ(), rankMode+"=ok")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), " of 3, program 0\n") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

// Another MPI's program under our launcher: the PMI server against a real client.
func TestForeignProgram(t *testing.T) {
	cc := tool(t, "mpicc.mpich")
	dir := t.TempDir()
	source := filepath.Join(dir, "sum.c")
	err := os.WriteFile(source, []byte(`#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
	int rank, size, sum;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("rank %d of %d, sum %d\n", rank, size, sum);
	if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 9);
	return MPI_Finalize();
}
`), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "sum")
	if out, err := exec.Command(cc, "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%s is there but cannot compile: %v\n%s", cc, err, out)
	}
	m := newMark()
	env := append(os.Environ(), string(m))
	o := runJob(t, Job{Specs: []Spec{{N: 2, Argv: []string{program}, Env: env}}, Timeout: 30 * time.Second}, m)
	if o.code != 0 || strings.Count(o.out.String(), " of 2, sum 1\n") != 2 {
		t.Errorf("code %d, printed %q, said %q", o.code, o.out.String(), o.msg.String())
	}
	o = runJob(t, Job{Specs: []Spec{{N: 2, Argv: []string{program, "abort"}, Env: env}}, Timeout: 30 * time.Second}, m)
	if o.code != 9 {
		t.Errorf("code %d after an abort with 9, said %q", o.code, o.msg.String())
	}
}
