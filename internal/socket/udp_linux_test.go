package socket

import (
	"bytes"
	"errors"
	"net/netip"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func openUDP(t testing.TB, ip netip.Addr, opt UDPOptions) *UDP {
	t.Helper()
	if opt.Buffers == 0 {
		opt.Buffers = 4 << 20
	}
	u := must[*UDP](t)(OpenUDP(netip.AddrPortFrom(ip, 0), opt))
	t.Cleanup(func() { u.Close() })
	return u
}

// gather fills a batch, each datagram cut into pieces of at most piece bytes.
func gather(t testing.TB, b *Batch, to netip.AddrPort, piece int, all ...[]byte) {
	t.Helper()
	for _, d := range all {
		b.Begin(to)
		for ; len(d) > piece; d = d[piece:] {
			b.Add(d[:piece])
		}
		b.Add(d)
		if !b.EndDatagram() {
			t.Fatal("no room in the batch")
		}
	}
}

// drain receives until n datagrams are there and checks their sender, unless any will do.
func drain(t testing.TB, u *UDP, in *Inbox, recv func(*Inbox) (int, error), n int, from netip.AddrPort) [][]byte {
	t.Helper()
	var all [][]byte
	for len(all) < n {
		got, err := recv(in)
		if err == ErrAgain {
			await(t, u.FD(), false)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			data, sender := in.Datagram(i)
			if from.IsValid() && sender != from {
				t.Fatalf("datagram from %v, want %v", sender, from)
			}
			all = append(all, bytes.Clone(data))
		}
	}
	return all
}

func same(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// pattern is size bytes that name the datagram.
func pattern(id, size int) []byte {
	d := make([]byte, size)
	for i := range d {
		d[i] = byte(id*31 + i*7)
	}
	return d
}

func TestErrorsNameTheirDatagram(t *testing.T) {
	a, z := openUDP(t, loopbacks(t)[0], UDPOptions{}), openUDP(t, loopbacks(t)[0], UDPOptions{})
	b := NewBatch(0, 0)
	good, tooLarge := pattern(1, 100), make([]byte, maxPayload)
	gather(t, b, z.LocalAddr(), 1<<20, good, good, tooLarge, good)
	gather(t, b, netip.AddrPort{}, 100, good)
	gather(t, b, netip.MustParseAddrPort("[::1]:9"), 100, good)
	gather(t, b, z.LocalAddr(), 100, good)
	for _, want := range []struct {
		sent, next int
		err        error
	}{{2, 2, unix.EMSGSIZE}, {1, 4, unix.EDESTADDRREQ}, {0, 5, unix.EAFNOSUPPORT}, {1, 7, nil}} {
		n, err := a.Send(b)
		if n != want.sent || b.Next() != want.next || err != want.err {
			t.Errorf("sent %d up to %d, %v; want %+v", n, b.Next(), err, want)
		}
		b.Drop()
	}
	if n, err := a.Send(b); n != 0 || err != nil || b.Next() != b.Len() {
		t.Errorf("a finished batch: %d, %v", n, err)
	}
	if got := drain(t, z, NewInbox(0, 0), z.Recv, 4, a.LocalAddr()); !same(got, [][]byte{good, good, good, good}) {
		t.Error("the good ones did not arrive")
	}
}

func TestFullSendBufferIsExact(t *testing.T) {
	a, z := openUDP(t, loopbacks(t)[0], UDPOptions{}), openUDP(t, loopbacks(t)[0], UDPOptions{})
	room := 5
	a.sendBatch = func(fd int, msgs []mmsghdr) (int, syscall.Errno) {
		if room == 0 {
			return 0, unix.EAGAIN
		}
		n, errno := sendBatch(fd, msgs[:min(room, len(msgs))])
		room -= n
		return n, errno
	}
	b := NewBatch(0, 0)
	var want [][]byte
	for i := range 20 { // growing, so that none joins another
		want = append(want, pattern(i, 10+i))
	}
	gather(t, b, z.LocalAddr(), 100, want...)
	for sent := 0; sent < len(want); {
		n, err := a.Send(b)
		if sent += n; n != 5 || b.Next() != sent || (err == ErrAgain) != (sent < len(want)) {
			t.Fatalf("sent %d, %d in all, next %d, %v", n, sent, b.Next(), err)
		}
		room = 5
	}
	if got := drain(t, z, NewInbox(0, 0), z.Recv, len(want), a.LocalAddr()); !same(got, want) {
		t.Error("arrived changed")
	}
}

// A closed port answers with ICMP; who talks to others meanwhile must not notice.
func TestDeadPeersDisturbNobody(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		dead := openUDP(t, ip, UDPOptions{})
		nobody := dead.LocalAddr()
		dead.Close()
		a, z := openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{})
		b, in := NewBatch(0, 0), NewInbox(0, 0)
		for i := range 20 {
			b.Reset()
			gather(t, b, nobody, 100, []byte("x"))
			gather(t, b, z.LocalAddr(), 100, pattern(i, 50))
			if n, err := a.Send(b); n != 2 || err != nil {
				t.Fatalf("sent %d, %v", n, err)
			}
			if _, err := a.Recv(in); err != ErrAgain {
				t.Fatalf("receive: %v", err)
			}
			drain(t, z, in, z.Recv, 1, a.LocalAddr())
		}
	})
}

// The same when the kernel does report such an error to us: it is counted and passed over, but not forever.
func TestForeignErrorsArePassedOver(t *testing.T) {
	a, z := openUDP(t, loopbacks(t)[0], UDPOptions{}), openUDP(t, loopbacks(t)[0], UDPOptions{})
	pending := 2
	a.sendBatch = func(fd int, msgs []mmsghdr) (int, syscall.Errno) {
		if pending > 0 {
			pending--
			return 0, unix.ECONNREFUSED
		}
		return sendBatch(fd, msgs)
	}
	b := NewBatch(0, 0)
	gather(t, b, z.LocalAddr(), 100, pattern(1, 10), pattern(2, 10))
	if n, err := a.Send(b); n != 2 || err != nil || a.Counts().Foreign != 2 {
		t.Errorf("sent %d, %v, counts %+v", n, err, a.Counts())
	}
	drain(t, z, NewInbox(0, 0), z.Recv, 2, a.LocalAddr())
	pending = 1 << 30
	b.Reset()
	gather(t, b, z.LocalAddr(), 100, pattern(1, 10))
	if n, err := a.Send(b); n != 0 || err != unix.ECONNREFUSED {
		t.Errorf("sent %d, %v", n, err)
	}
	tries := 0
	if err := a.recvFault(unix.ECONNREFUSED, &tries); err != nil {
		t.Error(err)
	}
	tries = foreignErrors
	if err := a.recvFault(unix.ECONNREFUSED, &tries); err != unix.ECONNREFUSED {
		t.Error(err)
	}
}

func TestTruncationIsCounted(t *testing.T) {
	a, z := openUDP(t, loopbacks(t)[0], UDPOptions{NoOffload: true}), openUDP(t, loopbacks(t)[0], UDPOptions{NoOffload: true})
	b := NewBatch(0, 0)
	gather(t, b, z.LocalAddr(), 1<<20, pattern(1, 100), pattern(2, 101), pattern(3, 99), pattern(4, 200))
	if n, err := a.Send(b); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	if got := drain(t, z, NewInbox(4, 100), z.Recv, 2, a.LocalAddr()); !same(got, [][]byte{pattern(1, 100), pattern(3, 99)}) {
		t.Errorf("received %d datagrams", len(got))
	}
	if z.Counts().Truncated != 2 {
		t.Errorf("counts %+v", z.Counts())
	}
}

func TestOneByOne(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		a, z := openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{LateJoin: true})
		body := make([]byte, 16)
		if _, _, err := z.RecvOne(body); err != ErrAgain {
			t.Errorf("empty: %v", err)
		}
		if _, _, err := a.RecvOne(body); a.joins && err != errJoined {
			t.Errorf("a socket that joins: %v", err)
		}
		for _, b := range [][]byte{[]byte("hello"), make([]byte, 17), nil} {
			if err := a.SendOne(z.LocalAddr(), b); err != nil {
				t.Fatal(err)
			}
		}
		await(t, z.FD(), false)
		if n, from, err := z.RecvOne(body); n != 5 || from != a.LocalAddr() || err != nil || string(body[:5]) != "hello" {
			t.Errorf("%d bytes %q from %v, %v", n, body, from, err)
		}
		if _, _, err := z.RecvOne(body); err != unix.EMSGSIZE || z.Counts().Truncated != 1 {
			t.Errorf("too large: %v, %+v", err, z.Counts())
		}
		if n, _, err := z.RecvOne(body); n != 0 || err != nil {
			t.Errorf("an empty datagram: %d, %v", n, err)
		}
		if err := a.SendOne(netip.AddrPort{}, body); err == nil {
			t.Error("sent to nobody")
		}
		if err := a.SendOne(z.LocalAddr(), body); err != nil {
			t.Errorf("after an address that is none: %v", err)
		}
		if err := a.SendOne(z.LocalAddr(), make([]byte, 70000)); err != unix.EMSGSIZE {
			t.Errorf("70000 bytes: %v", err)
		}
		await(t, z.FD(), false)
		if z.SetJoin(); z.Joins() {
			if n, err := z.Poll(NewInbox(1, 0)); n != 1 || err != nil {
				t.Errorf("what came before SetJoin: %d, %v", n, err)
			}
		}
	})
}

func TestBatchKeepsItsBounds(t *testing.T) {
	b := NewBatch(3, 4)
	to := netip.MustParseAddrPort("127.0.0.1:9")
	take := func(parts ...int) bool {
		b.Begin(to)
		for _, size := range parts {
			b.Add(make([]byte, size))
		}
		return b.EndDatagram()
	}
	if b.EndDatagram() {
		t.Error("ended what was never begun")
	}
	b.Begin(to)
	b.Add([]byte("never ended"))
	if !take(1, 1, 1) || b.Room(2) || !b.Room(1) {
		t.Error("three of four slices")
	}
	if take(1, 1) || len(b.parts) != 3 || b.Len() != 1 {
		t.Error("a datagram without room left a trace")
	}
	if b.EndDatagram() {
		t.Error("ended twice")
	}
	if take(maxPayload+1) || take(maxPayload, 1) {
		t.Error("larger than UDP allows")
	}
	if !take(5) || !take() || take() || b.Len() != 3 || b.Room(0) {
		t.Error("three datagrams in all")
	}
	b.Reset()
	if b.Len() != 0 || b.Next() != 0 || !b.Room(4) {
		t.Error("not empty after Reset")
	}
}

func TestMTU(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		u := openUDP(t, ip, UDPOptions{PathMTU: true})
		before := openFiles(t)
		if mtu, err := u.MTU(u.LocalAddr()); err != nil || mtu < 1280 {
			t.Errorf("MTU of loopback: %d, %v", mtu, err)
		}
		if _, err := u.MTU(netip.AddrPort{}); err == nil {
			t.Error("a path to nowhere has an MTU")
		}
		if openFiles(t) != before {
			t.Error("asking left a descriptor")
		}
		if _, receive, err := u.Buffers(); err != nil || receive < 4096 {
			t.Errorf("receive buffer %d, %v", receive, err)
		}
	})
}

func TestUDPBadUse(t *testing.T) {
	u := openUDP(t, loopbacks(t)[0], UDPOptions{})
	before := openFiles(t)
	if _, err := OpenUDP(netip.AddrPort{}, UDPOptions{}); err == nil {
		t.Error("opened nowhere")
	}
	if _, err := OpenUDP(u.LocalAddr(), UDPOptions{}); !errors.Is(err, unix.EADDRINUSE) {
		t.Errorf("opened twice: %v", err)
	}
	if openFiles(t) != before {
		t.Error("failed openings left descriptors")
	}
	b := NewBatch(0, 0)
	gather(t, b, u.LocalAddr(), 9, []byte("x"))
	u.Close()
	for name, call := range map[string]func() error{
		"send":     func() error { _, err := u.Send(b); return err },
		"recv":     func() error { _, err := u.Recv(NewInbox(1, 0)); return err },
		"poll":     func() error { _, err := u.Poll(NewInbox(1, 0)); return err },
		"recv one": func() error { u.joins = false; _, _, err := u.RecvOne(nil); return err },
		"close":    u.Close,
	} {
		if err := call(); err != ErrClosed {
			t.Errorf("%s after close: %v", name, err)
		}
	}
}

func TestDatagramsAllocateNothing(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		a, z := openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{})
		plain := openUDP(t, ip, UDPOptions{NoOffload: true})
		b, in := NewBatch(0, 0), NewInbox(0, 0)
		head, body := make([]byte, 20), make([]byte, 1000)
		if n := testing.AllocsPerRun(100, func() {
			b.Reset()
			for _, to := range []*UDP{z, z, z, plain} {
				b.Begin(to.LocalAddr())
				b.Add(head)
				b.Add(body)
				b.EndDatagram()
			}
			a.Send(b)
			z.Recv(in)
			for i := range in.Len() {
				in.Datagram(i)
			}
			z.Poll(in)
			plain.RecvOne(body)
			a.SendOne(plain.LocalAddr(), body)
			plain.RecvOne(body)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestSendersAreToldApart(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		z := openUDP(t, ip, UDPOptions{})
		senders := []*UDP{openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{})}
		order := []int{0, 1, 0, 0, 2, 1, 1}
		b, in := NewBatch(0, 0), NewInbox(0, 0)
		for i, s := range order {
			b.Reset()
			gather(t, b, z.LocalAddr(), 100, pattern(i, 40))
			if n, err := senders[s].Send(b); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		for at := 0; at < len(order); {
			await(t, z.FD(), false)
			if _, err := z.Recv(in); err != nil {
				t.Fatal(err)
			}
			for i := range in.Len() {
				data, from := in.Datagram(i)
				if from != senders[order[at]].LocalAddr() || !bytes.Equal(data, pattern(at, 40)) {
					t.Errorf("datagram %d came from %v", at, from)
				}
				at++
			}
		}
	})
}

func TestOneBatchToManyPlaces(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		a := openUDP(t, ip, UDPOptions{})
		places := []*UDP{openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{})}
		want := make([][][]byte, len(places))
		b := NewBatch(0, 0)
		for i, place := range []int{0, 1, 1, 1, 2, 2, 0, 1, 2, 2} {
			d := pattern(i, 100+i%3)
			gather(t, b, places[place].LocalAddr(), 60, d)
			want[place] = append(want[place], d)
		}
		if n, err := a.Send(b); n != b.Len() || err != nil {
			t.Fatalf("sent %d, %v", n, err)
		}
		for i, u := range places {
			if got := drain(t, u, NewInbox(0, 0), u.Recv, len(want[i]), a.LocalAddr()); !same(got, want[i]) {
				t.Errorf("place %d got others' datagrams", i)
			}
		}
	})
}

func TestNothingLeaks(t *testing.T) {
	before := openFiles(t)
	for range 10 {
		near, far := pair(t, loopback4)
		near.Close()
		far.Abort()
		u := must[*UDP](t)(OpenUDP(netip.AddrPortFrom(loopback4, 0), UDPOptions{}))
		u.Close()
	}
	if after := openFiles(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
