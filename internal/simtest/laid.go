package simtest

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Messages whose bytes lie apart, as a naive model has them: a list of pieces of memory. The library hears of
// them as layouts of bytes, of arrays of bytes and of fields of structs.

// shapes are how the bytes of a message may lie in memory; "" is next to each other.
var shapes = []string{"strided", "indexed", "subarray", "words", "fields"}

// piece is bytes next to each other.
type piece struct{ at, n int }

// laid is memory in which a message lies apart, and the calls that send or receive it there.
type laid struct {
	pieces []piece
	size   int
	load   func(whole []byte) // writes all memory
	store  func(whole []byte) // reads it

	send  func(c *mpi.Comm, to, tag int) error
	isend func(c *mpi.Comm, to, tag int) mpi.Request
	recv  func(c *mpi.Comm, from, tag int) (mpi.Status, error)
	irecv func(c *mpi.Comm, from, tag int) mpi.Request
	mrecv func(m *mpi.Message) (mpi.Status, error)
	imrec func(m *mpi.Message) mpi.Request
}

// record is a struct some of whose fields are sent.
type record struct {
	Head [3]byte
	Left [5]byte
	Deep struct{ Skip, Right [3]byte }
}

// lay makes memory for n bytes in a shape. salt makes one different from another.
func lay(shape string, n, salt int) *laid {
	s := &shaping{n: n, salt: uint64(salt)}
	switch {
	case shape == "words" && n%8 == 0:
		return s.words()
	case shape == "fields" && n%8 == 0:
		return s.fields()
	case shape == "indexed":
		return s.indexed()
	case shape == "subarray":
		return s.subarray()
	}
	return s.strided()
}

// shaping makes one.
type shaping struct {
	n      int
	salt   uint64
	pieces []piece
}

// number draws from 0 to below.
func (s *shaping) number(below int) int {
	s.salt = mix(s.salt, 1)
	return int(s.salt % uint64(below))
}

// block is a length that divides the message.
func (s *shaping) block() int {
	b := 1 + s.number(90)
	for s.n%b != 0 {
		b--
	}
	return b
}

// blocks notes pieces of the same length, so many bytes apart.
func (s *shaping) blocks(first, n, stride int) {
	for i := 0; i < s.n; i += n {
		s.pieces = append(s.pieces, piece{first + i/n*stride, n})
	}
}

func (s *shaping) strided() *laid {
	first, b, gap := s.number(20), s.block(), 1+s.number(40)
	s.blocks(first, b, b+gap)
	return s.bytes(mpi.From(first, mpi.Strided{Count: s.n / b, Block: b, Stride: b + gap}))
}

func (s *shaping) subarray() *laid {
	b := s.block()
	rows, columns, top, left := s.n/b, b+1+s.number(30), s.number(3), s.number(2)
	s.blocks(top*columns+left, b, columns)
	return s.bytes(mpi.Subarray{Sizes: []int{top + rows + 1, columns}, Sub: []int{rows, b}, Start: []int{top, left}})
}

// indexed are blocks of any length, the last of which lies first in memory.
func (s *shaping) indexed() *laid {
	var at mpi.Indexed
	most := 1 + s.number(200)
	end := s.n + (s.n/most+1)*20 + s.n
	for left := s.n; left > 0; {
		b := min(left, 1+s.number(most))
		if s.number(9) == 0 {
			b = min(left, 700)
		}
		end -= b + s.number(2)
		s.pieces = append(s.pieces, piece{end, b})
		at = append(at, mpi.Block{Start: end, Len: b})
		left -= b
	}
	for i := range s.pieces { // the first in memory begins at 3
		s.pieces[i].at -= end - 3
		at[i].Start -= end - 3
	}
	return s.bytes(at)
}

func (s *shaping) words() *laid {
	gap := 1 + s.number(3)
	s.blocks(8, 8, 8*(1+gap))
	elems := make([][8]byte, s.size()/8+1)
	l := apart(elems, mpi.From(1, mpi.Strided{Count: s.n / 8, Block: 1, Stride: 1 + gap}))
	l.size = 8 * len(elems)
	l.load = func(whole []byte) {
		for i := range elems {
			copy(elems[i][:], whole[8*i:])
		}
	}
	l.store = func(whole []byte) {
		for i := range elems {
			copy(whole[8*i:], elems[i][:])
		}
	}
	return s.done(l)
}

func (s *shaping) fields() *laid {
	const size = 14
	for i := range s.n / 8 {
		s.pieces = append(s.pieces, piece{i*size + 11, 3}, piece{i*size + 3, 5})
	}
	elems := make([]record, s.n/8+1)
	l := apart(elems, mpi.Fields[record](s.n/8, "Deep.Right", "Left"))
	l.size = size * len(elems)
	each := func(whole []byte, move func(field, bytes []byte)) {
		for i := range elems {
			r, b := &elems[i], whole[size*i:]
			move(r.Head[:], b)
			move(r.Left[:], b[3:])
			move(r.Deep.Skip[:], b[8:])
			move(r.Deep.Right[:], b[11:])
		}
	}
	l.load = func(whole []byte) { each(whole, func(field, b []byte) { copy(field, b) }) }
	l.store = func(whole []byte) { each(whole, func(field, b []byte) { copy(b, field) }) }
	return s.done(l)
}

// size is where the last piece ends.
func (s *shaping) size() (n int) {
	for _, p := range s.pieces {
		n = max(n, p.at+p.n)
	}
	return n
}

// bytes is a layout of single bytes.
func (s *shaping) bytes(at mpi.Layout) *laid {
	const behind = 130
	mem := make([]byte, s.size()+behind)
	l := apart(mem, at)
	l.size = len(mem)
	l.load = func(whole []byte) { copy(mem, whole) }
	l.store = func(whole []byte) { copy(whole, mem) }
	return s.done(l)
}

func (s *shaping) done(l *laid) *laid {
	l.pieces = s.pieces
	return l
}

// apart has the calls on elements that a layout names.
func apart[T any](elems []T, at mpi.Layout) *laid {
	return &laid{
		send:  func(c *mpi.Comm, to, tag int) error { return mpi.SendLayout(c, elems, at, to, tag) },
		isend: func(c *mpi.Comm, to, tag int) mpi.Request { return mpi.IsendLayout(c, elems, at, to, tag) },
		recv:  func(c *mpi.Comm, from, tag int) (mpi.Status, error) { return mpi.RecvLayout(c, elems, at, from, tag) },
		irecv: func(c *mpi.Comm, from, tag int) mpi.Request { return mpi.IrecvLayout(c, elems, at, from, tag) },
		mrecv: func(m *mpi.Message) (mpi.Status, error) { return mpi.MrecvLayout(m, elems, at) },
		imrec: func(m *mpi.Message) mpi.Request { return mpi.ImrecvLayout(m, elems, at) },
	}
}

// put writes the bytes of a message to where it lies, and paints all else.
func (l *laid) put(b []byte, around byte) {
	whole := make([]byte, l.size)
	paint(whole, around)
	for _, p := range l.pieces {
		b = b[copy(whole[p.at:p.at+p.n], b):]
	}
	l.load(whole)
}

// get gathers the message, and tells if something around it was written.
func (l *laid) get(b []byte, around byte) error {
	whole := make([]byte, l.size)
	l.store(whole)
	for _, p := range l.pieces {
		b = b[copy(b, whole[p.at:p.at+p.n]):]
		paint(whole[p.at:p.at+p.n], around)
	}
	if at := unpainted(whole, around); at >= 0 {
		return fmt.Errorf("byte %d of %d, which the layout does not name, was written", at, l.size)
	}
	return nil
}

// painted tells whether all memory is of one byte.
func (l *laid) painted(with byte) bool {
	whole := make([]byte, l.size)
	l.store(whole)
	return unpainted(whole, with) < 0
}
