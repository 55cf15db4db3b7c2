// Command weft is the one tool of Weft: it starts parallel programs and tells about the machine and the settings.
//
// Under the names mpirun, mpiexec and weftrun it behaves as "weft run", so that scripts written for other MPIs work.
// Each command is a file (run.go, info.go, ...) that says what it does; this file only finds it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/weft-mpi/weft/internal/spell"
	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/internal/vet"
)

// command is one word after "weft". run gets the arguments after it and returns the exit code; about
// describes it, but for name and short, and is nil if it is not for people.
type command struct {
	name, short string
	run         func(args []string) int
	about       func() usage.Command
}

// commands lists them in the order help shows them.
func commands() []command {
	return []command{
		{"run", "start a parallel program", runCommand, aboutRun},
		{"status", "show what running jobs do", statusCommand, aboutStatus},
		{"bench", "measure message passing on this machine", benchMain, aboutBench},
		{"tune", "find the fastest collective algorithms on this machine", tuneCommand, aboutTune},
		{"vet", "find mistakes with MPI calls in Go packages", vetCommand, aboutVet},
		{"profile", "see how unevenly ranks come to collective calls", profileCommand, aboutProfile},
		{"lab", "make the figures of the research documents again", labCommand, aboutLab},
		{"verbs", "see whether RDMA works and how fast it is", verbsCommand, aboutVerbs},
		{"soak", "keep a job busy and check every message", soakCommand, aboutSoak},
		{"sim", "run programs on simulated clusters, and test jobs there", simCommand, aboutSim},
		{"cluster", "make a cluster of several hosts on this machine", clusterCommand, aboutCluster},
		{"k8s", "write what Kubernetes needs to run a job", k8sCommand, aboutK8s},
		{"doctor", "find what would keep a job from running well", doctorCommand, aboutDoctor},
		{"info", "show this machine and what Weft makes of it", infoCommand, aboutInfo},
		{"completion", "let a shell complete command lines of weft", completionCommand, aboutCompletion},
		{"man", "write the manual pages", manCommand, aboutMan},
		{"version", "print the version", versionCommand, aboutVersion},
		{"help", "explain a command or a topic", helpCommand, aboutHelp},
		{"agent", "the part of weft run on other hosts; it starts it by itself", agentCommand, nil},
		{"complete", "what the scripts of weft completion call", completeCommand, nil},
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
		if c.about != nil {
			names = append(names, c.name)
		}
	}
	fmt.Fprintf(os.Stderr, "weft: there is no command %q%s; weft help lists them\n", word, didYouMean(word, names))
	return codeUsage
}

// didYouMean returns a hint when one of names is close to word.
func didYouMean(word string, names []string) string { return spell.Hint(word, names, 1) }
