package socket

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// SendOne sends one datagram that lies in one piece: the quickest way when there is only one. Errors are those of
// Send.
func (u *UDP) SendOne(to netip.AddrPort, b []byte) error {
	if to != u.lastTo || u.lastToRaw.n == 0 {
		if err := u.address(&u.lastToRaw, to); err != nil {
			u.lastToRaw.n = 0
			return err
		}
		u.lastTo = to
	}
	for foreign := 0; ; foreign++ {
		_, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(u.fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)),
			dontWait, uintptr(unsafe.Pointer(&u.lastToRaw.b)), uintptr(u.lastToRaw.n))
		if errno == 0 {
			return nil
		}
		if judge(errno, 1, len(b)) != retry || foreign >= foreignErrors {
			return fault(errno)
		}
		u.counts.Foreign++
	}
}

// RecvOne receives one datagram into b: the quickest way while the kernel does not join datagrams, see SetJoin. One
// that does not fit is dropped, counted and answered with EMSGSIZE.
func (u *UDP) RecvOne(b []byte) (int, netip.AddrPort, error) {
	if u.joins {
		return 0, netip.AddrPort{}, errJoined
	}
	raw := &u.fromRaw
	for foreign := 0; ; {
		u.fromLen = uint32(len(raw.b))
		n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(u.fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)),
			unix.MSG_DONTWAIT|unix.MSG_TRUNC, uintptr(unsafe.Pointer(&raw.b)), uintptr(unsafe.Pointer(&u.fromLen)))
		if errno != 0 {
			if err := u.recvFault(errno, &foreign); err != nil {
				return 0, netip.AddrPort{}, err
			}
			continue
		}
		raw.n = min(u.fromLen, uint32(len(raw.b)))
		if int(n) > len(b) {
			u.counts.Truncated++
			return 0, u.sender(raw), unix.EMSGSIZE
		}
		return int(n), u.sender(raw), nil
	}
}

// Joins tells whether the kernel may join datagrams that arrive; then they are fetched with Poll and Recv.
func (u *UDP) Joins() bool { return u.joins }

// SetJoin has the kernel join datagrams that arrive in large numbers, if it can and the options allow it. There is no
// way back: datagrams that are joined already could not be told apart.
func (u *UDP) SetJoin() {
	if !u.joins && u.offload != OffloadOff {
		u.joins = unix.SetsockoptInt(u.fd, unix.IPPROTO_UDP, unix.UDP_GRO, 1) == nil
	}
}
