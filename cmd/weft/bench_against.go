package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
)

// codeSlower is the exit code of a measurement that went well and found this build slower than
// --limit allows.
const codeSlower = 3

// errSlower is the error behind codeSlower.
var errSlower = errors.New("slower than allowed")

// otherBuild is another build of the tool, whose launcher, agents and ranks are its own.
type otherBuild struct {
	bench.Build
	tests []string // that it has
}

// answerLimit is how long another build may take to say something about itself.
const answerLimit = 20 * time.Second

// openBuild finds another build by the word after --against: a path, or a name in PATH. It fails
// unless that is a weft.
func openBuild(ctx context.Context, word string) (*otherBuild, error) {
	path, err := findBinary(word)
	if err != nil {
		return nil, fmt.Errorf("--against %s: %w; build one by `go build -o weft-old ./cmd/weft` in a checkout of the other commit", word, err)
	}
	said, err := ask(ctx, path, "version")
	version, isWeft := strings.CutPrefix(said, "weft ")
	if err != nil || !isWeft {
		return nil, fmt.Errorf("--against %s is no weft: %q says %.100q%s", word, path+" version", said, causeText(err))
	}
	list, err := ask(ctx, path, "bench", "list")
	if err != nil {
		return nil, fmt.Errorf("--against %s (%s) cannot list its benchmarks: %.200q%s", word, version, list, causeText(err))
	}
	b := &otherBuild{tests: listedTests(list)}
	b.Build, err = describeBuild(path, version)
	return b, err
}

// findBinary returns the absolute path of a program here, or in PATH.
func findBinary(word string) (string, error) {
	path := word
	if _, err := os.Stat(word); err != nil {
		if path, err = exec.LookPath(word); err != nil {
			return "", errors.Unwrap(err)
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := exec.LookPath(path); err != nil {
		return "", errors.Unwrap(err)
	}
	return path, nil
}

// ask returns what the program prints, without space around it.
func ask(ctx context.Context, path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second // its children may hold the pipe
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

func causeText(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", err)
}

// listedTests reads the names out of what `weft bench list` prints: the first words of indented lines.
func listedTests(list string) []string {
	var names []string
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); strings.HasPrefix(line, "  ") && len(fields) > 0 {
			names = append(names, fields[0])
		}
	}
	return names
}

// describeBuild adds the sum of the file.
func describeBuild(path, version string) (bench.Build, error) {
	file, err := os.Open(path)
	if err != nil {
		return bench.Build{}, err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return bench.Build{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return bench.Build{Path: path, Version: version, Sum: hex.EncodeToString(hash.Sum(nil))}, nil
}

// thisBuild describes the program that runs.
func thisBuild() (bench.Build, error) {
	path, err := os.Executable()
	if err != nil {
		return bench.Build{}, err
	}
	return describeBuild(path, version())
}

// try has both builds run the shortest job there is, before hours are spent: the other one may be
// too different, and hosts may lack one of them.
func (p *opener) try(ctx context.Context) error {
	barrier, err := bench.Find("barrier")
	if err != nil {
		return err
	}
	c := bench.Case{Test: barrier, Ranks: max(2, len(p.o.hosts)), Window: 1, Steps: []bench.Step{{Iterations: 1, Batches: 1}}}
	sides, err := p.builds(p.ownArms(nil)[:1], false)
	if err != nil {
		return err
	}
	for i, side := range sides {
		if _, err := side.Measure(ctx, c); err != nil {
			path, hint := [...]string{p.this.Path, p.other.Path}[i], ""
			if len(p.o.hosts) > 0 {
				hint = fmt.Sprintf("\nEvery host needs both builds at the same paths: %s and %s", p.this.Path, p.other.Path)
			}
			return fmt.Errorf("%s (%s) cannot measure here: %w%s", path, side.Name(), err, hint)
		}
	}
	return nil
}

// has says whether the other build, if there is one, has the test.
func (p *opener) has(t bench.Test) bool {
	return p.other == nil || slices.Contains(p.other.tests, t.Name)
}

// lacked takes the cases away whose test the other build does not have, and says so.
func (p *opener) lacked(trials []bench.Trial) (left []bench.Trial, notes []string) {
	for _, t := range trials {
		var cases []bench.Case
		for _, c := range t.Cases {
			note := fmt.Sprintf("%s was not measured: the other build does not have it.", c.Test.Name)
			switch {
			case p.has(c.Test):
				cases = append(cases, c)
			case !slices.Contains(notes, note):
				notes = append(notes, note)
			}
		}
		if t.Cases = cases; len(cases) > 0 {
			left = append(left, t)
		}
	}
	return left, notes
}

// held returns errSlower if the report is about another build and says that this one is slower than --limit.
func (p *opener) held(r bench.Report) error {
	switch a := r.Against; {
	case a == nil || p.o.limit == 0:
		return nil
	case a.Points == 0:
		return errors.New("--limit: no speeds were compared")
	case a.Ratio > p.o.limit:
		return fmt.Errorf("%w: the geometric mean of new/old is %.3f, above --limit %g", errSlower, a.Ratio, p.o.limit)
	}
	return nil
}
