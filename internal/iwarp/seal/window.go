package seal

// A window knows which of the last numbers have come. Bits of numbers lie in a ring of words; the
// one word more than are looked at is where the next numbers go, so that only whole words have to
// be cleared (RFC 6479).
const (
	windowWords = 32
	windowWidth = (windowWords - 1) * 64 // how far behind the greatest a number may be
)

type window struct {
	top  uint32 // the greatest number that has come
	bits [windowWords]uint64
}

// look tells whether a number may be taken.
func (w *window) look(n uint32) Verdict {
	switch {
	case n > w.top:
		return Genuine
	case w.top-n >= windowWidth:
		return Old
	case w.bits[n/64%windowWords]>>(n%64)&1 != 0:
		return Replayed
	}
	return Genuine
}

// add notes a number that may be taken.
func (w *window) add(n uint32) {
	if n > w.top {
		for word := w.top / 64; word < n/64 && word < w.top/64+windowWords; word++ {
			w.bits[(word+1)%windowWords] = 0
		}
		w.top = n
	}
	w.bits[n/64%windowWords] |= 1 << (n % 64)
}
