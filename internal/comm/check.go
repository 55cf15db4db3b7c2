package comm

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/coll"
)

// signature is what neighbours compare in check mode. Texts are cut to their room.
type signature struct {
	op        string // 16
	root      int64
	bytes     int64
	typ       string // 32
	reduction string // 16
	way       string // 32: the algorithm
	site      string // 64
}

const signatureLen = 16 + 8 + 8 + 32 + 16 + 32 + 64

func (s *signature) put(b []byte) {
	text := func(t string, n int) {
		clear(b[:n])
		copy(b[:n], t)
		b = b[n:]
	}
	text(s.op, 16)
	binary.LittleEndian.PutUint64(b, uint64(s.root))
	binary.LittleEndian.PutUint64(b[8:], uint64(s.bytes))
	b = b[16:]
	text(s.typ, 32)
	text(s.reduction, 16)
	text(s.way, 32)
	text(s.site, 64)
}

func parseSignature(b []byte) (s signature) {
	text := func(n int) string {
		t, _, _ := bytes.Cut(b[:n], []byte{0})
		b = b[n:]
		return string(t)
	}
	s.op = text(16)
	s.root = int64(binary.LittleEndian.Uint64(b))
	s.bytes = int64(binary.LittleEndian.Uint64(b[8:]))
	b = b[16:]
	s.typ, s.reduction, s.way, s.site = text(32), text(16), text(32), text(64)
	return s
}

func (s signature) String() string {
	t := s.op
	if s.root >= 0 {
		t += fmt.Sprintf(" root %d", s.root)
	}
	if s.bytes >= 0 {
		t += fmt.Sprintf(" of %d bytes", s.bytes)
	}
	if s.typ != "" {
		t += " of " + s.typ
	}
	if s.reduction != "" {
		t += " with " + s.reduction
	}
	if s.way != "" {
		t += " by " + s.way
	}
	if s.site != "" {
		t += " at " + s.site
	}
	return t
}

// same tells whether two calls belong together; where they were made does not matter.
func (s signature) same(o signature) bool {
	s.site, o.site = "", ""
	return s == o
}

// checker makes the two halves of the check: write our signature, compare the left neighbour's.
func (c *Comm) checker(call *Call, way string) (sign func([]byte), verify func(own, other []byte) error) {
	s := signature{op: call.name(), root: -1, bytes: int64(call.Bytes), reduction: call.Reduction, way: way}
	if call.Type != nil {
		s.typ = call.Type.String()
	}
	if call.Op.Rooted() {
		s.root = int64(call.Root)
	}
	if s.bytes = int64(call.alike()); s.bytes < 0 || call.Op == coll.Barrier {
		s.bytes = -1
	}
	if c.env.Site != nil {
		s.site = tail(c.env.Site(), 63)
	}
	sign = s.put
	verify = func(own, other []byte) error {
		mine, theirs := parseSignature(own), parseSignature(other)
		if mine.same(theirs) {
			return nil
		}
		if mine.way, theirs.way = "", ""; mine.same(theirs) { // the calls are right, and yet:
			mine, theirs = parseSignature(own), parseSignature(other)
		}
		left := (c.rank - 1 + c.group.Size()) % c.group.Size()
		return fmt.Errorf("%w: rank %d calls %v, rank %d calls %v", ErrMismatch, c.rank, mine, left, theirs)
	}
	return sign, verify
}

// tail returns the last n bytes of s: the end of a path says more than its beginning.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[len(s)-n:]
}
