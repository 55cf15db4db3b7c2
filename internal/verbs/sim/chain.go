package sim

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Chains, where a profile has them (chain_us): the host hands over a send together with events, and the
// interface begins it by itself when the last of these has come. An event is the immediate value of a Write
// that has ChainEvent set. One that comes before anything waits for it is kept, and is good for one send.

// ChainEvent marks an immediate value as an event that sends can be chained to.
const ChainEvent uint32 = 1 << 31

// chains are what a device's interface has to begin by itself.
type chains struct {
	links []*link
	early map[uint32]int // events that nothing waited for, how many of each
}

// link is a send and the events that it waits for.
type link struct {
	q     *qp
	wr    verbs.SendWR
	after []uint32
}

// Chain has a send begin when all of these events have come to the device. What it sends belongs to it
// until it has ended; it is read when it begins. Its place in the queue is the one that it has then.
func (q *qp) Chain(wr verbs.SendWR, after ...uint32) error {
	d, n := q.p.d, 0
	for i := range wr.SGL {
		n += len(wr.SGL[i].Buf)
	}
	switch bad := q.wrong(&wr, n); {
	case bad != "":
		return fmt.Errorf("sim: %w: %s of a chained %v with %d bytes", verbs.ErrArgument, bad, wr.Op, n)
	case !d.f.cluster.Profile.Chains():
		return fmt.Errorf("sim: %w: interfaces of profile %s have no chains (chain_us is 0)", verbs.ErrArgument, d.f.cluster.Profile.Name)
	case q.dead():
		return verbs.ErrClosed
	case q.state != verbs.RTS:
		return fmt.Errorf("sim: chain in %v: %w", q.state, verbs.ErrState)
	case wr.Flags&verbs.Inline != 0:
		return fmt.Errorf("sim: %w: flag Inline of a send that is chained: its bytes are not there yet", verbs.ErrArgument)
	case slices.ContainsFunc(after, func(event uint32) bool { return event&ChainEvent == 0 }):
		return fmt.Errorf("sim: %w: sends are chained to events with ChainEvent, not to %#x", verbs.ErrArgument, after)
	}
	s := d.f.s
	s.Charge(d.f.cost.post.get())
	l := &link{q: q, wr: wr, after: slices.Clone(after)}
	s.At(s.Now(), func() { d.chains.hang(l) })
	return nil
}

// hang has a send wait for those of its events that have not come, or begins it.
func (c *chains) hang(l *link) {
	l.after = slices.DeleteFunc(l.after, func(event uint32) bool {
		if c.early[event] == 0 {
			return false
		}
		c.early[event]--
		return true
	})
	if len(l.after) == 0 {
		l.begin()
		return
	}
	c.links = append(c.links, l)
}

// fire is an event that has come.
func (c *chains) fire(event uint32) {
	for i, l := range c.links {
		at := slices.Index(l.after, event)
		if at < 0 {
			continue
		}
		if l.after = slices.Delete(l.after, at, at+1); len(l.after) == 0 {
			c.links = slices.Delete(c.links, i, i+1)
			l.begin()
		}
		return
	}
	if c.early == nil {
		c.early = map[uint32]int{}
	}
	c.early[event]++
}

// begin posts the send as soon as the interface has got to it. Nobody hears of a queue pair that can send
// no more: who owns it does.
func (l *link) begin() {
	f := l.q.p.d.f
	f.s.At(f.s.Now()+f.cost.chain.get(), func() {
		q, d := l.q, l.q.p.d
		if q.dead() || q.state != verbs.RTS || q.leaving {
			return
		}
		if err := q.sends.Post(&d.regions, q.p.num, &l.wr); err != nil {
			q.fail(fmt.Errorf("sim: a send that was chained: %w", err))
			return
		}
		sent := q.sends.Get(q.sends.End() - 1)
		d.counts.dma++
		d.tally(l.wr.Op, q.cfg.Type, sent.Len)
		sent.Extra = uint64(f.s.Now() + f.cost.dmaStart.get())
		q.request.kick(f.s.Now())
	})
}
