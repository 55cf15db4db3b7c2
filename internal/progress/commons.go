package progress

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

// Commons is what the ranks of a node share for the plans of one communicator: memory and flags. It belongs to one rank; its
// counterparts at the others find the same memory when the first plan runs that needs it, because the first rank of the node
// tells them where it is.
//
// Runs are numbered from 1 by each rank; all ranks run the same plans in the same order. The flags
// and the slips of run r are those of slot r%slots, its memory is shelf r%shelves or, if it is
// long, hall r%halls. A rank enters a run only when all ranks of the node have left the run that
// used the same memory before, so a raised flag is one that holds the number of the run. Runs may
// overlap: the oldest that somebody has not left can always be entered by all, so nobody waits for
// ever.
type Commons struct {
	loop  *Loop
	ctx   uint32
	procs []int   // processes of the node's ranks, by their numbers on the node
	index []int32 // number on the node of each rank of the communicator, -1 if it is elsewhere
	self  int     // our own
	late  Late    // nil on a host
	// copier copies from the memory of the node's other ranks where it is not in our address space; nil if nobody does.
	copier Copier
	ahead  Ahead     // nil where memory is not fetched ahead of time
	put    plan.Span // Ahead only: what the latest run put into the memory of its slot first
	slips  bool      // Ahead only: that was a slip
	far    []bool    // Late only: which ranks of the node are far

	state opening
	err   error  // why it cannot be used
	note  []byte // the message that tells where the block is
	block block
	halls [halls]hall
	aside aside
	last  uint64   // number of the latest run that was started here
	left  uint64   // this run and all before it have ended here
	ended uint64   // runs behind left that have, the next in the lowest bit
	seen  []uint64 // what each rank has left, as far as we know
	clear uint64   // what all have
	queue []*task  // started and not entered, oldest first; that one is watched
}

// opening is how far a Commons is from being used.
type opening uint8

const (
	unopened opening = iota
	asking           // the first rank of the node has not told where it is
	open
	unusable
)

// hall is long memory, for runs that need more than a shelf has. All ranks of the node find out by
// themselves when it has to grow; the first of them sees to it, and names the new memory in the
// block.
type hall struct {
	lines int // of flags per rank
	room  int // bytes
	mem   []byte
}

// NodeRanks says which ranks of a communicator share a node.
type NodeRanks struct {
	Ctx   uint32 // of the communicator's collectives
	Procs []int  // process of each rank
	Here  []int  // the ranks of our node, in order
	Self  int    // ours
}

// errNoCommons: who chose the plan did not look whether the ranks share memory.
var errNoCommons = errors.New("progress: the plan shares memory of the node, and this communicator has none")

// ErrNoRoom is the end of a plan for which the node has no memory left.
var ErrNoRoom = errors.New("no memory of the node is left for collectives; free communicators, or see WEFT_COLL_NODE")

// OpenCommons prepares what the ranks of a node share. It costs next to nothing until a plan uses it.
func (l *Loop) OpenCommons(r NodeRanks) *Commons {
	c := &Commons{loop: l, ctx: r.Ctx, index: make([]int32, len(r.Procs)), seen: make([]uint64, len(r.Here))}
	for i := range c.index {
		c.index[i] = -1
	}
	for i, rank := range r.Here {
		c.index[rank] = int32(i)
		c.procs = append(c.procs, r.Procs[rank])
		if rank == r.Self {
			c.self = i
		}
	}
	c.copier, _ = l.cfg.Node.(Copier)
	if l.cfg.Policy.Spins > 1 { // else others use our processor and its cache before the next run
		c.ahead, _ = l.cfg.Node.(Ahead)
	}
	if late, ok := l.cfg.Node.(Late); ok && len(c.procs) > 1 {
		c.late = late
		for _, p := range c.procs {
			c.far = append(c.far, late.Far(p))
		}
	}
	return c
}

// CloseCommons gives back what OpenCommons led to. All ranks have started their last plan on it.
func (l *Loop) CloseCommons(c *Commons) {
	l.lock()
	defer l.unlock()
	switch {
	case c.state == open && c.self == 0 && len(c.procs) > 1:
		l.closing = append(l.closing, c)
	case c.aside.block != nil: // no plan has used it
		c.giveAside()
	}
}

// reclaim gives back the memory of commons that all ranks have left for the last time.
func (l *Loop) reclaim() {
	l.closing = slices.DeleteFunc(l.closing, func(c *Commons) bool {
		if _, all := c.allLeft(c.last); !all {
			return false
		}
		if c.aside.block != nil {
			c.giveAside()
			return true
		}
		for _, h := range c.halls {
			if h.mem != nil {
				l.cfg.Node.Give(h.mem)
			}
		}
		l.cfg.Node.Give(c.block.mem)
		return true
	})
}

// first tells whether we see to the memory of the node.
func (c *Commons) first() bool { return c.self == 0 }

// take gets memory that all ranks of the node can map; alone, any will do.
func (c *Commons) take(n int) ([]byte, error) {
	if len(c.procs) == 1 {
		return aligned(n), nil
	}
	c.loop.reclaim()
	return c.loop.cfg.Node.Take(n)
}

// prepare finds the block: the first rank makes it and tells the others.
func (c *Commons) prepare() {
	c.note = make([]byte, noteSize)
	if c.first() {
		mem, err := c.blockMem()
		if err != nil {
			c.state, c.err = unusable, fmt.Errorf("%w: %w", ErrNoRoom, err)
		} else {
			clear(mem[:c.ruled()])
			c.enterBlock(mem)
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
	r.then = func() { c.told(r.Err) }
	l.count(r)
}

const (
	noteSize = 12
	noteTag  = 0 // collectives are numbered from 1
)

// tell sends the others the place of the block, or the zero key if there is none.
func (c *Commons) tell() {
	if c.state == open && len(c.procs) > 1 {
		k := c.loop.cfg.Node.Place(c.block.mem)
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
		if mem := c.loop.cfg.Node.Map(c.procs[0], k, c.blockSize()); mem != nil {
			c.enterBlock(mem)
			return
		}
		err = fmt.Errorf("%w: that of the first rank of the node is out of reach", ErrNoRoom)
	}
	c.state, c.err = unusable, err
}

// start begins a plan that uses c: at once, or when the memory of its run is free.
func (c *Commons) start(t *task) {
	c.last++
	t.num, t.mark, t.apart = c.last, mark(t.choice(), c.last), c.apart(t.plan)
	c.loop.shared.begin(t.plan)
	if c.state == unopened {
		c.prepare()
	}
	if c.state == open && t.num <= c.clear+t.apart && t.apart != halls && len(c.queue) == 0 { // most
		c.admit(t, nil)
		return
	}
	if t.stays = t.stays && t.apart != halls; t.stays {
		c.spinForRun(t)
	}
	if len(c.queue) == 0 {
		by, err := c.hindered(t)
		if by == nobody || err != nil {
			c.admit(t, err)
			return
		}
		c.loop.watch(t)
	}
	t.held = true
	c.queue = append(c.queue, t)
	c.loop.shared.Held++
}

// admit begins the run of t, or refuses it.
func (c *Commons) admit(t *task, err error) {
	if err == nil {
		err = c.enter(t)
	}
	if err != nil {
		c.loop.endTask(t, err)
		return
	}
	c.loop.runTask(t)
}

// spinForRun waits for a while until all ranks have left the run whose memory t needs. Who finds
// that they have not is ahead of somebody as far as can be: it waits until they have left some runs
// more, so that both are seldom at the same lines, and asks again only when it has used these up.
func (c *Commons) spinForRun(t *task) {
	if c.state != open || t.num <= t.apart {
		return
	}
	if _, left := c.allLeft(t.num - t.apart); !left {
		c.loop.spinUntil(func() bool { _, left := c.allLeft(t.num - t.apart/2); return left })
	}
}

// refuse ends a plan that has not entered its run, and tells whether it had not.
func (c *Commons) refuse(t *task, err error) bool {
	if !t.held {
		return false
	}
	l, its := c.loop, func(other *task) bool { return other == t }
	c.queue, l.watched = slices.DeleteFunc(c.queue, its), slices.DeleteFunc(l.watched, its)
	t.held, t.watched = false, false
	if len(c.queue) > 0 {
		l.watch(c.queue[0])
	}
	l.endTask(t, err)
	return true
}

// advance begins the runs whose memory is free, oldest first, and tells whether there was one.
func (c *Commons) advance() (moved bool) {
	for len(c.queue) > 0 {
		t := c.queue[0]
		by, err := c.hindered(t)
		if by != nobody && err == nil {
			c.loop.watch(t)
			return moved
		}
		moved = true
		c.queue = slices.Delete(c.queue, 0, 1)
		t.held = false
		c.admit(t, err)
	}
	return moved
}

const (
	nobody = -1 // nothing hinders
	teller = -2 // the first rank of the node has not told where the block is
)

// hindered tells which rank of the node keeps t from entering its run, or why it never will.
func (c *Commons) hindered(t *task) (by int, err error) {
	l := c.loop
	switch {
	case l.failed != nil:
		return nobody, l.failed
	case c.state == unusable:
		return nobody, c.err
	case c.state == asking:
		return teller, nil
	}
	if t.num > c.clear+t.apart {
		if by, all := c.allLeft(t.num - t.apart); !all {
			return by, l.eng.PeerError(c.procs[by])
		}
	}
	if t.apart == halls && !c.first() && c.grows(t) && c.block.grown(t.num) == 0 {
		return 0, l.eng.PeerError(c.procs[0])
	}
	return nobody, nil
}

// allLeft tells whether all ranks have left a run, and if not, who has not.
func (c *Commons) allLeft(run uint64) (by int, all bool) {
	if run <= c.clear {
		return nobody, true
	}
	least := c.left
	for i := range c.procs {
		if i == c.self {
			continue
		}
		if c.seen[i] < run {
			if c.seen[i] = c.block.leftOf(i); c.seen[i] < run {
				return i, false
			}
		}
		least = min(least, c.seen[i])
	}
	if c.left < run {
		return c.self, false
	}
	c.clear = least
	return nobody, true
}

// apart is how many runs later the flags and the memory of a plan's run are used again.
func (c *Commons) apart(p *plan.Plan) uint64 {
	switch {
	case p.Flags > lineFlags || p.NodeLen > shelfRoom && !p.Slips:
		return halls
	case p.NodeLen > 0 && !p.Slips:
		return shelves
	}
	return slots
}

// grows tells whether t needs a larger hall than there is.
func (c *Commons) grows(t *task) bool {
	h := &c.halls[t.num%halls]
	return t.plan.NodeLen > h.room || t.plan.Flags > h.lines*lineFlags
}

// enter gives t the memory and the flags of its run.
func (c *Commons) enter(t *task) error {
	atomic.StoreUint64(c.block.chosen(c.self, t.num), t.mark)
	c.put = plan.Span{}
	if t.apart != halls {
		t.bufs.Node, t.flags = c.slot(t.plan, t.num)
		return nil
	}
	h := &c.halls[t.num%halls]
	if c.grows(t) {
		if err := c.grow(h, t); err != nil {
			return err
		}
	}
	at := c.hallFlags(h.lines)
	t.bufs.Node = h.mem[at : at+t.plan.NodeLen]
	t.flags = flags{base: pointer(h.mem), stride: h.lines * line * c.copies(), far: h.lines * line}
	return nil
}

// slot returns the memory and the flags of a run that is not long.
func (c *Commons) slot(p *plan.Plan, run uint64) (mem []byte, f flags) {
	f = c.block.slotFlags(run)
	c.put, c.slips = p.Puts(), p.Slips
	if p.Slips {
		mem = c.block.slipMem(run)
		f.slips = unsafe.Add(pointer(mem), plan.SlipRoom)
		return mem, f
	}
	return c.block.shelfMem(run)[:p.NodeLen], f
}

// hallFlags is how many bytes of a hall are flags.
func (c *Commons) hallFlags(lines int) int { return len(c.procs) * lines * line * c.copies() }

// copies is how many times there is every flag: in virtual time, once for ranks that are near, once for those that are far.
func (c *Commons) copies() int {
	if c.late != nil {
		return 2
	}
	return 1
}

// grow makes a hall larger, or finds the one that the first rank has made. If there is no room, the hall stays as it is, and all
// ranks know.
func (c *Commons) grow(h *hall, t *task) error {
	lines := max(h.lines, (t.plan.Flags+lineFlags-1)/lineFlags)
	room := max(h.room, roundUp(t.plan.NodeLen))
	size := c.hallFlags(lines) + room
	var mem []byte
	if c.first() {
		var err error
		if mem, err = c.hallMem(t.num%halls, size); err != nil {
			c.publish(t.num, wire.Key{Slot: noKey})
			return fmt.Errorf("%w: %w", ErrNoRoom, err)
		}
		clear(mem[:c.hallFlags(lines)])
		if len(c.procs) > 1 {
			c.publish(t.num, c.loop.cfg.Node.Place(mem))
		}
	} else if mem = c.loop.cfg.Node.Map(c.procs[0], c.block.hallKey(t.num), size); mem == nil {
		return fmt.Errorf("%w: says the first rank of the node", ErrNoRoom)
	}
	c.loop.shared.Grown++
	if p, ok := c.loop.cfg.Node.(Populator); ok && len(c.procs) > 1 {
		p.Populate(mem)
	}
	*h = hall{lines: lines, room: room, mem: mem}
	return nil
}

// noKey is the slot of a key that names nothing.
const noKey = 1<<32 - 1

// publish names the memory of the hall of a run to the others.
func (c *Commons) publish(run uint64, k wire.Key) {
	c.see(func(far bool) {
		if far {
			c.block.setHall(run, k)
		}
	})
}

// see has others see what we write: at once on a host, in virtual time when they do. write is called with far at last.
func (c *Commons) see(write func(far bool)) {
	if c.late == nil {
		write(true)
		c.wake()
		return
	}
	c.late.Later(func(far bool) {
		write(far)
		c.wake()
	})
}

// leave notes that a run has ended here.
func (c *Commons) leave(run uint64, failed bool) {
	if failed && c.state == open {
		c.see(func(far bool) {
			if far {
				c.block.fail(c.self, run)
			}
		})
	}
	c.loop.stirred = c.loop.stirred || len(c.queue) > 0
	c.ended |= 1 << (run - c.left - 1) // a run that was refused may be far ahead: then there is no next one anyway
	if c.ended&1 == 0 {
		return
	}
	for ; c.ended&1 != 0; c.ended >>= 1 {
		c.left++
	}
	if c.state != open || len(c.procs) == 1 {
		return
	}
	if c.late == nil {
		c.block.setLeft(c.self, c.left)
		if c.ahead != nil {
			c.fetchAhead()
		}
		c.wake()
		return
	}
	left := c.left
	c.see(func(far bool) {
		if far {
			c.block.setLeft(c.self, left)
		}
	})
}

// wake wakes the ranks that sleep until we do something.
func (c *Commons) wake() {
	for i := range c.block.words {
		for who := c.block.sleepers(c.self, i); who != 0; who &= who - 1 {
			if n := 64*i + trailing(who); n < len(c.procs) && n != c.self {
				c.loop.shared.Woken++
				c.loop.cfg.Node.Wake(c.procs[n])
			}
		}
	}
}
