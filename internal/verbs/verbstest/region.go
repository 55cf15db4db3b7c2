package verbstest

import (
	"encoding/binary"

	"github.com/weft-mpi/weft/internal/verbs"
)

// guard is how many bytes around a region, and around the part of it that is moved, must stay as they are.
const guard = 64

const guardByte = 0xa5

// region is registered memory with guard bytes on both sides, outside the registration.
type region struct {
	r     *rig
	mr    verbs.MR
	buf   []byte // what is registered
	whole []byte // with the guards
}

// region registers n bytes, aligned to 8.
func (h *host) region(r *rig, n int, access verbs.Access) *region {
	r.Helper()
	g := &region{r: r, whole: make([]byte, n+2*guard)}
	for i := range g.whole[:guard] {
		g.whole[i], g.whole[guard+n+i] = guardByte, guardByte
	}
	g.buf = g.whole[guard : guard+n : guard+n]
	mr, err := h.pd.Register(g.buf, access)
	if err != nil {
		r.Fatalf("Register(%d bytes, access %b): %v", n, access, err)
	}
	if len(mr.Bytes()) != n || n > 0 && &mr.Bytes()[0] != &g.buf[0] {
		r.Fatalf("the region of %d bytes says it has %d, or other ones", n, len(mr.Bytes()))
	}
	g.mr = mr
	return g
}

func (g *region) sge(lo, hi int) verbs.SGE   { return verbs.SGE{Buf: g.buf[lo:hi], LKey: g.mr.LKey()} }
func (g *region) sgl(lo, hi int) []verbs.SGE { return []verbs.SGE{g.sge(lo, hi)} }

// at is the remote address of byte i.
func (g *region) at(i int) uint64 { return g.mr.Addr() + uint64(i) }

func (g *region) close() {
	g.r.Helper()
	if err := g.mr.Close(); err != nil {
		g.r.Fatalf("closing a region: %v", err)
	}
}

// intact checks the guards around the region.
func (g *region) intact() {
	g.r.Helper()
	n := len(g.buf)
	for i := range guard {
		if g.whole[i] != guardByte || g.whole[guard+n+i] != guardByte {
			g.r.Fatalf("a byte outside the region of %d bytes was written", n)
		}
	}
}

// fill writes a pattern in which every position is different, and different for every seed.
func fill(b []byte, seed uint64) {
	var word [8]byte
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(word[:], patternWord(seed, i))
		copy(b[i:], word[:])
	}
}

func patternWord(seed uint64, i int) uint64 {
	x := (seed + uint64(i) + 1) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	return x * 0xbf58476d1ce4e5b9
}

// firstWrong is the index of the first byte that does not fit the pattern, or -1.
func firstWrong(b []byte, seed uint64) int {
	var word [8]byte
	for i := 0; i < len(b); i += 8 {
		w := patternWord(seed, i)
		if len(b)-i >= 8 && binary.LittleEndian.Uint64(b[i:]) == w {
			continue
		}
		binary.LittleEndian.PutUint64(word[:], w)
		for j, c := range word[:min(8, len(b)-i)] {
			if b[i+j] != c {
				return i + j
			}
		}
	}
	return -1
}

// holds checks that b has the pattern of seed.
func (r *rig) holds(what string, b []byte, seed uint64) {
	r.Helper()
	if i := firstWrong(b, seed); i >= 0 {
		r.Fatalf("%s: byte %d of %d is wrong", what, i, len(b))
	}
}

// only checks that region g has the pattern of data in [lo, hi) and still that of blank everywhere else.
func (g *region) only(what string, lo, hi int, data, blank uint64) {
	g.r.Helper()
	g.r.holds(what, g.buf[lo:hi], data)
	clean := make([]byte, len(g.buf))
	fill(clean, blank)
	for i, c := range clean {
		if (i < lo || i >= hi) && g.buf[i] != c {
			g.r.Fatalf("%s: byte %d was written, outside [%d, %d)", what, i, lo, hi)
		}
	}
	g.intact()
}

// untouched checks that all of g still has the pattern of blank.
func (g *region) untouched(what string, blank uint64) {
	g.r.Helper()
	g.only(what, 0, 0, 0, blank)
}
