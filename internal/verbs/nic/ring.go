package nic

// ring is a queue that grows by doubling up to a limit and keeps its memory.
type ring[T any] struct {
	slots []T
	head  int // index of the oldest, modulo len(slots)
	n     int
	limit int
}

const firstSlots = 4

// full tells whether the limit is reached.
func (r *ring[T]) full() bool { return r.n >= r.limit }

// push returns the slot of a new newest entry, still holding what it held before; the ring must not be full.
func (r *ring[T]) push() *T {
	if r.n == len(r.slots) {
		r.grow()
	}
	r.n++
	return r.at(r.n - 1)
}

func (r *ring[T]) grow() {
	bigger := make([]T, min(max(firstSlots, 2*len(r.slots)), r.limit))
	for i := range r.n {
		bigger[i] = *r.at(i)
	}
	r.slots, r.head = bigger, 0
}

// at returns the i-th oldest entry.
func (r *ring[T]) at(i int) *T {
	if i += r.head; i >= len(r.slots) {
		i -= len(r.slots)
	}
	return &r.slots[i]
}

// drop removes the oldest entry; its slot keeps its content until it is pushed again. An empty ring begins at the same
// slot again, which is still in the cache.
func (r *ring[T]) drop() {
	r.n--
	if r.head++; r.head == len(r.slots) || r.n == 0 {
		r.head = 0
	}
}
