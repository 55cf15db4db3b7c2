package comm

import (
	"bytes"
	"runtime"
	"testing"
)

// TestCopies: a copy has the bytes of its message and none of those that were in its buffer before,
// whatever the lengths, and lives on while others come and go.
func TestCopies(t *testing.T) {
	e := new(Env)
	long := bytes.Repeat([]byte{7}, 3000)
	held := e.Copy(long)
	for fill, n := range []int{0, 1, 63, 64, 65, 4096, 4097, 4095, 3000, 1, 0, 2049, 1 << 20} {
		b := bytes.Repeat([]byte{byte(fill + 10)}, n)
		k := e.Copy(b)
		if !bytes.Equal(k.Bytes, b) {
			t.Fatalf("the copy of %d bytes differs", n)
		}
		if n > 0 {
			b[0]++
			if k.Bytes[0] == b[0] {
				t.Fatalf("the copy of %d bytes is the message", n)
			}
		}
		k.Free()
	}
	if !bytes.Equal(held.Bytes, long) {
		t.Error("a copy has changed that was not freed")
	}
}

// TestCopiesAreKept: the next message of about the same length finds the buffer of the one before,
// but nobody else's.
func TestCopiesAreKept(t *testing.T) {
	const rounds = 40
	e := new(Env)
	b := make([]byte, 200_000)
	places := map[*byte]bool{}
	for i := range rounds {
		k, other := e.Copy(b[:len(b)-i]), e.Copy(b[:1000])
		if len(k.room) != 1<<18 || len(other.room) != 1<<10 {
			t.Fatalf("buffers of %d and %d bytes", len(k.room), len(other.room))
		}
		places[&k.room[0]] = true
		k.Free()
		other.Free()
	}
	if len(places) == rounds { // under the race detector a pool forgets some on purpose
		t.Errorf("each of %d copies had a fresh buffer", rounds)
	}
}

// TestCopiesAreGivenBack: buffers that nobody needs any more are garbage.
func TestCopiesAreGivenBack(t *testing.T) {
	const n, most = 16, 1 << 20
	e := new(Env)
	gone := make(chan struct{}, n)
	all := make([]*Copy, n)
	for i := range all {
		all[i] = e.Copy(make([]byte, most))
		runtime.AddCleanup(all[i], func(struct{}) { gone <- struct{}{} }, struct{}{})
	}
	for _, k := range all {
		k.Free()
	}
	clear(all)
	for len(gone) < n {
		runtime.GC() // twice are enough, but cleanups run when they like; go test ends a wait for ever
		runtime.Gosched()
	}
	runtime.KeepAlive(e)
}

// TestCopyClasses: buffers are at most twice as long as needed, and the longest ones are not kept.
func TestCopyClasses(t *testing.T) {
	for n := 1; n <= 1<<40; n = n*3/2 + 1 {
		class, room := class(n)
		switch {
		case room < n || room >= 2*n && room > 1<<minCopy:
			t.Errorf("a buffer of %d bytes for %d", room, n)
		case class >= len(copies{}) || (class < 0) != (n > 1<<maxCopy):
			t.Errorf("%d bytes are in class %d", n, class)
		}
	}
}
