package progress

import "github.com/weft-mpi/weft/internal/wire"

// Near is a link to peers whose memory may lie in our address space: windows on it need no packets.
type Near interface {
	// Place names b to peers. The caller keeps b alive.
	Place(b []byte) wire.Key
	// Map returns n bytes that a peer has placed, to be loaded and stored; nil if they are out of reach. It
	// may be called without the lock.
	Map(peer int, k wire.Key, n int) []byte
}

// Copier is a link to peers whose memory the kernel copies for us.
type Copier interface {
	// Copies tells whether it does so for peer.
	Copies(peer int) bool
	// Fetch copies from what a peer has placed, Store to it, at once. Both may be called without the lock.
	Fetch(peer int, k wire.Key, dst []byte) error
	Store(peer int, k wire.Key, src []byte) error
}

// Far is a link whose device reads and writes peers' memory.
type Far interface {
	// Share lets every peer read and write b until Unshare. The caller keeps b alive. The zero key shares nothing.
	Share(b []byte) (wire.Key, error)
	Unshare(k wire.Key) error
	// Moves tells whether Read and Write reach peer's memory.
	Moves(peer int) bool
	// Frequent counts a use of b and tells whether it is used so often that it is worth registering.
	Frequent(b []byte) bool
}

// Places are the names of some memory on each kind of link.
type Places struct {
	Near wire.Key // for peers of a Near or Copier link
	Far  wire.Key // for peers of a Far link
}

// Place names b to all peers. The caller keeps it alive until Unplace.
func (l *Loop) Place(b []byte) (p Places, err error) {
	l.lock()
	defer l.unlock()
	for _, link := range l.links {
		if link.Near != nil {
			p.Near = link.Near.Place(b)
		}
		if link.Far != nil && err == nil {
			p.Far, err = link.Far.Share(b)
		}
	}
	return p, err
}

// Unplace takes the names back.
func (l *Loop) Unplace(p Places) (err error) {
	l.lock()
	defer l.unlock()
	for _, link := range l.links {
		if link.Far != nil && err == nil && p.Far != (wire.Key{}) {
			err = link.Far.Unshare(p.Far)
		}
	}
	return err
}

// Reach is how the memory of a peer is read and written.
type Reach struct {
	Mem    []byte   // ours to load and store; nil if it is not
	Copier Copier   // nil unless the kernel copies
	Far    Far      // nil unless a device reads and writes it
	Key    wire.Key // for Copier and Far
}

// Reach finds the way to n bytes that peer has placed. All fields are zero if only packets lead there.
func (l *Loop) Reach(peer int, p Places, n int) (r Reach) {
	l.lock()
	defer l.unlock()
	link := l.link(peer)
	if link.Near != nil {
		r.Mem = link.Near.Map(peer, p.Near, n)
	}
	switch {
	case r.Mem != nil:
	case link.Copier != nil && link.Copier.Copies(peer):
		r.Copier, r.Key = link.Copier, p.Near
	case link.Far != nil && p.Far != (wire.Key{}):
		r.Far, r.Key = link.Far, p.Far
	}
	return r
}

// Shares tells whether peer's memory can lie in our address space.
func (l *Loop) Shares(peer int) bool { return peer == l.cfg.Self || l.link(peer).Near != nil }
