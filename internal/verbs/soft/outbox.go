package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

const (
	boxDatagrams  = 64
	smallDatagram = 4096      // payload that is copied next to its header rather than gathered, see copied
	boxHeaders    = 256       // bytes for what surrounds a payload
	boxBytes      = 144 << 10 // small datagrams lie one after the other: two messages of 64 KB for the kernel to cut
)

// outbox collects the datagrams that leave a UDP socket in one call. It is lent to sockets that are sending.
type outbox struct {
	batch  *socket.Batch
	arena  []byte // small datagrams, and what surrounds the payload of others, one after the other
	owners [boxDatagrams]owner
	n      int // datagrams in it

	lone   []byte // the only datagram so far, if it lies in one piece: it is not in the batch yet
	loneTo netip.AddrPort
}

// owner is whose work request is done when a datagram has been taken by the socket.
type owner struct {
	q      *base
	number uint64
}

func (d *datagrams) takeBox() *outbox {
	if n := len(d.spareBoxes); n > 0 {
		b := d.spareBoxes[n-1]
		d.spareBoxes = d.spareBoxes[:n-1]
		return b
	}
	return &outbox{batch: socket.NewBatch(boxDatagrams, 4*boxDatagrams+maxSGE), arena: make([]byte, 0, boxBytes)}
}

func (d *datagrams) giveBox(b *outbox) {
	if b.batch.Len() > 0 {
		b.batch.Reset()
	}
	clear(b.owners[:b.n])
	b.n, b.lone, b.arena = 0, nil, b.arena[:0]
	if len(d.spareBoxes) < 8 {
		d.spareBoxes = append(d.spareBoxes, b)
	}
}

// room tells whether another datagram of a load fits, after making some if need be.
func (u *udpSocket) room(l *load) bool {
	if u.box == nil {
		u.box = u.dev.takeBox()
	}
	if u.box.takes(l, u.copied()) {
		return true
	}
	u.flush()
	if u.box == nil {
		u.box = u.dev.takeBox()
	}
	return u.box.takes(l, u.copied())
}

// takes tells whether another datagram of a load fits, of which so many bytes are copied at most.
func (b *outbox) takes(l *load, copied int) bool {
	return b.n < boxDatagrams && b.batch.Room(l.pieces()+3) && cap(b.arena)-len(b.arena) >= copied+boxHeaders
}

// copied is how many bytes of a payload are copied next to its header rather than gathered, at
// most: a seal is made of bytes that lie in one piece.
func (u *udpSocket) copied() int {
	if u.seals != nil {
		return max(smallDatagram, u.size)
	}
	return smallDatagram
}

// join puts a lone datagram into the batch.
func (b *outbox) join() {
	if b.lone != nil {
		b.batch.Begin(b.loneTo)
		b.batch.Add(b.lone)
		b.batch.EndDatagram()
		b.lone = nil
	}
}

// add puts a datagram into the box, which has room for it: head is what precedes the payload.
func (u *udpSocket) add(to netip.AddrPort, head []byte, l *load, off, n int, who owner) {
	if u.dev.tap != nil {
		u.addTapped(to, head, l, off, n, who)
		return
	}
	b := u.box
	from := len(b.arena)
	b.arena = append(b.arena, head...)
	if n <= smallDatagram || u.seals != nil {
		b.arena = u.complete(b.arena, from, to, l, off, n)
		slot := b.arena[from:len(b.arena):len(b.arena)]
		if b.n == 0 {
			b.lone, b.loneTo, b.owners[0], b.n = slot, to, who, 1
			return
		}
		b.join()
		b.batch.Begin(to)
		b.batch.Add(slot)
	} else {
		b.join()
		b.batch.Begin(to)
		slot := b.arena[from:]
		crc := iwarp.NewCRC().Add(slot)
		b.batch.Add(slot)
		l.each(off, n, func(p []byte) {
			crc = crc.Add(p)
			b.batch.Add(p)
		})
		tail := len(b.arena)
		b.arena = crc.Append(b.arena)
		b.batch.Add(b.arena[tail:])
	}
	u.added(who)
}

// complete adds payload and trailer to b, where a datagram to an address has begun at from.
func (u *udpSocket) complete(b []byte, from int, to netip.AddrPort, l *load, off, n int) []byte {
	return u.seal(l.appendTo(b, off, n), from, to)
}

// added notes the datagram that was begun, if the batch could take it.
func (u *udpSocket) added(who owner) {
	if !u.box.batch.EndDatagram() {
		u.finish(who, verbs.LocalLength)
		return
	}
	u.box.owners[u.box.n] = who
	u.box.n++
}

// addTapped lets the tap decide the fate of a datagram.
func (u *udpSocket) addTapped(to netip.AddrPort, head []byte, l *load, off, n int, who owner) {
	whole := append(make([]byte, 0, len(head)+n+u.dev.trailer()), head...)
	whole = u.complete(whole, 0, to, l, off, n)
	fate := u.dev.tap(verbs.Datagram{To: to, Size: len(whole), Bytes: whole})
	if i := fate.Corrupt - 1; i >= 0 && i < len(whole) {
		whole[i] ^= 0xff
	}
	if fate.Delay > 0 && !fate.Drop {
		late := newTimer(func(int64) {
			if u.sock != nil {
				u.addWhole(to, whole, owner{})
				u.flush()
			}
		})
		u.dev.setTimer(late, clock.Now()+fate.Delay)
	}
	for range fate.Copies {
		u.addWhole(to, whole, owner{})
	}
	if fate.Drop || fate.Delay > 0 {
		u.finish(who, verbs.OK)
		return
	}
	u.addWhole(to, whole, who)
}

// addWhole adds a datagram that is complete and stays as it is.
func (u *udpSocket) addWhole(to netip.AddrPort, whole []byte, who owner) {
	if !u.room(&load{}) {
		u.finish(who, verbs.OK)
		return
	}
	u.box.join()
	u.box.batch.Begin(to)
	u.box.batch.Add(whole)
	u.added(who)
}

// finish ends the work request of a datagram.
func (u *udpSocket) finish(who owner, status verbs.Status) {
	if who.q == nil {
		return
	}
	if w := who.q.sends.Get(who.number); w != nil && !w.Done {
		w.Done, w.Status = true, status
	}
	u.retire = who.q
}

// flush hands the datagrams to the kernel. What it does not take now stays in the box.
func (u *udpSocket) flush() {
	b := u.box
	if b == nil {
		return
	}
	if b.lone != nil && u.flushLone() {
		return
	}
	for b.batch.Next() < b.batch.Len() {
		from := b.batch.Next()
		sent, err := u.sock.Send(b.batch)
		u.dev.count.datagramsOut += uint64(sent)
		for i := range sent {
			u.leave(b.owners[from+i], verbs.OK)
		}
		if u.box != b { // a queue pair died of its completion and gave the box back
			return
		}
		if err == socket.ErrAgain {
			u.setBlocked(true)
			return
		}
		if err != nil && b.batch.Next() < b.batch.Len() {
			u.leave(b.owners[b.batch.Next()], sendStatus(err))
			b.batch.Drop()
		}
	}
	u.dropBox()
	u.setBlocked(false)
}

// flushLone sends a datagram that is alone; it answers false if the socket did not take it.
func (u *udpSocket) flushLone() bool {
	b := u.box
	err := u.sock.SendOne(b.loneTo, b.lone)
	if err == socket.ErrAgain {
		b.join()
		return false
	}
	who, status := b.owners[0], verbs.OK
	if err != nil {
		status = sendStatus(err)
	} else {
		u.dev.count.datagramsOut++
	}
	u.dropBox()
	if u.blocked {
		u.setBlocked(false)
	}
	u.leave(who, status)
	return true
}

// dropBox gives the box back, whatever is in it.
func (u *udpSocket) dropBox() {
	b := u.box
	u.box = nil
	u.dev.giveBox(b)
}

// leave reports that the socket took a datagram, or refused it.
func (u *udpSocket) leave(who owner, status verbs.Status) {
	u.finish(who, status)
	u.retireNow()
}

// retireNow reports finished work requests of the queue pair that had one.
func (u *udpSocket) retireNow() {
	if q := u.retire; q != nil {
		u.retire = nil
		q.sends.Retire(q.report)
	}
}

// empty gives up what waits in the box.
func (u *udpSocket) empty() {
	b := u.box
	if b == nil {
		return
	}
	u.box = nil
	b.join()
	for i := b.batch.Next(); i < b.batch.Len(); i++ {
		u.leave(b.owners[i], verbs.OK)
	}
	u.dev.giveBox(b)
	u.setBlocked(false)
}
