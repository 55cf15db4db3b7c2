package frame

// Stream names one of the four flows of bytes between the launcher and a rank on another host.
type Stream int

// The streams. The first is written by the launcher, the next two by the rank, the last by both.
const (
	Stdin Stream = iota
	Stdout
	Stderr
	Control
	streams
)

// Window is how many bytes of one stream may be under way in one direction: sent, and no Credit for them come back.
const Window = 256 << 10

// Everyone as a rank means all ranks of the host, or none in particular.
const Everyone = -1

// Message is a body of some kind.
type Message interface {
	kind() byte
	code(c *coder)
}

// Setup is the first frame to an agent: what its host is told about the job.
type Setup struct {
	Job            string
	Size           int
	Hosts, Node    int
	Host           string
	Ranks          []int // on this host, in the order of their local ranks
	Segment        bool  // they share memory
	Compat         bool  // they get the variables of other launchers
	Bind           int   // launch.Bind
	ReportBindings bool
	Silence        int // milliseconds without a word from the launcher after which the agent ends everything
}

// Program asks an agent for an executable. It is answered by Found.
type Program struct {
	ID     int
	Path   string // absolute, as it is at the launcher
	Name   string // to be looked up in the host's own PATH first; "" means Path only
	Size   int
	Sum    []byte // SHA-256 of its content
	Upload bool   // the launcher will send it in any case

	// Users and Groups can change it at the launcher, besides the launcher's user and root. Who
	// else can on the agent's host is a stranger.
	Users, Groups []int
}

// States of a program on an agent's host.
const (
	Ready   = iota // it is there, or has arrived
	Missing        // it is not there
	Differs        // another one is there, or one that strangers can change
)

// Found answers Program, and again when all pieces of an upload have come.
type Found struct {
	ID    int
	State int
}

// Piece is a part of an executable; an empty one is its end.
type Piece struct {
	ID   int
	Data []byte
}

// Start prepares one rank; Go starts them all.
type Start struct {
	Rank    int
	Program int
	Argv    []string
	Env     []string // in addition to what the agent's own environment has
	Dir     string
	AnyDir  bool // where Dir does not exist the agent's own directory will do
	Stdin   bool // the launcher feeds it
}

// Go starts the prepared ranks.
type Go struct{}

// Started says that a rank runs.
type Started struct{ Rank, Pid int }

// Failed says that a rank cannot run or, for Everyone, that the host cannot serve the job.
type Failed struct {
	Rank, Code int
	Text       string
}

// Data is the next piece of a stream; an empty one is its end.
type Data struct {
	Rank   int
	Stream Stream
	Data   []byte
}

// Credit says that N more bytes of a stream may be sent.
type Credit struct {
	Rank   int
	Stream Stream
	N      int
}

// Signal passes a signal on: to the process groups of ranks, or to the ranks alone.
type Signal struct {
	Rank   int // or Everyone
	Signal int
	Alone  bool
}

// Exited says how a rank's process ended.
type Exited struct{ Rank, Code, Signal int }

// Note is a line for the user.
type Note struct{ Text string }

// Reach has an agent run words that lead to another host's agent. What those read and write is carried like the streams
// of a rank with the number ID, which no rank has and no other Reach had.
type Reach struct {
	ID    int
	Words []string
}

// Drop ends what Reach began.
type Drop struct{ ID int }

// Reached says that the words of a Reach have ended, with this exit code. Error is why they could not even be started.
type Reached struct {
	ID, Code int
	Error    string
}

// Ping says: I am still here.
type Ping struct{}

// Pause says that the launcher is about to be stopped and will be silent, or is back.
type Pause struct{ On bool }

// Bye ends the job on a host: whatever is left of it is killed.
type Bye struct{}

// Done is the agent's last word: nothing is left.
type Done struct{}

// kinds makes an empty message of each kind. The position in the list is the kind on the wire.
var kinds = [...]func() Message{
	1: func() Message { return new(Setup) }, 2: func() Message { return new(Program) }, 3: func() Message { return new(Found) },
	4: func() Message { return new(Piece) }, 5: func() Message { return new(Start) }, 6: func() Message { return new(Go) },
	7: func() Message { return new(Started) }, 8: func() Message { return new(Failed) }, 9: func() Message { return new(Data) },
	10: func() Message { return new(Credit) }, 11: func() Message { return new(Signal) }, 12: func() Message { return new(Exited) },
	13: func() Message { return new(Note) }, 14: func() Message { return new(Ping) }, 15: func() Message { return new(Pause) },
	16: func() Message { return new(Bye) }, 17: func() Message { return new(Done) }, 18: func() Message { return new(Reach) },
	19: func() Message { return new(Drop) }, 20: func() Message { return new(Reached) },
}

func (*Setup) kind() byte   { return 1 }
func (*Program) kind() byte { return 2 }
func (*Found) kind() byte   { return 3 }
func (*Piece) kind() byte   { return 4 }
func (*Start) kind() byte   { return 5 }
func (*Go) kind() byte      { return 6 }
func (*Started) kind() byte { return 7 }
func (*Failed) kind() byte  { return 8 }
func (*Data) kind() byte    { return 9 }
func (*Credit) kind() byte  { return 10 }
func (*Signal) kind() byte  { return 11 }
func (*Exited) kind() byte  { return 12 }
func (*Note) kind() byte    { return 13 }
func (*Ping) kind() byte    { return 14 }
func (*Pause) kind() byte   { return 15 }
func (*Bye) kind() byte     { return 16 }
func (*Done) kind() byte    { return 17 }
func (*Reach) kind() byte   { return 18 }
func (*Drop) kind() byte    { return 19 }
func (*Reached) kind() byte { return 20 }

func (m *Setup) code(c *coder) {
	c.text(&m.Job)
	c.num(&m.Size)
	c.num(&m.Hosts)
	c.num(&m.Node)
	c.text(&m.Host)
	c.nums(&m.Ranks)
	c.flag(&m.Segment)
	c.flag(&m.Compat)
	c.num(&m.Bind)
	c.flag(&m.ReportBindings)
	c.num(&m.Silence)
}

func (m *Program) code(c *coder) {
	c.num(&m.ID)
	c.text(&m.Path)
	c.text(&m.Name)
	c.num(&m.Size)
	c.bytes(&m.Sum)
	c.flag(&m.Upload)
	c.nums(&m.Users)
	c.nums(&m.Groups)
}

func (m *Found) code(c *coder) {
	c.num(&m.ID)
	c.num(&m.State)
}

func (m *Piece) code(c *coder) {
	c.num(&m.ID)
	c.bytes(&m.Data)
}

func (m *Start) code(c *coder) {
	c.num(&m.Rank)
	c.num(&m.Program)
	c.texts(&m.Argv)
	c.texts(&m.Env)
	c.text(&m.Dir)
	c.flag(&m.AnyDir)
	c.flag(&m.Stdin)
}

func (m *Go) code(*coder) {}

func (m *Started) code(c *coder) {
	c.num(&m.Rank)
	c.num(&m.Pid)
}

func (m *Failed) code(c *coder) {
	c.num(&m.Rank)
	c.num(&m.Code)
	c.text(&m.Text)
}

func (m *Data) code(c *coder) {
	c.num(&m.Rank)
	c.stream(&m.Stream)
	c.bytes(&m.Data)
}

func (m *Credit) code(c *coder) {
	c.num(&m.Rank)
	c.stream(&m.Stream)
	c.num(&m.N)
}

func (m *Signal) code(c *coder) {
	c.num(&m.Rank)
	c.num(&m.Signal)
	c.flag(&m.Alone)
}

func (m *Exited) code(c *coder) {
	c.num(&m.Rank)
	c.num(&m.Code)
	c.num(&m.Signal)
}

func (m *Note) code(c *coder)  { c.text(&m.Text) }
func (m *Ping) code(*coder)    {}
func (m *Pause) code(c *coder) { c.flag(&m.On) }
func (m *Bye) code(*coder)     {}
func (m *Done) code(*coder)    {}

func (m *Reach) code(c *coder) {
	c.num(&m.ID)
	c.texts(&m.Words)
}

func (m *Drop) code(c *coder) { c.num(&m.ID) }

func (m *Reached) code(c *coder) {
	c.num(&m.ID)
	c.num(&m.Code)
	c.text(&m.Error)
}

// stream is one of the streams.
func (c *coder) stream(p *Stream) {
	n := int(*p)
	c.num(&n)
	if n < 0 || n >= int(streams) {
		c.fail("no such stream")
		n = 0
	}
	if !c.writing {
		*p = Stream(n)
	}
}
