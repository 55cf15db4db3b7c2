package shm

import "github.com/weft-mpi/weft/internal/wire"

// Place names memory of ours to peers: by its place in the segment if it lies in the arena, else by its
// address, which means something to the kernel only. Its owner keeps it alive. Long memory that is placed
// again and again may be put on huge pages.
func (l *Link) Place(b []byte) wire.Key {
	if off, ok := l.seg.offset(b); ok {
		return wire.Key{Addr: mapped | uint64(off)}
	}
	l.cfg.Pages.Used(b)
	return wire.Key{Addr: address(b)}
}

// Map returns n bytes that a peer has placed, if they lie in an arena; else nil.
func (l *Link) Map(_ int, k wire.Key, n int) []byte {
	if k.Addr&mapped == 0 {
		return nil
	}
	b, ok := l.seg.arenaBytes(int(k.Addr&^mapped), n)
	if !ok {
		return nil
	}
	return b[:n:n]
}

// Copies tells whether the kernel lets us copy from and to a peer's memory.
func (l *Link) Copies(peer int) bool { return l.single.trusts(l.at(peer)) }

// Fetch copies from a peer's memory at once. Other than the link's other methods, it may be called without
// the loop's lock, once Copies has answered.
func (l *Link) Fetch(peer int, k wire.Key, dst []byte) error {
	l.cfg.Pages.Used(dst)
	return l.single.copyFrom(l.at(peer), dst, k.Addr)
}

// Store copies to a peer's memory at once; otherwise as Fetch.
func (l *Link) Store(peer int, k wire.Key, src []byte) error {
	l.cfg.Pages.Used(src)
	return l.single.copyTo(l.at(peer), src, k.Addr)
}
