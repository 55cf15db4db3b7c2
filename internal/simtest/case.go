package simtest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/weft-mpi/weft/internal/userfile"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Case is a job with its program: all that a run depends on. A seed makes one, and a file keeps one.
type Case struct {
	Seed    uint64 // it came from, and chance in the run
	Shape   Shape
	Faults  []Fault `json:",omitempty"`
	Items   []Item
	Comment string `json:",omitempty"` // of a file: what went wrong here
}

// Shape is a job without its program.
type Shape struct {
	Ranks    int
	Nodes    int
	Layout   string `json:",omitempty"` // of ranks on nodes: "" deals them out in turn, see nodeOf
	Spots    []int  `json:",omitempty"` // the node of each rank; if they are there, Layout does not count
	Rails    int
	Each     []sim.Node `json:",omitempty"` // the first nodes, if they are not all alike
	Profile  string     // of the simulated network
	Asks     int        `json:",omitempty"` // bytes of a Send's first segment, if interfaces ask programs what becomes of messages
	Inline   int        `json:",omitempty"` // bytes of the longest inline send, if that is more than the profile says
	Settings []string   // WEFT_NAME=value
}

// Fault is a misfortune that begins at a time of the run, in nanoseconds, and in most cases ends after another.
type Fault struct {
	Kind  string
	At    int64   `json:",omitempty"`
	For   int64   `json:",omitempty"`
	Rank  int     `json:",omitempty"` // it concerns, if it does
	Other int     `json:",omitempty"` // the second rank of a pair
	Node  int     `json:",omitempty"`
	Rail  int     `json:",omitempty"`
	Share float64 `json:",omitempty"` // of the datagrams
}

// Item is one thing that a program does; exactly one field is set. An item concerns several ranks, and a program
// without it is still a correct program, which is what makes a failing program shrink.
type Item struct {
	Message    *Message    `json:",omitempty"`
	Storm      *Storm      `json:",omitempty"`
	Exchange   *Exchange   `json:",omitempty"`
	Collective *Collective `json:",omitempty"`
	Parted     *Parted     `json:",omitempty"`
	Brief      *Brief      `json:",omitempty"`
	Sided      *Sided      `json:",omitempty"`
	Impatient  *Impatient  `json:",omitempty"`
	Make       *Make       `json:",omitempty"`
	Compute    *Compute    `json:",omitempty"`
	Orphan     *Orphan     `json:",omitempty"`
	Glance     *Glance     `json:",omitempty"`
}

// Mode is how a message is sent.
type Mode string

// The modes.
const (
	Standard    Mode = ""
	Synchronous Mode = "synchronous"
	Ready       Mode = "ready"
	Buffered    Mode = "buffered"
)

// Style is how a message is received.
type Style string

// The styles.
const (
	Plain     Style = ""          // Recv, or Irecv and a wait
	Probed    Style = "probe"     // Probe, then Recv of what it found
	Polled    Style = "iprobe"    // Iprobe until something is there, then Recv of that
	Matched   Style = "mprobe"    // Mprobe, then Mrecv
	Claimed   Style = "improbe"   // Improbe until something is there, then Imrecv and a wait
	Withdrawn Style = "withdrawn" // Irecv and Cancel; if that succeeds, Recv instead. In storms only.
)

// Message is one message from its sender's and its receiver's side. Ranks are those of the communicator.
type Message struct {
	Comm     int
	From, To int
	Tag      int
	Bytes    int
	Mode     Mode `json:",omitempty"`
	Send     End
	Recv     End
	Style    Style `json:",omitempty"`
	Hold     int   `json:",omitempty"` // how many items later the receiver receives what a matched probe has taken
	AnyTag   bool  `json:",omitempty"`
	AnyFrom  bool  `json:",omitempty"` // only where a single sender uses the tag
	Room     int   `json:",omitempty"` // bytes of the receive's buffer more than needed; if negative, the message is cut to half
}

// End is how one side calls.
type End struct {
	Lead int     `json:",omitempty"` // how many items early it starts
	Lag  int     `json:",omitempty"` // how many items later it waits for the end
	Wait Waiting `json:",omitempty"`
	Kept bool    `json:",omitempty"` // a persistent request
	Slot int     `json:",omitempty"` // memory that other messages of the rank use too; 0: of its own
	// Shape is how the bytes lie in memory of their own, see shapes; "": next to each other.
	Shape string `json:",omitempty"`
}

// Waiting is how a rank waits for requests.
type Waiting string

// The ways of waiting. Those for several requests take in all that are in flight.
const (
	One      Waiting = ""
	Testing  Waiting = "test"
	All      Waiting = "waitall"
	Any      Waiting = "waitany"
	Some     Waiting = "waitsome"
	TestAll  Waiting = "testall"
	TestAny  Waiting = "testany"
	TestSome Waiting = "testsome"
)

// Storm is messages to one rank whose receives may meet them in any order, on a communicator of their own.
type Storm struct {
	Comm    int
	To      int
	AnyFrom bool `json:",omitempty"`
	AnyTag  bool `json:",omitempty"`
	Early   bool `json:",omitempty"` // receives are posted before anything is sent, if their style allows it
	Parts   []Part
}

// Part is one message of a storm. Which receive gets it is not said, only what they look like.
type Part struct {
	From  int
	Tag   int
	Bytes int
	Mode  Mode   `json:",omitempty"`
	Style Style  `json:",omitempty"`
	Room  int    `json:",omitempty"`
	Swap  int    `json:",omitempty"` // how many places later the receive is posted
	Shape string `json:",omitempty"` // of the bytes at both ends
	Slot  int    `json:",omitempty"`
}

// Exchange passes messages along a ring of ranks by Sendrecv.
type Exchange struct {
	Comm    int
	Ranks   []int
	Bytes   int
	Replace bool `json:",omitempty"`
}

// Collective is a call of all ranks.
type Collective struct {
	Comm    int
	Op      string
	Root    int    `json:",omitempty"`
	Count   int    // elements of a rank
	Elem    string // of the buffers
	Reduce  string `json:",omitempty"`
	InPlace bool   `json:",omitempty"`
	Later   bool   `json:",omitempty"` // non-blocking
	Turns   int    `json:",omitempty"` // so many times, by a request that is made once; 0: an ordinary call
	End     End
}

// Sided is a window that all ranks of a communicator make, operate on in turns, and free.
type Sided struct {
	Comm  int
	Kind  string // allocated, created, dynamic
	Count int    // elements of 8 bytes that an operation moves
	Turns []Turn
}

// Turn is an epoch in which every rank operates on the one that stands Shift places behind it, or, if it
// locks, all on one.
type Turn struct {
	Sync    string // fence, groups, shared, exclusive, all
	Shift   int
	Ops     []string // put, get, accumulate, best, look, draw, count; the last under an exclusive lock only
	One     bool     `json:",omitempty"` // all operate on rank Shift
	Strided bool     `json:",omitempty"` // puts and gets of every second element
	Later   bool     `json:",omitempty"` // by requests, where the target is locked
	Apart   bool     `json:",omitempty"` // the origin's elements lie apart, too, and so do those of accumulates and looks
}

// locks tells whether the origin locks its target.
func (t Turn) locks() bool { return t.Sync == "shared" || t.Sync == "exclusive" || t.Sync == "all" }

// Make makes a communicator with a number of its own.
type Make struct {
	ID     int
	Parent int
	How    string // see makes
	Colors []int  `json:",omitempty"` // by rank of the parent, negative: none; create: those with color 0
	Keys   []int  `json:",omitempty"`
	Lag    int    `json:",omitempty"` // idup: how many items later the last rank waits
	Leads  [2]int `json:",omitzero"`  // inter: which rank of each group leads it
	High   int    `json:",omitempty"` // merge: the group that comes behind, 0 or 1

	Edges   [][2]int `json:",omitempty"` // of a graph: from and to
	Sizes   []int    `json:",omitempty"` // of a grid
	Rings   []bool   `json:",omitempty"` // which of its dimensions are periodic
	Offsets [][]int  `json:",omitempty"` // of neighbours in a neighbourhood
	Anew    bool     `json:",omitempty"` // with neighbours: it is made with ranks numbered anew, too, and freed
}

// makes are the ways to make a communicator: of one group; of its members alone; of ranks with neighbours; of two
// groups, and of such a one.
var makes = []string{"dup", "idup", "split", "create", "group", "graph", "grid", "hood", "inter", "merge"}

// Compute lets a rank of the world do something else.
type Compute struct {
	Rank  int
	Nanos int64
}

// Orphan is a receive that no message is for; it is cancelled.
type Orphan struct {
	Comm, Rank, Tag int
	Room            int
	AnyFrom         bool `json:",omitempty"`
	Lag             int
}

// Glance is a rank's look at what there is: an Iprobe, or a test of what is in flight.
type Glance struct {
	Comm, Rank int
	Probe      bool
	Wait       Waiting
}

// Load reads a case from a file.
func Load(path string) (*Case, error) {
	text, err := userfile.Read(path)
	if err != nil {
		return nil, err
	}
	c, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// parse reads a case and checks it.
func parse(text []byte) (*Case, error) {
	c := &Case{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	return c, c.check()
}

// Save writes a case to a file.
func (c *Case) Save(path string) error {
	text, err := json.MarshalIndent(c, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// Limits of what a file may ask for.
const (
	maxRanks = 4096
	maxBytes = 64 << 20
)

// check refuses a case that a run could not survive. What makes no sense in a program is left out when it is laid out.
func (c *Case) check() error {
	s := c.Shape
	if s.Ranks < 1 || s.Ranks > maxRanks || s.Nodes < 1 || s.Nodes > maxRanks || s.Rails < 1 || s.Rails > 8 {
		return fmt.Errorf("a job of %d ranks on %d nodes with %d rails is out of range", s.Ranks, s.Nodes, s.Rails)
	}
	if !slices.Contains(layouts, s.Layout) {
		return fmt.Errorf("there is no layout %q of ranks on nodes", s.Layout)
	}
	if s.Spots != nil && (len(s.Spots) < s.Ranks || slices.Min(s.Spots) < 0 || slices.Max(s.Spots) >= s.Nodes) {
		return fmt.Errorf("the spots of ranks are not those of %d ranks on %d nodes", s.Ranks, s.Nodes)
	}
	for i, it := range c.Items {
		if m := it.Make; m != nil && (!slices.Contains(makes, m.How) || m.Lag < 0 || min(m.Leads[0], m.Leads[1]) < 0) {
			return fmt.Errorf("item %d: a communicator cannot be made so: %s", i, inWords(m))
		}
		if n := it.bytes(); n < 0 || n > maxBytes {
			return fmt.Errorf("item %d: %d bytes are out of range", i, n)
		}
	}
	return nil
}

// bytes is the largest size in an item, -1 if one is negative.
func (it Item) bytes() int {
	most := 0
	note := func(n int) {
		if n < 0 || most < 0 {
			most = -1
		} else {
			most = max(most, n)
		}
	}
	switch {
	case it.Message != nil:
		note(it.Message.Bytes)
		note(max(it.Message.Room, 0))
	case it.Storm != nil:
		for _, p := range it.Storm.Parts {
			note(p.Bytes)
			note(max(p.Room, 0))
		}
	case it.Exchange != nil:
		note(it.Exchange.Bytes)
	case it.Collective != nil:
		note(it.Collective.Count)
		note(it.Collective.Turns)
	case it.Parted != nil:
		it.Parted.lengths(note)
	case it.Brief != nil:
		note(it.Brief.Bytes)
		note(len(it.Brief.Ways) - 1)
		note(it.Brief.Rounds)
	case it.Sided != nil:
		note(8 * it.Sided.Count)
	case it.Impatient != nil:
		it.Impatient.lengths(note)
	case it.Orphan != nil:
		note(it.Orphan.Room)
	}
	return most
}
