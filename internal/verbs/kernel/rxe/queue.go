package rxe

import (
	"errors"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Layout of a queue, struct rxe_queue_buf: the logarithm of an entry's size, the mask of indexes, the producer's and the consumer's
// index, each in a cache line of its own, and the entries.
const (
	sizeAt     = 0
	maskAt     = 4
	producerAt = 128
	consumerAt = 256
	entriesAt  = 384
)

// errIndex is what a queue says whose other side has written nonsense: nothing in it can be trusted any more.
var errIndex = errors.New("an index of a queue that is shared with the kernel lies outside of it")

// queue is a queue in memory that is shared with the kernel. Indexes are taken modulo its length; an entry stays empty, so that a full queue
// is told from an empty one. What the memory says of its size is looked at once, and its indexes with every use.
type queue struct {
	memory   []byte
	producer *uint32
	consumer *uint32
	shift    uint32
	mask     uint32
	own      uint32 // the index on this side, which nobody else changes
}

// newQueue looks at a queue whose entries have at least so many bytes; it answers false if the memory does not look like one.
func newQueue(memory []byte, entry int, producer bool) (q queue, ok bool) {
	if len(memory) < entriesAt {
		return q, false
	}
	shift, mask := *word(memory, sizeAt), *word(memory, maskAt)
	if shift > 16 || 1<<shift < entry || mask == 0 || mask&(mask+1) != 0 || entriesAt+(uint64(mask)+1)<<shift > uint64(len(memory)) {
		return q, false
	}
	q = queue{memory: memory, producer: word(memory, producerAt), consumer: word(memory, consumerAt), shift: shift, mask: mask}
	if q.own = atomic.LoadUint32(q.consumer); producer {
		q.own = atomic.LoadUint32(q.producer)
	}
	return q, q.own <= mask && uint64(len(memory)) <= 1<<31
}

// word is a word of the memory.
func word(memory []byte, at uint32) *uint32 { return (*uint32)(unsafe.Pointer(&memory[at])) }

// room tells a producer that there is none: ENOMEM, as drivers do.
func (q *queue) room() error {
	switch at := atomic.LoadUint32(q.consumer); {
	case at > q.mask:
		return errIndex
	case at == (q.own+1)&q.mask:
		return syscall.ENOMEM
	}
	return nil
}

// some tells a consumer whether there is something.
func (q *queue) some() (bool, error) {
	at := atomic.LoadUint32(q.producer)
	if at > q.mask {
		return false, errIndex
	}
	return at != q.own, nil
}

// entry is the entry at the own index.
func (q *queue) entry() []byte {
	at := entriesAt + q.own<<q.shift
	return q.memory[at : at+1<<q.shift]
}

// publish gives the entry to the kernel, consumed gives its room back.
func (q *queue) publish() {
	q.own = (q.own + 1) & q.mask
	atomic.StoreUint32(q.producer, q.own)
}

func (q *queue) consumed() {
	q.own = (q.own + 1) & q.mask
	atomic.StoreUint32(q.consumer, q.own)
}
