package soft

import (
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Most polls find nothing, and most of the others one short message, which is borrowed. Both go a short
// way, for a message that comes during a poll waits for the next one, and what is run through between the
// call that receives a message and the program that answers it has been pushed out of the nearest cache by
// the kernel. All that can be asked before that call is asked before it.

// calm tells that a look at the device, by whoever polls c, may be a glance: it has been polled for so long
// that the poller is left aside, and has nothing to do but to ask sources from which messages may be
// borrowed.
func (d *Device) calm(c *cq) bool {
	if !d.detached || d.shaking > 0 || d.spun+1 >= pollerEvery || d.sleepsTo != 0 || !d.attended.Load() || c.Armed() ||
		len(d.deferred)+len(d.waiting)+len(d.timers) > 0 {
		return false
	}
	for _, s := range d.direct {
		if !s.calm(c) {
			return false
		}
	}
	return true
}

// glance asks the sources of a calm device for whoever polls.
func (d *Device) glance() {
	d.count.polls++
	d.spun++
	for _, s := range d.direct {
		if s.glance() {
			return
		}
	}
}

// calm tells that the next thing to come is the beginning of a segment of which nothing is known, and that
// nothing is to be sent.
func (s *stream) calm(c *cq) bool {
	return len(s.pend) == 0 && !s.body.on && !s.blocked && s.bulk == 0 && len(s.asked) == 0 && s.reads() && s.borrows(c)
}

// glance receives, and lends what comes.
func (s *stream) glance() bool {
	d := s.dev
	d.count.recvCalls++
	stage := d.land().stage
	n, err := s.recv(stage)
	if err == socket.ErrAgain {
		return false
	}
	if err != nil {
		s.lose(err)
		return true
	}
	d.count.bytesIn += uint64(n)
	s.parse(stage[:n])
	s.remind()
	return true
}

// calm tells that datagrams come one by one, that none is to be sent, and that they are lent to whoever polls c.
func (u *udpSocket) calm(c *cq) bool {
	q := u.only
	return q != nil && c.borrow && q.recvCQ == c && u.typ == verbs.UD && u.sock != nil && u.streak < busyStreak && !u.blocked && u.box == nil && !u.sock.Joins()
}

// glance receives a datagram and handles it.
func (u *udpSocket) glance() bool {
	stage := u.dev.land().stage
	n, from, err := u.sock.RecvOne(stage)
	if err != nil {
		u.streak = 0
		return false
	}
	u.streak++
	u.arrive(0, stage[:n], from)
	u.arrived(1)
	if u.sock != nil {
		u.settle()
	}
	return true
}
