package soft

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// spoiler makes frames that are nearly right out of good ones.
type spoiler struct{ *rand.Rand }

func newSpoiler(seed uint64) spoiler { return spoiler{rand.New(rand.NewPCG(seed, 77))} }

// junk is n random bytes.
func (s spoiler) junk(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.Uint32())
	}
	return b
}

// edges are values at which comparisons go wrong.
var edges = []uint32{0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 1 << 24, 1<<31 - 1, 1 << 31, 1<<32 - 8, 1<<32 - 1}

// spoil returns a changed copy of a good frame: bits turned over, words changed or exchanged, an end cut off, bytes
// added, or the end of another one.
func (s spoiler) spoil(good []byte, others [][]byte) []byte {
	b := append([]byte(nil), good...)
	for range 1 + s.IntN(3) {
		switch n := len(b); s.IntN(7) {
		case 0:
			if n > 0 {
				b[s.IntN(n)] ^= 1 << s.IntN(8)
			}
		case 1:
			if n > 0 {
				b[s.IntN(min(n, 40))] = byte(s.Uint32())
			}
		case 2:
			if n >= 4 {
				binary.BigEndian.PutUint32(b[s.IntN(n-3):], edges[s.IntN(len(edges))])
			}
		case 3:
			if n >= 8 {
				i, j := s.IntN(n-3), s.IntN(n-3)
				x, y := binary.BigEndian.Uint32(b[i:]), binary.BigEndian.Uint32(b[j:])
				binary.BigEndian.PutUint32(b[i:], y)
				binary.BigEndian.PutUint32(b[j:], x)
			}
		case 4:
			b = b[:s.IntN(n+1)]
		case 5:
			b = append(b, s.junk(s.IntN(64))...)
		default:
			if other := others[s.IntN(len(others))]; n > 0 && len(other) > 0 {
				b = append(b[:s.IntN(n)], other[s.IntN(len(other)):]...)
			}
		}
	}
	return b
}

// frame puts a segment into an FPDU, mostly as it should be.
func (s spoiler) frame(segment []byte) []byte {
	n := min(len(segment), iwarp.MaxULPDU)
	if s.IntN(20) == 0 {
		n = s.IntN(1 << 16)
	}
	b := append(iwarp.AppendFPDUHead(nil, n), segment...)
	return iwarp.AppendFPDUTail(b, n, iwarp.NewCRC().Add(b), s.IntN(20) != 0)
}

// seal ends a datagram, mostly as it should be.
func (s spoiler) seal(body []byte) []byte {
	b := iwarp.SealDatagram(append([]byte(nil), body...), 0)
	if s.IntN(10) == 0 {
		b[s.IntN(len(b))] ^= 1
	}
	return b
}

// target is what a frame aims at.
type target struct {
	rkey  uint32
	addr  uint64
	size  int
	other []place // that are out of reach
}

// place is a key and an address.
type place struct {
	key  uint32
	addr uint64
}

// segments are good DDP segments of every kind for a target: as the first messages of a conversation, in this order.
func (g *target) segments() [][]byte {
	var all [][]byte
	add := func(h iwarp.Header, payload []byte) { all = append(all, append(h.Append(nil), payload...)) }
	untagged := func(op iwarp.Opcode, msn, mo uint32, last bool, payload []byte) {
		add(iwarp.Header{Op: op, QN: op.Queue(), MSN: msn, MO: mo, Last: last}, payload)
	}
	long := make([]byte, 6000)
	untagged(iwarp.OpSend, 1, 0, false, []byte("in two "))
	untagged(iwarp.OpSend, 1, 7, true, []byte("pieces"))
	untagged(iwarp.OpSendSolicited, 2, 0, true, long)
	add(iwarp.Header{Op: iwarp.OpWrite, Tagged: true, Last: true, STag: g.rkey, TO: g.addr}, []byte("written"))
	add(iwarp.Header{Op: iwarp.OpWrite, Tagged: true, Last: false, STag: g.rkey, TO: g.addr + uint64(g.size-len(long))}, long)
	add(iwarp.Header{Op: iwarp.OpWrite, Tagged: true, Last: true, STag: g.rkey, TO: g.addr}, nil)
	untagged(iwarp.OpImmediate, 3, 0, true, iwarp.AppendImmediate(nil, 5))
	read := iwarp.ReadRequest{SinkSTag: 9, Size: 5000, SourceSTag: g.rkey, SourceTO: g.addr + 8}
	untagged(iwarp.OpReadRequest, 1, 0, true, read.Append(nil))
	sum := iwarp.AtomicRequest{ID: 3, STag: g.rkey, TO: g.addr, Data: 1, CompareMask: 1<<64 - 1}
	untagged(iwarp.OpAtomicRequest, 2, 0, true, sum.Append(nil))
	add(iwarp.Header{Op: iwarp.OpReadResponse, Tagged: true, Last: false, STag: token(0)}, long[:40])
	add(iwarp.Header{Op: iwarp.OpReadResponse, Tagged: true, Last: true, STag: token(0), TO: 40}, long[:24])
	untagged(iwarp.OpAtomicResponse, 1, 0, true, (&iwarp.AtomicResponse{ID: 1, Old: 7}).Append(nil))
	for _, p := range g.other {
		add(iwarp.Header{Op: iwarp.OpWrite, Tagged: true, Last: true, STag: p.key, TO: p.addr}, []byte("not yours"))
		untagged(iwarp.OpReadRequest, 3, 0, true, (&iwarp.ReadRequest{Size: 8, SourceSTag: p.key, SourceTO: p.addr}).Append(nil))
	}
	add(iwarp.Header{Op: iwarp.OpSendInvalidate, MSN: 4, Last: true, Invalidate: g.rkey}, []byte("gone"))
	fault := iwarp.Terminate{Fault: iwarp.FaultBounds, HasHeader: true, Header: iwarp.Header{Op: iwarp.OpReadRequest, QN: 1, MSN: 1, Last: true}}
	untagged(iwarp.OpTerminate, 1, 0, true, fault.Append(nil))
	return all
}

// datagrams are good bodies of UD datagrams for a target, the queue pair num.
func (g *target) datagrams(num uint32) [][]byte {
	all := g.segments()
	record := iwarp.Header{Op: iwarp.OpWrite, Tagged: true, Last: true, Record: true, STag: g.rkey, TO: g.addr}
	piece := iwarp.Record{RMSN: 1, Length: 100, Offset: 50}
	all = append(all, append(piece.Append(record.Append(nil)), make([]byte, 50)...))
	answer := iwarp.Header{Op: iwarp.OpReadResponse, Tagged: true, Last: true, STag: readToken(num), TO: readBase(0)}
	for try := range uint32(4) {
		answer.STag = readToken(num) | try
		all = append(all, append(answer.Append(nil), make([]byte, 64)...))
	}
	return all
}

// shims are good beginnings of RD datagrams.
func shims() [][]byte {
	var all [][]byte
	for psn := uint32(1); psn < 6; psn++ {
		s := iwarp.Shim{Data: true, Start: true, Poll: psn == 5, Epoch: 77, PSN: psn, APSN: 1, Window: 64}
		all = append(all, s.Append(nil))
		s.Start, s.Words, s.Sack[0] = false, 1, 5
		all = append(all, s.Append(nil))
	}
	return append(all, (&iwarp.Shim{Reset: true, Epoch: 5, PSN: 1, PeerEpoch: 77}).Append(nil),
		(&iwarp.Shim{NotReady: true, RNR: 3, Epoch: 77, PSN: 9, APSN: 1, PeerEpoch: 1}).Append(nil))
}
