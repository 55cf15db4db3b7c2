package abi

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/datatype"
)

// Guests are functions in C that send and receive short messages without us, where it is that simple.

// Guests is the memory that they share with us. It is C's.
type Guests struct {
	Rank  *boot.Guests
	Known *Known

	Posted *Posted
}

// Known tells guests what some handles mean. It is C's struct weft_known, and is written with the loop's lock held.
type Known struct {
	comms [knownComms]knownComm // each at its handle modulo their number
	sizes [knownTypes]uint8     // of predefined types without holes; 0: not for guests
}

const (
	knownComms = 32
	knownTypes = lastType - firstType + 1
)

// knownComm is a communicator.
type knownComm struct {
	handle  uintptr // 0: none
	in, out uint32
	size    uint32
	_       uint32
	places  unsafe.Pointer // of each rank, as an int32: its place in the segment, -1 if it is not for guests
}

// lobby is our side of it.
type lobby struct {
	known *Known                     // nil: no guests are let in
	posts [postedMost]*request       // those of Posted's receives
	pins  [knownComms]runtime.Pinner // of places
}

// sentHandle is the handle of all sends that guests have started, which are over: that of the first request.
const sentHandle = uintptr(requestKind) << (indexBits + generationBits)

// admit lets guests in, if there can be any.
func (p *Proc) admit() {
	g := p.cfg.Guests
	if g == nil || !p.rank.Admit(g.Rank, p.adopt) {
		return
	}
	p.rank.Env.Loop.Locked(func() {
		for i, t := range p.standard {
			if t != nil && t.l.Plain() && t.size <= 255 && t.pair == datatype.Invalid {
				g.Known.sizes[i] = uint8(t.size)
			}
		}
	})
	p.lobby.known = g.Known
	p.introduce(p.world)
}

// introduce tells guests of a communicator that is in use. Of those whose handles meet it is the last.
func (p *Proc) introduce(cm *communicator) {
	known := p.lobby.known
	if known == nil {
		return
	}
	i := cm.handle % knownComms
	k := &known.comms[i]
	if atomic.LoadUintptr(&k.handle) == cm.handle {
		return
	}
	in, out, procs, ok := cm.c.Bare()
	if !ok {
		return
	}
	places := make([]int32, len(procs))
	for rank, proc := range procs {
		places[rank] = int32(p.rank.Place(proc))
	}
	p.rank.Env.Loop.Locked(func() {
		pin := &p.lobby.pins[i]
		pin.Unpin()
		list := unsafe.SliceData(places)
		pin.Pin(list)
		*k = knownComm{handle: cm.handle, in: in, out: out, size: uint32(len(procs)), places: unsafe.Pointer(list)}
	})
}

// withhold takes a communicator away from guests, before it ends.
func (p *Proc) withhold(cm *communicator) {
	known := p.lobby.known
	if known == nil {
		return
	}
	n := 0
	p.rank.Env.Loop.Locked(func() { // which takes over what waits
		for i := range p.lobby.posts {
			if r := p.lobby.posts[i]; r.on == cm && r.uncounted {
				r.uncounted = false
				n++
			}
		}
		if k := &known.comms[cm.handle%knownComms]; k.handle == cm.handle {
			k.handle = 0
		}
	})
	for range n {
		cm.more()
	}
}

// Ring wakes a rank of this host for a guest.
func (p *Proc) Ring(place int) { p.rank.Ring(place) }

// GuestLayout is how all that guests share with us is laid out, for a test to compare with C: offsets and sizes.
func GuestLayout() []uintptr {
	var k Known
	var c knownComm
	var s status
	var q Posted
	var r postedReceive
	return append(boot.GuestLayout(),
		unsafe.Sizeof(k), unsafe.Offsetof(k.comms), unsafe.Offsetof(k.sizes), knownComms, firstType, knownTypes,
		unsafe.Sizeof(c), unsafe.Offsetof(c.handle), unsafe.Offsetof(c.in), unsafe.Offsetof(c.out),
		unsafe.Offsetof(c.size), unsafe.Offsetof(c.places),
		unsafe.Offsetof(s.cancelled), unsafe.Offsetof(s.bytes), unsafe.Sizeof(s),
		unsafe.Sizeof(q), unsafe.Offsetof(q.first), unsafe.Offsetof(q.next), unsafe.Offsetof(q.all),
		unsafe.Sizeof(r), unsafe.Offsetof(r.buf), unsafe.Offsetof(r.comm), unsafe.Offsetof(r.room),
		unsafe.Offsetof(r.in), unsafe.Offsetof(r.place), unsafe.Offsetof(r.source), unsafe.Offsetof(r.tag),
		unsafe.Offsetof(r.state), unsafe.Offsetof(r.n), unsafe.Offsetof(r.got), postedMost)
}

// SentHandle is the handle of guests' sends.
func SentHandle() uintptr { return sentHandle }
