package verbs

import (
	"errors"
	"iter"
	"net/netip"
)

// Errors of calls, matched with errors.Is. What goes wrong later, with an accepted work request, is a Status.
var (
	ErrFull        = errors.New("queue is full")                       // poll completions, then post again; nothing was done
	ErrState       = errors.New("not possible in this state")          // of the queue pair
	ErrKey         = errors.New("no such key")                         // stale, foreign or never given out
	ErrBounds      = errors.New("outside the memory region")           //
	ErrAccess      = errors.New("the memory region does not allow it") //
	ErrArgument    = errors.New("invalid argument")                    //
	ErrUnsupported = errors.New("not supported by this device")        // see Caps
	ErrBusy        = errors.New("still in use")                        // something created from it is still open
	ErrClosed      = errors.New("closed")                              //
)

// Device is one RDMA NIC as one program sees it.
type Device interface {
	// Caps tells what the device can do. It does not change.
	Caps() Caps

	// Rails are the network interfaces the device uses, each an independent path; work names them by index.
	Rails() []Rail

	// NewPD makes a protection domain. Keys, regions and queue pairs of different domains do not mix.
	NewPD() (PD, error)

	// NewCQ makes a completion queue.
	NewCQ(CQConfig) (CQ, error)

	// Listen accepts connections for RC and UC queue pairs; each arrives as an event ConnectRequest. It fails with
	// ErrUnsupported where the device has neither.
	Listen(ListenConfig) (Listener, error)

	// PollEvents takes up to len(out) asynchronous events, oldest first. The device keeps a bounded number; when
	// that is exceeded the newest are lost and an event EventsLost says how many.
	PollEvents(out []Event) int

	// NotifyEvents has f called after an event was added; f must not block nor call the device. One f at a time.
	NotifyEvents(f func())

	// Counters lists what the device counted since it was opened, in a fixed order.
	Counters() iter.Seq2[string, uint64]

	// Close gives back everything, also what is still open; peers see their connections broken.
	Close() error
}

// Caps says what a device can do. A zero limit means the feature is missing.
type Caps struct {
	Name string // of the kind of device, for reports

	RC, UD, RD, UC, XRC bool // types of queue pairs

	MaxSGE      int // entries of a gather or scatter list
	MaxReadSGE  int // entries of the list of a Read, which some devices bring into one piece of memory only
	MaxInline   int // bytes of an inline send
	MaxMessage  int // bytes of one Send, Write or Read on RC and RD
	MaxDatagram int // bytes of one Send on UD, on the rail with the largest datagrams
	MaxDepth    int // work requests in a queue
	MaxReads    int // Reads and atomics under way per RC queue pair, each direction
	// FirstSegment is how many bytes of a longer Send on RC come in its first segment; 0 if that cannot be told.
	FirstSegment int
	MaxPrivate   int // bytes of private data at connect and accept

	SRQ            bool // shared receive queues, with low-watermark events
	SRQMixed       bool // queue pairs of all types can share a receive queue; else those of one type
	Invalidate     bool // Send with Invalidate
	WriteImm       bool // Write with immediate data, RC and RD
	Atomics        bool // FetchAdd and CompareSwap, RC and RD
	RDReadWrite    bool // Write and Read on RD
	UDReadWrite    bool // Write and Read on UD, each datagram for itself
	WriteRecord    bool // Write-Record on UD
	Multicast      bool // UD
	PeerAck        bool // on RC a Send or Write completes when the peer's device has it, not when it is on its way
	RNRWaits       bool // on RC a Send that finds no receive waits for one for a while, instead of breaking the connection
	GuardsReads    bool // peers cannot read a region without RemoteRead, even if they have its key
	RailKeys       bool // peers reach a region by another key over each rail, see MR.RailKey
	SlowRekey      bool // MR.Rekey takes as long as registering the memory does, and breaks work under way on it
	Solicited      bool // a bell can be armed for solicited completions only; else it rings for every one
	TellsSolicited bool // completions of receives say whether the sender asked to ring the bell (WasSolicited)
	TellsWhy       bool // on RC a Read or atomic that the peer refuses ends as RemoteAccess; else it may be just Flushed
	Borrow         bool // completion queues may give out messages where the device has them
	Place          bool // RC: who receives may say where the rest of a message goes whose beginning has come
	ErrorNotices   bool // UD and RD: the peer that caused an error is told, and gets an event RemoteError
	Wire           bool // packets can be tampered with: the device is Tapped
}

// Supports tells whether the device has queue pairs of type t.
func (c *Caps) Supports(t Type) bool {
	return t == RC && c.RC || t == UD && c.UD || t == RD && c.RD || t == UC && c.UC || t == XRC && c.XRC
}

// Rail is one network interface of a device.
type Rail struct {
	Name string
	Addr netip.Addr
	MTU  int   // bytes of an IP packet
	Rate int64 // bits per second, 0 if unknown

	MaxDatagram int // bytes of one Send on UD that leaves by it; 0 without UD
}

// PD is a protection domain: it owns regions, shared receive queues, queue pairs and address handles.
type PD interface {
	// Register makes buf known to the device until the region is closed. The caller keeps buf alive and in place;
	// memory from Go's heap is.
	Register(buf []byte, access Access) (MR, error)

	// NewSRQ makes a receive queue that several queue pairs share.
	NewSRQ(SRQConfig) (SRQ, error)

	// NewQP makes a queue pair in state Reset.
	NewQP(QPConfig) (QP, error)

	// NewAH names a destination for UD and RD work, reached over the rail of the queue pair that uses it.
	NewAH(to netip.AddrPort) (AH, error)

	// Close fails with ErrBusy while something made from the domain is open.
	Close() error
}

// Access says what may be done with a region, besides being read by local work requests.
type Access uint8

// Access rights. Remote rights to change memory require LocalWrite.
const (
	LocalWrite Access = 1 << iota
	RemoteRead
	RemoteWrite
	RemoteAtomic
)

// MR is a registered memory region.
type MR interface {
	// LKey is the key of the region in local gather and scatter lists.
	LKey() uint32
	// RKey is the key that peers use; it means nothing locally. Where Caps.RailKeys it is good for rail 0.
	RKey() uint32
	// RailKey is the key for peers who come over a rail, which is RKey but where Caps.RailKeys.
	RailKey(rail int) uint32
	// Addr is the remote address of the region's first byte.
	Addr() uint64
	// Bytes is the memory that was registered.
	Bytes() []byte
	// Rekey makes the remote key invalid, if a peer has not done so already, and gives out another one.
	Rekey() error
	// Close makes both keys invalid. Work under way that still needs the region fails; no byte of it is touched
	// after Close has returned.
	Close() error
}

// AH is an address handle: a destination for UD and RD work.
type AH interface {
	Addr() netip.AddrPort

	// Bound tells Rail.MaxDatagram of the interface at the other end, which may take less than those
	// here do: what is too long for it would be dropped there, and nobody told. From now on a longer
	// Send on UD is refused with ErrArgument, and messages on RD are cut to fit. It may hold for
	// other handles of the same address, too.
	Bound(most int)

	Close() error
}
