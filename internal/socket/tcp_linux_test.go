package socket

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

func TestStreamCarriesBytesBothWays(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		near, far := pair(t, ip)
		if near.LocalAddr() != far.RemoteAddr() || near.RemoteAddr() != far.LocalAddr() {
			t.Errorf("ends disagree: %v-%v and %v-%v", near.LocalAddr(), near.RemoteAddr(), far.LocalAddr(), far.RemoteAddr())
		}
		for _, way := range [][2]*Conn{{near, far}, {far, near}} {
			if _, err := way[1].Recv(make([]byte, 1)); err != ErrAgain {
				t.Fatalf("receiving from a silent peer: %v", err)
			}
			want := []byte("first and second")
			v := NewVector(4)
			v.Add(want[:6])
			v.Add(nil)
			v.Add(want[6:])
			if n, err := way[0].SendVector(v, false); n != len(want) || err != nil {
				t.Fatalf("sent %d, %v", n, err)
			}
			await(t, way[1].FD(), false)
			head, body := make([]byte, 3), make([]byte, 30)
			v.Reset()
			v.Add(head)
			v.Add(body)
			n, err := way[1].RecvVector(v)
			if got := append(head, body[:max(n-3, 0)]...); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("received %q, %v", got, err)
			}
		}
	})
}

func TestPartialSendsLoseNothing(t *testing.T) {
	near, far := pair(t, loopbacks(t)[0])
	if err := errors.Join(near.SetBuffers(16<<10, 0), far.SetBuffers(0, 16<<10), near.SetNoDelay(true)); err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 3<<20)
	for i := range want {
		want[i] = byte(i * 7 >> 3)
	}
	v := NewVector(64)
	const piece = 50_001
	for b := want; len(b) > 0; b = b[min(piece, len(b)):] {
		if !v.Add(b[:min(piece, len(b))]) {
			t.Fatal("no room in the vector")
		}
	}
	partial, again := 0, 0
	var got []byte
	buf := make([]byte, 40_000)
	for len(got) < len(want) {
		for v.Bytes() > 0 {
			n, err := near.SendVector(v, false)
			if err == ErrAgain {
				again++
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if n < v.Bytes() {
				partial++
			}
			v.Skip(n)
		}
		n, err := far.Recv(buf)
		if err == ErrAgain {
			await(t, far.FD(), false)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, buf[:n]...)
	}
	if !bytes.Equal(got, want) {
		t.Error("the stream arrived changed")
	}
	if partial == 0 || again == 0 {
		t.Errorf("%d partial sends and %d full buffers: this tested nothing", partial, again)
	}
}

func TestEndOfStream(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		near, far := pair(t, ip)
		if err := errors.Join(sendAll(t, near, []byte("last words")), near.CloseWrite()); err != nil {
			t.Fatal(err)
		}
		if got, err := recvAll(t, far, 11); string(got) != "last words" || err != io.EOF {
			t.Errorf("received %q, %v", got, err)
		}
		v := NewVector(2)
		v.Add(make([]byte, 1))
		v.Add(make([]byte, 1))
		if _, err := far.RecvVector(v); err != io.EOF {
			t.Errorf("vector receive at the end: %v", err)
		}
		if n, err := far.Recv(nil); n != 0 || err != nil {
			t.Errorf("receiving into nothing: %d, %v", n, err)
		}
		if err := sendAll(t, far, []byte("answer")); err != nil {
			t.Error("the other direction closed too:", err)
		}
		if got, err := recvAll(t, near, 6); string(got) != "answer" || err != nil {
			t.Errorf("received %q, %v", got, err)
		}
		if _, err := near.Send([]byte("x"), false); err != unix.EPIPE {
			t.Errorf("send after CloseWrite: %v", err)
		}
	})
}

func TestAbortResetsThePeer(t *testing.T) {
	near, far := pair(t, loopbacks(t)[0])
	if err := near.Abort(); err != nil {
		t.Fatal(err)
	}
	if ev := await(t, far.FD(), false); !ev.Hup || !ev.Read {
		t.Errorf("event of a reset connection: %+v", ev)
	}
	if _, err := far.Recv(make([]byte, 1)); err != unix.ECONNRESET {
		t.Errorf("receive: %v", err)
	}
	if near.FD() != -1 || near.Abort() != ErrClosed {
		t.Error("the aborted end is not closed")
	}
}

func TestConnectRefused(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		for name, first := range map[string]func(c *Conn){
			"asked first":         func(c *Conn) {},
			"found by sending":    func(c *Conn) { c.Send([]byte("x"), false) },
			"found by receiving":  func(c *Conn) { c.Recv(make([]byte, 1)) },
			"found by two pieces": func(c *Conn) { v := NewVector(2); v.Add([]byte("x")); v.Add([]byte("y")); c.SendVector(v, false) },
		} {
			l := must[*Listener](t)(Listen(netip.AddrPortFrom(ip, 0), 1))
			nobody := l.Addr()
			l.Close()
			c, err := Dial(netip.Addr{}, nobody)
			if err == nil {
				await(t, c.FD(), true)
				first(c)
				err = c.Connected()
				if again := c.Connected(); again != err {
					t.Errorf("%s: the second answer differs: %v", name, again)
				}
				c.Close()
			}
			if !errors.Is(err, unix.ECONNREFUSED) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A full backlog leaves the dial under way: the kernel drops its opening packet.
func TestConnectUnderWay(t *testing.T) {
	l := must[*Listener](t)(Listen(netip.AddrPortFrom(loopbacks(t)[0], 0), 1))
	defer l.Close()
	for range 16 {
		c := must[*Conn](t)(Dial(netip.Addr{}, l.Addr()))
		defer c.Close()
		err := c.Connected()
		if err == ErrAgain {
			if _, err := c.Send([]byte("early"), false); err != ErrAgain {
				t.Errorf("send before the connection stands: %v", err)
			}
			if err := c.Connected(); err != ErrAgain {
				t.Errorf("after an early send: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Error("sixteen connections fit into a backlog of one")
}

func TestDialFromAChosenAddress(t *testing.T) {
	l := must[*Listener](t)(Listen(netip.MustParseAddrPort("127.0.0.1:0"), 4))
	defer l.Close()
	from := netip.MustParseAddr("127.0.0.77")
	c := must[*Conn](t)(Dial(from, l.Addr()))
	defer c.Close()
	await(t, l.FD(), false)
	far := must[*Conn](t)(l.Accept())
	defer far.Close()
	if far.RemoteAddr().Addr() != from {
		t.Errorf("the peer came from %v", far.RemoteAddr())
	}
	if _, err := Dial(netip.IPv6Loopback(), l.Addr()); !errors.Is(err, unix.EAFNOSUPPORT) {
		t.Errorf("mixed families: %v", err)
	}
}

func TestUnspecifiedIPv6TakesIPv4(t *testing.T) {
	if len(loopbacks(t)) < 2 {
		t.Skip("no IPv6 on this host")
	}
	l := must[*Listener](t)(Listen(netip.MustParseAddrPort("[::]:0"), 4))
	defer l.Close()
	to := netip.AddrPortFrom(netip.MustParseAddr("::ffff:127.0.0.1"), l.Addr().Port())
	c := must[*Conn](t)(Dial(netip.Addr{}, to))
	defer c.Close()
	await(t, l.FD(), false)
	far := must[*Conn](t)(l.Accept())
	defer far.Close()
	if !far.RemoteAddr().Addr().Is4() || !c.RemoteAddr().Addr().Is4() {
		t.Errorf("IPv4 is not given as IPv4: %v and %v", far.RemoteAddr(), c.RemoteAddr())
	}
}

func TestOpeningBadAddresses(t *testing.T) {
	l := must[*Listener](t)(Listen(netip.MustParseAddrPort("127.0.0.1:0"), 4))
	defer l.Close()
	before := openFiles(t)
	if _, err := Listen(netip.AddrPort{}, 1); err == nil {
		t.Error("listening nowhere worked")
	}
	if _, err := Listen(l.Addr(), 1); !errors.Is(err, unix.EADDRINUSE) {
		t.Errorf("listening twice: %v", err)
	}
	if _, err := Listen(netip.MustParseAddrPort("192.0.2.200:0"), 1); !errors.Is(err, unix.EADDRNOTAVAIL) {
		t.Errorf("listening on another host's address: %v", err)
	}
	if _, err := Dial(netip.Addr{}, netip.AddrPort{}); err == nil {
		t.Error("dialing nowhere worked")
	}
	if _, err := Dial(netip.Addr{}, netip.MustParseAddrPort("[fe80::1%no-such-zone]:9")); err == nil {
		t.Error("an unknown zone worked")
	}
	if after := openFiles(t); after != before {
		t.Errorf("failed openings left %d descriptors", after-before)
	}
}

func TestUseAfterClose(t *testing.T) {
	near, _ := pair(t, loopbacks(t)[0])
	l := must[*Listener](t)(Listen(netip.MustParseAddrPort("127.0.0.1:0"), 4))
	if err := errors.Join(near.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	v := NewVector(2)
	v.Add([]byte("a"))
	v.Add([]byte("b"))
	for name, call := range map[string]func() error{
		"accept":      func() error { _, err := l.Accept(); return err },
		"connected":   near.Connected,
		"send":        func() error { _, err := near.Send([]byte("x"), false); return err },
		"send vector": func() error { _, err := near.SendVector(v, true); return err },
		"recv":        func() error { _, err := near.Recv(make([]byte, 1)); return err },
		"recv vector": func() error { _, err := near.RecvVector(v); return err },
		"close write": near.CloseWrite,
		"close":       near.Close,
		"abort":       near.Abort,
		"option":      func() error { return near.SetNoDelay(true) },
		"mss":         func() error { _, err := near.MSS(); return err },
		"listener":    l.Close,
	} {
		if err := call(); err != ErrClosed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOptionsReachTheKernel(t *testing.T) {
	c, _ := pair(t, loopbacks(t)[0])
	if err := errors.Join(c.SetNoDelay(true), c.SetBuffers(40_000, 50_000), c.SetKeepAlive(7, 3, 5), c.SetUserTimeout(1234)); err != nil {
		t.Fatal(err)
	}
	for _, o := range []struct {
		name          string
		level, option int
		want          int
	}{
		{"no delay", unix.IPPROTO_TCP, unix.TCP_NODELAY, 1},
		{"send buffer", unix.SOL_SOCKET, unix.SO_SNDBUF, 80_000}, // the kernel doubles, for its own records
		{"receive buffer", unix.SOL_SOCKET, unix.SO_RCVBUF, 100_000},
		{"keep alive", unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1},
		{"idle", unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 7},
		{"interval", unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 3},
		{"count", unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 5},
		{"user timeout", unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 1234},
	} {
		if got, err := unix.GetsockoptInt(c.FD(), o.level, o.option); err != nil || got != o.want {
			t.Errorf("%s is %d, %v; want %d", o.name, got, err, o.want)
		}
	}
	if mss, err := c.MSS(); err != nil || mss < 500 || mss > 65536 {
		t.Errorf("segment size %d, %v", mss, err)
	}
	if err := c.SetKeepAlive(0, 0, 0); err != nil {
		t.Error(err)
	}
	if on, _ := unix.GetsockoptInt(c.FD(), unix.SOL_SOCKET, unix.SO_KEEPALIVE); on != 0 {
		t.Error("keep alive did not stop")
	}
	for _, flag := range []struct{ get, want int }{{unix.F_GETFD, unix.FD_CLOEXEC}, {unix.F_GETFL, unix.O_NONBLOCK}} {
		if got, err := unix.FcntlInt(uintptr(c.FD()), flag.get, 0); err != nil || got&flag.want == 0 {
			t.Errorf("descriptor flags %#x lack %#x (%v)", got, flag.want, err)
		}
	}
}

func TestStreamAllocatesNothing(t *testing.T) {
	near, far := pair(t, loopbacks(t)[0])
	far.MarkRecords(true)
	send, recv := NewVector(8), NewVector(8)
	head, body, in := make([]byte, 16), make([]byte, 1000), make([]byte, 4096)
	if n := testing.AllocsPerRun(200, func() {
		send.Add(head)
		send.Add(body)
		n, err := near.SendVector(send, false)
		if err != nil {
			t.Fatal(err)
		}
		send.Skip(n)
		recv.Add(in[:16])
		recv.Add(in[16:])
		far.RecvVector(recv)
		recv.Reset()
		far.Recv(in)
		far.Send(head, false)
		near.Recv(in)
		near.Recv(in)
		near.Connected()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TCP lets a socket call itself when it happens to have the port that it calls; that is nobody's listener.
func TestSelfConnectionIsRefused(t *testing.T) {
	fd := must[int](t)(openStream(loopback4))
	c := &Conn{fd: fd}
	defer c.Close()
	if err := bind(fd, netip.AddrPortFrom(loopback4, 0), &c.zones); err != nil {
		t.Fatal(err)
	}
	c.remote = must[netip.AddrPort](t)(localAddr(fd, &c.zones))
	if err := c.dial(netip.Addr{}, c.remote); err != nil {
		t.Fatal(err)
	}
	await(t, fd, true)
	if err := c.Connected(); !errors.Is(err, unix.ECONNREFUSED) {
		t.Errorf("connected to itself: %v", err)
	}
}

// Bytes sent with more wait for those that follow: both leave in one segment.
func TestMoreHoldsBack(t *testing.T) {
	for range 5 { // the kernel waits a fifth of a second only; a stalled host gets another chance
		near, far := pair(t, loopback4)
		if err := near.SetNoDelay(true); err != nil {
			t.Fatal(err)
		}
		near.Send([]byte("held "), true)
		near.Send([]byte("back"), false)
		if got, err := recvAll(t, far, 9); string(got) != "held back" || err != nil {
			t.Fatalf("received %q, %v", got, err)
		}
		info, err := unix.GetsockoptTCPInfo(near.FD(), unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			t.Skipf("the kernel does not tell about its TCP connections: %v", err)
		}
		if info.Data_segs_out == 1 {
			return
		}
	}
	t.Error("two sends never left in one segment")
}

func TestRecordsEndWithTheirLastSend(t *testing.T) {
	var c Conn
	ends := func(more bool) bool { return c.flags(more)&unix.MSG_EOR != 0 }
	for _, marked := range []bool{false, true, false} {
		c.MarkRecords(marked)
		if ends(false) != marked || ends(true) {
			t.Errorf("marking is %v: the last send ends a record: %v, one with more: %v", marked, ends(false), ends(true))
		}
	}
}
