package pmi

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Commands of the Weft extension. Each is one line in one direction and has no answer.
const (
	cmdStall     = "weft_stall"     // rank to launcher: I have been waiting, this is for what
	cmdLastWords = "weft_lastwords" // rank to launcher: the text to show if I end abnormally
	cmdDump      = "weft_dump"      // launcher to rank: tell me what you wait for, and what you have done
	cmdTally     = "weft_tally"     // rank to launcher: what I have done, the last line of an answer
)

// keyAsk is the field with the number of the question that a line asks or answers.
const keyAsk = "ask"

// Peers of a Stall that are not a rank.
const (
	AnyPeer = -1 // whoever sends first
	NoPeer  = -2 // the wait is not for one peer, as in a collective
)

// NoSeq is the sequence number of a wait that is not a collective.
const NoSeq = -1

// Stall says what one call of one rank waits for.
type Stall struct {
	Rank    int     // world rank that waits
	Op      string  // "recv", "allreduce", ...
	Comm    string  // name of the communicator
	Seq     int     // number of the collective on that communicator, or NoSeq
	Peer    int     // world rank waited for, AnyPeer or NoPeer
	Tag     int     // tag waited for; negative values are the caller's wildcards
	Bytes   int64   // size of the buffer or message
	Seconds float64 // how long the call has been waiting
	Site    string  // file:line of the user's call, may be empty
	Members []int   // world ranks of the communicator, may be empty
	Lying   []Lying // messages that have come and that nobody asks for; of one wait of a rank only
	More    int     // and how many more there are
	Ask     int     // number of the launcher's question that this answers; 0 if nobody has asked
}

// Lying is a message that has come and that no receive has asked for.
type Lying struct {
	Peer  int   `json:"peer"` // world rank that sent it
	Tag   int   `json:"tag"`
	Bytes int64 `json:"bytes"`
	Away  bool  `json:"away,omitempty"` // it is on another communicator than the call that waits
}

// LyingMax is how many of them a report may name.
const LyingMax = 8

// StallMessage writes s as a line. Texts are escaped, so any name and any path will do.
func StallMessage(s Stall) Message {
	m := NewMessage(cmdStall,
		"rank", strconv.Itoa(s.Rank),
		"op", Escape(s.Op),
		"comm", Escape(s.Comm),
		"seq", strconv.Itoa(s.Seq),
		"peer", strconv.Itoa(s.Peer),
		"tag", strconv.Itoa(s.Tag),
		"bytes", strconv.FormatInt(s.Bytes, 10),
		"seconds", strconv.FormatFloat(s.Seconds, 'g', -1, 64),
		"site", Escape(s.Site),
		"members", FormatRanks(s.Members),
		"lying", formatLying(s.Lying),
		"more", strconv.Itoa(s.More))
	if s.Ask != 0 {
		m.Fields = append(m.Fields, Field{keyAsk, strconv.Itoa(s.Ask)})
	}
	return m
}

// formatLying writes messages as PEER:TAG:BYTES, with :away behind those that are elsewhere.
func formatLying(all []Lying) string {
	var words []string
	for _, m := range all {
		word := fmt.Sprintf("%d:%d:%d", m.Peer, m.Tag, m.Bytes)
		if m.Away {
			word += awayMark
		}
		words = append(words, word)
	}
	return strings.Join(words, ",")
}

const awayMark = ":away"

// ParseStall reads what StallMessage writes, for a job of size ranks. Every field but ask is
// required; all are checked.
func ParseStall(m Message, size int) (Stall, error) {
	p := fieldParser{m: m}
	s := Stall{
		Rank:    p.number("rank", 0, size-1),
		Op:      p.text("op"),
		Comm:    p.text("comm"),
		Seq:     p.number("seq", NoSeq, math.MaxInt),
		Peer:    p.number("peer", NoPeer, size-1),
		Tag:     p.number("tag", math.MinInt, math.MaxInt),
		Bytes:   int64(p.number("bytes", 0, math.MaxInt)),
		Seconds: p.seconds("seconds"),
		Site:    p.text("site"),
		Members: p.ranks("members", size),
		Lying:   p.lying("lying", size),
		More:    p.number("more", 0, math.MaxInt),
	}
	if _, asked := m.Get(keyAsk); asked {
		s.Ask = p.number(keyAsk, 1, math.MaxInt)
	}
	if p.err == nil && s.Op == "" {
		p.err = fmt.Errorf("%w: cmd=%s with an empty op=", ErrLine, m.Cmd)
	}
	if p.err != nil {
		return Stall{}, p.err
	}
	return s, nil
}

// fieldParser reads fields until the first error, which it keeps.
type fieldParser struct {
	m   Message
	err error
}

func (p *fieldParser) fail(key string, cause any) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: cmd=%s, %s=: %v", ErrLine, p.m.Cmd, key, cause)
	}
}

func (p *fieldParser) word(key string) string {
	text, ok := p.m.Get(key)
	if !ok {
		p.fail(key, "missing")
	}
	return text
}

func (p *fieldParser) text(key string) string {
	text, err := Unescape(p.word(key))
	if err != nil {
		p.fail(key, err)
	}
	return text
}

func (p *fieldParser) number(key string, low, high int) int {
	n, err := strconv.Atoi(p.word(key))
	if err != nil || n < low || n > high {
		p.fail(key, fmt.Sprintf("want a number from %d to %d", low, high))
	}
	return n
}

func (p *fieldParser) seconds(key string) float64 {
	s, err := strconv.ParseFloat(p.word(key), 64)
	if err != nil || !(s >= 0 && s <= math.MaxFloat64) {
		p.fail(key, "want a duration in seconds")
	}
	return s
}

func (p *fieldParser) ranks(key string, size int) []int {
	ranks, err := ParseRanks(p.word(key), size)
	if err != nil {
		p.fail(key, err)
	}
	return ranks
}

// lying reads what formatLying writes.
func (p *fieldParser) lying(key string, size int) (all []Lying) {
	text := p.word(key)
	if text == "" {
		return nil
	}
	for word := range strings.SplitSeq(text, ",") {
		word, away := strings.CutSuffix(word, awayMark)
		var n [3]int
		fields := strings.Split(word, ":")
		bad := len(fields) != len(n) || len(all) == LyingMax
		for i := 0; i < len(n) && !bad; i++ {
			var err error
			n[i], err = strconv.Atoi(fields[i])
			bad = err != nil || n[i] < 0
		}
		if bad || n[0] >= size {
			p.fail(key, "want messages as PEER:TAG:BYTES")
			return nil
		}
		all = append(all, Lying{Peer: n[0], Tag: n[1], Bytes: int64(n[2]), Away: away})
	}
	return all
}
