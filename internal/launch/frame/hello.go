package frame

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Protocol is the number of this version of the language. Both ends must have the same.
const Protocol = 3

// helloMark begins the greeting. What a shell prints before it, without an end of line even, does not matter.
const helloMark = "weft-agent-hello "

// noiseMax bounds what a shell may print before the greeting.
const noiseMax = 64 << 10

// Hello is the agent's greeting.
type Hello struct {
	Protocol int
	Version  string // of the tool the agent is part of
}

// AppendHello appends the greeting as one line.
func AppendHello(b []byte, h Hello) []byte {
	return fmt.Appendf(b, "%s%d %s\n", helloMark, h.Protocol, strings.Map(printable, h.Version))
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}

// ErrNoHello says that a stream ended, or went on for too long, without a greeting.
var ErrNoHello = errors.New("no greeting of an agent")

// ReadHello reads up to and including the greeting and returns what came before it, which is somebody
// else's. The frames follow in in.
func ReadHello(in *bufio.Reader) (h Hello, noise string, err error) {
	var b strings.Builder
	for b.Len() < noiseMax {
		part, err := in.ReadSlice('\n')
		line := string(part)
		if before, greeting, found := strings.Cut(line, helloMark); found && err == nil {
			b.WriteString(before)
			h, err := parseHello(greeting)
			return h, b.String(), err
		}
		b.WriteString(line)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = ErrNoHello
			}
			return Hello{}, b.String(), err
		}
	}
	return Hello{}, b.String(), fmt.Errorf("%w within %d bytes", ErrNoHello, noiseMax)
}

func parseHello(text string) (Hello, error) {
	number, version, found := strings.Cut(strings.TrimRight(text, "\r\n"), " ")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 {
		return Hello{}, fmt.Errorf("%w: %.80q after its mark", ErrNoHello, text)
	}
	return Hello{n, version}, nil
}
