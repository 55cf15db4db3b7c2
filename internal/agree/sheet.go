package agree

import (
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
)

// Entry is a setting, or a property of a program, that must be the same on all ranks.
type Entry struct {
	Name  string
	Value string // "" if it is not known, and goes with every other
}

// Sheet is all that must be the same, of one rank, in an order that all ranks share.
type Sheet struct {
	Who     string // the rank and its host, for people
	Entries []Entry
}

// ErrDiffer is the class of errors about ranks whose programs or settings do not go together.
var ErrDiffer = errors.New("ranks of one job differ in what must be the same")

// valueMax is how long a value travels; longer ones are told apart by a sum.
const valueMax = 60

// short is a value as it travels and is compared.
func short(v string) string {
	if len(v) <= valueMax {
		return v
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(v)) // never fails
	return fmt.Sprintf("%s... (%d bytes, sum %016x)", v[:valueMax/2], len(v), sum.Sum64())
}

// Text is the sheet as one word that Compare reads.
func (s Sheet) Text() string {
	lines := []string{s.Who}
	for _, e := range s.Entries {
		lines = append(lines, e.Name+"="+short(e.Value))
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(lines, "\n")))
}

// Compare holds the sheet against that of the job's first rank, as Text wrote it there. The error
// names everything that differs.
func (s Sheet) Compare(first string) error {
	text, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return fmt.Errorf("%w: the first rank's sheet: %w", ErrTold, err)
	}
	who, rest, _ := strings.Cut(string(text), "\n")
	theirs := map[string]string{}
	for line := range strings.SplitSeq(rest, "\n") {
		name, value, _ := strings.Cut(line, "=")
		theirs[name] = value
	}
	var differ []string
	for _, e := range s.Entries {
		mine, other := short(e.Value), theirs[e.Name]
		if _, told := theirs[e.Name]; !told {
			differ = append(differ, fmt.Sprintf("%s is not known to %s", e.Name, who))
		} else if mine != other && mine != "" && other != "" {
			differ = append(differ, fmt.Sprintf("%s is %s on %s and %s on %s", e.Name, mine, s.Who, other, who))
		}
	}
	if differ == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrDiffer, strings.Join(differ, "; "))
}
