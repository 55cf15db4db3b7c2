package progress

import (
	"errors"
	"slices"
	"unsafe"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

// Commons is what the ranks of a node share for the plans of one communicator: memory and flags. It belongs
// to one rank; its counterparts at the others find the same memory when the first plan runs that needs it,
// because the first rank of the node tells them where it is.
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
	node  Node
	late  Late           // nil on a host, or alone
	far   []bool         // late only: which ranks of the node are far
	ahead func(b []byte) // nil where memory is not fetched ahead of time
	put   plan.Span      // ahead only: what the latest run put into the memory of its slot first
	slips bool           // ahead only: that was a slip

	state opening
	err   error  // why it cannot be used
	note  []byte // the message that tells where the block is
	block block
	halls [halls]hall
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
	c := &Commons{loop: l, node: l.cfg.Node, ctx: r.Ctx, index: make([]int32, len(r.Procs)), seen: make([]uint64, len(r.Here))}
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
	if l.cfg.Policy.Spins > 1 { // else others use our processor and its cache before the next run
		c.ahead = c.node.WillWrite
	}
	if c.node.Late != nil && len(c.procs) > 1 {
		c.late = c.node.Late
		for _, p := range c.procs {
			c.far = append(c.far, c.late.Far(p))
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
	case c.state == unopened && c.block.mem != nil: // it was reserved, and no plan has used it
		c.give()
	}
}

// start begins a plan that uses c: at once, or when the memory of its run is free.
func (c *Commons) start(t *task) {
	c.last++
	t.num, t.mark, t.apart = c.last, t.terms.mark(c.last), c.apart(t.plan)
	c.loop.shared.begin(t.plan)
	if c.state == unopened {
		c.prepare()
		c.say(&t.terms)
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

// say tells the ranks of the node on which terms we make a call, if they have memory in common by now.
func (c *Commons) say(t *Terms) {
	if c.state == open {
		c.block.say(c.self, t, c.node.Copier == nil)
	}
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

// copies is how many times there is every flag: in virtual time, once for ranks that are near, once for
// those that are far.
func (c *Commons) copies() int {
	if c.late != nil {
		return 2
	}
	return 1
}

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

// leave notes that a run has ended here: torn, if what it has lent is not to be used any more, and failed,
// if others are to end, too.
func (c *Commons) leave(run uint64, torn, failed bool) {
	if torn && c.state == open {
		c.block.tear(c.self, run)
	}
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
				c.node.Wake(c.procs[n])
			}
		}
	}
}

// fetchAhead asks for the lines that a run to come will write first, if it is like the latest, or
// like those that came in turn with others between. Flags and slips of the next run stay where they
// are, for who awaits them takes them back at once; nobody looks at those of the run after before
// we have been through the next.
func (c *Commons) fetchAhead() {
	at, n := c.put.Off, c.put.Len
	if n == 0 {
		return
	}
	next := c.last + 1
	c.loop.shared.Ahead++
	if c.slips {
		c.ahead(c.block.slipMem(next + 1)[at : at+plan.SlipLen-at%plan.SlipLen])
		return
	}
	c.ahead(c.block.shelfMem(next)[at : at+n])
	c.ahead(c.block.shelfMem(next + 1)[at : at+n])
}

// CommonsCounters tell what plans have done with memory of their node.
type CommonsCounters struct {
	Runs    uint64 // plans that shared memory or flags
	Held    uint64 // of these, such as had to wait until others had left their memory
	Grown   uint64 // times that memory had to grow
	Flags   uint64 // flags raised
	Woken   uint64 // ranks woken that slept until a flag was raised
	Fetches uint64 // blocks copied straight from the memory of other ranks
	AtOnce  uint64 // plans that ended as they were started
	Lacking uint64 // communicators that do without, since some node has no memory for them
	Slips   uint64 // plans whose few bytes stood beside their flags
	Ahead   uint64 // times that lines of the next plan were asked for ahead
}

// begin counts a plan that shares memory or flags.
func (n *CommonsCounters) begin(p *plan.Plan) {
	n.Runs++
	if p.Slips {
		n.Slips++
	}
}

// Commons tells them.
func (l *Loop) Commons() CommonsCounters {
	l.lock()
	defer l.unlock()
	return l.shared
}
