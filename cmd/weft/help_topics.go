package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/lab"
)

//go:embed topics
var topicTexts embed.FS

// topics lists what there is to read about besides commands. Tables in them are those that the code works by.
func topics() []usage.Topic {
	return []usage.Topic{
		{Name: "hosts", Short: "how to name hosts, and how they are reached", Text: topicText("hosts")},
		{Name: "settings", Short: "how settings of Weft are changed, and what they are", Text: topicText("settings") + settingLines()},
		{Name: "errors", Short: "what messages of a failing job mean", Text: topicText("errors")},
		{Name: "exit-codes", Short: "what the exit code of weft tells", Text: topicText("exit-codes") + exitCodeLines()},
		{Name: "sizes", Short: "how sizes and times are written", Text: topicText("sizes")},
		{Name: "machines", Short: "the machines of the research documents: IW1, IB2, QS and others", Text: topicText("machines") + machineLines()},
	}
}

func topicText(name string) string {
	text, err := topicTexts.ReadFile("topics/" + name + ".txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// settingLines are the settings for users by their groups.
func settingLines() string {
	settings, err := boot.ReadSettings(nil)
	if err != nil {
		return ""
	}
	var b strings.Builder
	group := ""
	for _, i := range settings.Values.Public() {
		if i.Group != group {
			group = i.Group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		fmt.Fprintf(&b, "  %s=%s\n", strings.ToLower(strings.TrimPrefix(i.Name, "WEFT_")), i.Default)
		for _, line := range usage.Wrap(i.Text, usage.Width-6) {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	return b.String()
}

// exitCodeLines are the codes of weft run and of other commands.
func exitCodeLines() string {
	var b strings.Builder
	for _, c := range []struct {
		code string
		text string
	}{
		{"0", "every rank ended well; the command did what it was asked to"},
		{fmt.Sprint(launch.CodeFailure), "the job could not be set up, or a rank ended with code 0 while others needed it; a command failed"},
		{fmt.Sprint(codeUsage), "the command line makes no sense; of a rank: it panicked"},
		{fmt.Sprint(codeSlower), "weft bench --limit: this build is slower than the other"},
		{fmt.Sprint(launch.CodeTimeout), "--timeout expired"},
		{fmt.Sprint(launch.CodeHostLost), "a host of the job, or the connection to it, is gone"},
		{fmt.Sprint(launch.CodeNotExecutable), "the program exists but cannot be run"},
		{fmt.Sprint(launch.CodeNotFound), "there is no such program"},
		{"128+n", "signal n ended a rank or, as " + fmt.Sprint(codeInterrupted) + " for Ctrl-C, the command itself"},
		{"141", "nobody reads the output any more (| head -1)"},
		{"any other", "that of the first rank that ended abnormally, or of mpi.Abort"},
	} {
		fmt.Fprintf(&b, "  %-10s %s\n", c.code, c.text)
	}
	return b.String()
}

// machineLines are the machines of the documents.
func machineLines() string {
	var b strings.Builder
	for _, m := range lab.Machines() {
		fmt.Fprintf(&b, "  %-4s sim:%-14s %s\n%25s %s\n", m.ID, m.Profile, m.Network, "", m.Hosts)
	}
	return b.String()
}
