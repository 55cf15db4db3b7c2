package comm

import (
	"math/bits"
	"sync"
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

// Copy is a copy of a message, its owner's until Free.
type Copy struct {
	Bytes []byte
	room  []byte
	env   *Env
	sent  func() // ends a buffered send; made once, for the next one that uses the buffer
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
	class, room := class(len(b))
	if class >= 0 {
		if k, found := e.copies[class].Get().(*Copy); found {
			k.Bytes = k.room[:copy(k.room, b)]
			return k
		}
	}
	return e.newCopy(b, room)
}

// newCopy copies b to a fresh buffer of n bytes.
func (e *Env) newCopy(b []byte, n int) *Copy {
	k := &Copy{room: make([]byte, n), env: e}
	k.Bytes = k.room[:copy(k.room, b)]
	k.sent = func() {
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
