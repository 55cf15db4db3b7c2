package docs_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	remark        = regexp.MustCompile(`(?s)<!--.*?-->`)
	generatedPart = regexp.MustCompile(`(?s)<!-- generated: .*?<!-- end -->`)
	nonLetter     = regexp.MustCompile(`[^\n]`)
)

// proseOf returns the lines of a page that people have written for people: what is code, generated or a
// remark is blank, and links have no targets.
func proseOf(page string) []string {
	without := func(text string) string { return nonLetter.ReplaceAllString(text, "") }
	for _, part := range []*regexp.Regexp{generatedPart, fence, remark} {
		page = part.ReplaceAllStringFunc(page, without)
	}
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "    ") {
			lines[i] = ""
		}
	}
	return strings.Split(link.ReplaceAllString(code.ReplaceAllStringFunc(strings.Join(lines, "\n"), without), "]"), "\n")
}

// instead is what the list says of words, and of expressions.
type instead struct {
	words   map[string]string
	phrases map[*regexp.Regexp]string
}

func readInstead(t *testing.T) instead {
	t.Helper()
	all := instead{map[string]string{}, map[*regexp.Regexp]string{}}
	for number, line := range strings.Split(read(t, "testdata/instead.txt"), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		wrong, right, found := strings.Cut(line, " = ")
		if !found {
			t.Fatalf("instead.txt:%d: want WRONG = RIGHT", number+1)
		}
		if strings.IndexFunc(wrong, func(c rune) bool { return !unicode.IsLetter(c) }) < 0 {
			all.words[strings.ToLower(wrong)] = right
			continue
		}
		all.phrases[regexp.MustCompile(`(?i)(^|\W)(`+wrong+`)(\W|$)`)] = right
	}
	return all
}

var word = regexp.MustCompile(`\pL+`)

// TestLanguage finds misspelt words, words that only we understand, and words that stand there twice.
func TestLanguage(t *testing.T) {
	list := readInstead(t)
	for _, path := range pages(t) {
		for number, line := range proseOf(read(t, path)) {
			for _, found := range list.find(line) {
				t.Errorf("%s:%d: %s", path, number+1, found)
			}
		}
	}
}

// TestLanguageOfHelp looks for the same in what the tool says of its commands and topics.
func TestLanguageOfHelp(t *testing.T) {
	weft, list := tool(t, "./cmd/weft"), readInstead(t)
	help := func(words ...string) string {
		text, err := exec.Command(weft, append([]string{"help"}, words...)...).Output()
		if err != nil {
			t.Errorf("weft help %q: %v", words, err)
		}
		for number, line := range strings.Split(string(text), "\n") {
			for column := range strings.SplitSeq(line, "  ") {
				for _, found := range list.find(column) {
					t.Errorf("weft help %s, line %d: %s", strings.Join(words, " "), number+1, found)
				}
			}
		}
		return string(text)
	}
	names := regexp.MustCompile(`(?m)^  weft (?:help )?([a-z-]+)  `).FindAllStringSubmatch(help(), -1)
	if len(names) < 20 {
		t.Errorf("weft help lists %q", names)
	}
	for _, name := range names {
		help(name[1])
	}
}

// find says what is wrong with a line, and what to write.
func (list instead) find(line string) (wrong []string) {
	for _, w := range word.FindAllString(line, -1) {
		if right := list.words[strings.ToLower(w)]; right != "" {
			wrong = append(wrong, w+": write "+right)
		}
	}
	for phrase, right := range list.phrases {
		if m := phrase.FindStringSubmatch(line); m != nil {
			wrong = append(wrong, m[2]+": write "+right)
		}
	}
	fields := strings.Fields(line)
	for i := 1; i < len(fields); i++ {
		if w := strings.ToLower(fields[i]); w == strings.ToLower(fields[i-1]) && word.FindString(w) == w && w != "that" && w != "had" {
			wrong = append(wrong, w+" "+w+": write it once")
		}
	}
	return wrong
}

func TestLanguageFinds(t *testing.T) {
	list := readInstead(t)
	for line, want := range map[string]string{
		"A Reciever waits.":       "Reciever: write receiver",
		"it takes 12 us in all":   "12 us: write µs",
		"h9 is no name of a host": "is no name of: write is not the name of",
		"to the the end":          "the the: write it once",
		"12 users, µs, a receive": "",
	} {
		if got := strings.Join(list.find(line), "; "); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if got := strings.Join(proseOf("a `b` [c](d)\n```\ne\n```\n    f\n<!-- g\nh -->\ni"), "\n"); got != "a  [c]\n\n\n\n\n\n\ni" {
		t.Errorf("the prose is %q", got)
	}
}
