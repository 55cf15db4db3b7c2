package match

// Unexpected is the queue of messages that wait for a receive. Make one with NewUnexpected.
//
// Most messages are taken by their envelope, or are among the first of their context: those two
// tables are always kept. The tables by tag and by peer come about when a receive has looked at many
// messages that it does not take, and are kept until the queue is empty.
type Unexpected[T any] struct {
	tables [kinds]table[T]
	halves bool // the tables by tag and by peer are kept
}

// far is how many messages a receive with a wildcard looks at before it asks for a table.
const far = 32

// NewUnexpected returns an empty queue.
func NewUnexpected[T any]() *Unexpected[T] {
	q := &Unexpected[T]{}
	for k := range kinds {
		q.tables[k].k = k
	}
	return q
}

// Len is the number of messages in the queue.
func (q *Unexpected[T]) Len() int { return q.tables[byKey].n }

// Add puts a message at the end of the queue.
func (q *Unexpected[T]) Add(e *Entry[T]) {
	e.queued = true
	q.tables[byKey].add(e)
	q.tables[byCtx].add(e)
	if q.halves {
		q.tables[byTag].add(e)
		q.tables[byPeer].add(e)
	}
}

// Peek returns the earliest message that pattern p takes, or nil, and leaves it in the queue.
func (q *Unexpected[T]) Peek(p Envelope) *Entry[T] {
	if q.Len() == 0 {
		return nil
	}
	if !p.Wild() {
		return q.first(p, byKey)
	}
	k := byCtx
	if p.Tag != Any {
		k = byTag
	} else if p.Peer != Any {
		k = byPeer
	}
	if k != byCtx && !q.halves {
		if e, all := q.near(p); e != nil || all {
			return e
		}
		q.halve()
	}
	return q.first(p, k)
}

// first is Peek in lists of a kind.
func (q *Unexpected[T]) first(p Envelope, k kind) *Entry[T] {
	e := q.list(p, k).first
	for e != nil && !p.Fits(e.Envelope) {
		e = e.links[k].next
	}
	return e
}

// list is the list that a pattern's messages are in.
func (q *Unexpected[T]) list(p Envelope, k kind) *list[T] { return q.tables[k].at(p.hash(k)) }

// near is Peek among the first messages of the context. all tells that there are no others.
func (q *Unexpected[T]) near(p Envelope) (e *Entry[T], all bool) {
	e = q.list(p, byCtx).first
	for range far {
		if e == nil || p.Fits(e.Envelope) {
			return e, e == nil
		}
		e = e.links[byCtx].next
	}
	return nil, false
}

// halve makes the tables by tag and by peer. Messages that will share a list share one of the context's,
// whose order they keep.
func (q *Unexpected[T]) halve() {
	q.halves = true
	q.Each(q.tables[byTag].add)
	q.Each(q.tables[byPeer].add)
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
	q.tables[byKey].remove(e)
	q.tables[byCtx].remove(e)
	if q.halves {
		q.tables[byTag].remove(e)
		q.tables[byPeer].remove(e)
		q.halves = q.Len() > 0
	}
}

// Each calls fn for every message in the queue; fn may remove that message.
func (q *Unexpected[T]) Each(fn func(*Entry[T])) {
	for i := range q.tables[byCtx].lists {
		q.tables[byCtx].lists[i].each(byCtx, fn)
	}
}

// EachOf calls fn for every message in the queue with exactly the envelope m, oldest first.
func (q *Unexpected[T]) EachOf(m Envelope, fn func(*Entry[T])) { q.eachIn(m, byKey, fn) }

// EachIn calls fn for every message in the queue of a context, oldest first.
func (q *Unexpected[T]) EachIn(ctx uint32, fn func(*Entry[T])) {
	q.eachIn(Envelope{Ctx: ctx, Peer: Any, Tag: Any}, byCtx, fn)
}

func (q *Unexpected[T]) eachIn(p Envelope, k kind, fn func(*Entry[T])) {
	if q.Len() == 0 {
		return
	}
	q.list(p, k).each(k, func(e *Entry[T]) {
		if p.Fits(e.Envelope) {
			fn(e)
		}
	})
}
