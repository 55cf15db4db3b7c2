package progress

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/wire"
)

// Node is what the ranks of a node share, as their link offers it: memory, and what else it is good
// for. All functions are called with the loop's lock held.
type Node struct {
	Memory                   // nil: they share nothing
	Copier    Copier         // nil unless the kernel copies from memory of ranks that is not in our address space
	Late      Late           // nil on a host
	WillWrite func(b []byte) // nil, or asks for lines that we are going to write: they are likely in the caches of those who read them last
	Populate  func(b []byte) // nil, or has what Take or Map returned touched, which takes long for the first time
}

// Memory is memory that the ranks of a node share.
type Memory interface {
	// Take returns n bytes of ours that peers can map, at the start of a cache line. Their contents are
	// undefined. Give takes them back.
	Take(n int) ([]byte, error)
	Give(b []byte)
	// Place names what Take returned to peers, Map finds what a peer has named; nil if it is out of reach.
	Place(b []byte) wire.Key
	Map(peer int, k wire.Key, n int) []byte
	// Wake rings the doorbell of a peer that may sleep.
	Wake(peer int)
}

// Late is a node in virtual time, where others see later what a rank has written.
type Late interface {
	// Later has see called when ranks near this one see what it writes now, and again when those far from
	// it do. Nobody may wait in see.
	Later(see func(far bool))
	// Far tells whether a peer sees our writes, and we see its, as late as those do who are far.
	Far(peer int) bool
	// Saw charges for having found a flag of another rank raised.
	Saw()
}

// first tells whether we see to the memory of the node.
func (c *Commons) first() bool { return c.self == 0 }

// take gets memory that all ranks of the node can map; alone, any will do.
func (c *Commons) take(n int) ([]byte, error) {
	if len(c.procs) == 1 {
		return aligned(n), nil
	}
	c.loop.reclaim()
	return c.node.Take(n)
}

// give gives all memory back.
func (c *Commons) give() {
	for i := range c.halls {
		if mem := c.halls[i].mem; mem != nil {
			c.node.Give(mem)
		}
	}
	c.node.Give(c.block.mem)
	c.halls = [halls]hall{} // the block stays: what others see later, in virtual time, is still written to it
}

// reclaim gives back the memory of commons that all ranks have left for the last time.
func (l *Loop) reclaim() {
	l.closing = slices.DeleteFunc(l.closing, func(c *Commons) bool {
		_, all := c.allLeft(c.last)
		if all {
			c.give()
		}
		return all
	})
}

// CommonsMayLack tells whether nodes may have no memory for a Commons. In virtual time they always have.
// All ranks of a job get the same answer.
func (l *Loop) CommonsMayLack() bool { return !l.Virtual() }

// ReserveCommons puts aside, at the first rank of a node, all that plans of up to so many bytes and flags
// per rank can ever need, so that none ends with ErrNoRoom. It is called before the first plan and does not
// wait. False says that the node has no room; then nothing is put aside. Ranks that are not the first of
// their node, or alone on it, have nothing to do.
func (l *Loop) ReserveCommons(c *Commons, bytes, flags int) bool {
	if !c.first() || len(c.procs) == 1 {
		return true
	}
	l.lock()
	defer l.unlock()
	var err error
	if c.block.mem, err = c.take(c.layout().size); err != nil {
		return false
	}
	for i := range c.halls {
		if c.halls[i].mem, err = c.take(c.hallSize(bytes, flags)); err != nil {
			c.give()
			return false
		}
	}
	return true
}

// CommonsLack counts a communicator whose ranks have agreed to do without memory of their nodes.
func (l *Loop) CommonsLack() {
	l.lock()
	defer l.unlock()
	l.shared.Lacking++
}

// CommonsNeed is how much memory ReserveCommons puts aside for so many ranks of a node, and some more for
// what the allocator rounds up.
func CommonsNeed(ranks, bytes, flags int) int {
	const spare = 64 << 10
	c := Commons{procs: make([]int, ranks)}
	return c.layout().size + halls*c.hallSize(bytes, flags) + spare
}

// prepare finds the block: the first rank makes it and tells the others.
func (c *Commons) prepare() {
	c.note = make([]byte, noteSize)
	if c.first() {
		mem, err := c.block.mem, error(nil)
		if mem == nil { // nothing was reserved
			mem, err = c.take(c.layout().size)
		}
		if err != nil {
			c.state, c.err = unusable, fmt.Errorf("%w: %w", ErrNoRoom, err)
		} else {
			c.enterBlock(mem)
			clear(mem[:c.block.ruled])
		}
		c.tell()
		return
	}
	c.state = asking
	l := c.loop
	r := l.startRecv(c.note, Peer{Ctx: c.ctx, Peer: c.procs[0], Tag: noteTag})
	if r.isDone() {
		c.told(r.Err)
		l.put(r)
		return
	}
	r.flags |= detached | internal
	r.then = func(*Request) { c.told(r.Err) }
	l.count(r)
}

const (
	noteSize = 12
	noteTag  = -3 // no collective has it, see Terms.Tag
)

// tell sends the others the place of the block, or the zero key if there is none.
func (c *Commons) tell() {
	if c.state == open && len(c.procs) > 1 {
		k := c.node.Place(c.block.mem)
		le.PutUint64(c.note, k.Addr)
		le.PutUint32(c.note[8:], k.Slot)
	}
	for _, proc := range c.procs[1:] {
		r := c.loop.startSend(c.note, Peer{Ctx: c.ctx, Peer: proc, Tag: noteTag}, engine.Standard)
		if r.isDone() {
			c.loop.put(r)
			continue
		}
		r.flags |= detached | internal
		c.loop.count(r)
	}
}

// told takes the place of the block.
func (c *Commons) told(err error) {
	c.loop.stirred = true
	k := wire.Key{Addr: le.Uint64(c.note), Slot: le.Uint32(c.note[8:])}
	if err == nil && k == (wire.Key{}) {
		err = fmt.Errorf("%w: says the first rank of the node", ErrNoRoom)
	}
	if err == nil {
		if mem := c.node.Map(c.procs[0], k, c.layout().size); mem != nil {
			c.enterBlock(mem)
			for _, t := range c.queue {
				c.say(&t.terms)
			}
			return
		}
		err = fmt.Errorf("%w: that of the first rank of the node is out of reach", ErrNoRoom)
	}
	c.state, c.err = unusable, err
}

// hallFlags is how many bytes of a hall are flags, hallSize how long it is for so many bytes and flags per rank.
func (c *Commons) hallFlags(lines int) int { return len(c.procs) * lines * line * c.copies() }

func (c *Commons) hallSize(bytes, flags int) int {
	return c.hallFlags((flags+lineFlags-1)/lineFlags) + roundUp(bytes)
}

// grow makes a hall larger, or finds the one that the first rank has made. If there is no room, the hall
// stays as it is, and all ranks know.
func (c *Commons) grow(h *hall, t *task) error {
	lines := max(h.lines, (t.plan.Flags+lineFlags-1)/lineFlags)
	room := max(h.room, roundUp(t.plan.NodeLen))
	size := c.hallFlags(lines) + room
	mem := h.mem // nobody is in the hall when it grows; what was reserved is long enough
	if !c.first() {
		if mem = c.node.Map(c.procs[0], c.block.hallKey(t.num), size); mem == nil {
			return fmt.Errorf("%w: says the first rank of the node", ErrNoRoom)
		}
	} else if len(mem) < size {
		var err error
		if mem, err = c.take(size); err != nil {
			c.publish(t.num, wire.Key{Slot: noKey})
			return fmt.Errorf("%w: %w", ErrNoRoom, err)
		}
		if h.mem != nil && len(c.procs) > 1 {
			c.node.Give(h.mem)
		}
	}
	if c.first() {
		clear(mem[:c.hallFlags(lines)])
		if len(c.procs) > 1 {
			c.publish(t.num, c.node.Place(mem))
		}
	}
	c.loop.shared.Grown++
	if c.node.Populate != nil && len(c.procs) > 1 {
		c.node.Populate(mem[:size])
	}
	*h = hall{lines: lines, room: room, mem: mem}
	return nil
}

// noKey is the slot of a key that names nothing.
const noKey = 1<<32 - 1

// Lend tells the ranks of the node where b is. The task keeps b alive until the plan has ended.
func (t *task) Lend(key, b []byte) {
	k := t.share.node.Place(b)
	le.PutUint64(key, k.Addr)
	le.PutUint32(key[8:], k.Slot)
}

// Fetch copies from what a rank of the node has lent: by ourselves if it lies in our address space, else
// the kernel does. A lender that gave the plan up may have changed its memory since, so it is asked
// afterwards.
func (t *task) Fetch(peer int, dst, key []byte, at int) error {
	l, c := t.loop, t.share
	proc, copier := t.peers[peer], c.node.Copier
	k := wire.Key{Addr: le.Uint64(key), Slot: le.Uint32(key[8:])}
	if mem := c.node.Map(proc, k, at+len(dst)); mem != nil {
		copyPieces(dst, mem[at:at+len(dst)])
	} else if copier == nil || !copier.Copies(proc) {
		return fmt.Errorf("progress: the memory of process %d is out of reach", proc)
	} else {
		k.Addr += uint64(at)
		if err := copier.Fetch(proc, k, dst); err != nil {
			return fmt.Errorf("%w: the memory of process %d cannot be read: %w", engine.ErrLost, proc, err)
		}
	}
	l.shared.Fetches++
	l.spend(clock.Copy, len(dst))
	if c.block.torn(int(c.index[peer]), t.num) {
		return c.givenUp(int(c.index[peer]))
	}
	return nil
}

// givenUp is the error of a plan that a rank of the node has given up.
func (c *Commons) givenUp(rank int) error { return gaveUp(c.procs[rank]) }
