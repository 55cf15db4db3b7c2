package bench

import (
	"fmt"
	"io"
)

// Column widths of the OSU suite: the size, then fields of one width, and a narrower one for the iterations.
const (
	sizeWidth       = 10
	fieldWidth      = 18
	sizelessWidth   = 17
	iterationsWidth = 12
	osuVersion      = "7.0"
)

// OSU prints a result the way the OSU micro-benchmarks do, row by row, so that scripts written for them keep
// working. Full adds the columns of option -f, Validate those of -c.
type OSU struct {
	To       io.Writer
	Test     Test
	Ranks    int
	Window   int
	Full     bool
	Validate bool
}

// Header prints the lines above the rows.
func (o OSU) Header() error {
	text := ""
	if o.Test.Shape == Collective {
		text = "\n" // the collective programs of the suite start with an empty line
	}
	text += fmt.Sprintf("# %s v%s\n", o.Test.Title, osuVersion)
	if o.Test.Rate {
		text += fmt.Sprintf("# [ pairs: %d ] [ window size: %d ]\n", o.Test.Pairs(o.Ranks), o.Window)
	}
	text += o.columns() + "\n"
	_, err := io.WriteString(o.To, text)
	return err
}

func (o OSU) columns() string {
	var text string
	switch {
	case o.Test.Sizeless:
		text = "# Avg Latency(us)"
	case o.Test.Shape == Collective:
		text = size("# Size") + field("Avg Latency(us)")
	case o.Test.Rate:
		text = size("# Size") + field("MB/s") + field("Messages/s")
	case o.Test.Shape == Stream:
		text = size("# Size") + field("Bandwidth (MB/s)")
	case o.Test.Shape == Overlap:
		text = size("# Size") + field("Overlap (%)") + field("Transfer (us)")
	case o.Test.Shape == Progress:
		text = size("# Size") + field("After delay (%)") + field("Transfer (us)")
	case o.Test.Shape == Cycle:
		text = size("# Size") + field("Iteration (us)")
	case o.Test.Wakes:
		text = size("# Size") + field("Wake-ups/s")
	case o.Test.Shape == Idle:
		text = size("# Size") + field("Processor (%)")
	case o.Test.Shape == Resident:
		text = size("# Size") + field("Growth (MB)")
	default:
		text = size("# Size") + field("Latency (us)")
	}
	if o.Test.ShareText != "" {
		text += fmt.Sprintf("%*s", max(fieldWidth, len(o.Test.ShareText)+2), o.Test.ShareText)
	}
	if o.full() {
		text += field("Min Latency(us)") + field("Max Latency(us)") + fmt.Sprintf("%*s", iterationsWidth, "Iterations")
	}
	if o.Validate {
		text += field("Validation")
	}
	return text
}

// Row prints one row.
func (o OSU) Row(r Row) error {
	var text string
	if o.Test.Sizeless {
		text = fmt.Sprintf("%*.2f", sizelessWidth, r.Value)
	} else {
		text = size(fmt.Sprint(r.Size)) + number(r.Value)
	}
	if o.Test.Rate {
		text += number(r.Rate)
	}
	if o.Test.Shape == Overlap || o.Test.Shape == Progress {
		text += number(r.Base)
	}
	if o.Test.ShareText != "" {
		text += fmt.Sprintf("%*d", max(fieldWidth, len(o.Test.ShareText)+2), r.Share)
	}
	if o.full() {
		text += number(r.Min) + number(r.Max) + fmt.Sprintf("%*d", iterationsWidth, r.Iterations)
	}
	if o.Validate {
		text += field(string(r.Valid))
	}
	_, err := io.WriteString(o.To, text+"\n")
	return err
}

// full says whether minimum and maximum over the ranks are printed; only collectives have them.
func (o OSU) full() bool { return o.Full && o.Test.Shape == Collective }

func size(text string) string     { return fmt.Sprintf("%-*s", sizeWidth, text) }
func field(text string) string    { return fmt.Sprintf("%*s", fieldWidth, text) }
func number(value float64) string { return fmt.Sprintf("%*.2f", fieldWidth, value) }
