package comm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/topo"
)

// Env is what a rank's communicators stand on.
type Env struct {
	Loop       *progress.Loop
	Self, Size int          // our process, and how many the job has
	Facts      *agree.Facts // what all ranks know alike
	Select     *coll.Selector
	Options
	Alloc     func(n int) ([]byte, error) // memory that peers reach cheaply
	Free      func([]byte) error
	Now       func() int64    // the rank's time in nanoseconds
	Observer  Observer        // of collective calls; nil if nobody looks. It is set before the first call
	Profile   *calls.Recorder // of all calls; nil if nobody counts. It is set before the first call
	Site      func() string   // where the user's call is, for reports; may be nil
	Errors    Errors          // may be nil
	NUMA      func() int      // node of the memory next to all processors that this process may use; -1: several
	Everybody *Group          // all processes, if several ranks share the list; may be nil
	Council   Council         // nil if the job ends with the first process that dies. It is set before the first call
	bsend     atomic.Int64    // bytes of buffered sends on their way
	copies    copies
	ids       idPool
	alive     registry
	recovery  recovery
}

// core is what all handles of one communicator share.
type core struct {
	env        *Env
	group      *Group
	rank       int
	in, out    uint32 // contexts of messages that come and that leave: the same within a job
	id         uint32 // ours to give back if we lead; 0 otherwise
	name       string
	compares   bool                    // calls and types are compared: check mode
	seq        atomic.Uint32           // collectives so far
	state      atomic.Uint32           // usable, givenUp, revoked or freed
	agreements [purposes]atomic.Uint32 // so far, by what for
	littered   atomic.Bool             // words of a call that made a communicator and was given up may lie about
	acks       atomic.Pointer[[]int]   // dead ranks that the program has taken note of; nil: none
	plans      planCache
	spreads    spreads
	parts      partTags
	node       nodeShare
	graph      func() *topo.Graph // who the neighbours of all ranks are; nil if they have none
	peers      *Group             // whom messages go to: the group, or the other one of two
	two        *twoGroups         // nil if there is one group
}

// Comm is a communicator, perhaps with a context that its calls obey.
type Comm struct {
	*core
	goctx    context.Context
	choosing *choosing // nil: as the environment says
	label    uint64    // of messages; 0: none
	whole    bool      // calls are of all ranks, though there are two groups
}

// World returns the communicator of all processes.
func (e *Env) World() *Comm {
	w := e.newComm(e.everybody(), 0, worldID, "world")
	w.settleWorld()
	return w
}

// everybody is the group of all processes.
func (e *Env) everybody() *Group {
	if e.Everybody != nil {
		return e.Everybody
	}
	procs := make([]int, e.Size)
	for i := range procs {
		procs[i] = i
	}
	return NewGroup(procs)
}

// SelfComm returns the communicator of this process alone.
func (e *Env) SelfComm() *Comm {
	return e.newComm(NewGroup([]int{e.Self}), e.Self, selfID, "self")
}

func (e *Env) newComm(g *Group, leader int, id uint32, name string) *Comm {
	c := e.newCore(g, leader, id, name)
	c.node.room = e.roomAtFirst(g)
	e.register(c, false)
	return &Comm{core: c}
}

// newCore is what handles of a communicator share, before anybody knows of it.
func (e *Env) newCore(g *Group, leader int, id uint32, name string) *core {
	ctx := contextOf(leader, id)
	c := &core{env: e, group: g, peers: g, rank: g.Rank(e.Self), in: ctx, out: ctx, name: name, compares: e.Facts.Checks()}
	if leader == e.Self && id >= firstID {
		c.id = id
	}
	return c
}

// Rank is our rank: in our own group, if there are two.
func (c *Comm) Rank() int {
	if c.two != nil && !c.whole {
		return c.rank - c.two.before
	}
	return c.rank
}

// Size is the number of ranks: of our own group, if there are two.
func (c *Comm) Size() int { return len(c.Group().procs) }

// Group returns the communicator's group: our own, if there are two.
func (c *Comm) Group() *Group {
	if c.two != nil && !c.whole {
		return c.two.local
	}
	return c.group
}

// Name returns the communicator's name, for reports.
func (c *core) Name() string { return c.name }

// SetName changes it.
func (c *core) SetName(name string) { c.name = name }

// Members returns the processes by rank.
func (c *core) Members() []int { return c.group.procs }

// Env returns what the communicator stands on.
func (c *Comm) Env() *Env { return c.env }

// WithContext returns a handle to the same communicator whose calls obey ctx.
func (c *Comm) WithContext(ctx context.Context) *Comm {
	return &Comm{core: c.core, goctx: ctx, choosing: c.choosing, label: c.label, whole: c.whole}
}

// fail makes the Error of an operation without a single peer.
func (c *Comm) fail(op string, err error) error {
	return c.fault(op, None, None, err)
}

// Dup makes a communicator with the same ranks, and the same neighbours, whose messages do not meet ours.
func (c *Comm) Dup() (*Comm, error) { return c.dupWith("dup", c.graph) }

// dupWith makes a communicator with the same ranks and other neighbours.
func (c *Comm) dupWith(op string, graph func() *topo.Graph) (*Comm, error) {
	d, err := c.found(op)
	if err != nil {
		return nil, err
	}
	d.graph = graph
	if c.two != nil {
		d.pairUp(c.two.first)
	}
	return d, nil
}

// made is a communicator that the ranks of c have made, once they agree about its memory. If a
// number comes again, all of them must know before the first message: who does not would take it
// for one of the communicator before.
func (c *Comm) made(d *Comm, op string, again bool) (*Comm, error) {
	if again {
		if err := c.Run(&Call{Op: coll.Barrier, Name: op}); err != nil {
			if d != nil {
				d.Leave()
			}
			return nil, err
		}
	}
	if d == nil {
		return nil, nil
	}
	return d.settled(op)
}

// Split makes one communicator per color, ranks in the order of key, then of old rank. A process whose color
// is Undefined gets nil.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.usable("split"); err != nil {
		return nil, err
	}
	if c.two != nil && !c.whole {
		return c.splitBoth(color, key)
	}
	if color < 0 && color != Undefined {
		return nil, c.fail("split", fmt.Errorf("%w: color %d; it must be 0 or more, or Undefined", ErrCount, color))
	}
	id, err := c.env.propose()
	if err != nil {
		return nil, c.fail("split", err)
	}
	const entry = 20
	own := make([]byte, entry)
	le := binary.LittleEndian
	le.PutUint64(own, uint64(color))
	le.PutUint64(own[8:], uint64(key))
	le.PutUint32(own[16:], id)
	all := make([]byte, entry*c.Size())
	if err := c.Run(&Call{Op: coll.Allgather, Name: "split", Bytes: entry, Elem: 1, In: own, Out: all}); err != nil {
		c.env.withdraw(id)
		return nil, err
	}
	var members []member
	var used uint32 // bits of all numbers
	for r := range c.Size() {
		e := all[entry*r:]
		used |= le.Uint32(e[16:])
		if int(le.Uint64(e)) == color {
			members = append(members, member{key: int(le.Uint64(e[8:])), rank: r, id: le.Uint32(e[16:])})
		}
	}
	var d *Comm
	if color == Undefined {
		c.env.withdraw(id)
	} else {
		procs, leader := order(members, c.group)
		if leader.rank != c.rank {
			c.env.withdraw(id)
		}
		d = c.env.newComm(NewGroup(procs), procs[0], leader.id&^again, fmt.Sprintf("%s.split(%d)", c.name, color))
		d.goctx = c.goctx
	}
	return c.made(d, "split", used&again != 0)
}

// Free ends the communicator. All ranks call it; it waits for them, unless one has given the
// communicator up or has died. Messages that nobody has received are thrown away.
func (c *Comm) Free() error {
	if c.state.Load() == freed {
		return c.fail("free", ErrComm)
	}
	if c.in == contextOf(0, worldID) || c.in == contextOf(c.env.Self, selfID) {
		return c.fail("free", fmt.Errorf("%w: %s cannot be freed", ErrComm, c.name))
	}
	var err error
	if c.state.Load() == usable && len(c.deadRanks()) == 0 {
		err = c.meetToFree()
		if progress.GaveUp(err) || errors.Is(err, ErrGivenUp) { // by another rank, meanwhile
			c.giveUp()
			err = nil
		} else if errors.Is(err, ErrRevoked) || len(c.deadRanks()) > 0 { // nobody will meet any more
			err = nil
		}
	}
	c.Leave()
	return err
}

// Leave ends a communicator whose ranks have met for the last time: it does not wait for them.
func (c *Comm) Leave() {
	c.abandon()
	if c.id != 0 {
		c.env.withdraw(c.id)
	}
}
