//go:build linux

package socket

import (
	"io"
	"net/netip"
	"os"
	"testing"
)

// loopbacks are the addresses to test on; the second is left out where the host has no IPv6.
func loopbacks(t testing.TB) []netip.Addr {
	t.Helper()
	all := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	v6 := netip.IPv6Loopback()
	if l, err := Listen(netip.AddrPortFrom(v6, 0), 1); err == nil {
		l.Close()
		all = append(all, v6)
	}
	return all
}

// eachFamily runs a test on IPv4 and on IPv6.
func eachFamily(t *testing.T, body func(t *testing.T, ip netip.Addr)) {
	for _, ip := range loopbacks(t) {
		t.Run(ip.String(), func(t *testing.T) { body(t, ip) })
	}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// await sleeps in a poller of its own until fd is ready.
func await(t testing.TB, fd int, write bool) Event {
	t.Helper()
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	if err := p.Add(fd, 1, write); err != nil {
		t.Fatal(err)
	}
	var out [1]Event
	for range 100 {
		n, err := p.Wait(out[:], 100_000_000)
		if err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			return out[0]
		}
	}
	t.Fatalf("descriptor %d did not become ready in ten seconds", fd)
	return Event{}
}

// pair is two ends of a connection.
func pair(t testing.TB, ip netip.Addr) (near, far *Conn) {
	t.Helper()
	l := must[*Listener](t)(Listen(netip.AddrPortFrom(ip, 0), 8))
	defer l.Close()
	near = must[*Conn](t)(Dial(netip.Addr{}, l.Addr()))
	await(t, l.FD(), false)
	far = must[*Conn](t)(l.Accept())
	await(t, near.FD(), true)
	if err := near.Connected(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

// recvAll receives until n bytes are there, or less and an error.
func recvAll(t testing.TB, c *Conn, n int) ([]byte, error) {
	t.Helper()
	var all []byte
	buf := make([]byte, 64<<10)
	for len(all) < n {
		got, err := c.Recv(buf[:min(len(buf), n-len(all))])
		if err == ErrAgain {
			await(t, c.FD(), false)
			continue
		}
		if err != nil {
			return all, err
		}
		all = append(all, buf[:got]...)
	}
	return all, nil
}

// sendAll sends everything, sleeping while the kernel has no room.
func sendAll(t testing.TB, c *Conn, b []byte) error {
	t.Helper()
	for len(b) > 0 {
		n, err := c.Send(b, false)
		if err == ErrAgain {
			await(t, c.FD(), true)
			continue
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// openFiles counts this process's descriptors.
func openFiles(t testing.TB) int {
	t.Helper()
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc to count descriptors in")
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return len(names) - 1
}
