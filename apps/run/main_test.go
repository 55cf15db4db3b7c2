package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/mpi"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ line, app, class, fails string }{
		{"mg", "mg", "S", ""}, {"CG -class a", "cg", "A", ""}, {"-class W ft -json", "ft", "W", ""}, {"-class W ft is", "", "", "what is \"is\""},
		{"-class W ft", "ft", "W", ""}, {"", "", "", "name an application"}, {"hpl", "", "", "no application \"hpl\""},
		{"is ft", "", "", "what is \"ft\""}, {"is -ranks -1", "", "", "at least 1"}, {"is -size 3", "", "", "not defined: -size"},
	} {
		o, err := parse(strings.Fields(c.line), new(bytes.Buffer))
		switch {
		case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%q: %v, want %q", c.line, err, c.fails)
		case c.fails == "" && (err != nil || o.app.Name != c.app || o.class != c.class):
			t.Errorf("%q: %s of class %q, %v", c.line, o.app.Name, o.class, err)
		}
	}
}

// TestHelp: the help names every application.
func TestHelp(t *testing.T) {
	var help bytes.Buffer
	if _, err := parse([]string{"-h"}, &help); err == nil {
		t.Error("-h is no error")
	}
	for _, a := range all {
		if !strings.Contains(help.String(), "\n  "+a.Name+" ") {
			t.Errorf("%s is missing in\n%s", a.Name, help.String())
		}
	}
}

// TestRun: what is printed ends with whether the result is right, and a wrong one is an error at every rank.
func TestRun(t *testing.T) {
	right := apps.Check{What: "x", Got: 1, Want: 1}
	wrong := apps.Check{What: "y", Got: 2, Want: 1, Tolerance: .5}
	for _, c := range []struct {
		checks []apps.Check
		last   string
		fails  error
	}{
		{[]apps.Check{right}, "verified", nil},
		{[]apps.Check{right, wrong}, "NOT VERIFIED: ", errWrong},
		{nil, "NOT VERIFIED: ", errWrong},
	} {
		app := apps.App{Name: "app", Classes: "S", Fits: apps.AnyRanks, Run: func(e *apps.Env) (apps.Result, error) {
			if e.Comm.Rank() > 0 {
				return apps.Result{}, nil
			}
			return apps.Result{Checks: c.checks}, nil
		}}
		for _, asJSON := range []bool{false, true} {
			var out bytes.Buffer
			err := mpi.Run(3, func(world *mpi.Comm) error {
				err := order{app: app, class: "S", json: asJSON}.run(world, &out)
				if !errors.Is(err, c.fails) {
					t.Errorf("rank %d: %v, want %v", world.Rank(), err, c.fails)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			last := lines[len(lines)-1]
			if asJSON {
				var r outcome
				if err := json.Unmarshal([]byte(last), &r); err != nil || r.Verified != (c.fails == nil) || r.Ranks != 3 || len(r.Checks) != len(c.checks) {
					t.Errorf("%s: %+v, %v", last, r, err)
				}
			} else if !strings.HasPrefix(last, c.last) {
				t.Errorf("the last line is %q, want %q", last, c.last)
			}
		}
	}
}

// TestMisfit: ranks that the application cannot use are an error that says what it needs.
func TestMisfit(t *testing.T) {
	err := mpi.Run(3, func(world *mpi.Comm) error { return order{app: all[2], class: "S"}.run(world, new(bytes.Buffer)) })
	if err == nil || !strings.Contains(err.Error(), "cg of class S cannot run on 3 ranks; it needs 1, 2, 4, 8") {
		t.Error(err)
	}
}
