package shm

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/wire"
)

// Place names memory of ours to peers: by its place in the segment if it lies in the arena, else by its address, which means
// something to the kernel only. Its owner keeps it alive. Long memory that is placed again and again may be put on huge pages.
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
func (l *Link) Copies(peer int) bool {
	peer = l.at(peer)
	if !l.single.trusts(peer) {
		return false
	}
	if l.doors == nil {
		l.doors = make([]door, l.seg.Ranks)
	}
	if d := &l.doors[peer]; !d.tried && !l.cfg.NoFile {
		if *d = l.single.openDoor(peer); d.file != nil {
			l.Counters.Doors++
		}
	}
	return true
}

// Fetch copies from a peer's memory at once. Other than the link's other methods, it may be called without the loop's lock, once
// Copies has answered.
func (l *Link) Fetch(peer int, k wire.Key, dst []byte) error {
	return l.copyNow(unix.SYS_PROCESS_VM_READV, l.at(peer), dst, k.Addr)
}

// Store copies to a peer's memory at once; otherwise as Fetch.
func (l *Link) Store(peer int, k wire.Key, src []byte) error {
	return l.copyNow(unix.SYS_PROCESS_VM_WRITEV, l.at(peer), src, k.Addr)
}

// copyNow copies short pieces without telling Go's scheduler, which would cost a tenth of a microsecond: they are over sooner
// than it could use the processor.
func (l *Link) copyNow(call uintptr, peer int, b []byte, addr uint64) error {
	if len(b) > nowMax {
		l.cfg.Pages.Used(b)
		return l.single.transfer(call, peer, b, addr)
	}
	if len(b) <= doorMax && l.doors[peer].copy(call, b, addr) {
		return nil
	}
	pid := uintptr(atomic.LoadUint32(l.seg.pid(peer)))
	for len(b) > 0 {
		local := unix.Iovec{Base: unsafe.SliceData(b), Len: uint64(len(b))}
		remote := unix.RemoteIovec{Base: uintptr(addr), Len: len(b)}
		n, _, errno := unix.RawSyscall6(call, pid, uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
		switch {
		case errno != 0:
			return errno
		case n == 0:
			return unix.EFAULT
		}
		b, addr = b[n:], addr+uint64(n)
	}
	return nil
}

// nowMax is the longest piece that is copied so.
const nowMax = 32 << 10
