package sched

import (
	"reflect"
	"strings"
	"testing"
)

// As seen with mpirun -n 4 of Open MPI 4.1.4.
var ompi = vars{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "4", "PMIX_NAMESPACE": "3145662465", "PMIX_RANK": "1"}

func TestOpenMPIStep(t *testing.T) {
	want := Step{By: "Open MPI's mpirun", Name: "pmix.3145662465", Rank: 1, Size: 4, Leader: "localhost", OneHost: true}
	for name, c := range map[string]struct {
		v    vars
		want func(*Step)
	}{
		"a rank":                   {ompi, func(*Step) {}},
		"the first":                {ompi.with("OMPI_COMM_WORLD_RANK", "0"), func(s *Step) { s.Rank, s.Leads = 0, true }},
		"on several hosts":         {ompi.with("OMPI_COMM_WORLD_LOCAL_SIZE", "2"), func(s *Step) { s.OneHost = false }},
		"by prterun":               {ompi.with("PMIX_NAMESPACE", "prterun-h1-77@1"), func(s *Step) { s.Name = "pmix.prterun-h1-77@1" }},
		"started by weft run's":    {ompi.with("WEFT_JOB", "x"), func(*Step) {}},
		"in an allocation's orted": {ompi.with("SLURM_STEP_ID", "0").with("SLURM_PROCID", "0").with("SLURM_STEP_NUM_TASKS", "1"), func(*Step) {}},
	} {
		w := want
		c.want(&w)
		got, found, err := OpenMPIStep(c.v.get)
		if got.Ports = nil; err != nil || !found || !reflect.DeepEqual(got, w) {
			t.Errorf("%s: %+v, %v, %v", name, got, found, err)
		}
	}
	for name, v := range map[string]vars{"nothing": {}, "a rank of weft run": ompi.with("WEFT_JOB", "x").with("PMIX_RANK", ""),
		"a task of srun": ompi.with("PMIX_NAMESPACE", "slurm.pmix.6.0")} {
		if s, found, err := OpenMPIStep(v.get); found || err != nil {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for name, value := range map[string]string{"OMPI_COMM_WORLD_SIZE": "many", "OMPI_COMM_WORLD_RANK": "4", "OMPI_COMM_WORLD_LOCAL_SIZE": "", "PMIX_NAMESPACE": "a/b"} {
		if s, found, err := OpenMPIStep(ompi.with(name, value).get); !found || err == nil || !strings.Contains(err.Error(), "mpirun's variables are damaged") {
			t.Errorf("%s=%s: %+v, %v", name, value, s, err)
		}
	}
}
