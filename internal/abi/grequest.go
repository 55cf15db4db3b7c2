package abi

import (
	"sync"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
)

// chapterGrequests has generalized requests: the program says when they are over.
var chapterGrequests = map[string]row{"Grequest_start": {do: startGrequest}, "Grequest_complete": {do: completeGrequest}}

// grequest is a generalized request: the program's functions, and what waits underneath.
type grequest struct {
	query, free, cancel, extra uintptr
	loop                       *progress.Loop
	r                          *progress.Request

	mu       sync.Mutex
	complete bool
	freed    bool // by the program, before it was complete
}

// startGrequest is Grequest_start: functions to query, free and cancel, their argument, request.
func startGrequest(c call) error {
	if c.word(0) < firstPage || c.word(1) < firstPage || c.word(2) < firstPage {
		return bad(spec.ERR_ARG, "one of the functions is none")
	}
	if err := c.outs(4); err != nil {
		return err
	}
	home, hooks := c.p.self.c, &c.p.cfg.Hooks
	g := &grequest{query: c.word(0), free: c.word(1), cancel: c.word(2), extra: c.word(3), loop: home.Env().Loop}
	g.loop.Enter()
	g.r = g.loop.Expect(home.Env().Self, 0)
	h := g.loop.Hand(g.r, home.Why("grequest"))
	g.loop.Exit()
	return c.newRequest(4, &request{
		r: home.Adopt(h), general: g,
		query: func(s *status, _ *comm.Status) error {
			var own status
			if s == nil {
				s = &own
			}
			return codeError(hooks.Query(g.query, g.extra, unsafe.Pointer(s)), "the function that queries a generalized request")
		},
		gone: func() error {
			return codeError(hooks.Free(g.free, g.extra), "the function that frees a generalized request")
		},
		cancel: func(over bool) error {
			return codeError(hooks.Cancel(g.cancel, g.extra, over), "the function that cancels a generalized request")
		},
	})
}

// completeGrequest is Grequest_complete: request.
func completeGrequest(c call) error {
	r, err := c.p.requestOf(c.word(0))
	if err != nil {
		return err
	}
	if r == nil || r.general == nil {
		return bad(spec.ERR_REQUEST, "the request is not a generalized one")
	}
	g := r.general
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.complete {
		return bad(spec.ERR_REQUEST, "the request is complete already")
	}
	g.complete = true
	g.loop.Enter()
	g.loop.Finish(g.r, nil)
	g.loop.Exit()
	if g.freed {
		c.p.requests.remove(r.handle)
		return r.gone()
	}
	return nil
}

// release is Request_free of a generalized request: it goes when it is complete.
func (r *request) release(p *Proc) error {
	g := r.general
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.complete {
		g.freed = true
		return r.r.Free()
	}
	p.requests.remove(r.handle)
	if err := r.r.Free(); err != nil {
		return err
	}
	return r.gone()
}
