package soft

import (
	"slices"

	"github.com/weft-mpi/weft/internal/socket"
)

// watcher is who tells which sockets have something to read, or room to write.
type watcher struct {
	poll     *socket.Poller
	sources  sources
	direct   []direct // what a poll asks without asking the poller first, while it is short
	detached bool     // these are out of the poller's set
	turns    int      // polls since somebody slept on the sockets, or may have
}

// source is something the poller tells about: a connection, a listener or a UDP socket.
type source interface {
	// ready does what there is to do; it answers whether it did anything.
	ready(read, write bool) bool
	// seat is its place in the poller.
	seat() *seat
}

// seat is what the poller knows of a source.
type seat struct {
	fd          int
	token       uint64
	read, write bool // what the source wants to be told about
	known       bool // it has a token
	in          bool // in the set, with exactly that
	direct      bool // polls ask it without asking the poller first
}

// sources gives tokens to sources; a token that is out of date finds nothing.
type sources struct {
	slots []struct {
		s   source
		gen uint32
	}
	free []uint32
}

// add gives a token for s.
func (t *sources) add(s source) uint64 {
	i := uint32(len(t.slots))
	if n := len(t.free); n > 0 {
		i, t.free = t.free[n-1], t.free[:n-1]
	} else {
		t.slots = append(t.slots, struct {
			s   source
			gen uint32
		}{})
	}
	t.slots[i].s = s
	return uint64(t.slots[i].gen)<<32 | uint64(i)
}

// remove makes a token invalid.
func (t *sources) remove(token uint64) {
	slot := &t.slots[uint32(token)]
	slot.s = nil
	slot.gen = (slot.gen + 1) & (1<<31 - 1)
	t.free = append(t.free, uint32(token))
}

// find returns the source of a token, or nil.
func (t *sources) find(token uint64) source {
	if i := uint32(token); int(i) < len(t.slots) && t.slots[i].gen == uint32(token>>32) {
		return t.slots[i].s
	}
	return nil
}

// watch says what a source wants to be told about; nothing takes it out of the set.
func (w *watcher) watch(s source, read, write bool) error {
	p := s.seat()
	if p.known && p.read == read && p.write == write && p.in {
		return nil
	}
	p.read, p.write = read, write
	if !p.known {
		p.token, p.known = w.sources.add(s), true
	}
	if w.detached && p.direct {
		return nil
	}
	return w.enter(p)
}

// enter brings the set up to date with what a source wants.
func (w *watcher) enter(p *seat) (err error) {
	switch {
	case !p.read && !p.write:
		if p.in {
			p.in = false
			err = w.poll.Remove(p.fd)
		}
		return err
	case !p.in:
		if err = w.poll.Add(p.fd, p.token, p.write); err != nil {
			return err
		}
		p.in = true
		if p.read {
			return nil
		}
	}
	return w.poll.Want(p.fd, p.token, p.read, p.write)
}

// unwatch forgets a source, before its descriptor is closed.
func (w *watcher) unwatch(s source) {
	p := s.seat()
	if p.in {
		w.poll.Remove(p.fd)
	}
	if p.known {
		w.sources.remove(p.token)
	}
	*p = seat{fd: -1}
}

// direct is a source that polls ask without asking the poller first.
type direct interface {
	source
	// calm tells that whoever polls c may glance at it: it has nothing to do but to receive, and lends what comes.
	calm(c *cq) bool
	// glance asks it, and tells whether it was not in vain.
	glance() bool
}

// addDirect has polls ask s without asking the poller; dropDirect ends that.
func (w *watcher) addDirect(s direct) {
	w.attach()
	s.seat().direct = true
	w.direct = append(w.direct, s)
}

func (w *watcher) dropDirect(s source) {
	if !s.seat().direct {
		return
	}
	w.attach()
	s.seat().direct = false
	w.direct = slices.DeleteFunc(w.direct, func(x direct) bool { return x == s })
}

// detachAfter is after how many polls in a row the sockets that polls ask directly leave the poller's set: being in
// it costs the sender of every message some time.
const detachAfter = 512

// detach takes sockets that are polled directly out of the set, as long as somebody polls.
func (d *Device) detach() {
	if len(d.direct) > maxDirect || d.waiters.Load() > 0 {
		return
	}
	d.detached = true
	for _, s := range d.direct {
		if p := s.seat(); p.in {
			p.in = false
			d.poll.Remove(p.fd)
		}
	}
}

// attach puts them back, before somebody sleeps on the set.
func (w *watcher) attach() {
	w.turns = 0
	if !w.detached {
		return
	}
	w.detached = false
	for _, s := range w.direct {
		w.enter(s.seat())
	}
}
