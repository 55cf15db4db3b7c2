package socket

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// rawAddr is a socket address as the kernel reads and writes it, for either family: n bytes of b.
//
//	IPv4: family 2 (native order), port 2 (network order), address 4, zero 8
//	IPv6: family 2, port 2, flow 4, address 16, scope 4 (native order)
type rawAddr struct {
	b [unix.SizeofSockaddrInet6]byte
	n uint32
}

// put writes an address whose zone the caller has turned into a scope, see zones.
func (r *rawAddr) put(a netip.AddrPort, scope uint32) {
	clear(r.b[:])
	ip := a.Addr()
	binary.BigEndian.PutUint16(r.b[2:], a.Port())
	if ip.Is4() || ip.Is4In6() {
		binary.NativeEndian.PutUint16(r.b[:], unix.AF_INET)
		v4 := ip.As4()
		copy(r.b[4:], v4[:])
		r.n = unix.SizeofSockaddrInet4
		return
	}
	binary.NativeEndian.PutUint16(r.b[:], unix.AF_INET6)
	v6 := ip.As16()
	copy(r.b[8:], v6[:])
	binary.NativeEndian.PutUint32(r.b[24:], scope)
	r.n = unix.SizeofSockaddrInet6
}

// get reads the address, without its zone, and the scope that names it. Anything but a whole IPv4 or IPv6
// address gives the zero AddrPort.
func (r *rawAddr) get() (netip.AddrPort, uint32) {
	if r.n < 4 {
		return netip.AddrPort{}, 0
	}
	port := binary.BigEndian.Uint16(r.b[2:])
	switch family := binary.NativeEndian.Uint16(r.b[:]); {
	case family == unix.AF_INET && r.n >= 8:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(r.b[4:8])), port), 0
	case family == unix.AF_INET6 && r.n >= unix.SizeofSockaddrInet6:
		ip := netip.AddrFrom16([16]byte(r.b[8:24])).Unmap()
		return netip.AddrPortFrom(ip, port), binary.NativeEndian.Uint32(r.b[24:])
	}
	return netip.AddrPort{}, 0
}

// zones remembers which interface has which index, since asking costs a system call and memory. Addresses
// carry the interface's name, as people write it.
type zones struct {
	known []zone
}

type zone struct {
	name  string
	index uint32
}

// scope is the index that stands for the zone of an address; 0 for no zone.
func (z *zones) scope(ip netip.Addr) (uint32, error) {
	name := ip.Zone()
	if name == "" {
		return 0, nil
	}
	for _, k := range z.known {
		if k.name == name {
			return k.index, nil
		}
	}
	index, err := interfaceIndex(name)
	if err != nil {
		return 0, err
	}
	z.known = append(z.known, zone{name, index})
	return index, nil
}

// address gives an address that the kernel reported its zone.
func (z *zones) address(a netip.AddrPort, scope uint32) netip.AddrPort {
	if scope == 0 || !a.Addr().Is6() {
		return a
	}
	return netip.AddrPortFrom(a.Addr().WithZone(z.name(scope)), a.Port())
}

func (z *zones) name(index uint32) string {
	for _, k := range z.known {
		if k.index == index {
			return k.name
		}
	}
	k := zone{interfaceName(index), index}
	z.known = append(z.known, k)
	return k.name
}

// interfaceIndex asks the kernel for the index of an interface; a zone may also be the number itself.
func interfaceIndex(name string) (uint32, error) {
	if n, err := strconv.ParseUint(name, 10, 32); err == nil {
		return uint32(n), nil
	}
	ifr, err := unix.NewIfreq(name)
	if err == nil {
		err = ask(unix.SIOCGIFINDEX, ifr)
	}
	if err != nil {
		return 0, fmt.Errorf("socket: zone %q names no network interface: %w", name, err)
	}
	return ifr.Uint32(), nil
}

// interfaceName is the name behind an index, or the number in digits when the interface has gone.
func interfaceName(index uint32) string {
	ifr, err := unix.NewIfreq("x") // the name is the answer, not the question
	if err == nil {
		ifr.SetUint32(index)
		if ask(unix.SIOCGIFNAME, ifr) == nil && ifr.Name() != "" {
			return ifr.Name()
		}
	}
	return strconv.FormatUint(uint64(index), 10)
}

// ask puts a question about interfaces to the kernel, through a socket that exists for that alone.
func ask(question uint, ifr *unix.Ifreq) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err == unix.EAFNOSUPPORT {
		fd, err = unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.IoctlIfreq(fd, question, ifr)
}

// familyOf is the address family a socket for ip has.
func familyOf(ip netip.Addr) int {
	if ip.Is4() || ip.Is4In6() {
		return unix.AF_INET
	}
	return unix.AF_INET6
}

// fault turns what a system call said into the errors of this package. A bad descriptor is ours, closed. It
// does not allocate: the runtime keeps small numbers as interfaces ready.
func fault(errno syscall.Errno) error {
	switch errno {
	case unix.EAGAIN:
		return ErrAgain
	case unix.EBADF:
		return ErrClosed
	}
	return errno
}
