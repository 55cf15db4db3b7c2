package socket

import (
	"fmt"
	"io"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// dontWait marks every data call: it never blocks, and a broken connection is an error, not a signal.
const dontWait = unix.MSG_DONTWAIT | unix.MSG_NOSIGNAL

// The data calls of a stream are made by way of package syscall: unix's functions of that name are written
// in assembly, and to get there and back takes as long as a fifth of the answer that nothing has come.
// Bytes are copied: from pages that are handed to the socket (vmsplice, splice) the receiver would copy
// what no cache holds, and both together take longer.

// Send sends the bytes of b that the kernel takes now and says how many. With more set the kernel may hold
// them back for what follows at once.
func (c *Conn) Send(b []byte, more bool) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	return c.send(&b[0], len(b), c.flags(more))
}

// SendVector sends what the kernel takes now of v and says how many bytes; v is unchanged, see Vector.Skip.
func (c *Conn) SendVector(v *Vector, more bool) (int, error) {
	switch v.Len() {
	case 0:
		return 0, nil
	case 1: // the plain call is a little faster
		part := &v.parts[v.first]
		return c.send(part.Base, int(part.Len), c.flags(more))
	}
	msg := v.message()
	for {
		n, _, errno := syscall.RawSyscall(unix.SYS_SENDMSG, uintptr(c.fd), uintptr(unsafe.Pointer(&msg)), c.flags(more))
		if errno == 0 {
			return int(n), nil
		}
		if errno != unix.EINTR {
			return 0, c.fault(errno)
		}
	}
}

func (c *Conn) send(at *byte, size int, flags uintptr) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(c.fd), uintptr(unsafe.Pointer(at)), uintptr(size), flags, 0, 0)
		if errno == 0 {
			return int(n), nil
		}
		if errno != unix.EINTR {
			return 0, c.fault(errno)
		}
	}
}

func (c *Conn) flags(more bool) uintptr {
	if more {
		return dontWait | unix.MSG_MORE
	}
	return dontWait | c.endOfRecord
}

// Recv fills b with what has arrived and says how many bytes. At the end of the stream it returns io.EOF.
func (c *Conn) Recv(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for {
		n, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(c.fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), unix.MSG_DONTWAIT, 0, 0)
		switch {
		case errno == unix.EAGAIN: // what most calls of somebody who polls answer
			return 0, ErrAgain
		case errno == 0 && n == 0:
			return 0, io.EOF
		case errno == 0:
			return int(n), nil
		case errno != unix.EINTR:
			return 0, c.fault(errno)
		}
	}
}

// RecvVector fills the slices of v in order with what has arrived and says how many bytes; v is unchanged, see
// Vector.Skip. At the end of the stream it returns io.EOF.
func (c *Conn) RecvVector(v *Vector) (int, error) {
	if v.Len() == 0 {
		return 0, nil
	}
	msg := v.message()
	for {
		n, _, errno := syscall.RawSyscall(unix.SYS_RECVMSG, uintptr(c.fd), uintptr(unsafe.Pointer(&msg)), unix.MSG_DONTWAIT)
		switch {
		case errno == 0 && n == 0:
			return 0, io.EOF
		case errno == 0:
			return int(n), nil
		case errno != unix.EINTR:
			return 0, c.fault(errno)
		}
	}
}

// message describes what is still to do to the kernel; v must not change while it is used.
func (v *Vector) message() unix.Msghdr {
	var msg unix.Msghdr
	msg.Iov = &v.parts[v.first]
	msg.SetIovlen(v.Len())
	return msg
}

// MarkRecords makes every send without more the end of a record (MSG_EOR): the kernel does not join what
// follows to the same segment, so that frames begin where segments begin.
func (c *Conn) MarkRecords(on bool) {
	c.endOfRecord = 0
	if on {
		c.endOfRecord = unix.MSG_EOR
	}
}

// SetNoDelay switches off (true) or on the kernel's waiting for more to send.
func (c *Conn) SetNoDelay(on bool) error {
	return c.set("no delay", unix.IPPROTO_TCP, unix.TCP_NODELAY, truth(on))
}

// SetBuffers asks for kernel buffers of so many bytes; 0 leaves one to the kernel, which tunes it itself.
func (c *Conn) SetBuffers(send, receive int) error {
	if send > 0 {
		if err := c.set("send buffer", unix.SOL_SOCKET, unix.SO_SNDBUF, send); err != nil {
			return err
		}
	}
	if receive > 0 {
		return c.set("receive buffer", unix.SOL_SOCKET, unix.SO_RCVBUF, receive)
	}
	return nil
}

// SetKeepAlive probes a silent peer after so many seconds, then every interval seconds, and gives up after
// count unanswered probes. Idle 0 stops probing.
func (c *Conn) SetKeepAlive(idle, interval, count int) error {
	if idle <= 0 {
		return c.set("keep alive", unix.SOL_SOCKET, unix.SO_KEEPALIVE, 0)
	}
	for _, o := range []struct{ name, value int }{
		{unix.TCP_KEEPIDLE, idle}, {unix.TCP_KEEPINTVL, interval}, {unix.TCP_KEEPCNT, count},
	} {
		if err := c.set("keep alive", unix.IPPROTO_TCP, o.name, o.value); err != nil {
			return err
		}
	}
	return c.set("keep alive", unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1)
}

// SetUserTimeout breaks the connection with ETIMEDOUT when sent bytes stay unacknowledged for so many
// milliseconds; 0 is the kernel's own patience of many minutes.
func (c *Conn) SetUserTimeout(ms int) error {
	return c.set("user timeout", unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, ms)
}

// MSS is how many bytes of stream one segment carries at most, as far as the kernel knows now.
func (c *Conn) MSS() (int, error) {
	n, err := unix.GetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_MAXSEG)
	if err == unix.EBADF {
		return 0, ErrClosed
	}
	return n, err
}

func (c *Conn) set(what string, level, name, value int) error {
	err := unix.SetsockoptInt(c.fd, level, name, value)
	switch err {
	case nil:
		return nil
	case unix.EBADF:
		return ErrClosed
	}
	return fmt.Errorf("socket: set %s of the connection to %v to %d: %w", what, c.remote, value, err)
}

func truth(on bool) int {
	if on {
		return 1
	}
	return 0
}
