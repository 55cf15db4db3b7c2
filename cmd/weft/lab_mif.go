package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// mifOptions is a checked command line of "weft lab mif".
type mifOptions struct {
	mif   lab.MIF
	ranks int
	ways  []string
	json  bool
	rank  bool // this process is a rank that the command has started
}

// mifWords are options as they were written.
type mifWords struct{ size, factors, ways string }

func (o *mifOptions) flags(w *mifWords) *flag.FlagSet {
	f := newFlags("lab mif")
	f.IntVar(&o.ranks, "n", max(runtime.NumCPU(), 2), "`N` processes (default: one per core)")
	f.StringVar(&w.size, "size", "8K", "`SIZE`: bytes of a block (default 8K)")
	f.StringVar(&w.factors, "factors", "1,32,512", "the latest comes `N[,N...]` times the time of one message late, all others by chance (default 1,32,512)")
	f.StringVar(&w.ways, "ways", "direct@1,direct_zero,pap_direct,shm_direct,pap_shm_direct", "`ALGORITHM,...`: algorithms, of weft info --explain")
	f.Float64Var(&o.mif.Late, "late", 0, "instead: this `SHARE` of the ranks, such as 0.25, comes that late, the others at once")
	f.IntVar(&o.mif.Calls, "calls", 200, "`N` calls of which the mean is taken (default 200)")
	f.Float64Var(&o.mif.Message, "message", 0, "the time of one message in `MICROSECONDS`, if it is not to be measured")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.rank, "rank", false, "")
	return f
}

// parseMIF reads the words after "weft lab mif".
func parseMIF(args []string) (*mifOptions, error) {
	o, w := &mifOptions{}, &mifWords{}
	f := o.flags(w)
	op := "alltoall"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		op, args = args[0], args[1:]
	}
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, usageError{err}
	}
	if f.NArg() > 0 {
		return nil, usageError{fmt.Errorf("mif takes one operation, not also %q", f.Arg(0))}
	}
	o.mif.Op, o.ways = measure.Collective(op), strings.Split(w.ways, ",")
	var err error
	if o.mif.Size, err = parseSize(w.size); err != nil {
		return nil, usageError{err}
	}
	for word := range strings.SplitSeq(w.factors, ",") {
		factor, err := strconv.Atoi(word)
		if err != nil {
			return nil, usageError{fmt.Errorf("factor %q: write numbers with commas, such as 1,32,512", word)}
		}
		o.mif.Factors = append(o.mif.Factors, factor)
	}
	if o.ranks < 2 {
		return nil, usageError{fmt.Errorf("%d ranks: arrivals are about two or more", o.ranks)}
	}
	if err := o.mif.Check(); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

// mifResult is what one way to do the operation took: nothing if it does not fit.
type mifResult struct {
	Way  string       `json:"way"`
	Rows []lab.MIFRow `json:"rows"`
}

// labMIF is "weft lab mif": every way is a job of fresh processes, for rules of collectives are settings of
// a job. The first one measures the time of a message for all.
func labMIF(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseMIF(args)
	if err != nil {
		return err
	}
	if o.rank {
		return mifRank(o, out)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find the weft program to start it as ranks: %w", err)
	}
	var all []mifResult
	for _, way := range o.ways {
		rows, err := mifJob(ctx, program, o, way, args)
		if err != nil {
			return fmt.Errorf("%s: %w", way, err)
		}
		if len(rows) > 0 {
			o.mif.Message = rows[0].Message
		}
		all = append(all, mifResult{way, rows})
	}
	if o.json {
		return writeJSON(out, all)
	}
	return o.show(out, all)
}

// mifJob runs one way. It has no rows if the way does not fit: what another would take must not stand under its name.
func mifJob(ctx context.Context, program string, o *mifOptions, way string, args []string) ([]lab.MIFRow, error) {
	command := append([]string{"run", "-n", strconv.Itoa(o.ranks), "--oversubscribe", program, "lab", "mif"}, args...)
	cmd := exec.CommandContext(ctx, program, append(command, "--message", fmt.Sprint(o.mif.Message), "--rank")...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("WEFT_COLL=%s=%s", o.mif.Op, way), "WEFT_LAB_COLL_BINDING=on")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	var rows []lab.MIFRow
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("what the ranks printed cannot be read: %w", err)
	}
	if n := len(rows); n > 0 && n != len(o.mif.Factors) {
		return nil, fmt.Errorf("the ranks printed %d rows for %d factors", len(rows), len(o.mif.Factors))
	}
	return rows, nil
}

// mifRank is the life of a rank; rank 0 prints what was measured.
func mifRank(o *mifOptions, out io.Writer) error {
	world, err := mpi.Init()
	if err != nil {
		return err
	}
	rows, err := o.mif.Run(world)
	if err != nil && !measure.Unfit(err) {
		return err
	}
	if world.Rank() == 0 {
		if err := writeJSON(out, rows); err != nil {
			return err
		}
	}
	return mpi.Finalize()
}

// show prints a table.
func (o *mifOptions) show(out io.Writer, all []mifResult) error {
	fmt.Fprintf(out, "%s of %d bytes, %d processes of this host with %d cores, mean of all ranks and %d calls\n", o.mif.Op, o.mif.Size, o.ranks, runtime.NumCPU(), o.mif.Calls)
	if o.ranks > runtime.NumCPU() {
		fmt.Fprintln(out, "there are more processes than cores: they wait for a core rather than for each other, and times say little")
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "MIF\tway\tone message us\ttime us\tbound us\ttime over bound\tof these arrivals\t")
	for i, factor := range o.mif.Factors {
		for _, x := range all {
			if len(x.Rows) == 0 {
				fmt.Fprintf(w, "%d\t%s\t\tdoes not fit\t\t\t\t\n", factor, x.Way)
				continue
			}
			r := x.Rows[i]
			fmt.Fprintf(w, "%d\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", factor, x.Way, r.Message, r.Time, r.Bound, r.Time/r.Bound, r.Time/r.Drawn)
		}
	}
	return w.Flush()
}
