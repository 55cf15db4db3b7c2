// Package fake is a driver made of Go, with all its devices, for tests without hardware: it answers as rxe of Linux 6.1
// was seen to, or as Habits say.
//
// It owns what a driver does with verbs: keys, queues, and who may touch which memory. Devices of one fabric reach each
// other, by numbers of queue pairs and addresses; those of different fabrics never do. Work is done when it is posted,
// or when what it waits for is there, by whoever calls. It knows nothing of what uses it.
package fake

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// Fabric is the driver, with all its devices.
type Fabric struct {
	Habits
	mu      sync.Mutex
	last    uint32
	qps     map[uint32]*queuePair
	regions map[uint32]*mr // by key
	handles map[uintptr]*ah
	pinned  int       // bytes of regions
	refused int       // regions that would have been too much
	Found   chan bool // closed when there is a way to Slow

	// Of iWARP.
	listeners map[netip.AddrPort]*bond
	silent    map[*context]bool
	looking   bool         // at a send: connections break when that has ended
	doomed    []*queuePair // whose do
}

// Habits are where drivers differ.
type Habits struct {
	FlushesReceives bool // receives of a queue pair in Error complete
	Forgets         bool // completions of a queue pair that is destroyed vanish
	SaysLength      bool // a message that is too long is told from other errors
	IWARP           bool // as siw does, not rxe
	MayPin          int  // bytes of memory that may be registered at a time, 0 for any number
}

// New makes a fabric without devices.
func New(h Habits) *Fabric {
	return &Fabric{Habits: h, qps: map[uint32]*queuePair{}, regions: map[uint32]*mr{}, handles: map[uintptr]*ah{}, listeners: map[netip.AddrPort]*bond{}, silent: map[*context]bool{}, Found: make(chan bool)}
}

// Pinned is how many bytes are registered.
func (f *Fabric) Pinned() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pinned
}

// Refused is how often memory could not be registered, for MayPin.
func (f *Fabric) Refused() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.refused
}

// Silence has the host of a device fall silent, as one that has lost its power: of what is sent to it nothing comes back, and
// nobody is told.
func (f *Fabric) Silence(device ibv.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.silent[device.(*context)] = true
}

// num gives out numbers of queue pairs and regions, and IDs.
func (f *Fabric) num() uint32 {
	f.last++
	return f.last
}

// context is a device of the fabric.
type context struct {
	*Fabric
	gid         ibv.GID
	users       int
	completions notices[uintptr]
	events      notices[ibv.Event]
}

// notices are a file that is readable while there is something.
type notices[T any] struct {
	fd    int
	queue []T
}

func newNotices[T any]() notices[T] {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		panic(err)
	}
	return notices[T]{fd: fd}
}

func (n *notices[T]) add(v T) {
	n.queue = append(n.queue, v)
	unix.Write(n.fd, binary.NativeEndian.AppendUint64(nil, 1))
}

func (n *notices[T]) next() (v T, ok bool) {
	if len(n.queue) == 0 {
		var b [8]byte
		unix.Read(n.fd, b[:])
		return v, false
	}
	v, n.queue = n.queue[0], n.queue[1:]
	return v, true
}

// Open opens a device whose one port has an address.
func (f *Fabric) Open(gid ibv.GID) ibv.Context {
	return &context{Fabric: f, gid: gid, completions: newNotices[uintptr](), events: newNotices[ibv.Event]()}
}

func (c *context) Query() (ibv.DeviceAttr, error) {
	if c.IWARP {
		return ibv.DeviceAttr{MaxQPWR: 1 << 15, MaxSGE: siwPieces, MaxSGERead: 1, MaxCQ: 1 << 15, MaxCQE: 1 << 15, MaxReads: 128, MaxReadsIn: 128,
			MaxSRQ: 1 << 15, MaxSRQWR: 1 << 15, MaxSRQSGE: siwPieces, PhysicalPorts: 1}, nil
	}
	return ibv.DeviceAttr{MaxQPWR: 1 << 20, MaxSGE: 32, MaxSGERead: 32, MaxCQ: 1 << 20, MaxCQE: 1<<15 - 1, MaxReads: 128, MaxReadsIn: 128, AtomicCap: 1,
		MaxAH: 1 << 15, MaxSRQ: 1 << 15, MaxSRQWR: 1 << 15, MaxSRQSGE: 27, PhysicalPorts: 1}, nil
}

func (c *context) Port(uint8) (ibv.PortAttr, error) {
	return ibv.PortAttr{State: ibv.PortActive, MaxMTU: 5, ActiveMTU: 3, MaxMessage: 8 << 20}, nil
}

func (c *context) NewPD() (ibv.PD, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
	return &pd{ctx: c}, nil
}

func (c *context) NewCQ(depth int) (ibv.CQ, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
	return &cq{ctx: c, id: uintptr(c.num()), depth: depth}, nil
}

func (c *context) Notices() ibv.Notices { return c }
func (c *context) Completions() int     { return c.completions.fd }
func (c *context) Events() int          { return c.events.fd }

func (c *context) NextCQ() (uintptr, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.completions.next()
}

func (c *context) NextEvent() (ibv.Event, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events.next()
}

// Close complains of what was not given back.
func (c *context) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	unix.Close(c.completions.fd)
	unix.Close(c.events.fd)
	return gone(&c.users, nil)
}

// gone counts an object out of what it was made from, unless others were made from it.
func gone(users, of *int) error {
	if *users != 0 {
		return syscall.EBUSY
	}
	if of != nil {
		*of--
	}
	*users = -1 // not twice
	return nil
}

// pd is a protection domain.
type pd struct {
	ctx   *context
	users int
}

func (p *pd) Close() error {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	return gone(&p.users, &p.ctx.users)
}

// ah is an address handle.
type ah struct {
	pd    *pd
	ref   uintptr
	to    ibv.GID
	users int
}

func (p *pd) NewAH(attr *ibv.AHAttr) (ibv.AH, error) {
	f := p.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if attr.DGID == Nowhere {
		return nil, syscall.ETIMEDOUT
	}
	if attr.DGID == Slow {
		f.mu.Unlock()
		<-f.Found
		f.mu.Lock()
	}
	a := &ah{pd: p, ref: uintptr(f.num()), to: attr.DGID}
	p.users++
	f.handles[a.ref] = a
	return a, nil
}

func (a *ah) Ref() uintptr { return a.ref }

func (a *ah) Close() error {
	a.pd.ctx.mu.Lock()
	defer a.pd.ctx.mu.Unlock()
	delete(a.pd.ctx.handles, a.ref)
	return gone(&a.users, &a.pd.users)
}

// Nowhere is an address that nobody answers for, Slow one to which a way is found when Found is closed.
var (
	Nowhere = ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 99}
	Slow    = ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 98}
)

// mr is registered memory.
type mr struct {
	pd     *pd
	buf    []byte
	access uint32
	key    uint32
	users  int
}

func (p *pd) Register(buf []byte, access uint32) (ibv.MR, error) {
	f := p.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.MayPin > 0 && f.pinned+len(buf) > f.MayPin {
		f.refused++
		return nil, syscall.ENOMEM
	}
	f.pinned += len(buf)
	m := &mr{pd: p, buf: buf, access: access, key: f.num()<<8 | uint32(f.last*7&0xff)}
	f.regions[m.key] = m
	p.users++
	return m, nil
}

func (m *mr) LKey() uint32 { return m.key }
func (m *mr) RKey() uint32 { return m.key }

func (m *mr) Close() error {
	m.pd.ctx.mu.Lock()
	defer m.pd.ctx.mu.Unlock()
	delete(m.pd.ctx.regions, m.key)
	m.pd.ctx.pinned -= len(m.buf)
	return gone(&m.users, &m.pd.users)
}

// find gives the bytes of a piece of memory that a domain may use so, or nil.
func (f *Fabric) find(pd *pd, key uint32, addr uint64, n int, need uint32) []byte {
	if n == 0 && f.IWARP {
		return []byte{} // a piece without bytes is not looked at
	}
	m := f.regions[key]
	if m == nil || m.pd != pd || m.access&need != need {
		return nil
	}
	base := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.buf))))
	if addr < base || addr-base > uint64(len(m.buf)) || uint64(n) > uint64(len(m.buf))-(addr-base) {
		return nil
	}
	return m.buf[addr-base:][:n]
}

// cq is a completion queue.
type cq struct {
	ctx   *context
	id    uintptr
	depth int
	users int
	queue []ibv.WC
	armed int // 1 for solicited completions, 2 for all
}

func (q *cq) ID() uintptr { return q.id }

func (q *cq) Poll(out []ibv.WC) (int, error) {
	q.ctx.mu.Lock()
	defer q.ctx.mu.Unlock()
	n := copy(out, q.queue)
	q.queue = q.queue[:copy(q.queue, q.queue[n:])]
	return n, nil
}

func (q *cq) Arm(solicited bool) error {
	q.ctx.mu.Lock()
	defer q.ctx.mu.Unlock()
	if q.armed = 2; solicited {
		q.armed = 1
	}
	return nil
}

func (q *cq) add(wc ibv.WC, solicited bool) {
	if len(q.queue) >= q.depth {
		q.ctx.events.add(ibv.Event{Kind: ibv.EventCQError, ID: q.id})
		return
	}
	q.queue = append(q.queue, wc)
	if q.armed == 2 || q.armed == 1 && solicited && !q.ctx.IWARP {
		q.armed = 0
		q.ctx.completions.add(q.id)
	}
}

func (q *cq) Close() error {
	q.ctx.mu.Lock()
	defer q.ctx.mu.Unlock()
	return gone(&q.users, &q.ctx.users)
}

// receive is a receive that waits.
type receive struct {
	id   uint64
	list []ibv.SGE
}

func copyRecv(wr *ibv.RecvWR) receive {
	return receive{wr.ID, append([]ibv.SGE(nil), unsafe.Slice(wr.List, wr.Count)...)}
}

// srq is a shared receive queue.
type srq struct {
	pd     *pd
	id     uintptr
	depth  int
	limit  int
	users  int
	queue  []receive
	served []*queuePair
}

func (p *pd) NewSRQ(depth, _ int) (ibv.SRQ, error) {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	p.users++
	return &srq{pd: p, id: uintptr(p.ctx.num()), depth: depth}, nil
}

func (s *srq) ID() uintptr { return s.id }

func (s *srq) PostRecv(wr *ibv.RecvWR) error {
	f := s.pd.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(s.queue) >= s.depth {
		return f.fault(syscall.ENOMEM)
	}
	if f.IWARP && (wr.Count == 0 || wr.Count > siwPieces) {
		return f.fault(syscall.EINVAL)
	}
	s.queue = append(s.queue, copyRecv(wr))
	for _, q := range s.served {
		f.pump(f.qps[q.dest])
	}
	return nil
}

func (s *srq) Limit(low int) error {
	s.pd.ctx.mu.Lock()
	defer s.pd.ctx.mu.Unlock()
	if low > s.depth {
		return syscall.EINVAL
	}
	s.limit = low
	return nil
}

func (s *srq) Close() error {
	s.pd.ctx.mu.Lock()
	defer s.pd.ctx.mu.Unlock()
	return gone(&s.users, &s.pd.users)
}

// fault is an error of a post.
func (f *Fabric) fault(e syscall.Errno) error { return e }
