package socket

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// Whatever is joined or cut by either kernel half, the same datagrams arrive in the same order.
func TestOffloadChangesNothing(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		for _, sendOff := range []bool{false, true} {
			for _, recvOff := range []bool{false, true} {
				t.Run(fmt.Sprintf("send %v recv %v", !sendOff, !recvOff), func(t *testing.T) {
					a := openUDP(t, ip, UDPOptions{NoOffload: sendOff, PathMTU: true})
					z := openUDP(t, ip, UDPOptions{NoOffload: recvOff})
					in := NewInbox(0, 0)
					rapid.Check(t, func(rt *rapid.T) {
						sizes := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 64, 1000, 1000, 1000, 1000, 999, 9000, 40000}), 1, 24).Draw(rt, "sizes")
						var want [][]byte
						for i, s := range sizes {
							want = append(want, pattern(i, s))
						}
						b := NewBatch(0, 4096)
						gather(t, b, z.LocalAddr(), rapid.SampledFrom([]int{300, 1000, 70000}).Draw(rt, "piece"), want...)
						if n, err := a.Send(b); n != len(want) || err != nil {
							rt.Fatalf("sent %d of %d: %v", n, len(want), err)
						}
						recv := z.Recv
						if rapid.Bool().Draw(rt, "poll") {
							recv = z.Poll
						}
						if got := drain(t, z, in, recv, len(want), a.LocalAddr()); !same(got, want) {
							rt.Fatalf("sizes %v arrived changed", sizes)
						}
					})
					if _, err := z.Recv(in); err != ErrAgain {
						t.Errorf("something was left: %v", err)
					}
					if got := a.Counts().Segmented > 0; got != (a.Offload() == OffloadOn) {
						t.Errorf("offload is %v, counts are %+v", a.Offload(), a.Counts())
					}
				})
			}
		}
	})
}

// refuser stands between the socket and the kernel, which it plays: it refuses some messages.
type refuser struct {
	errno   syscall.Errno
	above   int // refuse segments larger than this
	stop    int // take no more than so many messages per call
	refused int
}

func (r *refuser) send(fd int, msgs []mmsghdr) (int, syscall.Errno) {
	if r.stop > 0 && len(msgs) > r.stop {
		msgs = msgs[:r.stop]
	}
	for i := range msgs {
		c := (*segmentControl)(nil)
		if msgs[i].hdr.Control != nil {
			c = (*segmentControl)(unsafe.Pointer(msgs[i].hdr.Control))
		}
		if c != nil && int(c.size) > r.above {
			if i == 0 {
				r.refused++
				return 0, r.errno
			}
			return sendBatch(fd, msgs[:i])
		}
	}
	return sendBatch(fd, msgs)
}

func TestRefusedOffloadLosesNothing(t *testing.T) {
	for _, c := range []struct {
		refuser
		offload Offload
		segment int
		times   int
	}{
		{refuser{errno: unix.EIO}, OffloadRefused, 0, 1},
		{refuser{errno: unix.EIO, stop: 1}, OffloadRefused, 0, 1},
		{refuser{errno: unix.EINVAL}, OffloadRefused, 0, 2},
		{refuser{errno: unix.EINVAL, above: 1500, stop: 2}, OffloadOn, 1999, 1},
		{refuser{errno: unix.EMSGSIZE, above: 1500}, OffloadOn, 1999, 1},
	} {
		a, z := openUDP(t, loopbacks(t)[0], UDPOptions{}), openUDP(t, loopbacks(t)[0], UDPOptions{})
		if a.Offload() != OffloadOn {
			t.Skip("the kernel has no offload to refuse")
		}
		r := c.refuser
		a.sendBatch = r.send
		var want [][]byte
		for i, size := range []int{10, 700, 2000, 2000, 2000, 2000, 300, 700, 700, 700, 0, 700, 700} {
			want = append(want, pattern(i, size))
		}
		b := NewBatch(0, 0)
		for round := range 2 {
			b.Reset()
			gather(t, b, z.LocalAddr(), 999, want...)
			if n, err := a.Send(b); n != len(want) || err != nil {
				t.Fatalf("%+v: sent %d, %v", c, n, err)
			}
			if got := drain(t, z, NewInbox(0, 0), z.Recv, len(want), a.LocalAddr()); !same(got, want) {
				t.Fatalf("%+v, round %d: changed", c, round)
			}
		}
		if _, err := z.Recv(NewInbox(0, 0)); err != ErrAgain {
			t.Errorf("%+v: something came twice: %v", c, err)
		}
		if a.Offload() != c.offload || a.segment != c.segment || r.refused != c.times || a.Counts().Refused != uint64(c.times) {
			t.Errorf("%+v: offload %v up to %d, refused %d times, counts %+v", c, a.Offload(), a.segment, r.refused, a.Counts())
		}
	}
}

// The kernel itself refuses to segment for a socket without checksums.
func TestKernelRefusesOffload(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		a, z := openUDP(t, ip, UDPOptions{}), openUDP(t, ip, UDPOptions{})
		if a.Offload() != OffloadOn {
			t.Skip("the kernel has no offload")
		}
		level, option := unix.SOL_SOCKET, unix.SO_NO_CHECK
		if ip.Is6() {
			level, option = unix.IPPROTO_UDP, unix.UDP_NO_CHECK6_TX
		}
		if err := errors.Join(unix.SetsockoptInt(a.FD(), level, option, 1), unix.SetsockoptInt(z.FD(), unix.IPPROTO_UDP, unix.UDP_NO_CHECK6_RX, 1)); err != nil {
			t.Skipf("the kernel sends no datagrams without checksum: %v", err)
		}
		want := [][]byte{pattern(0, 100), pattern(1, 100), pattern(2, 100), pattern(3, 30)}
		b := NewBatch(0, 0)
		gather(t, b, z.LocalAddr(), 64, want...)
		if n, err := a.Send(b); n != len(want) || err != nil {
			t.Fatalf("sent %d, %v", n, err)
		}
		if got := drain(t, z, NewInbox(0, 0), z.Recv, len(want), a.LocalAddr()); !same(got, want) {
			t.Error("arrived changed")
		}
		if a.Offload() != OffloadRefused || a.Counts().Refused != 1 {
			t.Errorf("offload %v, counts %+v", a.Offload(), a.Counts())
		}
	})
}

// The largest datagram of IPv6 is larger than loopback's packets: it leaves in fragments or not at all.
func TestPathMTU(t *testing.T) {
	all := loopbacks(t)
	if len(all) < 2 {
		t.Skip("no IPv6 on this host")
	}
	z := openUDP(t, all[1], UDPOptions{})
	if mtu, err := z.MTU(z.LocalAddr()); err != nil || mtu > maxPayload+48 {
		t.Skipf("loopback carries packets of %d bytes (%v)", mtu, err)
	}
	large := pattern(1, maxPayload)
	for _, strict := range []bool{true, false} {
		a := openUDP(t, all[1], UDPOptions{PathMTU: strict})
		b := NewBatch(0, 0)
		gather(t, b, z.LocalAddr(), maxPayload, large)
		n, err := a.Send(b)
		if strict {
			if n != 0 || err != unix.EMSGSIZE {
				t.Errorf("strict: sent %d, %v", n, err)
			}
			continue
		}
		if n != 1 || err != nil {
			t.Fatalf("in fragments: sent %d, %v", n, err)
		}
		if got := drain(t, z, NewInbox(0, 0), z.Recv, 1, a.LocalAddr()); !same(got, [][]byte{large}) {
			t.Error("arrived changed")
		}
	}
}
