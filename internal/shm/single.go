package shm

import (
	"crypto/rand"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/wire"
)

// A long message is moved by one copy, from the sender's memory straight into the receiver's. The receiver
// drives: it needs no processor of the sender, which may be computing. But a sender that waits anyway takes
// chunks from the back while the receiver takes them from the front; a slot of the sender's holds the two
// ends. The receiver writes its own address last: that opens the slot.

// slot is where the two sides of one long message meet.
type slot struct {
	claim  uint64 // chunks not yet taken: front in the low half, back in the high half
	raddr  uint64 // the receiver's buffer; 0 while the receive has not matched
	total  uint64 // bytes
	chunk  uint32 // bytes per chunk
	chunks uint32
	done   uint32 // chunks moved
	failed uint32 // a chunk could not be moved
	_      [24]byte
}

// open lets both sides take chunks.
func (s *slot) open(dst []byte, help bool) {
	chunk := chunkSize(len(dst), help)
	s.total, s.chunk = uint64(len(dst)), uint32(chunk)
	s.chunks = uint32((len(dst) + chunk - 1) / chunk)
	atomic.StoreUint32(&s.done, 0)
	atomic.StoreUint32(&s.failed, 0)
	atomic.StoreUint64(&s.claim, uint64(s.chunks)<<32)
	atomic.StoreUint64(&s.raddr, address(dst))
}

// chunkSize is half the message where that is short and the sender may help, so that both sides get one.
func chunkSize(n int, help bool) int {
	switch {
	case !help:
		return 256 << 10
	case n <= 512<<10:
		return max(up((n+1)/2, pageSize), pageSize)
	}
	return 128 << 10
}

func (s *slot) empty() bool {
	c := atomic.LoadUint64(&s.claim)
	return uint32(c) >= uint32(c>>32)
}

// front takes the first free chunk, back the last.
func (s *slot) front() (i uint32, ok bool) {
	for {
		c := atomic.LoadUint64(&s.claim)
		if uint32(c) >= uint32(c>>32) {
			return 0, false
		}
		if atomic.CompareAndSwapUint64(&s.claim, c, c+1) {
			return uint32(c), true
		}
	}
}

func (s *slot) back() (i uint32, ok bool) {
	for {
		c := atomic.LoadUint64(&s.claim)
		if uint32(c) >= uint32(c>>32) {
			return 0, false
		}
		if atomic.CompareAndSwapUint64(&s.claim, c, c-1<<32) {
			return uint32(c>>32) - 1, true
		}
	}
}

// bounds of chunk i in a buffer of n bytes. The peer can write to the slot: what it says is cut to the buffer.
func (s *slot) bounds(i uint32, n int) (from, to int) {
	chunk := int(s.chunk)
	n = int(min(uint64(n), s.total))
	from = int(min(uint64(i)*uint64(chunk), uint64(n)))
	return from, min(from+chunk, n)
}

// pull is a long message on its way to us, offer one on its way from us.
type pull struct {
	peer  int
	addr  uint64 // the sender's buffer
	src   []byte // the same, if it lies in the arena
	dst   []byte
	slot  *slot
	token any
	next  *pull
}

type offer struct {
	peer int
	b    []byte
	slot *slot
	id   uint32
	next *offer
}

// mapped marks the address of a key as an offset in the segment.
const mapped = 1 << 63

type trust uint8 // whether the kernel lets us at a peer's memory

const (
	unknown trust = iota
	allowed
	denied
)

// single is the part of a link that moves long messages.
type single struct {
	seg   *Segment
	self  int
	help  bool
	trust []trust
	nonce *uint64

	freeID []uint32 // our slots that are free
	pulls  *pull    // oldest first
	offers *offer   // oldest first
	last   *offer
}

func (s *single) init(seg *Segment, cfg Config) {
	s.seg, s.self, s.help = seg, cfg.Self, cfg.Help
	s.trust = make([]trust, seg.Ranks)
	if cfg.NoCMA {
		for i := range s.trust {
			s.trust[i] = denied
		}
	}
	for i := uint32(slots); i > 0; i-- {
		s.freeID = append(s.freeID, i-1)
	}
	s.nonce = new(uint64)
	rand.Read(unsafe.Slice((*byte)(unsafe.Pointer(s.nonce)), 8))
	*s.nonce |= 1
	if !cfg.NoCMA {
		// Under Yama lets peers read us, and with them all processes of the user; elsewhere they can anyway.
		unix.Prctl(unix.PR_SET_PTRACER, ^uintptr(0), 0, 0, 0)
	}
	atomic.StoreUint64(seg.nonceAddr(cfg.Self), uint64(uintptr(unsafe.Pointer(s.nonce))))
	atomic.StoreUint64(seg.nonce(cfg.Self), *s.nonce)
	atomic.StoreUint32(seg.pid(cfg.Self), uint32(os.Getpid()))
}

// trusts finds out, once per peer, whether we may read its memory: by reading a number that we know.
func (s *single) trusts(peer int) bool {
	if s.trust[peer] == unknown {
		s.trust[peer] = denied
		var got uint64
		buf := unsafe.Slice((*byte)(unsafe.Pointer(&got)), 8)
		want := atomic.LoadUint64(s.seg.nonce(peer))
		addr := atomic.LoadUint64(s.seg.nonceAddr(peer))
		if want != 0 && s.copyFrom(peer, buf, addr) == nil && got == want {
			s.trust[peer] = allowed
		}
	}
	return s.trust[peer] == allowed
}

// copyFrom reads len(dst) bytes of a peer's memory.
func (s *single) copyFrom(peer int, dst []byte, addr uint64) error {
	return s.transfer(unix.SYS_PROCESS_VM_READV, peer, dst, addr)
}

// copyTo writes src into a peer's memory.
func (s *single) copyTo(peer int, src []byte, addr uint64) error {
	return s.transfer(unix.SYS_PROCESS_VM_WRITEV, peer, src, addr)
}

// rawMost is how many bytes a call moves that keeps its processor from other goroutines: so few that nobody
// waits long for it. To have the processor given away, and taken back, for each of them would take longer
// where ranks share processors.
const rawMost = 512 << 10

func (s *single) transfer(call uintptr, peer int, b []byte, addr uint64) error {
	pid := uintptr(atomic.LoadUint32(s.seg.pid(peer)))
	for len(b) > 0 { // the kernel may stop half-way
		size := min(len(b), rawMost)
		local := unix.Iovec{Base: unsafe.SliceData(b), Len: uint64(size)}
		remote := unix.RemoteIovec{Base: uintptr(addr), Len: size}
		n, _, errno := unix.RawSyscall6(call, pid, uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
		if errno != 0 {
			return errno
		}
		if n == 0 {
			return unix.EFAULT
		}
		b = b[n:]
		addr += uint64(n)
	}
	return nil
}

// Expose offers b to a peer.
func (l *Link) Expose(peer int, b []byte, _ bool) wire.Key {
	peer = l.at(peer)
	s := &l.single
	k := l.Place(b)
	n := len(s.freeID)
	if n == 0 {
		return k
	}
	id := s.freeID[n-1]
	s.freeID = s.freeID[:n-1]
	o := &offer{peer: peer, b: b, slot: s.seg.slot(s.self, id), id: id}
	atomic.StoreUint64(&o.slot.raddr, 0)
	if s.offers == nil {
		s.offers = o
	} else {
		s.last.next = o
	}
	s.last = o
	k.Slot = id + 1
	return k
}

// Hide takes an offer back; the receiver has told that it is done with it.
func (l *Link) Hide(_ int, k wire.Key) {
	if k.Slot == 0 {
		return
	}
	s := &l.single
	var before *offer
	for o := s.offers; o != nil; before, o = o, o.next {
		if o.id != k.Slot-1 {
			continue
		}
		if before == nil {
			s.offers = o.next
		} else {
			before.next = o.next
		}
		if s.last == o {
			s.last = before
		}
		s.freeID = append(s.freeID, o.id)
		return
	}
}

// Read starts to fetch a long message.
func (l *Link) Read(peer int, k wire.Key, dst []byte, token any) bool {
	peer = l.at(peer)
	s := &l.single
	p := &pull{peer: peer, addr: k.Addr, dst: dst, token: token}
	if k.Addr&mapped != 0 {
		var ok bool
		if p.src, ok = s.seg.arenaBytes(int(k.Addr&^mapped), len(dst)); !ok {
			return false
		}
		l.Counters.Mapped++
	} else if !s.trusts(peer) {
		return false
	}
	l.cfg.Pages.Used(dst)
	if k.Slot > 0 && k.Slot <= slots {
		p.slot = s.seg.slot(peer, k.Slot-1)
	} else {
		p.slot = new(slot)
	}
	p.slot.open(dst, s.help && s.offers == nil) // in an exchange both sides are busy: no halves
	if s.help && len(dst) >= wakeToHelp {
		l.chimes[peer].ring()
	}
	if first := s.pulls; first == nil {
		s.pulls = p
	} else {
		for first.next != nil {
			first = first.next
		}
		first.next = p
	}
	return true
}

// wakeToHelp is the length from which a sleeping sender is worth waking to help.
const wakeToHelp = 512 << 10

// lookahead is how many messages in flight one look considers: while the other side works at the first, there
// may be a free chunk in the next.
const lookahead = 4

// ready tells whether move would find something.
func (s *single) ready() bool {
	n := 0
	for p := s.pulls; p != nil && n < lookahead; p = p.next {
		if !p.slot.empty() || p.slot.whole() {
			return true
		}
		n++
	}
	for o := s.offers; o != nil && s.help && n < lookahead; o = o.next {
		if atomic.LoadUint64(&o.slot.raddr) != 0 && !o.slot.empty() {
			return true
		}
		n++
	}
	return false
}

// whole tells that all chunks have been moved.
func (s *slot) whole() bool { return atomic.LoadUint32(&s.done) == s.chunks }

// move moves one chunk of a message to us, or else, with help, of one from us: in an exchange both sides are busy,
// and helping would only get in the way.
func (s *single) move(l *Link, sink wire.Sink, help bool) (moved bool) {
	n := 0
	for at := &s.pulls; *at != nil && n < lookahead; at = &(*at).next {
		if s.movePull(l, at, sink) {
			return true
		}
		n++
	}
	for o := s.offers; o != nil && help && s.help && n < lookahead; o = o.next {
		if s.moveOffer(l, o) {
			return true
		}
		n++
	}
	return false
}

// movePull moves a chunk of the message at at, and takes the message out of the list if that was the last.
func (s *single) movePull(l *Link, at **pull, sink wire.Sink) (moved bool) {
	p := *at
	if i, ok := p.slot.front(); ok {
		moved = true
		from, to := p.slot.bounds(i, len(p.dst))
		var err error
		if p.src != nil {
			copy(p.dst[from:to], p.src[from:to])
		} else {
			err = s.copyFrom(p.peer, p.dst[from:to], p.addr+uint64(from))
		}
		l.Counters.Pulled++
		if err != nil {
			s.trust[p.peer] = denied
			atomic.StoreUint32(&p.slot.failed, 1)
		}
		atomic.AddUint32(&p.slot.done, 1)
	}
	if !p.slot.whole() {
		return moved
	}
	var err error
	if atomic.LoadUint32(&p.slot.failed) != 0 {
		err = unix.EPERM
	}
	*at = p.next
	sink.ReadDone(p.token, err)
	return true
}

// moveOffer takes a chunk off a busy receiver's hands.
func (s *single) moveOffer(l *Link, o *offer) bool {
	raddr := atomic.LoadUint64(&o.slot.raddr)
	if raddr == 0 || !s.trusts(o.peer) {
		return false
	}
	i, ok := o.slot.back()
	if !ok {
		return false
	}
	from, to := o.slot.bounds(i, len(o.b))
	if err := s.copyTo(o.peer, o.b[from:to], raddr+uint64(from)); err != nil {
		s.trust[o.peer] = denied
		atomic.StoreUint32(&o.slot.failed, 1)
	}
	l.Counters.Helped++
	atomic.AddUint32(&o.slot.done, 1)
	l.chimes[o.peer].ring()
	return true
}
