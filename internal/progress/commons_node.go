package progress

import "github.com/weft-mpi/weft/internal/wire"

// Node is memory that the ranks of a node share, as their link offers it. All methods are called with the loop's lock held.
type Node interface {
	// Take returns n bytes of ours that peers can map, at the start of a cache line. Their contents are undefined. Give takes
	// them back.
	Take(n int) ([]byte, error)
	Give(b []byte)
	// Place names what Take returned to peers, Map finds what a peer has named; nil if it is out of reach.
	Place(b []byte) wire.Key
	Map(peer int, k wire.Key, n int) []byte
	// Wake rings the doorbell of a peer that may sleep.
	Wake(peer int)
}

// Ahead is a node whose ranks are on processors with caches of their own.
type Ahead interface {
	// WillWrite asks for the lines of b, which we are going to write: they are likely in the caches of those who read them last.
	WillWrite(b []byte)
}

// Populator is a node whose memory takes long to touch for the first time.
type Populator interface {
	// Populate has b, which Take or Map returned, touched.
	Populate(b []byte)
}

// Late is a node in virtual time, where others see later what a rank has written.
type Late interface {
	// Later has see called when ranks near this one see what it writes now, and again when those far from it do. Nobody may wait
	// in see.
	Later(see func(far bool))
	// Far tells whether a peer sees our writes, and we see its, as late as those do who are far.
	Far(peer int) bool
	// Saw charges for having found a flag of another rank raised.
	Saw()
}
