package examples_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// programs is where TestMain puts the launcher and the examples.
var programs string

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		os.Exit(m.Run())
	}
	os.Exit(buildAndRun(m))
}

// buildAndRun compiles everything once, in one call, so that tests only start processes.
func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "weft-examples-")
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../cmd/weft", "./...")
	if text, err := build.CombinedOutput(); err != nil {
		os.Stderr.WriteString("go build: " + err.Error() + "\n" + string(text))
		return 1
	}
	programs = dir
	return m.Run()
}

// weftRun runs one example on n processes and returns what it wrote and its exit code.
func weftRun(t *testing.T, n int, example string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return weftRunWith(t, nil, n, example, args...)
}

// weftRunWith is weftRun with more options of the launcher.
func weftRunWith(t *testing.T, options []string, n int, example string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	words := append([]string{"run", "--oversubscribe", "-n", strconv.Itoa(n)}, options...)
	words = append(append(words, filepath.Join(programs, example)), args...)
	cmd := exec.CommandContext(ctx, filepath.Join(programs, "weft"), words...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s on %d ranks did not end within a minute; it wrote:\n%s%s", example, n, out.String(), errs.String())
	}
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestExamplesAsProcesses(t *testing.T) {
	for _, e := range []struct {
		example string
		ranks   []int
		args    []string
		want    string // a pattern that the output matches from beginning to end
	}{
		{"hello", []int{1, 2, 5}, nil, `(hello from rank \d of \d\n)+`},
		{"ring", []int{1}, []string{"-laps", "2"}, `after 2 laps around 1 ranks the sum is 0\n`},
		{"ring", []int{4}, []string{"-laps", "2"}, `after 2 laps around 4 ranks the sum is 12\n`},
		{"pingpong", []int{2, 3}, []string{"-max", "64", "-rounds", "5"}, ` +bytes.*\n( +\d+ +[\d.]+ +[\d.]+\n){4}`},
		{"tally", []int{1, 2, 4}, []string{"-limit", "10000", "-task", "100"}, `1229 primes among the numbers to 10000; most numbers \(2608\) have 4 divisors; 7560 has the most, 64; 10000 were counted\n`},
		{"pi", []int{1, 2, 4}, []string{"-strips", "100000"}, `pi is about 3\.14159265\d+, error .*\n100000 strips on \d ranks took .*\n`},
		{"workpool", []int{1, 2, 4}, []string{"-limit", "100000", "-task", "7000"}, `9592 primes below 100000\n(worker \d did \d+ of 15 tasks\n)*`},
		{"heat", []int{1, 2, 3}, []string{"-size", "12", "-steps", "100"}, `12 x 12 points, \d ranks: .* after 100 steps.*\n([ .:=+*#%@-]{12}\n){12}`},
		{"plate", []int{1, 3, 4, 5, 6, 7}, []string{"-rows", "14", "-columns", "20", "-steps", "100", "-check"}, `14 x 20 points on \d x \d ranks: change .* after 100 steps, .* s\none rank alone computes the same, to the last bit\n([ .:=+*#%@-]{20}\n){14}`},
		{"matmul", []int{1, 4}, []string{"-size", "30", "-panel", "4"}, `30 x 30 elements on \d x \d ranks: .* GFLOP/s, equal to the serial product\n`},
		{"montecarlo", []int{1, 3}, []string{"-samples", "100000"}, `mean distance 0\.66\d+ ± 0\.000\d+, from 100000 samples on \d ranks\nexact 0\.661707, which is \d\.\d standard errors away\n`},
		{"life", []int{1, 4}, []string{"-rows", "10", "-columns", "12", "-steps", "20", "-show"}, `10 x 12 cells on \d x \d ranks: \d+ live at first, \d+ after 20 steps\n([ #]{12}\n){10}`},
		{"samplesort", []int{1, 3}, []string{"-numbers", "10000"}, `10000 numbers on \d ranks: sorted in .* s, at most \d+ on a rank\n`},
		{"wordcount", []int{1, 3}, []string{"-top", "3", "doc.go", "ring"}, `3 files on \d ranks: \d+ words, \d+ different ones\n( +\d+ \w+\n){3}`},
		{"consensus", []int{1, 2, 5}, []string{"-chords", "2"}, `\d ranks agree on [0-2]\.[05]00000 after \d+ rounds\n`},
		{"reorder", []int{1, 4}, []string{"-bytes", "64", "-calls", "2", "-rounds", "2"}, `\d ranks on 1 hosts, 64 bytes to each neighbour\n.*\n.*\n(\w+ +0 +0 +[\d.]+ +[\d.]+  [\d.]+ \[[\d.]+-[\d.]+\]\n){3}`},
		{"pipeline", []int{2, 5}, []string{"-limit", "100000", "-batch", "7000"}, `\d ranks found 9592 primes below 100000, \d others 1224 twins among them\n`},
	} {
		t.Run(e.example, func(t *testing.T) {
			t.Parallel()
			whole := regexp.MustCompile(`^` + e.want + `$`)
			for _, n := range e.ranks {
				stdout, stderr, code := weftRun(t, n, e.example, e.args...)
				if code != 0 || stderr != "" || !whole.MatchString(stdout) {
					t.Errorf("%d ranks: exit code %d\n%s%s\nwant %s", n, code, stdout, stderr, e.want)
				}
			}
		})
	}
}

// TestSurvive: whoever dies, the plate is the same.
func TestSurvive(t *testing.T) {
	args := []string{"-size", "40", "-sweeps", "20000", "-epsilon", "0"}
	want, stderr, code := weftRun(t, 1, "survive", args...)
	if code == 0 {
		t.Fatalf("it works without --recover, though nobody could tell of deaths:\n%s%s", want, stderr)
	}
	plate := regexp.MustCompile(`(?m)^40 x 40 points after \d+ sweeps: .*$`)
	var plates []string
	for _, die := range []string{"0", "20ms"} {
		stdout, stderr, code := weftRunWith(t, []string{"--recover"}, 5, "survive", append([]string{"-die", die}, args...)...)
		plates = append(plates, plate.FindString(stdout))
		if left := die == "0"; code != 0 || left != strings.Contains(stdout, "5 of 5 ranks are left") {
			t.Errorf("a death every %s: exit code %d\n%s%s", die, code, stdout, stderr)
		}
	}
	if plates[0] == "" || plates[0] != plates[1] {
		t.Errorf("the plates differ: %q", plates)
	}
}

// TestFarm: whoever dies, all rows are counted once.
func TestFarm(t *testing.T) {
	want := regexp.MustCompile(`(?m)^\d+ of 200 x 200 points`)
	var counts []string
	for _, die := range []string{"0", "4ms"} {
		stdout, stderr, code := weftRunWith(t, []string{"--recover"}, 5, "farm", "-size", "200", "-die", die)
		counts = append(counts, want.FindString(stdout))
		if code != 0 || strings.Contains(stderr, "others go on") != (die != "0") {
			t.Errorf("a death every %s: exit code %d\n%s%s", die, code, stdout, stderr)
		}
	}
	if counts[0] == "" || counts[0] != counts[1] {
		t.Errorf("the counts differ: %q", counts)
	}
}

// TestEveryExampleIsListed: the page and the package comment name every program.
func TestEveryExampleIsListed(t *testing.T) {
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("programs %q, %v", mains, err)
	}
	for file, form := range map[string]string{"README.md": "[%s](%[1]s/main.go)", "doc.go": " %s"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range mains {
			if want := fmt.Sprintf(form, filepath.Dir(path)); !strings.Contains(string(text), want) {
				t.Errorf("%s does not have %q", file, want)
			}
		}
	}
}

// TestCommentsShowRealCommands: the commands at the head of a program start it, with options that it has.
func TestCommentsShowRealCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	mains, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^//\tweft run .*?\./examples/(\w+)(.*)$`)
	for _, path := range mains {
		name := filepath.Dir(path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		help, err := exec.Command(filepath.Join(programs, name), "-h").CombinedOutput()
		if err != nil {
			t.Errorf("%s -h: %v", name, err)
		}
		found := command.FindAllSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s does not say how to run it", path)
		}
		for _, m := range found {
			if string(m[1]) != name {
				t.Errorf("%s shows how to run %s", path, m[1])
			}
			for _, word := range strings.Fields(string(m[2])) {
				option, _, _ := strings.Cut(word, "=")
				if strings.HasPrefix(option, "-") && !strings.Contains(string(help), "  "+option) {
					t.Errorf("%s shows the option %s, which is none", path, option)
				}
			}
		}
	}
}

func TestHeatWritesPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plate.png")
	if _, stderr, code := weftRun(t, 2, "heat", "-size", "20", "-steps", "100", "-png", path); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != 20 || size.Y != 20 {
		t.Errorf("picture of %v points", size)
	}
	top, _, _, _ := img.At(10, 0).RGBA()
	bottom, _, _, _ := img.At(10, 19).RGBA()
	if top <= bottom {
		t.Errorf("red is %d at the hot edge and %d at the cold one", top, bottom)
	}
}

func TestFailureOfOneEndsAll(t *testing.T) {
	for _, c := range []struct {
		words []string // an example and what it is given
		want  string
	}{
		{[]string{"heat", "-size", "1"}, "each rank needs a row"},
		{[]string{"matmul", "-size", "1"}, "need a matrix of at least 2 rows"},
		{[]string{"montecarlo", "-samples", "1"}, "-samples must be at least 2"},
		{[]string{"life", "-steps", "-1"}, "-steps must not be negative"},
		{[]string{"plate", "-rows", "1"}, "each of them needs a point"},
		{[]string{"samplesort", "100"}, `unexpected argument "100"`},
		{[]string{"wordcount", "missing"}, "missing: no such file or directory"},
	} {
		stdout, stderr, code := weftRun(t, 2, c.words[0], c.words[1:]...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, output %q, complaint %q", c.words, code, stdout, stderr)
		}
	}
}
