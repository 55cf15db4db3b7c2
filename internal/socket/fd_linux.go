package socket

import (
	"errors"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openStream opens a TCP socket, openDatagram a UDP socket, of the family of ip: non-blocking, closed on exec.
func openStream(ip netip.Addr) (int, error)   { return open(ip, unix.SOCK_STREAM) }
func openDatagram(ip netip.Addr) (int, error) { return open(ip, unix.SOCK_DGRAM) }

func open(ip netip.Addr, kind int) (int, error) {
	if !ip.IsValid() {
		return -1, errors.New("no address given; name one of this host, or 0.0.0.0 or [::] for all")
	}
	return unix.Socket(familyOf(ip), kind|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
}

// closeFD closes once; *fd is -1 from then on, which the kernel answers with EBADF and fault with ErrClosed.
func closeFD(fd *int) error {
	if *fd < 0 {
		return ErrClosed
	}
	old := *fd
	*fd = -1
	return unix.Close(old)
}

func rawOf(a netip.AddrPort, z *zones) (raw rawAddr, err error) {
	scope, err := z.scope(a.Addr())
	if err == nil {
		raw.put(a, scope)
	}
	return raw, err
}

func bind(fd int, a netip.AddrPort, z *zones) error {
	raw, err := rawOf(a, z)
	if err != nil {
		return err
	}
	_, _, errno := unix.RawSyscall(unix.SYS_BIND, uintptr(fd), uintptr(unsafe.Pointer(&raw.b)), uintptr(raw.n))
	if errno != 0 {
		return errno
	}
	return nil
}

func localAddr(fd int, z *zones) (netip.AddrPort, error) {
	var raw rawAddr
	raw.n = uint32(len(raw.b))
	_, _, errno := unix.RawSyscall(unix.SYS_GETSOCKNAME, uintptr(fd), uintptr(unsafe.Pointer(&raw.b)), uintptr(unsafe.Pointer(&raw.n)))
	if errno != 0 {
		return netip.AddrPort{}, errno
	}
	return z.address(raw.get()), nil
}

// writable looks, without waiting, whether a socket can be written to or has failed.
func writable(fd int) (bool, syscall.Errno) {
	set := unix.PollFd{Fd: int32(fd), Events: unix.POLLOUT}
	var now unix.Timespec
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&set)), 1, uintptr(unsafe.Pointer(&now)), 0, 0, 0)
	if errno == unix.EINTR {
		return false, 0
	}
	return n == 1, errno
}
