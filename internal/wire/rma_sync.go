package wire

import "fmt"

// RMASync is the payload of FLUSH, LOCK, UNLOCK and LOST: verb(1) exclusive(1) 0(2) id(4).
type RMASync struct {
	Verb      Verb
	Exclusive bool   // LOCK: nobody else may hold the lock
	ID        uint32 // what the answer is to name; 0 if none is expected
}

const rmaSyncSize = 8

// AppendRMASync adds the payload.
func AppendRMASync(b []byte, s RMASync) []byte {
	exclusive := byte(0)
	if s.Exclusive {
		exclusive = 1
	}
	return le.AppendUint32(append(b, byte(s.Verb), exclusive, 0, 0), s.ID)
}

// ParseRMASync reads it.
func ParseRMASync(b []byte) (s RMASync, err error) {
	switch {
	case len(b) < rmaSyncSize:
		return s, ErrShort
	case Verb(b[0]) < RMAFlush || Verb(b[0]) > RMALost:
		return s, ErrVerb
	case len(b) > rmaSyncSize || b[1] > 1 || b[2] != 0 || b[3] != 0:
		return s, fmt.Errorf("%w: %v", ErrRange, Verb(b[0]))
	}
	return RMASync{Verb: Verb(b[0]), Exclusive: b[1] == 1, ID: le.Uint32(b[4:])}, nil
}
