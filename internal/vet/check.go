package vet

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"
)

// Finding is one mistake.
type Finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Check   string `json:"check"`   // name of the analyzer
	Message string `json:"message"` // what is wrong, why it matters, what to write instead
}

// Job says what to check.
type Job struct {
	Dir      string            // where the patterns are meant; empty: here
	Patterns []string          // as the go command takes them; none: the package in Dir
	Flags    []string          // for the go command: build tags and such
	Overlay  map[string][]byte // files by absolute path that are checked instead of those on disk
}

// Check loads packages with their tests and lists what is wrong with them, by file and line. It needs the
// go command. An error says that a package could not be loaded; findings in others are returned with it.
func Check(job Job) ([]Finding, error) {
	loaded, err := load(job)
	if err != nil {
		return nil, err
	}
	var sound []*packages.Package
	var failed []error
	for _, p := range loaded {
		failed = append(failed, complaints(p.Errors)...)
		if len(p.Errors) == 0 {
			sound = append(sound, p)
		}
	}
	graph, err := checker.Analyze(Analyzers(), sound, nil)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for _, a := range graph.Roots {
		if a.Err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", a.Package.PkgPath, a.Err))
		}
		for _, d := range a.Diagnostics {
			at := a.Package.Fset.Position(d.Pos)
			all = append(all, Finding{at.Filename, at.Line, at.Column, a.Analyzer.Name, d.Message})
		}
	}
	return sorted(all), errors.Join(unique(failed)...)
}

// load reads packages and their tests.
func load(job Job) ([]*packages.Package, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("the go command is needed to find packages; put it in PATH: %w", err)
	}
	patterns := job.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	all, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: job.Dir, BuildFlags: job.Flags, Tests: true, Overlay: job.Overlay}, patterns...)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no Go packages match %s", strings.Join(patterns, " "))
	}
	return all, err
}

// complaints says why a package could not be loaded: by the places in its files, or by the go command if
// that knows none.
func complaints(errs []packages.Error) (placed []error) {
	var others []error
	for _, e := range errs {
		if e.Pos == "" || e.Pos == "-" {
			others = append(others, errors.New(e.Msg))
		} else {
			placed = append(placed, e)
		}
	}
	if len(placed) > 0 {
		return placed
	}
	return others
}

// sorted puts findings in order and takes out those that a package and its test both have.
func sorted(all []Finding) []Finding {
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Check, b.Check), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}

// unique takes out errors that say the same.
func unique(all []error) (some []error) {
	said := map[string]bool{}
	for _, e := range all {
		if !said[e.Error()] {
			said[e.Error()] = true
			some = append(some, e)
		}
	}
	return some
}

// String is a finding in one line.
func (f Finding) String() string {
	at := token.Position{Filename: f.File, Line: f.Line, Column: f.Column}
	return fmt.Sprintf("%v: %s (%s)", at, f.Message, f.Check)
}

// Serve is the program under "go vet -vettool": it takes its arguments from the command line and does not return.
func Serve() { unitchecker.Main(Analyzers()...) }
