package socket

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What a Batch holds unless told otherwise, and at most.
const (
	batchDatagrams = 64
	batchParts     = 256
	maxDatagrams   = 1024
)

// mmsghdr is the kernel's entry of a batched call: a message and how many bytes of it were done.
type mmsghdr struct {
	hdr  unix.Msghdr
	done uint32
}

// segmentControl is the control message that asks for segments of size bytes.
type segmentControl struct {
	hdr  unix.Cmsghdr
	size uint16
	_    [6]byte // CMSG_SPACE
}

// Batch is a reusable list of datagrams to send, each gathered from several slices:
//
//	b.Begin(to); b.Add(header); b.Add(payload); b.EndDatagram()
//
// It keeps the slices reachable, and the caller leaves them alone, until Reset.
type Batch struct {
	parts []unix.Iovec
	grams []datagram
	next  int      // grams[:next] are with the kernel or dropped
	open  datagram // between Begin and EndDatagram
	bad   bool     // the open one does not fit, or none is open

	// How the kernel reads them, filled anew by every call.
	msgs  []mmsghdr
	names []rawAddr
	ctl   []segmentControl
	runs  []int        // datagrams in each message
	whole []unix.Iovec // of each message whose datagrams lie in one piece
}

// NewBatch makes an empty batch with room for so many datagrams and slices in all; 0 means 64 and 256.
func NewBatch(datagrams, parts int) *Batch {
	if datagrams <= 0 {
		datagrams = batchDatagrams
	}
	if parts <= 0 {
		parts = batchParts
	}
	datagrams = min(datagrams, maxDatagrams)
	return &Batch{
		parts: make([]unix.Iovec, 0, max(parts, datagrams)),
		grams: make([]datagram, 0, datagrams),
		msgs:  make([]mmsghdr, datagrams),
		names: make([]rawAddr, datagrams),
		ctl:   make([]segmentControl, datagrams),
		runs:  make([]int, datagrams),
		whole: make([]unix.Iovec, datagrams),
		bad:   true,
	}
}

// Reset empties the batch and lets go of all memory.
func (b *Batch) Reset() {
	clear(b.parts)
	clear(b.whole[:min(len(b.grams), len(b.whole))])
	b.parts, b.grams, b.next = b.parts[:0], b.grams[:0], 0
	b.open, b.bad = datagram{}, true
}

// Room says whether one more datagram of so many slices fits.
func (b *Batch) Room(parts int) bool {
	return len(b.grams) < cap(b.grams) && len(b.parts)+parts <= cap(b.parts)
}

// Begin starts a datagram to an address.
func (b *Batch) Begin(to netip.AddrPort) {
	clear(b.parts[b.open.first:]) // a datagram begun and not ended is forgotten
	b.parts = b.parts[:b.open.first]
	b.open = datagram{to: to, first: len(b.parts)}
	b.bad = len(b.grams) == cap(b.grams)
}

// Add appends p to the datagram.
func (b *Batch) Add(p []byte) {
	if len(p) == 0 {
		return
	}
	if b.bad || len(b.parts) == cap(b.parts) || b.open.parts == maxParts || b.open.size+len(p) > maxPayload {
		b.bad = true
		return
	}
	b.parts = b.parts[:len(b.parts)+1]
	part := &b.parts[len(b.parts)-1]
	part.Base = &p[0]
	part.SetLen(len(p))
	b.open.parts++
	b.open.size += len(p)
}

// EndDatagram takes the datagram into the batch. It reports false, and the batch is as before Begin, when
// there was no room (see Room) or the datagram is larger than UDP allows.
func (b *Batch) EndDatagram() bool {
	if b.bad {
		clear(b.parts[b.open.first:])
		b.parts = b.parts[:b.open.first]
	} else {
		b.grams = append(b.grams, b.open)
	}
	b.open = datagram{first: len(b.parts)}
	taken := !b.bad
	b.bad = true
	return taken
}

// Len is how many datagrams the batch holds, sent or not.
func (b *Batch) Len() int { return len(b.grams) }

// Next is the index of the first datagram not yet sent or dropped; Len when all are.
func (b *Batch) Next() int { return b.next }

// Drop gives up the datagram at Next, one that Send reported an error for.
func (b *Batch) Drop() { b.next = min(b.next+1, len(b.grams)) }

// fill writes the datagrams from next on as messages, joining runs of sizes up to limit, and says how many
// messages. An address it cannot write ends the list; if that is the first, there is none and an error.
func (b *Batch) fill(u *UDP, limit int) (int, error) {
	n := 0
	for i := b.next; i < len(b.grams); n++ {
		d := &b.grams[i]
		if n > 0 && d.to == b.grams[i-1].to {
			b.names[n] = b.names[n-1]
		} else if err := u.address(&b.names[n], d.to); err != nil {
			if n == 0 {
				return 0, err
			}
			return n, nil
		}
		run := runLength(b.grams[i:], limit)
		b.message(n, b.grams[i:i+run])
		i += run
	}
	return n, nil
}

// message describes a run of datagrams, whose parts lie one after another, as message n.
func (b *Batch) message(n int, run []datagram) {
	b.runs[n] = len(run)
	last := run[len(run)-1]
	h := &b.msgs[n].hdr
	*h = unix.Msghdr{Name: &b.names[n].b[0], Namelen: b.names[n].n}
	if parts := last.first + last.parts - run[0].first; parts > 0 {
		h.Iov = &b.parts[run[0].first]
		h.SetIovlen(parts)
		if parts > 1 && b.inOnePiece(&b.whole[n], b.parts[run[0].first:][:parts]) {
			h.Iov = &b.whole[n]
			h.SetIovlen(1)
		}
	}
	if len(run) == 1 {
		return
	}
	c := &b.ctl[n]
	c.hdr.Level, c.hdr.Type = unix.IPPROTO_UDP, unix.UDP_SEGMENT
	c.hdr.SetLen(unix.CmsgLen(2))
	c.size = uint16(run[0].size)
	h.Control = (*byte)(unsafe.Pointer(c))
	h.SetControllen(unix.CmsgSpace(2))
}

// inOnePiece tells whether parts follow each other in memory without a gap, and describes them as one: the
// kernel copies from one long piece faster than from many.
func (b *Batch) inOnePiece(whole *unix.Iovec, parts []unix.Iovec) bool {
	end := uintptr(unsafe.Pointer(parts[0].Base)) + uintptr(parts[0].Len)
	for i := range parts[1:] {
		p := &parts[1+i]
		if uintptr(unsafe.Pointer(p.Base)) != end {
			return false
		}
		end += uintptr(p.Len)
	}
	whole.Base = parts[0].Base
	whole.SetLen(int(end - uintptr(unsafe.Pointer(parts[0].Base))))
	return true
}

// took moves next past the first n messages and says how many datagrams those were.
func (b *Batch) took(n int) int {
	sent := 0
	for _, run := range b.runs[:n] {
		sent += run
	}
	b.next += sent
	return sent
}
