package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrFrame marks bytes that are no frame: an unknown kind, a body too long, cut short, or with something left over.
var ErrFrame = errors.New("malformed frame")

// coder writes or reads the fields of one message, in the order its code method names them. After an error it does
// nothing more.
type coder struct {
	writing bool
	b       []byte // written so far, or left to read
	err     error
}

func (c *coder) fail(what string) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrFrame, what)
	}
}

// count reads or writes a number that is not negative.
func (c *coder) count(p *uint64) {
	if c.writing {
		c.b = binary.AppendUvarint(c.b, *p)
		return
	}
	if c.err != nil {
		return
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 || n > 1 && c.b[n-1] == 0 { // one number, one spelling
		c.fail("bad number")
		return
	}
	*p, c.b = v, c.b[n:]
}

// num is any number.
func (c *coder) num(p *int) {
	zigzag := uint64(*p)<<1 ^ uint64(*p>>63)
	c.count(&zigzag)
	if !c.writing {
		*p = int(zigzag>>1) ^ -int(zigzag&1)
	}
}

func (c *coder) flag(p *bool) {
	var v uint64
	if *p {
		v = 1
	}
	c.count(&v)
	if v > 1 {
		c.fail("bad flag")
	}
	if !c.writing {
		*p = v == 1
	}
}

// bytes reads without copying: what it finds is valid as long as the frame's buffer.
func (c *coder) bytes(p *[]byte) {
	n := uint64(len(*p))
	c.count(&n)
	switch {
	case c.writing:
		c.b = append(c.b, *p...)
	case c.err != nil:
	case n > uint64(len(c.b)):
		c.fail("text longer than its frame")
	default:
		*p, c.b = c.b[:n:n], c.b[n:]
	}
}

func (c *coder) text(p *string) {
	b := []byte(*p)
	c.bytes(&b)
	if !c.writing {
		*p = string(b)
	}
}

// length is that of a list; every entry takes a byte at least, so a frame bounds it.
func (c *coder) length(n int) int {
	v := uint64(n)
	c.count(&v)
	if !c.writing && c.err == nil && v > uint64(len(c.b)) {
		c.fail("list longer than its frame")
	}
	if c.err != nil || v > math.MaxInt32 {
		return 0
	}
	return int(v)
}

func (c *coder) texts(p *[]string) {
	n := c.length(len(*p))
	if !c.writing {
		*p = make([]string, n)
	}
	for i := range *p {
		c.text(&(*p)[i])
	}
}

func (c *coder) nums(p *[]int) {
	n := c.length(len(*p))
	if !c.writing {
		*p = make([]int, n)
	}
	for i := range *p {
		c.num(&(*p)[i])
	}
}
