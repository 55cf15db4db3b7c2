package socket

import (
	"errors"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// errJoined refuses RecvOne where one receive may bring several datagrams.
var errJoined = errors.New("socket: RecvOne needs a UDP socket opened with NoOffload; use Recv with an Inbox")

// What an Inbox holds unless told otherwise. The kernel joins up to 64 KB.
const (
	inboxMessages = 8
	inboxBuffer   = 64 << 10
)

// joinControl is the control message that says of what size the joined datagrams were.
type joinControl struct {
	hdr  unix.Cmsghdr
	size int32
	_    [4]byte // CMSG_SPACE
}

// Inbox is a reusable set of buffers that receives many datagrams in one call.
type Inbox struct {
	slab   []byte
	buffer int // bytes of the slab for each message
	msgs   []mmsghdr
	parts  []unix.Iovec
	names  []rawAddr
	ctl    []joinControl
	from   []netip.AddrPort // of each message
	spans  []span           // the datagrams
}

// NewInbox makes buffers for so many messages of so many bytes; 0 means 8 of 64 KB. Smaller buffers suit only
// sockets opened with NoOffload, whose peers send no more: what does not fit is dropped and counted.
func NewInbox(messages, buffer int) *Inbox {
	if messages <= 0 {
		messages = inboxMessages
	}
	if buffer <= 0 {
		buffer = inboxBuffer
	}
	messages = min(messages, maxDatagrams)
	in := &Inbox{
		slab:   make([]byte, messages*buffer),
		buffer: buffer,
		msgs:   make([]mmsghdr, messages),
		parts:  make([]unix.Iovec, messages),
		names:  make([]rawAddr, messages),
		ctl:    make([]joinControl, messages),
		from:   make([]netip.AddrPort, messages),
		spans:  make([]span, 0, messages*2*maxSegments),
	}
	for i := range in.msgs {
		in.parts[i].Base = &in.slab[i*buffer]
		in.parts[i].SetLen(buffer)
		h := &in.msgs[i].hdr
		h.Name = &in.names[i].b[0]
		h.Iov = &in.parts[i]
		h.SetIovlen(1)
		h.Control = (*byte)(unsafe.Pointer(&in.ctl[i]))
		in.prepare(i)
	}
	return in
}

// prepare undoes what a call wrote into message i.
func (in *Inbox) prepare(i int) {
	h := &in.msgs[i].hdr
	h.Namelen = uint32(len(in.names[i].b))
	h.SetControllen(unix.CmsgSpace(4))
	h.Flags = 0
}

// Len is how many datagrams the last Recv or Poll brought.
func (in *Inbox) Len() int { return len(in.spans) }

// Datagram is the i-th of them and where it came from. The bytes are the Inbox's, valid until it is used again.
func (in *Inbox) Datagram(i int) ([]byte, netip.AddrPort) {
	s := &in.spans[i]
	return in.slab[s.from:s.to:s.to], in.from[s.msg]
}

// Recv fetches what has arrived, as much as in has buffers for, in one call, and says how many datagrams; 0
// without an error when all were truncated. ErrAgain when there is nothing.
func (u *UDP) Recv(in *Inbox) (int, error) {
	in.spans = in.spans[:0]
	for foreign := 0; ; {
		n, _, errno := unix.RawSyscall6(unix.SYS_RECVMMSG, uintptr(u.fd), uintptr(unsafe.Pointer(&in.msgs[0])), uintptr(len(in.msgs)), unix.MSG_DONTWAIT, 0, 0)
		if errno == 0 {
			for i := range int(n) {
				u.unpack(in, i, int(in.msgs[i].done))
			}
			return len(in.spans), nil
		}
		if err := u.recvFault(errno, &foreign); err != nil {
			return 0, err
		}
	}
}

// Poll is Recv for one message: the quicker one when mostly none or one is there. It may bring several
// datagrams all the same, if the kernel joined them.
func (u *UDP) Poll(in *Inbox) (int, error) {
	in.spans = in.spans[:0]
	for foreign := 0; ; {
		n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(u.fd), uintptr(unsafe.Pointer(&in.msgs[0].hdr)), unix.MSG_DONTWAIT)
		if errno == 0 {
			u.unpack(in, 0, int(n))
			return len(in.spans), nil
		}
		if err := u.recvFault(errno, &foreign); err != nil {
			return 0, err
		}
	}
}

// unpack notes the datagrams of message i, of length bytes, and makes its entry ready for the next call.
func (u *UDP) unpack(in *Inbox, i, length int) {
	h := &in.msgs[i].hdr
	if h.Flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0 {
		u.counts.Truncated++
		in.prepare(i)
		return
	}
	in.names[i].n = min(h.Namelen, uint32(len(in.names[i].b)))
	in.from[i] = u.sender(&in.names[i])
	size := 0
	if c := &in.ctl[i]; int(h.Controllen) >= unix.CmsgLen(4) && c.hdr.Level == unix.IPPROTO_UDP && c.hdr.Type == unix.UDP_GRO {
		size = int(c.size)
		u.counts.Joined++
	}
	in.spans = split(in.spans, i, i*in.buffer, length, size)
	in.prepare(i)
}

// recvFault is the error to return, or nil to try again: an error about a datagram sent earlier says nothing
// about what has arrived.
func (u *UDP) recvFault(errno syscall.Errno, foreign *int) error {
	switch errno {
	case unix.EINTR:
		return nil
	case unix.EAGAIN, unix.EBADF:
		return fault(errno)
	case unix.ECONNREFUSED, unix.EHOSTUNREACH, unix.ENETUNREACH, unix.EMSGSIZE, unix.EPROTO:
		if *foreign++; *foreign <= foreignErrors {
			u.counts.Foreign++
			return nil
		}
	}
	return errno
}
