package soft

// ring is a queue that begins small and keeps the memory it has needed.
type ring[T any] struct {
	slots []T // as many as a power of two
	head  int
	n     int
}

// at is the i-th, the oldest first.
func (r *ring[T]) at(i int) *T { return &r.slots[(r.head+i)&(len(r.slots)-1)] }

// push returns the slot of a new one; what it holds is old.
func (r *ring[T]) push() *T {
	if r.n == len(r.slots) {
		bigger := make([]T, max(2, 2*r.n))
		for i := range r.n {
			bigger[i] = *r.at(i)
		}
		r.slots, r.head = bigger, 0
	}
	r.n++
	return r.at(r.n - 1)
}

// pop removes the oldest. Whoever calls it sees to what its slot refers to.
func (r *ring[T]) pop() {
	r.head = (r.head + 1) & (len(r.slots) - 1)
	if r.n--; r.n == 0 {
		r.head = 0 // that slot is in the cache
	}
}

// flight holds the pieces that are under way, by PSN.
type flight struct {
	ring[piece]
	psn  uint32 // of the oldest
	idle int    // acknowledgements that left nothing in flight
}

// push returns the slot of the next piece.
func (f *flight) push(psn uint32) *piece {
	if f.n == 0 {
		f.psn = psn
	}
	return f.ring.push()
}

// pop removes the oldest.
func (f *flight) pop() {
	f.at(0).load = load{}
	f.ring.pop()
	f.psn++
}

// get finds a piece by its PSN.
func (f *flight) get(psn uint32) *piece {
	if i := psn - f.psn; i < uint32(f.n) {
		return f.at(int(i))
	}
	return nil
}
