package shm

import (
	"bytes"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// moving returns two ranks of a segment, the second of which has memory to move.
func moving(t *testing.T) (peer, owner *Link) {
	t.Helper()
	links := newLinks(t, GeometryFor(2, arenaAlign, 0), Config{})
	return links[0], links[1]
}

// pagesOf is n pages of Go's memory with something in them, and a few bytes before and behind.
func pagesOf(n int) []byte {
	b := make([]byte, (n+1)*pageSize+100)
	skip := up(int(address(b)), pageSize) - int(address(b))
	b = b[max(skip-50, 0):][:n*pageSize+min(skip, 50)+50]
	for i := range b {
		b[i] = byte(i * 7)
	}
	return b
}

// TestMove: what moves keeps its contents and addresses, is one memory with what peers see of it, and comes back.
func TestMove(t *testing.T) {
	peer, owner := moving(t)
	b := pagesOf(3)
	want, place := bytes.Clone(b), unsafe.SliceData(b)
	k, from, n := owner.Move(b)
	if n != 3*pageSize || (int(address(b))+from)%pageSize != 0 {
		t.Fatalf("%d bytes from %d on have moved", n, from)
	}
	seen := peer.Map(1, k, n)
	if !bytes.Equal(b, want) || !bytes.Equal(seen, want[from:from+n]) {
		t.Fatal("the contents have changed")
	}
	seen[5], b[from+6] = 99, 98
	want[from+5], want[from+6] = 99, 98
	runtime.GC()
	if !bytes.Equal(b, want) || seen[6] != 98 {
		t.Fatal("it is not one memory")
	}
	owner.Back(k)
	seen[7]++
	if !bytes.Equal(b, want) || unsafe.SliceData(b) != place {
		t.Fatal("what came back is not what was there")
	}
	if len(owner.alloc.used) != 0 {
		t.Error("the arena is still used")
	}
	runtime.GC()
}

// TestMoveRefused: what is not the process's alone stays where it is.
func TestMoveRefused(t *testing.T) {
	_, owner := moving(t)
	file, err := os.CreateTemp(t.TempDir(), "data")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(4 * pageSize); err != nil {
		t.Fatal(err)
	}
	mapFile := func(how int) []byte {
		b, err := unix.Mmap(int(file.Fd()), 0, 4*pageSize, unix.PROT_READ|unix.PROT_WRITE, how)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Munmap(b) })
		return b
	}
	arena, err := owner.Alloc(4 * pageSize)
	if err != nil {
		t.Fatal(err)
	}
	twice := pagesOf(2)
	k, _, n := owner.Move(twice)
	if n == 0 {
		t.Fatal("nothing has moved")
	}
	defer owner.Back(k)
	used := len(owner.alloc.used)
	for name, b := range map[string][]byte{"a shared file": mapFile(unix.MAP_SHARED), "a private file": mapFile(unix.MAP_PRIVATE), "the arena": arena,
		"moved already": twice, "less than a page": pagesOf(1)[60 : pageSize+40], "nothing": nil, "more than the arena": pagesOf(owner.seg.Arena / pageSize)} {
		if _, _, n := owner.Move(b); n != 0 {
			t.Errorf("%s: %d bytes have moved", name, n)
		}
	}
	if len(owner.alloc.used) != used {
		t.Errorf("%d pieces of the arena are used, %d were", len(owner.alloc.used), used)
	}
}

// TestRenew: where a mapping has failed, what was there is there again.
func TestRenew(t *testing.T) {
	_, owner := moving(t)
	b := pagesOf(2)
	want := bytes.Clone(b)
	k, from, n := owner.Move(b)
	if n == 0 {
		t.Fatal("nothing has moved")
	}
	m := owner.alloc.moves[0]
	renew(m.b, owner.seg.mem[m.off:])
	owner.seg.mem[m.off]++ // no longer the same
	if !bytes.Equal(b, want) || from+n > len(b) {
		t.Fatal("the contents have changed")
	}
	owner.Back(k)
	if !bytes.Equal(b, want) {
		t.Fatal("the contents have changed on their way back")
	}
}
