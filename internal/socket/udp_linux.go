package socket

import (
	"fmt"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// UDPOptions says how a UDP socket is opened.
type UDPOptions struct {
	Buffers   int  // bytes of kernel buffer wanted each way; 0 leaves it to the kernel, and it may grant less
	PathMTU   bool // datagrams above the path's MTU are refused with EMSGSIZE; else they leave as IP fragments
	NoOffload bool // neither join datagrams to send nor let the kernel join received ones
	LateJoin  bool // let the kernel join received datagrams only after SetJoin
	Shared    bool // other sockets may bind the same address: every one gets the multicasts
}

// UDPCounts is what a UDP socket has met.
type UDPCounts struct {
	Segmented uint64 // messages sent that the kernel cut into datagrams
	Refused   uint64 // such messages that it did not take; their datagrams left one by one
	Joined    uint64 // received messages that the kernel had joined
	Truncated uint64 // received messages larger than their buffer; dropped
	Foreign   uint64 // errors reported to us about somebody else's datagram; ignored
}

// UDP is a UDP socket of one family, IPv4 or IPv6, which is not connected.
type UDP struct {
	fd        int
	family    int
	local     netip.AddrPort
	offload   Offload
	segment   int  // the largest size the kernel is asked to segment; 0 when offload is not on
	joins     bool // the kernel may join received datagrams
	counts    UDPCounts
	zones     zones
	lastRaw   rawAddr // the last sender, since the next is often the same
	lastAddr  netip.AddrPort
	lastToRaw rawAddr // the last receiver of SendOne, likewise
	lastTo    netip.AddrPort
	fromRaw   rawAddr // where RecvOne has the kernel write
	fromLen   uint32
	sendBatch func(fd int, msgs []mmsghdr) (int, syscall.Errno) // replaced in tests
}

// OpenUDP opens a socket on a local address; port 0 lets the kernel choose, see LocalAddr.
func OpenUDP(local netip.AddrPort, opt UDPOptions) (*UDP, error) {
	u := &UDP{fd: -1, sendBatch: sendBatch}
	fd, err := openDatagram(local.Addr())
	if err == nil {
		u.fd, u.family = fd, familyOf(local.Addr())
		err = u.setUp(local, opt)
	}
	if err != nil {
		u.Close()
		return nil, fmt.Errorf("socket: open UDP on %v: %w", local, err)
	}
	return u, nil
}

func (u *UDP) setUp(local netip.AddrPort, opt UDPOptions) error {
	if opt.Shared {
		if err := unix.SetsockoptInt(u.fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
			return fmt.Errorf("share the address: %w", err)
		}
	}
	if u.family == unix.AF_INET6 {
		if err := unix.SetsockoptInt(u.fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, 1); err != nil {
			return fmt.Errorf("IPv6 only: %w", err)
		}
	}
	if err := u.setPathMTU(opt.PathMTU); err != nil {
		return fmt.Errorf("path MTU: %w", err)
	}
	if opt.Buffers > 0 {
		if err := u.setBuffers(opt.Buffers); err != nil {
			return fmt.Errorf("buffers of %d bytes: %w", opt.Buffers, err)
		}
	}
	if err := bind(u.fd, local, &u.zones); err != nil {
		return err
	}
	u.setOffload(opt)
	var err error
	u.local, err = localAddr(u.fd, &u.zones)
	return err
}

func (u *UDP) setPathMTU(on bool) error {
	mode := unix.IP_PMTUDISC_DONT // the numbers are those of IPV6_PMTUDISC_ too
	if on {
		mode = unix.IP_PMTUDISC_DO
	}
	if u.family == unix.AF_INET {
		return unix.SetsockoptInt(u.fd, unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, mode)
	}
	return unix.SetsockoptInt(u.fd, unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, mode)
}

// setBuffers asks past the system's limit first, which only a privileged process may.
func (u *UDP) setBuffers(size int) error {
	for _, o := range [][2]int{{unix.SO_SNDBUFFORCE, unix.SO_SNDBUF}, {unix.SO_RCVBUFFORCE, unix.SO_RCVBUF}} {
		if unix.SetsockoptInt(u.fd, unix.SOL_SOCKET, o[0], size) == nil {
			continue
		}
		if err := unix.SetsockoptInt(u.fd, unix.SOL_SOCKET, o[1], size); err != nil {
			return err
		}
	}
	return nil
}

// setOffload finds out what the kernel can join and cut.
func (u *UDP) setOffload(opt UDPOptions) {
	if opt.NoOffload {
		u.offload = OffloadOff
		return
	}
	if !opt.LateJoin {
		u.SetJoin()
	}
	if _, err := unix.GetsockoptInt(u.fd, unix.IPPROTO_UDP, unix.UDP_SEGMENT); err != nil {
		u.offload = OffloadMissing
		return
	}
	u.segment = MaxDatagram
}

// LocalAddr is the address bound to, with the port the kernel chose.
func (u *UDP) LocalAddr() netip.AddrPort { return u.local }

// FD is the descriptor, for a Poller; -1 after Close.
func (u *UDP) FD() int { return u.fd }

// Offload says whether the kernel segments for this socket.
func (u *UDP) Offload() Offload { return u.offload }

// Counts is what the socket has met so far.
func (u *UDP) Counts() UDPCounts { return u.counts }

// Buffers is how many bytes of kernel buffer were granted, as the kernel counts: with its own records, which
// is about twice the payload.
func (u *UDP) Buffers() (send, receive int, err error) {
	if send, err = unix.GetsockoptInt(u.fd, unix.SOL_SOCKET, unix.SO_SNDBUF); err != nil {
		return 0, 0, fmt.Errorf("socket: send buffer of %v: %w", u.local, err)
	}
	if receive, err = unix.GetsockoptInt(u.fd, unix.SOL_SOCKET, unix.SO_RCVBUF); err != nil {
		return 0, 0, fmt.Errorf("socket: receive buffer of %v: %w", u.local, err)
	}
	return send, receive, nil
}

// MTU is the largest packet, headers included, that the route to an address carries as far as the kernel
// knows; see PayloadFor. It opens a socket of its own to ask: for setting up, not for every datagram.
func (u *UDP) MTU(to netip.AddrPort) (int, error) {
	mtu, err := u.routeMTU(to)
	if err != nil {
		return 0, fmt.Errorf("socket: MTU of the path to %v: %w", to, err)
	}
	return mtu, nil
}

func (u *UDP) routeMTU(to netip.AddrPort) (int, error) {
	fd, err := openDatagram(to.Addr())
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	if from := u.local.Addr(); familyOf(from) == familyOf(to.Addr()) && !from.IsUnspecified() && !from.IsMulticast() {
		if err := bind(fd, netip.AddrPortFrom(from, 0), &u.zones); err != nil {
			return 0, err
		}
	}
	raw, err := rawOf(to, &u.zones)
	if err != nil {
		return 0, err
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&raw.b)), uintptr(raw.n)); errno != 0 {
		return 0, errno
	}
	if familyOf(to.Addr()) == unix.AF_INET {
		return unix.GetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_MTU)
	}
	return unix.GetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_MTU)
}

// Close gives the descriptor back.
func (u *UDP) Close() error { return closeFD(&u.fd) }

// address writes where a datagram goes.
func (u *UDP) address(raw *rawAddr, to netip.AddrPort) error {
	ip := to.Addr()
	if !ip.IsValid() {
		return unix.EDESTADDRREQ
	}
	if familyOf(ip) != u.family {
		return unix.EAFNOSUPPORT
	}
	scope, err := u.zones.scope(ip)
	if err != nil {
		return err
	}
	raw.put(to, scope)
	return nil
}

// sender reads where a datagram came from.
func (u *UDP) sender(raw *rawAddr) netip.AddrPort {
	if *raw != u.lastRaw {
		u.lastRaw, u.lastAddr = *raw, u.zones.address(raw.get())
	}
	return u.lastAddr
}
