package comm

import (
	"math/bits"
	"sync"

	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/progress"
)

// Messages that the program may change while they are on their way travel as copies. The buffers of
// these are used again: the system would have to find and clear fresh pages for each long one, and
// the collector would have to run after every few of them.

// copies are a rank's buffers that no message is in, by size: each is a power of two long. There
// are never more than were needed at once, and one that nobody has needed from a collection of
// garbage to the next but one is given back.
type copies [maxCopy - minCopy + 1]sync.Pool

const (
	minCopy = 6  // the shortest buffer has 64 bytes
	maxCopy = 28 // copies of more than 256 MB are made anew
)

// Copy is a copy of a message, its owner's until Free. Or it is the cargo of a message whose data do not lie next to
// each other: then Bytes are room for the packed form.
type Copy struct {
	Bytes []byte
	shape datatype.Shape // of a cargo: where the data are
	room  []byte
	env   *Env
	sent  func(*progress.Request) // ends a buffered send; made once, for the next one that uses the buffer
}

// class is which buffers hold n bytes, and how long they are. Those that are not kept are as long as needed.
func class(n int) (class, room int) {
	log := max(bits.Len(uint(max(n, 1)-1)), minCopy)
	if log > maxCopy {
		return -1, n
	}
	return log - minCopy, 1 << log
}

// Copy copies b.
func (e *Env) Copy(b []byte) *Copy {
	k := e.space(len(b))
	copy(k.Bytes, b)
	return k
}

// space is a copy of n bytes that are not there yet.
func (e *Env) space(n int) *Copy {
	class, room := class(n)
	if class >= 0 {
		if k, found := e.copies[class].Get().(*Copy); found {
			k.Bytes = k.room[:n]
			return k
		}
	}
	return e.newCopy(n, room)
}

// newCopy is space for n bytes in a fresh buffer.
func (e *Env) newCopy(n, room int) *Copy {
	k := &Copy{room: make([]byte, room), env: e}
	k.Bytes = k.room[:n]
	k.sent = func(*progress.Request) {
		e.bsend.Add(-int64(len(k.Bytes)))
		k.Free()
	}
	return k
}

// Free ends the use of the copy: nobody reads or writes its bytes any more.
func (k *Copy) Free() {
	k.Bytes = nil
	if class, _ := class(len(k.room)); class >= 0 {
		k.env.copies[class].Put(k)
	}
}

var _ progress.Cargo = (*Copy)(nil)

// cargo is the data of a shape as a message takes them along.
func (e *Env) cargo(s datatype.Shape) *Copy {
	k := e.space(s.Len())
	k.shape = s
	return k
}

// Room is memory for the packed form of a cargo.
func (k *Copy) Room() []byte { return k.Bytes }

// Pack copies from where the data of a cargo are, Unpack to there.
func (k *Copy) Pack(dst []byte, at int) int { return k.shape.Pack(dst, at) }

// Unpack is Pack the other way.
func (k *Copy) Unpack(src []byte, at int) int { return k.shape.Unpack(src, at) }

// Ended frees a cargo. Of memory that may have been in a peer's hands when its message failed, the collector takes care.
func (k *Copy) Ended(err error) {
	k.shape = datatype.Shape{}
	if err == nil {
		k.Free()
	}
}
