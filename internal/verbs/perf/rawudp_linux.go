package perf

import (
	"encoding/binary"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/socket"
)

// The raw UDP ping-pong makes the plain calls that a small C program would make, sendto and recvfrom, with the
// address laid out beforehand: anything more would make the device beside it look better.

// rawTarget is a socket address as the kernel reads it.
type rawTarget struct {
	bytes [unix.SizeofSockaddrInet6]byte
	size  uint32 // as socklen_t
}

// target lays out an address.
func target(to netip.AddrPort) rawTarget {
	var t rawTarget
	ip := to.Addr().Unmap()
	family := uint16(unix.AF_INET)
	if ip.Is6() {
		family = unix.AF_INET6
	}
	binary.NativeEndian.PutUint16(t.bytes[0:], family)
	binary.BigEndian.PutUint16(t.bytes[2:], to.Port())
	if ip.Is6() {
		v6 := ip.As16()
		copy(t.bytes[8:], v6[:]) // after the flow label
		t.size = unix.SizeofSockaddrInet6
		return t
	}
	v4 := ip.As4()
	copy(t.bytes[4:], v4[:])
	t.size = unix.SizeofSockaddrInet4
	return t
}

// sendTo sends b, which is not empty, as one datagram.
func sendTo(fd int, b []byte, to *rawTarget) error {
	_, _, errno := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
		unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, uintptr(unsafe.Pointer(&to.bytes)), uintptr(to.size))
	return plainError(errno)
}

// recvFrom receives one datagram into b, which is not empty. Like any receiver of datagrams it asks who sent it.
func recvFrom(fd int, b []byte, from *rawTarget) (int, error) {
	from.size = uint32(len(from.bytes))
	n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
		unix.MSG_DONTWAIT, uintptr(unsafe.Pointer(&from.bytes)), uintptr(unsafe.Pointer(&from.size)))
	return int(n), plainError(errno)
}

func plainError(errno syscall.Errno) error {
	switch errno {
	case 0:
		return nil
	case unix.EAGAIN, unix.EINTR:
		return socket.ErrAgain
	}
	return errno
}
