package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tool builds a package of the module once and returns the executable. It lives in a directory that TestMain removes.
func tool(t *testing.T, pkg string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	path, err := built(pkg)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var (
	buildDir string
	buildMu  sync.Mutex
)

func built(pkg string) (string, error) {
	buildMu.Lock()
	defer buildMu.Unlock()
	path := filepath.Join(buildDir, filepath.Base(pkg))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.Command("go", "build", "-o", path, pkg)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "weft-docs-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// inline is a command in running text: code that begins with a program we know.
var inline = regexp.MustCompile("`((?:weft|go run \\./cmd/weft|make) [^`]+)`")

// commands returns the commands of weft and make that a page shows, in text and in blocks of their own.
func commands(page string) []string {
	var all []string
	_, rest := blocks(page)
	for _, m := range inline.FindAllStringSubmatch(rest, -1) {
		all = append(all, m[1])
	}
	for _, line := range strings.Split(rest, "\n") {
		line, found := strings.CutPrefix(line, "    ")
		if line = strings.TrimSpace(line); found && line != "" {
			line, _, _ = strings.Cut(line, " #")
			all = append(all, assignments.ReplaceAllString(line, ""))
		}
	}
	return all
}

// assignments matches variables in front of a command.
var assignments = regexp.MustCompile(`^([A-Z_]+=('[^']*'|\S*) )+`)

// flagWord matches an option, without its value.
var flagWord = regexp.MustCompile(`^--?([A-Za-z][A-Za-z-]*)`)

// options returns the names of all options that a help text mentions.
func options(help string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?:^|[\s,])--?([A-Za-z][A-Za-z-]*)`).FindAllStringSubmatch(help, -1) {
		names = append(names, m[1])
	}
	return names
}

// helps are what programs have said to -h, by the words of the command.
var helps = map[string]string{}

// helpOf returns what a program says to -h. It is asked once.
func helpOf(t *testing.T, path string, words ...string) string {
	t.Helper()
	asked := path + " " + strings.Join(words, " ")
	if text, ok := helps[asked]; ok {
		return text
	}
	var text bytes.Buffer
	cmd := exec.Command(path, append(words, "-h")...)
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v -h: %v", filepath.Base(path), words, err)
	}
	helps[asked] = text.String()
	return helps[asked]
}

func TestCommandsHaveTheirOptions(t *testing.T) {
	weft := tool(t, "./cmd/weft")
	checked := 0
	for _, path := range pages(t) {
		for _, command := range commands(read(t, path)) {
			words := inner(strings.Fields(strings.Replace(command, "go run ./cmd/weft", "weft", 1)))
			if words[0] == "weft" && len(words) > 1 {
				checkWeft(t, path, command, weft, words[1:])
				checked++
			}
			if words[0] == "make" {
				checkMake(t, path, command, words[1:])
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d commands were found", checked)
	}
}

// inner returns the command that weft cluster runs on a host, and any other command as it is.
func inner(words []string) []string {
	if len(words) > 4 && slices.Equal(words[:3], []string{"weft", "cluster", "exec"}) {
		return words[4:]
	}
	return words
}

// checkWeft looks up the options of a weft command in its help, and those of an example in the example's.
func checkWeft(t *testing.T, page, command, weft string, words []string) {
	t.Helper()
	verb := words[:1]
	if len(words) > 1 && (words[0] == "bench" && words[1] == "every" || words[0] == "sim") {
		verb = words[:2] // which has options of its own
	}
	known := options(helpOf(t, weft, verb...))
	for _, w := range words[1:] {
		runs := verb[len(verb)-1] == "run" && words[0] != "lab"
		if runs && isOurs(w) {
			known = options(helpOf(t, tool(t, w)))
			continue
		}
		if runs && (strings.HasPrefix(w, "./") || w == "weft") {
			return // what follows belongs to somebody else's program
		}
		if m := flagWord.FindStringSubmatch(w); m != nil && m[1] != "h" && !slices.Contains(known, m[1]) {
			t.Errorf("%s: %q: there is no option %s", page, command, w)
		}
	}
}

// checkMake looks up targets and variables in the Makefile.
func checkMake(t *testing.T, page, command string, words []string) {
	t.Helper()
	makefile := "\n" + read(t, filepath.Join(root, "Makefile"))
	for _, w := range words {
		name, _, isVariable := strings.Cut(w, "=")
		found := strings.Contains(makefile, "\n"+name+":")
		if isVariable {
			found = regexp.MustCompile(`\n` + regexp.QuoteMeta(name) + ` +\?=`).MatchString(makefile)
		}
		if !found {
			t.Errorf("%s: %q: the Makefile has no %s", page, command, name)
		}
	}
}

// TestProgramsOfThePagesRun starts every whole program that a page shows, on three ranks.
func TestProgramsOfThePagesRun(t *testing.T) {
	weft := tool(t, "./cmd/weft")
	for page, want := range map[string]string{
		"../README.md":             "rank 2 of 3: the ranks add up to 3\n",
		"using/getting-started.md": "the 3 ranks add up to 3\n",
		"using/from-c.md":          "3 ranks, sum 3\n",
	} {
		all, _ := blocks(read(t, page))
		i := slices.IndexFunc(all, func(b block) bool { return strings.HasPrefix(b.text, "package main") })
		if i < 0 {
			t.Errorf("%s shows no program", page)
			continue
		}
		program := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(program, []byte(all[i].text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(weft, "run", "--oversubscribe", "-n", "3", "--timeout", "60", program)
		cmd.Dir = root
		text, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", page, err, text)
		}
	}
}

// TestFirstCommandOfReadme runs what a newcomer types first, word by word.
func TestFirstCommandOfReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	var first string
	for _, c := range commands(read(t, "../README.md")) {
		if strings.HasPrefix(c, "go run ") {
			first = c
			break
		}
	}
	words := strings.Fields(first)
	if len(words) < 3 {
		t.Fatal("README.md has no go run command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(text), "pi is about 3.141592653") {
		t.Errorf("%s: %v\n%s", first, err, text)
	}
}
