package comm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/weft-mpi/weft/internal/council"
	"github.com/weft-mpi/weft/internal/progress"
)

// Council is how a rank reaches the council of its job, which knows who is dead and has the living agree. Words come
// back by Env.Heard, deaths by Env.Died, revocations by Env.Revoked; a death that a word tells of has been told before.
type Council interface {
	// Vote brings a ballot. The word comes later, for all ballots that were taken.
	Vote(b council.Ballot) error
	// Revoke has Env.Revoked called at all of the processes procs that live.
	Revoke(ctx uint32, procs []int) error
}

// The errors of jobs that survive the death of a process.
var (
	ErrRevoked   = progress.ErrRevoked
	ErrNoRecover = errors.New("the job ends with its first process that dies; start it with weft run --recover")
)

// What agreements are for.
const (
	agrees uint8 = iota
	shrinks
	settles // the memory of a communicator that is new
	leaves  // the end of the job
	purposes
)

// recovery is what a rank knows of the dead, and of the agreements that it waits for.
type recovery struct {
	mu     sync.Mutex // taken with the loop's lock held, never the other way round
	dead   map[int]bool
	rounds map[roundOf]*round
	once   sync.Once
}

// roundOf names an agreement, round is one that this rank waits for.
type roundOf struct {
	ctx  uint32
	kind uint8
	seq  uint32
}

type round struct {
	req  *progress.Request
	word council.Word
}

// undecided is an Env that is told when the job is over.
type undecided Env

// Fail ends the agreements that wait. The loop's lock is held.
func (e *undecided) Fail(err error) {
	v := &e.recovery
	v.mu.Lock()
	waiting := v.rounds
	v.rounds = nil
	v.mu.Unlock()
	for _, w := range waiting {
		e.Loop.Finish(w.req, err)
	}
}

// Mourns tells whether a process of the job has died.
func (e *Env) Mourns() bool {
	v := &e.recovery
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.dead) > 0
}

// errDied is why calls fail that need a process that is dead.
func errDied(proc int) error { return progress.DeadPeer(fmt.Sprintf("process %d has died", proc)) }

// Died takes in that a process has died: calls that need it end.
func (e *Env) Died(proc int) {
	if proc == e.Self {
		return
	}
	v := &e.recovery
	v.mu.Lock()
	if v.dead == nil {
		v.dead = map[int]bool{}
	}
	known := v.dead[proc]
	v.dead[proc] = true
	v.mu.Unlock()
	if known {
		return
	}
	var ctxs []uint32
	for _, c := range e.alive.all() {
		if c.group.Rank(proc) != Undefined && !slices.Contains(ctxs, c.in) {
			ctxs = append(ctxs, c.in)
		}
	}
	slices.Sort(ctxs)
	e.Loop.Bury(proc, ctxs, errDied(proc))
}

// mourn has a communicator that has just become known count its dead. locked says that the loop's lock is held.
func (e *Env) mourn(c *core, locked bool) {
	failed := c.deadRanks()
	if len(failed) == 0 {
		return
	}
	err := errDied(c.group.procs[failed[0]])
	if locked {
		e.Loop.BereaveHeld(c.in, err)
	} else {
		e.Loop.Bereave(c.in, err)
	}
}

// deadRanks returns the ranks of the communicator's processes that are dead.
func (c *core) deadRanks() (ranks []int) {
	v := &c.env.recovery
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.dead) == 0 {
		return nil
	}
	for r, p := range c.group.procs {
		if v.dead[p] {
			ranks = append(ranks, r)
		}
	}
	return ranks
}

// Revoked takes in that a rank has revoked the communicator of a context.
func (e *Env) Revoked(ctx uint32) { e.Loop.Revoke(ctx) }

// Heard takes the word of an agreement. One that nobody waits for any more is let go.
func (e *Env) Heard(w council.Word) {
	e.Loop.Enter()
	defer e.Loop.Exit()
	v := &e.recovery
	v.mu.Lock()
	key := roundOf{w.Comm, w.Kind, w.Seq}
	waiting := v.rounds[key]
	delete(v.rounds, key)
	v.mu.Unlock()
	if waiting != nil {
		waiting.word = w
		e.Loop.Finish(waiting.req, nil)
	}
}

// consult brings a ballot and waits for the word.
func (c *Comm) consult(op string, b council.Ballot) (council.Word, error) {
	e := c.env
	if e.Council == nil {
		return council.Word{}, c.fail(op, ErrNoRecover)
	}
	b.Comm, b.Seq, b.Members = c.in, c.agreements[b.Kind].Add(1), c.group.procs
	w, err := e.await(c.goctx, b, c.why(op))
	if err != nil {
		return w, c.fail(op, err)
	}
	return w, nil
}

// await is consult for a ballot that is filled in.
func (e *Env) await(ctx context.Context, b council.Ballot, why progress.Why) (council.Word, error) {
	e.recovery.once.Do(func() { e.Loop.Locked(func() { e.Loop.TellFailing((*undecided)(e)) }) })
	w, err := e.expect(b)
	if err == nil {
		err = e.Council.Vote(b)
	}
	if err != nil {
		e.Heard(council.Word{Comm: b.Comm, Kind: b.Kind, Seq: b.Seq}) // in case it waits
	}
	if w == nil {
		return council.Word{}, err
	}
	e.Loop.Enter()
	defer e.Loop.Exit()
	if ended := e.Loop.Await(ctx, w.req, why); err == nil {
		err = ended
	}
	return w.word, err
}

// expect prepares to hear the word of an agreement.
func (e *Env) expect(b council.Ballot) (*round, error) {
	e.Loop.Enter()
	defer e.Loop.Exit()
	if err := e.Loop.Over(); err != nil {
		return nil, err
	}
	v := &e.recovery
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.rounds == nil {
		v.rounds = map[roundOf]*round{}
	}
	w := &round{req: e.Loop.Expect(progress.Nobody, 0)}
	v.rounds[roundOf{b.Comm, b.Kind, b.Seq}] = w
	return w, nil
}

// Agree returns the bits of flags that all living ranks have set, the same at all of them. It works on communicators
// that were revoked, and does not fail for dead ranks whose death all the others have acknowledged. For others
// it does, at all ranks, and the flags are right all the same. A rank that has called Shrink does not agree any more: then
// no flag is set, and all get ErrRevoked.
func (c *Comm) Agree(flags uint64) (uint64, error) {
	switch {
	case c.state.Load() == freed:
		return 0, c.fail("agree", ErrComm)
	case c.agreements[shrinks].Load() > 0:
		return 0, c.fail("agree", fmt.Errorf("%w: Shrink has been called on it", ErrRevoked))
	}
	w, err := c.consult("agree", council.Ballot{Kind: agrees, Flags: flags, Known: c.acknowledged()})
	switch {
	case err != nil:
	case len(w.Absent) > 0:
		absent := fmt.Errorf("%w: that rank has called Shrink instead", ErrRevoked)
		err = c.fault("agree", c.group.Rank(w.Absent[0]), None, absent)
	case len(w.News) > 0:
		err = c.fault("agree", c.group.Rank(w.News[0]), None, errDied(w.News[0]))
	}
	return w.Flags, err
}

// Revoke has all that is under way on the communicator, and all that is begun later, end with ErrRevoked, at all
// living ranks.
func (c *Comm) Revoke() error {
	switch {
	case c.state.Load() == freed:
		return c.fail("revoke", ErrComm)
	case c.env.Council == nil:
		return c.fail("revoke", ErrNoRecover)
	case c.state.Load() == revoked:
		return nil
	}
	c.env.Loop.Revoke(c.in)
	if c.group.Size() == 1 {
		c.state.CompareAndSwap(usable, revoked)
		return nil
	}
	if err := c.env.Council.Revoke(c.in, c.group.procs); err != nil {
		return c.fail("revoke", err)
	}
	return nil
}

// Shrink makes a communicator of the living ranks of c, in their order. It works on communicators that were revoked.
func (c *Comm) Shrink() (*Comm, error) {
	if c.state.Load() == freed {
		return nil, c.fail("shrink", ErrComm)
	}
	if err := c.oneGroup("shrink"); err != nil {
		return nil, err
	}
	id, proposed := c.env.propose() // who has none to give may still not be the first
	w, err := c.consult("shrink", council.Ballot{Kind: shrinks, Last: true, Number: id})
	living := slices.DeleteFunc(slices.Clone(c.group.procs), func(p int) bool { return slices.Contains(w.Dead, p) })
	leads := err == nil && living[0] == c.env.Self
	if proposed == nil && !leads {
		c.env.withdraw(id)
	}
	if err == nil && w.Number == 0 {
		err = c.fail("shrink", fmt.Errorf("%w: process %d leads too many communicators", ErrLimit, living[0]))
	}
	if err != nil {
		return nil, err
	}
	d := c.env.newComm(NewGroup(living), living[0], w.Number&^again, c.name+".shrink")
	d.goctx = c.goctx
	return d, d.settleShrunk()
}

// settleShrunk has the ranks of a new communicator agree about its memory. That also sees to it that all of them know
// it before the first message, should its number have been used before.
func (c *Comm) settleShrunk() error {
	ask := c.node.room == roomUnknown
	b := council.Ballot{Kind: settles}
	if !ask || c.reserve() {
		b.Flags = 1
	}
	w, err := c.consult("shrink", b)
	if err == nil && ask {
		c.settle(w.Flags == 1)
	}
	return err
}

// FailedRanks returns the ranks of the communicator that are known to be dead, in order.
func (c *Comm) FailedRanks() []int { return c.deadRanks() }

// AckFailed takes note of them: receives from any source wait for the others again, and Agree does not fail for them.
func (c *Comm) AckFailed() []int {
	ranks := c.deadRanks()
	c.acks.Store(&ranks)
	c.env.Loop.Console(c.in)
	if len(ranks) != len(c.deadRanks()) { // one has died meanwhile, and nobody has taken note of that
		c.env.mourn(c.core, false)
	}
	return ranks
}

// acknowledged are the processes whose death the program has taken note of.
func (c *core) acknowledged() (procs []int) {
	if ranks := c.acks.Load(); ranks != nil {
		for _, r := range *ranks {
			procs = append(procs, c.group.procs[r])
		}
	}
	return procs
}

// meetLiving waits for all processes that live, at the end of the job.
func (e *Env) meetLiving() error {
	c := &Comm{core: e.newCore(e.everybody(), 0, lastID, "world")}
	_, err := c.consult(progress.Finalize, council.Ballot{Kind: leaves})
	return err
}
