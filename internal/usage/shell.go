package usage

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed shell
var scripts embed.FS

// shells are those that can complete, with what describes the tool to each.
var shells = map[string]string{"bash": "shell/complete.bash", "zsh": "shell/complete.zsh", "fish": "shell/complete.fish"}

// Shells are the names of the shells that can complete.
func Shells() []string { return slices.Sorted(maps.Keys(shells)) }

// Script is what a shell reads to complete the command lines of a tool. It asks the tool itself for words:
// the command complete gets those that were typed and prints Lines.
func Script(shell, tool string) (string, error) {
	path, known := shells[shell]
	if !known {
		return "", fmt.Errorf("there is no completion for %q; write %s", shell, strings.Join(Shells(), ", "))
	}
	text, err := scripts.ReadFile(path)
	return strings.ReplaceAll(string(text), "TOOL", tool), err
}

// Lines is the completion for a script: first what else fits (none, files or dirs), then a word on each
// line, with a tab and what it means if there is something to say.
func (f Completion) Lines() string {
	var b strings.Builder
	switch {
	case f.Files:
		b.WriteString("files\n")
	case f.Dirs:
		b.WriteString("dirs\n")
	default:
		b.WriteString("none\n")
	}
	for _, w := range f.Words {
		b.WriteString(w.Text)
		if w.About != "" {
			b.WriteString("\t" + Wrap(w.About, shortest)[0])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// shortest is how much of an explanation stands beside a word.
const shortest = 60
