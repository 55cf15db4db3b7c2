package pmi

import (
	"fmt"
	"strconv"
)

// cmdOver is the last line of a manager that is one of the ranks: the job is over before its time.
const cmdOver = "weft_over" // manager to rank: why, and what to exit with

// Over is why a manager has ended the job, and the code to exit with.
type Over struct {
	Code int
	Text string
}

func (o *Over) Error() string { return o.Text }

// OverMessage writes an Over as a line.
func OverMessage(code int, why string) Message {
	return NewMessage(cmdOver, "exitcode", strconv.Itoa(code), "text", Escape(head(why, textMax)))
}

// parseOver reads what OverMessage writes. Whatever is wrong with the line, the job is over.
func parseOver(m Message) error {
	code, err := m.Int("exitcode")
	if err != nil || code < 1 || code > 255 {
		return fmt.Errorf("%w: cmd=%s without a code", ErrLine, m.Cmd)
	}
	word, _ := m.Get("text")
	text, err := Unescape(word)
	if err != nil {
		return err
	}
	return &Over{code, text}
}
