package kernel_test

import (
	"encoding/binary"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// fabric is a driver made of Go, with all its devices: it answers as rxe of Linux 6.1 was seen to. Work is done when it is posted, or when what it waits
// for is.
type fabric struct {
	habits
	mu      sync.Mutex
	last    uint32
	qps     map[uint32]*fakeQP
	regions map[uint32]*fakeMR // by key
	handles map[uintptr]*fakeAH
	found   chan bool // the way to slow
}

// habits are where drivers differ.
type habits struct {
	flushesReceives bool // receives of a queue pair in Error complete
	forgets         bool // completions of a queue pair that is destroyed vanish
	saysLength      bool // a message that is too long is told from other errors
}

func newFabric(h habits) *fabric {
	return &fabric{habits: h, qps: map[uint32]*fakeQP{}, regions: map[uint32]*fakeMR{}, handles: map[uintptr]*fakeAH{}, found: make(chan bool)}
}

// num gives out numbers of queue pairs and regions, and IDs.
func (f *fabric) num() uint32 {
	f.last++
	return f.last
}

// fakeContext is a device of the fabric.
type fakeContext struct {
	*fabric
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

func (f *fabric) open() *fakeContext {
	return &fakeContext{fabric: f, completions: newNotices[uintptr](), events: newNotices[ibv.Event]()}
}

func (c *fakeContext) Query() (ibv.DeviceAttr, error) {
	return ibv.DeviceAttr{MaxQPWR: 1 << 20, MaxSGE: 32, MaxSGERead: 32, MaxCQ: 1 << 20, MaxCQE: 1<<15 - 1, MaxReads: 128, MaxReadsIn: 128, AtomicCap: 1,
		MaxAH: 1 << 15, MaxSRQ: 1 << 15, MaxSRQWR: 1 << 15, MaxSRQSGE: 27, PhysicalPorts: 1}, nil
}

func (c *fakeContext) Port(uint8) (ibv.PortAttr, error) {
	return ibv.PortAttr{State: ibv.PortActive, MaxMTU: 5, ActiveMTU: 3, MaxMessage: 8 << 20}, nil
}

func (c *fakeContext) NewPD() (ibv.PD, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
	return &fakePD{ctx: c}, nil
}

func (c *fakeContext) NewCQ(depth int) (ibv.CQ, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
	return &fakeCQ{ctx: c, id: uintptr(c.num()), depth: depth}, nil
}

func (c *fakeContext) Notices() ibv.Notices { return c }
func (c *fakeContext) Completions() int     { return c.completions.fd }
func (c *fakeContext) Events() int          { return c.events.fd }

func (c *fakeContext) NextCQ() (uintptr, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.completions.next()
}

func (c *fakeContext) NextEvent() (ibv.Event, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events.next()
}

// Close complains of what was not given back.
func (c *fakeContext) Close() error {
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

// fakePD is a protection domain.
type fakePD struct {
	ctx   *fakeContext
	users int
}

func (p *fakePD) Close() error {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	return gone(&p.users, &p.ctx.users)
}

// fakeAH is an address handle.
type fakeAH struct {
	pd    *fakePD
	ref   uintptr
	to    ibv.GID
	users int
}

func (p *fakePD) NewAH(attr *ibv.AHAttr) (ibv.AH, error) {
	f := p.ctx.fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if attr.DGID == nowhere {
		return nil, syscall.ETIMEDOUT
	}
	if attr.DGID == slow {
		f.mu.Unlock()
		<-f.found
		f.mu.Lock()
	}
	a := &fakeAH{pd: p, ref: uintptr(f.num()), to: attr.DGID}
	p.users++
	f.handles[a.ref] = a
	return a, nil
}

func (a *fakeAH) Ref() uintptr { return a.ref }

func (a *fakeAH) Close() error {
	a.pd.ctx.mu.Lock()
	defer a.pd.ctx.mu.Unlock()
	delete(a.pd.ctx.handles, a.ref)
	return gone(&a.users, &a.pd.users)
}

// nowhere is an address that nobody answers for, slow one to which a way is found when a test says so.
var (
	nowhere = ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 99}
	slow    = ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 98}
)

// fakeMR is registered memory.
type fakeMR struct {
	pd     *fakePD
	buf    []byte
	access uint32
	key    uint32
	users  int
}

func (p *fakePD) Register(buf []byte, access uint32) (ibv.MR, error) {
	f := p.ctx.fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	m := &fakeMR{pd: p, buf: buf, access: access, key: f.num()<<8 | uint32(f.last*7&0xff)}
	f.regions[m.key] = m
	p.users++
	return m, nil
}

func (m *fakeMR) LKey() uint32 { return m.key }
func (m *fakeMR) RKey() uint32 { return m.key }

func (m *fakeMR) Close() error {
	m.pd.ctx.mu.Lock()
	defer m.pd.ctx.mu.Unlock()
	delete(m.pd.ctx.regions, m.key)
	return gone(&m.users, &m.pd.users)
}

// find gives the bytes of a piece of memory that a domain may use so, or nil.
func (f *fabric) find(pd *fakePD, key uint32, addr uint64, n int, need uint32) []byte {
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

// fakeCQ is a completion queue.
type fakeCQ struct {
	ctx   *fakeContext
	id    uintptr
	depth int
	users int
	queue []ibv.WC
	armed int // 1 for solicited completions, 2 for all
}

func (q *fakeCQ) ID() uintptr { return q.id }

func (q *fakeCQ) Poll(out []ibv.WC) (int, error) {
	q.ctx.mu.Lock()
	defer q.ctx.mu.Unlock()
	n := copy(out, q.queue)
	q.queue = q.queue[:copy(q.queue, q.queue[n:])]
	return n, nil
}

func (q *fakeCQ) Arm(solicited bool) error {
	q.ctx.mu.Lock()
	defer q.ctx.mu.Unlock()
	if q.armed = 2; solicited {
		q.armed = 1
	}
	return nil
}

func (q *fakeCQ) add(wc ibv.WC, solicited bool) {
	if len(q.queue) >= q.depth {
		q.ctx.events.add(ibv.Event{Kind: ibv.EventCQError, ID: q.id})
		return
	}
	q.queue = append(q.queue, wc)
	if q.armed == 2 || q.armed == 1 && solicited {
		q.armed = 0
		q.ctx.completions.add(q.id)
	}
}

func (q *fakeCQ) Close() error {
	q.ctx.mu.Lock()
	defer q.ctx.mu.Unlock()
	return gone(&q.users, &q.ctx.users)
}

// fakeRecv is a receive that waits.
type fakeRecv struct {
	id   uint64
	list []ibv.SGE
}

func copyRecv(wr *ibv.RecvWR) fakeRecv {
	return fakeRecv{wr.ID, append([]ibv.SGE(nil), unsafe.Slice(wr.List, wr.Count)...)}
}

// fakeSRQ is a shared receive queue.
type fakeSRQ struct {
	pd     *fakePD
	id     uintptr
	depth  int
	limit  int
	users  int
	queue  []fakeRecv
	served []*fakeQP
}

func (p *fakePD) NewSRQ(depth, _ int) (ibv.SRQ, error) {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	p.users++
	return &fakeSRQ{pd: p, id: uintptr(p.ctx.num()), depth: depth}, nil
}

func (s *fakeSRQ) ID() uintptr { return s.id }

func (s *fakeSRQ) PostRecv(wr *ibv.RecvWR) error {
	f := s.pd.ctx.fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(s.queue) >= s.depth {
		return f.fault(syscall.ENOMEM)
	}
	s.queue = append(s.queue, copyRecv(wr))
	for _, q := range s.served {
		f.pump(f.qps[q.dest])
	}
	return nil
}

func (s *fakeSRQ) Limit(low int) error {
	s.pd.ctx.mu.Lock()
	defer s.pd.ctx.mu.Unlock()
	if low > s.depth {
		return syscall.EINVAL
	}
	s.limit = low
	return nil
}

func (s *fakeSRQ) Close() error {
	s.pd.ctx.mu.Lock()
	defer s.pd.ctx.mu.Unlock()
	return gone(&s.users, &s.pd.users)
}

// fault is an error of a post.
func (f *fabric) fault(e syscall.Errno) error { return e }
