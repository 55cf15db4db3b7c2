package socket

import (
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

// What the kernel may hand us, and what it may not, never panics; what is an address survives the way back.
func FuzzRawAddr(f *testing.F) {
	for _, s := range []string{"127.0.0.1:80", "[::1]:443", "[fe80::1]:1", "[::ffff:10.1.2.3]:65535"} {
		var raw rawAddr
		raw.put(netip.MustParseAddrPort(s), 3)
		f.Add(raw.b[:], raw.n)
	}
	f.Add([]byte{}, uint32(0))
	f.Add([]byte{unix.AF_INET6, 0, 1, 2}, uint32(28))
	f.Add([]byte{unix.AF_INET, 0, 1, 2}, uint32(1<<31))
	f.Fuzz(func(t *testing.T, b []byte, n uint32) {
		raw := rawAddr{n: n}
		copy(raw.b[:], b)
		a, scope := raw.get()
		if !a.IsValid() {
			return
		}
		var back rawAddr
		back.put(a, scope)
		if got, s := back.get(); got != a || (a.Addr().Is6() && s != scope) {
			t.Errorf("%v scope %d came back as %v scope %d", a, scope, got, s)
		}
	})
}

func TestRawAddrBytes(t *testing.T) {
	var raw rawAddr
	raw.put(netip.MustParseAddrPort("[1:2::3]:258"), 7)
	raw.put(netip.MustParseAddrPort("[::ffff:1.2.3.4]:258"), 7) // nothing of the larger one may stay
	want := rawAddr{n: unix.SizeofSockaddrInet4}
	copy(want.b[2:], []byte{1, 2, 1, 2, 3, 4})
	want.b[0], want.b[1] = raw.b[0], raw.b[1]
	if raw != want || raw.b[0]+raw.b[1] != unix.AF_INET {
		t.Errorf("%v", raw)
	}
}

func TestZones(t *testing.T) {
	index, err := InterfaceIndex("lo")
	if err != nil {
		t.Skipf("this host has no loopback interface: %v", err)
	}
	var z zones
	for range 2 { // asked, then remembered
		got, err := z.scope(netip.MustParseAddr("fe80::1%lo"))
		if err != nil || int(got) != index {
			t.Errorf("lo has index %d, %v; want %d", got, err, index)
		}
	}
	if got, err := z.scope(netip.MustParseAddr("fe80::1%77")); err != nil || got != 77 {
		t.Errorf("a zone in digits: %d, %v", got, err)
	}
	if got, err := z.scope(netip.MustParseAddr("fe80::1")); err != nil || got != 0 {
		t.Errorf("no zone: %d, %v", got, err)
	}
	for _, bad := range []string{"no-such-zone", "a-name-longer-than-any-interface-has"} {
		if _, err := z.scope(netip.MustParseAddr("fe80::1%" + bad)); err == nil {
			t.Errorf("zone %q exists", bad)
		}
	}
	plain := netip.MustParseAddrPort("[fe80::1]:9")
	var fresh zones
	for range 2 {
		if got := fresh.address(plain, uint32(index)); got != netip.MustParseAddrPort("[fe80::1%lo]:9") {
			t.Errorf("got %v", got)
		}
	}
	if got := fresh.address(plain, 1<<30); got != netip.MustParseAddrPort("[fe80::1%1073741824]:9") {
		t.Errorf("an interface that is gone: %v", got)
	}
	if got := fresh.address(hereA, uint32(index)); got != hereA {
		t.Errorf("IPv4 has no zones: %v", got)
	}
	known := netip.MustParseAddrPort("[fe80::1%lo]:9")
	if n := testing.AllocsPerRun(100, func() {
		scope, _ := fresh.scope(known.Addr())
		fresh.address(plain, scope)
	}); n != 0 {
		t.Errorf("%v allocations for a known zone", n)
	}
}
