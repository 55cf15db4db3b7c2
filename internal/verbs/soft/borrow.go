package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// What comes lands in memory of the device's before it is understood. Messages that are whole there
// are lent to whoever polls a queue made with CQConfig.Borrow: no receive is taken, nothing is
// copied. The memory is his until he polls again; who drives the device meanwhile uses another.

const stageSize = 256 << 10

// landing is where what comes lands, and for whom.
type landing struct {
	room    room
	spare   []room // rooms that took the place of one that was lent
	polling *cq    // whose caller polls, and takes what is in the queue at once; nil: somebody else drives
	lends   bool   // what the last call received may be lent to him
	paused  bool   // he has got something that should not wait until more is fetched
}

// room is memory that a call receives into.
type room struct {
	stage []byte        // from a connection, or one datagram
	inbox *socket.Inbox // several datagrams; made with the first UDP socket
}

// land returns the memory for the next call that receives.
func (d *Device) land() *room {
	if d.room.stage == nil {
		if n := len(d.spare); n > 0 {
			d.room, d.spare = d.spare[n-1], d.spare[:n-1]
		} else {
			d.room.stage = make([]byte, stageSize)
		}
	}
	d.lends = d.polling != nil && d.polling.lent.stage == nil
	return &d.room
}

// lend gives the memory that was received into to whoever polls.
func (d *Device) lend() {
	if c := d.polling; c.lent.stage == nil {
		c.lent, d.room = d.room, room{}
	}
	d.paused = true
}

// takeBack ends the use of what was lent to whoever polls c.
func (c *cq) takeBack() {
	if c.lent.stage == nil {
		return
	}
	if d := c.dev; d.room.stage != nil {
		d.spare = append(d.spare, d.room)
	}
	c.dev.room, c.lent = c.lent, room{}
}

// borrows tells whether whoever polls c gets messages of the stream where they are.
func (s *stream) borrows(c *cq) bool {
	q := s.qp
	return c != nil && c.borrow && q != nil && q.recvCQ == c && !s.midMessage && s.phase == phaseOpen && !s.muzzled && s.stripper == nil
}

// borrow lends the message that b begins with to whoever polls. It answers how long its FPDU is, 0 if
// that has to go the usual way.
func (s *stream) borrow(b []byte) int {
	message, n := iwarp.ParseLone(b, s.recvNum[iwarp.QueueSend], s.terms.CRC)
	if n == 0 {
		return 0
	}
	s.recvNum[iwarp.QueueSend]++
	s.dev.count.fpdusIn++
	s.noteLength(len(message))
	s.qp.lendMessage(message, netip.AddrPort{}, 0)
	return n
}

// lendMessage completes a receive of a message that stays where it is.
func (b *base) lendMessage(message []byte, from netip.AddrPort, fromQP uint32) {
	b.dev.lend()
	b.dev.count.borrowed++
	if c := b.slot(b.recvCQ); c != nil {
		c.QP, c.Op, c.Len, c.Data, c.Src, c.SrcQP = b.num, verbs.Recv, len(message), message, from, fromQP
		b.recvCQ.added(c)
	}
}

// borrows tells whether whoever polls gets a datagram where it is.
func (q *dgram) borrows(h *iwarp.Header) bool {
	c := q.base.dev.polling
	return c != nil && c.borrow && q.recvCQ == c && q.base.dev.lends && h.Op == iwarp.OpSend
}
