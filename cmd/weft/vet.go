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

	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/internal/vet"
)

const vetAbout = `
Finds mistakes with MPI calls that the compiler cannot see, in Go packages and their tests:

  weft vet                      the package in this directory
  weft vet ./...                all packages below
  weft vet --tags gpu ./...     with build tags
  weft vet --json ./...         as JSON: a list of findings

Checks:
  request       a request that nobody waits for
  buffer        a buffer that is used while a request owns it
  collective    a collective call that only some ranks reach
  error         an error that is dropped
  freed         a communicator, window, request or memory used after its end

A comment "//weft:ignore CHECK reason" on the line or the line above silences one check there. The same checks run under
go vet: go vet -vettool=$(which weft) ./...

The exit code is 0 if nothing was found, 1 if something was, 2 if a package could not be checked.
`

// aboutVet describes "weft vet".
func aboutVet() usage.Command {
	return usage.Command{Forms: []string{"[options] [PACKAGE...]"}, About: vetAbout, Words: "DIR...", Groups: flagGroup(new(vetOptions).flags(new(string)))}
}

// codeFindings is the exit code of weft vet when it has found something.
const codeFindings = 1

// vetOptions is a command line of "weft vet".
type vetOptions struct {
	json bool
	job  vet.Job
}

func (o *vetOptions) flags(tags *string) *flag.FlagSet {
	f := newFlags("vet")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(tags, "tags", "", "`TAG,...`: build tags")
	return f
}

func parseVet(args []string) (o vetOptions, err error) {
	var tags string
	flags := o.flags(&tags)
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for _, p := range flags.Args() {
		if strings.HasPrefix(p, "-") {
			return o, fmt.Errorf("options come before packages: %q", p)
		}
	}
	if tags != "" {
		o.job.Flags = []string{"-tags=" + tags}
	}
	o.job.Patterns = flags.Args()
	return o, nil
}

// vetCommand is "weft vet".
func vetCommand(args []string) int {
	o, err := parseVet(args)
	if errors.Is(err, flag.ErrHelp) {
		return showHelp("vet")
	}
	if err != nil {
		complain("vet: %v; see weft vet -h", err)
		return codeUsage
	}
	found, failed := vet.Check(o.job)
	if err := printFindings(os.Stdout, found, o.json); err != nil {
		return codeUsage // nobody reads it
	}
	switch {
	case failed != nil:
		complain("vet: %v", failed)
		return codeUsage
	case len(found) > 0:
		return codeFindings
	}
	return 0
}

// printFindings writes a line for each finding, or all of them as JSON. Files are named as seen from here.
func printFindings(w io.Writer, found []vet.Finding, asJSON bool) error {
	here, err := os.Getwd()
	for i := range found {
		if near, e := filepath.Rel(here, found[i].File); err == nil && e == nil && !strings.HasPrefix(near, "..") {
			found[i].File = near
		}
	}
	if asJSON {
		text, err := json.MarshalIndent(append([]vet.Finding{}, found...), "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", text)
		return err
	}
	for _, f := range found {
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
	}
	return nil
}

// servesGoVet tells whether the go command has started weft as its vet tool.
func servesGoVet(args []string) bool {
	return len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], "vet.cfg"))
}
