package bench

import (
	"errors"
	"strings"
	"testing"
)

func TestReadRun(t *testing.T) {
	text := strings.Join([]string{
		"WARNING: a library may say what it likes",
		FormatLibrary("MPICH Version:\t4.0.2"),
		FormatRow(Row{Size: 8, Value: 0.25, Iterations: 100, Valid: Pass}),
		FormatRow(Row{Size: 16, Share: 50, Value: 0.5, Base: 7, Min: 0.25, Max: 1, Rate: 12, Iterations: 100}),
		FormatEnd(), "",
	}, "\n")
	seen := 0
	out, err := ReadRun(strings.NewReader(text), func(l Line) error { seen++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if out.Library != "MPICH Version: 4.0.2" || len(out.Rows) != 2 || seen != 4 {
		t.Errorf("got %+v after %d lines", out, seen)
	}
	if out.Rows[0] != (Row{Size: 8, Value: 0.25, Iterations: 100, Valid: Pass}) {
		t.Errorf("first row %+v", out.Rows[0])
	}
	if out.Rows[1] != (Row{Size: 16, Share: 50, Value: 0.5, Base: 7, Min: 0.25, Max: 1, Rate: 12, Iterations: 100}) {
		t.Errorf("second row %+v", out.Rows[1])
	}
}

func TestReadRunRejects(t *testing.T) {
	row := FormatRow(Row{Size: 8, Value: 1, Iterations: 1})
	for name, text := range map[string]string{
		"broken off":     row + "\n",
		"empty":          "",
		"unknown kind":   lineMark + "column 1\n" + FormatEnd(),
		"short row":      lineMark + "row 8 1.0\n" + FormatEnd(),
		"not a number":   strings.Replace(row, "1.000000", "NaN", 1) + "\n" + FormatEnd(),
		"negative":       strings.Replace(row, "1.000000", "-1", 1) + "\n" + FormatEnd(),
		"strange answer": row[:len(row)-1] + "maybe\n" + FormatEnd(),
		"endless line":   strings.Repeat("x", 2*maxLine),
	} {
		if out, err := ReadRun(strings.NewReader(text), nil); err == nil {
			t.Errorf("%s: accepted as %+v", name, out)
		}
	}
}

func TestReadRunStopsWhenToldTo(t *testing.T) {
	full := errors.New("disk full")
	text := strings.NewReader(FormatRow(Row{}) + "\n" + FormatEnd() + "\n")
	if _, err := ReadRun(text, func(Line) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v, want the caller's error", err)
	}
	if text.Len() != 0 {
		t.Errorf("%d bytes left unread would block the writer", text.Len())
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add(FormatRow(Row{Size: 4, Value: 1.5, Min: 1, Max: 2, Rate: 3, Iterations: 9, Valid: Fail}))
	f.Add(FormatLibrary("Open MPI v4.1.4"))
	f.Add(FormatEnd())
	f.Add("weft-bench row 1 2 3 4 5 6 7 8 -")
	f.Add("noise")
	f.Fuzz(func(t *testing.T, text string) {
		line, err := ParseLine(text)
		if err != nil || line.Row == nil {
			return
		}
		again, err := ParseLine(FormatRow(*line.Row))
		if err != nil || again.Row.Size != line.Row.Size || again.Row.Iterations != line.Row.Iterations {
			t.Fatalf("%q: %+v reads back as %+v, %v", text, *line.Row, again.Row, err)
		}
	})
}
