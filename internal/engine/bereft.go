package engine

import "github.com/weft-mpi/weft/internal/match"

// A receive from any source may wait for a rank that is dead, and nobody can tell. So where a member of a
// communicator has died, such receives end with an error, and so do those that are posted later, until the
// program says that it knows: from then on they wait for the living. Messages that are here are received
// all the same.

// Bereave has receives and probes from any source on a context end with err, until Console.
func (e *Engine) Bereave(ctx uint32, err error) {
	if e.lost == nil {
		e.lost = map[int]error{} // what is asked first
	}
	if e.bereft == nil {
		e.bereft = map[uint32]error{}
	}
	e.bereft[ctx] = err
	e.posted.Each(func(en *match.Entry[*Req]) {
		if en.Ctx == ctx && en.Peer == match.Any {
			e.posted.Remove(en)
			e.finish(en.Value, err)
		}
	})
	e.endProbes(func(r *Req) bool { return r.Ctx == ctx && r.Peer == match.Any }, err)
}

// Console undoes that: receives and probes from any source wait again.
func (e *Engine) Console(ctx uint32) { delete(e.bereft, ctx) }

// sourceError is why nothing may come any more that a receive or probe waits for; nil if it may.
func (e *Engine) sourceError(r *Req) error {
	if r.Peer == match.Any {
		return e.bereft[r.Ctx]
	}
	return e.lost[int(r.Peer)]
}
