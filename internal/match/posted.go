package match

// Posted is the queue of receives that wait for a message. The zero value is ready.
//
// Most queues hold one receive most of the time, so a receive that is alone stays out of the table.
type Posted[T any] struct {
	only  *Entry[T] // the one receive, while the others are empty
	n     int
	exact table[T]
	wild  list[T]
	clock uint64
}

// Add puts a receive at the end of the queue.
func (q *Posted[T]) Add(e *Entry[T]) {
	e.queued = true
	q.n++
	if q.n == 1 {
		q.only = e
		return
	}
	if q.only != nil {
		q.insert(q.only)
		q.only = nil
	}
	q.insert(e)
}

func (q *Posted[T]) insert(e *Entry[T]) {
	q.clock++
	e.order = q.clock
	if e.Wild() {
		q.wild.push(e, byKey)
		return
	}
	q.exact.add(e)
}

// Take removes and returns the earliest receive that fits message m, or nil.
func (q *Posted[T]) Take(m Envelope) *Entry[T] {
	e := q.Peek(m)
	if e != nil {
		q.Remove(e)
	}
	return e
}

// Peek returns the earliest receive that fits message m, or nil, and leaves it in the queue.
func (q *Posted[T]) Peek(m Envelope) *Entry[T] {
	if e := q.only; e != nil {
		if !e.Fits(m) {
			return nil
		}
		return e
	}
	var found *Entry[T]
	if q.exact.n > 0 {
		for e := q.exact.at(m.Hash()).first; e != nil; e = e.links[byKey].next {
			if e.Envelope == m {
				found = e
				break
			}
		}
	}
	for e := q.wild.first; e != nil; e = e.links[byKey].next {
		if found != nil && found.order < e.order {
			break
		}
		if e.Fits(m) {
			found = e
			break
		}
	}
	return found
}

// Remove takes e, which must be in the queue, out of it.
func (q *Posted[T]) Remove(e *Entry[T]) {
	e.queued = false
	q.n--
	if e == q.only {
		q.only = nil
		return
	}
	if e.Wild() {
		q.wild.remove(e, byKey)
		return
	}
	q.exact.remove(e)
}

// Last returns the latest receive in the queue whose pattern is exactly the envelope m, or nil.
func (q *Posted[T]) Last(m Envelope) *Entry[T] {
	if e := q.only; e != nil {
		if e.Envelope == m {
			return e
		}
		return nil
	}
	if q.exact.n == 0 {
		return nil
	}
	e := q.exact.at(m.Hash()).last
	for e != nil && e.Envelope != m {
		e = e.links[byKey].prev
	}
	return e
}

// WildFits tells whether a receive with a wildcard in the queue would take message m.
func (q *Posted[T]) WildFits(m Envelope) bool {
	if e := q.only; e != nil {
		return e.Wild() && e.Fits(m)
	}
	for e := q.wild.first; e != nil; e = e.links[byKey].next {
		if e.Fits(m) {
			return true
		}
	}
	return false
}

// EachOf calls fn for every receive in the queue whose pattern is exactly the envelope m, oldest first.
func (q *Posted[T]) EachOf(m Envelope, fn func(*Entry[T])) {
	if q.only != nil {
		if q.only.Envelope == m {
			fn(q.only)
		}
		return
	}
	if q.exact.n == 0 {
		return
	}
	q.exact.at(m.Hash()).each(byKey, func(e *Entry[T]) {
		if e.Envelope == m {
			fn(e)
		}
	})
}

// Len is the number of receives in the queue.
func (q *Posted[T]) Len() int { return q.n }

// Each calls fn for every receive in the queue; fn may remove that receive.
func (q *Posted[T]) Each(fn func(*Entry[T])) {
	if q.only != nil {
		fn(q.only)
		return
	}
	for i := range q.exact.lists {
		q.exact.lists[i].each(byKey, fn)
	}
	q.wild.each(byKey, fn)
}

func (l *list[T]) each(k kind, fn func(*Entry[T])) {
	for e := l.first; e != nil; {
		next := e.links[k].next
		fn(e)
		e = next
	}
}
