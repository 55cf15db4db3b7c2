// Package ssh makes the command lines by which weft runs itself on other hosts.
//
// It owns the options that ssh is called with when users do not name another command, the order of
// words, and the names by which weft is looked for there. It promises a line that a shell on the
// other host understands as it is meant, if the words mean themselves to a shell. It must not know
// what weft is to do there, nor run anything.
package ssh

import (
	"strconv"

	"github.com/weft-mpi/weft/internal/launch/hosts"
)

// Command says how hosts are reached.
type Command struct {
	Words []string // command that takes a host and what to run there; none: ssh, which asks nothing and gives up after 10 s
	Args  []string // more words for it
	Port  int      // where servers listen of hosts that do not say otherwise; 0 leaves it to the command
}

var standard = []string{"ssh", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"}

// Line returns the words that run something on a host. They belong to the caller.
func (c Command) Line(h hosts.Host, run ...string) []string {
	words := c.Words
	if len(words) == 0 {
		words = standard
	}
	line := append(append([]string{}, words...), c.Args...)
	port := h.Port
	if port == 0 {
		port = c.Port
	}
	if port != 0 {
		line = append(line, "-p", strconv.Itoa(port))
	}
	to := h.Name
	if h.User != "" {
		to = h.User + "@" + to
	}
	return append(append(line, to), run...)
}
