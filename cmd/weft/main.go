// Command weft is the one tool of Weft: it starts parallel programs and tells about the machine and the settings.
//
// Under the names mpirun, mpiexec and weftrun it behaves as "weft run", so that scripts written for other MPIs work.
// Each command is a file (run.go, info.go, ...) that says what it does; this file only finds it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/weft-mpi/weft/internal/spell"
	"github.com/weft-mpi/weft/internal/vet"
)

// command is one word after "weft". run gets the arguments after it and returns the exit code.
type command struct {
	name, short string
	run         func(args []string) int
}

// commands lists them in the order help shows them.
func commands() []command {
	return []command{
		{"run", "start a parallel program", runCommand},
		{"bench", "measure message passing on this machine", benchMain},
		{"tune", "find the fastest collective algorithms on this machine", tuneCommand},
		{"vet", "find mistakes with MPI calls in Go packages", vetCommand},
		{"profile", "see how unevenly ranks come to collective calls", profileCommand},
		{"lab", "make the figures of the research documents again", labCommand},
		{"verbs", "see whether RDMA works and how fast it is", verbsCommand},
		{"soak", "keep a job busy and check every message", soakCommand},
		{"sim", "test whole jobs in virtual time, with faults", simCommand},
		{"cluster", "make a cluster of several hosts on this machine", clusterCommand},
		{"doctor", "find what would keep a job from running well", doctorCommand},
		{"agent", "the part of weft run on other hosts; it starts it by itself", agentCommand},
		{"info", "show this machine, this build and the settings", infoCommand},
		{"version", "print the version", versionCommand},
		{"help", "print this text", helpCommand},
	}
}

func main() {
	os.Exit(weft(filepath.Base(os.Args[0]), os.Args[1:]))
}

// codeUsage is the exit code of a command line that makes no sense.
const codeUsage = 2

// codeInterrupted is the exit code of a command that a signal ended.
const codeInterrupted = 130

// weft runs the tool under the name it was called by.
func weft(name string, args []string) int {
	switch name {
	case "mpirun", "mpiexec", "weftrun":
		return runCommand(args)
	}
	if len(args) == 0 {
		return helpCommand(nil)
	}
	if servesGoVet(args) {
		vet.Serve()
	}
	word := args[0]
	switch word {
	case "-h", "-help", "--help":
		word = "help"
	case "-version", "--version", "-V":
		word = "version"
	}
	var names []string
	for _, c := range commands() {
		if c.name == word {
			return c.run(args[1:])
		}
		names = append(names, c.name)
	}
	fmt.Fprintf(os.Stderr, "weft: there is no command %q%s; weft help lists them\n", word, didYouMean(word, names))
	return codeUsage
}

func helpCommand([]string) int {
	fmt.Println("weft runs message-passing programs written in Go.")
	fmt.Println("\ncommands:")
	for _, c := range commands() {
		fmt.Printf("  weft %-9s %s\n", c.name, c.short)
	}
	fmt.Print(`
examples:
  weft run -n 4 ./prog            four ranks of an executable
  weft run -n 4 ./examples/hello  four ranks of a Go package, built first
  weft run -l -n 4 hostname       any program; every line names its rank
  weft info                       what this machine offers

weft run -h lists the options of run.
`)
	return 0
}

func versionCommand([]string) int {
	fmt.Println("weft " + version())
	return 0
}

// version is the module's version, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(text, s.Value[:min(12, len(s.Value))]) {
			text += " " + s.Value[:min(12, len(s.Value))]
		}
		if s.Key == "vcs.modified" && s.Value == "true" && !strings.Contains(text, "dirty") {
			text += " with local changes"
		}
	}
	return text
}

// didYouMean returns a hint when one of names is close to word.
func didYouMean(word string, names []string) string { return spell.Hint(word, names, 1) }
