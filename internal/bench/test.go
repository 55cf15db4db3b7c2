package bench

import (
	"fmt"
	"strings"
)

// Shape says how a test is measured and how its rows are printed.
type Shape int

const (
	PingPong   Shape = iota // pairs exchange one message; half a round trip in microseconds
	Stream                  // pairs send windows of messages; megabytes (10^6) per second
	Collective              // all ranks make one call; microseconds per call, averaged over ranks
	Overlap                 // rank 0 computes while a message travels; per cent of the transfer that it hides
	Progress                // rank 0 computes for longer than a transfer; per cent of the transfer left afterwards
	Cycle                   // all ranks go through the same steps; microseconds per iteration, averaged over ranks
	Resident                // everyone talks to everyone; megabytes (2^20) that a process has grown by
	Idle                    // all wait for the last rank; what of a processor a rank uses meanwhile
	Sided                   // rank 0 operates on rank 1's part of a window; microseconds until that is over there
)

// String names the shape for messages.
func (s Shape) String() string {
	names := [...]string{"ping-pong", "stream", "collective", "overlap", "progress", "cycle", "resident", "idle", "one-sided"}
	if int(s) < len(names) && s >= 0 {
		return names[s]
	}
	return fmt.Sprintf("shape %d", int(s))
}

// Test describes one benchmark. The zero value is no test; take one from Find or Tests.
type Test struct {
	Name  string // as typed after `weft bench`
	Title string // first line of the output, as the OSU suite words it
	About string // one line for the help text
	Shape Shape

	TwoRanks  bool // exactly two ranks
	EvenRanks bool // pairs of ranks, so an even number
	BothWays  bool // both ends of a pair send (Stream)
	Rate      bool // prints the message rate too (Stream over several pairs)
	Sizeless  bool // the call carries no data, one row only
	Vector    bool // works on float32 elements, sizes are multiples of 4 bytes
	Shared    bool // the size is split over the ranks, so at least 4 bytes for each
	Spread    bool // one buffer holds a block for every rank
	Chained   bool // calls follow each other: ranks wait for each other in them; otherwise an untimed barrier follows each
	Starts    bool // the non-blocking form of Operation, and a wait for it; of a window, the form with a request
	Kept      bool // a persistent form of Operation, made once and started again and again
	Recent    bool // MPI has it since version 4: older libraries do not
	Skewed    bool // blocks of Operation are of very different lengths (see Skew)
	Manages   bool // makes a communicator or a window and frees it
	Threads   bool // in Share goroutines of each rank at the same time, each with tags of its own

	Operation string // what is called (Collective); empty: what Name says
	Mode      string // how messages are sent and received (PingPong); empty: by Send and Recv

	Computes   Role   // who computes between its call and its wait (Overlap, Progress); it is rank 0
	First      Role   // who is made to arrive first (Overlap, Progress)
	Model      int    // the order of calls in an exchange: 1 receives first, 2 sends first
	Neighbours int    // with how many others each rank exchanges
	Reuses     bool   // takes its buffers from a pool; Share is how many of 100 messages use the same one again
	Spectrum   bool   // Iterations is a number of buffers, of which the i-th carries i messages
	Paged      bool   // each buffer of a spectrum has pages of its own
	Beside     bool   // long messages flow meanwhile, each Share per cent of BesideBytes long
	Wakes      bool   // the value is how often a rank wakes up in a second (Idle)
	Counter    string // the value is this counter of the library, the mean of the ranks, in 2^20; other libraries have none
	Verb       string // what is done to the window: put, get, accumulate, get_accumulate, fetch or swap (Sided)
	Epoch      Epoch  // what each operation stands between (Sided)
	Created    bool   // the window is over memory of the program's; otherwise of the library's (Sided)
	ShareText  string // what a step's Share means, for the heads of tables; empty when it means nothing

	Smallest, Largest int // default range of sizes in bytes
}

// Role is one end of a message.
type Role int

// The roles.
const (
	Sender Role = iota
	Receiver
)

// String names the role.
func (r Role) String() string { return [...]string{Sender: "sender", Receiver: "receiver"}[r] }

// BesideBytes is the length of the long messages of a test that measures beside them, at 100 per cent.
const BesideBytes = 4 * mib

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Tests returns every test in the order of the help text. The slice is the caller's.
func Tests() []Test { return append([]Test(nil), tests...) }

// Find returns the test of that name, with or without the prefix osu_.
func Find(name string) (Test, error) {
	plain := strings.TrimPrefix(name, "osu_")
	known := make([]string, len(tests))
	for i, t := range tests {
		if t.Name == plain {
			return t, nil
		}
		known[i] = t.Name
	}
	return Test{}, fmt.Errorf("no benchmark is called %q; there are: %s", name, strings.Join(known, " "))
}

// StudyTopic is the topic of tests that only studies are made of.
const StudyTopic = "Tests that studies are made of"

// Topics returns what tests are about, in the order of the help text.
func Topics() []string {
	return []string{"Messages", "Collective operations", "Non-blocking collective operations",
		"Communicators and windows that are made and freed", "Operations on windows", StudyTopic}
}

// Topic is that of the test, one of Topics.
func (t Test) Topic() string {
	topics := Topics()
	switch {
	case !t.measuresOperation():
		return StudyTopic
	case t.Manages:
		return topics[3]
	case t.Shape == Sided:
		return topics[4]
	case t.Starts:
		return topics[2]
	case t.Shape == Collective && !t.exchanges():
		return topics[1]
	}
	return topics[0]
}

// exchanges says whether each rank sends to some others and receives from them in one call.
func (t Test) exchanges() bool { return t.Chained && !t.Sizeless }

// CheckRanks says whether the test can run on n ranks, and if not, what it needs.
func (t Test) CheckRanks(n int) error {
	switch {
	case t.TwoRanks && n != 2:
		return fmt.Errorf("%s runs on exactly 2 ranks, not %d (for more pairs: multi_lat, mbw_mr)", t.Name, n)
	case n < 2:
		return fmt.Errorf("%s needs at least 2 ranks, not %d", t.Name, n)
	case t.EvenRanks && n%2 != 0:
		return fmt.Errorf("%s works on pairs and needs an even number of ranks, not %d", t.Name, n)
	}
	return nil
}

// Unit returns the unit of a row's value.
func (t Test) Unit() string {
	switch t.Shape {
	case Stream:
		return "MB/s"
	case Idle:
		if t.Wakes {
			return "/s"
		}
		return "%"
	case Overlap, Progress:
		return "%"
	case Resident:
		return "MB"
	}
	return "us"
}

// HigherIsBetter says in which direction the value of a row improves.
func (t Test) HigherIsBetter() bool { return t.Shape == Stream || t.Shape == Overlap }

// Checks says whether the test can check the data it moves: those that measure one operation can,
// but for single numbers in windows.
func (t Test) Checks() bool { return t.measuresOperation() && t.Verb != "fetch" && t.Verb != "swap" }

// measuresOperation says whether the test is about an operation of MPI; others are what studies are made of.
func (t Test) measuresOperation() bool {
	switch t.Shape {
	case PingPong, Stream, Collective, Sided:
		return !t.Reuses && !t.Spectrum && !t.Beside
	}
	return false
}

// Call is what a collective test calls.
func (t Test) Call() string {
	if t.Operation != "" {
		return t.Operation
	}
	return t.Name
}

// comparable says whether dividing one library's value by another's means something: percentages speak alone.
func (t Test) comparable() bool {
	return t.Shape != Overlap && t.Shape != Progress && t.Shape != Idle
}

// Pairs returns how many pairs of ranks exchange messages.
func (t Test) Pairs(ranks int) int {
	if t.Shape == PingPong || t.Shape == Stream {
		return ranks / 2
	}
	return 0
}

// Operations returns how many times the test's operation runs in a batch of s.
func (t Test) Operations(s Step) int {
	if t.Spectrum {
		return s.Iterations * (s.Iterations + 1) / 2
	}
	if t.Threads {
		return s.Iterations * max(s.Share, 1)
	}
	return s.Iterations
}
