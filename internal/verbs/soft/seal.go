package soft

import (
	"net/netip"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/seal"
)

// Datagrams end with a CRC, which finds damage, or between processes of a job with a seal, which
// finds forgeries and repetitions, too, and encrypts them if the device is to.

// trailer is how many bytes there are behind what a datagram carries.
func (d *datagrams) trailer() int {
	if d.sealKey != nil {
		return seal.Size
	}
	return iwarp.CRCSize
}

// sealsAt makes the seals of a socket that has its address, nil on a device that has no key for
// them. Members of a multicast group open what was sent to the group's address.
func (d *datagrams) sealsAt(u *udpSocket) *seal.Table[netip.AddrPort] {
	if d.sealKey == nil {
		return nil
	}
	here := u.sock.LocalAddr()
	if u.group.IsValid() {
		here = u.group
	}
	// The time: whoever opens a socket at an address where one was before does so later.
	d.sealEpoch = max(d.sealEpoch+1, uint64(time.Now().UnixNano()))
	return seal.NewTable(d.sealKey, here, d.sealEpoch, addrName)
}

// addrName is what both ends of a direction call an address: its 4 or 16 bytes and the port.
func addrName(a netip.AddrPort) []byte {
	b := a.Addr().Unmap().WithZone("").AsSlice()
	return append(b, byte(a.Port()>>8), byte(a.Port()))
}

// seal adds to b what ends the datagram that begins at from and goes to an address.
func (u *udpSocket) seal(b []byte, from int, to netip.AddrPort) []byte {
	if u.seals == nil {
		return iwarp.SealDatagram(b, from)
	}
	return u.seals.Seal(b, from, to)
}

// unseal returns what a datagram carries, which aliases b. One that is to be dropped is counted.
func (u *udpSocket) unseal(b []byte, from netip.AddrPort) (body []byte, ok bool) {
	c := &u.dev.count
	if u.seals == nil {
		if body, ok = iwarp.OpenDatagram(b); !ok {
			c.badCheck++
		}
		return body, ok
	}
	body, verdict := u.seals.Open(b, from)
	switch verdict {
	case seal.Genuine:
		return body, true
	case seal.Forged:
		c.badTag++
	case seal.Replayed:
		c.replayed++
	case seal.Old:
		c.tooOld++
	case seal.Crowded:
		c.crowded++
	}
	return nil, false
}
