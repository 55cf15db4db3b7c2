package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Verdict is the outcome of checking the received data.
type Verdict string

// The verdicts of a row.
const (
	Unchecked Verdict = ""
	Pass      Verdict = "Pass"
	Fail      Verdict = "Fail"
)

// Row is the result of one step.
type Row struct {
	Size       int     `json:"size"`
	Share      int     `json:"share,omitempty"` // of the step
	Value      float64 `json:"value"`           // in the test's unit
	Base       float64 `json:"base,omitempty"`  // microseconds of an undisturbed transfer, Overlap and Progress only
	Min        float64 `json:"min,omitempty"`   // fastest rank, Collective only
	Max        float64 `json:"max,omitempty"`   // slowest rank, Collective only
	Rate       float64 `json:"rate,omitempty"`  // messages per second, Stream only
	Iterations int     `json:"iterations"`
	Valid      Verdict `json:"valid,omitempty"`
}

// A run speaks to its starter in lines: `weft-bench library NAME`, one `weft-bench row ...` per step, and
// `weft-bench end`. Anything else on the stream (a library's warnings) is passed over.
const lineMark = "weft-bench "

// FormatLibrary returns the line that names the MPI library of a run, without a newline.
func FormatLibrary(name string) string {
	return lineMark + "library " + strings.Join(strings.Fields(name), " ")
}

// FormatEnd returns the line that closes a run: its absence means that the run broke off.
func FormatEnd() string { return lineMark + "end" }

// FormatRow returns a row as one line, without a newline.
func FormatRow(r Row) string {
	valid := string(r.Valid)
	if valid == "" {
		valid = "-"
	}
	return fmt.Sprintf("%srow %d %d %.6f %.6f %.6f %.6f %.3f %d %s",
		lineMark, r.Size, r.Share, r.Value, r.Base, r.Min, r.Max, r.Rate, r.Iterations, valid)
}

// Line is one parsed line of a run: exactly one of its fields is set, or none for a foreign line.
type Line struct {
	Library string
	Row     *Row
	End     bool
}

// ParseLine reads one line of a run. A line without our mark gives the zero Line and no error.
func ParseLine(text string) (Line, error) {
	rest, ours := strings.CutPrefix(strings.TrimRight(text, "\r\n"), lineMark)
	if !ours {
		return Line{}, nil
	}
	kind, body, _ := strings.Cut(rest, " ")
	switch kind {
	case "library":
		if body == "" {
			return Line{}, errors.New("benchmark line names no library")
		}
		return Line{Library: body}, nil
	case "end":
		return Line{End: true}, nil
	case "row":
		row, err := parseRow(strings.Fields(body))
		if err != nil {
			return Line{}, fmt.Errorf("benchmark row %q: %w", body, err)
		}
		return Line{Row: &row}, nil
	}
	return Line{}, fmt.Errorf("benchmark line of unknown kind %q", kind)
}

func parseRow(f []string) (Row, error) {
	if len(f) != 9 {
		return Row{}, fmt.Errorf("has %d fields, want 9", len(f))
	}
	var r Row
	var err error
	if r.Size, err = parseCount(f[0], maxSize); err != nil {
		return Row{}, err
	}
	if r.Share, err = parseCount(f[1], maxShare); err != nil {
		return Row{}, err
	}
	for i, into := range []*float64{&r.Value, &r.Base, &r.Min, &r.Max, &r.Rate} {
		v, err := strconv.ParseFloat(f[2+i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return Row{}, fmt.Errorf("%q is not a measured value", f[2+i])
		}
		*into = v
	}
	if r.Iterations, err = parseCount(f[7], maxIterations); err != nil {
		return Row{}, err
	}
	switch f[8] {
	case "-":
	case string(Pass), string(Fail):
		r.Valid = Verdict(f[8])
	default:
		return Row{}, fmt.Errorf("%q is not a verdict", f[8])
	}
	return r, nil
}

func parseCount(text string, limit int) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > limit {
		return 0, fmt.Errorf("%q is not a number from 0 to %d", text, limit)
	}
	return v, nil
}

// Outcome is what one run of an implementation gave.
type Outcome struct {
	Library  string
	Rows     []Row
	Counters Counters // what the library counted meanwhile, where it says so
}

// maxLine bounds one line of a run's output.
const maxLine = 64 * kib

// ReadRun reads a run's output to its end and calls onLine, when not nil, as each of our lines arrives. It
// fails when the output breaks off before the closing line or when onLine does. The rest of r is drained
// even then, so that a writer at the other end of a pipe never blocks on us.
func ReadRun(r io.Reader, onLine func(Line) error) (Outcome, error) {
	var out Outcome
	ended := false
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 0, 4*kib), maxLine)
	for scan.Scan() {
		line, err := ParseLine(scan.Text())
		if err == nil && onLine != nil && line != (Line{}) {
			err = onLine(line)
		}
		if err != nil {
			drain(r)
			return out, err
		}
		switch {
		case line.Library != "":
			out.Library = line.Library
		case line.Row != nil:
			out.Rows = append(out.Rows, *line.Row)
		case line.End:
			ended = true
		}
	}
	if err := scan.Err(); err != nil {
		drain(r)
		return out, fmt.Errorf("reading benchmark output: %w", err)
	}
	if !ended {
		return out, fmt.Errorf("benchmark output broke off after %d rows", len(out.Rows))
	}
	return out, nil
}

func drain(r io.Reader) { _, _ = io.Copy(io.Discard, r) }
