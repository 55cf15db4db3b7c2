package doctor

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Secret is what one host's ears are asked with and what they answer. Each host has its own for one examination, so
// that an answer proves which host gave it; whoever does not know the question is not answered.
type Secret struct {
	Ask    [16]byte `json:"ask"`
	Answer [16]byte `json:"answer"`
}

// Ports is a range of ports, both ends included. The zero value lets the kernel choose.
type Ports struct {
	First uint16 `json:"first"`
	Last  uint16 `json:"last"`
}

// furtherPorts is how many ports are tried beside the first, for a firewall may let that one through alone.
const furtherPorts = 3

// further are the places where further ports are looked for: the rest of the range from a third, two thirds
// and its end on.
func (p Ports) further() (rest []Ports) {
	size := int(p.Last) - int(p.First)
	for i, last := 1, 0; i <= furtherPorts; i++ {
		at := size * i / furtherPorts
		if at > last || p == (Ports{}) {
			rest = append(rest, Ports{p.First + uint16(at), p.Last})
		}
		last = at
	}
	return rest
}

// Ear is an address at which an agent listens, by TCP and by UDP.
type Ear struct {
	Address netip.Addr           `json:"address"`
	TCP     uint16               `json:"tcp"`
	UDP     uint16               `json:"udp"`
	Trouble string               `json:"trouble,omitempty"` // why it does not listen; the ports are 0 then
	MoreTCP [furtherPorts]uint16 `json:"moreTCP"`           // further ports, 0 where none is free
	MoreUDP [furtherPorts]uint16 `json:"moreUDP"`
}

const (
	earPatience = 5 * time.Second // for a stranger to say what it wants
	earCrowd    = 256             // connections at a time
)

// ears listens on behalf of one host until it is closed.
type ears struct {
	secret  Secret
	seats   chan struct{}
	closers []io.Closer
	all     sync.WaitGroup
}

// listen opens the ears of a host at all given addresses.
func listen(secret Secret, addresses []netip.Addr, ports Ports) (*ears, []Ear) {
	e := &ears{secret: secret, seats: make(chan struct{}, earCrowd)}
	var open []Ear
	for _, a := range addresses {
		ear := Ear{Address: a}
		if err := e.open(&ear, ports); err != nil {
			ear = Ear{Address: a, Trouble: err.Error()}
		}
		open = append(open, ear)
	}
	return e, open
}

// open listens at an address: at the first free port, which must be had, and at further ones of the range.
func (e *ears) open(ear *Ear, ports Ports) (err error) {
	if ear.TCP, err = e.openTCP(ear.Address, ports); err != nil {
		return err
	}
	if ear.UDP, err = e.openUDP(ear.Address, ports); err != nil {
		return err
	}
	for i, rest := range ports.further() { // none is left where others listen; that is not our business
		ear.MoreTCP[i], _ = e.openTCP(ear.Address, rest)
		ear.MoreUDP[i], _ = e.openUDP(ear.Address, rest)
	}
	return nil
}

func (e *ears) openTCP(at netip.Addr, ports Ports) (got uint16, err error) {
	err = firstFree(ports, func(port uint16) error {
		l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(at, port)))
		if err != nil {
			return err
		}
		got = l.Addr().(*net.TCPAddr).AddrPort().Port()
		e.closers = append(e.closers, l)
		e.all.Go(func() { e.hear(l) })
		return nil
	})
	return got, err
}

func (e *ears) openUDP(at netip.Addr, ports Ports) (got uint16, err error) {
	err = firstFree(ports, func(port uint16) error {
		c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(at, port)))
		if err != nil {
			return err
		}
		got = c.LocalAddr().(*net.UDPAddr).AddrPort().Port()
		e.closers = append(e.closers, c)
		e.all.Go(func() { e.echo(c) })
		return nil
	})
	return got, err
}

// firstFree tries the ports of a range until one is not in use.
func firstFree(ports Ports, try func(port uint16) error) error {
	for port := int(ports.First); port <= int(ports.Last); port++ {
		err := try(uint16(port))
		if !errors.Is(err, unix.EADDRINUSE) {
			return err
		}
	}
	return fmt.Errorf("all ports from %d to %d are in use", ports.First, ports.Last)
}

// hear answers connections that ask rightly.
func (e *ears) hear(l *net.TCPListener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		select {
		case e.seats <- struct{}{}:
		default:
			conn.Close()
			continue
		}
		e.all.Go(func() {
			defer func() { <-e.seats }()
			defer conn.Close()
			var asked [16]byte
			if conn.SetDeadline(time.Now().Add(earPatience)) != nil {
				return
			}
			if _, err := io.ReadFull(conn, asked[:]); err != nil || !e.right(asked[:]) {
				return
			}
			// Who has gone away meanwhile will notice by itself.
			_, _ = conn.Write(e.secret.Answer[:])
		})
	}
}

// echo answers datagrams that ask rightly, never with more than was sent.
func (e *ears) echo(c *net.UDPConn) {
	buffer := make([]byte, 1<<16)
	for {
		n, from, err := c.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil && n >= len(e.secret.Ask) && e.right(buffer[:len(e.secret.Ask)]) {
			// A lost answer is asked for again.
			_, _ = c.WriteToUDPAddrPort(e.secret.Answer[:], from)
		}
	}
}

func (e *ears) right(asked []byte) bool {
	return subtle.ConstantTimeCompare(asked, e.secret.Ask[:]) == 1
}

// close stops listening. It returns when nobody is being answered any more.
func (e *ears) close() {
	for _, c := range e.closers {
		c.Close()
	}
	e.all.Wait()
}
