package socket

import (
	"fmt"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Listener takes TCP connections.
type Listener struct {
	fd    int
	local netip.AddrPort
	zones zones
}

// Listen opens a listening socket; port 0 lets the kernel choose, see Addr. The address [::] takes IPv4 too.
// An address of a listener just closed can be used again at once.
func Listen(addr netip.AddrPort, backlog int) (*Listener, error) {
	return TCPOptions{}.Listen(addr, backlog)
}

// Listen is the function of that name, with options: connections that are accepted have them too.
func (o TCPOptions) Listen(addr netip.AddrPort, backlog int) (*Listener, error) {
	l := &Listener{fd: -1}
	fd, err := openStream(addr.Addr())
	if err == nil {
		l.fd = fd
		err = o.apply(fd)
	}
	if err == nil {
		err = l.listen(addr, backlog)
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("socket: listen on %v: %w", addr, err)
	}
	return l, nil
}

func (l *Listener) listen(addr netip.AddrPort, backlog int) error {
	if err := unix.SetsockoptInt(l.fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return err
	}
	if familyOf(addr.Addr()) == unix.AF_INET6 {
		only := 1
		if addr.Addr().IsUnspecified() {
			only = 0
		}
		if err := unix.SetsockoptInt(l.fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, only); err != nil {
			return err
		}
	}
	if err := bind(l.fd, addr, &l.zones); err != nil {
		return err
	}
	if err := unix.Listen(l.fd, max(backlog, 1)); err != nil {
		return err
	}
	var err error
	l.local, err = localAddr(l.fd, &l.zones)
	return err
}

// Accept takes one waiting connection, or answers ErrAgain.
func (l *Listener) Accept() (*Conn, error) {
	for {
		var raw rawAddr
		raw.n = uint32(len(raw.b))
		r, _, errno := unix.RawSyscall6(unix.SYS_ACCEPT4, uintptr(l.fd), uintptr(unsafe.Pointer(&raw.b)), uintptr(unsafe.Pointer(&raw.n)),
			unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0, 0)
		switch errno {
		case 0:
			return l.accepted(int(r), &raw)
		case unix.EINTR, unix.ECONNABORTED: // gone before we came: the next may be there
			continue
		case unix.EAGAIN, unix.EBADF, unix.EINVAL:
			return nil, fault(errno)
		}
		return nil, fmt.Errorf("socket: accept on %v: %w", l.local, errno)
	}
}

func (l *Listener) accepted(fd int, raw *rawAddr) (*Conn, error) {
	c := &Conn{fd: fd, state: connOpen}
	c.remote = l.zones.address(raw.get())
	var err error
	if c.local, err = localAddr(fd, &l.zones); err != nil {
		c.Close()
		return nil, fmt.Errorf("socket: accept on %v: %w", l.local, err)
	}
	return c, nil
}

// Addr is the address listened on, with the port the kernel chose.
func (l *Listener) Addr() netip.AddrPort { return l.local }

// FD is the descriptor, for a Poller; -1 after Close.
func (l *Listener) FD() int { return l.fd }

// Close stops listening. Connections not yet accepted are reset.
func (l *Listener) Close() error { return closeFD(&l.fd) }

// connState is how far a connection has come.
type connState uint8

const (
	connDialing connState = iota
	connOpen
	connFailed
)

// Conn is one TCP connection.
type Conn struct {
	fd            int
	state         connState
	endOfRecord   uintptr // MSG_EOR when MarkRecords is on
	failure       error   // why a dial failed; Connected repeats it
	local, remote netip.AddrPort
	zones         zones
}

// Dial begins a connection from a local address (the zero Addr lets the kernel choose) and returns at once.
// When the Poller reports it ready for writing, Connected says how it went.
func Dial(local netip.Addr, to netip.AddrPort) (*Conn, error) { return TCPOptions{}.Dial(local, to) }

// Dial is the function of that name, with options.
func (o TCPOptions) Dial(local netip.Addr, to netip.AddrPort) (*Conn, error) {
	c := &Conn{fd: -1, remote: netip.AddrPortFrom(to.Addr().Unmap(), to.Port())}
	fd, err := openStream(to.Addr())
	if err == nil {
		c.fd = fd
		err = o.apply(fd)
	}
	if err == nil {
		err = c.dial(local, to)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("socket: connect to %v: %w", to, err)
	}
	return c, nil
}

func (c *Conn) dial(local netip.Addr, to netip.AddrPort) error {
	if local.IsValid() {
		if familyOf(local) != familyOf(to.Addr()) {
			return fmt.Errorf("local address %v is of the other family: %w", local, unix.EAFNOSUPPORT)
		}
		// Without this an address bound to port 0 takes a port for itself alone, and they run out.
		if err := unix.SetsockoptInt(c.fd, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1); err != nil {
			return err
		}
		if err := bind(c.fd, netip.AddrPortFrom(local, 0), &c.zones); err != nil {
			return fmt.Errorf("from %v: %w", local, err)
		}
	}
	raw, err := rawOf(to, &c.zones)
	if err != nil {
		return err
	}
	_, _, errno := unix.RawSyscall(unix.SYS_CONNECT, uintptr(c.fd), uintptr(unsafe.Pointer(&raw.b)), uintptr(raw.n))
	if errno != 0 && errno != unix.EINPROGRESS && errno != unix.EINTR { // interrupted: it goes on in the background
		return errno
	}
	return nil
}

// Connected says how the dial went: nil when the connection stands, ErrAgain while it is under way, or why it
// failed, and then again on every call. An accepted connection stands from the start.
func (c *Conn) Connected() error {
	switch {
	case c.fd < 0:
		return ErrClosed
	case c.state == connOpen:
		return nil
	case c.state == connFailed:
		return c.failure
	}
	ready, errno := writable(c.fd)
	if errno != 0 {
		return errno
	}
	if !ready {
		return ErrAgain
	}
	if err := c.outcome(); err != nil {
		c.state, c.failure = connFailed, fmt.Errorf("socket: connect to %v: %w", c.remote, err)
		return c.failure
	}
	c.state = connOpen
	return nil
}

// outcome asks the kernel once how a finished connect ended.
func (c *Conn) outcome() error {
	code, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return err
	}
	if code != 0 {
		return syscall.Errno(code)
	}
	if c.local, err = localAddr(c.fd, &c.zones); err != nil {
		return err
	}
	if c.local == c.remote {
		// The kernel may choose the very port we call, where nobody listens, and connect us to ourselves.
		return unix.ECONNREFUSED
	}
	return nil
}

// LocalAddr is the near end; the zero AddrPort while dialing.
func (c *Conn) LocalAddr() netip.AddrPort { return c.local }

// RemoteAddr is the far end.
func (c *Conn) RemoteAddr() netip.AddrPort { return c.remote }

// FD is the descriptor, for a Poller; -1 after Close.
func (c *Conn) FD() int { return c.fd }

// CloseWrite ends the stream to the peer after what was sent; receiving goes on.
func (c *Conn) CloseWrite() error {
	_, _, errno := unix.RawSyscall(unix.SYS_SHUTDOWN, uintptr(c.fd), unix.SHUT_WR, 0)
	if errno != 0 {
		return fault(errno)
	}
	return nil
}

// Close gives the descriptor back. The kernel goes on sending what it has taken; bytes not yet received make
// it reset the connection instead.
func (c *Conn) Close() error { return closeFD(&c.fd) }

// Abort closes and resets the connection: what was not yet sent is lost, the peer sees ECONNRESET.
func (c *Conn) Abort() error {
	if c.fd < 0 {
		return ErrClosed
	}
	err := unix.SetsockoptLinger(c.fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
	if closed := c.Close(); err == nil {
		err = closed
	}
	return err
}

// fault is what a data call returns. A dial that failed tells its reason once only, to whoever asks first: if
// that was a send or receive, it is kept for Connected.
func (c *Conn) fault(errno syscall.Errno) error {
	err := fault(errno)
	if c.state == connDialing && err != ErrAgain && err != ErrClosed {
		c.state, c.failure = connFailed, fmt.Errorf("socket: connect to %v: %w", c.remote, err)
	}
	return err
}
