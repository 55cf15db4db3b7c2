package frame

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	headerSize = 5

	// BodyMax bounds the body of a frame. The longest by far is a Start, with an argument list and an
	// environment as long as the kernel takes.
	BodyMax = 4 << 20

	// PieceMax is how many bytes of a stream or an executable one frame should carry.
	PieceMax = 32 << 10
)

// Append appends m as a frame. It fails, with b unchanged, when the body is too long.
func Append(b []byte, m Message) ([]byte, error) {
	start := len(b)
	c := coder{writing: true, b: append(b, m.kind(), 0, 0, 0, 0)}
	m.code(&c)
	body := len(c.b) - start - headerSize
	if c.err == nil && body > BodyMax {
		c.fail(fmt.Sprintf("body of %d bytes, limit %d", body, BodyMax))
	}
	if c.err != nil {
		return b, c.err
	}
	binary.BigEndian.PutUint32(c.b[start+1:], uint32(body))
	return c.b, nil
}

// Parse reads one frame off the head of b. Byte slices of the message lie in b.
func Parse(b []byte) (m Message, rest []byte, err error) {
	if len(b) < headerSize {
		return nil, b, fmt.Errorf("%w: cut short", ErrFrame)
	}
	m, body, err := parseHeader(b)
	if err != nil {
		return nil, b, err
	}
	if len(b) < headerSize+body {
		return nil, b, fmt.Errorf("%w: cut short", ErrFrame)
	}
	if err := parseBody(m, b[headerSize:headerSize+body]); err != nil {
		return nil, b, err
	}
	return m, b[headerSize+body:], nil
}

// parseHeader returns an empty message of the right kind and the length of its body.
func parseHeader(b []byte) (Message, int, error) {
	body := binary.BigEndian.Uint32(b[1:])
	if kind := int(b[0]); kind == 0 || kind >= len(kinds) {
		return nil, 0, fmt.Errorf("%w: unknown kind %d", ErrFrame, kind)
	}
	if body > BodyMax {
		return nil, 0, fmt.Errorf("%w: body of %d bytes, limit %d", ErrFrame, body, BodyMax)
	}
	return kinds[b[0]](), int(body), nil
}

func parseBody(m Message, body []byte) error {
	c := coder{b: body}
	m.code(&c)
	if c.err == nil && len(c.b) > 0 {
		c.fail(fmt.Sprintf("%d bytes too many in a %T", len(c.b), m))
	}
	return c.err
}

// Reader takes frames off a stream.
type Reader struct {
	in  *bufio.Reader
	buf []byte
}

// NewReader returns a reader of in, which nobody else reads from then on.
func NewReader(in *bufio.Reader) *Reader { return &Reader{in: in} }

// Next returns the next message, whose byte slices are valid until the next call. A clean end of the stream between two
// frames is io.EOF.
func (r *Reader) Next() (Message, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r.in, header[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("%w: the stream ends inside a header", ErrFrame)
		}
		return nil, err
	}
	m, body, err := parseHeader(header[:])
	if err != nil {
		return nil, err
	}
	// Memory grows with what has arrived, not with what a header promises.
	r.buf = r.buf[:0]
	for len(r.buf) < body {
		n := min(body-len(r.buf), 64<<10)
		at := len(r.buf)
		r.buf = append(r.buf, make([]byte, n)...)
		if _, err := io.ReadFull(r.in, r.buf[at:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, fmt.Errorf("%w: the stream ends inside a %T", ErrFrame, m)
			}
			return nil, err
		}
	}
	return m, parseBody(m, r.buf)
}
