package launch

import (
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
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
	"WEFT_LAUNCHER", "WEFT_RANK", "WEFT_SIZE", "WEFT_LOCAL_RANK", "WEFT_LOCAL_SIZE", "WEFT_LOCAL_RANKS",
	"WEFT_LOCAL_CPUS", "WEFT_HOSTS", "WEFT_NODE", "WEFT_HOST", "WEFT_JOB", "WEFT_SHM_FD",
	"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE",
	"OMPI_COMM_WORLD_NODE_RANK", "OMPI_UNIVERSE_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
}

// position is what the ranks of one host are told about their job. It is the same for all of them.
type position struct {
	job     string // name of the job, unique and not guessable
	size    int    // ranks of the job
	hosts   int    // hosts of the job
	node    int    // number of this host, from 0
	host    string // its name, as the user wrote it
	ranks   []int  // the job's ranks on this host, in the order of their local ranks
	segment bool   // they inherit shared memory
	compat  bool   // set the variables of other launchers, too
}

// environment returns what the rank with the number local on this host sees: base without the traces of any
// launcher above, then this launcher's variables. Of a variable that base has several times the last
// counts, as with os/exec: a program would take the first.
func (p *position) environment(base []string, local int, cpus []int) []string {
	last := make(map[string]int, len(base))
	for i, v := range base {
		name, _, _ := strings.Cut(v, "=")
		last[name] = i
	}
	env := make([]string, 0, len(base)+len(ownVariables)+1)
	for i, v := range base {
		if name, _, _ := strings.Cut(v, "="); last[name] == i && !isOwnVariable(name) {
			env = append(env, v)
		}
	}
	set := func(name, value string) { env = append(env, name+"="+value) }
	me, size := strconv.Itoa(p.ranks[local]), strconv.Itoa(p.size)
	localMe, localSize := strconv.Itoa(local), strconv.Itoa(len(p.ranks))
	set("PMI_FD", strconv.Itoa(controlFD))
	set("PMI_RANK", me)
	set("PMI_SIZE", size)
	set("PMI_JOBID", p.job)
	set("WEFT_LAUNCHER", "1")
	set("WEFT_RANK", me)
	set("WEFT_SIZE", size)
	set("WEFT_LOCAL_RANK", localMe)
	set("WEFT_LOCAL_SIZE", localSize)
	set("WEFT_LOCAL_RANKS", pmi.FormatRanks(p.ranks))
	set("WEFT_HOSTS", strconv.Itoa(p.hosts))
	set("WEFT_NODE", strconv.Itoa(p.node))
	set("WEFT_HOST", p.host)
	if all, err := clock.AllowedCPUs(); err == nil {
		set("WEFT_LOCAL_CPUS", strconv.Itoa(len(all))) // a bound rank sees only its own share
	}
	set("WEFT_JOB", p.job)
	if p.segment {
		set("WEFT_SHM_FD", strconv.Itoa(segmentFD))
	}
	if len(cpus) == 1 && !hasVariable(base, "GOMAXPROCS") {
		// A Go program on one CPU still needs two Ps: with one, a rank that polls starves its own network poller, and
		// one that waits for a message while another goroutine computes gets it when Go's slice of 10 ms is over.
		set("GOMAXPROCS", "2")
	}
	if p.compat {
		set("OMPI_COMM_WORLD_RANK", me)
		set("OMPI_COMM_WORLD_SIZE", size)
		set("OMPI_UNIVERSE_SIZE", size)
		for _, name := range []string{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK", "MPI_LOCALRANKID"} {
			set(name, localMe)
		}
		for _, name := range []string{"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"} {
			set(name, localSize)
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
