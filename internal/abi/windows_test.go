package abi

import (
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// loaded is a C int of shared memory.
func loaded(address int) *int32 { return *(**int32)(unsafe.Pointer(&address)) }

// TestSharedMemoryIsContiguous: parts of ranks lie one behind the other, whatever their lengths, unless the program says that they
// need not; they are loaded, stored, and reached by operations.
func TestSharedMemoryIsContiguous(t *testing.T) {
	for _, sizes := range [][]int{{4, 4, 4}, {12, 0, 8}, {0, 4, 0}} {
		for _, apart := range []bool{false, true} {
			ranks(t, len(sizes), func(r *rig) {
				info := r.longs(0)
				r.must("Info_create", info)
				if apart {
					r.must("Info_set", r.longAt(info), r.text("alloc_shared_noncontig"), r.text("true"))
				}
				base, window, size, unit, at := r.longs(0), r.longs(0), r.longs(0), r.ints(0), r.longs(0)
				r.must("Win_allocate_shared", sizes[r.rank], 4, r.longAt(info), spec.COMM_WORLD, base, window)
				w := r.longAt(window)
				r.must("Win_set_errhandler", w, spec.ERRORS_RETURN)
				r.must("Win_fence", 0, w)
				for i := range sizes[r.rank] / 4 {
					*loaded(r.longAt(base) + 4*i) = int32(100*r.rank + i)
				}
				r.must("Win_fence", 0, w)
				next := 0
				for rank, n := range sizes {
					r.must("Win_shared_query", w, rank, size, unit, at)
					r.want(r.longAt(size) == n && r.intAt(unit) == 4, "rank %d has %d bytes", rank, r.longAt(size))
					for i := range n / 4 {
						got := *loaded(r.longAt(at) + 4*i)
						r.want(int(got) == 100*rank+i, "element %d of rank %d is %d", i, rank, got)
					}
					if n > 0 {
						r.want(apart || next == 0 || r.longAt(at) == next, "rank %d is %d bytes behind the one before", rank, r.longAt(at)-next)
						next = r.longAt(at) + n
					}
				}
				r.must("Win_fence", 0, w)
				for rank, n := range sizes { // everybody adds to all elements
					for i := range n / 4 {
						r.must("Accumulate", r.ints(1000), 1, spec.INT, rank, i, 1, spec.INT, spec.SUM, w)
					}
					r.want(r.call("Put", r.ints(1), 1, spec.INT, rank, n/4, 1, spec.INT, w) == spec.ERR_RMA_RANGE, "rank %d is too long", rank)
				}
				r.must("Win_fence", 0, w)
				for i := range sizes[r.rank] / 4 {
					got := *loaded(r.longAt(base) + 4*i)
					r.want(int(got) == 1000*len(sizes)+100*r.rank+i, "element %d is %d after the sum", i, got)
				}
				r.must("Win_free", window)
				r.must("Info_free", info)
			})
		}
	}
}
