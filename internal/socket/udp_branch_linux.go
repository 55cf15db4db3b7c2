package socket

import (
	"fmt"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Branch opens a second socket on u's address, connected to one peer: the kernel need not look for the way there with every datagram,
// nor where one from there belongs. From now on what the peer sends arrives at the branch, and what others send at u; what came
// before stays where it is, and a few datagrams of others may be met at the branch. Nobody else can bind the address because of it.
func (u *UDP) Branch(to netip.AddrPort) (*UDP, error) {
	b, err := u.branch(to)
	if err != nil {
		return nil, fmt.Errorf("socket: a branch of %v to %v: %w", u.local, to, err)
	}
	return b, nil
}

func (u *UDP) branch(to netip.AddrPort) (*UDP, error) {
	// Sockets of one user that all allow it may bind one address. These do for a moment.
	if err := shareWithBranch(u.fd, true); err != nil {
		return nil, err
	}
	defer shareWithBranch(u.fd, false)
	fd, err := openDatagram(u.local.Addr())
	if err != nil {
		return nil, err
	}
	b := &UDP{fd: fd, family: u.family, sendBatch: sendBatch}
	if err = shareWithBranch(fd, true); err == nil {
		err = b.setUp(u.local, u.options)
	}
	if err == nil {
		err = b.Connect(to)
	}
	if err == nil {
		err = shareWithBranch(fd, false)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func shareWithBranch(fd int, on bool) error {
	value := 0
	if on {
		value = 1
	}
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, value)
}

// Connect has a branch serve another peer than before.
func (u *UDP) Connect(to netip.AddrPort) error {
	var raw rawAddr
	if err := u.address(&raw, to); err != nil {
		return err
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_CONNECT, uintptr(u.fd), uintptr(unsafe.Pointer(&raw.b)), uintptr(raw.n)); errno != 0 {
		return errno
	}
	u.peer = to
	return nil
}

// Peer is whom a branch is connected to.
func (u *UDP) Peer() netip.AddrPort { return u.peer }
