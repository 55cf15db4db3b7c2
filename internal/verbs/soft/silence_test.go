package soft

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"golang.org/x/sys/unix"
)

// A host that does not answer a connection request at all is given up after Silence, however long a host
// that answers may take for the rest: the program can then try another way.
func TestSilentHostIsGivenUp(t *testing.T) {
	to := deafPort(t)
	hour := int64(time.Hour)
	a := newEnd(t, open(t, Config{ConnectWait: hour, Silence: int64(100 * time.Millisecond)}), verbs.RC, 64)
	if err := a.qp.Connect(to, nil); err != nil {
		t.Fatal(err)
	}
	if e := a.event(verbs.ConnectFailed); !errors.Is(e.Err, errNoAnswer) {
		t.Errorf("failed with %v", e.Err)
	}
}

// deafPort is a port whose queue of connections is full, so that the kernel drops requests for more.
func deafPort(t *testing.T) netip.AddrPort {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(name.(*unix.SockaddrInet4).Port))
	for range 10 {
		c, err := net.DialTimeout("tcp", at.String(), 900*time.Millisecond) // and asks again after a second
		if err != nil {
			return at
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	t.Fatal("the kernel takes connections without end: a queue of none should be full")
	return at
}
