package shm

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// BenchmarkLine is the floor under every latency: one cache line that two processors write in turn, nothing
// else. It prints nanoseconds per hop. Run it several times: on a virtual machine the two processors may be
// neighbours in one moment and far apart in the next.
func BenchmarkLine(b *testing.B) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		b.Fatal(err)
	}
	var cpus []int
	for i := 0; len(cpus) < 2 && i < 1024; i++ {
		if all.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	if len(cpus) < 2 {
		b.Skip("this needs two processors")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // two spin, the rest of the program must still run
	line := new([2][32]uint32)
	hops := uint32(b.N)
	play := func(side uint32) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var one unix.CPUSet
		one.Set(cpus[side])
		if err := unix.SchedSetaffinity(0, &one); err != nil {
			b.Error(err)
		}
		defer unix.SchedSetaffinity(0, &all)
		for k := side; k < hops; k += 2 {
			for atomic.LoadUint32(&line[0][16]) != k {
			}
			atomic.StoreUint32(&line[0][16], k+1)
		}
	}
	var wg sync.WaitGroup
	b.ResetTimer()
	wg.Go(func() { play(0) })
	wg.Go(func() { play(1) })
	wg.Wait()
}
