//go:build !linux

package socket

import "net/netip"

// The types and methods are those of Linux, so that their users compile. Since nothing can be opened here,
// no method of an open object is ever reached.

type (
	Poller   struct{}
	Listener struct{}
	Conn     struct{}
	Vector   struct{}
	UDP      struct{}
	Batch    struct{}
	Inbox    struct{}
)

type TCPOptions struct{ Congestion string }

type UDPOptions struct {
	Buffers   int
	PathMTU   bool
	NoOffload bool
	LateJoin  bool
	Shared    bool
}

type UDPCounts struct {
	Segmented uint64
	Refused   uint64
	Joined    uint64
	Truncated uint64
	Foreign   uint64
}

func NewPoller() (*Poller, error) { return nil, ErrNotSupported }

func (p *Poller) Add(fd int, token uint64, write bool) error        { return ErrNotSupported }
func (p *Poller) Want(fd int, token uint64, read, write bool) error { return ErrNotSupported }
func (p *Poller) Remove(fd int) error                               { return ErrNotSupported }
func (p *Poller) Wait(out []Event, limit int64) (int, error)        { return 0, ErrNotSupported }
func (p *Poller) Wake()                                             {}
func (p *Poller) Doorbell() int                                     { return -1 }
func (p *Poller) Close() error                                      { return ErrNotSupported }

func Listen(addr netip.AddrPort, backlog int) (*Listener, error) { return nil, ErrNotSupported }

func (o TCPOptions) Check() error { return ErrNotSupported }
func (o TCPOptions) Listen(addr netip.AddrPort, backlog int) (*Listener, error) {
	return nil, ErrNotSupported
}
func (o TCPOptions) Dial(local netip.Addr, to netip.AddrPort) (*Conn, error) {
	return nil, ErrNotSupported
}

func (l *Listener) Accept() (*Conn, error) { return nil, ErrNotSupported }
func (l *Listener) Addr() netip.AddrPort   { return netip.AddrPort{} }
func (l *Listener) FD() int                { return -1 }
func (l *Listener) Close() error           { return ErrNotSupported }

func Dial(local netip.Addr, to netip.AddrPort) (*Conn, error) { return nil, ErrNotSupported }

func (c *Conn) Connected() error                             { return ErrNotSupported }
func (c *Conn) LocalAddr() netip.AddrPort                    { return netip.AddrPort{} }
func (c *Conn) RemoteAddr() netip.AddrPort                   { return netip.AddrPort{} }
func (c *Conn) FD() int                                      { return -1 }
func (c *Conn) CloseWrite() error                            { return ErrNotSupported }
func (c *Conn) Close() error                                 { return ErrNotSupported }
func (c *Conn) Abort() error                                 { return ErrNotSupported }
func (c *Conn) Send(b []byte, more bool) (int, error)        { return 0, ErrNotSupported }
func (c *Conn) SendVector(v *Vector, more bool) (int, error) { return 0, ErrNotSupported }
func (c *Conn) Recv(b []byte) (int, error)                   { return 0, ErrNotSupported }
func (c *Conn) RecvVector(v *Vector) (int, error)            { return 0, ErrNotSupported }
func (c *Conn) MarkRecords(on bool)                          {}
func (c *Conn) SetNoDelay(on bool) error                     { return ErrNotSupported }
func (c *Conn) SetBuffers(send, receive int) error           { return ErrNotSupported }
func (c *Conn) SetKeepAlive(idle, interval, count int) error { return ErrNotSupported }
func (c *Conn) SetUserTimeout(ms int) error                  { return ErrNotSupported }
func (c *Conn) MSS() (int, error)                            { return 0, ErrNotSupported }
func (c *Conn) Congestion() (string, error)                  { return "", ErrNotSupported }

func NewVector(room int) *Vector { return &Vector{} }

func (v *Vector) Reset()            {}
func (v *Vector) Add(b []byte) bool { return false }
func (v *Vector) Skip(n int)        {}
func (v *Vector) Len() int          { return 0 }
func (v *Vector) Bytes() int        { return 0 }
func (v *Vector) Part(i int) []byte { return nil }

func OpenUDP(local netip.AddrPort, opt UDPOptions) (*UDP, error) { return nil, ErrNotSupported }

func (u *UDP) LocalAddr() netip.AddrPort               { return netip.AddrPort{} }
func (u *UDP) FD() int                                 { return -1 }
func (u *UDP) Offload() Offload                        { return OffloadMissing }
func (u *UDP) Counts() UDPCounts                       { return UDPCounts{} }
func (u *UDP) Buffers() (send, receive int, err error) { return 0, 0, ErrNotSupported }
func (u *UDP) MTU(to netip.AddrPort) (int, error)      { return 0, ErrNotSupported }
func (u *UDP) Close() error                            { return ErrNotSupported }
func (u *UDP) Send(b *Batch) (int, error)              { return 0, ErrNotSupported }
func (u *UDP) Recv(in *Inbox) (int, error)             { return 0, ErrNotSupported }
func (u *UDP) Poll(in *Inbox) (int, error)             { return 0, ErrNotSupported }
func (u *UDP) Join(group netip.Addr, index int) error  { return ErrNotSupported }
func (u *UDP) Leave(group netip.Addr, index int) error { return ErrNotSupported }
func (u *UDP) SetMulticastInterface(index int) error   { return ErrNotSupported }
func (u *UDP) SetMulticastLoop(on bool) error          { return ErrNotSupported }
func (u *UDP) SetMulticastTTL(hops int) error          { return ErrNotSupported }

func (u *UDP) RecvOne(b []byte) (int, netip.AddrPort, error) {
	return 0, netip.AddrPort{}, ErrNotSupported
}

func (u *UDP) SendOne(to netip.AddrPort, b []byte) error { return ErrNotSupported }
func (u *UDP) Joins() bool                               { return false }
func (u *UDP) SetJoin()                                  {}

func NewBatch(datagrams, parts int) *Batch { return &Batch{} }

func (b *Batch) Reset()                  {}
func (b *Batch) Room(parts int) bool     { return false }
func (b *Batch) Begin(to netip.AddrPort) {}
func (b *Batch) Add(p []byte)            {}
func (b *Batch) EndDatagram() bool       { return false }
func (b *Batch) Len() int                { return 0 }
func (b *Batch) Next() int               { return 0 }
func (b *Batch) Drop()                   {}

func NewInbox(messages, buffer int) *Inbox { return &Inbox{} }

func (in *Inbox) Len() int                                { return 0 }
func (in *Inbox) Datagram(i int) ([]byte, netip.AddrPort) { return nil, netip.AddrPort{} }

func InterfaceIndex(name string) (int, error) { return 0, ErrNotSupported }
