package soft

// flight holds the pieces that are under way, by PSN.
type flight struct {
	slots []piece // a ring
	head  int
	n     int
	psn   uint32 // of the oldest
	idle  int    // acknowledgements that left nothing in flight
}

func (f *flight) at(i int) *piece { return &f.slots[(f.head+i)&(len(f.slots)-1)] }

// push returns the slot of the next piece.
func (f *flight) push(psn uint32) *piece {
	if f.n == len(f.slots) {
		bigger := make([]piece, max(4, 2*f.n))
		for i := range f.n {
			bigger[i] = *f.at(i)
		}
		f.slots, f.head = bigger, 0
	}
	if f.n == 0 {
		f.psn = psn
	}
	f.n++
	return f.at(f.n - 1)
}

// pop removes the oldest.
func (f *flight) pop() {
	f.at(0).load = load{}
	f.head = (f.head + 1) & (len(f.slots) - 1)
	f.n--
	f.psn++
}

// get finds a piece by its PSN.
func (f *flight) get(psn uint32) *piece {
	if i := psn - f.psn; i < uint32(f.n) {
		return f.at(int(i))
	}
	return nil
}
