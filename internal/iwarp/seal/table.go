package seal

import (
	"crypto/cipher"
	"encoding/binary"
)

// Size is how many bytes a seal adds to a datagram: the epoch, the number, and the tag.
const (
	Size      = stampSize + tagSize
	stampSize = 8 + 4
	tagSize   = 16
)

// perKey is how many datagrams are encrypted by one key. If all of them are as long as can be, an attacker who
// sees them has a chance of less than one in 2^56 to tell them from noise.
const perKey = 1 << 24

// maxSenders is of how many senders a table knows at most. Only those who know the secret get in.
const maxSenders = 1 << 16

// Verdict is what became of a datagram.
type Verdict uint8

// All but genuine datagrams are to be dropped without an answer.
const (
	Genuine  Verdict = iota
	Forged           // too short, or the tag is not that of these bytes, from there to here
	Replayed         // its number has come before
	Old              // of an earlier epoch, or so far back that it is not known whether it has come before
	Crowded          // genuine, of a sender for whom there is no room
)

// Table seals and opens the datagrams of one socket. K is what the caller calls an address.
type Table[K comparable] struct {
	key   *Key
	here  []byte
	epoch uint64
	name  func(K) []byte
	most  int // senders to know at most

	perKey uint32          // datagrams that a key encrypts at most
	stamp  [stampSize]byte // of the datagram that is being encrypted

	out     map[K]*sender
	in      map[K]*receiver
	lastTo  K // of lastOut, if there is one
	lastOut *sender
	lastIn  *receiver
	last    K // of lastIn, if there is one
}

// sender is what is kept for a direction away from here.
type sender struct {
	aead  cipher.AEAD
	epoch uint64
	count uint32 // of the last datagram
}

// receiver is what is kept for a direction to here.
type receiver struct {
	aead  cipher.AEAD
	epoch uint64
	seen  window
}

// NewTable makes the table of a socket at here. Both ends of a direction must give the same name to
// an address, in at most 255 bytes; the package says what an epoch must be.
func NewTable[K comparable](key *Key, here K, epoch uint64, name func(K) []byte) *Table[K] {
	return &Table[K]{
		key: key, here: name(here), epoch: epoch, name: name, most: maxSenders, perKey: perKey,
		out: map[K]*sender{}, in: map[K]*receiver{},
	}
}

// Seal adds to b the seal of the datagram that begins at from and goes to an address, and encrypts the datagram
// where it is if the key is for that.
func (t *Table[K]) Seal(b []byte, from int, to K) []byte {
	s := t.lastOut
	if s == nil || to != t.lastTo {
		s = t.senderTo(to)
	}
	if s.count++; s.count == 0 || t.key.encrypt && s.count > t.perKey { // no number is used twice under a key
		s.epoch++
		s.aead, s.count = t.key.direction(s.epoch, t.here, t.name(to)), 1
	}
	if t.key.encrypt {
		binary.BigEndian.PutUint64(t.stamp[:], s.epoch)
		binary.BigEndian.PutUint32(t.stamp[8:], s.count)
		return append(s.aead.Seal(b[:from], t.stamp[:], b[from:], nil), t.stamp[:]...)
	}
	end := len(b)
	b = binary.BigEndian.AppendUint64(b, s.epoch)
	b = binary.BigEndian.AppendUint32(b, s.count)
	return s.aead.Seal(b, b[end:], nil, b[from:end])
}

func (t *Table[K]) senderTo(to K) *sender {
	s := t.out[to]
	if s == nil {
		s = &sender{aead: t.key.direction(t.epoch, t.here, t.name(to)), epoch: t.epoch}
		t.out[to] = s
	}
	t.lastTo, t.lastOut = to, s
	return s
}

// Open returns what Seal sealed, which aliases b, if it is genuine and has not come before. A datagram that is
// encrypted is opened where it is; b means nothing if it is not genuine.
func (t *Table[K]) Open(b []byte, from K) (body []byte, v Verdict) {
	if len(b) <= Size {
		return nil, Forged
	}
	end := len(b) - Size
	stamp := t.key.stamp(b)
	epoch, count := binary.BigEndian.Uint64(stamp), binary.BigEndian.Uint32(stamp[8:])
	r := t.receiverOf(from)
	switch {
	case r == nil || epoch > r.epoch:
		if v = t.begin(r, from, epoch, b); v != Genuine {
			return nil, v
		}
		r = t.receiverOf(from)
	case epoch < r.epoch:
		return nil, Old
	default:
		if v = r.seen.look(count); v != Genuine { // first: that is cheaper
			return nil, v
		}
		if !t.key.open(r.aead, b) {
			return nil, Forged
		}
	}
	r.seen.add(count)
	return b[:end:end], Genuine
}

// Senders is of how many senders something genuine has come.
func (t *Table[K]) Senders() int { return len(t.in) }

func (t *Table[K]) receiverOf(from K) *receiver {
	if t.lastIn == nil || from != t.last {
		if r := t.in[from]; r != nil {
			t.last, t.lastIn = from, r
			return r
		}
		return nil
	}
	return t.lastIn
}

// begin begins an epoch of a sender, of which r is known so far, if b is a genuine datagram of it.
func (t *Table[K]) begin(r *receiver, from K, epoch uint64, b []byte) Verdict {
	aead := t.key.direction(epoch, t.name(from), t.here)
	switch {
	case !t.key.open(aead, b):
		return Forged
	case r != nil:
		*r = receiver{aead: aead, epoch: epoch}
	case len(t.in) >= t.most:
		return Crowded
	default:
		t.in[from] = &receiver{aead: aead, epoch: epoch}
	}
	return Genuine
}

// stamp is the epoch and the number of a datagram: before its tag, or behind it if that goes with what is
// encrypted.
func (k *Key) stamp(b []byte) []byte {
	if k.encrypt {
		return b[len(b)-stampSize:]
	}
	return b[len(b)-Size : len(b)-tagSize]
}

// open tells whether the tag of a datagram is right; one that is encrypted can be read then.
func (k *Key) open(aead cipher.AEAD, b []byte) bool {
	if k.encrypt {
		sealed := b[:len(b)-stampSize]
		_, err := aead.Open(sealed[:0], k.stamp(b), sealed, nil)
		return err == nil
	}
	stamp, tag := len(b)-Size, len(b)-tagSize
	_, err := aead.Open(nil, b[stamp:tag], b[tag:], b[:stamp])
	return err == nil
}
