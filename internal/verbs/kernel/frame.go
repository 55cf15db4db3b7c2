package kernel

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs/auth"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// What peers say to each other over TCP: frames of a length in two bytes, which counts what follows it, a
// kind, and a body.
type frameKind uint8

const (
	frameRequest frameKind = iota + 1 // place and private data, proven
	frameAccept                       // likewise, of the acceptor
	frameReject                       // private data, proven
	frameReady                        // the initiator may be sent to: its last proof
	frameBroken                       // the sender's queue pair has failed: one byte, whether the driver will tell the receiver why, and the reason
	frameBye                          // an orderly end: all that was sent has been acknowledged
)

const (
	maxPrivate  = 252
	placeSize   = 16 + 2 + 4 + 4 + 1 + 1 + 1
	maxReason   = 200
	maxBody     = auth.Size + placeSize + maxPrivate
	frameHeader = 3
)

// place is where a queue pair is, and what it is ready for.
type place struct {
	gid            ibv.GID
	lid            uint16
	qp, psn        uint32
	mtu            ibv.MTU
	reads, readsIn uint8
}

// Errors of what peers say.
var (
	errFrame = errors.New("the peer does not speak as it should")
	errPlace = fmt.Errorf("%w: it does not say where it is", errFrame)
)

// appendPlace writes a place.
func appendPlace(b []byte, p *place) []byte {
	b = append(b, p.gid[:]...)
	b = binary.BigEndian.AppendUint16(b, p.lid)
	b = binary.BigEndian.AppendUint32(b, p.qp)
	b = binary.BigEndian.AppendUint32(b, p.psn)
	return append(b, byte(p.mtu), p.reads, p.readsIn)
}

// parsePlace reads a place, and gives what follows it.
func parsePlace(b []byte) (p place, rest []byte, err error) {
	if len(b) < placeSize {
		return p, nil, errPlace
	}
	p.gid = ibv.GID(b[:16])
	p.lid = binary.BigEndian.Uint16(b[16:])
	p.qp, p.psn = binary.BigEndian.Uint32(b[18:]), binary.BigEndian.Uint32(b[22:])
	p.mtu, p.reads, p.readsIn = ibv.MTU(b[26]), b[27], b[28]
	if p.mtu.Bytes() == 0 || p.qp >= 1<<24 || p.psn >= 1<<24 {
		return p, nil, errPlace
	}
	return p, b[placeSize:], nil
}

// appendFrame writes a frame.
func appendFrame(b []byte, kind frameKind, body []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(1+len(body)))
	return append(append(b, byte(kind)), body...)
}

// parseFrame reads the frame that b begins with; used is 0 if it has not come whole. The body lies in b.
func parseFrame(b []byte) (kind frameKind, body []byte, used int, err error) {
	if len(b) < frameHeader {
		return 0, nil, 0, nil
	}
	n := int(binary.BigEndian.Uint16(b))
	if kind = frameKind(b[2]); n < 1 || n > 1+maxBody || kind < frameRequest || kind > frameBye {
		return 0, nil, 0, errFrame
	}
	if len(b) < 2+n {
		return 0, nil, 0, nil
	}
	return kind, b[frameHeader : 2+n], 2 + n, nil
}

// appendBroken writes the body of frameBroken.
func appendBroken(b []byte, told bool, reason string) []byte {
	if told {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	return append(b, reason[:min(len(reason), maxReason)]...)
}

// parseBroken reads it; what is not text is made so.
func parseBroken(b []byte) (told bool, reason string, err error) {
	if len(b) < 1 || len(b) > 1+maxReason || b[0] > 1 {
		return false, "", errFrame
	}
	return b[0] == 1, fmt.Sprintf("%+q", b[1:]), nil
}
