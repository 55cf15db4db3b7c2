package launch

import (
	"strconv"
	"strings"
)

// File descriptors that a rank inherits besides its standard ones.
const (
	controlFD = 3 // PMI_FD
	segmentFD = 4 // WEFT_SHM_FD
)

// ownVariables are set by a launcher for each of its ranks. One that is itself started by a launcher must not pass on
// what it was told: a rank would believe to be somebody else.
var ownVariables = []string{
	"PMI_FD", "PMI_RANK", "PMI_SIZE", "PMI_JOBID", "PMI_PORT", "PMI_ID",
	"WEFT_LAUNCHER", "WEFT_RANK", "WEFT_SIZE", "WEFT_LOCAL_RANK", "WEFT_LOCAL_SIZE", "WEFT_LOCAL_CPUS", "WEFT_JOB", "WEFT_SHM_FD",
	"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
	"OMPI_COMM_WORLD_NODE_RANK", "OMPI_UNIVERSE_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
}

// environment returns what rank sees: base without the traces of any launcher above, then this launcher's variables.
func (r *run) environment(base []string, rank int, cpus []int) []string {
	env := make([]string, 0, len(base)+len(ownVariables)+1)
	for _, v := range base {
		if name, _, _ := strings.Cut(v, "="); !isOwnVariable(name) {
			env = append(env, v)
		}
	}
	set := func(name, value string) { env = append(env, name+"="+value) }
	me, size := strconv.Itoa(rank), strconv.Itoa(len(r.ranks))
	set("PMI_FD", strconv.Itoa(controlFD))
	set("PMI_RANK", me)
	set("PMI_SIZE", size)
	set("PMI_JOBID", r.id)
	set("WEFT_LAUNCHER", "1")
	set("WEFT_RANK", me)
	set("WEFT_SIZE", size)
	set("WEFT_LOCAL_RANK", me)
	set("WEFT_LOCAL_SIZE", size)
	if all, err := AllowedCPUs(); err == nil {
		set("WEFT_LOCAL_CPUS", strconv.Itoa(len(all))) // a bound rank sees only its own share
	}
	set("WEFT_JOB", r.id)
	if r.segment != nil {
		set("WEFT_SHM_FD", strconv.Itoa(segmentFD))
	}
	if len(cpus) == 1 && !hasVariable(base, "GOMAXPROCS") {
		// A Go program on one CPU still needs two Ps: with one, a rank that polls starves its own network poller.
		set("GOMAXPROCS", "2")
	}
	if !r.job.NoCompatEnv {
		for _, name := range []string{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK",
			"MPI_LOCALRANKID"} {
			set(name, me)
		}
		for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_UNIVERSE_SIZE",
			"MPI_LOCALNRANKS"} {
			set(name, size)
		}
	}
	return env
}

func isOwnVariable(name string) bool {
	if strings.HasPrefix(name, "PMIX_") {
		return true
	}
	for _, own := range ownVariables {
		if name == own {
			return true
		}
	}
	return false
}

func hasVariable(env []string, name string) bool {
	for _, v := range env {
		if strings.HasPrefix(v, name+"=") {
			return true
		}
	}
	return false
}
