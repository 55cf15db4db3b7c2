package comm

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/progress"
)

// Env is what a rank's communicators stand on.
type Env struct {
	Loop       *progress.Loop
	Self, Size int          // our process, and how many the job has
	Facts      *agree.Facts // what all ranks know alike
	Select     *coll.Selector
	BsendMax   int
	Window     WindowEnv
	Alloc      func(n int) ([]byte, error) // memory that peers reach cheaply
	Free       func([]byte) error
	Now        func() int64  // the rank's time in nanoseconds
	Observer   Observer      // of collective calls; nil if nobody looks. It is set before the first call
	Site       func() string // where the user's call is, for reports; may be nil
	Everybody  *Group        // all processes, if several ranks share the list; may be nil
	bsend      atomic.Int64
	ids        idPool
}

// idPool hands out context numbers. A context is named after the process that leads the communicator and a
// number of that process's, so that no two live communicators of a job share one and nobody has to agree.
type idPool struct {
	mu   sync.Mutex
	next uint32
	used map[uint32]bool
}

const (
	idBits     = 15
	maxLeaders = 1 << 16
	worldID    = 0
	selfID     = 1
	firstID    = 2
)

// propose reserves a number that this process may lead a new communicator with. Numbers go round, so that a
// stray message of a freed communicator does not meet its successor.
func (e *Env) propose() (uint32, error) {
	p := &e.ids
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used == nil {
		p.used = make(map[uint32]bool)
	}
	if len(p.used) >= 1<<idBits-firstID {
		return 0, fmt.Errorf("%w: this process leads %d communicators; free some", ErrLimit, len(p.used))
	}
	for {
		p.next++
		id := firstID + p.next%(1<<idBits-firstID)
		if !p.used[id] {
			p.used[id] = true
			return id, nil
		}
	}
}

func (e *Env) withdraw(id uint32) {
	e.ids.mu.Lock()
	delete(e.ids.used, id)
	e.ids.mu.Unlock()
}

// contextOf makes the point-to-point context of a communicator; the next higher number is its collective one.
func contextOf(leader int, id uint32) uint32 { return uint32(leader)<<(idBits+1) | id<<1 }

// core is what all handles of one communicator share.
type core struct {
	env     *Env
	group   *Group
	rank    int
	ctx     uint32
	id      uint32 // ours to give back if we lead; 0 otherwise
	name    string
	seq     atomic.Uint32 // collectives so far
	freed   atomic.Bool
	plans   planCache
	spreads spreads
	node    nodeShare
}

// Comm is a communicator, perhaps with a context that its calls obey.
type Comm struct {
	*core
	goctx    context.Context
	choosing *choosing // nil: as the environment says
}

// World returns the communicator of all processes.
func (e *Env) World() *Comm {
	everybody := e.Everybody
	if everybody == nil {
		procs := make([]int, e.Size)
		for i := range procs {
			procs[i] = i
		}
		everybody = NewGroup(procs)
	}
	w := e.newComm(everybody, 0, worldID, "world")
	w.settleWorld()
	return w
}

// SelfComm returns the communicator of this process alone.
func (e *Env) SelfComm() *Comm {
	return e.newComm(NewGroup([]int{e.Self}), e.Self, selfID, "self")
}

func (e *Env) newComm(g *Group, leader int, id uint32, name string) *Comm {
	c := &core{env: e, group: g, rank: g.Rank(e.Self), ctx: contextOf(leader, id), name: name}
	c.node.room = e.roomAtFirst(g)
	if leader == e.Self && id >= firstID {
		c.id = id
	}
	return &Comm{core: c}
}

// Rank is our rank.
func (c *Comm) Rank() int { return c.rank }

// Size is the number of ranks.
func (c *Comm) Size() int { return len(c.group.procs) }

// Group returns the communicator's group.
func (c *Comm) Group() *Group { return c.group }

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
	return &Comm{core: c.core, goctx: ctx, choosing: c.choosing}
}

// fail makes the Error of an operation without a single peer.
func (c *Comm) fail(op string, err error) error {
	return &Error{Op: op, Comm: c.name, Peer: None, Tag: None, Err: err}
}

func (c *Comm) alive(op string) error {
	if c.freed.Load() {
		return c.fail(op, ErrComm)
	}
	return nil
}

// Dup makes a communicator with the same ranks whose messages do not meet ours.
func (c *Comm) Dup() (*Comm, error) {
	if err := c.alive("dup"); err != nil {
		return nil, err
	}
	var buf [4]byte
	if c.rank == 0 {
		id, err := c.env.propose()
		if err != nil {
			return nil, c.fail("dup", err)
		}
		binary.LittleEndian.PutUint32(buf[:], id)
	}
	if err := c.Run(&Call{Op: coll.Bcast, Name: "dup", Bytes: 4, Elem: 1, Out: buf[:]}); err != nil {
		return nil, err
	}
	d := c.env.newComm(c.group, c.group.procs[0], binary.LittleEndian.Uint32(buf[:]), c.name+".dup")
	d.goctx = c.goctx
	return d.settled("dup")
}

// Split makes one communicator per color, ranks in the order of key, then of old rank. A process whose color
// is Undefined gets nil.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.alive("split"); err != nil {
		return nil, err
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
	if color == Undefined {
		c.env.withdraw(id)
		return nil, nil
	}
	var members []member
	for r := range c.Size() {
		e := all[entry*r:]
		if int(le.Uint64(e)) == color {
			members = append(members, member{key: int(le.Uint64(e[8:])), rank: r, id: le.Uint32(e[16:])})
		}
	}
	procs, leader := order(members, c.group)
	if leader.rank != c.rank {
		c.env.withdraw(id)
	}
	d := c.env.newComm(NewGroup(procs), procs[0], leader.id, fmt.Sprintf("%s.split(%d)", c.name, color))
	d.goctx = c.goctx
	return d.settled("split")
}

// Create makes a communicator of the processes in g, which must be a subset of ours; every rank of c calls
// it with the same group. Processes outside get nil.
func (c *Comm) Create(g *Group) (*Comm, error) {
	color, key := Undefined, g.Rank(c.env.Self)
	if key != Undefined {
		color = 0
	}
	for _, p := range g.procs {
		if c.group.Rank(p) == Undefined {
			return nil, c.fail("create", fmt.Errorf("%w: process %d is not in the communicator", ErrGroup, p))
		}
	}
	return c.Split(color, key)
}

// Free ends the communicator. All ranks call it; it waits for them.
func (c *Comm) Free() error {
	if err := c.alive("free"); err != nil {
		return err
	}
	if c.ctx == contextOf(0, worldID) || c.ctx == contextOf(c.env.Self, selfID) {
		return c.fail("free", fmt.Errorf("%w: %s cannot be freed", ErrComm, c.name))
	}
	err := c.Run(&Call{Op: coll.Barrier, Name: "free"})
	c.freed.Store(true)
	c.closeNode()
	if c.id != 0 {
		c.env.withdraw(c.id)
	}
	return err
}
