package cm

import (
	"fmt"
	"net/netip"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Manager is the connection manager, as one user of it. Calls may be made from any goroutine.
type Manager struct{ fd int }

// Connector is the manager in its parts.
func (m *Manager) Connector() Connector { return Connector{m, m, m} }

// Open opens the connection manager.
func Open() (*Manager, error) {
	// Not an os.File: that would wait until the file can be written to, and it never says so.
	fd, err := unix.Open(File, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s (module rdma_ucm): %w", File, err)
	}
	return &Manager{fd: fd}, nil
}

// FD is the file, readable while there is an event.
func (m *Manager) FD() int { return m.fd }

// Close ends all connections.
func (m *Manager) Close() error { return unix.Close(m.fd) }

// begin starts a command.
func begin(command uint32) []byte {
	return append(order.AppendUint32(make([]byte, 0, 400), command), 0, 0, 0, 0)
}

// answer is where the kernel puts what it answers to a command. It is on the heap, whose objects stay where they are.
type answer [eventSize]byte

// keep has every answer escape to the heap.
var keep atomic.Pointer[answer]

// room makes room for an answer, and tells where it is.
func room() (*answer, uint64) {
	a := new(answer)
	keep.Store(a)
	return a, uint64(uintptr(unsafe.Pointer(a)))
}

// do gives a command to the kernel, with room for an answer.
func (m *Manager) do(b []byte, out *answer, size int) error {
	order.PutUint16(b[4:], uint16(len(b)-headerSize))
	order.PutUint16(b[6:], uint16(size))
	_, err := unix.Write(m.fd, b)
	runtime.KeepAlive(out)
	return err
}

// Create makes an ID; its events carry uid.
func (m *Manager) Create(uid uint64) (ID, error) {
	out, here := room()
	b := order.AppendUint64(begin(cmdCreate), uid)
	b = order.AppendUint64(b, here)
	b = order.AppendUint16(b, portSpaceTCP)
	b = append(b, typeRC, 0, 0, 0, 0, 0)
	if err := m.do(b, out, 4); err != nil {
		return 0, fmt.Errorf("make an ID of the connection manager: %w", err)
	}
	return ID(order.Uint32(out[:])), nil
}

// Destroy gives an ID back, whatever its state. Events of it that were not taken yet are lost.
func (m *Manager) Destroy(id ID) error {
	out, here := room()
	b := order.AppendUint64(begin(cmdDestroy), here)
	return m.do(order.AppendUint32(order.AppendUint32(b, uint32(id)), 0), out, 4)
}

// Bind gives an ID a local address, and by that a device.
func (m *Manager) Bind(id ID, a netip.AddrPort) error {
	b := order.AppendUint32(begin(cmdBind), uint32(id))
	at := len(b)
	b, n, err := appendAddr(append(b, 0, 0, 0, 0), a)
	if err != nil {
		return err
	}
	order.PutUint16(b[at:], uint16(n))
	return m.do(b, nil, 0)
}

// Listen has an ID take connections, each as a ConnectRequest.
func (m *Manager) Listen(id ID, backlog int) error {
	return m.do(order.AppendUint32(order.AppendUint32(begin(cmdListen), uint32(id)), uint32(backlog)), nil, 0)
}

// ResolveAddr looks for the way to an address; AddrResolved or AddrError follows.
func (m *Manager) ResolveAddr(id ID, to netip.AddrPort, milliseconds uint32) error {
	b := order.AppendUint32(order.AppendUint32(begin(cmdResolveAddr), uint32(id)), milliseconds)
	at := len(b)
	b = append(b, make([]byte, 8+storageSize)...)
	b, n, err := appendAddr(b, to)
	if err != nil {
		return err
	}
	order.PutUint16(b[at+2:], uint16(n))
	return m.do(b, nil, 0)
}

// ResolveRoute goes on with that; RouteResolved or RouteError follows.
func (m *Manager) ResolveRoute(id ID, milliseconds uint32) error {
	return m.do(order.AppendUint32(order.AppendUint32(begin(cmdResolveRoute), uint32(id)), milliseconds), nil, 0)
}

// Connect asks for a connection; Established, Rejected, Unreachable or ConnectError follows.
func (m *Manager) Connect(id ID, p *Param) error {
	b, err := appendParam(begin(cmdConnect), p)
	if err != nil {
		return err
	}
	return m.do(append(order.AppendUint32(b, uint32(id)), make([]byte, 12)...), nil, 0)
}

// Accept takes a connection that was asked for; its events carry uid from now on. Established follows.
func (m *Manager) Accept(id ID, uid uint64, p *Param) error {
	b, err := appendParam(order.AppendUint64(begin(cmdAccept), uid), p)
	if err != nil {
		return err
	}
	return m.do(append(order.AppendUint32(b, uint32(id)), make([]byte, 12)...), nil, 0)
}

// Reject refuses it.
func (m *Manager) Reject(id ID, private []byte) error {
	if len(private) > MaxPrivate {
		return errPrivate
	}
	b := append(order.AppendUint32(begin(cmdReject), uint32(id)), byte(len(private)), 0, 0, 0)
	return m.do(append(append(b, private...), make([]byte, privateField-len(private))...), nil, 0)
}

// Disconnect ends a connection; both ends see Disconnected.
func (m *Manager) Disconnect(id ID) error {
	return m.do(order.AppendUint32(begin(cmdDisconnect), uint32(id)), nil, 0)
}

// Addrs are the ends of a connection; a listener has no far one.
func (m *Manager) Addrs(id ID) (near, far netip.AddrPort, err error) {
	out, here := room()
	b := order.AppendUint64(begin(cmdQuery), here)
	if err := m.do(order.AppendUint32(order.AppendUint32(b, uint32(id)), 0), out, addressSize); err != nil {
		return near, far, err
	}
	return parseAddrs(out[:addressSize])
}

// Next takes an event; it answers EAGAIN if there is none.
func (m *Manager) Next() (Event, error) {
	out, here := room()
	if err := m.do(order.AppendUint64(begin(cmdGetEvent), here), out, eventSize); err != nil {
		return Event{}, err
	}
	return parseEvent(out[:])
}
