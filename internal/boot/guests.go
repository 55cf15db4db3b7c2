package boot

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/wire"
)

// Guests is what functions in C need in order to send and receive short messages by themselves. It lies in C's memory
// and is C's struct weft_guests.
type Guests struct {
	Gate  progress.Gate
	Rings shm.Rings
}

// Admit lets guests in and tells whether it has: there are none where no ranks share memory, where somebody wants to
// know of every call, and where only calls have messages advance, each of which looks.
//
// adopt is called as progress.Admit says.
func (r *Rank) Admit(g *Guests, adopt func()) bool {
	if r.near == nil || r.Env.Profile != nil || r.mode != progress.Auto {
		return false
	}
	r.loop.Locked(func() { r.near.Admit(&g.Rings) })
	r.loop.Admit(&g.Gate, adopt)
	return true
}

// Dismiss lets no guests in any more. It returns when none is there.
func (r *Rank) Dismiss() { r.loop.Dismiss() }

// Ring wakes a rank of this host, by its place in the segment, for a guest that has sent it something.
func (r *Rank) Ring(place int) { r.near.Ring(place) }

// Place is the place in the segment of a process that guests may send to and receive from; -1 of others.
func (r *Rank) Place(proc int) int {
	if proc == r.place.rank {
		return -1
	}
	return r.near.At(proc)
}

// GuestLayout is how Guests is laid out, for a test to compare with C: offsets, and the kind of guests' messages.
func GuestLayout() []uintptr {
	var g Guests
	all := append(shm.GuestLayout(), progress.GateLayout()...)
	return append(all, unsafe.Offsetof(g.Gate), unsafe.Offsetof(g.Rings), uintptr(wire.Eager))
}
