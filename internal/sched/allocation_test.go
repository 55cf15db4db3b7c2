package sched

import (
	"fmt"
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
