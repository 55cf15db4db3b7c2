package socket

import (
	"net/netip"
	"strings"
	"testing"
)

// reno is the algorithm that every kernel has and every process may choose.
var reno = TCPOptions{Congestion: "reno"}

// Connections and those that a listener takes use the algorithm that was asked for; without a wish they use
// the system's.
func TestCongestion(t *testing.T) {
	eachFamily(t, func(t *testing.T, ip netip.Addr) {
		for _, o := range []TCPOptions{{}, reno} {
			if err := o.Check(); err != nil {
				t.Fatal(err)
			}
			l := must[*Listener](t)(o.Listen(netip.AddrPortFrom(ip, 0), 1))
			defer l.Close()
			c := must[*Conn](t)(o.Dial(ip, l.Addr()))
			defer c.Close()
			await(t, l.FD(), false)
			far := must[*Conn](t)(l.Accept())
			defer far.Close()
			for end, c := range map[string]*Conn{"dialed": c, "accepted": far} {
				got := must[string](t)(c.Congestion())
				if o.Congestion != "" && got != o.Congestion || got == "" {
					t.Errorf("%s: %q, asked for %q", end, got, o.Congestion)
				}
			}
			c.Close()
			if _, err := c.Congestion(); err != ErrClosed {
				t.Errorf("of a closed connection: %v", err)
			}
		}
	})
}

// A name that the kernel does not know is refused with those that it does.
func TestCongestionUnknown(t *testing.T) {
	o := TCPOptions{Congestion: "nosuch"}
	_, listening := o.Listen(netip.AddrPortFrom(loopbacks(t)[0], 0), 1)
	_, dialing := o.Dial(netip.Addr{}, netip.AddrPortFrom(loopbacks(t)[0], 1))
	for what, err := range map[string]error{"check": o.Check(), "listen": listening, "dial": dialing} {
		if err == nil || !strings.Contains(err.Error(), `"nosuch"`) || !strings.Contains(err.Error(), "reno") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
