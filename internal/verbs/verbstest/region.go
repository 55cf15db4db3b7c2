package verbstest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"

	"github.com/weft-mpi/weft/internal/verbs"
)

// guard is how many bytes around a region, and around the part of it that is moved, must stay as they are.
const guard = 64

const guardByte = 0xa5

// region is registered memory with guard bytes on both sides, outside the registration.
type region struct {
	r     *rig
	pd    verbs.PD
	mr    verbs.MR
	buf   []byte // what is registered
	whole []byte // with the guards

	access verbs.Access
}

// region registers n bytes, aligned to 8.
func (h *host) region(r *rig, n int, access verbs.Access) *region {
	r.Helper()
	g := &region{r: r, pd: h.pd, access: access, whole: make([]byte, n+2*guard)}
	for i := range g.whole[:guard] {
		g.whole[i], g.whole[guard+n+i] = guardByte, guardByte
	}
	g.buf = g.whole[guard : guard+n : guard+n]
	g.register()
	return g
}

func (g *region) register() {
	g.r.Helper()
	mr, err := g.pd.Register(g.buf, g.access)
	if err != nil {
		g.r.Fatalf("Register(%d bytes, access %b): %v", len(g.buf), g.access, err)
	}
	if n := len(g.buf); len(mr.Bytes()) != n || n > 0 && &mr.Bytes()[0] != &g.buf[0] {
		g.r.Fatalf("the region of %d bytes says it has %d, or other ones", n, len(mr.Bytes()))
	}
	g.mr = mr
}

// renew registers the memory again, under other keys. What peers may read, the device may look at whenever it likes,
// also to send an answer again that got lost; after renew the case may change it.
func (g *region) renew() {
	g.r.Helper()
	g.close()
	g.register()
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

// period is how many bytes a pattern has before it repeats: a prime, so that no device cuts messages there.
const period = 262_139

// noise is what patterns are cut from.
var noise = func() []byte {
	src := rand.NewPCG(1, 2)
	b := make([]byte, 0, period+8)
	for len(b) < period {
		b = binary.LittleEndian.AppendUint64(b, src.Uint64())
	}
	return b[:period]
}()

// patternAt is the part of the pattern of seed that begins at byte i, up to where the noise ends.
func patternAt(seed uint64, i int) []byte {
	start := seed * 0x9e3779b97f4a7c15 >> 32 % period
	return noise[(start+uint64(i))%period:]
}

// fill writes a pattern in which bytes differ with their position and with the seed.
func fill(b []byte, seed uint64) {
	for i := 0; i < len(b); {
		i += copy(b[i:], patternAt(seed, i))
	}
}

// firstWrong is the index of the first byte that does not fit the pattern, or -1.
func firstWrong(b []byte, seed uint64) int {
	for i := 0; i < len(b); {
		want := patternAt(seed, i)
		want = want[:min(len(want), len(b)-i)]
		if bytes.Equal(b[i:i+len(want)], want) {
			i += len(want)
			continue
		}
		for b[i] == want[0] {
			i, want = i+1, want[1:]
		}
		return i
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
	if !bytes.Equal(clean[:lo], g.buf[:lo]) || !bytes.Equal(clean[hi:], g.buf[hi:]) {
		g.r.Fatalf("%s: bytes outside [%d, %d) were written", what, lo, hi)
	}
	g.intact()
}

// untouched checks that all of g still has the pattern of blank.
func (g *region) untouched(what string, blank uint64) {
	g.r.Helper()
	g.only(what, 0, 0, 0, blank)
}
