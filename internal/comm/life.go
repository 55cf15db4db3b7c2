package comm

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/progress"
)

// The states of a communicator, for this rank.
const (
	usable  uint32 = iota
	givenUp        // the context of a collective has ended, here or elsewhere: ranks disagree about what has happened
	revoked        // by a rank, see Revoke
	freed
)

// unusable says why the communicator is.
func (c *Comm) unusable(op string) error {
	switch c.state.Load() {
	case givenUp:
		return c.fail(op, ErrGivenUp)
	case revoked:
		return c.fail(op, ErrRevoked)
	}
	return c.fail(op, ErrComm)
}

func (c *Comm) usable(op string) error {
	if c.state.Load() != usable {
		return c.unusable(op)
	}
	return nil
}

// cause is why a request has failed: one that was cancelled or refused, though nobody here asked
// for it, was on a communicator that was given up or revoked.
func (c *Comm) cause(err error) error {
	if s := c.state.Load(); s != usable && (errors.Is(err, ErrCancelled) || errors.Is(err, ErrRefused)) {
		switch s {
		case givenUp:
			return ErrGivenUp
		case revoked:
			return ErrRevoked
		}
	}
	return c.unequal(err)
}

// giveUp marks the communicator and tells its ranks.
func (c *core) giveUp() {
	if c.state.CompareAndSwap(usable, givenUp) {
		c.env.Loop.GiveUp(c.collectives(), c.group.procs)
	}
}

// ended tells whether err is that the context of the handle has ended.
func (c *Comm) ended(err error) bool {
	return err != nil && c.over() && errors.Is(err, context.Cause(c.goctx))
}

// registry knows the communicators of a rank that have not been freed, so that they can be told
// when a rank elsewhere gives one up.
type registry struct {
	once  sync.Once
	mu    sync.Mutex
	comms map[uint32][]*core // by context; several of the world
	early map[uint32]uint32  // given up or revoked before they were made here: which of both, by context
}

// register has c be told. What is left of a communicator that had the same number is thrown away. locked says that the
// loop's lock is held.
func (e *Env) register(c *core, locked bool) {
	e.enrol(c, locked)
	e.mourn(c, locked)
}

func (e *Env) enrol(c *core, locked bool) {
	r, revive := &e.alive, e.Loop.Revive
	if locked {
		revive = e.Loop.ReviveHeld
	}
	fixed := c.in == contextOf(0, worldID) || c.in == contextOf(0, lastID) || c.in == contextOf(e.Self, selfID)
	if !fixed && !r.isEarly(c.in) {
		revive(c.in)
	}
	if c.group.Size() == 1 { // nobody else can give it up
		return
	}
	r.once.Do(func() { e.Loop.OnGiveUp(e.noteGiven) })
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.comms == nil {
		r.comms = map[uint32][]*core{}
	}
	if !fixed {
		r.comms[c.in] = nil // one that was given up, and not freed
	}
	r.comms[c.in] = append(r.comms[c.in], c)
	if state, early := r.early[c.in]; early {
		delete(r.early, c.in)
		c.state.Store(state)
	}
}

// all returns the communicators.
func (r *registry) all() (all []*core) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, some := range r.comms {
		all = append(all, some...)
	}
	return all
}

// isEarly tells whether a communicator was given up before it was made here.
func (r *registry) isEarly(ctx uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, early := r.early[ctx]
	return early
}

// unregister undoes that, and throws away what is left of the communicator, unless another one has
// its number by now.
func (e *Env) unregister(c *core) {
	r := &e.alive
	r.mu.Lock()
	known := slices.Contains(r.comms[c.in], c)
	if known {
		delete(r.comms, c.in)
	}
	r.mu.Unlock()
	if known || c.group.Size() == 1 {
		e.Loop.Forget(c.in)
	}
}

// noteGiven marks a communicator that a rank has given up, or revoked. The loop's lock is held.
func (e *Env) noteGiven(ctx uint32, byRevoke bool) {
	r, state := &e.alive, givenUp
	if byRevoke {
		state = revoked
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.comms[ctx] {
		if !c.state.CompareAndSwap(usable, state) && byRevoke {
			c.state.CompareAndSwap(givenUp, revoked)
		}
	}
	if _, early := r.early[ctx]; len(r.comms[ctx]) == 0 && !early {
		if r.early == nil {
			r.early = map[uint32]uint32{}
		}
		r.early[ctx] = state
	}
}

// meetToFree waits for all ranks to free the communicator. A rank may be in a collective, or have
// been, that others never came to: so its messages are not numbered like others, and memory of
// nodes has nothing to do with it. In check mode ranks are to be told of such a mistake.
func (c *Comm) meetToFree() error {
	if c.compares {
		return c.asOne().Run(&Call{Op: coll.Barrier, Name: "free"})
	}
	b := c.lastMeeting()
	return c.finish(&b, "free")
}

// StartFree begins the meeting of Free. When it is over, Leave ends the communicator.
func (c *Comm) StartFree() Request {
	if c.compares {
		return c.asOne().Start(&Call{Op: coll.Barrier, Name: "free"})
	}
	if err := c.usable("free"); err != nil {
		return Failed(err)
	}
	b := c.lastMeeting()
	return c.request(c.env.Loop.StartPlan(&b, c.why("free")))
}

// lastMeeting binds the barrier of meetToFree.
func (c *Comm) lastMeeting() progress.Bound {
	cs := c.Case(&Call{Op: coll.Barrier})
	cs.Shares, cs.Fetches = false, false
	alg, _ := c.Chooses(cs)
	return progress.Bound{Plan: alg.Plan(cs), Peers: c.group.procs, Ctx: c.collectives(), Tag: progress.FreeTag, Seq: int(c.seq.Add(1))}
}

// Meet waits for all processes of the job at its end, whatever became of the world.
func (e *Env) Meet() error {
	if e.Council != nil {
		return e.meetLiving()
	}
	c := e.newComm(e.everybody(), 0, lastID, "world")
	c.node.room = roomLacking
	return c.Run(&Call{Op: coll.Barrier, Name: progress.Finalize})
}
