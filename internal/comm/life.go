package comm

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/weft-mpi/weft/internal/coll"
)

// The states of a communicator, for this rank.
const (
	usable  uint32 = iota
	givenUp        // the context of a collective has ended, here or elsewhere: ranks disagree about what has happened
	freed
)

// unusable says why the communicator is.
func (c *Comm) unusable(op string) error {
	if c.state.Load() == givenUp {
		return c.fail(op, ErrGivenUp)
	}
	return c.fail(op, ErrComm)
}

func (c *Comm) usable(op string) error {
	if c.state.Load() != usable {
		return c.unusable(op)
	}
	return nil
}

// cause is why a request has failed: one that was cancelled, though nobody here asked for it, was on a communicator that was given up.
func (c *Comm) cause(err error) error {
	if errors.Is(err, ErrCancelled) && c.state.Load() != usable {
		return ErrGivenUp
	}
	return err
}

// giveUp marks the communicator and tells its ranks.
func (c *core) giveUp() {
	if c.state.CompareAndSwap(usable, givenUp) {
		c.env.Loop.GiveUp(c.ctx|1, c.group.procs)
	}
}

// ended tells whether err is that the context of the handle has ended.
func (c *Comm) ended(err error) bool {
	return err != nil && c.over() && errors.Is(err, context.Cause(c.goctx))
}

// registry knows the communicators of a rank that have not been freed, so that they can be told when a rank elsewhere gives one up.
type registry struct {
	mu    sync.Mutex
	comms map[uint32][]*core // by context; several of the world
	early []uint32           // given up before they were made here
}

// register has c be told. What is left of a communicator that had the same number is thrown away.
func (e *Env) register(c *core) {
	if c.group.Size() == 1 { // nobody else can give it up
		return
	}
	r := &e.alive
	r.mu.Lock()
	first := r.comms == nil
	if first {
		r.comms = map[uint32][]*core{}
	}
	r.mu.Unlock()
	if first {
		e.Loop.OnGiveUp(e.noteGiven)
	}
	isWorld := c.ctx == contextOf(0, worldID)
	if !isWorld && c.ctx != contextOf(0, lastID) {
		e.Loop.Revive(c.ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !isWorld {
		r.comms[c.ctx] = nil // one that was given up, and not freed
	}
	r.comms[c.ctx] = append(r.comms[c.ctx], c)
	if i := slices.Index(r.early, c.ctx); i >= 0 {
		r.early = slices.Delete(r.early, i, i+1)
		c.state.Store(givenUp)
	}
}

// unregister undoes that, and throws away what is left of the communicator, unless another one has its number by now.
func (e *Env) unregister(c *core) {
	r := &e.alive
	r.mu.Lock()
	known := slices.Contains(r.comms[c.ctx], c)
	if known {
		delete(r.comms, c.ctx)
	}
	r.mu.Unlock()
	if known || c.group.Size() == 1 {
		e.Loop.Forget(c.ctx)
	}
}

// noteGiven marks a communicator that a rank elsewhere has given up. The loop's lock is held.
func (e *Env) noteGiven(ctx uint32) {
	r := &e.alive
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.comms[ctx] {
		c.state.CompareAndSwap(usable, givenUp)
	}
	if len(r.comms[ctx]) == 0 && !slices.Contains(r.early, ctx) {
		r.early = append(r.early, ctx)
	}
}

// Meet waits for all processes of the job at its end, whatever became of the world.
func (e *Env) Meet() error {
	c := e.newComm(e.everybody(), 0, lastID, "world")
	c.node.room = roomLacking
	return c.Run(&Call{Op: coll.Barrier, Name: "finalize"})
}
