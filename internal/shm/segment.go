package shm

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The segment, in this order: header page, one area per rank, one region per ordered pair, one arena per
// rank, memory of collectives per rank. All offsets follow from the geometry, which the header repeats.
const (
	magic      = 0x7466_6577_5f73_6d32 // "weft_sm2"
	pageSize   = 4096
	slotSize   = 64
	slots      = 128 // long messages one rank can offer at a time; more wait for a push
	rankFixed  = 256 // doorbell line, identity line, two spare
	cellSize   = 128
	inlineMax  = 112 // payload bytes inside a descriptor
	pairCtl    = 256
	maxRanks   = 4096
	arenaAlign = 1 << 21
)

// Geometry says how large the parts of a segment are.
type Geometry struct {
	Ranks int
	Cells int // descriptors per pair, a power of two
	Small int // bytes of the small byte ring per pair, a power of two, at least 4*smallMax (see inbox.release)
	Bulk  int // bytes of the bulk byte ring per pair, a power of two
	Arena int // bytes of user memory per rank
	// Commons is how many bytes per rank are for collectives.
	Commons int
}

// GeometryFor suits n ranks: pairs get less as they become many, since all pairs may talk. Memory for users
// and for collectives costs nothing until it is touched.
func GeometryFor(n, arena, commons int) Geometry {
	g := Geometry{Ranks: n, Arena: up(arena, arenaAlign), Commons: up(commons, arenaAlign)}
	switch {
	case n <= 16:
		g.Cells, g.Small, g.Bulk = 128, 32<<10, 512<<10
	case n <= 64:
		g.Cells, g.Small, g.Bulk = 128, 16<<10, 128<<10
	default:
		g.Cells, g.Small, g.Bulk = 64, 8<<10, 64<<10
	}
	return g
}

func (g Geometry) check() error {
	power := func(n, low, high int) bool { return n >= low && n <= high && n&(n-1) == 0 }
	switch {
	case g.Ranks < 1 || g.Ranks > maxRanks:
		return fmt.Errorf("shm: %d ranks on one host; 1 to %d are possible", g.Ranks, maxRanks)
	case !power(g.Cells, 8, 1<<16), !power(g.Small, 4*smallMax, 1<<26), !power(g.Bulk, 1<<14, 1<<30):
		return fmt.Errorf("shm: bad ring sizes: %d cells, %d and %d bytes", g.Cells, g.Small, g.Bulk)
	case g.Arena < 0 || g.Arena > 1<<44:
		return fmt.Errorf("shm: bad arena size %d", g.Arena)
	case g.Commons < 0 || g.Commons > 1<<44:
		return fmt.Errorf("shm: bad size %d of memory for collectives", g.Commons)
	}
	return nil
}

func up(n, to int) int { return (n + to - 1) &^ (to - 1) }

func (g Geometry) rankSize() int { return up(rankFixed+up(g.Ranks, 512)/8+slots*slotSize, pageSize) }
func (g Geometry) pairSize() int { return up(pairCtl+g.Cells*cellSize, pageSize) + g.Small + g.Bulk }
func (g Geometry) pairsAt() int  { return pageSize + g.Ranks*g.rankSize() }
func (g Geometry) arenasAt() int {
	return up(g.pairsAt()+g.Ranks*g.Ranks*g.pairSize(), arenaAlign)
}
func (g Geometry) commonsAt() int { return g.arenasAt() + g.Ranks*g.Arena }
func (g Geometry) size() int      { return g.commonsAt() + g.Ranks*g.Commons }

// Segment is the mapped memory of a job on this host.
type Segment struct {
	Geometry
	mem  []byte
	base unsafe.Pointer
}

// Create makes the file of a new segment. Whoever maps it keeps it alive.
func Create(g Geometry) (*os.File, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("weft", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("shm: creating the segment: %w", err)
	}
	f := os.NewFile(uintptr(fd), "weft-segment")
	header := make([]byte, 64)
	for i, v := range []uint64{magic, uint64(g.Ranks), uint64(g.Cells), uint64(g.Small), uint64(g.Bulk), uint64(g.Arena), uint64(g.Commons)} {
		le.PutUint64(header[8*i:], v)
	}
	if err = f.Truncate(int64(g.size())); err == nil {
		_, err = f.WriteAt(header, 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("shm: sizing the segment to %d bytes: %w", g.size(), err)
	}
	return f, nil
}

// Open maps the segment that f holds and checks it. f may be closed afterwards.
func Open(f *os.File) (*Segment, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("shm: the segment: %w", err)
	}
	header := make([]byte, 64)
	if _, err := f.ReadAt(header, 0); err != nil {
		return nil, fmt.Errorf("shm: reading the segment's header: %w", err)
	}
	word := func(i int) int { return int(le.Uint64(header[8*i:])) }
	if le.Uint64(header) != magic {
		return nil, errors.New("shm: the file is not a segment of this version of Weft: were all programs of the job built with the same one?")
	}
	g := Geometry{Ranks: word(1), Cells: word(2), Small: word(3), Bulk: word(4), Arena: word(5), Commons: word(6)}
	if err := g.check(); err != nil {
		return nil, err
	}
	if st.Size() != int64(g.size()) {
		return nil, fmt.Errorf("shm: the segment has %d bytes, its header says %d", st.Size(), g.size())
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, g.size(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("shm: mapping %d bytes: %w", g.size(), err)
	}
	_ = unix.Madvise(mem, unix.MADV_DONTDUMP) // a core dump has enough to tell without gigabytes of messages
	return &Segment{Geometry: g, mem: mem, base: unsafe.Pointer(unsafe.SliceData(mem))}, nil
}

// Close unmaps the segment. Nothing in it may be used afterwards.
func (s *Segment) Close() error { return unix.Munmap(s.mem) }

func (s *Segment) word(off int) *uint32   { return (*uint32)(unsafe.Add(s.base, off)) }
func (s *Segment) word64(off int) *uint64 { return (*uint64)(unsafe.Add(s.base, off)) }

// A rank's area: line 0 doorbell, a word and the file that goes with it; line 1 identity (pid, nonce
// address, nonce); then the bitmap of peers that have talked to it; then its slots.
func (s *Segment) rankAt(r int) int        { return pageSize + r*s.rankSize() }
func (s *Segment) bell(r int) *uint32      { return s.word(s.rankAt(r)) }
func (s *Segment) file(r int) *uint32      { return s.word(s.rankAt(r) + 4) } // its descriptor there and 1, 0 if there is none
func (s *Segment) pid(r int) *uint32       { return s.word(s.rankAt(r) + 64) }
func (s *Segment) nonceAddr(r int) *uint64 { return s.word64(s.rankAt(r) + 72) }
func (s *Segment) nonce(r int) *uint64     { return s.word64(s.rankAt(r) + 80) }

// talkers returns the i-th word of the bitmap of peers that have talked to r.
func (s *Segment) talkers(r, i int) *uint64 { return s.word64(s.rankAt(r) + rankFixed + 8*i) }

func (s *Segment) slot(r int, i uint32) *slot {
	at := s.rankAt(r) + rankFixed + up(s.Ranks, 512)/8 + int(i)*slotSize
	return (*slot)(unsafe.Add(s.base, at))
}

// pairAt is where the rings from src to dst are.
func (s *Segment) pairAt(src, dst int) int { return s.pairsAt() + (dst*s.Ranks+src)*s.pairSize() }

// Attached counts the ranks that have announced themselves, for those who wait for all.
func (s *Segment) Attached() (n int) {
	for r := range s.Ranks {
		if atomic.LoadUint32(s.pid(r)) != 0 {
			n++
		}
	}
	return n
}
