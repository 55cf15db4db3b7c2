package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/mpi"
)

func TestProfileOfARun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "arrivals.json")
	t.Setenv("WEFT_ARRIVALS", file)
	err := mpi.Run(3, func(world *mpi.Comm) error {
		for range 4 {
			time.Sleep(time.Duration(world.Rank()) * 3 * time.Millisecond)
			if err := mpi.Barrier(world); err != nil {
				return err
			}
		}
		return mpi.Bcast(world, make([]byte, 1000), 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	plot := filepath.Join(dir, "arrivals.svg")
	if err := profile(profileOptions{file: file, bySite: true, plot: plot}, &text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3 ranks, 5 collective calls", "barrier", "bcast", "1000", ".go:"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q does not say %q", &text, want)
		}
	}
	if !strings.Contains(text.String(), "\nsite ") || !strings.Contains(text.String(), "\nweft/profile_test.go:") {
		t.Errorf("no column of sites in\n%s", &text)
	}
	if drawn, err := os.ReadFile(plot); err != nil || !bytes.Contains(drawn, []byte("barrier")) {
		t.Errorf("the figure: %d bytes, %v", len(drawn), err)
	}
	text.Reset()
	if err := profile(profileOptions{file: file, json: true}, &text); err != nil {
		t.Fatal(err)
	}
	var rows []arrival.Row
	if err := json.Unmarshal(text.Bytes(), &rows); err != nil || len(rows) != 2 || rows[0].Routine != "barrier" || rows[0].Calls != 4 ||
		rows[0].Spread < 4e6 {
		t.Errorf("%v, %+v", err, rows)
	}
}

func TestColumns(t *testing.T) {
	var text strings.Builder
	rows := [][]string{{"site", "routine", "spread", "calls"}, {"a/b.go:1", "allreduce", "7µs", "3"}, {"c.go:22", "bcast", "14.2ms", "1000"}}
	if err := writeColumns(&text, rows, 2); err != nil {
		t.Fatal(err)
	}
	want := `
site      routine    spread  calls
a/b.go:1  allreduce     7µs      3
c.go:22   bcast      14.2ms   1000
`
	if "\n"+text.String() != want {
		t.Errorf("%s", text.String())
	}
}

func TestProfileRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"a", "b"}, {"--plot", "x.doc", "a"}, {"--no-such", "a"}} {
		if _, err := parseProfile(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("{x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{bad, bad + "none"} {
		if err := profile(profileOptions{file: file}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
