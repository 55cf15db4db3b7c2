package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/usage"
)

const clusterAbout = `
Makes a cluster in a box: hosts with their own addresses, processes and ssh servers on this machine. All commands need root. loss, rate,
cut and heal work on every wire of the host, or on that of --rail.

  weft cluster up 3                                 hosts h0, h1 and h2
  weft cluster exec h0 weft run --host h1,h2 -n 4 ./prog
  weft cluster cut h1                               see what a job makes of it
  weft cluster down
`

// clusterPart is a word after "weft cluster".
type clusterPart struct {
	name, form, words, short string
	ends                     bool
	then                     string // the command whose options it takes, too
}

// clusterParts lists them in the order help shows them. Which options each takes is said by newClusterOptions.
var clusterParts = []clusterPart{
	{"up", "N [options]", "", "make hosts h0 to hN-1, which stay until down", false, ""},
	{"down", "[options]", "", "end it", false, ""},
	{"status", "[options]", "", "hosts, wires, what was done to them", false, ""},
	{"list", "", "", "names of the clusters of this machine", false, ""},
	{"hostfile", "[options]", "", "hosts for weft run --hostfile", false, ""},
	{"exec", "[options] HOST COMMAND...", "BOXHOST PROGRAM...", "run a command on a host, in this directory", true, ""},
	{"shell", "[options] HOST", "BOXHOST", "work on a host", false, ""},
	{"loss", "HOST PERCENT [options]", "BOXHOST off", "lose packets (off ends it)", false, ""},
	{"rate", "HOST RATE [options]", "BOXHOST off", "limit the speed (off ends it)", false, ""},
	{"cut", "HOST [options]", "BOXHOST", "unplug the wires", false, ""},
	{"heal", "HOST [options]", "BOXHOST", "plug them in", false, ""},
	{"kill", "HOST [options]", "BOXHOST", "end all processes at once", false, ""},
	{"crash", "HOST [options]", "BOXHOST", "the same, but unplugged first: nobody is told", false, ""},
	{"boot", "HOST [options]", "BOXHOST", "start a host that was killed or crashed", false, ""},
	{"run", "[options] PROGRAM...", "PROGRAM ARGUMENT...", "make a cluster, weft run on it from h0, end it; after these options those of weft run", true, "run"},
}

// aboutCluster describes "weft cluster".
func aboutCluster() usage.Command {
	c := usage.Command{Forms: []string{"COMMAND [options]"}, About: clusterAbout}
	c.Groups = []usage.Group{{Title: "options of all commands but list", Rows: usage.Flags(newClusterOptions("").flags)}}
	for _, p := range clusterParts {
		c.Parts = append(c.Parts, usage.Command{Name: "cluster " + p.name, Short: p.short, Forms: []string{p.form}, Words: p.words, Ends: p.ends, Then: p.then,
			Groups: flagGroup(newClusterOptions(p.name).flags)})
	}
	return c
}

// hostsOfBox are the hosts of the cluster that has the usual name, if there is one.
func hostsOfBox() (names []string) {
	status, err := cluster.Ask(defaultCluster, cluster.Request{Op: cluster.OpShow})
	if err != nil {
		return nil
	}
	for _, h := range status.Hosts {
		names = append(names, h.Name)
	}
	return names
}

// clusterCommand is "weft cluster".
func clusterCommand(args []string) int {
	if len(args) == 0 {
		showHelp("cluster")
		return codeUsage
	}
	var code int
	var err error
	switch word, rest := args[0], args[1:]; word {
	case "-h", "-help", "--help", "help":
		err = flag.ErrHelp
	case "up":
		err = clusterUp(rest)
	case "keep":
		err = clusterKeep()
	case "down":
		err = clusterDown(rest)
	case "status":
		err = clusterStatus(rest)
	case "list":
		err = clusterList(rest)
	case "hostfile":
		err = clusterHostfile(rest)
	case "exec", "shell":
		code, err = clusterExec(word, rest)
	case "run":
		code, err = clusterRun(rest)
	default:
		err = clusterChange(word, rest)
	}
	var usage usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("cluster")
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "weft cluster: %v\n(weft cluster -h shows the commands)\n", err)
		return codeUsage
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft cluster: %v\n", err)
		return max(1, code)
	}
	return code
}

// clusterKeep is the process in the background that "up" starts.
func clusterKeep() error {
	ctx, stop := untilSignal()
	defer stop()
	return cluster.Keep(ctx, os.Stdin, os.Stdout)
}

func clusterUp(args []string) error {
	o := newClusterOptions("up")
	words, err := o.parse(args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usageError{errors.New("say how many hosts: weft cluster up 4")}
	}
	config, err := o.configFor(words[0])
	if err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	keeper := exec.Command(exe, "cluster", "keep")
	keeper.Args[0] = "weft"
	status, err := cluster.Create(o.name, config, keeper)
	if err != nil {
		return err
	}
	last := status.Hosts[len(status.Hosts)-1]
	fmt.Printf("cluster %s: %s to %s, %d rail(s); try: weft cluster exec%s h0 ssh %s hostname\n",
		o.name, status.Hosts[0].Name, last.Name, config.Rails, o.nameFlag(), last.Name)
	return nil
}

func clusterDown(args []string) error {
	o := newClusterOptions("down")
	if err := o.parseNone(args); err != nil {
		return err
	}
	names := []string{o.name}
	if o.all {
		var err error
		if names, err = cluster.Names(); err != nil {
			return err
		}
	}
	for _, name := range names {
		if _, err := cluster.Ask(name, cluster.Request{Op: cluster.OpEnd}); err != nil {
			return err
		}
	}
	return nil
}

func clusterList(args []string) error {
	if err := newClusterOptions("list").parseNone(args); err != nil {
		return err
	}
	names, err := cluster.Names()
	for _, name := range names {
		fmt.Println(name)
	}
	return err
}

func clusterStatus(args []string) error {
	o := newClusterOptions("status")
	if err := o.parseNone(args); err != nil {
		return err
	}
	status, err := cluster.Ask(o.name, cluster.Request{Op: cluster.OpShow})
	if err != nil {
		return err
	}
	if o.json {
		text, err := json.MarshalIndent(status, "", "  ")
		fmt.Println(string(text))
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "host\tstate\tinterface\taddress\twire\tloss\trate")
	for _, h := range status.Hosts {
		state := "down"
		if h.Pid != 0 {
			state = fmt.Sprintf("up, process %d", h.Pid)
		}
		name := h.Name
		for _, w := range h.Wires {
			plug := "plugged"
			if w.Cut {
				plug = "cut"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%v%%\t%v\n", name, state, w.Interface, w.Address, plug, w.Loss, w.Rate)
			name, state = "", ""
		}
	}
	return table.Flush()
}

func clusterHostfile(args []string) error {
	o := newClusterOptions("hostfile")
	if err := o.parseNone(args); err != nil {
		return err
	}
	if o.slots < 1 {
		return usageError{fmt.Errorf("a host has at least one slot, not %d", o.slots)}
	}
	status, err := cluster.Ask(o.name, cluster.Request{Op: cluster.OpShow})
	if err != nil {
		return err
	}
	fmt.Print(status.Hostfile(o.slots))
	return nil
}

// clusterChange is every command that does something to a host.
func clusterChange(word string, args []string) error {
	op := cluster.Op(word)
	o := newClusterOptions(word)
	wants := 1
	switch op {
	case cluster.OpLoss, cluster.OpRate:
		wants = 2
	case cluster.OpCut, cluster.OpHeal, cluster.OpKill, cluster.OpCrash, cluster.OpBoot:
	default:
		return usageError{fmt.Errorf("there is no command %q", word)}
	}
	words, err := o.parse(args)
	if err != nil {
		return err
	}
	if len(words) != wants {
		return usageError{fmt.Errorf("%s takes a host%s, not %q", word, [...]string{"", "", " and a value"}[wants], strings.Join(words, " "))}
	}
	r := cluster.Request{Op: op, Host: words[0], Rail: o.rail}
	switch op {
	case cluster.OpLoss:
		r.Loss, err = cluster.ParsePercent(words[1])
	case cluster.OpRate:
		r.Rate, err = cluster.ParseBitRate(words[1])
	}
	if err != nil {
		return usageError{err}
	}
	_, err = cluster.Ask(o.name, r)
	return err
}

// toolPath is the PATH of commands that come to a host by ssh: weft itself is found, then whatever is found here.
func toolPath() (string, error) {
	exe, err := os.Executable()
	return filepath.Dir(exe) + string(filepath.ListSeparator) + os.Getenv("PATH"), err
}
