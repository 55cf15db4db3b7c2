package doctor

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Target is another host's ear.
type Target struct {
	Host   int    `json:"host"` // its number in this examination
	Ear    Ear    `json:"ear"`
	Secret Secret `json:"secret"`
}

// Outcome is what came of trying to reach an ear.
type Outcome string

// The outcomes. Anything else is an error's text.
const (
	Passed      Outcome = "passed"
	Refused     Outcome = "refused"     // somebody said no
	Silent      Outcome = "silent"      // nobody said anything
	Unreachable Outcome = "unreachable" // this host does not know how to get there
	Stranger    Outcome = "stranger"    // somebody else answered
	Forbidden   Outcome = "forbidden"   // this host does not let it out
	Untried     Outcome = "untried"
)

// Reached is what a host found about one target.
type Reached struct {
	Host  int        `json:"host"`
	Ear   Ear        `json:"ear"`   // with the ports that the outcomes are of: the first, or one that fared worse
	Local netip.Addr `json:"local"` // the address it goes out from, by its routes
	TCP   Outcome    `json:"tcp"`
	UDP   Outcome    `json:"udp"`
	Size  int        `json:"size"`  // bytes of the largest packet of that interface
	Large Outcome    `json:"large"` // a packet of that size by UDP
}

// reacher tries targets. patience is how long one try by TCP may take, and roughly one by UDP.
type reacher struct {
	patience time.Duration
}

const (
	reachCrowd = 64 // targets tried at a time
	udpTries   = 5
)

// all tries every target and keeps their order.
func (r reacher) all(ctx context.Context, targets []Target) []Reached {
	found := make([]Reached, len(targets))
	seats := make(chan struct{}, reachCrowd)
	var wait sync.WaitGroup
	for i, t := range targets {
		seats <- struct{}{}
		wait.Go(func() {
			found[i] = r.one(ctx, t)
			<-seats
		})
	}
	wait.Wait()
	return found
}

func (r reacher) one(ctx context.Context, t Target) Reached {
	found := Reached{Host: t.Host, Ear: t.Ear, TCP: Untried, UDP: Untried, Large: Untried}
	if t.Ear.Trouble != "" {
		return found
	}
	var wait sync.WaitGroup
	wait.Go(func() { r.tcp(ctx, t, &found) })
	wait.Go(func() { r.udp(t, &found) })
	wait.Wait()
	return found
}

// tcp tries the ports one after the other until one does not pass.
func (r reacher) tcp(ctx context.Context, t Target, found *Reached) {
	found.TCP = r.call(ctx, t, t.Ear.TCP)
	for _, port := range t.Ear.MoreTCP {
		if port == 0 || found.TCP != Passed {
			continue
		}
		if o := r.call(ctx, t, port); o != Passed {
			found.TCP, found.Ear.TCP = o, port
		}
	}
}

// call tries one port by TCP.
func (r reacher) call(ctx context.Context, t Target, port uint16) Outcome {
	dialer := net.Dialer{Timeout: r.patience}
	conn, err := dialer.DialContext(ctx, "tcp", netip.AddrPortFrom(t.Ear.Address, port).String())
	if err != nil {
		return outcome(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(r.patience)); err != nil {
		return outcome(err)
	}
	if _, err := conn.Write(t.Secret.Ask[:]); err != nil {
		return outcome(err)
	}
	var answer [16]byte
	_, err = io.ReadFull(conn, answer[:])
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, unix.ECONNRESET):
		return Stranger
	case err != nil:
		return outcome(err)
	case answer != t.Secret.Answer:
		return Stranger
	}
	return Passed
}

// udp tries the ports one after the other until one does not pass.
func (r reacher) udp(t Target, found *Reached) {
	r.first(t, found)
	for _, port := range t.Ear.MoreUDP {
		if port == 0 || found.UDP != Passed {
			continue
		}
		conn, err := dialUDP(t, port)
		if err != nil {
			found.UDP, found.Ear.UDP = outcome(err), port
			return
		}
		if o := r.ask(conn, t.Secret, len(t.Secret.Ask)); o != Passed {
			found.UDP, found.Ear.UDP = o, port
		}
		conn.Close()
	}
}

func dialUDP(t Target, port uint16) (*net.UDPConn, error) {
	return net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(t.Ear.Address, port)))
}

// first tries a small datagram to the first port and, when that passes, one that fills a packet of the
// interface it goes out by.
func (r reacher) first(t Target, found *Reached) {
	conn, err := dialUDP(t, t.Ear.UDP)
	if err != nil {
		found.UDP = outcome(err)
		return
	}
	defer conn.Close()
	found.Local = conn.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap()
	found.UDP = r.ask(conn, t.Secret, len(t.Secret.Ask))
	if found.UDP != Passed {
		return
	}
	found.Size = mtuOf(found.Local)
	headers := 20 + 8
	if t.Ear.Address.Is6() {
		headers = 40 + 8
	}
	if found.Size <= headers+len(t.Secret.Ask) || found.Size > 65535 || inOnePiece(conn) != nil {
		return
	}
	found.Large = r.ask(conn, t.Secret, found.Size-headers)
}

// ask sends a datagram of a size and waits for the answer, several times.
func (r reacher) ask(conn *net.UDPConn, s Secret, size int) Outcome {
	question := make([]byte, size)
	copy(question, s.Ask[:])
	result := Silent
	for range udpTries {
		if _, err := conn.Write(question); err != nil {
			// A complaint about an earlier datagram comes with the next one, and a firewall's may come late.
			result = outcome(err)
		}
		if err := conn.SetReadDeadline(time.Now().Add(r.patience / udpTries)); err != nil {
			return outcome(err)
		}
		var answer [17]byte
		n, err := conn.Read(answer[:])
		switch {
		case err == nil && n == 16 && [16]byte(answer[:16]) == s.Answer:
			return Passed
		case err == nil:
			result = Stranger
		case outcome(err) != Silent:
			result = outcome(err)
		}
	}
	return result
}

// outcome names the error of a try.
func outcome(err error) Outcome {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, unix.ECONNREFUSED):
		return Refused
	case errors.Is(err, unix.EHOSTUNREACH), errors.Is(err, unix.ENETUNREACH), errors.Is(err, unix.ENETDOWN):
		return Unreachable
	case errors.Is(err, unix.EPERM):
		return Forbidden
	case errors.As(err, &timeout) && timeout.Timeout():
		return Silent
	}
	return Outcome(err.Error())
}

// mtuOf is the size of the largest packet of the interface with an address, 0 if there is none.
func mtuOf(local netip.Addr) int {
	for _, i := range interfaces() {
		f := Facts{Interfaces: []Interface{i}}
		if f.holder(local) != nil {
			return i.MTU
		}
	}
	return 0
}

// inOnePiece forbids that datagrams are cut into pieces, whatever the kernel has learnt about the path before.
func inOnePiece(conn *net.UDPConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var err4, err6 error
	err = raw.Control(func(fd uintptr) {
		err4 = syscall.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_PROBE)
		err6 = syscall.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_PROBE)
	})
	if err4 != nil && err6 != nil {
		return err4
	}
	return err
}
