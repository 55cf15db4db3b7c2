package mpi

import (
	"context"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/comm"
)

// Special ranks, tags and colors.
const (
	AnySource = comm.AnySource // a receive that takes messages from every rank
	AnyTag    = comm.AnyTag    // a receive that takes messages with every tag
	ProcNull  = comm.ProcNull  // a peer that is nobody: messages to and from it are done at once and move nothing
	Root      = comm.Root      // between two groups, the root of a call, for the root itself; others of its group give ProcNull
	Undefined = comm.Undefined // no rank; as color in Split: no communicator
	None      = comm.None      // Peer or Tag of an Error that has none to name
	MaxTag    = comm.MaxTag    // largest tag
)

// Comm is a communicator: a group of ranks whose messages meet no others. [Main], [Init] and [Run]
// give one of all ranks; its methods make others. It is safe for concurrent use.
type Comm struct {
	c    *comm.Comm
	rank *boot.Rank
}

// worldOf is the communicator of all ranks, for rank r. It comes before every call of the program's, so all
// errors are ours.
func worldOf(r *boot.Rank) *Comm {
	r.Env.Errors = newError
	return &Comm{r.Env.World(), r}
}

func init() { boot.World = func(r *boot.Rank) any { return worldOf(r) } }

// Rank is the number of this rank in the communicator, from 0 to Size-1.
func (c *Comm) Rank() int { return c.c.Rank() }

// Size is the number of ranks in the communicator.
func (c *Comm) Size() int { return c.c.Size() }

// Name is the communicator's name in errors and reports.
func (c *Comm) Name() string { return c.c.Name() }

// SetName changes the name, for this rank. Call it before the communicator is used.
func (c *Comm) SetName(name string) { c.c.SetName(name) }

func (c *Comm) wrap(d *comm.Comm, err error) (*Comm, error) {
	if d == nil || err != nil {
		return nil, err
	}
	return &Comm{d, c.rank}, nil
}

// Dup makes a communicator with the same ranks, for messages that are to meet no others: those of a
// library, say. All ranks call it.
func (c *Comm) Dup() (*Comm, error) { return c.wrap(c.c.Dup()) }

// Split makes one communicator per color, with ranks in the order of key and, for equal keys, of their old
// ranks. All ranks call it; one that passes [Undefined] as color gets nil.
func (c *Comm) Split(color, key int) (*Comm, error) { return c.wrap(c.c.Split(color, key)) }

// Create makes a communicator of the processes in g, a subset of c's. All ranks of c call it, the ranks
// of a group with the same group; others may name another group without a process of this one, or an
// empty one. Who is not in the group that it names gets nil.
func (c *Comm) Create(g *Group) (*Comm, error) { return c.wrap(c.c.Create(g.g)) }

// Self returns the communicator of this rank alone. It cannot be freed.
func (c *Comm) Self() *Comm { return &Comm{c.c.Env().SelfComm(), c.rank} }

// Free ends the communicator. All ranks call it, and it waits for them, unless one has cancelled a
// collective on it; later calls fail with [ErrComm]. Messages that nobody has received are thrown
// away, and reported when the job ends. The communicator of all ranks cannot be freed.
func (c *Comm) Free() error { return c.c.Free() }

// WithContext returns a handle to the same communicator whose calls end when ctx does; the package
// comment says how.
func (c *Comm) WithContext(ctx context.Context) *Comm { return &Comm{c.c.WithContext(ctx), c.rank} }

// Abort ends the whole job with an exit code (0 becomes 1). In a process of its own it does not return; a
// rank of [Run] gets ErrAborted from its next call.
func (c *Comm) Abort(code int, reason string) { c.rank.Abort(code, reason) }

// Group returns the communicator's group.
func (c *Comm) Group() *Group { return &Group{c.c.Group()} }

// Group is an ordered set of processes, from which [Comm.Create] makes a communicator. It never
// changes, and need not be freed.
type Group struct{ g *comm.Group }

// Size is the number of processes in the group.
func (g *Group) Size() int { return g.g.Size() }

// Incl returns the group of the given ranks of g, in that order. A rank that g does not have fails
// with [ErrRank], one that is named twice with [ErrGroup].
func (g *Group) Incl(ranks ...int) (*Group, error) { return wrapGroup(g.g.Incl(ranks...)) }

// Excl returns the group without the given ranks. It fails as [Group.Incl] does.
func (g *Group) Excl(ranks ...int) (*Group, error) { return wrapGroup(g.g.Excl(ranks...)) }

func wrapGroup(g *comm.Group, err error) (*Group, error) {
	if err != nil {
		return nil, &Error{Op: "group", Peer: comm.None, Tag: comm.None, Err: err}
	}
	return &Group{g}, nil
}

// Union returns g's processes followed by those only h has.
func (g *Group) Union(h *Group) *Group { return &Group{g.g.Union(h.g)} }

// Intersection returns the processes of g that h has too.
func (g *Group) Intersection(h *Group) *Group { return &Group{g.g.Intersection(h.g)} }

// Difference returns the processes of g that h does not have.
func (g *Group) Difference(h *Group) *Group { return &Group{g.g.Difference(h.g)} }

// Translate returns the ranks in h of the given ranks of g; [Undefined] where h lacks the process.
func (g *Group) Translate(ranks []int, h *Group) ([]int, error) {
	out, err := g.g.Translate(ranks, h.g)
	if err != nil {
		return nil, &Error{Op: "translate", Peer: comm.None, Tag: comm.None, Err: err}
	}
	return out, nil
}
