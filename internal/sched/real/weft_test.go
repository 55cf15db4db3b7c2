package real

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// weftRun tries weft run in allocations: how it begins, and how it ends.
func (s *slurm) weftRun(t *testing.T) {
	for _, c := range []struct {
		command string
		code    int
		said    string
		times   int
	}{
		{"salloc -Q -N2 -n4 weft run prog", 0, " of 4 on h", 4},
		{"salloc -Q -N2 weft run prog", 0, " of 2 on h", 2},
		{"salloc -Q -N3 -n6 weft run -n 3 --map-by node prog", 0, " of 3 on h", 3},
		{"salloc -Q -w h1,h2 -n4 weft run --host h2 -n 1 prog", 0, "rank 0 of 1 on h2 is done", 1},
		{"salloc -Q -w h2 -n2 : -w h1,h3 -n2 weft run prog", 0, "rank 1 of 4 on h2 is done", 1},
		{"env SLURM_LABELIO=1 SLURM_NTASKS_PER_NODE=2 SLURM_MPI_TYPE=pmix salloc -Q -N2 -n4 weft run prog", 0, " of 4 on h", 4},
		{"salloc -Q -N2 -n2 weft run -n 3 prog", 1, "3 ranks do not fit: there are 2 slots on h1, h2", 1},
		{"salloc -Q -N2 -n2 weft run --oversubscribe -n 5 prog", 0, " of 5 on h", 5},
		{"salloc -Q -N2 -n4 weft run prog abort 3 7", 7, "aborted the job with code 7: had enough", 1},
		{"salloc -Q -w h1,h2 -n4 weft run --map-by node prog die 3", 137, "weft: rank 3 (pid ", 1},
		{"salloc -Q -N2 -n4 weft run prog exit 3 5", 5, "exited with code 5 without Finalize", 1},
		{s.batch(t, "one", "-N2 -n4", "weft run prog"), 0, " of 4 on h", 4},
		{s.batch(t, "two", "-N2 -n4", "prog"), 0, "rank 0 of 1 on h", 1},
		{s.batch(t, "three", "-N2 -n4", "srun prog; srun --mpi=pmi2 prog"), 0, " of 4 on h", 8},
	} {
		t.Run(filepath.Base(c.command), func(t *testing.T) {
			r := s.start(t, c.command)
			if code, said := r.code(t), r.out.String(); code != c.code || strings.Count(said, c.said) != c.times {
				t.Errorf("%s: code %d, not %d, or %q is not there %d times:\n%s", c.command, code, c.code, c.said, c.times, said)
			}
			s.nothingLeft(t)
		})
	}
}

// batch writes a script and returns the command that submits it, waits for it and shows what it has said.
func (s *slurm) batch(t *testing.T, name, options, script string) string {
	t.Helper()
	path := filepath.Join(s.dir, name)
	text := fmt.Sprintf("#!/bin/sh\n#SBATCH %s\n#SBATCH -o %s.out\n%s\n", options, path, script)
	if err := errors.Join(os.RemoveAll(path+".out"), os.WriteFile(path, []byte(text), 0o700)); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("sh -c 'sbatch -Q -W %s; code=$?; cat %s.out; exit $code'", path, path)
}

// events tries what befalls a job that runs: signals, time limits, the loss of a host, the end of a launcher.
func (s *slurm) events(t *testing.T) {
	const (
		srun = "srun -w h1,h2 -n4 prog wait"
		pmi2 = "srun --mpi=pmi2 -w h1,h2 -n4 prog wait"
		weft = "salloc -Q -w h1,h2 -n4 sh -c 'echo launcher $$; exec weft run --map-by node prog wait'"
	)
	all := map[string]string{"srun": srun, "pmi2": pmi2, "weft run": weft}
	for name, command := range all {
		t.Run("a signal/"+name, func(t *testing.T) {
			r := s.start(t, command)
			r.await(t, "is ready", 4)
			s.do(t, "scancel -s USR1 $(squeue -h -o %A)")
			if code, said := r.code(t), r.out.String(); code != 0 || strings.Count(said, "got user defined signal 1") != 4 {
				t.Errorf("code %d:\n%s", code, said)
			}
			s.nothingLeft(t)
		})
		t.Run("scancel/"+name, func(t *testing.T) {
			r := s.start(t, command)
			r.await(t, "is ready", 4)
			s.do(t, "scancel $(squeue -h -o %A)")
			if code := r.code(t); code == 0 {
				t.Errorf("code %d:\n%s", code, r.out.String())
			}
			s.nothingLeft(t)
		})
		t.Run("the launcher is killed/"+name, func(t *testing.T) {
			r := s.start(t, command)
			r.await(t, "is ready", 4)
			if _, pid, found := strings.Cut(r.out.String(), "launcher "); found {
				pid, _, _ = strings.Cut(pid, "\n")
				s.do(t, "kill -KILL "+pid)
			} else {
				s.do(t, "scancel -s KILL $(squeue -h -o %A)")
			}
			if code := r.code(t); code == 0 && name != "weft run" { // salloc does not say how its command has ended
				t.Errorf("code %d:\n%s", code, r.out.String())
			}
			s.nothingLeft(t)
		})
	}
	scripts := map[string]string{"srun": "srun prog wait", "weft run": "exec weft run --map-by node prog wait"}
	for name, script := range scripts {
		t.Run("the time is nearly over/"+name, func(t *testing.T) {
			to := map[string]string{"srun": "USR1@60", "weft run": "B:USR1@60"}[name]
			r := s.start(t, s.batch(t, "late", "-w h1,h2 -n4 -t 0:05 --signal="+to, script))
			if code, said := r.code(t), s.said(t, "late"); code != 0 || strings.Count(said, "got user defined signal 1") != 4 {
				t.Errorf("code %d:\n%s", code, said)
			}
			s.nothingLeft(t)
		})
		t.Run("a job is cancelled/"+name, func(t *testing.T) {
			r := s.start(t, s.batch(t, "cancelled", "-w h1,h2 -n4", script))
			s.awaitReady(t, "cancelled")
			s.do(t, "scancel $(squeue -h -o %A)")
			r.code(t)
			s.nothingLeft(t)
		})
	}
	for name, command := range all {
		t.Run("a host falls silent/"+name, func(t *testing.T) {
			r := s.start(t, command)
			r.await(t, "is ready", 4)
			if err := s.Crash("h2"); err != nil {
				t.Fatal(err)
			}
			code, said := r.code(t), r.out.String()
			if code == 0 || !strings.Contains(said, map[string]string{"weft run": "weft: host h2 "}[name]) {
				t.Errorf("code %d:\n%s", code, said)
			}
			t.Logf("code %d:\n%s", code, said)
			if err := s.Boot(t.Context(), "h2"); err != nil {
				t.Fatal(err)
			}
			s.nothingLeft(t)
			s.boot(t, "h2")
			s.ready(t, 3)
		})
	}
}

// do runs a command of the shell on h0 that must go well.
func (s *slurm) do(t *testing.T, script string) {
	t.Helper()
	if out, err := s.Command("h0", "sh", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// said is what a batch job has written.
func (s *slurm) said(t *testing.T, name string) string {
	t.Helper()
	out, err := os.ReadFile(filepath.Join(s.dir, name+".out"))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// awaitReady waits until four ranks of a batch job are ready.
func (s *slurm) awaitReady(t *testing.T, name string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if out, _ := os.ReadFile(filepath.Join(s.dir, name+".out")); strings.Count(string(out), "is ready") == 4 {
			return
		}
	}
	t.Fatal("the job does not run")
}
