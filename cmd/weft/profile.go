package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/internal/usage"
)

const profileAbout = `
Says how unevenly the ranks of a job came to its collective calls. The job writes FILE when WEFT_ARRIVALS names it:

  weft run -n 4 --set arrivals=/tmp/heat.json ./examples/heat
  weft profile /tmp/heat.json                     one line per routine
  weft profile --by-site /tmp/heat.json           one line per routine and place in the program
  weft profile --plot heat.svg /tmp/heat.json     every call: when it was, and how far apart the ranks came

Average is the mean distance of a rank's arrival from the mean arrival, worst that from the first to the last; as factors they
are divided by the time that one message of the call's length takes. A call whose worst factor is above 1 waits for its last
rank rather than for the network.
`

// aboutProfile describes "weft profile".
func aboutProfile() usage.Command {
	return usage.Command{Forms: []string{"[options] FILE"}, About: profileAbout, Words: "FILE", Groups: flagGroup(new(profileOptions).flags())}
}

// profileOptions is a checked command line of "weft profile".
type profileOptions struct {
	bySite, json bool
	plot, file   string
}

func (o *profileOptions) flags() *flag.FlagSet {
	f := newFlags("profile")
	f.BoolVar(&o.bySite, "by-site", false, "a line for each place in the program")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.plot, "plot", "", "draw a figure into `FILE`, .svg or .pdf; without a name it gets that of the input")
	return f
}

func parseProfile(args []string) (o profileOptions, err error) {
	flags := o.flags()
	if err := flags.Parse(plotOption(args)); err != nil {
		return o, err
	}
	if flags.NArg() != 1 {
		return o, errors.New("name one file, which a job wrote because WEFT_ARRIVALS named it; see weft profile -h")
	}
	o.file = flags.Arg(0)
	o.plot, err = plotPath(o.plot, strings.TrimSuffix(o.file, filepath.Ext(o.file)))
	return o, err
}

// profileCommand is "weft profile".
func profileCommand(args []string) int {
	o, err := parseProfile(args)
	if errors.Is(err, flag.ErrHelp) {
		return showHelp("profile")
	}
	if err != nil {
		complain("profile: %v", err)
		return codeUsage
	}
	if err := profile(o, os.Stdout); err != nil {
		complain("profile: %v", err)
		return 1
	}
	return 0
}

func profile(o profileOptions, w io.Writer) error {
	f, err := os.Open(o.file)
	if err != nil {
		return err
	}
	defer f.Close()
	p, err := arrival.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	if o.plot != "" {
		if err := plotArrivals(p, o.plot); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(w).Encode(p.Rows(o.bySite))
	}
	return printProfile(p, o.bySite, w)
}

func printProfile(p *arrival.Profile, bySite bool, w io.Writer) error {
	fmt.Fprintf(w, "%d ranks, %d collective calls, clocks agree within %s; a message of 1 KB takes %s\n", p.Ranks, len(p.Calls),
		human(float64(p.Bound)), human(p.Cost(1<<10)))
	if p.Dropped > 0 {
		fmt.Fprintf(w, "%d calls came after the recording was full\n", p.Dropped)
	}
	if p.Partial > 0 {
		fmt.Fprintf(w, "%d calls were not recorded by all their ranks, and are left out\n", p.Partial)
	}
	fmt.Fprintln(w)
	head := []string{"routine", "calls", "mean bytes", "spread", "time inside", "average factor", "worst factor"}
	left := 1 // columns of words
	if bySite {
		head, left = append([]string{"site"}, head...), 2
	}
	rows := [][]string{head}
	for _, r := range p.Rows(bySite) {
		row := []string{r.Routine, fmt.Sprint(r.Calls), fmt.Sprintf("%.0f", r.Bytes), human(r.Spread), human(r.Inside),
			fmt.Sprintf("%.2f", r.Average), fmt.Sprintf("%.2f", r.Worst)}
		if bySite {
			row = append([]string{shortSite(r.Site)}, row...)
		}
		rows = append(rows, row)
	}
	return writeColumns(w, rows, left)
}

// writeColumns writes rows of cells below each other, the first few columns flush left, as words are, the
// others flush right.
func writeColumns(w io.Writer, rows [][]string, left int) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i >= left:
				cell = pad + cell
			case i < len(row)-1:
				cell += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// human writes nanoseconds for people.
func human(ns float64) string {
	d := time.Duration(ns)
	switch {
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	case d >= 10*time.Microsecond:
		return d.Round(100 * time.Nanosecond).String()
	}
	return d.String()
}

// shortSite keeps the last directory and the file: enough to find the line.
func shortSite(site string) string {
	return filepath.Join(filepath.Base(filepath.Dir(site)), filepath.Base(site))
}
