// Package match owns the two queues of MPI matching: receives that wait for a message (Posted) and
// messages that wait for a receive (Unexpected).
//
// It promises MPI's order: a message goes to the earliest posted receive whose pattern fits, a receive
// takes the earliest arrived message that fits it. However long the queues are, a receive finds its
// message in O(1) on average, with wildcards or without, and a message the receive of its exact
// envelope; posted receives with wildcards are searched in the order of posting. It allocates nothing
// per entry (entries are the caller's, linked in place) and knows nothing of payloads or requests.
package match

// Any in the Peer or Tag of a pattern fits every peer or every tag.
const Any = -1

// Envelope is what matching looks at. In a pattern Peer and Tag may be Any.
type Envelope struct {
	Ctx  uint32
	Peer int32
	Tag  int32
}

// Wild tells whether e, as a pattern, can fit more than one envelope.
func (e Envelope) Wild() bool { return e.Peer == Any || e.Tag == Any }

// Fits tells whether pattern e takes a message with envelope m.
func (e Envelope) Fits(m Envelope) bool {
	return e.Ctx == m.Ctx && (e.Peer == m.Peer || e.Peer == Any) && (e.Tag == m.Tag || e.Tag == Any)
}

// Hash spreads envelopes over 2^32 values; the high bits are the good ones.
func (e Envelope) Hash() uint32 {
	return (e.Ctx*0x9e3779b1 ^ uint32(e.Peer)*0x85ebca6b ^ uint32(e.Tag)*0xc2b2ae35) * 0x27d4eb2f
}

// hash is Hash of what a list of this kind goes by.
func (e Envelope) hash(k kind) uint32 {
	if k == byKey {
		return e.Hash()
	}
	return e.part(k).Hash()
}

// part is what of e a list of this kind goes by, as a pattern.
func (e Envelope) part(k kind) Envelope {
	if k != byPeer {
		e.Peer = Any
	}
	if k != byTag {
		e.Tag = Any
	}
	return e
}

// Entry is one member of a queue, usually a field of what it stands for. It is in at most one queue.
type Entry[T any] struct {
	Envelope
	Value  T
	order  uint64
	links  [kinds]links[T]
	queued bool
}

// Queued tells whether the entry is in a queue.
func (e *Entry[T]) Queued() bool { return e.queued }

type links[T any] struct{ next, prev *Entry[T] }

// kind is what the entries of a list have in common, as far as their hash tells.
type kind uint8

// The lists that an entry can be in. Posted receives are in one alone: by key, or with all wildcards.
const (
	byKey  kind = iota // the whole envelope
	byCtx              // the context: what a receive with two wildcards looks at
	byTag              // context and tag: from any peer
	byPeer             // context and peer: with any tag
	kinds
)

// list is a doubly linked list through one pair of its entries' links, oldest first.
type list[T any] struct{ first, last *Entry[T] }

func (l *list[T]) push(e *Entry[T], k kind) {
	e.links[k] = links[T]{prev: l.last}
	if l.last == nil {
		l.first = e
	} else {
		l.last.links[k].next = e
	}
	l.last = e
}

func (l *list[T]) remove(e *Entry[T], k kind) {
	prev, next := e.links[k].prev, e.links[k].next
	if prev == nil {
		l.first = next
	} else {
		prev.links[k].next = next
	}
	if next == nil {
		l.last = prev
	} else {
		next.links[k].prev = prev
	}
	e.links[k] = links[T]{}
}

// table is a hash table of lists of one kind. Entries of one list keep their order.
type table[T any] struct {
	lists []list[T]
	shift uint8 // 32 - log2(len(lists))
	n     int
	k     kind
}

const firstSize = 8 // lists in a new table: a thousand idle ranks in one process must stay small

func (t *table[T]) at(hash uint32) *list[T] { return &t.lists[hash>>t.shift] }

func (t *table[T]) add(e *Entry[T]) {
	if t.n >= 2*len(t.lists) {
		t.grow()
	}
	t.at(e.hash(t.k)).push(e, t.k)
	t.n++
}

func (t *table[T]) remove(e *Entry[T]) {
	t.at(e.hash(t.k)).remove(e, t.k)
	t.n--
}

// grow doubles the table. Moving list by list keeps the order inside each new list, because entries that
// will share a list shared one before.
func (t *table[T]) grow() {
	old := t.lists
	size := max(2*len(old), firstSize)
	t.lists = make([]list[T], size)
	t.shift = 32
	for s := size; s > 1; s >>= 1 {
		t.shift--
	}
	for i := range old {
		for e := old[i].first; e != nil; {
			next := e.links[t.k].next
			t.at(e.hash(t.k)).push(e, t.k)
			e = next
		}
	}
}
