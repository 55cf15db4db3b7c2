package engine

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Errors that a request can end with.
var (
	ErrTruncate  = errors.New("message truncated")
	ErrCancelled = errors.New("request cancelled")
	ErrLost      = errors.New("process failed")
	ErrRefused   = errors.New("the receiver has freed the communicator")
)

// Truncated is the ErrTruncate of a message that is longer than the buffer.
type Truncated struct{ Len, Room int }

// Error says it in one line.
func (t *Truncated) Error() string {
	return fmt.Sprintf("%v: %d bytes into a buffer of %d", ErrTruncate, t.Len, t.Room)
}

// Unwrap makes it an ErrTruncate.
func (t *Truncated) Unwrap() error { return ErrTruncate }

// Mode is how a send completes.
type Mode uint8

// Standard sends complete when the buffer may be reused, Sync sends when the receive has matched too.
// Buffered and ready sends are Standard by the time they get here.
const (
	Standard Mode = iota
	Sync
)

// state is how far a request is. Which of them a send can be in, its protocol says.
type state uint8

const (
	idle     state = iota
	queued         // receive or probe: waiting for a message
	silent         // receive: likewise; adaptation has kept its RTR back
	written        // receive: its bytes are in place, but the RTR_ACK has not come that takes it out of its queue
	sending        // send: packet not gone yet
	offering       // send: likewise; there will be an answer
	offered        // send: RTS or SYNC is out, waiting for the answer
	called         // send: CTS has come before the RTS and its prefix were gone; DATA comes next
	pushing        // send: DATA not gone yet
	taking         // send: RTR_ACK not gone yet, the write starts when it is
	writing        // send: the link writes
	reading        // receive: the link reads
	filling        // receive: payload arrives in pieces
	asked          // receive: CTS is out, waiting for DATA or DONE
	landing        // receive: its RTR is taken, waiting for DONE
	mute           // send: silent until its receiver has announced itself
	complete       // nothing of it is in the engine any more
)

var stateNames = [...]string{
	"idle", "queued", "silent", "written", "sending", "offering", "offered", "called", "pushing", "taking", "writing",
	"reading", "filling", "asked", "landing", "mute", "complete",
}

// waits tells of a receive that it has met no message, as far as it knows.
func (s state) waits() bool { return s == queued || s == silent || s == written }

// unanswered tells of a send that its receiver owes it an answer.
func (s state) unanswered() bool { return s == offering || s == offered }

// String names the state, for traces and stall reports.
func (s state) String() string { return stateNames[s] }

// Status is what a completed receive or probe found.
type Status struct {
	Peer  int // process the message came from
	Tag   int32
	Len   int    // bytes of the message that were received, or would be
	Label uint64 // of the message, if it has one
}

// Req is one send, receive or probe. The caller sets Envelope (destination or pattern) and Buf and
// posts it; the engine fills in Status and Err before Complete. A Req may be reused after that.
type Req struct {
	match.Entry[*Req]        // in the queue that the request waits in; Envelope also for sends
	Buf               []byte // the caller's memory
	Mode              Mode
	EagerMax          int             // longest message that travels with its envelope
	Rendezvous        wire.Rendezvous // how longer ones travel; a receive that says Pull sends no RTR
	Prefix            int             // sends by Pull: how many of a longer one's first bytes travel with its RTS; Whole: all
	Label             uint64          // sends: of the message
	Cargo             wire.Cargo      // what Buf is the packed form of; nil: Buf is all there is
	Status            Status
	Err               error
	Cancelled         bool
	Owner             any // the caller's; the engine never looks

	protocol *protocol // sends: how the message travels
	state    state
	awaits   bool        // receives: the first bytes of the message come with its RTS and are not all there
	answer   wire.Flags  // receives: what the answer to the RTS has to say
	id       uint32      // index in Engine.ids plus one, while a peer may name this request
	turn     uint32      // not 0: the peer has been asked to let go of the request; receives: which RTR_CANCEL that was
	grant    *grant      // receives: the memory that a peer may write, and the packet that says so
	pkt      wire.Packet // the send's own packet; a receive keeps the matched RTS here
	dest     target      // sends: what a peer lets us write
	since    int64       // silent receives: when they were posted; sends: when they were offered
	behind   int64       // sends: bytes that were under way when they were offered, their own among them
	first    int         // bytes that travel with the RTS: the rest of the message is behind them in Buf
	direct   bool        // receives: the pieces of the packet went straight to where Cargo wants them
}

// Whole is the Prefix of a message that follows its RTS unasked.
const Whole = -1

// target is a receive's memory as its sender sees it.
type target struct {
	key  wire.Key
	recv uint32
	room int
}

// Done tells whether the request has completed (or was never posted).
func (r *Req) Done() bool { return r.state == complete || r.state == idle }

// Waited says of a send that is to be posted that the program does nothing until Buf is its own again.
func (r *Req) Waited() { r.pkt.Waited = true }

// Begin has a receive count as under way that is not posted yet, and End as complete that has never been.
func (r *Req) Begin() { r.state = queued }

// End is the end of a receive that the engine has never known.
func (r *Req) End(st Status) { r.Status, r.Err, r.state = st, nil, complete }

// State names what the request waits for.
func (r *Req) State() string { return r.state.String() }

// Reset makes the request fit for posting again and drops its references. It is on the way of every
// message: fields that posting sets stay as they are.
func (r *Req) Reset() {
	r.Buf, r.pkt.Data, r.pkt.Rail, r.pkt.Waited = nil, nil, 0, false
	r.Mode, r.state = Standard, idle
	r.Cancelled, r.awaits = false, false
	r.Prefix, r.first, r.turn, r.Label = 0, 0, 0, 0
	if r.Err != nil {
		r.Err = nil
	}
	if r.Cargo != nil {
		r.Cargo, r.pkt.Source = nil, nil
	}
}

// Message is a message that has arrived and waits for its receive: in the unexpected queue, or
// taken out of it by Engine.Claim.
type Message struct {
	entry  match.Entry[*Message]
	header wire.Header
	buf    []byte // payload of eager messages, or the prefix of an RTS; the engine's memory
	whole  bool   // buf is all there
	acked  bool   // the RTS has been answered by RTS_ACK
	thrown bool   // out of the queue, and buf is not all there: End recycles it
	req    *Req   // a receive that waits for the payload to become whole
	next   *Message
}

// Status tells what a receive of m would report.
func (m *Message) Status() Status {
	return Status{Peer: int(m.entry.Peer), Tag: m.entry.Tag, Len: m.header.Len, Label: m.header.Label}
}

// ActionKind says what the engine's owner has to do.
type ActionKind uint8

// The actions.
const (
	SendPacket  ActionKind = iota // put Packet on its way; call Gone when the link has taken all of it
	StartRead                     // read Packet's key into Buf (see Req.ReadArgs); call ReadDone with Req as token
	StartWrite                    // write Req's payload (see Req.WriteArgs), then deliver Packet if there is one; call WriteDone with Req as token
	Expose                        // fill in Packet.Key for reading Req.Exposed, then as SendPacket
	ExposeWrite                   // fill in Packet.Key for writing Req.Exposed, then as SendPacket
	Retract                       // call Retracted: if Retractable says so, and no link has seen anything of Packet, it will not leave
	Hide                          // Packet.Key is dead
	Cut                           // Packet.Peer is lost: call Drop for all packets that wait for it
	Complete                      // Req has ended
)

// Action is one thing to do. The packet of a StartWrite is the link's until WriteDone.
type Action struct {
	Kind   ActionKind
	Req    *Req
	Packet *wire.Packet
}
