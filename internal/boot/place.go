package boot

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/sched"
)

// How a process was started.
type starter int

const (
	alone   starter = iota // by hand: a job of one rank
	byWeft                 // by weft run
	byPMI                  // by a launcher that speaks PMI-1, on an inherited socket or at a port
	byStep                 // by a scheduler that lets its tasks meet by themselves
	foreign                // by a launcher that we cannot talk to
)

// place is what the environment says about this process.
type place struct {
	starter    starter
	rank, size int
	pmiFD      int
	port, id   string      // byPMI: where the launcher listens, and who we are to it; "" for an inherited socket
	step       *sched.Step // byStep
	shmFD      int
	cpus       int    // processors that the job's ranks on this host share
	hosts      int    // of the job
	node       int    // number of this host among them
	host       string // its name, as the launcher calls it; "" if that is not known
	local      []int  // ranks on this host, ours among them, as the segment numbers them
}

// localRank is our number in the segment.
func (p *place) localRank() int { return slices.Index(p.local, p.rank) }

// crowded tells whether the job's ranks on this host outnumber its processors.
func (p *place) crowded() bool { return len(p.local) > p.cpus }

// dozes tells that a processor halts while its rank sleeps, and that our host has one to spare for each
// rank: who sleeps is woken late, and who polls takes nothing from others.
func (p *place) dozes() bool { return 2*len(p.local) <= p.cpus }

// ErrLauncher is the class of errors about a launcher's environment that cannot be used.
var ErrLauncher = errors.New("cannot join the job that the environment describes")

// findPlace reads the environment, in the order: our own launcher, PMI, schedulers, launchers we know but cannot use,
// none.
func findPlace(get func(string) string) (place, error) {
	switch {
	case get("WEFT_LAUNCHER") != "":
		return wefts(get)
	case get("PMI_FD") != "":
		return pmis(get)
	case get("PMI_PORT") != "" && get("PMI_ID") != "":
		return ported(get)
	}
	for _, look := range steps {
		if p, found, err := stepped(get, look); found {
			return p, err
		}
	}
	for _, f := range foreigners {
		size, ok := f.size(get)
		if ok && size != "1" {
			return place{starter: foreign}, fmt.Errorf("%w: %s has started this process as one of %s, but Weft cannot reach the others. %s",
				ErrLauncher, f.name, size, f.advice)
		}
	}
	return place{starter: alone, size: 1}, nil
}

// steps are the schedulers whose tasks can meet. Open MPI's mpirun comes first: inside an allocation it has Slurm start
// its daemons, whose place its ranks would take for their own.
var steps = []func(sched.Get) (sched.Step, bool, error){sched.OpenMPIStep, sched.SlurmStep, sched.KubernetesStep}

// stepped is the place of a process that one of them has started.
func stepped(get sched.Get, look func(sched.Get) (sched.Step, bool, error)) (p place, found bool, err error) {
	s, found, err := look(get)
	switch {
	case !found:
		return p, false, nil
	case err != nil:
		err = fmt.Errorf("%w. Use srun or weft run, or unset SLURM_STEP_ID, OMPI_COMM_WORLD_SIZE and JOB_COMPLETION_INDEX to run alone", err)
	case s.Size == 1:
		return place{starter: alone, size: 1}, true, nil
	case get(joinedVariable) == s.Name:
		err = errors.New("programs that a rank starts cannot join its job; unset SLURM_STEP_ID and OMPI_COMM_WORLD_SIZE for them, or start them with weft run")
	case s.Leader == "localhost" && !s.OneHost:
		err = fmt.Errorf("%s has started this process as one of %d on several hosts, and Weft does not speak PMIx, by which they would find each other. "+
			"Use: weft run --hostfile FILE program", s.By, s.Size)
	}
	if err != nil {
		return place{starter: byStep}, true, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	return place{starter: byStep, rank: s.Rank, size: s.Size, step: &s, cpus: clock.CPUs(), hosts: 1, local: everybody(s.Size)}, true, nil
}

// joinedVariable is set for programs that a rank starts, which find the variables of its launcher, too: to the name of
// its job, or to what it is called at which port.
const joinedVariable = "WEFT_JOINED"

type foreigner struct {
	name   string
	size   func(get func(string) string) (string, bool)
	advice string
}

// foreigners are launchers that start several processes without a way for us to join them.
var foreigners = []foreigner{
	{"a PMIx launcher", func(get func(string) string) (string, bool) {
		return "several", get("PMIX_RANK") != "" && get("PMIX_NAMESPACE") != "" && get("OMPI_COMM_WORLD_SIZE") == "" && get("SLURM_STEP_ID") == ""
	}, "Use: weft run -n N program, or under Slurm: srun."},
}

func wefts(get func(string) string) (place, error) {
	p := place{starter: byWeft, host: get("WEFT_HOST")}
	var err error
	for _, v := range []struct {
		name string
		dst  *int
		low  int
	}{{"WEFT_RANK", &p.rank, 0}, {"WEFT_SIZE", &p.size, 1}, {"PMI_FD", &p.pmiFD, 0}, {"WEFT_SHM_FD", &p.shmFD, 0}} {
		err = errors.Join(err, number(get, v.name, v.dst, v.low))
	}
	if p.cpus = clock.CPUs(); get("WEFT_LOCAL_CPUS") != "" { // a bound rank sees its own share only
		err = errors.Join(err, number(get, "WEFT_LOCAL_CPUS", &p.cpus, 1))
	}
	if err == nil && p.rank >= p.size {
		err = fmt.Errorf("WEFT_RANK=%d is not below WEFT_SIZE=%d", p.rank, p.size)
	}
	if err == nil {
		err = p.neighbours(get)
	}
	if err != nil {
		err = fmt.Errorf("%w: weft run's variables are damaged: %w. Unset WEFT_LAUNCHER to run alone", ErrLauncher, err)
	}
	return p, err
}

// neighbours reads which ranks share this host.
func (p *place) neighbours(get func(string) string) (err error) {
	p.hosts = 1
	if get("WEFT_HOSTS") != "" {
		if err := number(get, "WEFT_HOSTS", &p.hosts, 1); err != nil {
			return err
		}
	}
	if p.hosts > 1 {
		if err := number(get, "WEFT_NODE", &p.node, 0); err != nil {
			return err
		}
	}
	if p.local, err = pmi.ParseRanks(get("WEFT_LOCAL_RANKS"), p.size); err != nil {
		return fmt.Errorf("WEFT_LOCAL_RANKS: %w", err)
	}
	if p.local == nil && p.hosts == 1 {
		p.local = everybody(p.size)
	}
	if p.localRank() < 0 {
		return fmt.Errorf("WEFT_LOCAL_RANKS=%q does not name rank %d itself", get("WEFT_LOCAL_RANKS"), p.rank)
	}
	return nil
}

func everybody(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func pmis(get func(string) string) (place, error) {
	p := place{starter: byPMI, cpus: clock.CPUs()}
	err := errors.Join(number(get, "PMI_FD", &p.pmiFD, 0), number(get, "PMI_RANK", &p.rank, 0), number(get, "PMI_SIZE", &p.size, 1))
	if err == nil && p.rank >= p.size {
		err = fmt.Errorf("PMI_RANK=%d is not below PMI_SIZE=%d", p.rank, p.size)
	}
	if err != nil {
		err = fmt.Errorf("%w: PMI variables are damaged: %w. Unset PMI_FD to run alone", ErrLauncher, err)
	}
	p.hosts, p.local = 1, everybody(p.size)
	return p, err
}

// ported is the place of a process whose launcher listens. Which rank it is the launcher says when it is asked.
func ported(get func(string) string) (place, error) {
	p := place{starter: byPMI, port: get("PMI_PORT"), id: get("PMI_ID"), cpus: clock.CPUs()}
	if get(joinedVariable) == p.portName() {
		return p, fmt.Errorf("%w: programs that a rank starts cannot join its job; unset PMI_PORT and PMI_ID for them, or start them with weft run", ErrLauncher)
	}
	return p, nil
}

// portName is what programs that this process starts find in joinedVariable.
func (p *place) portName() string { return p.id + "@" + p.port }

func number(get func(string) string, name string, dst *int, low int) error {
	v := get(name)
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > 1<<20 {
		return fmt.Errorf("%s=%q is not a number from %d up", name, v, low)
	}
	*dst = n
	return nil
}
