package ibv

// Context is a device that was opened. All calls may be made from any goroutine; whoever closes an object
// sees to it that nobody else uses it, nor anything made from it. Errors are those of the system.
type Context interface {
	Query() (DeviceAttr, error)
	Port(number uint8) (PortAttr, error)
	NewPD() (PD, error)
	// NewCQ makes a queue of at least depth completions, which tells of them by Notices.
	NewCQ(depth int) (CQ, error)
	Notices() Notices
	Close() error
}

// Notices are what a device says unasked, in two files that are readable while there is something. Nothing here blocks.
type Notices interface {
	Completions() (fd int)
	// NextCQ takes the ID of a queue that was armed and has got a completion.
	NextCQ() (id uintptr, ok bool)
	Events() (fd int)
	NextEvent() (Event, bool)
}

// Event is something that happened to an object.
type Event struct {
	Kind EventKind
	ID   uintptr // of the object; of a port, its number
}

// PD is a protection domain.
type PD interface {
	// Register pins buf; the caller keeps it alive and in place.
	Register(buf []byte, access uint32) (MR, error)
	NewSRQ(depth, pieces int) (SRQ, error)
	// NewQP makes a queue pair in Reset; sizes in init become those that it has.
	NewQP(init *QPInit, send, recv CQ, shared SRQ) (QP, error)
	// NewAH may take a second: the way there is looked for.
	NewAH(*AHAttr) (AH, error)
	Close() error
}

// MR is registered memory.
type MR interface {
	LKey() uint32
	RKey() uint32
	Close() error
}

// CQ is a completion queue.
type CQ interface {
	ID() uintptr
	Poll(out []WC) (int, error)
	// Arm asks for one notice when the next completion comes, or the next that is solicited or failed.
	Arm(solicited bool) error
	Close() error
}

// SRQ is a receive queue that queue pairs share.
type SRQ interface {
	ID() uintptr
	PostRecv(*RecvWR) error
	// Limit asks for one event when fewer than low receives are left.
	Limit(low int) error
	Close() error
}

// QP is a queue pair. Work requests and their lists are copied by the call. An error of ENOMEM says that
// the queue is full.
type QP interface {
	ID() uintptr
	Num() uint32 // also after Close
	Modify(attr *QPAttr, mask uint32) error
	PostSend(*SendWR) error
	PostRecv(*RecvWR) error
	Close() error
}

// AH is an address handle.
type AH interface {
	Ref() uintptr // for SendWR.SetDatagram
	Close() error
}
