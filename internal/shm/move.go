package shm

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/wire"
)

// Memory of the program's can move into the segment and keep its addresses: its whole pages are copied to the arena, and the
// arena's pages are mapped in their place. From then on peers load and store them like all of the arena.

// move is memory that has moved.
type move struct {
	b    []byte // the program's
	room []byte // of the arena, in which its pages lie
	off  int    // where in the segment they begin
}

// movesMax is how often a link moves memory: every time the kernel may have to keep two mappings more, of which it has some ten
// thousand.
const movesMax = 4096

// Move has the whole pages of b lie in the arena, at the same addresses, until Back, and names them to peers: they are n bytes of
// b, from a place on. None have moved if n is 0: there is no whole page, or the memory is a file's, or shared already, or the
// arena is full. Nobody may write to b meanwhile: what is written after it was copied would be lost.
func (l *Link) Move(b []byte) (k wire.Key, from, n int) {
	first := uintptr(up(int(address(b)), pageSize))
	last := uintptr(address(b)+uint64(len(b))) &^ (pageSize - 1)
	if last <= first || l.alloc.moved >= movesMax || os.Getpagesize() != pageSize || !pages.Private(first, last) {
		return wire.Key{}, 0, 0
	}
	from, n = int(first-uintptr(address(b))), int(last-first)
	room, err := l.alloc.take(n + pageSize)
	if err != nil {
		return wire.Key{}, 0, 0
	}
	begin, _ := l.seg.offset(room)
	m := move{b: b[from : from+n], room: room, off: up(begin, pageSize)}
	inside := room[m.off-begin:][:n]
	copy(inside, m.b)
	// Of a shared mapping, nothing is remapped to something: the same pages in a second place.
	if err := remap(unsafe.Pointer(unsafe.SliceData(inside)), 0, m.b); err != nil {
		renew(m.b, inside)
		l.alloc.give(room)
		return wire.Key{}, 0, 0
	}
	l.alloc.moves = append(l.alloc.moves, m)
	l.alloc.moved++
	return wire.Key{Addr: mapped | uint64(m.off)}, from, n
}

// Back undoes Move: the pages are the program's alone again, and hold what they held. Nobody may write to them meanwhile.
func (l *Link) Back(k wire.Key) {
	for i, m := range l.alloc.moves {
		if k.Addr != mapped|uint64(m.off) {
			continue
		}
		l.alloc.moves = append(l.alloc.moves[:i], l.alloc.moves[i+1:]...)
		if err := m.back(); err != nil {
			renew(m.b, l.seg.mem[m.off:])
		}
		l.alloc.give(m.room)
		return
	}
}

// back maps fresh memory in the place of what moved. Who reads there meanwhile sees the same all the time.
func (m *move) back() error {
	n := len(m.b)
	fresh, err := unix.MmapPtr(-1, 0, nil, uintptr(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return err
	}
	copy(unsafe.Slice((*byte)(fresh), n), m.b)
	if err := remap(fresh, n, m.b); err != nil {
		return errors.Join(err, unix.MunmapPtr(fresh, uintptr(n)))
	}
	return nil
}

// remap maps what is at from, n bytes of it, in the place of b. After an error there may be nothing in that place. The address that
// the kernel answers is b's, which Go's heap has given out: made a pointer anew, it would not pass Go's checks of pointers.
func remap(from unsafe.Pointer, n int, b []byte) error {
	_, _, errno := unix.Syscall6(unix.SYS_MREMAP, uintptr(from), uintptr(n), uintptr(len(b)), unix.MREMAP_MAYMOVE|unix.MREMAP_FIXED,
		uintptr(unsafe.Pointer(unsafe.SliceData(b))), 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// renew maps fresh memory in the place of b where remap has failed, with the contents of pages. There is no going on without.
func renew(b, pages []byte) {
	const nowhere = ^uintptr(0) // no file
	_, _, errno := unix.Syscall6(unix.SYS_MMAP, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED, nowhere, 0)
	if errno != 0 {
		panic(fmt.Sprintf("shm: the kernel has no memory for %d bytes of a window: %v", len(b), errno))
	}
	copy(b, pages)
}
