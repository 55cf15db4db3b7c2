// Command clients runs programs that others wrote, as Debian ships them, on Weft's faces and on the
// libraries they were compiled for, and prints what their own checks say under both, and how long they
// take. `make clients` installs what it needs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// client is a program and how its checks are read.
type client struct {
	name, what string
	as         string // the library that it was compiled for
	ranks      int
	argv       []string
	dir        string            // its files, which a run gets copies of; empty: none
	files      map[string]string // more files that it looks for: their contents by name
	reports    string            // a file that it writes its report to; empty: its output

	ends string         // what a whole report has
	good *regexp.Regexp // a check that was passed
	bad  *regexp.Regexp // a check that was not
}

func main() {
	prefix := flag.String("prefix", "bin/mpi", "where make install-c has installed Weft")
	only := flag.String("only", "", "run the clients whose names this expression matches")
	rounds := flag.Int("rounds", 3, "runs of each client under each library, of which the shortest counts")
	limit := flag.Duration("limit", 2*time.Minute, "how long a run may take")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err == nil {
		*prefix, err = filepath.Abs(*prefix)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(2)
	}
	all, err := clients()
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
	fmt.Println("| client | what runs | on Weft | on its own library | time |\n|---|---|---|---|---|")
	failed := false
	for _, c := range all {
		if !pattern.MatchString(c.name + " " + c.what) {
			continue
		}
		weft, own := c.compare(*prefix, *rounds, *limit)
		ratio := "-"
		if weft.err == nil && own.err == nil {
			ratio = fmt.Sprintf("%.2f", weft.took.Seconds()/own.took.Seconds())
		}
		fmt.Printf("| %s | %s, %d ranks | %s | %s | %s |\n", c.name, c.what, c.ranks, weft, own, ratio)
		failed = failed || weft.worse(own)
	}
	if failed {
		fmt.Fprintln(os.Stderr, "clients: a client fails on Weft and not on its own library")
		os.Exit(1)
	}
}

// outcome is what a client's checks say.
type outcome struct {
	good, bad int
	took      time.Duration
	err       error
}

func (o outcome) String() string {
	text := fmt.Sprintf("%d passed", o.good)
	if o.bad > 0 {
		text += fmt.Sprintf(", %d failed", o.bad)
	}
	if o.err != nil {
		text += ", " + strings.ReplaceAll(o.err.Error(), "\n", " ")
	}
	return text
}

// worse tells whether a client does less well than on its own library. One that comes to no end there has no count.
func (o outcome) worse(own outcome) bool {
	if own.err != nil {
		return false
	}
	return o.err != nil || o.good != own.good || o.bad != own.bad
}

// compare runs the client under both libraries in turns. The first failure of a library counts, else its shortest run.
func (c *client) compare(prefix string, rounds int, limit time.Duration) (weft, own outcome) {
	launchers := [2][]string{{filepath.Join(prefix, "bin/mpiexec"), "--as", c.as, "--oversubscribe"}, otherLaunchers[c.as]}
	for round := range rounds {
		for i, o := range []*outcome{&weft, &own} {
			if round > 0 && o.err != nil {
				continue
			}
			if got := c.run(launchers[i], limit); round == 0 || got.err != nil || got.took < o.took {
				*o = got
			}
		}
	}
	return weft, own
}

// otherLaunchers start programs on the libraries they were compiled for; ranks that wait give way to others.
var otherLaunchers = map[string][]string{
	"openmpi": {"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"},
	"mpich":   {"mpiexec.mpich"},
}

// run runs the client once, in a directory of its own.
func (c *client) run(launcher []string, limit time.Duration) (o outcome) {
	dir, err := os.MkdirTemp("", "weft-client-")
	if err != nil {
		return outcome{err: err}
	}
	defer os.RemoveAll(dir)
	if c.dir != "" {
		if err := os.CopyFS(dir, os.DirFS(c.dir)); err != nil {
			return outcome{err: err}
		}
	}
	for name, text := range c.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return outcome{err: err}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, launcher[0], slices.Concat(launcher[1:], []string{"-n", fmt.Sprint(c.ranks)}, c.argv)...)
	cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMP_NUM_THREADS=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // launchers end their ranks
	start := time.Now()
	out, err := cmd.CombinedOutput()
	o.took = time.Since(start)
	report := string(out)
	if c.reports != "" {
		text, _ := os.ReadFile(filepath.Join(dir, c.reports)) // its absence is seen below
		report = string(text)
	}
	o.good, o.bad = len(c.good.FindAllString(report, -1)), len(c.bad.FindAllString(report, -1))
	switch {
	case ctx.Err() != nil:
		o.err = fmt.Errorf("no end within %v", limit)
	case err != nil:
		o.err = fmt.Errorf("%w: %.200s", err, lastLine(string(out)))
	case !strings.Contains(report, c.ends):
		o.err = fmt.Errorf("its report lacks %q", c.ends)
	}
	return o
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
