package clock

// Clock is the time of a rank, and what the rank's processor is charged with. On a host, time passes by
// itself and work takes what it takes; in virtual time, a simulated host says what it costs.
type Clock interface {
	// Now is the time in nanoseconds.
	Now() int64
	// Sleep lets d nanoseconds pass.
	Sleep(d int64)
	// Spend tells that the caller's processor has done n units of work.
	Spend(w Work, n int)
}

// Work is something that a processor does and that a simulated host puts a price on.
type Work uint8

// The kinds of work.
const (
	Copy    Work = iota // bytes copied
	Call                // calls of the library
	Packet              // packets made, or taken apart and matched
	Search              // look-ups of a buffer
	Reduce              // bytes combined
	Event               // sleeping threads that something has woken
	Compute             // nanoseconds that the program computes
	Works               // how many kinds there are
)

var workNames = [Works]string{Copy: "copy", Call: "call", Packet: "packet", Search: "search", Reduce: "reduce", Event: "event", Compute: "compute"}

func (w Work) String() string { return workNames[w] }

// Real is the host's own time.
var Real Clock = realClock{}

type realClock struct{}

func (realClock) Now() int64      { return Now() }
func (realClock) Sleep(d int64)   { Sleep(d) }
func (realClock) Spend(Work, int) {}
