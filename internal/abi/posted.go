package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
)

// Posted is the receives that guests have started and nobody has waited for: receive number i is at i modulo their
// number, and those that wait for messages are among the numbers from first to next. It is C's struct weft_posted, and
// belongs to whoever has the loop's lock. Whoever takes that in Go takes the receives over, so there are none that wait
// while we look.
type Posted struct {
	first, next uint32
	all         [postedMost]postedReceive
}

const postedMost = 128

type postedReceive struct {
	buf      uintptr
	comm     uintptr
	room, in uint32
	place    int32
	source   int32
	tag      int32 // as C has it
	state    uint32
	n        uint32 // of one that is over: bytes, and the tag
	got      int32
}

// The states of a receive: its place is free, it waits in C, it is over, or it is ours.
const (
	postedFree = iota
	postedWaits
	postedOver
	postedOurs
)

// addPosted makes the requests that stand for guests' receives: their handles come behind that of guests' sends.
func (o *objects) addPosted(posts *[postedMost]*request) {
	for i := range posts {
		posts[i] = &request{post: i + 1}
		posts[i].handle, _ = o.requests.add(posts[i])
	}
}

// adopt takes over the receives that wait. The loop's lock is held.
func (p *Proc) adopt() {
	q := p.cfg.Guests.Posted
	for ; q.first != q.next; q.first++ {
		i := q.first % postedMost
		r := &q.all[i]
		if r.state != postedWaits {
			continue
		}
		r.state = postedOurs
		o := p.lobby.posts[i]
		o.uncounted = true
		var err error
		if o.on, err = p.commOf(r.comm); err != nil {
			o.r = comm.Failed(err)
			continue
		}
		var b []byte
		if r.room > 0 {
			b = unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&r.buf))), r.room)
		}
		o.r = o.on.c.TakeOver(b, int(r.source), fromTag(int(r.tag)))
	}
}

// settle has a request be what has become of its receive, and tells whether there is one.
func (p *Proc) settle(o *request) (there bool) {
	if p.lobby.known == nil {
		return false
	}
	p.rank.Env.Loop.Locked(func() {
		r := &p.cfg.Guests.Posted.all[o.post-1]
		if there = r.state != postedFree; r.state != postedOver {
			return
		}
		r.state = postedOurs
		st := comm.Status{Source: int(r.source), Tag: int(r.got), Bytes: int(r.n)}
		o.on, o.uncounted, o.r = nil, true, comm.Failed(nil)
		o.end = func(comm.Status, error) (comm.Status, error) { return st, nil }
	})
	return there
}

// release gives back the place of a receive that the program has done with.
func (p *Proc) release(o *request) {
	p.rank.Env.Loop.Locked(func() {
		*o = request{handle: o.handle, post: o.post}
		p.cfg.Guests.Posted.all[o.post-1].state = postedFree
	})
}

// counts tells whether its communicator counts the request, which it then does no more.
func (p *Proc) counts(o *request) (yes bool) {
	if o.post == 0 {
		return true
	}
	p.rank.Env.Loop.Locked(func() { yes, o.uncounted = !o.uncounted, true })
	return yes
}

// freePosted lets a receive run to its end.
func (p *Proc) freePosted(o *request) error {
	if o.end == nil { // else it is over
		if !p.counts(o) {
			o.on.more()
		}
		o.on.forsake(o.r)
	}
	p.release(o)
	return nil
}
