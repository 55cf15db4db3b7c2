package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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
}

const defaultCluster = "weft"

func newClusterOptions() *clusterOptions {
	o := &clusterOptions{flags: flag.NewFlagSet("weft cluster", flag.ContinueOnError)}
	o.flags.SetOutput(io.Discard)
	o.flags.StringVar(&o.name, "name", defaultCluster, "")
	return o
}

// describe adds the options that describe a cluster to be made.
func (o *clusterOptions) describe() {
	o.flags.IntVar(&o.rails, "rails", 1, "")
	o.flags.IntVar(&o.mtu, "mtu", 1500, "")
	o.flags.StringVar(&o.rate, "rate", "off", "")
	o.flags.StringVar(&o.loss, "loss", "off", "")
	o.flags.StringVar(&o.offload, "offload", "on", "")
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
