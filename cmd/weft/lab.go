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
	"text/tabwriter"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/draw"
	"github.com/weft-mpi/weft/lab/experiments"
	"golang.org/x/sys/unix"
)

const labHelp = `weft lab makes the figures of the research documents again, on models of their machines or on this host, and says
whether they show what the documents state.

  weft lab list                   all figures and tables: built, not yet built, not regenerable
      --doc 000                   those of one document
      --built                     those that can be run
      --profiles                  instead: the platforms that can be simulated, for --on sim:PROFILE
      --json                      for programs
  weft lab run ID...              run experiments and hold them against their bars; all runs everything that is built
      --on host|sim:PROFILE       there, with Weft's own settings, instead of on the documents' machines
      --set name=value,...        settings of Weft over those of the experiment (weft info --tunables)
      --seed N                    of virtual time: another order of what happens at the same nanosecond
      --quick                     fewer sizes and messages
      --save DIR                  also write ID.json, ID.csv, and diagrams as ID.svg and ID.pdf
      --json                      for programs
  weft lab report [ID...]         run all or these and write a page: lab-report/index.html, and the files of --save
      --from DIR                  do not run, show what was saved there
      --save DIR                  write there instead
  weft lab compare DIR DIR        two directories of saved results, line by line
  weft lab compare ID... --set A --set B
                                  an experiment under two variants
  weft lab explain ID             what a figure shows, and a timeline from a run
      --svg FILE                  the timeline as a drawing
  weft lab timeline CALL          what happens in one call of MPI, in virtual time: send, bcast, allreduce, put ...
      -n N                        ranks, each on a node of its own (default 4)
      --size 1K                   bytes of a message, or of all ranks' parts
      --late 20us                 the last rank computes before and comes so late
      --on sim:PROFILE            there, instead of on an InfiniBand of 2008
      --set name=value,...        settings of Weft, such as coll=allreduce=ring
      --svg FILE                  a drawing instead of text
  weft lab mif [alltoall|allgather]
                                  a collective whose ranks come unevenly, with processes of this host, beside the bound
      -n N                        processes (default: one per core)
      --size 8K                   bytes of a block
      --factors 1,32,512          the latest comes that many times the time of one message late, all others by chance
      --late 0.25                 instead: this share of the ranks comes that late, the others at once
      --ways direct@1,pap_direct  algorithms, of weft info --explain
      --calls 200                 calls of which the mean is taken
      --message US                the time of one message, if it is not to be measured
      --json                      for programs

An ID is that of the document: F3.3, T5.3, 003.F4; figure 3.3 and f3.3a are understood too.

examples:
  weft lab run F3.3 F3.5
  weft lab run F3.3 --on sim:roce-100g --quick
  weft lab run F6.4 --on host
  weft lab run all --save results
  weft lab compare F3.3 --set rndv=rget --set rndv=rput
  weft lab explain F3.3 --svg f3.3.svg

docs/researching/simulation.md says what simulated jobs of thousands of ranks take, and how to keep them small.
`

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
		fmt.Print(labHelp)
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
		fmt.Print(labHelp)
		return 0
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
	if args[0] == "mif" {
		return labMIF(ctx, args[1:], os.Stdout)
	}
	var o labOptions
	if err := o.parse(args[1:]); err != nil {
		return err
	}
	registry, err := experiments.Registry()
	if err != nil {
		return err
	}
	r := labRunner{o: &o, registry: registry, out: os.Stdout, status: os.Stderr}
	return r.command(ctx, args[0])
}

// command carries out one command.
func (r *labRunner) command(ctx context.Context, word string) error {
	switch word {
	case "-h", "-help", "--help", "help":
		return flag.ErrHelp
	case "list":
		return r.list()
	case "run":
		return r.run(ctx)
	case "report":
		return r.report(ctx)
	case "compare":
		return r.compare(ctx)
	case "explain":
		return r.explain(ctx)
	case "timeline":
		return r.trace(ctx)
	}
	return usageError{fmt.Errorf("there is no command %q%s", word, didYouMean(word, []string{"list", "run", "report", "compare", "explain", "timeline", "mif"}))}
}

// parse reads options and words in any order.
func (o *labOptions) parse(args []string) error {
	f := flag.NewFlagSet("weft lab", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.on, "on", "", "")
	f.StringVar(&o.doc, "doc", "", "")
	f.StringVar(&o.from, "from", "", "")
	f.StringVar(&o.save, "save", "", "")
	f.StringVar(&o.svg, "svg", "", "")
	f.Var(&o.sets, "set", "")
	f.Uint64Var(&o.seed, "seed", 0, "")
	f.IntVar(&o.ranks, "n", 4, "")
	f.StringVar(&o.size, "size", "1K", "")
	f.DurationVar(&o.late, "late", 0, "")
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.built, "built", false, "")
	f.BoolVar(&o.quick, "quick", false, "")
	f.BoolVar(&o.profiles, "profiles", false, "")
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
	if len(r.o.words) > 0 {
		return usageError{fmt.Errorf("list takes no %q", r.o.words[0])}
	}
	if r.o.profiles {
		return r.listProfiles()
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
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	built := 0
	for _, f := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.ID, f.Status, f.Platform, f.Title)
		if f.Status == lab.Built {
			built++
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.out, "%d of %d are built\n", built, len(all))
	return err
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
			fmt.Fprintln(r.out, wrapText(text, 100)+"\n")
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

// wrapText breaks lines at spaces.
func wrapText(text string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
