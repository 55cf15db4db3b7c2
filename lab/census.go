package lab

import (
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// Census counts what ranks hand to the network, by length: packets with their payload, of control messages 0, and
// long transfers. What the network adds, such as acknowledgements, is not among it.
type Census map[int]uint64

// Messages is how many there were.
func (c Census) Messages() (n uint64) {
	for _, k := range c {
		n += k
	}
	return n
}

// link has what passes a rank's link to other nodes counted. Those to ranks of its node stay as they are.
func (c Census) link(l *progress.Link) {
	if l.Near != nil {
		return
	}
	l.Transport = surveyed{l.Transport, c}
	if l.Long != nil {
		l.Long = surveyedLong{l.Long, c}
	}
}

// surveyed is a link whose packets are counted.
type surveyed struct {
	progress.Transport
	by Census
}

// Send counts a packet that has left.
func (s surveyed) Send(p *wire.Packet) bool {
	bytes := len(p.Data)
	sent := s.Transport.Send(p)
	if sent {
		s.by[bytes]++
	}
	return sent
}

// Read counts a remote read.
func (s surveyed) Read(peer int, k wire.Key, dst []byte, token any) bool {
	begun := s.Transport.Read(peer, k, dst, token)
	if begun {
		s.by[len(dst)]++
	}
	return begun
}

// surveyedLong is the same for its long messages.
type surveyedLong struct {
	progress.Long
	by Census
}

// Write counts a remote write, and the packet that follows it.
func (s surveyedLong) Write(peer int, k wire.Key, src []byte, then *wire.Packet, token any) {
	s.by[len(src)]++
	if then != nil {
		s.by[len(then.Data)]++
	}
	s.Long.Write(peer, k, src, then, token)
}
