package socket

import (
	"errors"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMulticastInsideTheHost(t *testing.T) {
	groups := map[int]netip.Addr{
		unix.AF_INET:  netip.MustParseAddr("239.77.0.9"),
		unix.AF_INET6: netip.MustParseAddr("ff11::7709"), // scope 1: never leaves the interface, whichever it is
	}
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		group := groups[familyOf(ip)]
		wild := netip.IPv4Unspecified()
		if ip.Is6() {
			wild = netip.IPv6Unspecified()
		}
		via := multicastInterface(t, wild, group)
		first := must[*UDP](t)(OpenUDP(netip.AddrPortFrom(wild, 0), UDPOptions{Shared: true}))
		defer first.Close()
		second := must[*UDP](t)(OpenUDP(first.LocalAddr(), UDPOptions{Shared: true}))
		defer second.Close()
		stranger := must[*UDP](t)(OpenUDP(first.LocalAddr(), UDPOptions{Shared: true}))
		defer stranger.Close()
		if err := errors.Join(first.Join(group, via), second.Join(group, via), stranger.Join(group.Next(), via)); err != nil {
			t.Fatal(err)
		}
		a := openUDP(t, wild, UDPOptions{})
		if err := errors.Join(a.SetMulticastInterface(via), a.SetMulticastLoop(true), a.SetMulticastTTL(0)); err != nil {
			t.Fatal(err)
		}
		to := netip.AddrPortFrom(group, first.LocalAddr().Port())
		b, in := NewBatch(0, 0), NewInbox(0, 0)
		gather(t, b, to, 100, []byte("to all"), []byte("of you"))
		if n, err := a.Send(b); n != 2 || err != nil {
			t.Fatal(n, err)
		}
		for _, u := range []*UDP{first, second} {
			if got := drain(t, u, in, u.Recv, 2, netip.AddrPort{}); string(got[0])+string(got[1]) != "to allof you" {
				t.Errorf("received %q", got)
			}
		}
		if _, err := stranger.Recv(in); err != ErrAgain {
			t.Errorf("a member of another group: %v", err)
		}
		// After leaving, the member that stays is the proof that it was sent.
		if err := first.Leave(group, via); err != nil {
			t.Fatal(err)
		}
		b.Reset()
		gather(t, b, to, 100, []byte("again"))
		if n, err := a.Send(b); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		drain(t, second, in, second.Recv, 1, netip.AddrPort{})
		if _, err := first.Recv(in); err != ErrAgain {
			t.Errorf("received after Leave: %v", err)
		}
	})
}

// multicastInterface finds an interface that has a route for a group: loopback, or else any other.
func multicastInterface(t *testing.T, wild, group netip.Addr) int {
	t.Helper()
	probe := openUDP(t, wild, UDPOptions{})
	if err := probe.SetMulticastTTL(0); err != nil {
		t.Fatal(err)
	}
	for via := 1; via < 32; via++ {
		if probe.SetMulticastInterface(via) != nil {
			continue
		}
		b := NewBatch(1, 1)
		gather(t, b, netip.AddrPortFrom(group, 9), 1, []byte("?"))
		if n, _ := probe.Send(b); n == 1 {
			return via
		}
	}
	t.Skip("no interface of this host has a route for multicasts")
	return 0
}

func TestMulticastRefusals(t *testing.T) {
	u := openUDP(t, loopbacks(t)[0], UDPOptions{})
	if err := u.Join(netip.MustParseAddr("127.0.0.1"), 0); err == nil {
		t.Error("joined what is no group")
	}
	if err := u.Join(netip.MustParseAddr("ff02::1"), 0); !errors.Is(err, unix.EAFNOSUPPORT) {
		t.Errorf("a group of the other family: %v", err)
	}
	if err := u.Leave(netip.MustParseAddr("239.1.2.3"), 0); err == nil {
		t.Error("left a group never joined")
	}
	if err := u.SetMulticastInterface(1 << 30); err == nil {
		t.Error("no such interface")
	}
	if err := u.SetMulticastTTL(1000); err == nil {
		t.Error("a thousand hops")
	}
}
