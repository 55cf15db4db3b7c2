package verbs

import "net/netip"

// SGE is one piece of registered memory: bytes of the region with local key LKey.
type SGE struct {
	Buf  []byte
	LKey uint32
}

// Op is what a work request does, or what a completion completes.
type Op uint8

// Operations of send queues, then those that only completions of receive queues carry.
const (
	Send           Op = iota + 1
	SendInvalidate    // Send, and the peer's region with key Invalidate loses its remote key
	Write             // gather into one range of the peer's memory
	WriteImm          // Write that consumes a receive of the peer, which gets Imm
	WriteRecord       // UD: Write whose arrival, whole or in parts, is reported to the peer
	Read              // one range of the peer's memory, scattered
	FetchAdd          // 8 aligned bytes of the peer's memory; the old value is scattered
	CompareSwap       // likewise

	Recv       // a Send arrived
	RecvImm    // a WriteImm arrived: Len bytes were written before it
	RecvRecord // a piece of a WriteRecord is here: Len bytes at Addr of region Key; Imm is the record's number
	RecvHead   // the beginning of a Send of Len bytes is here, in Data; its Recv follows when all of it is; see QP.Place
)

var opNames = [...]string{Send: "Send", SendInvalidate: "SendInvalidate", Write: "Write", WriteImm: "WriteImm",
	WriteRecord: "WriteRecord", Read: "Read", FetchAdd: "FetchAdd", CompareSwap: "CompareSwap", Recv: "Recv",
	RecvImm: "RecvImm", RecvRecord: "RecvRecord", RecvHead: "RecvHead"}

func (o Op) String() string { return name(opNames[:], int(o), "op") }

// Flags modify a send.
type Flags uint8

// Flags of sends.
const (
	Signaled  Flags = 1 << iota // report success; failures are always reported
	Solicited                   // rings the peer's bell even if it is armed for solicited completions only
	Inline                      // the bytes are copied by PostSend; local keys are not looked at
	Fence                       // start after all earlier Reads and atomics of this queue pair are complete
)

// SendWR is a work request for a send queue.
type SendWR struct {
	ID    uint64 // handed back in the completion
	Op    Op
	Flags Flags
	SGL   []SGE // what to send; for Read and atomics, where to put the answer

	RemoteAddr uint64 // Write, Read, atomics: as MR.Addr says, plus an offset
	RKey       uint32 // Write, Read, atomics
	Invalidate uint32 // SendInvalidate: the peer's remote key
	Imm        uint32 // WriteImm

	Compare uint64 // CompareSwap
	Swap    uint64 // CompareSwap: the new value; FetchAdd: what to add

	AH     AH     // UD and RD: where to
	DestQP uint32 // UD and RD: the peer's queue pair; 0 if its address has only one
}

// RecvWR is a work request for a receive queue.
type RecvWR struct {
	ID  uint64
	SGL []SGE
}

// Status says how a work request ended.
type Status uint8

// Statuses.
const (
	OK              Status = iota
	LocalLength            // the message is longer than the receive; nothing beyond its end was written
	LocalProtection        // a local key, bound or right does not fit (any more)
	LocalFault             // the device or the host failed
	Flushed                // the queue pair went to Error before the work was done
	RemoteAccess           // the peer refused: key, bounds or rights
	RemoteInvalid          // the peer could not make sense of it, or its receive was too short
	NoReceive              // the peer had no receive posted, for too long
	Unreachable            // the peer did not answer
	Partial                // WriteRecord: this piece is here, others of the record are not
)

var statusNames = [...]string{"OK", "LocalLength", "LocalProtection", "LocalFault", "Flushed", "RemoteAccess",
	"RemoteInvalid", "NoReceive", "Unreachable", "Partial"}

func (s Status) String() string { return name(statusNames[:], int(s), "status") }

// Marks on a completion.
type Marks uint8

// Marks.
const (
	HasImm       Marks = 1 << iota // Imm is set
	Invalidated                    // Key is the remote key that the peer's Send made invalid
	WasSolicited                   // the sender asked to ring the bell; where Caps.TellsSolicited
	LastPiece                      // RecvRecord: nothing more will come of this record
)

// Completion reports the end of one work request. After a failure only ID, QP, Op and Status are meaningful.
type Completion struct {
	ID     uint64
	QP     uint32 // number of the local queue pair
	Op     Op
	Status Status
	Marks  Marks
	Len    int // bytes received, read, or written before a RecvImm
	Imm    uint32
	Key    uint32
	Addr   uint64
	Src    netip.AddrPort // UD and RD receives: who sent it
	SrcQP  uint32         // likewise: with which queue pair, 0 if its address has only one

	// Data is the device's memory, the caller's until the next Poll of this queue: of a Recv that was
	// borrowed all of the message, of a RecvHead its beginning. Else nil.
	Data []byte
}

// EventKind says what an event is about.
type EventKind uint8

// Kinds of events.
const (
	ConnectRequest EventKind = iota + 1 // Request asks for a connection
	Established                         // the queue pair may send; Private is what the acceptor said
	Rejected                            // the acceptor said no; Private may say why
	ConnectFailed                       // no connection: Err
	Disconnected                        // the peer ended the connection in order
	QPFatal                             // the queue pair went to Error by itself: Err
	CQOverflow                          // completions were lost
	SRQLimit                            // fewer receives are left than Limit said
	RemoteError                         // UD, RD: Peer could not accept what we sent: Err
	EventsLost                          // Lost events were not kept
)

var eventNames = [...]string{ConnectRequest: "ConnectRequest", Established: "Established", Rejected: "Rejected",
	ConnectFailed: "ConnectFailed", Disconnected: "Disconnected", QPFatal: "QPFatal", CQOverflow: "CQOverflow",
	SRQLimit: "SRQLimit", RemoteError: "RemoteError", EventsLost: "EventsLost"}

func (k EventKind) String() string { return name(eventNames[:], int(k), "event") }

// Event is something that happened to an object rather than to a work request.
type Event struct {
	Kind    EventKind
	Num     uint32 // of the queue pair, completion queue or shared receive queue it is about
	Peer    netip.AddrPort
	Private []byte // the receiver's to keep
	Request ConnRequest
	Err     error
	Lost    int
}

// Tapped is a device whose outgoing datagrams (UD and RD) and messages on UC can be tampered with, for
// tests: just before it leaves, every datagram is shown to f, which decides its fate. f is called with the
// device's lock held.
type Tapped interface {
	Tap(f func(Datagram) Fate)
}

// Datagram is what a tap sees. Bytes are valid during the call and must not be changed; they may be only the
// beginning of the datagram.
type Datagram struct {
	To    netip.AddrPort
	Size  int
	Bytes []byte
}

// Fate of a datagram. The zero value lets it pass.
type Fate struct {
	Drop    bool
	Copies  int   // sent this many times more
	Delay   int64 // nanoseconds; others overtake it
	Corrupt int   // 1 + index of the byte whose bits are turned over
}
