package socket

import (
	"net/netip"
	"syscall"
)

// Sizes of datagrams and of the messages that carry several of them.
const (
	// MaxDatagram is the largest payload that every UDP socket can send: 65535 less the headers of IPv4 and UDP.
	MaxDatagram = 65507
	// maxPayload is the largest there is, on IPv6.
	maxPayload = 65527
	// maxSegments is how many datagrams one message may carry; all kernels with the offload take so many.
	maxSegments = 64
	// maxParts is the most pieces the kernel takes in one gather list.
	maxParts = 1024
	// smallSegment fits every path, IPv6 demands 1280 bytes with its headers: if the kernel refuses to segment
	// this, size is not the reason.
	smallSegment = 1280 - 48
)

// Offload says whether a UDP socket lets the kernel cut large messages into datagrams (UDP_SEGMENT).
type Offload uint8

const (
	OffloadOn      Offload = iota
	OffloadOff             // the opener did not want it
	OffloadMissing         // the kernel has none
	OffloadRefused         // the kernel said no to a message; datagrams leave one by one since
)

func (o Offload) String() string {
	switch o {
	case OffloadOn:
		return "on"
	case OffloadOff:
		return "off"
	case OffloadMissing:
		return "missing"
	case OffloadRefused:
		return "refused"
	}
	return "unknown"
}

// PayloadFor is the largest UDP payload to an address that needs no fragments when the path carries packets of
// mtu bytes, never above MaxDatagram.
func PayloadFor(mtu int, to netip.Addr) int {
	headers := 40 + 8
	if to.Is4() || to.Is4In6() {
		headers = 20 + 8
	}
	return min(max(mtu-headers, 0), MaxDatagram)
}

// datagram is one entry of a Batch: size bytes in some parts of its gather list, from the first on.
type datagram struct {
	to           netip.AddrPort
	first, parts int
	size         int
}

// runLength says how many of the datagrams, from the first on, may leave as one segmented message: to one
// address, of one size not above limit, though the last may be smaller. 1 means as itself.
func runLength(d []datagram, limit int) int {
	size := d[0].size
	if size == 0 || size > limit {
		return 1
	}
	total, parts := size, d[0].parts
	for n := 1; n < len(d); n++ {
		next := &d[n]
		total += next.size
		parts += next.parts
		if n == maxSegments || next.size == 0 || next.size > size || total > MaxDatagram || parts > maxParts || next.to != d[0].to {
			return n
		}
		if next.size < size {
			return n + 1
		}
	}
	return len(d)
}

// verdict is what to do about an error that a message met.
type verdict uint8

const (
	report   verdict = iota // it is the datagram's own: tell the caller
	retry                   // it was about something else: the same once more
	smaller                 // the kernel does not segment this size: plainly, and so for all as large from now on
	switched                // the kernel does not segment: plainly, and so for all from now on
)

// judge reads the error of a message of run datagrams of so many bytes. A refused message was not sent at all.
func judge(errno syscall.Errno, run, size int) verdict {
	switch errno {
	case syscall.ECONNREFUSED, syscall.EINTR:
		// A port far away was closed when an earlier datagram came: not this one's affair.
		return retry
	}
	if run == 1 {
		return report
	}
	switch errno {
	case syscall.EMSGSIZE:
		return smaller
	case syscall.EINVAL: // older kernels say so for size as well
		if size > smallSegment {
			return smaller
		}
		return switched
	case syscall.EIO, syscall.EOPNOTSUPP, syscall.ENOPROTOOPT:
		return switched
	}
	return report
}
