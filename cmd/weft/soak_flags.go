package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/soak"
	"github.com/weft-mpi/weft/internal/usage"
)

const soakAbout = `
Keeps a job busy with random messages and checks every byte: sends of all kinds and sizes, receives with and without
wildcards, probes, withdrawn receives and collectives, on the world and on parts of it. Ends with code 0 if every message
arrived once, whole and in order.

  weft soak                                   4 ranks on this host for a minute
  weft soak -n 8 --time 10m --host h1,h2      8 ranks on two hosts
  weft soak --set links=rail,channel=ud       over the network even on one host, by datagrams
  weft soak --seed 42 --rounds 1000           the same messages again
  weft soak --box --time 1h                   three hosts on this machine, on wires that fail (needs root)
`

// aboutSoak describes "weft soak".
func aboutSoak() usage.Command {
	return usage.Command{Forms: []string{"[options]"}, About: soakAbout, Groups: flagGroup(newSoakOptions().flags())}
}

// soakOptions is a checked command line of "weft soak".
type soakOptions struct {
	ranks     int
	hosts     []string
	hostFiles []string
	time      time.Duration
	rounds    int
	seed      uint64
	limit     time.Duration
	settings  []string // name=value
	json      bool
	quiet     bool

	box  bool
	legs []soak.Leg
	leg  time.Duration
}

// Unless the user says otherwise.
const (
	soakRanks = 4
	boxRanks  = 6
	boxLimit  = 2 * time.Minute
)

func (o *soakOptions) config() soak.Config {
	return soak.Config{Seed: o.seed, Time: o.time, Rounds: o.rounds, Limit: o.limit}
}

func newSoakOptions() *soakOptions {
	return &soakOptions{seed: uint64(rand.Uint32()), time: time.Minute}
}

// flags declares the options.
func (o *soakOptions) flags() *flag.FlagSet {
	f := newFlags("soak")
	f.Func("n", "start `N` ranks (default 4, with hosts one per slot; with --box 6)", count(&o.ranks, 1, launch.JobMax))
	f.Func("host", "`HOST[:N],...`: run on these hosts, as in weft run", appendTo(&o.hosts))
	f.Func("hostfile", "the same from `FILE`", appendTo(&o.hostFiles))
	f.Func("time", "go on for this `TIME` (default 1m)", positive(&o.time))
	f.Func("rounds", "`N` rounds instead", count(&o.rounds, 0, 1<<30))
	f.Uint64Var(&o.seed, "seed", o.seed, "`N`: which messages (default: others every time; the seed is printed)")
	f.Func("limit", "a round that takes longer than `TIME` counts as stuck (default 1m, with --box 2m)", positive(&o.limit))
	f.Func("set", "`NAME=VALUE,...`: settings of Weft for the ranks; may be repeated", func(text string) error {
		more, err := settingsOf(text)
		o.settings = append(o.settings, more...)
		return err
	})
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	f.BoolVar(&o.quiet, "quiet", false, "no lines about the progress")
	f.BoolVar(&o.box, "box", false, "three hosts on this machine, on wires that fail (needs root)")
	f.Func("legs", "`LEG,...`: with --box: channels and ways of long messages to try in turn, as in srq/rget,ud/rput (default: all pairs)", func(text string) (err error) {
		o.legs, err = soak.ParseLegs(text)
		return err
	})
	f.Func("leg", "with --box: each is tried for this `TIME` (default: an equal share, 5s to 1m)", positive(&o.leg))
	return f
}

// parseSoak reads the words after "weft soak".
func parseSoak(args []string) (*soakOptions, error) {
	o := newSoakOptions()
	f := o.flags()
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not understood", f.Arg(0))
	}
	return o, o.complete()
}

// complete refuses what contradicts itself and fills in what was not said.
func (o *soakOptions) complete() error {
	switch {
	case o.box && len(o.hosts)+len(o.hostFiles) > 0:
		return errors.New("--box makes its own hosts: leave out --host and --hostfile")
	case o.box && o.rounds > 0:
		return errors.New("--box goes by --time, not by --rounds")
	case !o.box && (len(o.legs) > 0 || o.leg > 0):
		return errors.New("--legs and --leg go with --box; otherwise use --set channel=NAME,rndv=NAME")
	}
	if o.limit == 0 {
		o.limit = time.Minute
		if o.box {
			o.limit = boxLimit
		}
	}
	if o.box && o.ranks == 0 {
		o.ranks = boxRanks
	}
	return nil
}

func appendTo(list *[]string) func(string) error {
	return func(text string) error {
		if text == "" {
			return errors.New("empty name")
		}
		*list = append(*list, text)
		return nil
	}
}

// positive reads a time in Go's notation or in seconds.
func positive(into *time.Duration) func(string) error {
	return func(text string) (err error) {
		*into, err = parseSeconds(text)
		return err
	}
}

// anyTime is positive, or no time at all.
func anyTime(into *time.Duration) func(string) error {
	return func(text string) error {
		if text == "0" {
			*into = 0
			return nil
		}
		return positive(into)(text)
	}
}
