package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/weft-mpi/weft/internal/usage"
)

const toolAbout = `
weft runs message-passing programs written in Go, and tells about the machines that they run on.

  weft run -n 4 ./prog            four ranks of an executable
  weft run -n 4 ./examples/hello  four ranks of a Go package, built first
  weft run -l -n 4 hostname       any program; every line names its rank
  weft info                       what this machine offers
`

// theTool describes weft: all that help, completion and the manual say comes from here.
func theTool() *usage.Tool {
	t := &usage.Tool{Name: "weft", Short: "run message-passing programs written in Go", About: toolAbout, Version: thisVersion().Version,
		Topics: topics(), Values: valueWords()}
	for _, c := range commands() {
		if c.about == nil {
			continue
		}
		d := c.about()
		d.Name, d.Short = c.name, c.short
		t.Commands = append(t.Commands, d)
	}
	return t
}

// newFlags returns a set of options for a command: what is wrong with a command line comes back from Parse,
// and help is made of the usage texts, each of which names the option's value in back quotes. Options
// without one are not for people.
func newFlags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("weft "+name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// flagGroup describes all options of a set.
func flagGroup(f *flag.FlagSet) []usage.Group { return []usage.Group{{Rows: usage.Flags(f)}} }

// showHelp prints what there is to say about a command, and returns the exit code.
func showHelp(words ...string) int {
	t := theTool()
	text, err := t.Help(words...)
	if err != nil {
		return refuse("help", fmt.Errorf("%w%s", err, didYouMean(words[0], t.Names())))
	}
	fmt.Print(text)
	return 0
}

// refuse tells what is wrong with a command line, and returns the exit code.
func refuse(name string, err error) int {
	fmt.Fprintf(os.Stderr, "weft %s: %v\n(weft %s -h shows how it is used)\n", name, err, name)
	return codeUsage
}

// parseAll reads the words of a command that takes up to so many besides its options. If done, there is
// nothing left but to return the code.
func parseAll(name string, f *flag.FlagSet, args []string, most int) (code int, done bool) {
	err := f.Parse(args)
	if err == nil && f.NArg() > most {
		err = fmt.Errorf("%q is not understood", f.Arg(most))
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp(strings.Fields(name)...), true
	case err != nil:
		return refuse(name, err), true
	}
	return 0, false
}

// helpCommand is "weft help".
func helpCommand(args []string) int {
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		args = []string{"help"}
	}
	return showHelp(args...)
}

func aboutHelp() usage.Command {
	return usage.Command{Forms: []string{"[COMMAND|TOPIC]"}, Words: "COMMAND", About: "\nExplains a command with all its options, or a topic. Without a word it lists both.\n"}
}

func aboutVersion() usage.Command {
	return usage.Command{Forms: []string{"[options]"}, About: "\nPrints the version, the commit and its date, and the version of Go that built this program.\n",
		Groups: flagGroup(new(versionOptions).flags())}
}

// completionCommand is "weft completion".
func completionCommand(args []string) int {
	f := newFlags("completion")
	if code, done := parseAll("completion", f, args, 1); done {
		return code
	}
	if f.NArg() == 0 {
		return refuse("completion", fmt.Errorf("name a shell: %s", strings.Join(usage.Shells(), ", ")))
	}
	text, err := usage.Script(f.Arg(0), "weft")
	if err != nil {
		return refuse("completion", err)
	}
	fmt.Print(text)
	return 0
}

func aboutCompletion() usage.Command {
	return usage.Command{Forms: []string{strings.Join(usage.Shells(), "|")}, Words: strings.Join(usage.Shells(), "|"), About: `
Prints a script after which a shell completes commands, options and values of weft. To try it in this shell:

  source <(weft completion bash)
  source <(weft completion zsh)
  weft completion fish | source

To keep it, write it where the shell looks for such scripts:

  weft completion bash > ~/.local/share/bash-completion/completions/weft
  weft completion zsh > "${fpath[1]}/_weft"
  weft completion fish > ~/.config/fish/completions/weft.fish
`}
}

// completeCommand is "weft complete", which the scripts call with the words that were typed.
func completeCommand(args []string) int {
	fmt.Print(theTool().Complete(args).Lines())
	return 0
}

// defaultManual is where manual pages go.
const defaultManual = "man"

// manCommand is "weft man".
func manCommand(args []string) int {
	f := newFlags("man")
	if code, done := parseAll("man", f, args, 1); done {
		return code
	}
	dir := defaultManual
	if f.NArg() == 1 {
		dir = f.Arg(0)
	}
	pages := theTool().Pages()
	for _, p := range pages {
		path := filepath.Join(dir, p.File())
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(p.Text), 0o644)
		}
		if err != nil {
			complain("man: %v", err)
			return 1
		}
	}
	fmt.Printf("%d pages are in %s; read one with: man -M %s weft\n", len(pages), dir, dir)
	return 0
}

func aboutMan() usage.Command {
	return usage.Command{Forms: []string{"[DIR]"}, Words: "DIR", About: `
Writes the manual pages, one for each command and each topic, into man1 and man7 below DIR (default: man).

  weft man ~/.local/share/man     where man looks for pages of yours
  man weft-run
`}
}
