package sched

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/launch/hosts"
)

// Allocation is what a scheduler has given to a script or a shell, for programs to be started on.
type Allocation struct {
	By      string // whose it is, for people
	Hosts   []hosts.Host
	Starter *Starter // how to reach them; nil: by ssh
}

// Has tells whether all hosts of a list are of the allocation.
func (a *Allocation) Has(list []hosts.Host) bool {
	for _, h := range list {
		if !slices.ContainsFunc(a.Hosts, func(own hosts.Host) bool { return own.Name == h.Name }) {
			return false
		}
	}
	return true
}

// Starter is a scheduler's own command that runs others on hosts of an allocation.
type Starter struct {
	Name string   // for people
	Less []string // variables that would have it do something else
	line func(h hosts.Host, script string) []string
}

// Line returns the words that run others on a host. A shell there reads them, as with ssh.
func (s *Starter) Line(h hosts.Host, run ...string) []string {
	return s.line(h, strings.Join(run, " "))
}

// interactive is the number of the step in which Slurm may run the shell of salloc.
const interactive = "4294967290"

// SlurmAllocation is that of salloc or sbatch; nil where there is none, as in a step, which has what it has been given.
func SlurmAllocation(get Get) (*Allocation, error) {
	id := get("SLURM_JOB_ID")
	if step := get("SLURM_STEP_ID"); id == "" || step != "" && step != interactive {
		return nil, nil
	}
	a := &Allocation{By: "Slurm"}
	groups := map[string]int{}
	var err error
	if size := get("SLURM_HET_SIZE"); size != "" {
		var n int
		err = number(get, "SLURM_HET_SIZE", &n, 1)
		for i := 0; i < n && err == nil; i++ {
			suffix := fmt.Sprintf("_HET_GROUP_%d", i)
			before := len(a.Hosts)
			err = a.add(get, "SLURM_JOB_NODELIST"+suffix, "SLURM_TASKS_PER_NODE"+suffix)
			for _, h := range a.Hosts[before:] {
				groups[h.Name] = i
			}
		}
	} else {
		err = a.add(get, "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE")
	}
	if _, bad := strconv.Atoi(id); bad != nil {
		err = errors.Join(err, fmt.Errorf("SLURM_JOB_ID=%q is no number", id))
	}
	if err != nil {
		return nil, fmt.Errorf("the variables of Slurm's allocation are damaged: %w", err)
	}
	a.Hosts = hosts.Merge(a.Hosts)
	a.Starter = &Starter{Name: "srun", Less: slurmsWishes, line: func(h hosts.Host, script string) []string {
		line := []string{"srun", "--nodes=1", "--ntasks=1", "--ntasks-per-node=1", "--nodelist=" + h.Name, "--overlap", "--mpi=none", "--cpu-bind=none",
			"--distribution=block", "--unbuffered", "--quiet", "--export=ALL"}
		if len(groups) > 0 {
			line = append(line, fmt.Sprintf("--het-group=%d", groups[h.Name]))
		}
		return append(line, "/bin/sh", "-c", script)
	}}
	return a, nil
}

// slurmsWishes are variables that srun takes for options that were meant for the user's own programs.
var slurmsWishes = []string{"SLURM_LABELIO", "SLURM_STDINMODE", "SLURM_STDOUTMODE", "SLURM_STDERRMODE", "SLURM_HOSTFILE", "SLURM_EXACT", "SLURM_EXCLUSIVE",
	"SLURM_MULTI_PROG", "SLURM_THREADS", "SLURM_CPUS_PER_TASK", "SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE", "SLURM_NTASKS_PER_CORE",
	"SLURM_NTASKS_PER_SOCKET", "SLURM_WORKING_DIR", "SLURM_KILL_BAD_EXIT", "SLURM_TASK_PROLOG", "SLURM_TASK_EPILOG", "SLURM_WAIT", "SLURM_EXPORT_ENV"}

// add adds hosts with their slots.
func (a *Allocation) add(get Get, list, slots string) error {
	names, err := NodeList(get(list))
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	counts, err := Counts(get(slots))
	if err != nil {
		return fmt.Errorf("%s: %w", slots, err)
	}
	if len(counts) != len(names) {
		return fmt.Errorf("%s has %d hosts, %s numbers for %d", list, len(names), slots, len(counts))
	}
	for i, name := range names {
		a.Hosts = append(a.Hosts, hosts.Host{Name: name, Slots: counts[i]})
	}
	return nil
}
