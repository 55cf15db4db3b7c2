package soft

import (
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Most polls find nothing, and most of the others one short message, which is caught. Both go a short way, for a message that comes
// during a poll waits for the next one, and what is run through between the call that receives a message and the program that
// answers it has been pushed out of the nearest cache by the kernel. All that can be asked before that call is asked before it.

// calm tells that a look at the device, by whoever polls c, may be a glance: it has been polled for so long that the poller is left
// aside, and has nothing to do but to ask connections on which nothing has begun and whose messages may be caught.
func (d *Device) calm(c *cq) bool {
	if !d.detached || d.shaking > 0 || d.spun+1 >= pollerEvery || d.sleepsTo != 0 || !d.attended.Load() || c.Armed() ||
		len(d.deferred)+len(d.postponed)+len(d.timers) > 0 {
		return false
	}
	for _, x := range d.direct {
		if s, ok := x.(*stream); !ok || !s.calm() || !s.catches(c) {
			return false
		}
	}
	return true
}

// calm tells that the next thing to come is the beginning of a segment of which nothing is known, and that nothing is to be sent.
func (s *stream) calm() bool {
	return len(s.pend) == 0 && !s.body.on && !s.blocked && s.bulk == 0 && len(s.asked) == 0 && s.reads()
}

// glance asks the connections of a calm device for whoever polls c, and takes completions.
func (c *cq) glance(out []verbs.Completion) int {
	d := c.dev
	d.count.polls++
	d.spun++
	for _, x := range d.direct {
		s := x.(*stream)
		d.count.recvCalls++
		n, err := s.conn.Recv(d.stage)
		if err == socket.ErrAgain {
			continue
		}
		if err != nil {
			s.lose(err)
			return c.Take(out)
		}
		d.count.bytesIn += uint64(n)
		if caught := s.caught(d.stage[:n]); caught < n {
			return c.takeOn(s, d.stage[caught:n], out)
		}
	}
	return 0
}

// takeOn handles what a glance has found behind what was caught, and takes completions.
func (c *cq) takeOn(s *stream, b []byte, out []verbs.Completion) int {
	d := c.dev
	d.paused, d.catching = false, c
	if c.steer != nil {
		d.steering = c
	}
	s.parse(b)
	d.steering, d.catching = nil, nil
	return c.Take(out)
}
