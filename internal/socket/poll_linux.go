package socket

import (
	"fmt"
	"math"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// waitBatch is how many events one Wait fetches at most; the kernel rotates, so nobody starves.
	waitBatch = 64
	// pollerClosed is the bit of Poller.state that says Close was called; the rest counts calls under way.
	pollerClosed = 1 << 62
)

// Poller waits for many sockets at once: a level-triggered epoll set with a doorbell. Any goroutine may call
// any method at any time, also Close while others wait.
type Poller struct {
	epoll, bell int
	state       atomic.Int64
	woken       atomic.Uint32 // 1 while a ring of the bell is on its way to a Wait
	sleepers    atomic.Int32  // calls of Wait that sleep, or are about to
	missed      atomic.Bool   // somebody who only looked has taken a ring
	coarse      atomic.Bool   // the kernel has no epoll_pwait2: wait in milliseconds
}

// NewPoller opens an empty set. Close gives its two descriptors back.
func NewPoller() (*Poller, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("socket: create an epoll set: %w", err)
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(epoll)
		return nil, fmt.Errorf("socket: create the doorbell of an epoll set: %w", err)
	}
	p := &Poller{epoll: epoll, bell: bell}
	// Edge-triggered: every ring is one event, so that nobody has to read the bell to silence it.
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET}
	setToken(&ev, WakeToken)
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, bell, &ev); err != nil {
		p.release()
		return nil, fmt.Errorf("socket: add the doorbell to an epoll set: %w", err)
	}
	return p, nil
}

// Add puts a socket into the set. Its events carry the token; they tell of reading always and of writing
// when write is set. A socket leaves the set when it is closed.
func (p *Poller) Add(fd int, token uint64, write bool) error {
	return p.control(unix.EPOLL_CTL_ADD, fd, token, interest(true, write))
}

// Want gives a socket of the set a token and says of what its events tell: of reading, writing, both or
// neither, as for one whose reader is busy. That the socket is broken they tell always.
func (p *Poller) Want(fd int, token uint64, read, write bool) error {
	return p.control(unix.EPOLL_CTL_MOD, fd, token, interest(read, write))
}

// Remove takes a socket out of the set. Events that a Wait has already returned are not taken back: who
// reuses tokens must expect a late one.
func (p *Poller) Remove(fd int) error {
	return p.control(unix.EPOLL_CTL_DEL, fd, 0, 0)
}

// interest is what epoll reports. The end of the stream belongs to reading: left on its own it would be
// reported without end to somebody who does not read.
func interest(read, write bool) (bits uint32) {
	if read {
		bits |= unix.EPOLLIN | unix.EPOLLRDHUP
	}
	if write {
		bits |= unix.EPOLLOUT
	}
	return bits
}

func (p *Poller) control(op, fd int, token uint64, bits uint32) error {
	if token == WakeToken {
		return fmt.Errorf("socket: token %#x is the poller's own; use another for descriptor %d", token, fd)
	}
	if !p.enter() {
		return ErrClosed
	}
	defer p.leave()
	ev := unix.EpollEvent{Events: bits}
	setToken(&ev, token)
	if err := unix.EpollCtl(p.epoll, op, fd, &ev); err != nil {
		return fmt.Errorf("socket: %s descriptor %d: %w", operations[op], fd, err)
	}
	return nil
}

// operations are the words for what control does.
var operations = map[int]string{
	unix.EPOLL_CTL_ADD: "add to the poller:",
	unix.EPOLL_CTL_MOD: "change in the poller:",
	unix.EPOLL_CTL_DEL: "remove from the poller:",
}

// Wait fills out with what is ready and says how many. It looks only (limit 0), sleeps until something is
// ready or it is woken (limit below 0), or sleeps that many nanoseconds at most. It may return early with
// nothing, after Wake or a signal; the caller looks at its own state then and calls again. Events are
// level-triggered: what is not fetched is reported again, to every Wait under way.
func (p *Poller) Wait(out []Event, limit int64) (int, error) {
	if !p.enter() {
		return 0, ErrClosed
	}
	if len(out) == 0 {
		p.leave()
		return 0, nil
	}
	var buf [waitBatch]unix.EpollEvent
	got, errno := p.wait(&buf, min(len(out), waitBatch), limit)
	if p.state.Load()&pollerClosed != 0 {
		p.ring() // one ring wakes one waiter: pass it on
		p.leave()
		return 0, ErrClosed
	}
	p.leave()
	if errno == unix.EINTR {
		return 0, nil
	}
	if errno != 0 {
		return 0, errno
	}
	n := 0
	for i := range buf[:got] {
		token := tokenOf(&buf[i])
		if token == WakeToken {
			if limit == 0 { // it is meant for somebody who sleeps, or will
				p.missed.Store(true)
				if p.sleepers.Load() > 0 && p.missed.Swap(false) {
					p.ring()
				}
				continue
			}
			// From here on a Wake rings again. One that came before sees its work done by this return.
			p.woken.Swap(0)
			continue
		}
		bits := buf[i].Events
		hup := bits&(unix.EPOLLHUP|unix.EPOLLERR) != 0
		out[n] = Event{
			Token: token,
			Read:  hup || bits&(unix.EPOLLIN|unix.EPOLLRDHUP) != 0,
			Write: bits&unix.EPOLLOUT != 0,
			Hup:   hup,
		}
		n++
	}
	return n, nil
}

// wait is the system call: raw when it cannot sleep, else announced to the scheduler.
func (p *Poller) wait(buf *[waitBatch]unix.EpollEvent, room int, limit int64) (int, syscall.Errno) {
	if limit == 0 {
		n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.epoll), uintptr(unsafe.Pointer(buf)), uintptr(room), 0, 0, 0)
		return int(n), errno
	}
	p.sleepers.Add(1)
	defer p.sleepers.Add(-1)
	if p.missed.Load() && p.missed.Swap(false) {
		p.woken.Swap(0)
		return 0, 0
	}
	if !p.coarse.Load() {
		var ts unix.Timespec
		at := unsafe.Pointer(nil)
		if limit > 0 {
			ts = unix.NsecToTimespec(limit)
			at = unsafe.Pointer(&ts)
		}
		n, _, errno := unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.epoll), uintptr(unsafe.Pointer(buf)), uintptr(room), uintptr(at), 0, 0)
		if errno != unix.ENOSYS && errno != unix.EPERM { // older container filters answer EPERM for calls they do not know
			return int(n), errno
		}
		p.coarse.Store(true)
	}
	n, _, errno := unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.epoll), uintptr(unsafe.Pointer(buf)), uintptr(room), uintptr(milliseconds(limit)), 0, 0)
	return int(n), errno
}

// milliseconds rounds a limit of Wait up, so that a short sleep does not become a spin.
func milliseconds(limit int64) int {
	if limit < 0 {
		return -1
	}
	const ms = 1_000_000
	return int(min(limit/ms+min(limit%ms, 1), math.MaxInt32))
}

// Wake makes one Wait return that sleeps, the one under way or else the next. What the caller wrote before Wake is
// seen after that Wait. Waking again before then costs next to nothing.
func (p *Poller) Wake() {
	if p.woken.Swap(1) == 1 || !p.enter() {
		return
	}
	p.ring()
	p.leave()
}

// ring counts the bell up by one. It cannot fail: the count would have to reach 2^64-1.
func (p *Poller) ring() {
	one := uint64(1)
	unix.RawSyscall(unix.SYS_WRITE, uintptr(p.bell), uintptr(unsafe.Pointer(&one)), 8)
}

// Doorbell is the descriptor of an eventfd of the poller's: a write to it does what Wake does. Another
// process can have it, too.
func (p *Poller) Doorbell() int { return p.bell }

// Close makes every Wait under way and to come return ErrClosed. The sockets in the set stay open.
func (p *Poller) Close() error {
	for {
		s := p.state.Load()
		if s&pollerClosed != 0 {
			return ErrClosed
		}
		if p.state.CompareAndSwap(s, (s+1)|pollerClosed) {
			p.ring()
			p.leave()
			return nil
		}
	}
}

// enter keeps the descriptors open until leave; it fails after Close. Without it a late call could meet a
// descriptor that the kernel has given to somebody else.
func (p *Poller) enter() bool {
	for {
		s := p.state.Load()
		if s&pollerClosed != 0 {
			return false
		}
		if p.state.CompareAndSwap(s, s+1) {
			return true
		}
	}
}

// leave ends what enter began; the last to leave a closed poller frees its descriptors.
func (p *Poller) leave() {
	if p.state.Add(-1) == pollerClosed {
		p.release()
	}
}

func (p *Poller) release() {
	unix.Close(p.epoll)
	unix.Close(p.bell)
}

func setToken(ev *unix.EpollEvent, token uint64) {
	ev.Fd, ev.Pad = int32(uint32(token)), int32(uint32(token>>32))
}

func tokenOf(ev *unix.EpollEvent) uint64 {
	return uint64(uint32(ev.Fd)) | uint64(uint32(ev.Pad))<<32
}
