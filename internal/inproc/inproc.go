// Package inproc owns the link between ranks that are goroutines of one process, and the one from any rank
// to itself: a mailbox per rank.
//
// It promises order per pair, never answers busy, and moves a long message by one copy straight from the
// sender's buffer into the receiver's. A thousand idle ranks cost a few kilobytes each. It knows nothing of
// engines or of other processes.
package inproc

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/wire"
)

// EagerMax is the longest message that is copied into a mailbox. Longer ones wait in the sender's buffer.
const EagerMax = 16 << 10

// letter is a packet in a mailbox, with its own copy of a short payload.
type letter struct {
	header wire.Header
	peer   int
	data   []byte
	next   *letter
}

// Exchange holds the mailboxes of a process's ranks.
type Exchange struct {
	boxes []*Box
	meter clock.Clock // charged with copies; nil on a host
}

// Charge has copies charged to a rank's clock. It is called before the mailboxes are used.
func (x *Exchange) Charge(c clock.Clock) { x.meter = c }

// copied charges for n bytes.
func (x *Exchange) copied(n int) {
	if x.meter != nil {
		x.meter.Spend(clock.Copy, n)
	}
}

// NewExchange makes mailboxes for processes first to first+n-1 of a job.
func NewExchange(first, n int) *Exchange {
	x := &Exchange{boxes: make([]*Box, n)}
	for i := range x.boxes {
		x.boxes[i] = &Box{x: x, self: first + i, first: first, bell: clock.NewBell()}
	}
	return x
}

// Box returns the i-th mailbox: the link of that rank.
func (x *Exchange) Box(i int) *Box { return x.boxes[i] }

// Box is one rank's end: its mailbox, and its way to the other mailboxes.
type Box struct {
	x     *Exchange
	self  int
	first int
	bell  *clock.Bell

	mu    sync.Mutex
	head  *letter
	tail  *letter
	free  *letter
	kept  int
	full  atomic.Bool // head != nil
	reads []any       // tokens of reads that are done and not yet told
}

// Bell returns the rank's doorbell.
func (b *Box) Bell() *clock.Bell { return b.bell }

func (b *Box) to(peer int) *Box { return b.x.boxes[peer-b.first] }

// Send puts the packet into the peer's mailbox.
func (b *Box) Send(p *wire.Packet) bool {
	dst := b.to(p.Peer)
	dst.mu.Lock()
	l := dst.free
	if l == nil {
		l = new(letter)
	} else {
		dst.free = l.next
		dst.kept--
	}
	l.header, l.peer, l.next = p.Header, b.self, nil
	l.data = append(l.data[:0], p.Data...)
	if dst.tail == nil {
		dst.head = l
	} else {
		dst.tail.next = l
	}
	dst.tail = l
	dst.full.Store(true)
	dst.mu.Unlock()
	p.Sent = len(p.Data)
	b.x.copied(len(p.Data))
	dst.bell.Ring() // our own too: another goroutine of this rank may be the one that sleeps
	return true
}

// Ready tells whether there is mail.
func (b *Box) Ready() bool { return b.full.Load() }

// batchMax bounds the letters delivered by one Poll.
const batchMax = 64

// Poll delivers the mail.
func (b *Box) Poll(s wire.Sink) bool {
	b.mu.Lock()
	first := b.head
	last, n := first, 1
	if first == nil {
		b.mu.Unlock()
		return b.finishReads(s)
	}
	for ; n < batchMax && last.next != nil; n++ {
		last = last.next
	}
	b.head, last.next = last.next, nil
	if b.head == nil {
		b.tail = nil
		b.full.Store(len(b.reads) > 0)
	}
	b.mu.Unlock()
	for l := first; l != nil; l = l.next {
		s.Arrive(l.peer, &l.header, l.data)
		if cap(l.data) > keptData {
			l.data = nil
		}
	}
	b.recycle(first, last, n)
	b.finishReads(s)
	return true
}

const (
	keptLetters = 64
	keptData    = 1024
)

func (b *Box) recycle(first, last *letter, n int) {
	b.mu.Lock()
	if b.kept < keptLetters {
		last.next = b.free
		b.free = first
		b.kept += n
	}
	b.mu.Unlock()
}

// finishReads ends the reads that were done since the last Poll.
func (b *Box) finishReads(s wire.Sink) bool {
	if len(b.reads) == 0 {
		return false
	}
	reads := b.reads
	b.reads = nil
	b.mu.Lock()
	b.full.Store(b.head != nil)
	b.mu.Unlock()
	for _, token := range reads {
		s.ReadDone(token, nil)
	}
	return true
}

// EagerMax is the longest message that travels with its envelope.
func (b *Box) EagerMax(int) int { return EagerMax }

// Expose gives the address: the peer is in the same address space.
func (b *Box) Expose(_ int, p []byte, _ bool) wire.Key {
	return wire.Key{Addr: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(p))))}
}

// Hide has nothing to undo.
func (b *Box) Hide(int, wire.Key) {}

// Read copies from the sender's buffer, which its request keeps alive until our FIN.
func (b *Box) Read(peer int, k wire.Key, dst []byte, token any) bool {
	copy(dst, b.Map(peer, k, len(dst)))
	b.x.copied(len(dst))
	b.reads = append(b.reads, token)
	b.full.Store(true)
	return true
}
