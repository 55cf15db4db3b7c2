package ud

import "github.com/weft-mpi/weft/internal/iwarp"

// Limits of Reader.
const (
	MaxReads         = 64        // open at a time
	MaxReadDatagrams = 64        // that one request may ask for
	ReadTimeout      = 2_000_000 // nanoseconds without an answer before the first repetition; doubles
	ReadTries        = 7         // requests without any answer before a Read fails
)

// Read is what a requester wants: Size bytes from SourceSTag and SourceTO at Peer into SinkSTag and SinkTO here.
type Read[K comparable] struct {
	Peer       K
	ID         uint64 // the caller's name for it
	SinkSTag   uint32 // the low 8 bits are where the key byte begins to count
	SinkTO     uint64
	SourceSTag uint32
	SourceTO   uint64
	Size       uint32
	Datagram   uint32 // payload that fits one datagram of the answer
}

// Due is what a Reader wants done: a request to be sent to Peer, or the news that Read ID has failed.
type Due[K comparable] struct {
	Peer    K
	ID      uint64
	Failed  bool
	Request iwarp.ReadRequest
}

// Reader is the requester of Reads over unreliable datagrams. A Read goes chunk by chunk, none larger than
// MaxReadDatagrams datagrams; what is missing of a chunk after a time-out is asked for again, which is harmless
// because Reads are idempotent. Every try has a key byte of its own, the low 8 bits of the sink STag, so that late
// answers to earlier ones name an STag that is not valid any more.
//
// The zero value is ready for use.
type Reader[K comparable] struct {
	reads []readState[K] // the open ones first
	open  int
}

// readState is one Read under way. Offsets count from the beginning of the Read.
type readState[K comparable] struct {
	Read[K]
	chunk   Range  // what is being asked for
	arrived Ranges // of the chunk
	asking  bool   // requests for the gaps from cursor on are still to be sent
	cursor  uint32
	key     uint8 // of the current try
	tries   int   // without an answer
	timeout int64
	at      int64 // when Due is due
}

// Start begins a Read; Due then has its first request. It is false when MaxReads are open: try again when one of them
// has finished. A Read of nothing takes one request and one empty answer.
func (r *Reader[K]) Start(now int64, read Read[K]) bool {
	if r.reads == nil {
		r.reads = make([]readState[K], MaxReads)
	}
	if r.open == MaxReads {
		return false
	}
	s := &r.reads[r.open]
	r.open++
	read.Datagram = max(read.Datagram, 1)
	*s = readState[K]{Read: read, key: uint8(read.SinkSTag)}
	s.ask(now, 0)
	return true
}

// ask begins the chunk at from.
func (s *readState[K]) ask(now int64, from uint32) {
	size := min(uint64(s.Size-from), uint64(s.Datagram)*MaxReadDatagrams)
	s.chunk, s.arrived = Range{from, from + uint32(size)}, Ranges{}
	s.tries, s.timeout = 0, ReadTimeout
	s.try(now)
}

// try asks for all gaps of the chunk under a new key.
func (s *readState[K]) try(now int64) {
	s.key++
	s.tries++
	s.asking, s.cursor, s.at = true, s.chunk.From, now
}

// stag is the sink STag of the current try.
func (s *readState[K]) stag() uint32 { return s.SinkSTag&^0xff | uint32(s.key) }

// Due returns one thing that is to be done now, and is false when there is no more.
func (r *Reader[K]) Due(now int64) (due Due[K], ok bool) {
	for i := 0; i < r.open; {
		s := &r.reads[i]
		if s.at > now {
			i++
			continue
		}
		if !s.asking {
			if s.tries == ReadTries {
				due = Due[K]{Peer: s.Peer, ID: s.ID, Failed: true}
				r.remove(i)
				return due, true
			}
			s.timeout *= 2
			s.try(now)
		}
		if req, ok := s.request(now); ok {
			return Due[K]{Peer: s.Peer, ID: s.ID, Request: req}, true
		}
	}
	return due, false
}

// request asks for the next gap of the chunk. When there is none, the wait for answers begins.
func (s *readState[K]) request(now int64) (req iwarp.ReadRequest, ok bool) {
	gap, ok := s.arrived.Gap(s.cursor, s.chunk.To)
	if s.Size == 0 && s.cursor == 0 {
		ok, s.cursor = true, 1 // nothing is missing of nothing, but it has to be asked for
	} else {
		s.cursor = gap.To
	}
	if !ok {
		s.asking, s.at = false, now+s.timeout
		return req, false
	}
	return iwarp.ReadRequest{
		SinkSTag: s.stag(), SinkTO: s.SinkTO + uint64(gap.From), Size: gap.To - gap.From,
		SourceSTag: s.SourceSTag, SourceTO: s.SourceTO + uint64(gap.From),
	}, true
}

// Arrive takes note of a Read Response of n bytes from peer for offset to of stag. If accepted is true the
// caller places the bytes there; otherwise the answer is late, a duplicate or unasked for, and is dropped
// in silence. If finished is true, Read id is complete with these bytes and forgotten.
func (r *Reader[K]) Arrive(now int64, peer K, stag uint32, to uint64, n int) (accepted, finished bool, id uint64) {
	for i := range r.reads[:r.open] {
		s := &r.reads[i]
		if s.stag() != stag || s.Peer != peer || !s.take(to, n) {
			continue
		}
		id = s.ID
		if !s.arrived.Covers(s.chunk.From, s.chunk.To) {
			s.tries, s.timeout = 1, ReadTimeout // an answer: the peer is there
			if !s.asking {
				s.at = now + s.timeout
			}
			return true, false, id
		}
		if s.chunk.To == s.Size {
			r.remove(i)
			return true, true, id
		}
		s.ask(now, s.chunk.To)
		return true, false, id
	}
	return false, false, 0
}

// take ticks off n bytes at to, if they are of the chunk, bring something new and can be remembered. That only news
// counts bounds how long a peer can keep a Read alive.
func (s *readState[K]) take(to uint64, n int) bool {
	if n == 0 || s.Size == 0 {
		return n == 0 && s.Size == 0
	}
	from := to - s.SinkTO // far too large when to is below
	if n < 0 || from < uint64(s.chunk.From) || from > uint64(s.chunk.To) || uint64(n) > uint64(s.chunk.To)-from {
		return false
	}
	begin, end := uint32(from), uint32(from)+uint32(n)
	return !s.arrived.Covers(begin, end) && s.arrived.Add(begin, end)
}

// Refuse ends the Read that a request with this sink belongs to, because its peer answered with an error. It is false
// when there is none, or the answer is late.
func (r *Reader[K]) Refuse(peer K, stag uint32, to uint64) (id uint64, ok bool) {
	for i := range r.reads[:r.open] {
		s := &r.reads[i]
		if s.stag() == stag && s.Peer == peer && to-s.SinkTO <= uint64(s.Size) {
			id = s.ID
			r.remove(i)
			return id, true
		}
	}
	return 0, false
}

// Deadline is when Due will next have something, unless answers arrive.
func (r *Reader[K]) Deadline() int64 {
	at := int64(0)
	for i := range r.reads[:r.open] {
		if s := &r.reads[i]; at == 0 || s.at < at {
			at = s.at
		}
	}
	return at
}

// Open is how many Reads are under way.
func (r *Reader[K]) Open() int { return r.open }

// remove forgets the Read at i.
func (r *Reader[K]) remove(i int) {
	r.open--
	r.reads[i] = r.reads[r.open]
	r.reads[r.open] = readState[K]{} // keep no reference in the peer
}
