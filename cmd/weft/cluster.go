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
)

const clusterHelp = `weft cluster makes a cluster in a box: hosts with their own addresses, processes and ssh servers on this machine.

  weft cluster up N               make hosts h0 to hN-1, which stay until down
      --rails R                   interfaces of every host, 1 to 8 (default 1)
      --rate 1gbit                speed of every wire, each way
      --loss 1%                   packets lost on every wire, each way
      --mtu 9000                  largest packet (default 1500)
      --offload off               one packet of the kernel is one on the wire
  weft cluster down               end it; --all ends every cluster
  weft cluster status             hosts, wires, what was done to them; --json
  weft cluster list               names of the clusters of this machine
  weft cluster hostfile           hosts for weft run --hostfile; --slots N each
  weft cluster exec HOST CMD...   run a command on a host, in this directory
  weft cluster shell HOST         work on a host
  weft cluster loss HOST PCT      lose packets (off ends it)
  weft cluster rate HOST RATE     limit the speed (off ends it)
  weft cluster cut HOST           unplug the wires
  weft cluster heal HOST          plug them in
  weft cluster kill HOST          end all processes at once
  weft cluster crash HOST         the same, but unplugged first: nobody is told
  weft cluster boot HOST          start a host that was killed or crashed
  weft cluster run -n 4 ./prog    make a cluster, weft run on it from h0, end it
      --hosts N                   its hosts (default 2), and the options of up

loss, rate, cut and heal work on every wire of the host, or on that of --rail R. Every command takes --name NAME for
a cluster of another name than weft. All need root.
`

// clusterCommand is "weft cluster".
func clusterCommand(args []string) int {
	if len(args) == 0 {
		fmt.Print(clusterHelp)
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
		fmt.Print(clusterHelp)
		return 0
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
	o := newClusterOptions()
	o.describe()
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
	o := newClusterOptions()
	all := o.flags.Bool("all", false, "")
	if err := o.parseNone(args); err != nil {
		return err
	}
	names := []string{o.name}
	if *all {
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
	if err := newClusterOptions().parseNone(args); err != nil {
		return err
	}
	names, err := cluster.Names()
	for _, name := range names {
		fmt.Println(name)
	}
	return err
}

func clusterStatus(args []string) error {
	o := newClusterOptions()
	asJSON := o.flags.Bool("json", false, "")
	if err := o.parseNone(args); err != nil {
		return err
	}
	status, err := cluster.Ask(o.name, cluster.Request{Op: cluster.OpShow})
	if err != nil {
		return err
	}
	if *asJSON {
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
	o := newClusterOptions()
	slots := o.flags.Int("slots", 1, "")
	if err := o.parseNone(args); err != nil {
		return err
	}
	if *slots < 1 {
		return usageError{fmt.Errorf("a host has at least one slot, not %d", *slots)}
	}
	status, err := cluster.Ask(o.name, cluster.Request{Op: cluster.OpShow})
	if err != nil {
		return err
	}
	fmt.Print(status.Hostfile(*slots))
	return nil
}

// clusterChange is every command that does something to a host.
func clusterChange(word string, args []string) error {
	op := cluster.Op(word)
	o := newClusterOptions()
	rail := cluster.AllRails
	wants := 1
	switch op {
	case cluster.OpLoss, cluster.OpRate:
		wants = 2
		fallthrough
	case cluster.OpCut, cluster.OpHeal:
		o.flags.IntVar(&rail, "rail", cluster.AllRails, "")
	case cluster.OpKill, cluster.OpCrash, cluster.OpBoot:
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
	r := cluster.Request{Op: op, Host: words[0], Rail: rail}
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
