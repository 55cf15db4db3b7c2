package socket

import (
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

// Join makes the socket receive what is sent to a multicast group through the interface of that index; 0 lets
// the kernel choose. The socket must be bound to the port, on the group's own address or on all.
func (u *UDP) Join(group netip.Addr, index int) error {
	return u.member("join", unix.IP_ADD_MEMBERSHIP, unix.IPV6_JOIN_GROUP, group, index)
}

// Leave undoes Join.
func (u *UDP) Leave(group netip.Addr, index int) error {
	return u.member("leave", unix.IP_DROP_MEMBERSHIP, unix.IPV6_LEAVE_GROUP, group, index)
}

func (u *UDP) member(verb string, v4, v6 int, group netip.Addr, index int) error {
	var err error
	switch {
	case !group.IsMulticast():
		return fmt.Errorf("socket: %s %v: not a multicast group", verb, group)
	case familyOf(group) != u.family:
		err = unix.EAFNOSUPPORT
	case u.family == unix.AF_INET:
		// Without this a socket bound to all addresses hears every group that anybody on the host joined.
		if err = unix.SetsockoptInt(u.fd, unix.IPPROTO_IP, unix.IP_MULTICAST_ALL, 0); err == nil {
			err = unix.SetsockoptIPMreqn(u.fd, unix.IPPROTO_IP, v4, &unix.IPMreqn{Multiaddr: group.As4(), Ifindex: int32(index)})
		}
	default:
		// The same for IPv6; a kernel before 4.20 does not know it, and filters by group only.
		_ = unix.SetsockoptInt(u.fd, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_ALL, 0)
		err = unix.SetsockoptIPv6Mreq(u.fd, unix.IPPROTO_IPV6, v6, &unix.IPv6Mreq{Multiaddr: group.As16(), Interface: uint32(index)})
	}
	if err != nil {
		return fmt.Errorf("socket: %s group %v on interface %d: %w", verb, group, index, err)
	}
	return nil
}

// SetMulticastInterface sends multicasts out of the interface of that index; 0 lets the kernel choose.
func (u *UDP) SetMulticastInterface(index int) error {
	var err error
	if u.family == unix.AF_INET {
		err = unix.SetsockoptIPMreqn(u.fd, unix.IPPROTO_IP, unix.IP_MULTICAST_IF, &unix.IPMreqn{Ifindex: int32(index)})
	} else {
		err = unix.SetsockoptInt(u.fd, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_IF, index)
	}
	if err != nil {
		return fmt.Errorf("socket: send multicasts of %v through interface %d: %w", u.local, index, err)
	}
	return nil
}

// SetMulticastLoop says whether members on this host get the socket's multicasts, as they do from the start.
func (u *UDP) SetMulticastLoop(on bool) error {
	return u.setMulticast("loop", unix.IP_MULTICAST_LOOP, unix.IPV6_MULTICAST_LOOP, truth(on))
}

// SetMulticastTTL says how many routers may pass the socket's multicasts on, plus one; 1 from the start, 0 keeps
// them on this host.
func (u *UDP) SetMulticastTTL(hops int) error {
	return u.setMulticast("time to live", unix.IP_MULTICAST_TTL, unix.IPV6_MULTICAST_HOPS, hops)
}

func (u *UDP) setMulticast(what string, v4, v6, value int) error {
	level, name := unix.IPPROTO_IP, v4
	if u.family == unix.AF_INET6 {
		level, name = unix.IPPROTO_IPV6, v6
	}
	if err := unix.SetsockoptInt(u.fd, level, name, value); err != nil {
		return fmt.Errorf("socket: set the multicast %s of %v to %d: %w", what, u.local, value, err)
	}
	return nil
}

// InterfaceIndex is the index of the network interface of that name.
func InterfaceIndex(name string) (int, error) {
	index, err := interfaceIndex(name)
	return int(index), err
}
