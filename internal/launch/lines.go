package launch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// lineMax is how much of a line without end is held back before it is written in pieces.
const lineMax = 64 << 10

// timeLayout has a fixed width, so that columns line up.
const timeLayout = "2006-01-02T15:04:05.000000Z07:00"

// format turns a rank's raw output into what is written. It holds no state; splitter does.
type format struct {
	tag       Tag
	timestamp bool
}

// plain tells whether lines pass unchanged.
func (f format) plain() bool { return f.tag == TagNone && !f.timestamp }

// appendLine appends one decorated line; line has no newline. whole is false for a piece of a line that is too long
// or was never finished.
func (f format) appendLine(b []byte, rank int, stream string, now time.Time, line []byte, whole bool) []byte {
	if f.tag == TagJSON {
		return appendJSON(b, rank, stream, now, line, whole)
	}
	if f.timestamp {
		b = now.AppendFormat(b, timeLayout)
		b = append(b, ' ')
	}
	switch f.tag {
	case TagRank:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(rank), 10)
		b = append(b, "] "...)
	case TagOpenMPI:
		b = fmt.Appendf(b, "[1,%d]<%s>:", rank, stream)
	}
	b = append(b, line...)
	return append(b, '\n')
}

func appendJSON(b []byte, rank int, stream string, now time.Time, line []byte, whole bool) []byte {
	text, err := json.Marshal(struct {
		Rank    int    `json:"rank"`
		Stream  string `json:"stream"`
		Time    string `json:"time"`
		Line    string `json:"line"`
		Partial bool   `json:"partial,omitempty"`
	}{rank, stream, now.Format(timeLayout), string(line), !whole})
	if err != nil {
		panic(err) // a struct of strings always marshals
	}
	return append(append(b, text...), '\n')
}

// splitter collects the bytes of one stream of one rank and gives out what may be written.
type splitter struct {
	format
	rank   int
	stream string // "stdout" or "stderr"
	direct bool   // hold nothing back: nobody else writes, and the user may be waiting for a prompt
	rest   []byte // the unfinished line
}

// add takes what was read and appends to b what is ready: whole lines, or pieces of a line beyond lineMax.
func (s *splitter) add(b, data []byte, now time.Time) []byte {
	if s.direct {
		return append(b, data...)
	}
	last := bytes.LastIndexByte(data, '\n')
	if last >= 0 {
		s.rest = append(s.rest, data[:last+1]...)
		b = s.appendWhole(b, s.rest, now)
		s.rest, data = s.rest[:0], data[last+1:]
	}
	s.rest = append(s.rest, data...)
	if len(s.rest) >= lineMax {
		b = s.end(b, now)
	}
	return b
}

func (s *splitter) appendWhole(b, lines []byte, now time.Time) []byte {
	if s.plain() {
		return append(b, lines...)
	}
	for line := range bytes.Lines(lines) {
		b = s.appendLine(b, s.rank, s.stream, now, line[:len(line)-1], true)
	}
	return b
}

// end appends what is held back, finished or not. Tagged output gets a newline, so that the next tag stands at the
// start of a line; plain output stays byte for byte what the rank wrote.
func (s *splitter) end(b []byte, now time.Time) []byte {
	if len(s.rest) == 0 {
		return b
	}
	if s.plain() {
		b = append(b, s.rest...)
	} else {
		b = s.appendLine(b, s.rank, s.stream, now, s.rest, false)
	}
	s.rest = s.rest[:0]
	return b
}
