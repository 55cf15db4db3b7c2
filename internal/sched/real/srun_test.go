package real

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSlurm starts programs by a real Slurm, in all the ways that it has.
func TestSlurm(t *testing.T) {
	if !*wanted {
		t.Skip("make slurm runs it")
	}
	s := newSlurm(t, 3, "")
	for _, plugin := range []string{"none", "pmi2", "pmix"} {
		t.Run("mpi="+plugin, func(t *testing.T) { s.srun(t, "srun --mpi="+plugin) })
	}
	t.Run("layouts", s.layouts)
	t.Run("weft run", s.weftRun)
	t.Run("events", s.events)
}

// srun tries a way to start a program: how it begins, and how it ends.
func (s *slurm) srun(t *testing.T, srun string) {
	for _, c := range []struct {
		options, words string
		code           int
		said           string
	}{
		{"-N2 -n4", "", 0, "is done"},
		{"-N1 -n3", "", 0, "is done"},
		{"-n1", "", 0, "rank 0 of 1"},
		{"-N3 -n8", "", 0, "is done"},
		{"-N2 -n4", "abort 1 7", 7, "rank 1 aborted the job with code 7: had enough"},
		{"-N2 -n4", "abort 0 9", 9, "rank 0 aborted the job with code 9: had enough"},
		{"-N1 -n3", "abort 2 7", 7, "rank 2 aborted the job with code 7: had enough"},
		{"-N2 -n4", "die 3", 137, "the job is over: rank 3 at "},
		{"-N2 -n4", "die 0", 137, "the rank that all others listen to is gone"},
		{"-N1 -n3", "die 1", 137, "the job is over: rank 1"},
		{"-N2 -n4", "exit 2 5", 5, "the job is over: rank 2"},
		{"-N2 -n4", "exit 2 0", 1, "the job is over: rank 2"},
		{"-N2 -n4", "fail 1", 1, "this rank has failed"},
	} {
		t.Run(strings.TrimSpace(c.options+" "+c.words), func(t *testing.T) {
			r := s.start(t, fmt.Sprintf("%s %s prog %s", srun, c.options, c.words))
			if code, said := r.code(t), r.out.String(); code != c.code || !strings.Contains(said, c.said) {
				t.Errorf("code %d, not %d, or %q is missing:\n%s", code, c.code, c.said, said)
			}
			s.nothingLeft(t)
		})
	}
}

// layouts tries allocations of all kinds: ranks dealt oddly, steps one after the other and at once, several programs,
// heterogeneous jobs, arrays.
func (s *slurm) layouts(t *testing.T) {
	hosts := filepath.Join(s.dir, "hosts")
	if err := os.WriteFile(hosts, []byte("h3\nh1\nh1\nh2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	batch := filepath.Join(s.dir, "batch")
	script := "#!/bin/sh\nsrun prog >" + s.dir + "/out.$SLURM_ARRAY_TASK_ID 2>&1\n"
	if err := os.WriteFile(batch, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		command string
		done    map[string]int // how often something is said
	}{
		"cyclic":        {"srun -N3 -n5 -m cyclic prog", map[string]int{" of 5 on h": 5}},
		"plane":         {"srun -N2 -n6 -m plane=2 prog", map[string]int{" of 6 on h": 6}},
		"arbitrary":     {"env SLURM_HOSTFILE=" + hosts + " srun -n4 -m arbitrary prog", map[string]int{"rank 0 of 4 on h3": 1, " of 4 on h1": 2, " of 4 on h2": 1}},
		"two programs":  {"srun -n2 prog : -n3 prog", map[string]int{" of 5 on h": 5}},
		"het job":       {"salloc -w h2 -n2 : -w h1 -n1 srun --het-group=0,1 prog", map[string]int{" of 3 on h2 is done": 2, "rank 2 of 3 on h1 is done": 1}},
		"two steps":     {"salloc -N2 -n4 sh -c 'srun prog && srun -n3 prog'", map[string]int{" of 4 on h": 4, " of 3 on h": 3}},
		"steps at once": {"salloc -N2 -n8 sh -c 'srun --exact -n4 prog & srun --exact -n3 prog; wait'", map[string]int{" of 4 on h": 4, " of 3 on h": 3}},
		"twice in one":  {"srun -N2 -n4 sh -c 'prog && prog'", map[string]int{" of 4 on h": 8}},
		"an array":      {"sh -c 'sbatch -W -o /dev/null -N2 -n3 --array=1-3 " + batch + " && cat " + s.dir + "/out.*'", map[string]int{" of 3 on h": 9}},
	} {
		t.Run(name, func(t *testing.T) {
			r := s.start(t, c.command)
			code, said := r.code(t), r.out.String()
			for what, times := range c.done {
				if code != 0 || strings.Count(said, what) != times {
					t.Errorf("code %d, and %q is not there %d times:\n%s", code, what, times, said)
				}
			}
			s.nothingLeft(t)
		})
	}
}
