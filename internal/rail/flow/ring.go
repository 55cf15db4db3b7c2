package flow

const (
	smallest  = 8  // slots of the first ring
	calmTimes = 64 // how often a ring must empty, hardly used, before it shrinks
)

// ring keeps a slot for each number in a range, addressed by the number itself. Its length is 0 or a power of two. It
// does not know the range; slots that are not in it must be zero.
type ring[T any] struct {
	buf  []T
	peak uint32 // slots used at most since it last emptied
	calm uint32 // times in a row that it emptied without being a quarter full
}

// at is the slot of a number.
func (r *ring[T]) at(seq uint32) *T { return &r.buf[seq&uint32(len(r.buf)-1)] }

// reach makes room for n slots from number low on; the slots in use stay.
func (r *ring[T]) reach(low uint32, n int) {
	if n <= len(r.buf) {
		return
	}
	size := max(smallest, len(r.buf))
	for size < n {
		size *= 2
	}
	r.resize(low, size)
}

func (r *ring[T]) resize(low uint32, size int) {
	old := *r
	r.buf = make([]T, size)
	r.calm = 0
	for i := range min(len(old.buf), size) {
		seq := low + uint32(i)
		*r.at(seq) = *old.at(seq)
	}
}

// emptied halves a ring that has been too large for a while. No slot is in use.
func (r *ring[T]) emptied() {
	if len(r.buf) <= smallest || int(r.peak) > len(r.buf)/4 {
		r.calm = 0
	} else if r.calm++; r.calm >= calmTimes {
		r.buf = make([]T, len(r.buf)/2)
		r.calm = 0
	}
	r.peak = 0
}
