package bench

import (
	"errors"
	"testing"
)

// TestExecuteTellsLinesAsTheyArrive: while the launcher still runs; and who refuses one ends the run.
func TestExecuteTellsLinesAsTheyArrive(t *testing.T) {
	row := FormatRow(Row{Size: 8, Value: 0.25, Iterations: 100})
	var rows int
	out, err := Execute(t.Context(), "sh", []string{"-c", "echo '" + row + "'; echo '" + FormatEnd() + "'"}, nil, func(l Line) error {
		if l.Row != nil {
			rows++
		}
		return nil
	})
	if err != nil || rows != 1 || len(out.Rows) != 1 {
		t.Errorf("%d rows told, %+v, %v", rows, out, err)
	}
	full := errors.New("the disk is full")
	_, err = Execute(t.Context(), "sh", []string{"-c", "echo '" + row + "'; exec sleep 600"}, nil, func(Line) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("ended with %v", err)
	}
}
