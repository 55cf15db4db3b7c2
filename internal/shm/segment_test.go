package shm

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"
)

// TestGeometry: every job size gets a segment that passes its own check and whose parts do not overlap.
func TestGeometry(t *testing.T) {
	for _, n := range []int{1, 2, 16, 17, 64, 65, 1000, maxRanks} {
		g := GeometryFor(n, 1<<30, 1<<28)
		if err := g.check(); err != nil {
			t.Errorf("%d ranks: %v", n, err)
		}
		if g.rankSize() < rankFixed+up(n, 512)/8+slots*slotSize || g.pairsAt() < pageSize+n*g.rankSize() {
			t.Errorf("%d ranks: areas overlap: %d bytes per rank, pairs at %d", n, g.rankSize(), g.pairsAt())
		}
		if g.arenasAt()%arenaAlign != 0 || g.arenasAt() < g.pairsAt()+n*n*g.pairSize() {
			t.Errorf("%d ranks: arenas at %d", n, g.arenasAt())
		}
	}
	if unsafe.Sizeof(cell{}) != cellSize || unsafe.Sizeof(slot{}) != slotSize || unsafe.Sizeof(pairControl{}) > pairCtl {
		t.Error("the structures do not fit their places")
	}
}

func TestGeometryRefuses(t *testing.T) {
	good := GeometryFor(2, 0, 0)
	for name, spoil := range map[string]func(*Geometry){
		"no ranks":       func(g *Geometry) { g.Ranks = 0 },
		"too many ranks": func(g *Geometry) { g.Ranks = maxRanks + 1 },
		"odd cells":      func(g *Geometry) { g.Cells = 100 },
		"few cells":      func(g *Geometry) { g.Cells = 4 },
		"short ring":     func(g *Geometry) { g.Small = 2 * smallMax },
		"odd bulk":       func(g *Geometry) { g.Bulk = 100_000 },
		"arena":          func(g *Geometry) { g.Arena = -1 },
	} {
		g := good
		spoil(&g)
		if f, err := Create(g); err == nil {
			f.Close()
			t.Errorf("%s: created", name)
		}
	}
}

// TestOpenChecks: a file that is not a whole segment of this version is refused with a reason.
func TestOpenChecks(t *testing.T) {
	whole := func() *os.File {
		f, err := Create(smallGeometry(2))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	size := int64(smallGeometry(2).size())
	for name, spoil := range map[string]func(*os.File) error{
		"magic":     func(f *os.File) error { _, err := f.WriteAt([]byte{1}, 0); return err },
		"ranks":     func(f *os.File) error { _, err := f.WriteAt([]byte{3}, 8); return err },
		"cells":     func(f *os.File) error { _, err := f.WriteAt([]byte{7}, 16); return err },
		"arena":     func(f *os.File) error { _, err := f.WriteAt([]byte{1, 2, 3, 4, 5, 6, 7, 255}, 40); return err },
		"cut short": func(f *os.File) error { return f.Truncate(size - 1) },
		"too long":  func(f *os.File) error { return f.Truncate(size + 1) },
		"empty":     func(f *os.File) error { return f.Truncate(0) },
	} {
		f := whole()
		if err := spoil(f); err != nil {
			t.Fatal(name, err)
		}
		if s, err := Open(f); err == nil {
			s.Close()
			t.Errorf("%s: opened", name)
		}
		f.Close()
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(plain)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(f); err == nil {
		t.Error("opened a file of zeros")
	}
}

func TestAttached(t *testing.T) {
	seg := openSegment(t, smallGeometry(3))
	for i := range 3 {
		if seg.Attached() != i {
			t.Errorf("%d attached, want %d", seg.Attached(), i)
		}
		NewLink(Config{Segment: seg, Self: i})
	}
}
