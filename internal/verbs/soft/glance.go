package soft

import (
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Most polls find nothing, and most of the others one short message, which is caught. Both go a short way, for a message that comes
// during a poll waits for the next one, and what is run through between the call that receives a message and the program that
// answers it has been pushed out of the nearest cache by the kernel. All that can be asked before that call is asked before it.

// calm tells that a look at the device, by whoever polls c, may be a glance: it has been polled for so long that the poller is left
// aside, and has nothing to do but to ask sources from which messages may be caught.
func (d *Device) calm(c *cq) bool {
	if !d.detached || d.shaking > 0 || d.spun+1 >= pollerEvery || d.sleepsTo != 0 || !d.attended.Load() || c.Armed() ||
		len(d.deferred)+len(d.postponed)+len(d.timers) > 0 {
		return false
	}
	for _, s := range d.direct {
		if !s.calm(c) {
			return false
		}
	}
	return true
}

// glance asks the sources of a calm device for whoever polls c, and takes completions.
func (c *cq) glance(out []verbs.Completion) int {
	d := c.dev
	d.count.polls++
	d.spun++
	for _, s := range d.direct {
		if s.glance(c) {
			return c.Take(out)
		}
	}
	return 0
}

// showTo has whoever polls c be shown what is handled next; showNobody ends that.
func (d *Device) showTo(c *cq) {
	d.paused, d.catching = false, c
	if c.steer != nil {
		d.steering = c
	}
}

func (d *Device) showNobody() { d.steering, d.catching = nil, nil }

// calm tells that the next thing to come is the beginning of a segment of which nothing is known, and that nothing is to be sent.
func (s *stream) calm(c *cq) bool {
	return len(s.pend) == 0 && !s.body.on && !s.blocked && s.bulk == 0 && len(s.asked) == 0 && s.reads() && s.catches(c)
}

// glance receives, and catches the message that comes first. What is behind it goes the usual way.
func (s *stream) glance(c *cq) bool {
	d := s.dev
	d.count.recvCalls++
	n, err := s.conn.Recv(d.stage)
	if err == socket.ErrAgain {
		return false
	}
	if err != nil {
		s.lose(err)
		return true
	}
	d.count.bytesIn += uint64(n)
	caught := s.caught(d.stage[:n])
	if caught == n {
		return false
	}
	d.showTo(c)
	s.parse(d.stage[caught:n])
	d.showNobody()
	return true
}

// calm tells that datagrams come one by one, that none is to be sent, and that they are shown to whoever polls c.
func (u *udpSocket) calm(c *cq) bool {
	q := u.only
	return q != nil && q.catch != nil && q.recvCQ == c && u.typ == verbs.UD && u.sock != nil && u.streak < busyStreak && !u.blocked && u.box == nil && !u.sock.Joins()
}

// glance receives a datagram and handles it.
func (u *udpSocket) glance(c *cq) bool {
	d := u.dev
	n, from, err := u.sock.RecvOne(d.stage)
	if err != nil {
		u.streak = 0
		return false
	}
	u.streak++
	d.showTo(c)
	u.arrive(0, d.stage[:n], from)
	d.showNobody()
	u.arrived(1)
	if u.sock != nil {
		u.settle()
	}
	return true
}
