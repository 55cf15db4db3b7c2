package socket

import (
	"errors"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

// sentOn has each of the senders send n datagrams to an address, and returns how many of them have come to each of the receivers by
// sender.
func sentOn(t *testing.T, to netip.AddrPort, n int, senders []*UDP, receivers ...*UDP) []map[netip.AddrPort]int {
	t.Helper()
	for range n {
		for _, s := range senders {
			if err := s.SendOne(to, []byte("hello")); err != nil {
				t.Fatal(err)
			}
		}
	}
	came := make([]map[netip.AddrPort]int, len(receivers))
	for i, r := range receivers {
		came[i] = make(map[netip.AddrPort]int)
		for {
			buf := make([]byte, 64)
			k, from, err := r.RecvOne(buf)
			if err == ErrAgain {
				break
			}
			if err != nil || string(buf[:k]) != "hello" {
				t.Fatalf("%q, %v", buf[:k], err)
			}
			came[i][from]++
		}
	}
	return came
}

// isBound tells whether nobody else can bind an address, though he would share it.
func isBound(t *testing.T, at netip.AddrPort) bool {
	t.Helper()
	fd := must[int](t)(openDatagram(at.Addr()))
	defer unix.Close(fd)
	if err := shareWithBranch(fd, true); err != nil {
		t.Fatal(err)
	}
	var z zones
	return errors.Is(bind(fd, at, &z), unix.EADDRINUSE)
}

// What a branch's peer sends arrives at the branch, what others send at the socket itself, whomever the branch is connected to, and
// everything at the socket once the branch is closed. What the branch sends comes from the socket's address, which stays ours alone.
func TestBranch(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		const n = 20
		trunk, x, y := openUDP(t, ip, UDPOptions{LateJoin: true}), openUDP(t, ip, UDPOptions{LateJoin: true}), openUDP(t, ip, UDPOptions{LateJoin: true})
		at := trunk.LocalAddr()
		branch := must[*UDP](t)(trunk.Branch(x.LocalAddr()))
		defer branch.Close()
		if branch.LocalAddr() != at || branch.Peer() != x.LocalAddr() || trunk.Peer().IsValid() {
			t.Errorf("a branch of %v to %v: at %v, to %v", at, x.LocalAddr(), branch.LocalAddr(), branch.Peer())
		}
		if !isBound(t, at) {
			t.Error("the address of a socket with a branch can be bound by others")
		}
		both := []*UDP{x, y}
		for _, peer := range []*UDP{x, y, x} {
			if err := branch.Connect(peer.LocalAddr()); err != nil {
				t.Fatal(err)
			}
			came := sentOn(t, at, n, both, trunk, branch)
			for _, s := range both {
				want := [2]int{n, 0}
				if s == peer {
					want = [2]int{0, n}
				}
				if got := [2]int{came[0][s.LocalAddr()], came[1][s.LocalAddr()]}; got != want {
					t.Errorf("connected to the sender %t: %d at the socket and the branch, want %d", s == peer, got, want)
				}
				for _, from := range []*UDP{trunk, branch} {
					if got := sentOn(t, s.LocalAddr(), n, []*UDP{from}, s)[0]; got[at] != n || len(got) != 1 {
						t.Errorf("to the peer %t, from the branch %t: %v", s == peer, from == branch, got)
					}
				}
			}
		}
		branch.Close()
		if got := sentOn(t, at, n, both, trunk)[0]; got[x.LocalAddr()] != n || got[y.LocalAddr()] != n {
			t.Errorf("after the branch was closed: %v", got)
		}
	})
}

// A branch that cannot be leaves everything as it was.
func TestNoBranch(t *testing.T) {
	ips := loopbacks(t)
	trunk, x := openUDP(t, ips[0], UDPOptions{LateJoin: true}), openUDP(t, ips[0], UDPOptions{LateJoin: true})
	before := openFiles(t)
	for name, to := range map[string]netip.AddrPort{"nobody": {}, "another family": netip.MustParseAddrPort("[::1]:9")} {
		if b, err := trunk.Branch(to); err == nil || b != nil {
			t.Errorf("a branch to %s: %v", name, err)
		}
	}
	if after := openFiles(t); after != before {
		t.Errorf("%d files are open, before %d", after, before)
	}
	if !isBound(t, trunk.LocalAddr()) {
		t.Error("the address of a socket can be bound by others")
	}
	if got := sentOn(t, trunk.LocalAddr(), 5, []*UDP{x}, trunk)[0][x.LocalAddr()]; got != 5 {
		t.Errorf("%d of 5 datagrams", got)
	}
	if b, err := (&UDP{fd: -1}).Branch(x.LocalAddr()); err == nil || b != nil {
		t.Errorf("a branch of a closed socket: %v", err)
	}
}

// A branch whose peer is gone is told so by the kernel, which is nobody's fault: it goes on.
func TestBranchOfOneWhoIsGone(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		trunk, x := openUDP(t, ip, UDPOptions{LateJoin: true}), openUDP(t, ip, UDPOptions{LateJoin: true})
		branch := must[*UDP](t)(trunk.Branch(x.LocalAddr()))
		defer branch.Close()
		x.Close()
		buf := make([]byte, 64)
		for range 5 {
			if err := branch.SendOne(branch.Peer(), []byte("hello")); err != nil {
				t.Fatal(err)
			}
			if _, _, err := branch.RecvOne(buf); err != ErrAgain {
				t.Fatal(err)
			}
		}
		if branch.Counts().Foreign == 0 {
			t.Error("no error was met")
		}
	})
}
