package sched

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Step is the place of a process among those that a scheduler has started together.
type Step struct {
	By         string // who has started it, for people
	Name       string // the same for all ranks, and for no other job of the cluster
	Rank, Size int
	Leads      bool   // the others look for this one
	Leader     string // its host, by a name that all hosts of the job know
	OneHost    bool   // all are on the host of the leader
	Ports      []int  // where the leader listens: the first that is free
}

// Get looks a variable of the environment up.
type Get func(name string) string

// SlurmStep is the place of a task that srun has started, whatever its --mpi; found is false for others. The leader is
// the first task of the host that is listed first, which is not always that of rank 0, nor the one with number 0.
func SlurmStep(get Get) (s Step, found bool, err error) {
	if get("SLURM_STEP_ID") == "" || get("SLURM_PROCID") == "" || get("SLURM_STEP_NUM_TASKS") == "" {
		return s, false, nil // a batch script has some of them, too
	}
	s = Step{By: "Slurm's srun", Name: strings.Join([]string{"slurm", get("SLURM_CLUSTER_NAME"), get("SLURM_JOB_ID"), get("SLURM_STEP_ID"),
		get("SLURM_RESTART_COUNT")}, ".")}
	var node, local, hosts int
	err = errors.Join(number(get, "SLURM_PROCID", &s.Rank, 0), number(get, "SLURM_STEP_NUM_TASKS", &s.Size, 1), number(get, "SLURM_NODEID", &node, 0),
		number(get, "SLURM_LOCALID", &local, 0), number(get, "SLURM_STEP_NUM_NODES", &hosts, 1))
	if err == nil && s.Rank >= s.Size {
		err = fmt.Errorf("SLURM_PROCID=%d is not below SLURM_STEP_NUM_TASKS=%d", s.Rank, s.Size)
	}
	var nodes []string
	if err == nil {
		nodes, err = NodeList(get("SLURM_STEP_NODELIST"))
	}
	if err == nil {
		first := node == 0
		if name := get("SLURMD_NODENAME"); name != "" {
			first = name == nodes[0]
		}
		s.Leads, s.Leader, s.OneHost = first && local == 0, nodes[0], hosts == 1
		s.Ports, err = ports(get("SLURM_STEP_RESV_PORTS"), s.Name)
	}
	if err != nil {
		err = fmt.Errorf("srun's variables are damaged: %w", err)
	}
	return s, true, err
}

// Ports that jobs meet at whom nobody has given any: below those that systems hand out by themselves. With this many
// of them one is free, though other jobs, and users who mean harm, may have taken some.
const (
	firstPort = 20000
	lastPort  = 32000
	portsMany = 16
)

// ports are those given, as in 12004-12007, or some that follow from the name of the job.
func ports(given, name string) ([]int, error) {
	var all []int
	if given == "" {
		for i := range portsMany {
			h := fnv.New32a()
			fmt.Fprintf(h, "%s/%d", name, i)
			all = append(all, firstPort+int(h.Sum32()%(lastPort-firstPort)))
		}
		return all, nil
	}
	words, err := expandNumbers(given)
	for _, word := range words[:min(len(words), portsMany)] {
		port, e := strconv.ParseUint(word, 10, 16)
		if e != nil || port == 0 {
			err = errors.Join(err, fmt.Errorf("%q is no port", word))
		}
		all = append(all, int(port))
	}
	return all, err
}

func number(get Get, name string, dst *int, low int) error {
	v := get(name)
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > 1<<20 {
		return fmt.Errorf("%s=%q is not a number from %d up", name, v, low)
	}
	*dst = n
	return nil
}
