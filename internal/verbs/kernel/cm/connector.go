package cm

import "net/netip"

// Connector makes connections: the kernel's manager, or what stands in for it. Calls may be made from any
// goroutine; what becomes of them is an event.
type Connector struct {
	IDs
	Dialer
	Acceptor
}

// IDs are what a Connector gives out, and what it tells of them.
type IDs interface {
	// Create makes an ID; its events carry uid.
	Create(uid uint64) (ID, error)
	// Destroy gives an ID back, whatever its state. Events of it that were not taken yet are lost.
	Destroy(id ID) error
	// Addrs are the ends of a connection; a listener has no far one.
	Addrs(id ID) (near, far netip.AddrPort, err error)
	// FD is a file that is readable while there is an event, Next takes one; it answers EAGAIN if there is none.
	FD() int
	Next() (Event, error)
	Close() error
}

// Dialer asks for connections. Bind, ResolveAddr, ResolveRoute and Connect follow each other.
type Dialer interface {
	Bind(id ID, a netip.AddrPort) error
	ResolveAddr(id ID, to netip.AddrPort, milliseconds uint32) error
	ResolveRoute(id ID, milliseconds uint32) error
	// Connect may block for as long as the peer's host does not answer.
	Connect(id ID, p *Param) error
}

// Acceptor takes connections, and ends them. Bind comes before Listen.
type Acceptor interface {
	Listen(id ID, backlog int) error
	Accept(id ID, uid uint64, p *Param) error
	Reject(id ID, private []byte) error
	Disconnect(id ID) error
}
