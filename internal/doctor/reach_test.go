package doctor

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"testing"
	"time"
)

var loopback = netip.MustParseAddr("127.0.0.1")

func addresses(a ...netip.Addr) []netip.Addr { return a }

func secretOf(b byte) Secret {
	var s Secret
	for i := range s.Ask {
		s.Ask[i], s.Answer[i] = b, b+1
	}
	return s
}

// open listens on loopback for the time of a test.
func open(t *testing.T, s Secret, ports Ports) Ear {
	t.Helper()
	e, open := listen(s, []netip.Addr{loopback}, ports)
	t.Cleanup(e.close)
	if len(open) != 1 {
		t.Fatalf("%+v", open)
	}
	return open[0]
}

// TestReach tries ears that answer, ears of somebody else, and none.
func TestReach(t *testing.T) {
	t.Parallel()
	ear := open(t, secretOf(1), Ports{})
	deaf := open(t, secretOf(2), Ports{})
	mute, err := net.Listen("tcp", "127.0.0.1:0") // which accepts and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	muteUDP, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer muteUDP.Close()
	silent := Ear{Address: loopback, TCP: uint16(mute.Addr().(*net.TCPAddr).Port), UDP: uint16(muteUDP.LocalAddr().(*net.UDPAddr).Port)}
	closed := Ear{Address: loopback, TCP: 1, UDP: 1}
	troubled := Ear{Address: loopback, Trouble: "no port"}
	r := reacher{2 * time.Second}
	got := r.all(t.Context(), []Target{
		{0, ear, secretOf(1)}, {1, deaf, secretOf(1)}, {2, silent, secretOf(1)}, {3, closed, secretOf(1)}, {4, troubled, secretOf(1)},
	})
	for i, want := range []Reached{
		{0, ear, loopback, Passed, Passed, 0, Untried},
		{1, deaf, loopback, Stranger, Silent, 0, Untried},
		{2, silent, loopback, Silent, Silent, 0, Untried},
		{3, closed, loopback, Refused, Refused, 0, Untried},
		{4, troubled, netip.Addr{}, Untried, Untried, 0, Untried},
	} {
		if got[i] != want {
			t.Errorf("got %+v, want %+v", got[i], want)
		}
	}
}

// TestOnePortOpen meets hosts of which the first port can be reached and a further one cannot: that one is told.
func TestOnePortOpen(t *testing.T) {
	ear := open(t, secretOf(1), Ports{})
	r := reacher{10 * time.Second}
	for i := range furtherPorts {
		half := ear
		half.MoreTCP[i], half.MoreUDP[i] = 1, 1
		got := r.one(t.Context(), Target{0, half, secretOf(1)})
		if got.TCP != Refused || got.UDP != Refused || got.Ear.TCP != 1 || got.Ear.UDP != 1 {
			t.Errorf("further port %d is closed: %+v", i, got)
		}
		half.MoreTCP[i], half.MoreUDP[i] = 0, 0
		if got := r.one(t.Context(), Target{0, half, secretOf(1)}); got.TCP != Passed || got.UDP != Passed || got.Ear != half {
			t.Errorf("further port %d is not there: %+v", i, got)
		}
	}
}

// TestFurtherPorts looks at where ports are tried beside the first.
func TestFurtherPorts(t *testing.T) {
	for _, c := range []struct{ ports, want string }{
		{"20000-20100", "[{20033 20100} {20066 20100} {20100 20100}]"},
		{"20000-20002", "[{20001 20002} {20002 20002}]"},
		{"20000-20001", "[{20001 20001}]"},
		{"20000-20000", "[]"},
		{"0-0", "[{0 0} {0 0} {0 0}]"},
		{"1-65535", "[{21845 65535} {43690 65535} {65535 65535}]"},
	} {
		var p Ports
		if _, err := fmt.Sscanf(c.ports, "%d-%d", &p.First, &p.Last); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.further()); got != c.want {
			t.Errorf("%s: %s, want %s", c.ports, got, c.want)
		}
	}
	ear := open(t, secretOf(1), Ports{})
	seen := map[uint16]bool{ear.TCP: true}
	for _, port := range ear.MoreTCP {
		if port == 0 || seen[port] {
			t.Errorf("further ports: %+v", ear)
		}
		seen[port] = true
	}
}

// TestWrongAnswer meets a host that answers something else.
func TestWrongAnswer(t *testing.T) {
	ear := open(t, Secret{Ask: secretOf(1).Ask, Answer: secretOf(7).Answer}, Ports{})
	got := reacher{10 * time.Second}.one(t.Context(), Target{0, ear, secretOf(1)})
	if got.TCP != Stranger || got.UDP != Stranger {
		t.Errorf("%+v", got)
	}
}

// TestLargeDatagram goes out by the loopback, whose packets are too large to try, so the size is asked for directly.
func TestLargeDatagram(t *testing.T) {
	ear := open(t, secretOf(1), Ports{})
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, ear.UDP)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := inOnePiece(conn); err != nil {
		t.Fatal(err)
	}
	if got := (reacher{10 * time.Second}).ask(conn, secretOf(1), 9000-28); got != Passed {
		t.Errorf("a large datagram: %s", got)
	}
}

// TestEarsTellStrangersNothing sends them what they must not answer.
func TestEarsTellStrangersNothing(t *testing.T) {
	ear := open(t, secretOf(1), Ports{})
	right := secretOf(1).Ask
	wrong := right
	wrong[15]++
	for _, question := range [][]byte{wrong[:], right[:15], {}, bytes.Repeat([]byte{0}, 5000)} {
		udp, err := net.Dial("udp", netip.AddrPortFrom(loopback, ear.UDP).String())
		if err != nil {
			t.Fatal(err)
		}
		udp.Write(question)
		udp.Write(right[:]) // whose answer must be the first and only
		udp.SetReadDeadline(time.Now().Add(10 * time.Second))
		buffer := make([]byte, 100)
		if n, err := udp.Read(buffer); err != nil || n != 16 {
			t.Errorf("UDP: %d bytes, %v", n, err)
		}
		udp.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if n, err := udp.Read(buffer); err == nil {
			t.Errorf("UDP: %.20q was answered with %d bytes", question, n)
		}
		udp.Close()
		tcp, err := net.Dial("tcp", netip.AddrPortFrom(loopback, ear.TCP).String())
		if err != nil {
			t.Fatal(err)
		}
		tcp.Write(question)
		tcp.(*net.TCPConn).CloseWrite()
		tcp.SetReadDeadline(time.Now().Add(10 * time.Second))
		if n, err := tcp.Read(buffer); n != 0 || err == nil {
			t.Errorf("TCP: %.20q was answered with %d bytes, %v", question, n, err)
		}
		tcp.Close()
	}
}

// TestEarsAreNotCrowdedOut holds many connections open; datagrams still pass, and the crowd is turned away.
func TestEarsAreNotCrowdedOut(t *testing.T) {
	ear := open(t, secretOf(1), Ports{})
	address := netip.AddrPortFrom(loopback, ear.TCP).String()
	for range earCrowd {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	late, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	late.SetReadDeadline(time.Now().Add(earPatience / 2))
	if _, err := late.Read(make([]byte, 1)); err == nil || outcome(err) == Silent {
		t.Errorf("one too many is not turned away: %v", err)
	}
}

func TestPortRange(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := uint16(taken.Addr().(*net.TCPAddr).Port)
	ear := open(t, secretOf(1), Ports{port, port})
	if ear.Trouble != "all ports from "+strconv.Itoa(int(port))+" to "+strconv.Itoa(int(port))+" are in use" || ear.TCP != 0 {
		t.Errorf("%+v", ear)
	}
	last := min(port, 65000) + 500
	ear = open(t, secretOf(1), Ports{port, last})
	if ear.Trouble != "" || ear.TCP <= port || ear.TCP > last || ear.UDP < port || ear.UDP > last {
		t.Errorf("%+v", ear)
	}
	if e, ears := listen(secretOf(1), []netip.Addr{netip.MustParseAddr("192.0.2.99")}, Ports{}); ears[0].Trouble == "" {
		t.Error("listens at an address that is not here")
		e.close()
	}
}
