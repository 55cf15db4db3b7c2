package model

// queue is a heap: what comes before all others is taken first.
type queue[T interface{ Before(T) bool }] []T

// add puts x in.
func (q *queue[T]) add(x T) {
	*q = append(*q, x)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].Before(h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// next takes out what comes first. There is something in the queue.
func (q *queue[T]) next() T {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h[child].Before(h[least]) {
				least = child
			}
		}
		if least == i {
			return first
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// step is one that is ready; the smallest goes first.
type step int32

// Before puts small steps first.
func (s step) Before(t step) bool { return s < t }

// Before orders events by time; what was noted first comes first.
func (e event) Before(f event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return e.order < f.order
}
