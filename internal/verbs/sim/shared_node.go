package sim

import "unsafe"

// cacheLine is at which addresses memory for collectives begins.
const cacheLine = 64

// Take returns n bytes for collectives of the node's ranks, at the start of a cache line.
func (x *Shared) Take(n int) ([]byte, error) {
	mem := make([]byte, n+cacheLine)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(mem)))) & (cacheLine - 1)
	mem = mem[skip : skip+n : skip+n]
	x.arena.took(mem)
	return mem, nil
}

// Give ends the sharing: memory that no rank uses is collected.
func (x *Shared) Give(mem []byte) { x.arena.gave(mem) }

// Wake rings the doorbell of another rank of the node.
func (x *Shared) Wake(peer int) { x.member(peer).bell.Ring() }

// Later has see called when the ranks on this one's chip see what it has written by now, and again
// when all others do. Whoever copies data pays for that elsewhere. Nobody sees it before what the
// rank has written before, although one goroutine of a rank may be charged with less time than
// another that was here first.
func (x *Shared) Later(see func(far bool)) {
	c := x.f.cost
	x.wrote = max(x.wrote, x.f.s.Now())
	x.f.s.At(x.wrote+int64(float64(c.sharedSee.get())*c.sharedChip.get()), func() { see(false) })
	x.f.s.At(x.wrote+c.sharedSee.get(), func() { see(true) })
}

// Far tells whether a rank of the node is on another chip.
func (x *Shared) Far(peer int) bool {
	return x.host.core/x.f.cost.chip.get() != x.member(peer).host.core/x.f.cost.chip.get()
}

// Saw charges for a flag of another core that was looked at and found raised: it is a line of cache, where
// a packet is two.
func (x *Shared) Saw() { x.f.s.Charge(x.f.cost.sharedPacket.get() / 2) }
