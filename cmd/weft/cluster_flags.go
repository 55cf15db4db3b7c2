package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/cluster"
)

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// clusterOptions are the options of a command of "weft cluster".
type clusterOptions struct {
	flags *flag.FlagSet
	name  string

	// Of a cluster to be made.
	rails, mtu          int
	rate, loss, offload string
	hosts               string // of run

	all   bool // of down
	json  bool // of status
	slots int  // of hostfile
	rail  int  // of what is done to wires
}

const defaultCluster = "weft"

// newClusterOptions returns the options that the command word takes; of no word, those that all take.
func newClusterOptions(word string) *clusterOptions {
	o := &clusterOptions{flags: newFlags("cluster " + word), rail: cluster.AllRails}
	f := o.flags
	if word != "list" {
		f.StringVar(&o.name, "name", defaultCluster, "the cluster of this `NAME` (default weft)")
	}
	switch word {
	case "up":
		o.describe()
	case "run":
		o.describe()
		f.StringVar(&o.hosts, "hosts", "2", "`N` hosts (default 2)")
	case "down":
		f.BoolVar(&o.all, "all", false, "end every cluster")
	case "status":
		f.BoolVar(&o.json, "json", false, "print JSON")
	case "hostfile":
		f.IntVar(&o.slots, "slots", 1, "`N` slots on each host (default 1)")
	case "loss", "rate", "cut", "heal":
		f.IntVar(&o.rail, "rail", cluster.AllRails, "only the wire of interface `R`, from 0 on")
	}
	return o
}

// describe adds the options that describe a cluster to be made.
func (o *clusterOptions) describe() {
	o.flags.IntVar(&o.rails, "rails", 1, "`N` interfaces of every host, 1 to 8 (default 1)")
	o.flags.IntVar(&o.mtu, "mtu", 1500, "the largest packet has `N` bytes (default 1500)")
	o.flags.StringVar(&o.rate, "rate", "off", "`RATE`: speed of every wire, each way, such as 1gbit")
	o.flags.StringVar(&o.loss, "loss", "off", "`PERCENT`: packets lost on every wire, each way, such as 1%")
	o.flags.StringVar(&o.offload, "offload", "on", "`on|off`: off: one packet of the kernel is one on the wire (default on)")
}

// parse reads options and words in any order and returns the words.
func (o *clusterOptions) parse(args []string) (words []string, err error) {
	for {
		switch err := o.flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			return nil, err
		case err != nil:
			return nil, usageError{err}
		}
		if o.flags.NArg() == 0 {
			return words, nil
		}
		words = append(words, o.flags.Arg(0))
		args = o.flags.Args()[1:]
	}
}

func (o *clusterOptions) parseNone(args []string) error {
	words, err := o.parse(args)
	if err == nil && len(words) > 0 {
		err = usageError{fmt.Errorf("%q is not understood", words[0])}
	}
	return err
}

// configFor is the configuration that the options describe, for so many hosts.
func (o *clusterOptions) configFor(hosts string) (cluster.Config, error) {
	c := cluster.Config{Rails: o.rails, MTU: o.mtu}
	var err error
	if c.Hosts, err = strconv.Atoi(hosts); err != nil {
		return c, usageError{fmt.Errorf("%q is no number of hosts", hosts)}
	}
	if c.Rate, err = cluster.ParseBitRate(o.rate); err != nil {
		return c, usageError{err}
	}
	if c.Loss, err = cluster.ParsePercent(o.loss); err != nil {
		return c, usageError{err}
	}
	switch o.offload {
	case "on":
	case "off":
		c.NoOffload = true
	default:
		return c, usageError{fmt.Errorf("--offload is on or off, not %q", o.offload)}
	}
	c.Path, err = toolPath()
	return c, err
}

// nameFlag repeats --name where it matters.
func (o *clusterOptions) nameFlag() string {
	if o.name == defaultCluster {
		return ""
	}
	return " --name " + o.name
}

// split parts the words of "weft cluster run" into its own options and those of "weft run", which begin with the
// first that is not its own.
func (o *clusterOptions) split(args []string) (own, rest []string) {
	for i := 0; i < len(args); {
		name, isFlag := strings.CutPrefix(args[i], "-")
		name = strings.TrimPrefix(name, "-")
		name, _, hasValue := strings.Cut(name, "=")
		if !isFlag || o.flags.Lookup(name) == nil && name != "h" && name != "help" {
			return args[:i], args[i:]
		}
		i++
		if !hasValue {
			i++
		}
	}
	return args, nil
}
