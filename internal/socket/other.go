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
)

func NewPoller() (*Poller, error) { return nil, ErrNotSupported }

func (p *Poller) Add(fd int, token uint64, write bool) error    { return ErrNotSupported }
func (p *Poller) Change(fd int, token uint64, write bool) error { return ErrNotSupported }
func (p *Poller) Remove(fd int) error                           { return ErrNotSupported }
func (p *Poller) Wait(out []Event, limit int64) (int, error)    { return 0, ErrNotSupported }
func (p *Poller) Wake()                                         {}
func (p *Poller) Close() error                                  { return ErrNotSupported }

func Listen(addr netip.AddrPort, backlog int) (*Listener, error) { return nil, ErrNotSupported }

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
func (c *Conn) SetQuickAck(on bool) error                    { return ErrNotSupported }
func (c *Conn) SetBuffers(send, receive int) error           { return ErrNotSupported }
func (c *Conn) SetKeepAlive(idle, interval, count int) error { return ErrNotSupported }
func (c *Conn) SetUserTimeout(ms int) error                  { return ErrNotSupported }
func (c *Conn) MSS() (int, error)                            { return 0, ErrNotSupported }

func NewVector(room int) *Vector { return &Vector{} }

func (v *Vector) Reset()            {}
func (v *Vector) Add(b []byte) bool { return false }
func (v *Vector) Skip(n int)        {}
func (v *Vector) Len() int          { return 0 }
func (v *Vector) Bytes() int        { return 0 }
