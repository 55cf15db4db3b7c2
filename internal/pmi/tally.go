package pmi

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bounds of a tally.
const (
	countsMax    = 64 // of one rank
	countNameMax = 40 // bytes
)

// Tally is what a rank has done so far and what it takes, as an answer to a question of the launcher's. It comes behind
// the Stalls that answer the same question.
type Tally struct {
	Rank    int
	Ask     int     // number of the question
	Seconds float64 // since the rank has been up
	Counts  []Count
}

// Count is one number: how often, or how many. The name is made of small letters, digits and _.
type Count struct {
	Name  string
	Value uint64
}

// TallyMessage writes t as a line.
func TallyMessage(t Tally) Message {
	words := make([]string, 0, len(t.Counts))
	for _, c := range t.Counts {
		words = append(words, c.Name+":"+strconv.FormatUint(c.Value, 10))
	}
	return NewMessage(cmdTally,
		"rank", strconv.Itoa(t.Rank),
		keyAsk, strconv.Itoa(t.Ask),
		"seconds", strconv.FormatFloat(t.Seconds, 'g', -1, 64),
		"counts", strings.Join(words, ","))
}

// ParseTally reads what TallyMessage writes, for a job of size ranks. Every field is required and checked.
func ParseTally(m Message, size int) (Tally, error) {
	p := fieldParser{m: m}
	t := Tally{
		Rank:    p.number("rank", 0, size-1),
		Ask:     p.number(keyAsk, 1, math.MaxInt),
		Seconds: p.seconds("seconds"),
		Counts:  p.counts("counts"),
	}
	if p.err != nil {
		return Tally{}, p.err
	}
	return t, nil
}

// counts reads NAME:VALUE,NAME:VALUE, each name once.
func (p *fieldParser) counts(key string) (all []Count) {
	text := p.word(key)
	if text == "" {
		return nil
	}
	seen := map[string]bool{}
	for word := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(word, ":")
		value, err := strconv.ParseUint(number, 10, 64)
		if err != nil || strconv.FormatUint(value, 10) != number || !countName(name) || seen[name] || len(all) == countsMax {
			p.fail(key, fmt.Sprintf("want at most %d numbers as NAME:VALUE", countsMax))
			return nil
		}
		seen[name] = true
		all = append(all, Count{name, value})
	}
	return all
}

// countName tells whether a name may be one of a count.
func countName(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= countNameMax
}

// askOf is the number of the question that a line asks; 0 if it has none.
func askOf(m Message) (int, error) {
	if _, numbered := m.Get(keyAsk); !numbered {
		return 0, nil
	}
	return m.Int(keyAsk)
}

// Tally tells the launcher what this rank has done. One-way.
func (c *Client) Tally(t Tally) error {
	if !c.extended {
		return ErrForeign
	}
	return c.send(TallyMessage(t))
}
