package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/sched"
	"github.com/weft-mpi/weft/internal/userfile"
)

// reachOptions are the options about other hosts.
type reachOptions struct {
	hosts     []string // as given by -host
	hostFiles []string
	perNode   int // 0 means not said
	policy    hosts.Policy

	ssh      string // "" means WEFT_SSH, or ssh
	sshArgs  []string
	waitSaid bool
}

// hostFileVariables name the host file of cluster tools that do not pass it as an option, in the order they are asked.
var hostFileVariables = []string{"OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile", "HYDRA_HOST_FILE",
	"I_MPI_HYDRA_HOST_FILE"}

// sshArgVariables hold further words for ssh from the same tools.
var sshArgVariables = []string{"OMPI_MCA_plm_rsh_args", "PRTE_MCA_plm_ssh_args", "HYDRA_LAUNCH_EXTRA_ARGS"}

// operatorWait is how long hosts are waited for that a cluster tool has listed: it starts them all at once.
const operatorWait = time.Minute

// hostList reads the hosts the user named, by flag or file, or else those of the variables that cluster
// tools set. found says that it was such a variable.
func (o *runOptions) hostList(getenv func(string) string) (list []hosts.Host, found bool, err error) {
	for _, word := range o.reach.hosts {
		more, err := hosts.Parse(word)
		if err != nil {
			return nil, false, fmt.Errorf("--host: %w", err)
		}
		list = append(list, more...)
	}
	files := o.reach.hostFiles
	for i := 0; i < len(hostFileVariables) && len(list)+len(files) == 0; i++ {
		if path := getenv(hostFileVariables[i]); path != "" {
			files, found = []string{path}, true
		}
	}
	for _, path := range files {
		more, err := readHostFile(path)
		if err != nil {
			return nil, false, err
		}
		list = append(list, more...)
	}
	return hosts.Merge(list), found, nil
}

// allocated has a job run on what a scheduler has given, unless the user names other hosts. The scheduler's own command
// starts it there, unless the user names another.
func (o *runOptions) allocated(getenv func(string) string, list *[]hosts.Host, found bool) (*sched.Starter, error) {
	a, err := sched.Find(getenv, userfile.Read)
	if err != nil {
		return nil, err
	}
	switch {
	case a == nil, found:
		return nil, nil
	case len(*list) == 0:
		*list = a.Hosts
	case !a.Has(*list):
		return nil, nil
	}
	if o.reach.ssh != "" || getenv("WEFT_SSH") != "" {
		return nil, nil
	}
	return a.Starter, nil
}

func readHostFile(path string) ([]hosts.Host, error) {
	text, err := userfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the host file: %w", err)
	}
	list, err := hosts.ParseFile(text)
	if err != nil {
		return nil, fmt.Errorf("host file %s: %w", path, err)
	}
	return list, nil
}

// place decides how many ranks each program has and where they run. list is empty for this host alone.
func (o *runOptions) place(job *launch.Job, list []hosts.Host, cpus int) error {
	total := 0
	for i, a := range o.apps {
		n := a.ranks
		if n == 0 && (len(o.apps) > 1 || len(list) == 0) {
			n = o.defaultRanks(cpus)
		}
		job.Specs[i].N = n
		total += n
	}
	here := total
	if len(list) > 0 {
		node, err := hosts.Place(list, hosts.Request{Ranks: total, Policy: o.reach.policy, PerNode: o.reach.perNode,
			Oversubscribe: o.oversubscribe})
		if err != nil {
			return err
		}
		if total == 0 {
			job.Specs[0].N = len(node)
		}
		job.Hosts, job.Node = list, node
		here = ranksHere(list, node)
	} else if n := o.reach.perNode; n > 0 && total > n && !o.oversubscribe {
		return fmt.Errorf("%d ranks at %d per host need %d hosts; name them with --host or --hostfile", total, n, (total+n-1)/n)
	}
	return o.checkSlots(here, cpus)
}

// ranksHere counts the ranks on this host.
func ranksHere(list []hosts.Host, node []int) int {
	count := make([]int, len(list))
	for _, i := range node {
		count[i]++
	}
	n := 0
	for i, h := range list {
		if count[i] > 0 && hosts.Here(h.Name) {
			n += count[i]
		}
	}
	return n
}

// defaultRanks is the number of ranks of a program without -n, where no host has slots.
func (o *runOptions) defaultRanks(cpus int) int {
	switch {
	case len(o.apps) > 1:
		return 1
	case o.reach.perNode > 0:
		return o.reach.perNode
	}
	return cpus
}

// reachHosts fills in how other hosts are reached.
func (o *runOptions) reachHosts(job *launch.Job, getenv func(string) string, found bool) {
	job.Version = version()
	command := o.reach.ssh
	if command == "" {
		command = getenv("WEFT_SSH")
	}
	job.SSH = strings.Fields(command)
	job.SSHArgs = o.reach.sshArgs
	if len(job.SSH) == 0 && found {
		for _, name := range sshArgVariables {
			job.SSHArgs = append(job.SSHArgs, strings.Fields(getenv(name))...)
		}
	}
	if found && !o.reach.waitSaid {
		job.WaitHosts = operatorWait
	}
}

// goVariables steer the Go runtime; people set them for a command and mean its ranks, wherever they are.
var goVariables = keepOnly("GOMAXPROCS,GOGC,GOMEMLIMIT,GODEBUG,GOTRACEBACK")

// keepAway are the variables that describe this host or this session. They are never sent, even when all are asked for.
var keepAway = keepOnly("HOME,USER,LOGNAME,SHELL,PWD,OLDPWD,TMPDIR,HOSTNAME,MAIL,SHLVL,_,DISPLAY,TERM,WEFT_SSH")

// remoteEnvironment returns what ranks on other hosts get in addition to the environment of those hosts: settings of
// Weft and of the Go runtime, or what -genvlist and its like ask for, and whatever is set on the command line.
func (o *runOptions) remoteEnvironment(environ []string, a app) []string {
	keep := o.keepEnv
	if a.keepEnv != nil {
		keep = a.keepEnv
	}
	if keep == nil {
		keep = func(name string) bool { return strings.HasPrefix(name, "WEFT_") || goVariables(name) }
	}
	return o.edited(environ, a, func(name string) bool {
		return keep(name) && !keepAway(name) && !strings.HasPrefix(name, "SSH_") && !strings.HasPrefix(name, "XDG_")
	})
}

// portRange checks the value of --port-range.
func portRange(text string) (string, error) {
	low, high, ok := strings.Cut(text, "-")
	first, err1 := strconv.Atoi(low)
	last, err2 := strconv.Atoi(high)
	if !ok || err1 != nil || err2 != nil || first < 1 || last > 65535 || first > last {
		return "", fmt.Errorf("%q is no range of ports; write it as 20000-20100", text)
	}
	return "WEFT_PORTS=" + text, nil
}

// fanOut reads the value of --fan-out.
func fanOut(text string) (int, error) {
	switch text {
	case "auto":
		return 0, nil
	case "all":
		return launch.Star, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > launch.JobMax {
		return 0, fmt.Errorf("%q is neither auto, all nor a number of agents that a host can start", text)
	}
	return n, nil
}

// stage reads the value of --stage.
func stage(text string) (launch.Stage, error) {
	stages := map[string]launch.Stage{"auto": launch.StageAuto, "always": launch.StageAlways, "never": launch.StageNever}
	s, known := stages[text]
	if !known {
		return s, fmt.Errorf("%q is neither auto, always nor never", text)
	}
	return s, nil
}
