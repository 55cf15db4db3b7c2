package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// saveAs matches the words before a block that the reader is to save in a file.
var saveAs = regexp.MustCompile("(?s)Save this as\\s`([^`]+)`:\\n\\n```go\\n(.*?)```\n")

// followed is what a newcomer types who does what a page says: its commands in their order, and its files by a here-document.
func followed(page string) []string {
	page = saveAs.ReplaceAllString(page, "\n    cat >$1 <<'EOF'\n$2    EOF\n")
	_, rest := blocks(page)
	var lines []string
	file := false
	for line := range strings.Lines(rest) {
		command, indented := strings.CutPrefix(line, "    ")
		if !indented && !file {
			continue
		}
		switch {
		case strings.HasPrefix(command, "cat >"):
			file = true
		case command == "EOF\n":
			file = false
		}
		lines = append(lines, strings.TrimSuffix(command, "\n"))
	}
	return lines
}

// TestGettingStartedWorks does what the page says, word by word, in a home directory of its own: all but fetching the clone and
// packages, and running on hosts that are not there.
func TestGettingStartedWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	clone := strings.NewReplacer("~/weft", here, "$HOME/weft", here) // not a copy: what is compiled already need not be again
	boxed := len(cluster.Missing()) == 0
	var script strings.Builder
	for _, line := range followed(read(t, "using/getting-started.md")) {
		switch {
		case strings.HasPrefix(line, "git clone "), strings.HasPrefix(line, "sudo apt-get "), strings.Contains(line, "--host node1"):
			continue
		case strings.HasPrefix(line, "sudo "):
			if !boxed {
				continue
			}
			line = strings.TrimPrefix(line, "sudo ")
		}
		script.WriteString(clone.Replace(line) + "\n")
	}
	cmd := exec.Command("sh", "-e", "-c", script.String())
	cmd.Env, cmd.Dir = newcomer(t), t.TempDir()
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script.String(), text)
	}
	wants := []string{`hello from rank 3 of 4\n`, `rank 3 on \S+: the 4 ranks add up to 6\n`, `ok\s+example.com/sum`}
	if boxed {
		wants = append(wants, `rank 3 on h1: the 4 ranks add up to 6\n`)
	}
	for _, want := range wants {
		if !regexp.MustCompile(want).Match(text) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// newcomer is the environment of somebody with an empty home directory, but with the caches of whoever runs the tests, so
// that nothing is fetched.
func newcomer(t *testing.T) []string {
	t.Helper()
	env := []string{"HOME=" + t.TempDir(), "GOPROXY=off", "GOSUMDB=off"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOTOOLCHAIN"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return append(env, "PATH="+os.Getenv("PATH"))
}

// scratch is a directory with weft and the files that commands of the pages name.
func scratch(t *testing.T, weft string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"hosts":      "h1 slots=4\nh2 slots=4\n",
		"my.machine": "turn=3000\n",
		"my.rules":   "allreduce=ring\n",
		"prog":       "#!/bin/sh\n",
		"sum":        "#!/bin/sh\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(weft, filepath.Join(dir, "weft")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestCommandsForHostsAreTaken gives weft the jobs on several hosts that pages show, with --dry-run, which reads everything and
// starts nothing. TestCommandsRun runs what needs no hosts.
func TestCommandsForHostsAreTaken(t *testing.T) {
	weft := tool(t, "./cmd/weft")
	dir := scratch(t, weft)
	taken := map[string]bool{}
	for _, page := range pages(t) {
		for _, command := range commands(read(t, page)) {
			options, isRun := strings.CutPrefix(command, "weft run ")
			if !isRun || taken[command] || !needsHosts.MatchString(command) || !strings.Contains(options, " ") {
				continue
			}
			taken[command] = true
			cmd := exec.Command("sh", "-c", "weft run --dry-run --oversubscribe "+options)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", page, command, err, text)
			}
		}
	}
	if len(taken) < 20 {
		t.Errorf("only %d commands were found", len(taken))
	}
}
