package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/soak"
	"github.com/weft-mpi/weft/mpi"
)

// soakCommand is "weft soak". Inside a job it is one rank of it; otherwise it starts a job, or with --box several.
func soakCommand(args []string) int {
	o, err := parseSoak(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("soak")
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft soak: %v\n(weft soak -h shows the options)\n", err)
		return codeUsage
	}
	code := 0
	switch {
	case insideJob():
		err = soakRank(o)
	case o.box:
		err = soakBox(o)
	default:
		code, err = soakHere(o)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "weft soak: %v\n", err)
		return max(1, code)
	}
	return code
}

// soakRank is the life of a rank.
func soakRank(o *soakOptions) error {
	world, err := mpi.Init()
	if err != nil {
		return err
	}
	cfg := o.config()
	if !o.quiet {
		cfg.Progress = os.Stderr
	}
	sum, err := soak.Run(world, cfg)
	if err != nil {
		return err
	}
	if world.Rank() == 0 {
		if err := printSummary(o, sum); err != nil {
			return err
		}
	}
	return mpi.Finalize()
}

func printSummary(o *soakOptions, sum soak.Summary) error {
	if !o.json {
		_, err := fmt.Printf("seed %d, %d ranks: %v; every message was right\n", sum.Seed, sum.Ranks, sum)
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(sum)
}

// soakHere starts this program as the ranks of a job, as "weft run" would.
func soakHere(o *soakOptions) (int, error) {
	words, err := o.runWords()
	if err != nil {
		return 0, err
	}
	run, err := parseRun(words)
	if err != nil {
		return 0, err
	}
	job, err := run.makeJob(os.Environ())
	if err != nil {
		return 0, err
	}
	return launch.Run(context.Background(), job)
}

// runWords are the words for "weft run" that start the ranks.
func (o *soakOptions) runWords() ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find the weft program to start it as ranks: %w", err)
	}
	words := []string{"--oversubscribe", "--bind-to", "none", "--stdin", "none", "--set", fmt.Sprintf("stall=%v", o.limit/2)}
	if o.ranks > 0 {
		words = append(words, "-n", fmt.Sprint(o.ranks))
	} else if len(o.hosts)+len(o.hostFiles) == 0 {
		words = append(words, "-n", fmt.Sprint(soakRanks))
	}
	for _, h := range o.hosts {
		words = append(words, "--host", h)
	}
	for _, f := range o.hostFiles {
		words = append(words, "--hostfile", f)
	}
	if len(o.hosts)+len(o.hostFiles) > 0 {
		words = append(words, "--map-by", "node")
	}
	for _, s := range o.settings {
		words = append(words, "--set", s)
	}
	words = append(words, program, "soak", "--time", o.time.String(), "--rounds", fmt.Sprint(o.rounds),
		"--seed", fmt.Sprint(o.seed), "--limit", o.limit.String())
	if o.json {
		words = append(words, "--json")
	}
	if o.quiet {
		words = append(words, "--quiet")
	}
	return words, nil
}

// settingsOf splits "channel=ud,rndv=rput": a comma begins another setting if a name and = follow it.
func settingsOf(text string) ([]string, error) {
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		if name, _, assigns := strings.Cut(part, "="); assigns && name != "" {
			all = append(all, part)
		} else if len(all) > 0 {
			all[len(all)-1] += "," + part
		} else {
			return nil, fmt.Errorf("%q is no setting; write it as name=value", text)
		}
	}
	for _, s := range all {
		if _, err := tunableVariable(s); err != nil {
			return nil, fmt.Errorf("%q: %w", s, err)
		}
	}
	return all, nil
}
