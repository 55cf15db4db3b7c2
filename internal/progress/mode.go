package progress

// Mode says who makes progress while nobody waits.
type Mode uint8

// The modes.
const (
	Auto       Mode = iota // the background goroutine, once the program has been away for a moment
	Poll                   // nobody: progress happens inside calls only
	Wake                   // the background goroutine, at once, while something is in flight
	Rendezvous             // the same, where short messages do not count: they wait for the next call
	Interrupt              // the background goroutine, whatever comes: it sleeps until an event of a link wakes it
)

// lazy tells that nobody serves short messages while the program computes.
func (m Mode) lazy() bool { return m == Poll || m == Rendezvous }

// Holds tells whether links may hold short messages back for a moment: somebody lets go of them though the
// program computes.
func (m Mode) Holds() bool { return !m.lazy() }
