package pmi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// LineMax is the longest line, newline included, that is read or written. Anything longer is an error, never cut.
	LineMax = 16 << 10

	// PutLineMax is the longest put line sent to a manager. Slurm loses its place in the stream near 1000 bytes, so
	// the client refuses earlier and says so.
	PutLineMax = 900
)

// ErrLine marks a line that is not PMI-1: no command, a control byte, too long, or cut off before its newline.
var ErrLine = errors.New("malformed PMI line")

// Field is one key=value word of a line. The value may be empty and may contain '=', but no space.
type Field struct {
	Key, Value string
}

// Message is one line: its command (the value of cmd=) and the other fields in the order they were written.
type Message struct {
	Cmd    string
	Fields []Field
}

// NewMessage builds a message from a command and alternating keys and values.
func NewMessage(cmd string, keysAndValues ...string) Message {
	m := Message{Cmd: cmd}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		m.Fields = append(m.Fields, Field{keysAndValues[i], keysAndValues[i+1]})
	}
	return m
}

// Get returns the value of the first field named key, wherever in the line it stands.
func (m Message) Get(key string) (string, bool) {
	for _, f := range m.Fields {
		if f.Key == key {
			return f.Value, true
		}
	}
	return "", false
}

// Int returns the decimal number in the first field named key.
func (m Message) Int(key string) (int, error) {
	text, ok := m.Get(key)
	if !ok {
		return 0, fmt.Errorf("%w: cmd=%s without %s=", ErrLine, m.Cmd, key)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%w: cmd=%s has %s=%q, want a number", ErrLine, m.Cmd, key, text)
	}
	return n, nil
}

// AppendMessage appends m as one line with its newline. It fails, with b unchanged, when a word would not come back
// as it was written (a space or control byte, an empty key) or when the line exceeds LineMax.
func AppendMessage(b []byte, m Message) ([]byte, error) {
	line, err := appendWord(b, "cmd", m.Cmd)
	if err != nil || m.Cmd == "" {
		return b, fmt.Errorf("%w: cannot write command %q", ErrLine, m.Cmd)
	}
	for _, f := range m.Fields {
		if f.Key == "cmd" {
			return b, fmt.Errorf("%w: field named cmd in %q", ErrLine, m.Cmd)
		}
		line = append(line, ' ')
		if line, err = appendWord(line, f.Key, f.Value); err != nil {
			return b, fmt.Errorf("%w: cannot write %s=%q of %q", ErrLine, f.Key, f.Value, m.Cmd)
		}
	}
	line = append(line, '\n')
	if n := len(line) - len(b); n > LineMax {
		return b, fmt.Errorf("%w: cmd=%s takes %d bytes, limit %d", ErrLine, m.Cmd, n, LineMax)
	}
	return line, nil
}

func appendWord(b []byte, key, value string) ([]byte, error) {
	if key == "" || strings.Contains(key, "=") || !oneWord(key) || !oneWord(value) {
		return b, ErrLine
	}
	b = append(b, key...)
	b = append(b, '=')
	return append(b, value...), nil
}

func oneWord(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

// ParseMessage reads one line, with or without its newline. Words are told apart by spaces and recognised by key,
// since managers differ in the order they write them. A word without '=' is skipped: managers print free text into
// msg= and every known client ignores its tail.
func ParseMessage(line []byte) (Message, error) {
	text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
	if len(text) >= LineMax {
		return Message{}, fmt.Errorf("%w: %d bytes, limit %d", ErrLine, len(text), LineMax)
	}
	var m Message
	for word := range strings.SplitSeq(text, " ") {
		key, value, ok := strings.Cut(word, "=")
		if !oneWord(word) {
			return Message{}, fmt.Errorf("%w: control byte in %q", ErrLine, clip(text))
		}
		switch {
		case !ok || key == "":
		case key == "cmd" && m.Cmd == "":
			m.Cmd = value
		case key == "cmd":
			return Message{}, fmt.Errorf("%w: two commands in %q", ErrLine, clip(text))
		default:
			m.Fields = append(m.Fields, Field{key, value})
		}
	}
	if m.Cmd == "" {
		return Message{}, fmt.Errorf("%w: no cmd= in %q", ErrLine, clip(text))
	}
	return m, nil
}

// clip keeps error messages readable when the offending line is long.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

// Reader takes messages off a stream.
type Reader struct {
	lines *bufio.Reader
}

// NewReader returns a reader of r; r is not read by anyone else from then on.
func NewReader(r io.Reader) *Reader {
	return &Reader{bufio.NewReaderSize(r, LineMax)}
}

// Next returns the next message. A clean end of the stream between two lines is io.EOF.
func (r *Reader) Next() (Message, error) {
	line, err := r.lines.ReadSlice('\n')
	switch {
	case err == nil:
		return ParseMessage(line)
	case errors.Is(err, bufio.ErrBufferFull):
		return Message{}, fmt.Errorf("%w: longer than %d bytes", ErrLine, LineMax)
	case errors.Is(err, io.EOF) && len(line) > 0:
		return Message{}, fmt.Errorf("%w: stream ends inside %q", ErrLine, clip(string(line)))
	default:
		return Message{}, err
	}
}
