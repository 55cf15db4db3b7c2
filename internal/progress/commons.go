package progress

import "errors"

// Commons is memory that the ranks of a node share, for the plans of one communicator.
type Commons struct{}

// errNoCommons: who chose the plan did not look whether the ranks share memory.
var errNoCommons = errors.New("progress: the plan shares memory of the node, and this communicator has none")

// Set raises a flag of this rank.
func (t *task) Set(int) { panic("progress: a plan that shares nothing raises a flag") }

// Await waits for a flag of another rank of the node.
func (t *task) Await(int, int, int) bool { panic("progress: a plan that shares nothing awaits a flag") }
