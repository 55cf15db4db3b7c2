package verbs

import (
	"fmt"
	"net/netip"
)

// CQConfig describes a completion queue.
type CQConfig struct {
	Depth int // completions it holds; more is an overflow, which breaks the queue pairs that caused it

	// Notify is called once after Arm, when a completion has been added. It must not block nor call the device.
	Notify func()

	// Rung, if not nil, tells whoever is in Wait that there is something else to do, which ends it.
	// It is asked before each sleep: who makes it so calls Wake or writes to the Doorbell then. It must
	// not block nor call the device.
	Rung func() bool

	// Borrow, where Caps.Borrow, has Poll give out short messages where the device has them: such a
	// completion of a Recv has ID 0, its bytes are in Data, and no receive was taken for it.
	Borrow bool

	// PlaceMin, where Caps.Place, has Poll tell of the beginning of Sends of at least so many bytes
	// while the rest is still to come, by a completion RecvHead; see QP.Place. 0: of none.
	PlaceMin int
}

// CQ is a completion queue.
type CQ interface {
	Num() uint32

	// Poll takes up to len(out) completions, oldest first. If there is none it lets the device look for work and
	// tries once more. It never blocks and allocates nothing.
	Poll(out []Completion) int

	// Arm asks for one call of Notify when the next completion (solicited: the next solicited or failed one, where
	// Caps.Solicited) is added, and lets the device work by itself from now on. Poll again after Arm: what was added before rings no
	// bell.
	Arm(solicited bool)

	// Wait sleeps until a completion may be there or limit nanoseconds have passed (negative: no limit), and tells
	// whether one is there. The caller drives the device while it waits.
	Wait(limit int64) bool

	// Wake has a Wait that is under way, or else the next one, return soon. It never blocks and may be called from
	// callbacks of the device.
	Wake()

	// Doorbell is an eventfd: a write to it, by a process that may know nothing of the device, has a
	// Wait ask Rung. It is -1 with devices that do not sleep at files.
	Doorbell() int

	// Close fails with ErrBusy while a queue pair uses it.
	Close() error
}

// SRQConfig describes a shared receive queue.
type SRQConfig struct {
	Depth  int
	MaxSGE int // entries of a scatter list, default 1
	// Newest asks for the receive that was posted last to be used first, because its memory is still in the cache. A
	// hint: devices may use receives in any order.
	Newest bool
}

// SRQ is a receive queue that several queue pairs share.
type SRQ interface {
	Num() uint32

	// PostRecv adds receives in order and returns how many were taken; an error concerns the first that was not.
	PostRecv(wrs []RecvWR) (int, error)

	// Len is how many receives are waiting.
	Len() int

	// Limit asks for one event SRQLimit when fewer than low receives are left; 0 asks for none.
	Limit(low int) error

	// Close fails with ErrBusy while a queue pair uses it.
	Close() error
}

// Type of a queue pair.
type Type uint8

// Types of queue pairs.
const (
	RC  Type = iota + 1 // reliable connection
	UD                  // unreliable datagrams to any peer
	RD                  // reliable datagrams to any peer, in order per peer
	UC                  // unreliable connection: Sends and Writes come in order, or not at all
	XRC                 // reliable, to any process of a node over one connection to that node, which the device makes
)

var typeNames = [...]string{RC: "RC", UD: "UD", RD: "RD", UC: "UC", XRC: "XRC"}

// Connects tells whether queue pairs of the type talk to one peer each, by a connection.
func (t Type) Connects() bool { return t == RC || t == UC }

func (t Type) String() string { return name(typeNames[:], int(t), "type") }

// State of a queue pair.
type State uint8

// States. Modify moves a queue pair from Reset to Init, UD and RD from Init to RTS, and from anywhere to
// Error or Reset. An RC or UC queue pair goes from Init to RTR when Connect or Accept begins and to RTS
// when the connection stands.
const (
	Reset State = iota // empty; nothing can be posted
	Init               // receives can be posted
	RTR                // RC, UC: being connected; receives can be posted
	RTS                // ready to send
	Error              // nothing moves; work that was open is flushed, new work completes as flushed
)

var stateNames = [...]string{Reset: "Reset", Init: "Init", RTR: "RTR", RTS: "RTS", Error: "Error"}

func (s State) String() string { return name(stateNames[:], int(s), "state") }

// QPConfig describes a queue pair.
type QPConfig struct {
	Type   Type
	SendCQ CQ
	RecvCQ CQ
	SRQ    SRQ // instead of an own receive queue, if not nil; not on UC
	Rail   int // index in Device.Rails

	Port uint16 // of a UD or RD queue pair: where peers reach it, if the device has ports; 0 is any

	SendDepth int // work requests that may be open
	RecvDepth int // unused with an SRQ
	SendSGE   int // entries of a gather list, default 1
	RecvSGE   int // entries of a scatter list, default 1; unused with an SRQ
	Inline    int // bytes of the longest inline send

	SignalAll bool // every send completes, as if it had Signaled

	Reads   int // Reads and atomics this side may have under way, default Caps.MaxReads
	ReadsIn int // Reads and atomics the peer may have under way, default Caps.MaxReads

	// StrictErrors moves a UD, RD or XRC queue pair to Error, for all peers, when one of them sends
	// something wrong. That is what the datagram-iWARP proposal says; without it the offender is told and
	// the others are served on.
	StrictErrors bool
}

// QP is a queue pair.
type QP interface {
	Num() uint32
	Type() Type
	State() State

	// Modify changes the state; see State.
	Modify(to State) error

	// Addr is where peers reach a UD or RD queue pair in RTS, or the local end of a connection.
	Addr() netip.AddrPort

	// Connect begins to connect an RC or UC queue pair in Init; the outcome is an event Established, or
	// Rejected or ConnectFailed, after which the queue pair is in Error. private is copied and reaches the
	// acceptor with its ConnectRequest.
	Connect(to netip.AddrPort, private []byte) error

	// Disconnect ends a connection in order: what was posted before still goes out, then the peer sees
	// Disconnected; on UC that may overtake it. The queue pair is in Error afterwards.
	Disconnect() error

	// PostSend adds work requests in order and returns how many were taken; an error concerns the first that was
	// not: ErrFull, ErrState, or what is wrong with it. In Error they are taken and complete as Flushed.
	PostSend(wrs []SendWR) (int, error)

	// PostRecv adds receives likewise.
	PostRecv(wrs []RecvWR) (int, error)

	// Place answers the RecvHead that was given out last: the bytes of the message from at on go to
	// dst, as far as that reaches, all others to where they would have gone in the receive. The
	// device writes to dst until the message completes, or the queue pair is closed or in Error.
	// With an empty dst the message goes to its receive, and so it does if there was no answer
	// before the next Poll, or for a while. Place answers false if it comes too late.
	//
	// A message in several segments of which the first is longer than the receive (RecvHead.Len is
	// 0) is told of again with every Poll until it is answered. What dst has no room for is thrown
	// away, and it completes as a message of at bytes; with at 0 it is too long, as it is elsewhere.
	Place(at int, dst []byte) bool

	// Attach has a UD queue pair receive what is sent to a multicast group, until Detach. The group's port is part
	// of its name: all members and senders use the same. Messages to a group name no queue pair (DestQP is 0).
	Attach(group netip.AddrPort) error
	Detach(group netip.AddrPort) error

	// Close gives the queue pair back, in any state. Open work vanishes without completions and completions
	// already in the queue stay.
	Close() error
}

// ListenConfig describes where to accept connections.
type ListenConfig struct {
	Rail int
	Port uint16 // 0: any
}

// Listener accepts connections until it is closed. Requests that were not answered by then are rejected.
type Listener interface {
	Addr() netip.AddrPort
	Close() error
}

// ConnRequest is a peer that asks for a connection. Exactly one of Accept and Reject may be called, once; who does
// neither within the device's time limit rejects.
type ConnRequest interface {
	From() netip.AddrPort
	Private() []byte
	// Accept takes a queue pair of the asker's type in Init; the event Established follows when it may send.
	Accept(qp QP, private []byte) error
	Reject(private []byte) error
}

// name finds the name of a small number.
func name(names []string, i int, what string) string {
	if i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", what, i)
}
