package wire

import "fmt"

// RTS: send(4) ctx(4) tag(4) len(8) addr(8) slot(4) flags(1) prefix(4). The first bytes of the message may follow.
const rtsSize = 4 + eagerSize + keySize + 1 + 4

func appendRTS(b []byte, h *Header) []byte {
	b = appendKey(appendSync(b, h), h.Key)
	return le.AppendUint32(append(b, byte(h.Flags)), uint32(h.Prefix))
}

func parseRTS(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtsSize {
		return nil, ErrShort
	}
	if b, err = parseSync(b, h); err != nil {
		return nil, err
	}
	h.Key = parseKey(b)
	if h.Flags, err = parseFlags(b[keySize], rtsFlags); err != nil {
		return nil, err
	}
	prefix := le.Uint32(b[keySize+1:])
	if uint64(prefix) > uint64(h.Len) || prefix > 0 && h.Flags&ByWrite != 0 {
		return nil, fmt.Errorf("%w: %d bytes of %d follow an RTS", ErrRange, prefix, h.Len)
	}
	h.Prefix = int(prefix)
	return b[keySize+5:], nil
}
