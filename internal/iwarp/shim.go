package iwarp

// ShimSize is the size of a shim without SACK words, MaxSackWords how many of those may follow it.
const (
	ShimSize     = 16
	MaxSackWords = 15
)

// MaxShimSize is the size of the largest shim.
const MaxShimSize = ShimSize + 8*MaxSackWords

const (
	shimData     byte = 0x80
	shimStart    byte = 0x40
	shimPoll     byte = 0x20
	shimNotReady byte = 0x10
	shimReset    byte = 0x08
	shimReserved byte = 0x04
	shimVersion  byte = 0x02 // where a UD datagram has DDP version 1
	kindMask     byte = 0x03
)

// Shim precedes the DDP segment of every reliable datagram, and is all there is in an acknowledgement.
type Shim struct {
	Data     bool // a DDP segment follows
	Start    bool // the sender has not heard from its peer in this epoch
	Poll     bool // acknowledge at once
	NotReady bool // no receive was posted: try again after 0.1 ms * 2^RNR
	Reset    bool // the sender does not know the flow that PeerEpoch names

	RNR   uint8 // 4 bits
	Words uint8 // how many words of Sack are used, at most MaxSackWords

	Epoch     uint16 // the sender's incarnation of this flow, not 0
	PSN       uint32 // with Data: number of this datagram; else the next one to be used
	APSN      uint32 // the next PSN expected from the peer
	Window    uint16 // the peer may send while PSN - APSN < Window
	PeerEpoch uint16 // the epoch that APSN, Window and Sack speak about; 0 before anything was heard

	Sack [MaxSackWords]uint64 // bit i, from bit 0 of word 0: PSN APSN+1+i was received
}

// Size is the number of bytes that Put fills.
func (s *Shim) Size() int { return ShimSize + 8*int(s.Words) }

// Append adds the shim to b.
func (s *Shim) Append(b []byte) []byte {
	var a [MaxShimSize]byte
	return append(b, a[:s.Put(a[:])]...)
}

// Put writes the shim to the beginning of b, which must hold Size bytes, and returns Size.
func (s *Shim) Put(b []byte) int {
	_ = b[s.Size()-1]
	b[0] = shimVersion | bit(s.Data, shimData) | bit(s.Start, shimStart) | bit(s.Poll, shimPoll) |
		bit(s.NotReady, shimNotReady) | bit(s.Reset, shimReset)
	b[1] = s.RNR<<4 | s.Words
	be.PutUint16(b[2:], s.Epoch)
	be.PutUint32(b[4:], s.PSN)
	be.PutUint32(b[8:], s.APSN)
	be.PutUint16(b[12:], s.Window)
	be.PutUint16(b[14:], s.PeerEpoch)
	for i, w := range s.Sack[:s.Words] {
		be.PutUint64(b[ShimSize+8*i:], w)
	}
	return s.Size()
}

// ParseShim reads the shim at the beginning of b into s and returns its size. It refuses a wrong version, a set
// reserved bit and a shim that is cut short, and leaves s alone then. Words of Sack beyond Words become zero.
func ParseShim(b []byte, s *Shim) (n int, ok bool) {
	if len(b) < ShimSize || b[0]&(shimReserved|kindMask) != shimVersion {
		return 0, false
	}
	words := b[1] & 15
	n = ShimSize + 8*int(words)
	if len(b) < n {
		return 0, false
	}
	*s = Shim{
		Data: b[0]&shimData != 0, Start: b[0]&shimStart != 0, Poll: b[0]&shimPoll != 0,
		NotReady: b[0]&shimNotReady != 0, Reset: b[0]&shimReset != 0,
		RNR: b[1] >> 4, Words: words,
		Epoch: be.Uint16(b[2:]), PSN: be.Uint32(b[4:]), APSN: be.Uint32(b[8:]),
		Window: be.Uint16(b[12:]), PeerEpoch: be.Uint16(b[14:]),
	}
	for i := range s.Sack[:words] {
		s.Sack[i] = be.Uint64(b[ShimSize+8*i:])
	}
	return n, true
}

// bit is mask when set, else nothing.
func bit[T ~uint8 | ~uint16](set bool, mask T) T {
	if set {
		return mask
	}
	return 0
}
