package rail

import "github.com/weft-mpi/weft/internal/verbs"

// buffer is registered memory for one frame.
type buffer struct {
	mem   []byte
	n     int // bytes in use
	lkey  uint32
	index uint32 // in its pool
	pool  *pool
	next  *buffer

	posts uint32 // receives: how often it was posted, to tell a completion that is out of date
	again bool   // it has been sent before
	acked bool   // the peer has it
	holds uint8  // why it must not be used again yet, although the peer has it

	// payload that travels from where the user has it, behind the n bytes here; copied here before it is given back.
	user    []byte
	userKey uint32
}

// pool hands out buffers of one size. It grows by slabs up to a limit and never shrinks below what is in use.
type pool struct {
	link  *Link
	num   uint8 // of the pool
	size  int
	limit int // buffers at most
	free  *buffer
	all   []*buffer
	used  int
	high  int // most that were used at a time
}

// slabBytes is how much memory a pool gets at a time.
const slabBytes = 64 << 10

// get returns a buffer, or nil if all are in use.
func (p *pool) get() *buffer {
	b := p.free
	if b == nil {
		if len(p.all) >= p.limit || p.grow() != nil {
			p.link.Counters.PoolEmpty++
			return nil
		}
		b = p.free
	}
	p.free = b.next
	b.next, b.n = nil, 0
	p.used++
	p.high = max(p.high, p.used)
	return b
}

func (p *pool) put(b *buffer) {
	b.user = nil
	b.next = p.free
	p.free = b
	p.used--
}

func (p *pool) grow() error {
	n := min(max(slabBytes/p.size, 1), p.limit-len(p.all))
	slab := make([]byte, n*p.size)
	mr, err := p.link.pd.Register(slab, verbs.LocalWrite)
	if err != nil {
		return err
	}
	p.link.addMemory(len(slab))
	for i := range n {
		b := &buffer{mem: slab[i*p.size : (i+1)*p.size : (i+1)*p.size], lkey: mr.LKey(), index: uint32(len(p.all)), pool: p, next: p.free}
		p.all = append(p.all, b)
		p.free = b
	}
	return nil
}

// low tells whether most of the memory is in use.
func (p *pool) low() bool { return p.used*2 > p.limit }

// id names a buffer in work requests.
func (b *buffer) id() uint64 { return idSend | uint64(b.pool.num+1)<<32 | uint64(b.index) }

// bufferOf finds a buffer by its name; nil for frames that need no name.
func (l *Link) bufferOf(id uint64) *buffer {
	n := int(uint8(id>>32)) - 1
	if n < 0 || n >= len(l.pools) {
		return nil
	}
	return l.pools[n].all[uint32(id)]
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
	if uint64(b.posts) != id>>32&0xffffff {
		return nil
	}
	return b
}
