package kernel_test

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/rxe"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

// sharing is a device of the driver made of Go that shares its queues as rxe does: what is in them it carries
// to the driver, and completions back. A goroutine stands for the kernel, which looks by itself.
type sharing struct {
	ibv.Context
	mu     sync.Mutex
	fresh  [][]byte // memory made for the object that is being made
	queues map[any]func()
	group  *[]*sharing // all devices of the fabric
	stop   chan bool
	done   sync.WaitGroup
}

func newSharing(below ibv.Context, group *[]*sharing) *sharing {
	s := &sharing{Context: below, queues: map[any]func(){}, group: group, stop: make(chan bool)}
	*group = append(*group, s)
	s.done.Go(func() {
		for {
			select {
			case <-s.stop:
				return
			case <-time.After(20 * time.Microsecond):
				s.look()
			}
		}
	})
	return s
}

// look carries all that there is.
func (s *sharing) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, carry := range s.queues {
		carry()
	}
}

// memory makes a queue of at least n entries of some size, and adds it to those of the object that is being made.
func (s *sharing) memory(n, size int) shared {
	shift, count := bits.Len(uint(size-1)), 1<<bits.Len(uint(n))
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, (384+count<<shift)/8)))), 384+count<<shift)
	binary.NativeEndian.PutUint32(b, uint32(shift))
	binary.NativeEndian.PutUint32(b[4:], uint32(count-1))
	s.fresh = append(s.fresh, b)
	return shared{b, uint32(count - 1), shift}
}

// Mapped is for one caller at a time, as in the tests.
func (s *sharing) Mapped(f func() error) ([][]byte, error) {
	s.fresh = nil
	err := f()
	return s.fresh, err
}

// shared is the kernel's side of a queue.
type shared struct {
	b     []byte
	mask  uint32
	shift int
}

func (q *shared) word(at int) *uint32   { return (*uint32)(unsafe.Pointer(&q.b[at])) }
func (q *shared) entry(i uint32) []byte { return q.b[384+int(i)<<q.shift:][:1<<q.shift] }

// take gives the oldest entry to f, which tells whether it was taken.
func (q *shared) take(f func([]byte) bool) {
	for i := atomic.LoadUint32(q.word(256)); i != atomic.LoadUint32(q.word(128)) && f(q.entry(i)); {
		i = (i + 1) & q.mask
		atomic.StoreUint32(q.word(256), i)
	}
}

// put adds an entry, if there is room.
func (q *shared) put(f func([]byte) bool) {
	for {
		i := atomic.LoadUint32(q.word(128))
		next := (i + 1) & q.mask
		if next == atomic.LoadUint32(q.word(256)) || !f(q.entry(i)) {
			return
		}
		atomic.StoreUint32(q.word(128), next)
	}
}

func get32(b []byte, at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }
func get64(b []byte, at int) uint64 { return binary.NativeEndian.Uint64(b[at:]) }

// pieces reads a list, at the end of an entry.
func pieces(b []byte, n uint32) (list []ibv.SGE) {
	for i := range int(n) {
		list = append(list, ibv.SGE{Addr: get64(b, 16*i), Length: get32(b, 16*i+8), LKey: get32(b, 16*i+12)})
	}
	return list
}

// first is a list as the driver takes it.
func first(list []ibv.SGE) *ibv.SGE { return unsafe.SliceData(list) }

// readSend reads a send.
func readSend(b []byte) (*ibv.SendWR, bool) {
	wr := &ibv.SendWR{ID: get64(b, 0), Op: ibv.WROp(get32(b, 12)), Flags: get32(b, 16), Imm: get32(b, 20)}
	n, count := get32(b, 184), get32(b, 196)
	list := pieces(b[208:], count)
	if wr.Flags&ibv.SendInline != 0 {
		list = nil
		if n > 0 {
			list = []ibv.SGE{{Addr: uint64(uintptr(unsafe.Pointer(&b[208]))), Length: n}}
		}
	}
	wr.List, wr.Count = first(list), int32(len(list))
	if wr.Op == ibv.OpFetchAdd || wr.Op == ibv.OpCompareSwap {
		wr.SetAtomic(get64(b, 24), get64(b, 32), get64(b, 40), get32(b, 48))
	} else {
		wr.SetRemote(get64(b, 24), get32(b, 32))
	}
	return wr, get32(b, 188) == n && get64(b, 152) == get64(b, 24)
}

// readRecv reads a receive.
func readRecv(b []byte) *ibv.RecvWR {
	list := pieces(b[40:], get32(b, 28))
	return &ibv.RecvWR{ID: get64(b, 0), List: first(list), Count: int32(len(list))}
}

func (s *sharing) Close() error {
	close(s.stop)
	s.done.Wait()
	return s.Context.Close()
}

// Notices look first, so that what they tell of is there.
func (s *sharing) Notices() ibv.Notices { return sharingNotices{s.Context.Notices(), s} }

type sharingNotices struct {
	ibv.Notices
	s *sharing
}

func (n sharingNotices) NextCQ() (uintptr, bool) {
	n.s.look()
	return n.Notices.NextCQ()
}

func (s *sharing) NewPD() (ibv.PD, error) {
	pd, err := s.Context.NewPD()
	return &sharingPD{pd, s}, err
}

// sharingCQ shares its completions; Poll of the driver is the goroutine's.
type sharingCQ struct {
	ibv.CQ
	s *sharing
}

func (s *sharing) NewCQ(depth int) (ibv.CQ, error) {
	below, err := s.Context.NewCQ(depth)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, q := &sharingCQ{below, s}, s.memory(depth, 48)
	s.queues[c] = func() {
		q.put(func(b []byte) bool {
			var wc [1]ibv.WC
			n, _ := below.Poll(wc[:])
			*(*ibv.WC)(unsafe.Pointer(&b[0])) = wc[0]
			return n == 1
		})
	}
	return c, nil
}

// Poll must not be called: completions are shared.
func (c *sharingCQ) Poll([]ibv.WC) (int, error) {
	panic("the driver is asked for completions that it shares")
}

func (c *sharingCQ) Arm(solicited bool) error {
	err := c.CQ.Arm(solicited)
	c.s.look()
	return err
}

func (c *sharingCQ) Close() error {
	c.s.forget(c)
	return c.CQ.Close()
}

// forget ends the carrying for an object.
func (s *sharing) forget(object any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.queues, object)
}

type sharingPD struct {
	ibv.PD
	s *sharing
}

type sharingSRQ struct {
	ibv.SRQ
	s *sharing
}

func (p *sharingPD) NewSRQ(depth, most int) (ibv.SRQ, error) {
	below, err := p.PD.NewSRQ(depth, most)
	if err != nil {
		return nil, err
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	q, srq := p.s.memory(depth, 40+16*most), &sharingSRQ{below, p.s}
	p.s.queues[srq] = func() {
		q.take(func(b []byte) bool { return below.PostRecv(readRecv(b)) == nil })
	}
	return srq, nil
}

func (q *sharingSRQ) Limit(low int) error {
	q.s.look()
	return q.SRQ.Limit(low)
}

func (q *sharingSRQ) Close() error {
	q.s.forget(q)
	return q.SRQ.Close()
}

type sharingQP struct {
	ibv.QP
	s    *sharing
	rest func() error // sends that lie in the queue are given to the driver
}

func (p *sharingPD) NewQP(init *ibv.QPInit, send, recv ibv.CQ, srq ibv.SRQ) (ibv.QP, error) {
	if srq != nil {
		srq = srq.(*sharingSRQ).SRQ
	}
	below, err := p.PD.NewQP(init, send.(*sharingCQ).CQ, recv.(*sharingCQ).CQ, srq)
	if err != nil {
		return nil, err
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	q := &sharingQP{QP: below, s: p.s}
	sends := p.s.memory(int(init.Cap.SendWR), 208+max(16*int(init.Cap.SendSGE), int(init.Cap.Inline)))
	q.rest = func() (err error) {
		sends.take(func(b []byte) bool {
			wr, good := readSend(b)
			if err = below.PostSend(wr); !good {
				err = errors.New("a send that contradicts itself")
			}
			return !errors.Is(err, syscall.ENOMEM)
		})
		return err
	}
	receives := func() {}
	if srq == nil {
		queue := p.s.memory(int(init.Cap.RecvWR), 40+16*int(init.Cap.RecvSGE))
		receives = func() { queue.take(func(b []byte) bool { return below.PostRecv(readRecv(b)) == nil }) }
	}
	p.s.queues[q] = func() {
		receives()
		q.rest()
	}
	return q, nil
}

// Bell has the sends of a queue pair done.
func (s *sharing) Bell(q ibv.QP) rxe.Bell { return q.(*sharingQP) }

func (q *sharingQP) Ring() error {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	return q.rest()
}

func (q *sharingQP) Modify(attr *ibv.QPAttr, mask uint32) error {
	q.s.look()
	err := q.QP.Modify(attr, mask)
	q.s.look()
	return err
}

// PostSend is for datagrams only, for which nobody waits until there is a receive.
func (q *sharingQP) PostSend(wr *ibv.SendWR) error {
	for _, s := range *q.s.group {
		s.look()
	}
	return q.QP.PostSend(wr)
}

func (q *sharingQP) PostRecv(*ibv.RecvWR) error {
	panic("the driver is given receives that it finds itself")
}

func (q *sharingQP) Close() error {
	q.s.look()
	q.s.forget(q)
	err := q.QP.Close()
	q.s.look()
	return err
}

// TestConformDirect holds the device to the seam on a driver that shares its queues.
func TestConformDirect(t *testing.T) {
	verbstest.Run(t, func(tb testing.TB, n int) []verbs.Device {
		tb.Helper()
		f, group := fake.New(fake.Habits{}), new([]*sharing)
		var devs []verbs.Device
		for range n {
			s := newSharing(f.Open(home.GID), group)
			d, err := kernel.Open(kernel.Config{Context: rxe.Wrap(s, s), Ports: []kernel.Port{home}})
			if err != nil {
				tb.Fatal(err)
			}
			devs = append(devs, d)
		}
		return devs
	}, verbstest.Options{Brief: true, Allocates: true, Crowd: 20, Seed: *seed})
}
