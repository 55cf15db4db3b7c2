package shm

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/wire"
)

var le = binary.LittleEndian

// cell is a descriptor. The sender fills everything and stores seq last; the receiver polls seq, which
// counts up, so nothing is ever cleared and old payload cannot look like a header.
type cell struct {
	seq  uint32 // position + 1 when full
	kind wire.Kind
	how  uint8  // where the payload is
	n    uint16 // payload bytes that belong to this cell
	ctx  uint32 // Eager, Sync: context. Data: the receiver's request
	tag  int32
	body [inlineMax]byte
}

// Where a cell's payload is, and whether more pieces follow.
const (
	inline  = 0 // in body
	inSmall = 1 // in the small ring; body holds its place
	inBulk  = 2 // in the bulk ring
	where   = 3
	more    = 4  // more pieces of the same message follow
	piece   = 8  // not the first piece: no header
	encoded = 16 // body holds the packet in wire's encoding
)

// place is the body of a cell whose payload is in a byte ring.
type place struct {
	off   uint32 // where in the ring
	end   uint32 // the ring's head once this payload is in it; the receiver's tail when it is out
	len   uint64 // first piece: bytes of the whole message
	label uint64 // first piece: see wire.Header
	send  uint32 // Sync: the sender's request
}

func (c *cell) place() *place { return (*place)(unsafe.Pointer(&c.body)) }

// pairCtl lines: the first is written by the receiver, the second by the sender, so that neither steals a
// line that the other writes.
type pairControl struct {
	cellTail  uint32 // cells, small and bulk bytes that the receiver has consumed
	smallTail uint32
	bulkTail  uint32
	_         [52]byte
	hungry    uint32 // the sender found no room: ring its bell when there is
	_         [60]byte
}

// byteRing is the sender's view of a byte ring: payloads lie in it without wrapping.
type byteRing struct {
	mem  []byte
	head uint32 // counts up; position is head & (len-1)
	tail uint32 // last known
}

// fit finds room for n bytes in a row and returns their offset and the head after them.
func (r *byteRing) fit(n int, shared *uint32) (off, end uint32, ok bool) {
	size := uint32(len(r.mem))
	off = r.head & (size - 1)
	end = r.head + uint32(n)
	if off+uint32(n) > size { // skip the rest: start over at the front
		end += size - off
		off = 0
	}
	if end-r.tail > size {
		r.tail = atomic.LoadUint32(shared)
		if end-r.tail > size {
			return 0, 0, false
		}
	}
	return off, end, true
}

// fetch asks for the memory that the next payload will be written to, about n bytes, which the peer has read
// in the last round: without that, the first store to each line has to wait for it.
func (r *byteRing) fetch(n int) {
	mask := uint32(len(r.mem) - 1)
	for i := uint32(0); i < uint32(n); i += 64 {
		prefetchWrite(unsafe.Pointer(&r.mem[(r.head+i)&mask]))
	}
}

// outbox is our end of the rings to one peer. Guests know it up to tail.
type outbox struct {
	cells []cell
	ctl   *pairControl
	small byteRing
	bulk  byteRing
	head  uint32 // cells written
	tail  uint32 // cells consumed, last known
	bell  *chime
}

// inbox is our end of the rings from one peer. Guests know it up to bulkEnd.
type inbox struct {
	cells []cell
	ctl   *pairControl
	small []byte
	bulk  []byte
	head  uint32 // cells read
	given uint32 // cells that the sender knows we have read

	smallEnd, bulkEnd uint32 // byte rings: consumed up to here

	peer   int // in the job
	from   int // in the segment
	bell   *chime
	streak int // polls in a row that found something
	past   past

	dst       []byte // where the pieces of the current message go
	off       int
	token     any
	target    wire.Target // that takes the pieces itself; nil: dst does
	streaming bool
	h         wire.Header // of the packet being delivered; here because a Sink takes its address
}

func (s *Segment) pair(src, dst int) (cells []cell, ctl *pairControl, small, bulk []byte) {
	at := s.pairAt(src, dst)
	ctl = (*pairControl)(unsafe.Add(s.base, at))
	cells = unsafe.Slice((*cell)(unsafe.Add(s.base, at+pairCtl)), s.Cells)
	at += up(pairCtl+s.Cells*cellSize, pageSize)
	return cells, ctl, s.mem[at : at+s.Small : at+s.Small], s.mem[at+s.Small : at+s.Small+s.Bulk : at+s.Small+s.Bulk]
}

// populate touches the pages of a pair's cells and small ring in one go, so that the first messages do not
// fault on them one by one. It is only a favour: an old kernel refuses, and nothing is lost.
func (s *Segment) populate(src, dst int) {
	at := s.pairAt(src, dst)
	n := up(pairCtl+s.Cells*cellSize, pageSize) + s.Small
	unix.Madvise(s.mem[at:at+n], unix.MADV_POPULATE_WRITE)
}

func (s *Segment) outbox(self, peer int) *outbox {
	cells, ctl, small, bulk := s.pair(self, peer)
	s.populate(self, peer)
	return &outbox{cells: cells, ctl: ctl, small: byteRing{mem: small}, bulk: byteRing{mem: bulk}}
}

func (s *Segment) inbox(self, peer int) *inbox {
	cells, ctl, small, bulk := s.pair(peer, self)
	s.populate(peer, self)
	return &inbox{cells: cells, ctl: ctl, small: small, bulk: bulk, peer: peer}
}

// room returns the next free cell, or nil.
func (o *outbox) room() *cell {
	if o.head-o.tail >= uint32(len(o.cells)) {
		o.tail = atomic.LoadUint32(&o.ctl.cellTail)
		if o.head-o.tail >= uint32(len(o.cells)) {
			return nil
		}
	}
	return &o.cells[o.head&uint32(len(o.cells)-1)]
}

// publish makes the cell visible and wakes the peer if it sleeps. Between the first store to a cell and
// this one no other shared line is touched: the polling peer would steal the line.
func (o *outbox) publish(c *cell) {
	o.head++
	atomic.StoreUint32(&c.seq, o.head)                  // also the fence between the message and the look at the doorbell
	next := &o.cells[(o.head+1)&uint32(len(o.cells)-1)] // the one after the one that the peer polls
	prefetchWrite(unsafe.Pointer(next))
	prefetchWrite(unsafe.Pointer(&next.body[cellSize/2]))
	o.bell.ring()
}

// full reports the next cell of an inbox if it has been written. It looks at the first line only: the others
// stay with the sender until they hold something.
func (in *inbox) full() *cell {
	c := &in.cells[in.head&uint32(len(in.cells)-1)]
	if atomic.LoadUint32(&c.seq) != in.head+1 {
		return nil
	}
	return c
}

// release tells the sender how far we have read: rarely, because it costs the sender a miss, but always
// when it waits for room. A sender that waits is only heard when something arrives, so a drained ring must have
// room although we have not told: a quarter untold, a quarter skipped at the end, a quarter for the payload.
func (in *inbox) release() {
	head := in.head
	small := in.smallEnd - in.ctl.smallTail
	bulk := in.bulkEnd - in.ctl.bulkTail
	if head-in.given < uint32(len(in.cells)/4) && small < uint32(len(in.small)/4) && bulk < uint32(len(in.bulk)/4) &&
		atomic.LoadUint32(&in.ctl.hungry) == 0 {
		return
	}
	in.given = head
	atomic.StoreUint32(&in.ctl.smallTail, in.smallEnd)
	atomic.StoreUint32(&in.ctl.bulkTail, in.bulkEnd)
	atomic.StoreUint32(&in.ctl.cellTail, head)
	// Only now: a sender that has become hungry since may have looked for room before it was there, and what we
	// have just read may be the last that it sends us before it sleeps.
	if atomic.LoadUint32(&in.ctl.hungry) != 0 && atomic.SwapUint32(&in.ctl.hungry, 0) != 0 {
		in.bell.ring()
	}
}
