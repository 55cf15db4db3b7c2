package launch

import (
	"bytes"
	"strings"
	"sync"
)

const (
	tailBytes  = 4 << 10 // how much of a rank's standard error is remembered
	tailLines  = 10      // how much of it is shown when the rank ends abnormally
	panicLines = 30      // the same from the line on where a Go program says why it crashed
)

// crashMarks begin the line in which a Go program says why it crashed. What follows can be long, all goroutines with
// their stacks, and the first lines are the ones worth keeping.
var crashMarks = [][]byte{[]byte("panic: "), []byte("fatal error: "), []byte("unexpected fault address "),
	[]byte("SIGSEGV: "), []byte("SIGQUIT: "), []byte("SIGABRT: "), []byte("SIGBUS: "), []byte("SIGFPE: "),
	[]byte("SIGILL: "), []byte("SIGTRAP: "), []byte("SIGSYS: ")}

// memory remembers the end of a rank's standard error, and the beginning of its last crash.
type memory struct {
	mu       sync.Mutex
	tail     []byte
	crash    []byte
	crashed  bool
	atStart  bool // the next byte begins a line
	anything bool
}

// add takes the next bytes of standard error and returns where in them a crash begins, -1 for nowhere.
func (m *memory) add(data []byte) (crash int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.findCrash(data)
	if at >= 0 {
		m.crashed = true
		m.crash = append(m.crash[:0], data[at:min(len(data), at+tailBytes)]...)
	} else if m.crashed && len(m.crash) < tailBytes {
		m.crash = append(m.crash, data[:min(len(data), tailBytes-len(m.crash))]...)
	}
	m.tail = append(m.tail, data...)
	if extra := len(m.tail) - tailBytes; extra > 0 {
		m.tail = append(m.tail[:0], m.tail[extra:]...)
	}
	if len(data) > 0 {
		m.anything, m.atStart = true, data[len(data)-1] == '\n'
	}
	return at
}

// findCrash returns where in data the first line begins with a crash mark, or -1. A mark cut in two by a read is
// missed; Go writes it in one piece.
func (m *memory) findCrash(data []byte) int {
	first := -1
	for _, mark := range crashMarks {
		if (m.atStart || !m.anything) && bytes.HasPrefix(data, mark) {
			return 0
		}
		if i := bytes.Index(data, append([]byte{'\n'}, mark...)); i >= 0 && (first < 0 || i+1 < first) {
			first = i + 1
		}
	}
	return first
}

// words returns what is worth showing, without a final newline.
func (m *memory) words() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.crashed {
		lines := strings.Split(strings.TrimRight(string(m.crash), "\n"), "\n")
		return strings.Join(lines[:min(len(lines), panicLines)], "\n")
	}
	lines := strings.Split(strings.TrimRight(string(m.tail), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// panicked tells whether the rank said why it crashed.
func (m *memory) panicked() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.crashed
}
