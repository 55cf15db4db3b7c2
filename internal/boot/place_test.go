package boot

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// env is an environment as a map.
type env map[string]string

func (e env) with(name, value string) env {
	c := env{}
	for k, v := range e {
		c[k] = v
	}
	c[name] = value
	return c
}

var (
	weftEnv = env{"WEFT_LAUNCHER": "1", "WEFT_RANK": "2", "WEFT_SIZE": "4", "PMI_FD": "7", "WEFT_SHM_FD": "8",
		"PMI_RANK": "2", "PMI_SIZE": "4"}
	pmiEnv   = env{"PMI_FD": "7", "PMI_RANK": "1", "PMI_SIZE": "3"}
	ompiEnv  = env{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "4", "PMIX_NAMESPACE": "77", "PMIX_RANK": "1"}
	slurmEnv = env{"SLURM_JOB_ID": "5", "SLURM_NTASKS": "8", "SLURM_PROCID": "0", "SLURM_LOCALID": "0"} // an sbatch script
	stepEnv  = slurmEnv.with("SLURM_STEP_ID", "0").with("SLURM_STEP_NUM_TASKS", "8").with("SLURM_PROCID", "3").with("SLURM_NODEID", "1").
			with("SLURM_STEP_NUM_NODES", "2").with("SLURM_STEP_NODELIST", "h[1-2]")
)

// TestFindPlace: whom an environment stands for.
func TestFindPlace(t *testing.T) {
	for name, c := range map[string]struct {
		env  env
		want place
	}{
		"nothing":                     {env{}, place{starter: alone, size: 1}},
		"weft run":                    {weftEnv, place{starter: byWeft, rank: 2, size: 4, pmiFD: 7, shmFD: 8}},
		"weft run with processors":    {weftEnv.with("WEFT_LOCAL_CPUS", "64"), place{starter: byWeft, rank: 2, size: 4, pmiFD: 7, shmFD: 8, cpus: 64}},
		"weft run before srun":        {weftEnv.with("SLURM_STEP_ID", "0").with("SLURM_PROCID", "0").with("SLURM_STEP_NUM_TASKS", "9"), place{starter: byWeft, rank: 2, size: 4, pmiFD: 7, shmFD: 8}},
		"a PMI launcher":              {pmiEnv, place{starter: byPMI, rank: 1, size: 3, pmiFD: 7}},
		"a PMI launcher's port":       {env{"PMI_PORT": "host:4711", "PMI_ID": "2"}, place{starter: byPMI, port: "host:4711", id: "2"}},
		"a job in a job's rank":       {env{"PMI_PORT": "host:4712", "PMI_ID": "2", "WEFT_JOINED": "2@host:4711"}, place{starter: byPMI, port: "host:4712", id: "2"}},
		"PMI under srun":              {pmiEnv.with("SLURM_STEP_ID", "0").with("SLURM_PROCID", "1").with("SLURM_STEP_NUM_TASKS", "3"), place{starter: byPMI, rank: 1, size: 3, pmiFD: 7}},
		"weft run on hosts":           {weftEnv.with("WEFT_HOSTS", "2").with("WEFT_NODE", "1").with("WEFT_LOCAL_RANKS", "2-3"), place{starter: byWeft, rank: 2, size: 4, pmiFD: 7, shmFD: 8, hosts: 2, node: 1, local: []int{2, 3}}},
		"an sbatch script":            {slurmEnv, place{starter: alone, size: 1}},
		"srun of one":                 {stepEnv.with("SLURM_STEP_NUM_TASKS", "1").with("SLURM_PROCID", "0"), place{starter: alone, size: 1}},
		"srun without PMI":            {stepEnv, place{starter: byStep, rank: 3, size: 8}},
		"srun with PMIx":              {stepEnv.with("PMIX_RANK", "3").with("PMIX_NAMESPACE", "x"), place{starter: byStep, rank: 3, size: 8}},
		"mpirun of four":              {ompiEnv, place{starter: byStep, rank: 1, size: 4}},
		"mpirun of one":               {env{"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"}, place{starter: alone, size: 1}},
		"a stray PMIX_RANK":           {env{"PMIX_RANK": "0"}, place{starter: alone, size: 1}},
		"a stray PMI_RANK":            {env{"PMI_RANK": "0", "PMI_SIZE": "4"}, place{starter: alone, size: 1}},
		"tunables alone do not count": {env{"WEFT_PROGRESS": "poll"}, place{starter: alone, size: 1}},
	} {
		got, err := findPlace(func(name string) string { return c.env[name] })
		if c.want.cpus == 0 {
			got.cpus = 0
		}
		if got.step != nil && (got.step.Leader == "h1" || got.step.Leader == "localhost") {
			got.step = nil
		}
		if c.want.starter != alone && c.want.port == "" && c.want.hosts == 0 {
			c.want.hosts, c.want.local = 1, everybody(c.want.size)
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, c.want)
		}
	}
}

// TestRefusedPlaces: an environment that describes a job we cannot join is an error that says what to do, never
// a job of one.
func TestRefusedPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		env   env
		words string
	}{
		"hydra's child's child":   {env{"PMI_PORT": "host:4711", "PMI_ID": "0", "WEFT_JOINED": "0@host:4711"}, "unset PMI_PORT"},
		"Open MPI, no rank":       {env{"OMPI_COMM_WORLD_SIZE": "4"}, "OMPI_COMM_WORLD_RANK"},
		"Open MPI, damaged":       {env{"OMPI_COMM_WORLD_SIZE": "many"}, "OMPI_COMM_WORLD_SIZE"},
		"Open MPI on hosts":       {ompiEnv.with("OMPI_COMM_WORLD_LOCAL_SIZE", "1"), "one of 4 on several hosts"},
		"Open MPI in Slurm":       {ompiEnv.with("OMPI_COMM_WORLD_LOCAL_SIZE", "1").with("SLURM_STEP_ID", "0").with("SLURM_PROCID", "0").with("SLURM_STEP_NUM_TASKS", "1"), "several hosts"},
		"PMIx":                    {env{"PMIX_RANK": "0", "PMIX_NAMESPACE": "job"}, "weft run"},
		"srun, damaged":           {stepEnv.with("SLURM_NODEID", "x"), "SLURM_NODEID"},
		"srun, a rank's child":    {stepEnv.with("WEFT_JOINED", "slurm..5.0."), "unset SLURM_STEP_ID"},
		"weft run, no rank":       {weftEnv.with("WEFT_RANK", ""), `WEFT_RANK=""`},
		"weft run, bad rank":      {weftEnv.with("WEFT_RANK", "two"), `WEFT_RANK="two"`},
		"weft run, negative rank": {weftEnv.with("WEFT_RANK", "-1"), `WEFT_RANK="-1"`},
		"weft run, rank too high": {weftEnv.with("WEFT_RANK", "4"), "WEFT_RANK=4 is not below WEFT_SIZE=4"},
		"weft run, no ranks":      {weftEnv.with("WEFT_SIZE", "0"), "WEFT_SIZE"},
		"weft run, absurd size":   {weftEnv.with("WEFT_SIZE", "99999999999"), "WEFT_SIZE"},
		"weft run, no segment":    {weftEnv.with("WEFT_SHM_FD", ""), "WEFT_SHM_FD"},
		"weft run, no processors": {weftEnv.with("WEFT_LOCAL_CPUS", "0"), "WEFT_LOCAL_CPUS"},
		"PMI, bad socket":         {pmiEnv.with("PMI_FD", "x"), "PMI_FD"},
		"PMI, no rank":            {pmiEnv.with("PMI_RANK", ""), "PMI_RANK"},
		"PMI, rank too high":      {pmiEnv.with("PMI_RANK", "3"), "PMI_RANK=3 is not below PMI_SIZE=3"},
	} {
		_, err := findPlace(func(name string) string { return c.env[name] })
		if !errors.Is(err, ErrLauncher) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
