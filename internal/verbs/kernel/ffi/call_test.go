//go:build rdma && linux && (amd64 || arm64)

package ffi

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/ebitengine/purego"
)

// function finds a function of C's library.
func function(tb testing.TB, name string) uintptr {
	tb.Helper()
	fn, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
	if err != nil {
		tb.Fatal(err)
	}
	return fn
}

// words is memory for C to look at.
type words struct{ a, b [64]byte }

// TestTrampoline: arguments and results arrive, from many goroutines while memory is collected, and nothing
// is allocated.
func TestTrampoline(t *testing.T) {
	memcmp := function(t, "memcmp")
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			w := new(words)
			c := &call{fn: memcmp, a1: address(&w.a), a2: address(&w.b)}
			for i := range 2000 {
				at := (g + i) % 64
				c.a3 = uintptr(at)
				w.a[at] = 1 // just outside
				if got := c.do(); got != 0 {
					t.Errorf("the first %d bytes differ: %d", at, got)
				}
				if c.a3++; c.do() <= 0 {
					t.Errorf("byte %d does not differ", at)
				}
				if w.a[at] = 0; i%500 == 0 {
					runtime.GC()
				}
			}
			runtime.KeepAlive(w)
		})
	}
	all.Wait()
	w := new(words)
	c := &call{fn: memcmp, a1: address(&w.a), a2: address(&w.b), a3: 64}
	if n := testing.AllocsPerRun(1000, func() { c.do() }); n > 0 {
		t.Errorf("%v allocations per call", n)
	}
}

// TestErrors: both signs of an error number are an error.
func TestErrors(t *testing.T) {
	for code, want := range map[int32]error{0: nil, int32(syscall.ENOMEM): syscall.ENOMEM, -int32(syscall.ENOMEM): syscall.ENOMEM} {
		if got := failed(code); !errors.Is(got, want) {
			t.Errorf("%d is %v, want %v", code, got, want)
		}
	}
}

// TestNoSuchDevice: a device that is not there is told from a library that is not.
func TestNoSuchDevice(t *testing.T) {
	if _, err := loadLibrary(); err != nil {
		t.Skip(err)
	}
	want := error(fs.ErrNotExist)
	if _, err := os.Stat("/sys/class/infiniband"); err != nil {
		want = syscall.ENOSYS // a kernel without RDMA
	}
	if _, err := Open("no such device", false); !errors.Is(err, want) {
		t.Errorf("Open: %v, want %v", err, want)
	}
}

func BenchmarkTrampoline(b *testing.B) {
	w := new(words)
	c := &call{fn: function(b, "memcmp"), a1: address(&w.a), a2: address(&w.b), a3: 1}
	for b.Loop() {
		c.do()
	}
	runtime.KeepAlive(w)
}
