package engine

import (
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// A communicator has a context for every kind of messages. When it is freed all are dead: what waits
// there, and what still comes, is thrown away, so that it never meets a communicator that has the
// same numbers later. Receives that were posted before still get their messages. What is thrown
// away of the program's own messages is remembered, for it should have received them, unless the
// ranks have given the communicator up: then nobody is to blame.

// ctxSet is a set of communicators, by any of their contexts.
type ctxSet map[uint32]uint64

func (s ctxSet) at(ctx uint32) (word uint32, bit uint64) {
	number := ctx >> wire.KindBits
	return number >> 6, 1 << (number & 63)
}

func (s ctxSet) has(ctx uint32) bool {
	word, bit := s.at(ctx)
	return s[word]&bit != 0
}

func (s *ctxSet) add(ctx uint32) {
	if *s == nil {
		*s = ctxSet{}
	}
	word, bit := s.at(ctx)
	(*s)[word] |= bit
}

func (s ctxSet) remove(ctx uint32) {
	word, bit := s.at(ctx)
	if s[word] &^= bit; s[word] == 0 {
		delete(s, word)
	}
}

// Excuse has messages of a context and its kin not count as forgotten by the program.
func (e *Engine) Excuse(ctx uint32) { e.excused.add(ctx) }

// Excused tells whether Excuse was called for a context.
func (e *Engine) Excused(ctx uint32) bool { return len(e.excused) > 0 && e.excused.has(ctx) }

// Dead tells whether a context was forgotten.
func (e *Engine) Dead(ctx uint32) bool { return e.dead.has(ctx) }

// Forget ends a context and its kin. With those that are excused, requests end too, as if they
// were cancelled.
func (e *Engine) Forget(ctx uint32) {
	if e.excused.has(ctx) {
		for _, r := range e.Of(ctx) {
			e.Cancel(r)
		}
	}
	e.dead.add(ctx)
	e.Console(wire.ContextOf(ctx, wire.Messages))
	e.unexpected.Each(func(en *match.Entry[*Message]) {
		if wire.Related(en.Ctx, ctx) {
			e.blame(en.Value.Status(), en.Ctx)
			e.throw(en.Value)
		}
	})
	if e.spec != nil {
		e.spec.forgetAll(func(env match.Envelope) bool { return wire.Related(env.Ctx, ctx) })
	}
}

// Revive has a context and its kin be those of a new communicator. Of an older one that had them
// nothing is left.
func (e *Engine) Revive(ctx uint32) {
	e.Console(wire.ContextOf(ctx, wire.Messages))
	if !e.dead.has(ctx) && !e.excused.has(ctx) {
		return
	}
	e.Excuse(ctx)
	e.Forget(ctx)
	e.announced.forgetAll(func(env match.Envelope) bool { return wire.Related(env.Ctx, ctx) })
	e.dead.remove(ctx)
	e.excused.remove(ctx)
}

// Of returns the requests of a context and its kin that have not ended, but for eager sends that
// wait for their link.
func (e *Engine) Of(ctx uint32) (all []*Req) {
	add := func(r *Req) {
		if wire.Related(r.Ctx, ctx) {
			all = append(all, r)
		}
	}
	e.posted.Each(func(en *match.Entry[*Req]) {
		if en.Value.id == 0 {
			add(en.Value)
		}
	})
	for _, r := range e.probes {
		add(r)
	}
	for _, r := range e.ids {
		if r != nil {
			add(r)
		}
	}
	return all
}

// refuses tells whether a message is for a dead context, and throws it away then.
func (e *Engine) refuses(env match.Envelope, h *wire.Header) bool {
	if len(e.dead) == 0 || !e.dead.has(env.Ctx) {
		return false
	}
	e.Counters.Refused++
	e.blame(Status{Peer: int(env.Peer), Tag: env.Tag, Len: h.Len}, env.Ctx)
	e.sayGone(int(env.Peer), h)
	return true
}

// blame remembers a message that the program should have received.
func (e *Engine) blame(st Status, ctx uint32) {
	if wire.ContextKind(ctx) == wire.Messages && !e.excused.has(ctx) {
		e.missed = append(e.missed, st)
	}
}

// EachUnasked tells of every message that waits for its receive, and on which context, in no order.
func (e *Engine) EachUnasked(tell func(ctx uint32, st Status)) {
	e.unexpected.Each(func(en *match.Entry[*Message]) { tell(en.Ctx, en.Value.Status()) })
}

// Unmatched calls fn for every message that the program should have received and has not.
func (e *Engine) Unmatched(fn func(Status)) {
	for _, st := range e.missed {
		fn(st)
	}
	e.unexpected.Each(func(en *match.Entry[*Message]) {
		if !e.excused.has(en.Ctx) {
			fn(en.Value.Status())
		}
	})
}
