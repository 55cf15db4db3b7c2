// Tests runs go test and notes how long every test took, so that several runs can be summed up at the end.
//
//	tests -times FILE ARGUMENTS...   go test -json ARGUMENTS..., shown as go test shows it; the times are added to FILE
//	tests -slowest N FILE            the N slowest tests of all runs in FILE
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

func main() {
	code, err := 2, errors.New("tests -times FILE ARGUMENTS..., or tests -slowest N FILE")
	switch a := os.Args[1:]; {
	case len(a) > 2 && a[0] == "-times":
		code, err = test(a[1], a[2:])
	case len(a) == 3 && a[0] == "-slowest":
		code, err = 0, slowest(a[1], a[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tests:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// test runs go test, and returns its exit code.
func test(times string, args []string) (code int, err error) {
	file, err := os.OpenFile(times, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return 1, err
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	r := newReport(os.Stdout)
	err = r.read(out)
	if _, broken := io.Copy(io.Discard, out); err == nil {
		err = broken
	}
	var exit *exec.ExitError
	if wait := cmd.Wait(); errors.As(wait, &exit) {
		code = exit.ExitCode()
	} else if err == nil {
		err = wait
	}
	for _, took := range r.took {
		fmt.Fprintf(file, "%.2f\t%s\t%s\n", took.seconds, took.where, took.test)
	}
	return code, errors.Join(err, file.Close())
}

// slowest prints the slowest tests of a file that test has written.
func slowest(number, path string) error {
	most, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all []took
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			return fmt.Errorf("%s: %q is no time of a test", path, line)
		}
		s, err := strconv.ParseFloat(f[0], 64)
		if err != nil {
			return err
		}
		all = append(all, took{s, f[1], f[2]})
	}
	slices.SortStableFunc(all, func(a, b took) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Printf("the slowest of %d tests, in seconds:\n", len(all))
	for _, t := range all[:min(most, len(all))] {
		fmt.Printf("%8.2f  %-28s %s\n", t.seconds, t.where, t.test)
	}
	return nil
}

// took is how long a test took; where is its package.
type took struct {
	seconds     float64
	where, test string
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// report shows events as go test without -json shows them: what packages say, and what failing tests have said.
type report struct {
	w    io.Writer
	said map[string]map[string][]string // output of tests that have not ended, by package and test
	took []took
}

func newReport(w io.Writer) *report {
	return &report{w: w, said: map[string]map[string][]string{}}
}

// read takes events until there are no more.
func (r *report) read(events io.Reader) error {
	in := bufio.NewReader(events)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(r.w, "%s", line) // what go itself has to say
			} else {
				r.take(e)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *report) take(e event) {
	pkg := r.said[e.Package]
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.w, e.Output)
	case "output":
		if e.Test == "" {
			if e.Output != "PASS\n" {
				fmt.Fprint(r.w, e.Output)
			}
			return
		}
		if pkg == nil {
			pkg = map[string][]string{}
			r.said[e.Package] = pkg
		}
		pkg[e.Test] = append(pkg[e.Test], e.Output)
	case "pass", "skip", "fail":
		r.end(e)
	}
}

// end is the end of a test, or of a package with tests that did not come to theirs.
func (r *report) end(e event) {
	pkg := r.said[e.Package]
	if e.Test == "" {
		for _, test := range slices.Sorted(maps.Keys(pkg)) {
			if e.Action == "fail" {
				r.show(pkg[test])
			}
		}
		delete(r.said, e.Package)
		return
	}
	if e.Action == "fail" {
		r.show(pkg[e.Test])
	}
	delete(pkg, e.Test)
	if !strings.Contains(e.Test, "/") && e.Elapsed > 0 {
		_, where, _ := strings.Cut(e.Package, "/weft/")
		r.took = append(r.took, took{e.Elapsed, cmp.Or(where, "."), e.Test})
	}
}

// show prints what a test has said, without the lines that only say that it runs.
func (r *report) show(lines []string) {
	for _, line := range lines {
		if !strings.HasPrefix(line, "=== ") {
			fmt.Fprint(r.w, line)
		}
	}
}
