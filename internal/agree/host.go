package agree

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
)

// Host is what the ranks of one host know of it; one of them tells it to all ranks of the job.
type Host struct {
	Name    string
	Ranks   []int // of the job that are here
	CPUs    int   // processors that they share; 0 if unknown
	Rails   int   // interfaces towards other hosts; 0 counts as 1
	Fetches bool  // each of them can copy straight from the memory of all others
	Room    int   // bytes of memory for collectives that one of them has
}

// crowding is how many ranks a processor of the host has; 0 if nobody knows.
func (h *Host) crowding() float64 {
	if h.CPUs == 0 {
		return 0
	}
	return float64(len(h.Ranks)) / float64(h.CPUs)
}

// ErrTold is the class of errors about what a host has told.
var ErrTold = errors.New("a host's facts cannot be used")

// Append adds the text of h that Parse reads: one word, in which nothing needs quoting but the
// name, which comes last.
func (h Host) Append(b []byte) []byte {
	fetches := 0
	if h.Fetches {
		fetches = 1
	}
	b = fmt.Appendf(b, "%d:%d:%d:%d:", h.CPUs, h.Rails, fetches, h.Room)
	return fmt.Appendf(b, "%s:%s", pmi.FormatRanks(h.Ranks), clean(h.Name))
}

// clean is a name without what a line of the exchange could not carry.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '=' || r > '~' {
			return '_'
		}
		return r
	}, name[:min(len(name), nameMax)])
}

const nameMax = 255

// Parse reads what Append wrote, of a host of a job of size ranks.
func Parse(text string, size int) (h Host, err error) {
	words := strings.SplitN(text, ":", 6)
	if len(words) != 6 {
		return h, fmt.Errorf("%w: %q", ErrTold, text)
	}
	var fetches int
	for i, n := range []*int{&h.CPUs, &h.Rails, &fetches, &h.Room} {
		if *n, err = strconv.Atoi(words[i]); err != nil || *n < 0 {
			return h, fmt.Errorf("%w: %q in %q is not a number", ErrTold, words[i], text)
		}
	}
	h.Fetches, h.Name = fetches != 0, words[5]
	if h.Ranks, err = pmi.ParseRanks(words[4], size); err != nil {
		return h, fmt.Errorf("%w: %w", ErrTold, err)
	}
	return h, nil
}
