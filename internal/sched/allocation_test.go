package sched

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/launch/hosts"
)

// As seen in the shell of salloc -n5, and of salloc -n2 : -n1.
var (
	given    = vars{"SLURM_JOB_ID": "5", "SLURM_JOB_NODELIST": "h[1-2]", "SLURM_TASKS_PER_NODE": "4,1"}
	givenHet = vars{"SLURM_JOB_ID": "6", "SLURM_HET_SIZE": "2", "SLURM_JOB_NODELIST_HET_GROUP_0": "h2", "SLURM_TASKS_PER_NODE_HET_GROUP_0": "2",
		"SLURM_JOB_NODELIST_HET_GROUP_1": "h[3-4]", "SLURM_TASKS_PER_NODE_HET_GROUP_1": "1(x2)"}
)

func list(all []hosts.Host) string {
	var words []string
	for _, h := range all {
		words = append(words, fmt.Sprintf("%s:%d", h.Name, h.Slots))
	}
	return strings.Join(words, " ")
}

func TestSlurmAllocation(t *testing.T) {
	for name, c := range map[string]struct {
		v    vars
		want string
	}{
		"salloc":              {given, "h1:4 h2:1"},
		"a batch script":      {given.with("SLURM_PROCID", "0").with("SLURM_NTASKS", "5"), "h1:4 h2:1"},
		"an interactive step": {given.with("SLURM_STEP_ID", interactive), "h1:4 h2:1"},
		"a het job":           {givenHet, "h2:2 h3:1 h4:1"},
	} {
		a, err := SlurmAllocation(c.v.get)
		if err != nil || a == nil || list(a.Hosts) != c.want {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	for name, v := range map[string]vars{"nothing": {}, "a step": given.with("SLURM_STEP_ID", "0")} {
		if a, err := SlurmAllocation(v.get); a != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	for name, value := range map[string]string{"SLURM_JOB_ID": "x", "SLURM_JOB_NODELIST": "h[", "SLURM_TASKS_PER_NODE": "4", "SLURM_HET_SIZE": "2"} {
		if a, err := SlurmAllocation(given.with(name, value).get); err == nil {
			t.Errorf("%s=%s: %+v", name, value, a)
		}
	}
	a, _ := SlurmAllocation(givenHet.get)
	line := strings.Join(a.Starter.Line(hosts.Host{Name: "h3"}, "exec", "weft", "agent"), " ")
	if !strings.Contains(line, "--nodelist=h3 ") || !strings.HasSuffix(line, "--het-group=1 /bin/sh -c exec weft agent") {
		t.Error(line)
	}
	if !a.Has([]hosts.Host{{Name: "h2"}, {Name: "h4"}}) || a.Has([]hosts.Host{{Name: "h2"}, {Name: "h1"}}) {
		t.Error("whose host is whose")
	}
}

func TestFind(t *testing.T) {
	files := map[string]string{"nodes": "h1.example.org\nh1.example.org\nh2.example.org\n", "empty": "\n", "odd": "h1;reboot\n"}
	read := func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	pbs := vars{"PBS_JOBID": "7.server", "PBS_NODEFILE": "nodes"}
	lsf := vars{"LSB_JOBID": "7", "LSB_MCPU_HOSTS": "h1 4 h2 2 "}
	for name, c := range map[string]struct {
		v    vars
		want string
	}{
		"PBS": {pbs, "PBS h1.example.org:2 h2.example.org:1"}, "LSF": {lsf, "LSF h1:4 h2:2"}, "Slurm": {given, "Slurm h1:4 h2:1"},
		"LSF, one host": {lsf.with("LSB_MCPU_HOSTS", "h1 1"), "LSF h1:1"},
	} {
		a, err := Find(c.v.get, read)
		if err != nil || a == nil || a.By+" "+list(a.Hosts) != c.want {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	for name, v := range map[string]vars{"nothing": {}, "a stray file": pbs.with("PBS_JOBID", ""), "LSF without hosts": lsf.with("LSB_MCPU_HOSTS", "")} {
		if a, err := Find(v.get, read); a != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	for name, v := range map[string]vars{"no file": pbs.with("PBS_NODEFILE", "none"), "no hosts": pbs.with("PBS_NODEFILE", "empty"), "no names": pbs.with("PBS_NODEFILE", "odd"),
		"no number": lsf.with("LSB_MCPU_HOSTS", "h1 4 h2"), "none at all": lsf.with("LSB_MCPU_HOSTS", "h1 0"), "two": lsf.with("LSB_MCPU_HOSTS", "h1,h3 2"),
		"odd": lsf.with("LSB_MCPU_HOSTS", "-oProxy 2")} {
		if a, err := Find(v.get, read); err == nil || !strings.Contains(err.Error(), "; unset ") {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}
