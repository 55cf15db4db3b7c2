package docs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// needsHosts matches commands for several hosts. The pages say of these that they need some, or a cluster in a box; the
// tests of cmd/weft run their like there.
var needsHosts = regexp.MustCompile(`--host\b|--hosts\b|--hostfile\b|-H |--box\b|\bnode1\b|weft cluster|weft agent`)

// placeholder matches words that a reader is to replace.
var placeholder = regexp.MustCompile(`\b(NAME|OP|OPERATION|BYTES|RANKS|SIZE|DIR|FILE|PATH|WAY|ID|TOPIC|PROFILE|PROGRAM|TEST|mlx5_[0-9])\b`)

// measure are commands that measure, which takes minutes as the pages have them. A test runs them with what
// makes them short:
//
//	WEFT_SOAK=1 go test -v -run CommandsRun -timeout 2h ./docs
//
// Of those that take a moment as they stand it always runs all.
var measure = []string{"bench", "lab", "tune", "verbs"}

// momentary are the parts of commands that measure which measure nothing, or little.
var momentary = []string{"list", "explain", "timeline", "-h"}

// alone are the commands that do something without an argument; others are only mentioned.
var alone = []string{"doctor", "info", "version", "help"}

// mentioned are options that need more than their pages say of them here and there.
var mentioned = []string{"--explain"}

// elsewhere is where commands are tested that need something of the reader's: a module, a file that a job has left, a
// job that runs.
var elsewhere = map[string]string{"status": "../cmd/weft/status_test.go", "vet": "../cmd/weft/testdata/script/vet.txt", "profile": "../cmd/weft/profile_test.go"}

// endings are the exit codes of commands that are to fail: of a host on which something is found, of a job that hangs.
var endings = map[string]int{"doctor": 1, "stuck": 110}

// shortened are the options that make a long command a short one, and what they are in the test.
var shortened = map[string][2]string{
	"sim":  {"--seeds", "63"},
	"soak": {"--time", "1s"},
}

// TestCommandsRun runs what pages show of weft, but for what needs hosts, takes minutes, or leaves a word
// to the reader.
func TestCommandsRun(t *testing.T) {
	weft, hello := tool(t, "./cmd/weft"), tool(t, "./examples/hello")
	seen := map[string]bool{}
	for _, path := range pages(t) {
		for _, command := range commands(read(t, path)) {
			words := strings.Fields(strings.Replace(command, "go run ./cmd/weft", "weft", 1))
			if words[0] != "weft" || seen[command] || needsHosts.MatchString(command) || placeholder.MatchString(command) {
				continue
			}
			seen[command] = true
			if args := runnable(t, words[1:], hello); args != nil {
				t.Run(command, func(t *testing.T) {
					t.Parallel()
					runCommand(t, weft, args)
				})
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d commands were found", len(seen))
	}
}

var boxNamed = regexp.MustCompile(`(?i)cluster in a box|cluster\.md`)

// TestHostsAreToldOf sees that a page with commands for several hosts says where some can be had.
func TestHostsAreToldOf(t *testing.T) {
	for _, path := range pages(t) {
		page := read(t, path)
		needs := slices.ContainsFunc(commands(page), needsHosts.MatchString)
		result := strings.HasPrefix(path, "../docs/results/") || strings.HasPrefix(path, "../docs/reference/")
		if needs && !result && !boxNamed.MatchString(page) {
			t.Errorf("%s: a command needs several hosts; say that a cluster in a box has some, with a link to docs/operating/cluster.md", path)
		}
	}
}

// runnable returns the arguments to run a command with, or nil if that is done elsewhere.
func runnable(t *testing.T, words []string, hello string) []string {
	t.Helper()
	if len(words) == 0 || len(words) == 1 && !slices.Contains(alone, words[0]) || slices.Contains(mentioned, words[len(words)-1]) ||
		given[strings.Join(words, " ")] {
		return nil
	}
	verb := words[0]
	if slices.Contains(measure, verb) {
		return briefly(words)
	}
	if verb == "sim" && words[1] == "run" {
		return withPrograms(t, []string{"sim", "run"}, words[2:], hello)
	}
	if s, found := shortened[verb]; found {
		return shorten(words, s[0], s[1])
	}
	if verb == "run" {
		return withPrograms(t, []string{"run", "--oversubscribe"}, words[1:], hello)
	}
	if needs, found := elsewhere[verb]; found {
		read(t, needs)
		return nil
	}
	return words
}

// briefly makes a command that measures a short one; nil if it is not to be run now.
func briefly(words []string) []string {
	whole := strings.Join(words, " ")
	switch {
	case !soak && !slices.Contains(momentary, words[1]):
		return nil
	case slices.Contains(momentary, words[1]):
		return words
	}
	words = append(words, strings.Fields(lessOf[whole])...)
	has := func(option string) bool { return slices.Contains(words, option) }
	compares := has("--peer") || has("--set") || has("--compare")
	switch verb := words[0]; {
	case verb == "lab" && (words[1] == "run" || words[1] == "report" || words[1] == "compare"):
		return append(words, "--quick")
	case verb == "tune" && !has("--regret"):
		return append(words, "--rounds", "1", "--jobs", "1")
	case verb == "verbs" && words[1] != "suite" && words[1] != "mem":
		words = append(words, "-n", "5")
	case verb == "bench" && words[1] != "every":
		words = append(words, "-i", "2", "-x", "1")
	}
	if words[0] == "bench" && (has("--rounds") || words[1] == "suite" || words[1] == "every") || compares {
		words = append(words, "--rounds", "1")
	}
	return words
}

// given are commands that work on what others leave.
var given = map[string]bool{
	"lab compare before after":           true, // two directories of lab run
	"bench suite --quick --against weft": true, // an older build: TestBenchAgainstAFreshBuild
	"bench latency --against ./weft-old": true,
	"tune --regret --on sim:connectx-ddr --shapes 3x2,3+1+2 --set machine=@my.machine": true, // tune --save my.machine
	"bench suite --quick --against ./weft-old --limit 1.02":                            true,
	"verbs --server": true, // waits for a client: TestVerbs
	"lab timeline":   true, // a part of the tool is mentioned
	"k8s manifest":   true, // likewise
}

// lessOf is what makes less of commands that are named for all that they can do.
var lessOf = map[string]string{
	"bench suite":       "--quick --peer openmpi",
	"bench suite --net": "--quick --peer openmpi",
	"tune --regret":     "--ops bcast -m 8:8",
	"lab sweep":         "--figure F3.3",
	"tune --algorithms -n 16 --on sim:qsnet2 --nodes 4": "--ops bcast -m 8:8",
}

// soak tells whether there is time for everything.
var soak = os.Getenv("WEFT_SOAK") != ""

// shorten sets an option, and leaves out what else says how long a command takes.
func shorten(words []string, option, value string) []string {
	var args []string
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case option, "--time", "--hours", "--rounds", "--seeds":
			i++
		case "--file", "--algorithms":
			return nil // which a failure would have written; of which all are tested by internal/simtest
		default:
			args = append(args, words[i])
		}
	}
	return append(args, option, value)
}

// isOurs tells whether a word of a command is a program of the repository: an example or an application.
func isOurs(word string) bool {
	return strings.HasPrefix(word, "./examples/") || strings.HasPrefix(word, "./apps/")
}

// withPrograms adds the words of a command to args, with a program of ours in the place of a reader's.
func withPrograms(t *testing.T, args, words []string, hello string) []string {
	t.Helper()
	programs := 0
	for _, w := range words {
		switch {
		case isOurs(w):
			w = tool(t, w)
			programs++
		case w == "weft":
			return nil // a job of another command, which has tests of its own
		case w == "." || w == "prog.go" || strings.HasPrefix(w, "./"):
			w = hello
			programs++
		case w == "hostname":
			programs++
		}
		if args = append(args, w); w == hello && !slices.Contains(words, ":") {
			break // what follows belongs to the reader's program
		}
	}
	if programs == 0 {
		return nil // an option is mentioned
	}
	return args
}

// runCommand runs weft in a directory of its own, where it leaves what the page has in /tmp, or, where it
// needs a module, in that of an example.
func runCommand(t *testing.T, weft string, args []string) {
	t.Helper()
	most := 2 * time.Minute
	if soak {
		most = 20 * time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	dir := t.TempDir()
	for i, w := range args {
		args[i] = strings.Replace(w, "=/tmp/", "="+dir+"/", 1)
	}
	cmd := exec.CommandContext(ctx, weft, args...)
	if cmd.Dir = dir; args[0] == "vet" {
		cmd.Dir = "../examples/pi"
	}
	own := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "WEFT_SOAK=") })
	cmd.Env = append(own, "PATH="+filepath.Dir(weft)+":"+os.Getenv("PATH"), "TOKEN=secret")
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != ending(args) {
		t.Errorf("weft %s: %v\n%s", strings.Join(args, " "), err, text)
	}
}

// ending returns the exit code that a command may have, too.
func ending(args []string) int {
	for _, w := range args {
		if code := endings[filepath.Base(w)]; code != 0 {
			return code
		}
	}
	return 0
}
