package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/draw"
	"github.com/weft-mpi/weft/lab/experiments"
	"golang.org/x/sys/unix"
)

const labAbout = `
Makes the figures of the research documents again, on models of their machines or on this host, and says whether they show what the
documents state.

  weft lab run F3.3 F3.5
  weft lab run F3.3 --on sim:roce-100g --quick
  weft lab run F6.4 --on host
  weft lab run all --save results
  weft lab compare F3.3 --set rndv=rget --set rndv=rput
  weft lab explain F3.3 --svg f3.3.svg

An ID is that of the document: F3.3, T5.3, 003.F4; figure 3.3 and f3.3a are understood too.
docs/researching/simulation.md says what simulated jobs of thousands of ranks take, and how to keep them small.
`

// labPart is a word after "weft lab", and the options that go with it.
type labPart struct {
	name, short string
	forms       []string
	words       string // what it takes, for completion
	options     string // names of its options
	run         func(r *labRunner, ctx context.Context) error
}

// labParts lists them in the order help shows them; weft lab mif and sweep have options of their own.
func labParts() []labPart {
	return []labPart{
		{"list", "all figures and tables: what they show, where, and whether they can be made", []string{"[options]", "--profiles [PROFILE...] [options]"}, "PROFILE...", "doc built profiles json",
			func(r *labRunner, _ context.Context) error { return r.list() }},
		{"run", "run experiments and hold them against what the document states; all runs everything that is built", []string{"ID... [options]"}, "ID|all...",
			"on set seed quick save json", (*labRunner).run},
		{"report", "run all or these and write a page: lab-report/index.html, and the files of --save", []string{"[ID...] [options]"}, "ID|all...",
			"from save on set seed quick", (*labRunner).report},
		{"compare", "two directories of saved results, line by line, or an experiment under two variants", []string{"BEFORE AFTER [options]", "ID... --set A --set B [options]"},
			"ID|DIR...", "set on seed quick save json", (*labRunner).compare},
		{"explain", "what a figure shows, and a timeline from a run", []string{"ID [options]"}, "ID", "svg on set seed quick", (*labRunner).explain},
		{"timeline", "what happens in one call of MPI, in virtual time, on an InfiniBand of 2008", []string{"CALL [options]"}, "CALL",
			"n size late on set seed quick svg", (*labRunner).trace},
	}
}

// aboutLab describes "weft lab".
func aboutLab() usage.Command {
	c := usage.Command{Forms: []string{"COMMAND [options]"}, About: labAbout}
	for _, p := range labParts() {
		c.Parts = append(c.Parts, usage.Command{Name: "lab " + p.name, Short: p.short, Forms: p.forms, Words: p.words,
			Groups: flagGroup(new(labOptions).flags(p.options))})
	}
	c.Parts = append(c.Parts, aboutSweep(), usage.Command{Name: "lab mif", Short: "a collective whose ranks come unevenly, with processes of this host, beside the bound",
		Forms: []string{"[alltoall|allgather] [options]"}, Words: "alltoall|allgather", Groups: flagGroup(new(mifOptions).flags(new(mifWords)))})
	return c
}

// labOptions is a checked command line of "weft lab".
type labOptions struct {
	words              []string
	on, doc, from      string
	save, svg          string
	sets               setFlags
	seed               uint64
	ranks              int
	size               string
	late               time.Duration
	json, built, quick bool
	profiles           bool
}

// setFlags collects --set; each is name=value, or several with commas between.
type setFlags []string

func (s *setFlags) String() string { return strings.Join(*s, " ") }

// Set takes one more.
func (s *setFlags) Set(v string) error {
	*s = append(*s, v)
	return nil
}

// settings returns all of them, one name=value each.
func (s setFlags) settings() []string {
	var all []string
	for _, v := range s {
		all = append(all, strings.Split(v, ",")...)
	}
	return all
}

// labCommand is "weft lab".
func labCommand(args []string) int {
	if len(args) == 0 {
		showHelp("lab")
		return codeUsage
	}
	ctx, stop := untilSignal()
	defer stop()
	err := labRun(ctx, args)
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return showHelp("lab")
	case errors.Is(err, unix.EPIPE):
		return 1 // the reader of our output has left; there is nobody to tell
	case errors.As(err, &usage) || errors.Is(err, lab.ErrUnknown) || errors.Is(err, lab.ErrPlatform):
		fmt.Fprintf(os.Stderr, "weft lab: %v\n(`weft lab -h` shows the options)\n", err)
		return codeUsage
	}
	fmt.Fprintf(os.Stderr, "weft lab: %v\n", err)
	if ctx.Err() != nil {
		return codeInterrupted
	}
	return 1
}

func labRun(ctx context.Context, args []string) error {
	word, rest := args[0], args[1:]
	switch word {
	case "-h", "-help", "--help", "help":
		return flag.ErrHelp
	case "mif":
		return labMIF(ctx, rest, os.Stdout)
	}
	registry, err := experiments.Registry()
	if err != nil {
		return err
	}
	if word == "sweep" {
		return labSweep(ctx, registry, rest, os.Stdout, os.Stderr)
	}
	return labDo(ctx, registry, word, rest, os.Stdout, os.Stderr)
}

// labDo carries out a command other than mif and sweep.
func labDo(ctx context.Context, registry *lab.Registry, word string, args []string, out, status *os.File) error {
	names := []string{"mif", "sweep"}
	for _, p := range labParts() {
		if names = append(names, p.name); p.name != word {
			continue
		}
		var o labOptions
		if err := o.parse(p.options, args); err != nil {
			return err
		}
		return p.run(&labRunner{o: &o, registry: registry, out: out, status: status}, ctx)
	}
	return usageError{fmt.Errorf("there is no command %q%s", word, didYouMean(word, names))}
}

// flags declares those of the options that names has.
func (o *labOptions) flags(names string) *flag.FlagSet {
	f := newFlags("lab")
	for name := range strings.FieldsSeq(names) {
		switch name {
		case "on":
			f.StringVar(&o.on, name, "", "`host|sim:PROFILE`: run there, with Weft's own settings, instead of on the documents' machines")
		case "doc":
			f.StringVar(&o.doc, name, "", "`DOC`: those of one document (000 to 004)")
		case "from":
			f.StringVar(&o.from, name, "", "do not run, show what was saved in `DIR`")
		case "save":
			f.StringVar(&o.save, name, "", "write ID.json, ID.csv, and diagrams as ID.svg and ID.pdf into `DIR`")
		case "svg":
			f.StringVar(&o.svg, name, "", "write the timeline as a drawing into `FILE` instead of text")
		case "set":
			f.Var(&o.sets, name, "`NAME=VALUE,...`: settings of Weft over those of the experiment (weft help settings)")
		case "n":
			f.IntVar(&o.ranks, name, 4, "`N` ranks, each on a node of its own (default 4)")
		case "size":
			f.StringVar(&o.size, name, "1K", "`SIZE`: bytes of a message, or of all ranks' parts (default 1K)")
		case "late":
			f.Func(name, "the last rank computes before and comes this `TIME` late, such as 0.02ms", anyTime(&o.late))
		case "seed":
			f.Uint64Var(&o.seed, name, 0, "`N`: another order of what happens at the same nanosecond of virtual time")
		case "json":
			f.BoolVar(&o.json, name, false, "print JSON")
		case "built":
			f.BoolVar(&o.built, name, false, "those that can be run")
		case "quick":
			f.BoolVar(&o.quick, name, false, "fewer sizes and messages")
		case "profiles":
			f.BoolVar(&o.profiles, name, false, "instead: the platforms that can be simulated, for --on sim:PROFILE; of those that are named, all values and where they come from")
		}
	}
	return f
}

// parse reads options, those that names has, and words in any order.
func (o *labOptions) parse(names string, args []string) error {
	f := o.flags(names)
	for {
		switch err := f.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			return err
		case err != nil:
			return usageError{err}
		}
		if f.NArg() == 0 {
			return nil
		}
		o.words, args = append(o.words, f.Arg(0)), f.Args()[1:]
	}
}

// labRunner carries out a command.
type labRunner struct {
	o           *labOptions
	registry    *lab.Registry
	out, status *os.File
}

// listed is a figure in the list for programs.
type listed struct {
	ID       string     `json:"id"`
	Document string     `json:"document"`
	Title    string     `json:"title"`
	Axes     string     `json:"axes"`
	Platform string     `json:"platform,omitempty"`
	How      string     `json:"how"`
	Status   lab.Status `json:"status"`
	Same     string     `json:"same,omitempty"`
	Claims   []string   `json:"claims,omitempty"`
	Bars     []string   `json:"bars,omitempty"`
}

// list shows the catalogue.
func (r *labRunner) list() error {
	if r.o.profiles {
		return r.listProfiles()
	}
	if len(r.o.words) > 0 {
		return usageError{fmt.Errorf("list takes no %q", r.o.words[0])}
	}
	var all []listed
	for _, f := range r.registry.Figures() {
		status := r.registry.Status(f)
		if r.o.doc != "" && f.Document() != r.o.doc || r.o.built && status != lab.Built {
			continue
		}
		all = append(all, listed{f.ID, f.Document(), f.Title, f.Axes, f.Platform, f.How, status, f.Same, f.Claims, f.Bars})
	}
	if len(all) == 0 {
		return usageError{fmt.Errorf("no figure of document %q: they are 000 to 004", r.o.doc)}
	}
	if r.o.json {
		return writeJSON(r.out, all)
	}
	return writeList(r.out, all)
}

// explain tells what a figure shows.
func (r *labRunner) explain(ctx context.Context) error {
	if len(r.o.words) != 1 {
		return usageError{errors.New("explain takes one id")}
	}
	f, err := r.registry.Find(r.o.words[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%s  %s\n%s%s\n\n", f.ID, f.Title, f.Axes, brackets(f.Platform))
	e, built := r.registry.Experiment(f)
	for _, text := range e.Explain {
		if text != "" {
			fmt.Fprintln(r.out, strings.Join(usage.Wrap(text, usage.Width), "\n")+"\n")
		}
	}
	labPoints(r.out, "The document states", f.Claims)
	labPoints(r.out, "A result must show", f.Bars)
	switch {
	case !built:
		_, err := fmt.Fprintf(r.out, "\n%s is %s.\n", f.ID, r.registry.Status(f))
		return err
	case e.Timeline == nil && r.o.svg != "":
		return fmt.Errorf("%s has no timeline to draw", f.ID)
	case e.Timeline == nil:
		return nil
	}
	return r.timeline(ctx, e)
}

func (r *labRunner) timeline(ctx context.Context, e lab.Experiment) error {
	b, err := r.bench(r.o.sets.settings(), nil)
	if err != nil {
		return err
	}
	t, err := e.Timeline(ctx, b)
	if err != nil {
		return err
	}
	fmt.Fprintln(r.out)
	return r.tell(t)
}

// trace shows a call of MPI.
func (r *labRunner) trace(ctx context.Context) error {
	if len(r.o.words) != 1 {
		return usageError{fmt.Errorf("timeline takes one call: %s", strings.Join(lab.CallNames(), ", "))}
	}
	bytes, err := parseSize(r.o.size)
	if err != nil {
		return usageError{err}
	}
	switch {
	case !slices.Contains(lab.CallNames(), r.o.words[0]):
		return usageError{fmt.Errorf("there is no timeline of %q: take one of %s", r.o.words[0], strings.Join(lab.CallNames(), ", "))}
	case r.o.ranks < 2 || r.o.ranks > mostLanes:
		return usageError{fmt.Errorf("-n %d: a timeline shows 2 to %d ranks", r.o.ranks, mostLanes)}
	case r.o.late < 0 || r.o.late > mostLate:
		return usageError{fmt.Errorf("--late %v: at most %v", r.o.late, mostLate)}
	case bytes > mostTraced:
		return usageError{fmt.Errorf("--size %s: at most %d MB", r.o.size, mostTraced>>20)}
	}
	b, err := r.bench(r.o.sets.settings(), nil)
	if err != nil {
		return err
	}
	t, err := b.Trace(ctx, r.o.words[0], r.o.ranks, bytes, r.o.late)
	if err != nil {
		return err
	}
	return r.tell(t)
}

// The limits of a timeline: how many ranks one can look at, and what takes them less than a second.
const (
	mostLanes  = 32
	mostTraced = 4 << 20
	mostLate   = 100 * time.Millisecond
)

// tell writes a timeline as text, or into the file of --svg.
func (r *labRunner) tell(t *lab.Timeline) error {
	if r.o.svg != "" {
		return lab.WriteFile(r.o.svg, func(w io.Writer) error { return draw.Timeline(w, t) })
	}
	return draw.Story(r.out, t)
}

func brackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func labPoints(w io.Writer, head string, points []string) {
	if len(points) > 0 {
		fmt.Fprintf(w, "%s:\n  - %s\n", head, strings.Join(points, "\n  - "))
	}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
