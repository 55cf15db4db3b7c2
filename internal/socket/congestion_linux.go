package socket

import (
	"fmt"
	"net/netip"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// TCPOptions are what connections and listeners are opened with. The zero value leaves everything to the system.
type TCPOptions struct {
	Congestion string // name of the kernel's algorithm against congestion, such as reno or cubic
}

// Check tells whether the system has what the options ask for: it opens a socket with them, and closes it.
func (o TCPOptions) Check() error {
	fd, err := openStream(netip.IPv4Unspecified())
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	defer unix.Close(fd)
	if err := o.apply(fd); err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	return nil
}

// apply comes before connect and listen, since what two ends agree on with the first segments may depend on it.
func (o TCPOptions) apply(fd int) error {
	if o.Congestion == "" {
		return nil
	}
	err := unix.SetsockoptString(fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION, o.Congestion)
	switch err {
	case nil:
		return nil
	case unix.EPERM:
		return fmt.Errorf("congestion control %q is for root alone (%w): choose one of %s", o.Congestion, err, congestions("allowed"))
	}
	return fmt.Errorf("congestion control %q: %w: choose one of %s", o.Congestion, err, congestions("available"))
}

// congestions names the algorithms that a process may choose (allowed), or that the kernel has (available).
func congestions(which string) string {
	file := "/proc/sys/net/ipv4/tcp_" + which + "_congestion_control"
	text, err := os.ReadFile(file)
	if err != nil {
		return "those in " + file
	}
	return strings.Join(strings.Fields(string(text)), ", ")
}

// Congestion is the name of the algorithm that a connection uses against congestion.
func (c *Conn) Congestion() (string, error) {
	name, err := unix.GetsockoptString(c.fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION)
	if err == unix.EBADF {
		return "", ErrClosed
	}
	return name, err
}
