package crypt

import "encoding/binary"

// MaxPlain is how many bytes a record carries at most, and Overhead how many it adds: its length before them
// and its tag behind.
const (
	MaxPlain  = 16 << 10
	Overhead  = HeadSize + tagSize
	MaxRecord = MaxPlain + Overhead
	HeadSize  = 2
	tagSize   = 16
)

// Sealer seals the records of a direction, in the order in which they are sent.
type Sealer struct{ direction }

// Seal adds to b a record of what is in plain, 1 to MaxPlain bytes, which stays as it is and does not overlap
// b.
func (s *Sealer) Seal(b, plain []byte) []byte {
	from := len(b)
	b = binary.BigEndian.AppendUint16(b, uint16(len(plain)+tagSize))
	return s.aead.Seal(b, s.next(), plain, b[from:])
}

// SealFrom makes a record of what has been put together in b: HeadSize bytes from from on that it fills, and
// behind them 1 to MaxPlain bytes, which it seals where they are.
func (s *Sealer) SealFrom(b []byte, from int) []byte {
	head, plain := b[from:from+HeadSize], b[from+HeadSize:]
	binary.BigEndian.PutUint16(head, uint16(len(plain)+tagSize))
	return s.aead.Seal(b[:from+HeadSize], s.next(), plain, head)
}

// End adds to b the record that ends the direction: nothing may be sealed after it.
func (s *Sealer) End(b []byte) []byte { return s.Seal(b, nil) }

// Opener opens the records of a direction, in the order in which they were sealed.
type Opener struct {
	direction
	ended  bool
	broken error // what was wrong with a record; nothing opens after it
}

// Ended tells that the record came that ends the direction.
func (o *Opener) Ended() bool { return o.ended }

// RecordSize is how long the record is that begins b; 0 if that cannot be told yet.
func RecordSize(b []byte) (int, error) {
	if len(b) < HeadSize {
		return 0, nil
	}
	n := HeadSize + int(binary.BigEndian.Uint16(b))
	if n < Overhead || n > MaxRecord {
		return 0, errSize
	}
	return n, nil
}

// Open adds to b what is in a whole record. It needs room for that behind b, in memory that does not overlap
// the record; or b is record[HeadSize:HeadSize], so that it opens where it is. If it fails, that memory is
// zero.
func (o *Opener) Open(b, record []byte) ([]byte, error) {
	switch {
	case o.broken != nil:
		return nil, o.broken
	case o.ended:
		o.broken = errEnd
		return nil, o.broken
	}
	out, err := o.aead.Open(b, o.next(), record[HeadSize:], record[:HeadSize])
	if err != nil {
		o.broken = errTag
		return nil, errTag
	}
	if len(out) == len(b) {
		o.ended = true
	}
	return out, nil
}
