package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/weft-mpi/weft/internal/munge"
)

// Lists of several versions of Slurm.
func TestPlugins(t *testing.T) {
	for text, want := range map[string][]string{
		"srun: MPI types are...\nsrun: none\nsrun: pmi2\nsrun: pmix\n":                                                {"none", "pmi2", "pmix"},
		"MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v3,pmix_v4\n": {"none", "pmi2", "pmix", "pmix_v3", "pmix_v4"},
		"MPI plugin types are...\n\tpmix\n\tnone\n":                                                                   {"pmix", "none"},
		"": nil,
	} {
		if got := plugins(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Slurm is asked by its own commands. One that hangs or fails is told of.
func TestGatherSlurm(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	command := func(name, script string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command("srun", `case $1 in --version) echo slurm 22.05.8;; *) echo "MPI plugin types are..."; echo "	pmi2";; esac`)
	command("scontrol", `echo "PropagatePrioProcess    = 0"; echo "PropagateResourceLimits = ALL"; echo "PropagateResourceLimitsExcept = (null)"`)
	s := gatherSlurm()
	if s.Version != "22.05.8" || !slices.Equal(s.Plugins, []string{"pmi2"}) || s.Propagate != "ALL" || s.Except != "" || s.Trouble != "" {
		t.Errorf("%+v", s)
	}
	command("scontrol", "echo Unable to contact slurm controller >&2; exit 1")
	if s := gatherSlurm(); !strings.Contains(s.Trouble, "Unable to contact") {
		t.Errorf("%+v", s)
	}
	command("scontrol", "exec sleep 60")
	if s := gatherSlurm(); !strings.Contains(s.Trouble, "no answer") {
		t.Errorf("%+v", s)
	}
	if got := mungeTrouble(munge.Daemon(filepath.Join(dir, "none"))); got != "there is no munge daemon" {
		t.Errorf("%q", got)
	}
}

func TestContainer(t *testing.T) {
	none := func(string) string { return "" }
	only := func(name string) func(string) string {
		return func(n string) string { return map[bool]string{true: "x"}[n == name] }
	}
	for want, c := range map[string]struct {
		files fstest.MapFS
		get   func(string) string
	}{
		"": {nil, none}, "Docker": {fstest.MapFS{".dockerenv": {}}, none}, "Podman": {fstest.MapFS{"run/.containerenv": {}}, none},
		"Kubernetes": {nil, only("KUBERNETES_SERVICE_HOST")}, "Apptainer": {nil, only("APPTAINER_CONTAINER")},
	} {
		if got := containerKind(c.files, c.get); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := field("anon 5\ninactive_file 77\n", "inactive_file"); n != 77 {
		t.Errorf("inactive_file is %d", n)
	}
}

// Where there are adapters, limits that Slurm takes from the shell that submits undo what the nodes allow.
func TestPropagation(t *testing.T) {
	for _, c := range []struct {
		propagate, except string
		locked            uint64
		adapters          int
		warns             bool
	}{
		{"ALL", "", 64 << 10, 1, true}, {"MEMLOCK,NOFILE", "", 64 << 10, 1, true}, {"", "NOFILE", 64 << 10, 1, true},
		{"ALL", "", Unlimited, 1, false}, {"ALL", "", 64 << 10, 0, false}, {"NOFILE", "", 64 << 10, 1, false},
		{"NONE", "", 64 << 10, 1, false}, {"", "MEMLOCK,NOFILE", 64 << 10, 1, false}, {"", "", 64 << 10, 1, false},
	} {
		f := &Facts{Slurm: Slurm{Propagate: c.propagate, Except: c.except}, Locked: Limit{c.locked, c.locked}}
		f.RDMA.Adapters = make([]Adapter, c.adapters)
		s := &sheet{}
		judgePropagation(s, f)
		if got := len(bad(s.findings)) == 1; got != c.warns {
			t.Errorf("%+v: %+v", c, s.findings)
		}
	}
}
