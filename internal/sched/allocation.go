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

// Find looks for an allocation of any scheduler; nil where there is none. read reads a file.
func Find(get Get, read func(path string) ([]byte, error)) (*Allocation, error) {
	a, err := SlurmAllocation(get)
	if a == nil && err == nil {
		a, err = pbsAllocation(get, read)
	}
	if a == nil && err == nil {
		a, err = lsfAllocation(get)
	}
	return a, err
}

// pbsAllocation is that of a job of PBS Pro, OpenPBS or Torque: a file names its hosts, each once for every slot.
func pbsAllocation(get Get, read func(path string) ([]byte, error)) (*Allocation, error) {
	path := get("PBS_NODEFILE")
	if path == "" || get("PBS_JOBID") == "" {
		return nil, nil
	}
	text, err := read(path)
	var list []hosts.Host
	if err == nil {
		list, err = hosts.ParseFile(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the hosts of the PBS job, in PBS_NODEFILE=%s: %w; unset PBS_JOBID to do without them", path, err)
	}
	for i := range list {
		list[i].Slots = max(list[i].Slots, 1) // one that is named once
	}
	return &Allocation{By: "PBS", Hosts: list}, nil
}

// lsfAllocation is that of a job of LSF, which names its hosts with their slots: h1 4 h2 2.
func lsfAllocation(get Get) (*Allocation, error) {
	words := strings.Fields(get("LSB_MCPU_HOSTS"))
	if len(words) == 0 || get("LSB_JOBID") == "" {
		return nil, nil
	}
	var list []hosts.Host
	var err error
	for i := 0; i < len(words) && err == nil; i += 2 {
		var h []hosts.Host
		if h, err = hosts.Parse(strings.Join(words[i:min(i+2, len(words))], ":")); err == nil && (len(h) != 1 || h[0].Slots == 0) {
			err = fmt.Errorf("%q lacks a number", words[i])
		}
		list = append(list, h...)
	}
	if err != nil {
		return nil, fmt.Errorf("the hosts of the LSF job, LSB_MCPU_HOSTS=%.100q: %w; unset LSB_JOBID to do without them", get("LSB_MCPU_HOSTS"), err)
	}
	return &Allocation{By: "LSF", Hosts: hosts.Merge(list)}, nil
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
		return nil, fmt.Errorf("the variables of Slurm's allocation are damaged: %w; unset SLURM_JOB_ID to do without it", err)
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
