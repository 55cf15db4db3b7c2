package match

// Unexpected is the queue of messages that wait for a receive. Make one with NewUnexpected.
type Unexpected[T any] struct {
	exact table[T]
	ctx   table[T]
}

// NewUnexpected returns an empty queue.
func NewUnexpected[T any]() *Unexpected[T] {
	return &Unexpected[T]{ctx: table[T]{k: byCtx}}
}

// Len is the number of messages in the queue.
func (q *Unexpected[T]) Len() int { return q.exact.n }

// Add puts a message at the end of the queue.
func (q *Unexpected[T]) Add(e *Entry[T]) {
	e.queued = true
	q.exact.add(e)
	q.ctx.add(e)
}

// Peek returns the earliest message that pattern p takes, or nil, and leaves it in the queue.
func (q *Unexpected[T]) Peek(p Envelope) *Entry[T] {
	if q.exact.n == 0 {
		return nil
	}
	if !p.Wild() {
		for e := q.exact.at(p.Hash()).first; e != nil; e = e.links[byKey].next {
			if e.Envelope == p {
				return e
			}
		}
		return nil
	}
	for e := q.ctx.at(ctxHash(p.Ctx)).first; e != nil; e = e.links[byCtx].next {
		if p.Fits(e.Envelope) {
			return e
		}
	}
	return nil
}

// Take removes and returns the earliest message that pattern p takes, or nil.
func (q *Unexpected[T]) Take(p Envelope) *Entry[T] {
	e := q.Peek(p)
	if e != nil {
		q.Remove(e)
	}
	return e
}

// Remove takes e, which must be in the queue, out of it.
func (q *Unexpected[T]) Remove(e *Entry[T]) {
	e.queued = false
	q.exact.remove(e)
	q.ctx.remove(e)
}

// Each calls fn for every message in the queue; fn may remove that message.
func (q *Unexpected[T]) Each(fn func(*Entry[T])) {
	for i := range q.ctx.lists {
		q.ctx.lists[i].each(byCtx, fn)
	}
}

// EachOf calls fn for every message in the queue with exactly the envelope m, oldest first.
func (q *Unexpected[T]) EachOf(m Envelope, fn func(*Entry[T])) {
	if q.exact.n == 0 {
		return
	}
	q.exact.at(m.Hash()).each(byKey, func(e *Entry[T]) {
		if e.Envelope == m {
			fn(e)
		}
	})
}

// EachIn calls fn for every message in the queue of a context, oldest first.
func (q *Unexpected[T]) EachIn(ctx uint32, fn func(*Entry[T])) {
	if q.exact.n == 0 {
		return
	}
	q.ctx.at(ctxHash(ctx)).each(byCtx, func(e *Entry[T]) {
		if e.Ctx == ctx {
			fn(e)
		}
	})
}
