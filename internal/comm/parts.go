package comm

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// A message in parts (partitioned, in the standard's words) is started again and again like any persistent
// one; the sender says of each part when it is ready, and the receiver may ask whether one of its own has
// arrived. The two may cut the message differently.
//
// On their way are pieces: one part of the sender's each, or several if they are short. A piece is a message
// of its own, on a context of its own kind and with a tag of its own, so that the receiver has all of them
// posted straight into its buffer, and they may come in any order. When a send is made it tells its receiver
// the tags and the cut, in a note with the program's tag. Notes match in the order in which the requests were
// made, as the standard wants.

// Pieces are at least so long, unless the message is shorter, and there are at most so many of them.
const (
	pieceMin   = 4 << 10
	mostPieces = 4 << 10
)

// partTags gives tags to pieces: numbers from 0, which are made tags that no program has.
type partTags struct {
	mu   sync.Mutex
	next int
}

// pieceTag is the tag of a number.
func pieceTag(number int) int32 { return int32(-2 - number) }

const mostPieceTags = 1<<31 - 2

func (t *partTags) take(n int) (first int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next+n > mostPieceTags {
		return 0, fmt.Errorf("%w: the communicator has had %d pieces of messages in parts; make another one", ErrLimit, t.next)
	}
	first = t.next
	t.next += n
	return first, nil
}

// cut is how the sender cuts a message.
type cut struct {
	first  int // number of the first piece's tag
	parts  int
	size   int // bytes of a part
	group  int // parts in a piece
	pieces int
}

// cutOf cuts n bytes in parts into pieces.
func cutOf(n, parts int) cut {
	c := cut{parts: parts, size: n / parts, group: 1}
	if n <= pieceMin {
		c.group = parts
	} else if c.size < pieceMin {
		c.group = (pieceMin + c.size - 1) / c.size
	}
	c.group = max(c.group, (parts+mostPieces-1)/mostPieces)
	c.pieces = (parts + c.group - 1) / c.group
	return c
}

// bytes are where in the message a piece is.
func (c *cut) bytes(piece int) (from, to int) {
	return piece * c.group * c.size, min((piece+1)*c.group, c.parts) * c.size
}

const noteLen = 32

func (c *cut) append(b []byte) []byte {
	for _, n := range []int{c.first, c.parts, c.size, c.group} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// parseCut takes a note apart. What does not fit a message of n bytes is an error.
func parseCut(b []byte, n int) (c cut, err error) {
	if len(b) != noteLen {
		return c, fmt.Errorf("%w: a note of %d bytes", ErrMismatch, len(b))
	}
	var fields [4]uint64
	for i := range fields {
		fields[i] = binary.LittleEndian.Uint64(b[8*i:])
		if fields[i] > 1<<62 {
			return c, fmt.Errorf("%w: a note with the number %d", ErrMismatch, fields[i])
		}
	}
	c = cut{first: int(fields[0]), parts: int(fields[1]), size: int(fields[2]), group: int(fields[3])}
	switch {
	case c.parts < 1 || c.size > n || c.size > 0 && c.parts > n/c.size || c.parts*c.size != n:
		return c, fmt.Errorf("%w: the sender has %d parts of %d bytes, the receiver %d bytes", ErrMismatch, c.parts, c.size, n)
	case c.group < 1 || c.group > c.parts:
		return c, fmt.Errorf("%w: a note of %d parts in a piece", ErrMismatch, c.group)
	}
	c.pieces = (c.parts + c.group - 1) / c.group
	if c.pieces > mostPieces || c.first > mostPieceTags-c.pieces {
		return c, fmt.Errorf("%w: a note of %d pieces from %d on", ErrMismatch, c.pieces, c.first)
	}
	return c, nil
}

// parted is what both ends of a message in parts have.
type parted struct {
	c      *Comm
	op     string
	buf    []byte
	parts  int // our own
	rank   int
	tag    int
	peer   progress.Peer // of the pieces, but for their tags
	nobody bool          // to or from ProcNull
	round  atomic.Uint32 // how often it was started
	active atomic.Bool

	// The rest is under the loop's lock.
	req  *progress.Request // of this round
	left int               // pieces that have not ended
	err  error             // of the first that failed
}

// never is the request of a message that cannot be.
func (p *parted) never(err error) Request {
	p.err = err
	return Again(func() Request { return Failed(err) })
}

// begin begins a round and gives its request. The lock is held.
func (p *parted) begin(pieces int) Request {
	p.err, p.left = nil, pieces
	p.round.Add(1)
	p.active.Store(true)
	loop := p.c.env.Loop
	p.req = loop.Expect(p.peer.Peer, len(p.buf))
	p.req.Tag, p.req.Status.Tag = int32(p.tag), int32(p.tag)
	h := loop.Hand(p.req, p.c.why(p.op))
	loop.TellFailing(p)
	if why := loop.Over(); why != nil {
		p.Fail(why)
	}
	return p.c.request(h)
}

// ended notes the end of a piece. The lock is held.
func (p *parted) ended(err error) {
	if p.err == nil {
		p.err = err
	}
	if p.left--; p.left == 0 {
		p.finish(p.err)
	}
}

// finish ends the round.
func (p *parted) finish(err error) {
	if r := p.req; r != nil {
		p.req, p.err = nil, err
		p.active.Store(false)
		p.c.env.Loop.ForgetFailing(p)
		p.c.env.Loop.Finish(r, err)
	}
}

// Fail ends the round with the job, whatever is missing.
func (p *parted) Fail(err error) { p.finish(err) }

// outside tells that a part is none.
func (p *parted) outside(op string, from, to int) error {
	if from >= 0 && from <= to && to <= p.parts {
		return nil
	}
	return p.c.fault(op, p.rank, p.tag, fmt.Errorf("%w: parts %d to %d of a message that has %d", ErrCount, from, to-1, p.parts))
}

// checkParts tells why a message of n bytes has not so many parts.
func (c *Comm) checkParts(op string, n, parts, peer, tag int) error {
	if parts < 1 || n%parts != 0 {
		return c.fault(op, peer, tag, fmt.Errorf("%w: %d bytes in %d parts; there is at least one, and all are equally long", ErrCount, n, parts))
	}
	return nil
}

// PartSend is a send whose parts travel as they get ready.
type PartSend struct {
	parted
	cut
	ready   []atomic.Uint32 // per part: the round in which it was said to be ready
	missing []atomic.Int32  // per piece: parts that are not
	told    func(*progress.Request)
}

// PsendInit makes a send of b in equal parts, which Restart starts again and again.
func (c *Comm) PsendInit(b []byte, parts, dst, tag int) (*PartSend, Request) {
	p := &PartSend{parted: parted{c: c, op: "psend", buf: b, parts: parts, rank: dst, tag: tag}}
	failed := func(err error) (*PartSend, Request) { return p, p.never(err) }
	to, ok, err := c.target("psend_init", dst, tag)
	if err == nil {
		err = c.checkParts("psend_init", len(b), parts, dst, tag)
	}
	if err != nil {
		return failed(err)
	}
	p.cut = cutOf(len(b), parts)
	p.ready, p.missing = make([]atomic.Uint32, parts), make([]atomic.Int32, p.pieces)
	if p.nobody = !ok; !p.nobody {
		if p.first, err = c.parts.take(p.pieces); err != nil {
			return failed(c.fault("psend_init", dst, tag, err))
		}
		p.peer = to
		p.peer.Ctx, p.peer.Label = wire.ContextOf(c.out, wire.Partitions), 0
		if err := c.env.Loop.IsendDetached(p.cut.append(nil), p.peer, func(*progress.Request) {}); err != nil {
			return failed(c.fault("psend_init", dst, tag, c.cause(err)))
		}
	}
	p.told = func(r *progress.Request) {
		var err error
		if r != nil {
			err = r.Err
		}
		p.ended(err)
	}
	return p, Again(p.start)
}

func (p *PartSend) start() Request {
	for i := range p.missing {
		p.missing[i].Store(int32(min(p.group, p.parted.parts-i*p.group)))
	}
	loop := p.c.env.Loop
	loop.Enter()
	defer loop.Exit()
	if p.err = p.c.usable(p.op); p.err != nil {
		return Failed(p.err)
	}
	return p.begin(p.pieces)
}

// Ready says that parts from from to to-1 may leave. Any goroutine may say so.
func (p *PartSend) Ready(from, to int) error {
	if err := p.outside("ready", from, to); err != nil {
		return err
	}
	round := p.round.Load()
	for i := from; i < to; i++ {
		if !p.active.Load() {
			return p.c.fault("ready", p.rank, p.tag, p.c.cause(p.inactive(i)))
		}
		if p.ready[i].Swap(round) == round {
			return p.c.fault("ready", p.rank, p.tag, fmt.Errorf("%w: part %d was ready before", ErrRequest, i))
		}
		if piece := i / p.group; p.missing[piece].Add(-1) == 0 {
			p.send(piece)
		}
	}
	return nil
}

// inactive is why a part cannot leave: the message has failed, which the wait tells too, or it is not under way.
func (p *PartSend) inactive(part int) error {
	loop := p.c.env.Loop
	loop.Enter()
	defer loop.Exit()
	if p.err != nil {
		return p.err
	}
	return fmt.Errorf("%w: part %d before the message is started", ErrRequest, part)
}

// send sends a piece.
func (p *PartSend) send(piece int) {
	loop := p.c.env.Loop
	loop.Enter()
	defer loop.Exit()
	if p.nobody {
		p.ended(nil)
		return
	}
	from, to := p.bytes(piece)
	peer := p.peer
	peer.Tag = pieceTag(p.first + piece)
	loop.SendTold(p.buf[from:to], peer, p.told)
}

// PartRecv is a receive that knows which of its parts have arrived.
type PartRecv struct {
	parted
	noted   [noteLen]byte
	note    *progress.Request // that has not come; nil if it has
	known   atomic.Bool       // the cut is
	cut     cut
	bad     error           // of the note
	arrived []atomic.Uint32 // per piece: the round in which it came last
}

// PrecvInit makes a receive into b in equal parts, which Restart starts again and again. It takes one
// send's note, even if it is freed before it is started: the next receive belongs to the next send.
func (c *Comm) PrecvInit(b []byte, parts, src, tag int) (*PartRecv, Request) {
	p := &PartRecv{parted: parted{c: c, op: "precv", buf: b, parts: parts, rank: src, tag: tag}}
	failed := func(err error) (*PartRecv, Request) { return p, p.never(err) }
	from, ok, err := c.source("precv_init", src, tag)
	switch {
	case err != nil:
	case src == AnySource:
		err = c.fault("precv_init", src, tag, fmt.Errorf("%w: a message in parts comes from one rank", ErrRank))
	case tag == AnyTag:
		err = c.fault("precv_init", src, tag, fmt.Errorf("%w: a message in parts has one tag", ErrTag))
	default:
		err = c.checkParts("precv_init", len(b), parts, src, tag)
	}
	if err != nil {
		return failed(err)
	}
	p.peer = from
	if p.nobody = !ok; !p.nobody {
		p.peer.Ctx = wire.ContextOf(c.in, wire.Partitions)
		loop := c.env.Loop
		loop.Enter()
		p.note = loop.RecvTold(p.noted[:], p.peer, 0, p.takeNote)
		loop.Exit()
	}
	return p, Again(p.start)
}

// takeNote learns the cut, and begins what has waited for it. The lock is held.
func (p *PartRecv) takeNote(r *progress.Request) {
	p.note = nil
	if p.bad = r.Err; p.bad == nil {
		p.cut, p.bad = parseCut(p.noted[:min(r.Status.Len, noteLen)], len(p.buf))
	}
	if p.bad == nil {
		p.arrived = make([]atomic.Uint32, p.cut.pieces)
	}
	p.known.Store(true)
	if p.req != nil {
		p.post()
	}
}

func (p *PartRecv) start() Request {
	loop := p.c.env.Loop
	loop.Enter()
	defer loop.Exit()
	if p.err = p.c.usable(p.op); p.err != nil {
		return Failed(p.err)
	}
	if p.nobody {
		return Request{over: fine}
	}
	r := p.begin(0)
	if p.req != nil && p.known.Load() {
		p.post()
	}
	return r
}

// post posts the pieces of this round. The lock is held.
func (p *PartRecv) post() {
	if p.bad != nil {
		p.finish(p.bad)
		return
	}
	p.left = p.cut.pieces
	for k := range p.cut.pieces {
		from, to := p.cut.bytes(k)
		peer := p.peer
		peer.Tag = pieceTag(p.cut.first + k)
		p.c.env.Loop.RecvTold(p.buf[from:to:to], peer, k, p.take)
	}
}

// take takes a piece. The lock is held.
func (p *PartRecv) take(r *progress.Request) {
	err := r.Err
	if want := len(r.Buf); err == nil && r.Status.Len != want {
		err = fmt.Errorf("%w: a piece of %d bytes, not %d", ErrMismatch, r.Status.Len, want)
	}
	if err == nil {
		p.arrived[r.Step()].Store(p.round.Load())
	}
	p.ended(err)
}

// Arrived tells whether a part has arrived: of the message that was started last, or of all if none is under
// way. It fails if that has.
func (p *PartRecv) Arrived(part int) (bool, error) {
	if err := p.outside("arrived", part, part+1); err != nil {
		return false, err
	}
	loop := p.c.env.Loop
	here := func() bool { return !p.active.Load() || p.known.Load() && p.here(part) }
	if !here() {
		loop.Look(here)
	}
	if p.active.Load() {
		return here(), nil
	}
	loop.Enter()
	defer loop.Exit()
	if p.err != nil && !p.active.Load() {
		return false, p.c.fault("arrived", p.rank, p.tag, p.c.cause(p.err))
	}
	return here(), nil
}

// here tells whether all pieces of a part have come.
func (p *PartRecv) here(part int) bool {
	if p.bad != nil {
		return false
	}
	first, last, round := 0, p.cut.pieces-1, p.round.Load()
	if piece := p.cut.group * p.cut.size; piece > 0 {
		size := len(p.buf) / p.parts
		first, last = part*size/piece, ((part+1)*size-1)/piece
	}
	for k := first; k <= last; k++ {
		if p.arrived[k].Load() != round {
			return false
		}
	}
	return true
}
