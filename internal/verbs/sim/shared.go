package sim

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/wire"
)

// Shared is a rank's link to the ranks of its node over shared memory: a mailbox. The sender is charged for
// the copy into it, and another core sees it a moment later. The copy out of it is made by whoever takes
// the payload, and charged there. Long messages are copied once, by the receiver, which is charged for it.
type Shared struct {
	f       *Fabric
	host    *Host
	rank    int
	seats   []Seat
	members []*Shared
	bell    *clock.TaskBell
	arena   *arena

	arrives []int64 // by member: when what was sent to it last arrives
	wrote   int64   // when something was written last that others see later

	head, tail *letter
	spare      *letter
	reads      []any // tokens of reads that are done and not yet told
	next       []any
	deaths     []death // of other ranks, not yet told
}

// death is the end of a rank.
type death struct {
	rank int
	err  error
}

// letter is a packet in a mailbox, or on its way there.
type letter struct {
	to     *Shared
	header wire.Header
	peer   int
	data   []byte
	next   *letter
	run    func()
}

// Seat is where a rank that shares memory with others sits, and what wakes it.
type Seat struct {
	Rank, Core int
	Bell       *clock.TaskBell
}

// Shared makes the mailboxes of ranks that run on a node.
func (f *Fabric) Shared(node int, seats []Seat) ([]*Shared, error) {
	if len(seats) == 0 {
		return nil, fmt.Errorf("sim: node %d has no ranks that share memory", node)
	}
	seats = slices.Clone(seats)
	members := make([]*Shared, len(seats))
	var only *arena
	if n, err := f.Node(node); err == nil && n.Denies {
		only = new(arena)
	}
	for i, s := range seats {
		h, err := f.Host(node, s.Core)
		if err != nil {
			return nil, err
		}
		members[i] = &Shared{f: f, host: h, rank: s.Rank, seats: seats, members: members, bell: s.Bell, arena: only, arrives: make([]int64, len(seats))}
	}
	return members, nil
}

// Host returns the clock of the rank's core.
func (x *Shared) Host() *Host { return x.host }

func (x *Shared) index(peer int) int {
	return slices.IndexFunc(x.seats, func(s Seat) bool { return s.Rank == peer })
}

func (x *Shared) member(peer int) *Shared { return x.members[x.index(peer)] }

// Die tells the other ranks of the node that this one has died: when they see that, which is not before
// what it has sent.
func (x *Shared) Die(err error) {
	for i, m := range x.members {
		if m != x {
			x.f.s.At(max(x.arrives[i], x.f.s.Now()+x.sees(m)), func() {
				m.deaths = append(m.deaths, death{x.rank, err})
				m.bell.Ring()
			})
		}
	}
}

// letter gives an empty letter to x.
func (x *Shared) letter() *letter {
	l := x.spare
	if l == nil {
		l = &letter{to: x}
		l.run = l.arrive
		return l
	}
	x.spare, l.next = l.next, nil
	return l
}

// sees is how long it takes until another core sees what this one has written.
func (x *Shared) sees(to *Shared) int64 {
	c := x.f.cost
	if x.host.core/c.chip.get() == to.host.core/c.chip.get() {
		return int64(float64(c.sharedSee.get()) * c.sharedChip.get())
	}
	return c.sharedSee.get()
}

// Send puts the packet into the peer's mailbox. Nothing overtakes what was put there before, although one
// goroutine of a rank may be charged with less time than another that was here first.
func (x *Shared) Send(p *wire.Packet) bool {
	i := x.index(p.Peer)
	to := x.members[i]
	l := to.letter()
	l.header, l.peer = p.Header, x.rank
	l.data = append(l.data[:0], p.Data...)
	x.f.s.Charge(x.f.cost.sharedPacket.get())
	x.host.Spend(clock.Copy, len(p.Data))
	x.arrives[i] = max(x.arrives[i], x.f.s.Now()+x.sees(to))
	x.f.s.At(x.arrives[i], l.run)
	p.Sent = len(p.Data)
	return true
}

// arrive is the moment at which the receiver's core sees the letter.
func (l *letter) arrive() {
	x := l.to
	if x.tail == nil {
		x.head = l
	} else {
		x.tail.next = l
	}
	x.tail = l
	x.bell.Ring()
}

// Ready tells whether there is mail.
func (x *Shared) Ready() bool {
	x.f.s.Settle()
	return x.head != nil || len(x.reads)+len(x.deaths) > 0
}

const (
	batchMax = 64   // letters delivered by one Poll
	keptData = 1024 // bytes of an empty letter that is kept
)

// Poll delivers the mail. Looking takes time.
func (x *Shared) Poll(s wire.Sink) bool {
	x.f.s.Settle()
	x.f.s.Charge(x.f.cost.poll.get())
	did := false
	for n := 0; n < batchMax && x.head != nil; n++ {
		l := x.head
		if x.head = l.next; x.head == nil {
			x.tail = nil
		}
		x.f.s.Charge(x.f.cost.sharedPacket.get())
		s.Arrive(l.peer, &l.header, l.data)
		if cap(l.data) > keptData {
			l.data = nil
		}
		l.next, x.spare = x.spare, l
		did = true
	}
	if len(x.reads) > 0 {
		reads := x.reads
		x.reads, x.next = x.next[:0], reads
		for i, token := range reads {
			s.ReadDone(token, nil)
			reads[i] = nil
		}
		did = true
	}
	for len(x.deaths) > 0 && x.head == nil { // after what it has written
		d := x.deaths[0]
		x.deaths = x.deaths[1:]
		s.Lost(d.rank, d.err)
		did = true
	}
	return did
}

// EagerMax is the longest message that travels with its envelope.
func (x *Shared) EagerMax(int) int { return x.f.cost.sharedEager.get() }

// Expose gives the address: all ranks are in one address space.
func (x *Shared) Expose(_ int, p []byte, _ bool) wire.Key { return x.arena.key(p) }

// Hide has nothing to undo.
func (x *Shared) Hide(int, wire.Key) {}

// Read copies from the sender's buffer, which its request keeps alive until our FIN. Where the
// kernel denies that, the sender has to push.
func (x *Shared) Read(peer int, k wire.Key, dst []byte, token any) bool {
	if k.Slot == outOfReach {
		return false
	}
	x.f.s.Charge(x.f.cost.sharedRead.get())
	x.host.Spend(clock.Copy, len(dst))
	x.f.s.Settle()
	copy(dst, x.Map(peer, k, len(dst)))
	x.reads = append(x.reads, token)
	return true
}
