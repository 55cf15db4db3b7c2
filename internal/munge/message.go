package munge

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A message is a head and a body. Numbers are big-endian.
const (
	magic    = 0x00606d4b
	version  = 4
	headSize = 11 // magic, version, kind, try, length of the body

	// bodyMax is more than any answer to what Encode takes.
	bodyMax = 64 << 10
)

// The kinds of messages.
const (
	encodeRequest = 2
	encodeReply   = 3
	decodeRequest = 4
	decodeReply   = 5
)

// ErrReply marks what no munge daemon would say.
var ErrReply = errors.New("malformed answer of the munge daemon")

// Refusal is the daemon's own error.
type Refusal struct {
	Code int
	Text string
}

func (r *Refusal) Error() string { return fmt.Sprintf("munge: %s (error %d)", r.Text, r.Code) }

func message(kind, try byte, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, magic)
	b = append(b, version, kind, try)
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	return append(b, body...)
}

// bodyLength checks a head and tells how long the body is.
func bodyLength(head []byte, kind byte) (int, error) {
	if len(head) != headSize || binary.BigEndian.Uint32(head) != magic || head[4] != version || head[5] != kind {
		return 0, fmt.Errorf("%w: it begins with %x", ErrReply, head)
	}
	n := binary.BigEndian.Uint32(head[7:])
	if n > bodyMax {
		return 0, fmt.Errorf("%w: %d bytes", ErrReply, n)
	}
	return int(n), nil
}

// standard stands for the daemon's choice of cipher, code and compression.
const standard = 1

// everyGroup does not restrict who may open.
const everyGroup = 1<<32 - 1

// sealing is the body that asks to seal payload for a user, in this realm for the usual time.
func sealing(payload []byte, uid uint32) []byte {
	b := []byte{standard, standard, standard, 0} // no realm
	b = binary.BigEndian.AppendUint32(b, 0)      // the usual time
	b = binary.BigEndian.AppendUint32(b, uid)
	b = binary.BigEndian.AppendUint32(b, everyGroup)
	return appendBytes(b, payload)
}

func appendBytes(b, text []byte) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(text))), text...)
}

// body is what is left of a body. Whoever takes more than there is gets nothing, and short is set.
type body struct {
	b     []byte
	short bool
}

func (x *body) take(n uint32) []byte {
	if uint64(n) > uint64(len(x.b)) {
		x.short, x.b = true, nil
		return nil
	}
	taken := x.b[:n]
	x.b = x.b[n:]
	return taken
}

func (x *body) byte() byte {
	if b := x.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (x *body) number() uint32 {
	if b := x.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// done tells whether the body was what it should be: read to its end, and not beyond.
func (x *body) done() error {
	if x.short || len(x.b) > 0 {
		return fmt.Errorf("%w: its parts do not fit", ErrReply)
	}
	return nil
}

// verdict reads the daemon's error, with which every answer begins.
func (x *body) verdict() (code int, text string) {
	code = int(x.byte())
	return code, string(terminated(x.take(uint32(x.byte()))))
}

// terminated leaves out the zero at the end of a text.
func terminated(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == 0 {
		return b[:n-1]
	}
	return b
}

// parseSealed reads the answer to sealing.
func parseSealed(b []byte) (credential []byte, err error) {
	x := body{b: b}
	code, text := x.verdict()
	credential = x.take(x.number())
	if err := x.done(); err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, &Refusal{code, text}
	}
	return terminated(credential), nil
}

// parseOpened reads the answer to a credential.
func parseOpened(b []byte) (payload []byte, uid uint32, err error) {
	x := body{b: b}
	code, text := x.verdict()
	x.take(3)                // cipher, code, compression
	x.take(uint32(x.byte())) // realm
	x.take(4)                // how long it is good
	x.take(uint32(x.byte())) // where it was made
	x.take(8)                // when it was made and opened
	uid = x.number()
	x.take(12) // group, and who may open it
	payload = x.take(x.number())
	if err := x.done(); err != nil {
		return nil, 0, err
	}
	if code != 0 { // also where the payload is there, but old or opened before
		return nil, 0, &Refusal{code, text}
	}
	return payload, uid, nil
}
