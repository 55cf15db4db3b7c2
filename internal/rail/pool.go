package rail

import (
	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/verbs"
)

// buffer is registered memory for one frame.
type buffer struct {
	mem   []byte
	n     int // bytes in use
	lkey  uint32
	index uint32 // in its pool
	pool  *pool
	slab  *slab
	next  *buffer

	posts uint32 // receives: how often it was posted, to tell a completion that is out of date
	again bool   // it has been sent before
	acked bool   // the peer has it
	bare  bool   // its payload was the user's, and there is no copy
	to    *peer  // datagrams, and frames whose payload is the user's: whom it was sent to last
	via   *lane  // side lane by which it leaves, nil: whatever else there is
	holds uint8  // why it must not be used again yet, although the peer has it

	// payload that travels from where the user has it, behind the n bytes here; copied here before it is given back.
	user    []byte
	userKey uint32
	entry   *registrar.Entry // of user, if that is lent until the peer has it
}

// slab is memory that buffers were cut from.
type slab struct {
	mr    verbs.MR
	first int // index of its first buffer
	n     int
	used  int  // buffers in use
	asked bool // for a number of buffers that was known beforehand
}

// pool hands out buffers of one size. It grows by slabs up to a limit; trim gives back those that nobody
// uses. A slab is a registration, for which some devices want as much time as for tens of messages: whoever
// knows how many buffers he will need reserves them at once, and a pool that keeps growing does so in ever
// larger steps.
type pool struct {
	link  *Link
	num   uint8 // of the pool
	size  int
	limit int // buffers at most
	free  *buffer
	all   []*buffer // nil where a slab was given back
	posts []uint32  // of those, how often they were posted
	slabs []*slab
	holes int // buffers of slabs that were given back
	used  int
	high  int // most that were used at a time
}

// slabBytes is how much memory a pool gets at a time, at least.
const slabBytes = 64 << 10

// growth: a pool that has nothing left grows by a part of what it has grown so far, reservations aside: those are many
// receives that stay posted, and a few messages that are kept beside them must not cost half of that again.
const growth = 2

// get returns a buffer, or nil if all are in use.
func (p *pool) get() *buffer {
	b := p.free
	if b == nil {
		if len(p.all)-p.holes >= p.limit || p.grow(p.step(), false) != nil {
			p.link.Counters.PoolEmpty++
			return nil
		}
		b = p.free
	}
	p.free = b.next
	b.next, b.n = nil, 0
	b.slab.used++
	p.used++
	p.high = max(p.high, p.used)
	return b
}

func (p *pool) put(b *buffer) {
	if b.entry != nil {
		p.link.mem.Release(b.entry)
	}
	b.user, b.entry = nil, nil
	b.next = p.free
	p.free = b
	b.slab.used--
	p.used--
}

// reserve gets memory for n buffers beyond those in use, in one piece.
func (p *pool) reserve(n int) error {
	have := len(p.all) - p.holes
	if n -= have - p.used; n <= 0 || have >= p.limit {
		return nil
	}
	return p.grow(n, true)
}

// step is by how many buffers a pool grows that has none left.
func (p *pool) step() int {
	grown := 0
	for _, s := range p.slabs {
		if !s.asked {
			grown += s.n
		}
	}
	return grown / growth
}

// grow adds a slab of n buffers, or of as many as make a slab or as the limit leaves.
func (p *pool) grow(n int, asked bool) error {
	n = min(max(n, slabBytes/p.size, 1), p.limit-len(p.all)+p.holes)
	mem := make([]byte, n*p.size)
	mr, err := p.link.mem.Register(mem, verbs.LocalWrite)
	if err != nil {
		return err
	}
	p.link.addMemory(len(mem))
	s := &slab{mr: mr, first: p.gap(n), n: n, asked: asked}
	p.slabs = append(p.slabs, s)
	for i := range n {
		at := s.first + i
		b := &buffer{mem: mem[i*p.size : (i+1)*p.size : (i+1)*p.size], lkey: mr.LKey(), index: uint32(at), pool: p, slab: s, next: p.free}
		b.posts = p.posts[at] + 1 // completions of one that had this index before may still come
		p.all[at] = b
		p.free = b
	}
	return nil
}

// gap finds n indices in a row for a new slab.
func (p *pool) gap(n int) int {
	run := 0
	for i := 0; p.holes >= n && i < len(p.all); i++ {
		if run++; p.all[i] != nil {
			run = 0
		}
		if run == n {
			p.holes -= n
			return i + 1 - n
		}
	}
	p.all = append(p.all, make([]*buffer, n)...)
	p.posts = append(p.posts, make([]uint32, n)...)
	return len(p.all) - n
}

// trim gives slabs back of which no buffer is in use, but for one, so that the next message need not wait for memory.
func (p *pool) trim() {
	kept := p.slabs[:0]
	for i, s := range p.slabs {
		if s.used > 0 || i == 0 {
			kept = append(kept, s)
			continue
		}
		_ = s.mr.Close()
		p.link.addMemory(-s.n * p.size)
		for i := s.first; i < s.first+s.n; i++ {
			p.posts[i] = p.all[i].posts
			p.all[i] = nil
		}
		p.holes += s.n
		s.n = 0
	}
	clear(p.slabs[len(kept):])
	p.slabs = kept
	for at := &p.free; *at != nil; {
		if b := *at; b.slab.n == 0 {
			*at = b.next
		} else {
			at = &b.next
		}
	}
}

// low tells whether little of the memory is left. Those who send much use it up to there, and an
// acknowledgement costs both ends a call: it is asked for as late as it still comes in time.
func (p *pool) low() bool { return p.used*4 > p.limit*3 }

// id names a buffer in work requests.
func (b *buffer) id() uint64 { return idSend | uint64(b.pool.num+1)<<32 | uint64(b.index) }

// bufferOf finds a buffer by its name; nil for frames that need no name.
func (l *Link) bufferOf(id uint64) *buffer {
	n := int(uint8(id>>32)) - 1
	if n < 0 || n >= len(l.pools) {
		return nil
	}
	if i := uint32(id); int(i) < len(l.pools[n].all) {
		return l.pools[n].all[i]
	}
	return nil
}

// receiveID names a receive buffer that is being posted.
func (b *buffer) receiveID() uint64 {
	b.posts = (b.posts + 1) & 0xffffff
	return idRecv | uint64(b.posts)<<32 | uint64(b.index)
}

// receiveOf finds the receive buffer of a completion; nil if the buffer is in use for something else since its lane
// was closed.
func (l *Link) receiveOf(id uint64) *buffer {
	b := l.recvPool.all[uint32(id)]
	if b == nil || uint64(b.posts) != id>>32&0xffffff {
		return nil
	}
	return b
}
