package witness

import (
	"bytes"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// relayTCP listens on the loopback interface and passes one connection on to a target, recording what it passes, as it
// comes or aligned. The returned function waits for the end of both directions and gives back the capture.
func relayTCP(t *testing.T, target netip.AddrPort, align bool) (at netip.AddrPort, finish func() []byte) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var file bytes.Buffer
	var passing sync.WaitGroup
	passing.Go(func() {
		near, err := l.Accept()
		if err != nil {
			return // nobody came before the test's end
		}
		far, err := net.DialTCP("tcp4", nil, net.TCPAddrFromAddrPort(target))
		if err != nil {
			near.Close()
			t.Errorf("relay: %v", err)
			return
		}
		t.Cleanup(func() { near.Close(); far.Close() })
		ends := [2]*net.TCPConn{near.(*net.TCPConn), far}
		n := newCapture(&file).connect(initiator, responder)
		var both sync.WaitGroup
		for from := range ends {
			both.Go(func() { pass(n, from, ends[from], ends[1-from], align) })
		}
		both.Wait()
		if err := n.c.finish(); err != nil {
			t.Errorf("relay: %v", err)
		}
	})
	return l.Addr().(*net.TCPAddr).AddrPort(), func() []byte {
		passing.Wait()
		return file.Bytes()
	}
}

// pass moves bytes from one end to the other until the end. They are recorded before they go on, so that an answer is
// never recorded before its question.
func pass(n *connection, from int, in, out *net.TCPConn, align bool) {
	var a aligner
	b := make([]byte, 64<<10)
	for {
		k, err := in.Read(b)
		pieces := [][]byte{b[:k]}
		if align {
			pieces = a.cut(b[:k])
		}
		for _, p := range pieces {
			n.data(from, p)
		}
		if _, err := out.Write(b[:k]); err != nil {
			return
		}
		if err != nil {
			n.data(from, a.rest)
			n.end(from)
			out.CloseWrite()
			return
		}
	}
}

// relayUDP stands between two UDP endpoints: what arrives at the first address goes to target, and what target sends
// back goes to whoever sent there last. The
// returned function ends the relay and gives back the capture.
func relayUDP(t *testing.T, target netip.AddrPort) (at netip.AddrPort, finish func() []byte) {
	t.Helper()
	var sockets [2]*net.UDPConn // the client's side, the target's side
	for i := range sockets {
		s, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		sockets[i] = s
	}
	var file bytes.Buffer
	c := newCapture(&file)
	var mu sync.Mutex
	peers := [2]netip.AddrPort{{}, target}
	ends := [2]netip.AddrPort{initiator, responder}
	var passing sync.WaitGroup
	for i := range sockets {
		passing.Go(func() {
			b := make([]byte, 64<<10)
			for {
				k, from, err := sockets[i].ReadFromUDPAddrPort(b)
				if err != nil {
					return // the end of the session
				}
				mu.Lock()
				peers[i] = from
				to := peers[1-i]
				mu.Unlock()
				c.udp(ends[i], ends[1-i], b[:k])
				sockets[1-i].WriteToUDPAddrPort(b[:k], to)
			}
		})
	}
	return sockets[0].LocalAddr().(*net.UDPAddr).AddrPort(), func() []byte {
		for _, s := range sockets {
			s.Close()
		}
		passing.Wait()
		if err := c.finish(); err != nil {
			t.Errorf("relay: %v", err)
		}
		return file.Bytes()
	}
}
