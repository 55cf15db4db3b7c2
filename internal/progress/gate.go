package progress

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/weft-mpi/weft/internal/clock"
)

// Gate is a part of a loop's lock that functions in C can take, too: guests, who send and receive short messages where
// nothing else is under way, and leave all the rest to us. To enter Go takes longer than that. The gate lies in C's
// memory and is C's struct weft_gate.
//
// Go takes the mutex first, so at most one goroutine comes to the gate. A guest tries the word once: if it is taken,
// it enters Go like anybody, and waits there. A guest that spins for a message gives the word back as soon as somebody
// in Go wants it. So a guest never waits here, and Go only for moments.
type Gate struct {
	word   uint32 // 1: somebody is in
	wanted uint32 // 1: Go waits for the word
	open   uint32 // what guests may do now: guestsSend, guestsReceive
	spins  uint32 // how often a guest that receives looks
	shut   uint32 // 1: for good; a child of fork sets it, too
	posted uint32 // receives of guests that wait for messages: whoever comes in Go takes them over
	// What guests have done since Go was here last.
	sends, receives         uint64
	sentBytes, arrivedBytes uint64
}

// What guests may do.
const (
	guestsSend    = 1
	guestsReceive = 2
)

// Admit lets guests in from now on. It is called once, with a gate that nobody uses yet.
//
// adopt is called, with the lock held, by whoever comes in Go while receives of guests wait: it calls Adopt for each,
// in the order in which they were started.
func (l *Loop) Admit(g *Gate, adopt func()) {
	l.lock()
	*g = Gate{word: 1}
	l.gate, l.adopt = g, adopt
	l.unlock()
}

// Dismiss lets no guest in any more. It returns when none is there.
func (l *Loop) Dismiss() {
	l.lock()
	if l.gate != nil {
		l.gate.shut = 1
	}
	l.unlock()
}

// take takes the word for a goroutine that has the mutex.
func (g *Gate) take() {
	if g.try() {
		return
	}
	atomic.StoreUint32(&g.wanted, 1)
	for n := 0; !g.try(); n++ {
		switch {
		case n < gateLooks:
			clock.Pause()
		case n < gateYields:
			clock.Yield()
		default: // the guest's thread does not run
			time.Sleep(gateNap)
		}
	}
	atomic.StoreUint32(&g.wanted, 0)
}

// How long to wait for a guest: looks, looks with the processor offered, then naps.
const (
	gateLooks  = 50
	gateYields = 1000
	gateNap    = 50 * time.Microsecond
)

func (g *Gate) try() bool { return atomic.CompareAndSwapUint32(&g.word, 0, 1) }

// comeIn takes the word, too.
func (l *Loop) comeIn() {
	l.gate.take()
	l.come()
}

// come is what is done when the word has been taken: guests' messages count.
func (l *Loop) come() {
	g := l.gate
	if done := g.sends + g.receives; done > 0 {
		l.eng.Counters.EagerSends += g.sends
		l.eng.Counters.Expected += g.receives
		l.eng.Counters.SentBytes += g.sentBytes
		l.eng.Counters.ArrivedBytes += g.arrivedBytes
		l.calls += done
		g.sends, g.receives, g.sentBytes, g.arrivedBytes = 0, 0, 0, 0
	}
	if g.posted > 0 {
		g.posted = 0
		l.adopt()
	}
}

// Adopt is Irecv for a receive that a guest has started. The lock is held.
func (l *Loop) Adopt(b []byte, from Peer, why Why) Handle { return l.leave(l.startRecv(b, from), why) }

// leaveGate says what guests may do and gives the word back.
func (l *Loop) leaveGate() {
	g := l.gate
	g.open, g.spins = l.admits(), uint32(min(max(l.patience.Spins, 1), mostGuestSpins))
	atomic.StoreUint32(&g.word, 0)
}

// mostGuestSpins is how often a guest looks before it enters Go, at most: who wants to know who waits finds it there.
const mostGuestSpins = 1 << 12

// admits tells what guests may do while nobody in Go has the lock. They may send unless something else waits for
// room, which they would overtake, or peers want to be asked first. They may receive unless somebody else waits for
// something, or something waits for a receive: then it takes us to find out what belongs together, and to have it
// advance.
func (l *Loop) admits() uint32 {
	switch {
	case l.gate.shut != 0 || l.failed != nil || l.over || l.gaveUp:
		return 0
	case l.eng.AnyOdd() || l.backlogged.Load() > 0:
		return 0
	case !l.idle():
		return guestsSend
	}
	return guestsSend | guestsReceive
}

// GateLayout is how we lay out what guests share with us, for a test to compare with C: offsets and sizes.
func GateLayout() []uintptr {
	var g Gate
	return []uintptr{
		unsafe.Sizeof(g), unsafe.Offsetof(g.word), unsafe.Offsetof(g.wanted), unsafe.Offsetof(g.open),
		unsafe.Offsetof(g.spins), unsafe.Offsetof(g.shut), unsafe.Offsetof(g.posted), unsafe.Offsetof(g.sends),
		unsafe.Offsetof(g.receives), unsafe.Offsetof(g.sentBytes), unsafe.Offsetof(g.arrivedBytes), guestsSend, guestsReceive,
	}
}
