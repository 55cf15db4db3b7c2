package usage

import (
	"flag"
	"slices"
	"strings"
	"testing"
)

// sample is a small tool with all that there can be.
func sample() *Tool {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.Int("n", 0, "start `N` ranks")
	Also(set, "n", "ranks")
	set.Bool("quiet", false, "say nothing")
	set.String("on", "", "`host|sim:PROFILE`: run there")
	set.String("ops", "", "operations, `OP,...`")
	set.String("save", "", "write into `FILE`")
	set.String("env", "", "set `VAR`")
	set.Bool("secret", false, "")
	part := Command{Name: "do this", Short: "do this", Forms: []string{"ID... [options]"}, Words: "ID...", Groups: []Group{{Rows: Flags(set)}}}
	return &Tool{Name: "tool", Short: "a tool", About: "tool does things.", Version: "1.0",
		Commands: []Command{
			{Name: "do", Short: "do something", Forms: []string{"COMMAND"}, About: "One paragraph\nthat flows.\n\n  tool do this   -- as it is\n", Parts: []Command{part}},
			{Name: "run", Short: "run a program", Forms: []string{"[options] PROGRAM"}, Words: "PROGRAM ARGUMENT...", Ends: true, Then: "plain",
				Groups: []Group{{"pairs", []Option{{[]string{"-env", "-genv"}, "VAR OP", "set a variable"}, {[]string{"--old"}, "OP", ""}}}}, After: "The end."},
			{Name: "plain", Short: "nothing", Forms: []string{""}, Groups: []Group{{"", []Option{{[]string{"--plain"}, "", "nothing else"}}}}},
		},
		Topics: []Topic{{"stars", "about stars", ".They\\begin with a dot.\n\n'tis true\n"}},
		Values: map[string]func() []string{"PROFILE": func() []string { return []string{"near", "far"} }, "OP": func() []string { return []string{"add", "and", "or"} },
			"ID": func() []string { return []string{"F1", "F2"} }}}
}

func TestFlags(t *testing.T) {
	rows := sample().Commands[0].Parts[0].options()
	var all []string
	for _, r := range rows {
		all = append(all, r.left())
	}
	if want := "--env VAR; -n, --ranks N; --on host|sim:PROFILE; --ops OP,...; --quiet; --save FILE"; strings.Join(all, "; ") != want {
		t.Errorf("%q", all)
	}
}

func TestHelp(t *testing.T) {
	tool := sample()
	for words, want := range map[string]string{
		"": "tool does things.\n\ncommands:\n  tool do          do something\n  tool run         run a program\n  tool plain       nothing\n\n" +
			"tool help COMMAND shows a command with its options. There is also help on:\n  tool help stars       about stars\n",
		"do": `usage: tool do COMMAND

One paragraph that flows.

  tool do this   -- as it is

  tool do this ID... [options]
      do this
      --env VAR              set VAR
      -n, --ranks N          start N ranks
      --on host|sim:PROFILE  run there
      --ops OP,...           operations, OP,...
      --quiet                say nothing
      --save FILE            write into FILE
`,
		"run":   "usage: tool run [options] PROGRAM\n\npairs:\n  -env, -genv VAR OP  set a variable\n\nThe end.\n",
		"stars": ".They\\begin with a dot.\n\n'tis true\n",
	} {
		got, err := tool.Help(strings.Fields(words)...)
		if err != nil || got != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", words, err, got, want)
		}
	}
	for _, words := range []string{"dance", "do that", "run this", "stars run"} {
		if text, err := tool.Help(strings.Fields(words)...); err == nil {
			t.Errorf("%q: %s", words, text)
		}
	}
	if long := optionLines([]Option{{[]string{"--a"}, "", strings.Repeat("word ", 40)}, {[]string{"--a-name-that-is-longer-than-the-column"}, "FILE", "x"}}, 2); len(long) != 5 ||
		slices.ContainsFunc(long, func(line string) bool { return len(line) > Width }) {
		t.Errorf("%q", long)
	}
}

func TestWrap(t *testing.T) {
	if got := Wrap("one two  three four", 9); !slices.Equal(got, []string{"one two", "three", "four"}) {
		t.Errorf("%q", got)
	}
}

func TestComplete(t *testing.T) {
	for line, want := range map[string]string{
		"":                          "do run plain",
		"r":                         "run",
		"x":                         "",
		"x y":                       "",
		"do ":                       "this",
		"do this ":                  "F1 F2",
		"do this F1 ":               "F1 F2",
		"do this -":                 "--env -n --ranks --on --ops --quiet --save",
		"do this --o":               "--on --ops",
		"do this --on ":             "host sim:near sim:far",
		"do this --on sim:n":        "sim:near",
		"do this --on=sim:f":        "--on=sim:far",
		"do this --on far F":        "F1 F2",
		"do this -n 4 --quiet F":    "F1 F2",
		"do this --n=4 F":           "F1 F2",
		"do this --ops a":           "add and",
		"do this --ops or,a":        "or,add or,and",
		"do this --ops=or,a":        "--ops=or,add --ops=or,and",
		"do this --save ":           "files",
		"do this -n ":               "",
		"run ":                      "files",
		"run prog -":                "files",
		"run -env X ":               "add and or",
		"run -genv X o":             "or",
		"run -env=X o":              "or",
		"run --old add ":            "files",
		"run -env X or p":           "files",
		"run -":                     "-env -genv --plain",
		"run --env X or --old or -": "-env -genv --plain",
	} {
		found := sample().Complete(strings.Split(line, " "))
		var got []string
		if found.Files {
			got = append(got, "files")
		}
		for _, w := range found.Words {
			got = append(got, w.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if got := sample().Complete([]string{"r"}).Lines(); got != "none\nrun\trun a program\n" {
		t.Errorf("%q", got)
	}
}

// FuzzComplete: whatever was typed, what is offered begins with it.
func FuzzComplete(f *testing.F) {
	for _, line := range []string{"do this --on=sim:", "run -env", "do this --ops a,b,", "run -- x", "do -", "do this ---"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		for _, w := range sample().Complete(words).Words {
			if !strings.HasPrefix(w.Text, words[len(words)-1]) {
				t.Errorf("%q: %q", line, w.Text)
			}
		}
	})
}

func TestPages(t *testing.T) {
	pages := sample().Pages()
	var files []string
	texts := map[string]string{}
	for _, p := range pages {
		files = append(files, p.File())
		texts[p.Name] = p.Text
	}
	if want := []string{"man1/tool-do.1", "man1/tool-run.1", "man1/tool-plain.1", "man7/tool-stars.7", "man1/tool.1"}; !slices.Equal(files, want) {
		t.Errorf("%q", files)
	}
	for page, lines := range map[string][]string{
		"tool-do":    {`.TH "TOOL\-DO" 1 "" "tool 1.0" "tool"`, `tool\-do \- do something`, "One paragraph that flows.", `  tool do this   \-\- as it is`, `.SS tool do this ID... [options]`, `\fB\-n\fR, \fB\-\-ranks\fR \fIN\fR`},
		"tool-run":   {`.SS pairs`, `\fB\-env\fR, \fB\-genv\fR \fIVAR OP\fR`, "The end."},
		"tool-stars": {`\&.They\ebegin with a dot.`, `\(aqtis true`},
		"tool":       {`\fBtool do\fR`, "do something."},
	} {
		for _, line := range lines {
			if !strings.Contains(texts[page], "\n"+line+"\n") && !strings.HasPrefix(texts[page], line+"\n") {
				t.Errorf("%s: no line %q in\n%s", page, line, texts[page])
			}
		}
		if strings.Contains(texts[page], "old") {
			t.Errorf("%s tells of what is not for people", page)
		}
	}
}

func TestScript(t *testing.T) {
	for _, shell := range Shells() {
		text, err := Script(shell, "tool")
		if err != nil || !strings.Contains(text, "tool completion "+shell) || strings.Contains(text, "TOOL") {
			t.Errorf("%s: %v\n%s", shell, err, text)
		}
	}
	if _, err := Script("tcsh", "tool"); err == nil {
		t.Error("a script for tcsh")
	}
}
