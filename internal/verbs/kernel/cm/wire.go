package cm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

var order = binary.NativeEndian

// Commands, as rdma_user_cm.h numbers them.
const (
	cmdCreate       = 0
	cmdDestroy      = 1
	cmdResolveRoute = 4
	cmdConnect      = 6
	cmdListen       = 7
	cmdAccept       = 8
	cmdReject       = 9
	cmdDisconnect   = 10
	cmdGetEvent     = 12
	cmdQuery        = 19
	cmdBind         = 20
	cmdResolveAddr  = 21
)

const (
	headerSize   = 8
	privateField = 256 // bytes of the field; its length is counted in eight bits
	paramSize    = 8 + privateField + 8
	storageSize  = 128 // struct sockaddr_storage
	eventSize    = 336
	addressSize  = 16 + 2*storageSize + 8
	portSpaceTCP = 0x106
	typeRC       = 2
)

// MaxPrivate is how many bytes of private data fit.
const MaxPrivate = privateField - 1

// Param is what both sides say of a connection.
type Param struct {
	QP      uint32
	Private []byte
	SRQ     bool
	ReadsIn uint8 // Reads that this side serves at a time
	Reads   uint8 // Reads that this side has under way at a time
	Retries uint8
	RNR     uint8
}

// Errors of what comes from outside.
var (
	errPrivate = fmt.Errorf("more than %d bytes of private data", MaxPrivate)
	errShort   = errors.New("the kernel's answer is too short")
	errAddress = errors.New("neither an IPv4 nor an IPv6 address")
)

// appendParam writes struct rdma_ucm_conn_param.
func appendParam(b []byte, p *Param) ([]byte, error) {
	if len(p.Private) > MaxPrivate {
		return nil, errPrivate
	}
	b = order.AppendUint32(b, p.QP)
	b = order.AppendUint32(b, 0)
	b = append(b, p.Private...)
	b = append(b, make([]byte, privateField-len(p.Private))...)
	return append(b, byte(len(p.Private)), bit(p.SRQ), p.ReadsIn, p.Reads, 0, p.Retries, p.RNR, 1), nil
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// parseParam reads what appendParam writes; the private data is the caller's to keep.
func parseParam(b []byte) (p Param, err error) {
	if len(b) < paramSize {
		return p, errShort
	}
	tail := b[8+privateField:]
	p = Param{QP: order.Uint32(b), SRQ: tail[1] != 0, ReadsIn: tail[2], Reads: tail[3], Retries: tail[5], RNR: tail[6]}
	p.Private = append([]byte(nil), b[8:8+int(tail[0])]...)
	return p, nil
}

// Kind of an event, enum rdma_cm_event_type.
type Kind uint32

// Kinds of events.
const (
	AddrResolved Kind = iota
	AddrError
	RouteResolved
	RouteError
	ConnectRequest
	ConnectResponse
	ConnectError
	Unreachable
	Rejected
	Established
	Disconnected
	DeviceRemoval
	_
	_
	AddrChange
	TimewaitExit
)

// Event is something that the connection manager tells.
type Event struct {
	UID    uint64 // that its ID was made with; of a ConnectRequest, the listener's
	ID     ID
	Kind   Kind
	Status int32 // why, as a negative error number or, of Rejected, a reason
	Param  Param // of ConnectRequest, Established, Rejected: what the peer said
}

// Reason is the status in words.
func (e *Event) Reason() error {
	if e.Status < 0 {
		return syscall.Errno(-e.Status)
	}
	return fmt.Errorf("event %d with status %d of the connection manager", e.Kind, e.Status)
}

// parseEvent reads struct rdma_ucm_event_resp. Older kernels leave out the end.
func parseEvent(b []byte) (e Event, err error) {
	const fixed = 20
	if len(b) < fixed+paramSize {
		return e, errShort
	}
	e = Event{UID: order.Uint64(b), ID: ID(order.Uint32(b[8:])), Kind: Kind(order.Uint32(b[12:])), Status: int32(order.Uint32(b[16:]))}
	e.Param, err = parseParam(b[fixed:])
	return e, err
}

// appendAddr writes struct sockaddr_storage and tells how many bytes of it count.
func appendAddr(b []byte, a netip.AddrPort) ([]byte, int, error) {
	start, ip := len(b), a.Addr().Unmap()
	switch {
	case ip.Is4():
		b = order.AppendUint16(b, syscall.AF_INET)
		b = binary.BigEndian.AppendUint16(b, a.Port())
		b = append(b, ip.AsSlice()...)
		b = append(b, make([]byte, 8)...)
	case ip.Is6() && ip.Zone() == "":
		b = order.AppendUint16(b, syscall.AF_INET6)
		b = binary.BigEndian.AppendUint16(b, a.Port())
		b = append(b, make([]byte, 4)...)
		b = append(b, ip.AsSlice()...)
		b = append(b, make([]byte, 4)...)
	default:
		return nil, 0, fmt.Errorf("%v is %w", a, errAddress)
	}
	used := len(b) - start
	return append(b, make([]byte, storageSize-used)...), used, nil
}

// parseAddr reads it.
func parseAddr(b []byte) (netip.AddrPort, error) {
	if len(b) < 28 {
		return netip.AddrPort{}, errShort
	}
	port := binary.BigEndian.Uint16(b[2:])
	switch order.Uint16(b) {
	case syscall.AF_INET:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), port), nil
	case syscall.AF_INET6:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])).Unmap(), port), nil
	}
	return netip.AddrPort{}, errAddress
}

// parseAddrs reads struct rdma_ucm_query_addr_resp: the near and the far end.
func parseAddrs(b []byte) (near, far netip.AddrPort, err error) {
	if len(b) < addressSize {
		return near, far, errShort
	}
	if near, err = parseAddr(b[16:]); err == nil && order.Uint16(b[14:]) > 0 {
		far, err = parseAddr(b[16+storageSize:])
	}
	return near, far, err
}
