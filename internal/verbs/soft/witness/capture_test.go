package witness

import (
	"encoding/binary"
	"io"
	"net/netip"
	"sync"
)

// capture writes packets as a pcap file: Ethernet, IPv4, then TCP or UDP. Packets are one microsecond
// apart: what counts is their order. It may be used by several goroutines; the first error of the writer is
// kept and returned by finish.
type capture struct {
	mu    sync.Mutex
	w     io.Writer
	err   error
	count uint32
	ident uint16 // of IP packets
}

const (
	etherSize = 14
	ipSize    = 20
	tcpSize   = 20
	udpSize   = 8

	protocolTCP = 6
	protocolUDP = 17

	// Bytes of a TCP segment's payload, as on an Ethernet of 1500 bytes.
	segmentSize = 1460
)

// Flags of a TCP header.
const (
	tcpFIN = 0x01
	tcpSYN = 0x02
	tcpPSH = 0x08
	tcpACK = 0x10
)

func newCapture(w io.Writer) *capture {
	c := &capture{w: w}
	head := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4) // microseconds
	head = binary.LittleEndian.AppendUint16(head, 2)
	head = binary.LittleEndian.AppendUint16(head, 4)
	head = append(head, make([]byte, 8)...)
	head = binary.LittleEndian.AppendUint32(head, 1<<18) // longest packet
	head = binary.LittleEndian.AppendUint32(head, 1)     // Ethernet
	c.write(head)
	return c
}

func (c *capture) write(b []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

func (c *capture) finish() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// udp records one datagram.
func (c *capture) udp(from, to netip.AddrPort, payload []byte) {
	h := binary.BigEndian.AppendUint16(nil, from.Port())
	h = binary.BigEndian.AppendUint16(h, to.Port())
	h = binary.BigEndian.AppendUint16(h, uint16(udpSize+len(payload)))
	h = binary.BigEndian.AppendUint16(h, 0)
	h = append(h, payload...)
	sum := transportChecksum(protocolUDP, from.Addr(), to.Addr(), h)
	if sum == 0 {
		sum = 0xffff // zero would say that there is none
	}
	binary.BigEndian.PutUint16(h[6:], sum)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.packet(protocolUDP, from.Addr(), to.Addr(), h)
}

// packet writes an IP packet that holds the given segment or datagram.
func (c *capture) packet(protocol byte, from, to netip.Addr, transport []byte) {
	size := etherSize + ipSize + len(transport)
	b := binary.LittleEndian.AppendUint32(nil, 0) // seconds
	b = binary.LittleEndian.AppendUint32(b, c.count)
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	c.count++
	b = append(b, 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00)

	c.ident++
	ip := []byte{0x45, 0}
	ip = binary.BigEndian.AppendUint16(ip, uint16(ipSize+len(transport)))
	ip = binary.BigEndian.AppendUint16(ip, c.ident)
	ip = append(ip, 0x40, 0, 64, protocol, 0, 0) // do not fragment
	ip = append(ip, from.AsSlice()...)
	ip = append(ip, to.AsSlice()...)
	binary.BigEndian.PutUint16(ip[10:], checksum(0, ip))
	c.write(append(append(b, ip...), transport...))
}

// connection records one TCP connection. Ends and directions are numbered: 0 connected to 1.
type connection struct {
	c    *capture
	ends [2]netip.AddrPort
	next [2]uint32 // sequence number of the next byte
}

// connect records a handshake.
func (c *capture) connect(from, to netip.AddrPort) *connection {
	n := &connection{c: c, ends: [2]netip.AddrPort{from, to}, next: [2]uint32{1000, 2000}}
	n.segment(0, tcpSYN, nil)
	n.segment(1, tcpSYN|tcpACK, nil)
	n.segment(0, tcpACK, nil)
	return n
}

// data records bytes sent by an end, in segments.
func (n *connection) data(from int, b []byte) {
	for len(b) > 0 {
		k := min(len(b), segmentSize)
		n.segment(from, tcpPSH|tcpACK, b[:k])
		b = b[k:]
	}
}

// end records that an end sends no more.
func (n *connection) end(from int) { n.segment(from, tcpFIN|tcpACK, nil) }

func (n *connection) segment(from int, flags byte, payload []byte) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	src, dst := n.ends[from], n.ends[1-from]
	h := binary.BigEndian.AppendUint16(nil, src.Port())
	h = binary.BigEndian.AppendUint16(h, dst.Port())
	h = binary.BigEndian.AppendUint32(h, n.next[from])
	acknowledged := n.next[1-from]
	if flags&tcpACK == 0 {
		acknowledged = 0
	}
	h = binary.BigEndian.AppendUint32(h, acknowledged)
	h = append(h, tcpSize/4<<4, flags, 0xff, 0xff, 0, 0, 0, 0)
	h = append(h, payload...)
	binary.BigEndian.PutUint16(h[16:], transportChecksum(protocolTCP, src.Addr(), dst.Addr(), h))
	n.c.packet(protocolTCP, src.Addr(), dst.Addr(), h)
	n.next[from] += uint32(len(payload))
	if flags&(tcpSYN|tcpFIN) != 0 {
		n.next[from]++
	}
}

// transportChecksum is that of TCP and UDP: over addresses, protocol, length and the bytes.
func transportChecksum(protocol byte, from, to netip.Addr, b []byte) uint16 {
	pseudo := append(from.AsSlice(), to.AsSlice()...)
	pseudo = append(pseudo, 0, protocol)
	pseudo = binary.BigEndian.AppendUint16(pseudo, uint16(len(b)))
	var sum uint32
	for ; len(pseudo) > 0; pseudo = pseudo[2:] {
		sum += uint32(binary.BigEndian.Uint16(pseudo))
	}
	return checksum(sum, b)
}

// checksum is the Internet checksum of b, begun with a sum of 16-bit words.
func checksum(sum uint32, b []byte) uint16 {
	for ; len(b) >= 2; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
		sum = sum&0xffff + sum>>16
	}
	if len(b) == 1 {
		sum += uint32(b[0]) << 8
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}
