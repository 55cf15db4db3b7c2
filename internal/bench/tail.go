package bench

import "strings"

// Tail is a writer that keeps the end of what is written to it: enough to show what a failed run said last.
// It is not safe for concurrent use.
type Tail struct{ kept []byte }

const tailBytes = 2 * kib

// Write keeps the end of everything written so far. It never fails.
func (t *Tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b...)
	if extra := len(t.kept) - tailBytes; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(b), nil
}

// Quoted returns the kept text as the second half of an error message, or nothing when there is none.
func (t *Tail) Quoted() string {
	text := strings.TrimSpace(string(t.kept))
	if text == "" {
		return ""
	}
	return "; its last words:\n" + text
}
