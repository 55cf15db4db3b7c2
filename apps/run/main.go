// Command run runs an application: one of the NAS Parallel Benchmarks, see package apps.
//
//	weft run -n 4 ./apps/run cg -class A
//	go run ./apps/run cg -ranks 4
//
// Its last line says whether the result is the official one; if not, the exit code is 1.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/bt"
	"github.com/weft-mpi/weft/apps/cg"
	"github.com/weft-mpi/weft/apps/ep"
	"github.com/weft-mpi/weft/apps/ft"
	"github.com/weft-mpi/weft/apps/is"
	"github.com/weft-mpi/weft/apps/lu"
	"github.com/weft-mpi/weft/apps/mg"
	"github.com/weft-mpi/weft/apps/nbody"
	"github.com/weft-mpi/weft/apps/radix"
	"github.com/weft-mpi/weft/apps/sp"
	"github.com/weft-mpi/weft/mpi"
)

var all = []apps.App{ep.App, is.App, cg.App, mg.App, ft.App, lu.App, bt.App, sp.App, radix.App, nbody.App}

// errWrong ends a run whose result is not the official one.
var errWrong = errors.New("the result is wrong")

// order is what the command line asks for.
type order struct {
	app   apps.App
	class string
	ranks int // as goroutines of this process; 0: those of the job
	json  bool
}

func main() {
	o, err := parse(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(0)
	case err != nil:
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(2)
	}
	rank := func(world *mpi.Comm) error { return o.run(world, os.Stdout) }
	if o.ranks == 0 {
		mpi.Main(rank)
	}
	if err := mpi.Run(o.ranks, rank); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// parse reads the command line: the name of an application comes before the options, or after them.
func parse(args []string, help io.Writer) (o order, err error) {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(help)
	flags.Usage = func() { usage(help, flags) }
	flags.StringVar(&o.class, "class", "S", "size of the problem, a `letter`")
	flags.IntVar(&o.ranks, "ranks", 0, "run on this many goroutines of one process, a `number`; without: as the job that weft run started")
	flags.BoolVar(&o.json, "json", false, "print the result as JSON")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if name == "" && flags.NArg() > 0 {
		name = flags.Arg(0)
		if err := flags.Parse(flags.Args()[1:]); err != nil {
			return o, err
		}
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("what is %q? One application at a time", flags.Arg(0))
	}
	o.class = strings.ToUpper(o.class)
	i := slices.IndexFunc(all, func(a apps.App) bool { return a.Name == strings.ToLower(name) })
	switch {
	case name == "":
		flags.Usage()
		return o, errors.New("name an application")
	case i < 0:
		return o, fmt.Errorf("there is no application %q; there are %s", name, names())
	case o.ranks < 0:
		return o, fmt.Errorf("%d ranks: it must be at least 1", o.ranks)
	}
	o.app = all[i]
	return o, nil
}

func names() string {
	var list []string
	for _, a := range all {
		list = append(list, a.Name)
	}
	return strings.Join(list, ", ")
}

func usage(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, "weft run -n 4 ./apps/run APPLICATION [-class A]\n\nApplications:\n")
	for _, a := range all {
		fmt.Fprintf(w, "  %-4s %s; classes %s; %s\n", a.Name, a.About, a.Classes, a.Ranks)
	}
	fmt.Fprint(w, "\nOptions:\n")
	flags.PrintDefaults()
}

// outcome is what -json prints.
type outcome struct {
	App   string `json:"app"`
	Class string `json:"class"`
	Ranks int    `json:"ranks"`
	apps.Result
	Verified bool `json:"verified"`
}

// run runs the application as one rank of world; rank 0 prints what came out, and decides for all whether it is right.
func (o order) run(world *mpi.Comm, out io.Writer) error {
	if err := o.app.Check(o.class, world.Size()); err != nil {
		if world.Rank() == 0 {
			return err
		}
		return mpi.Barrier(world) // rank 0 ends the job with the reason
	}
	result, err := o.app.Run(apps.NewEnv(world, o.class))
	if err != nil {
		return err
	}
	verified := []bool{result.Verified()}
	if err := mpi.Bcast(world, verified, 0); err != nil {
		return err
	}
	if world.Rank() == 0 {
		err = o.print(out, outcome{o.app.Name, o.class, world.Size(), result, verified[0]})
	}
	if err == nil && !verified[0] {
		return errWrong
	}
	return err
}

func (o order) print(out io.Writer, r outcome) error {
	if o.json {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("a result that JSON cannot have: %w", err)
		}
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	}
	fmt.Fprintf(out, "%s, class %s: %s, %d iterations, on %d ranks\n", r.App, r.Class, r.Size, r.Iterations, r.Ranks)
	fmt.Fprintf(out, "time    %12.3f s\n", r.Seconds)
	fmt.Fprintf(out, "speed   %12.2f Mop/s\n", r.Mops)
	for _, c := range r.Checks {
		fmt.Fprintf(out, "%-28s %22.15g, official %.15g\n", c.What, c.Got, c.Want)
	}
	_, err := fmt.Fprintln(out, map[bool]string{true: "verified", false: "NOT VERIFIED: a value differs from the official one by more than it may"}[r.Verified])
	return err
}
