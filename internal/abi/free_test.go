package abi

import (
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// TestFreeUnderWay frees communicators with operations under way: they end as if it had not been freed, and nobody waits.
func TestFreeUnderWay(t *testing.T) {
	ranks(t, 2, func(r *rig) {
		dup, request, in, st := r.longs(0), r.longs(0), r.ints(-1), r.room(32)
		for round, keeps := range []bool{true, false, true} {
			r.must("Comm_dup", spec.COMM_WORLD, dup)
			c := r.longAt(dup)
			if r.rank == 0 {
				r.must("Irecv", in, 1, spec.INT, spec.ANY_SOURCE, round, c, request)
				r.must("Comm_free", dup)
				r.want(r.call("Comm_rank", c, in) == spec.ERR_COMM, "the handle is good still")
				if !keeps {
					r.must("Request_free", request)
				}
				r.must("Send", in, 0, spec.INT, 1, 9, spec.COMM_WORLD)
				if keeps {
					r.must("Wait", request, st)
					r.want(r.intAt(in) == round && r.intAt(st) == 1, "%d arrives of rank %d", r.intAt(in), r.intAt(st))
				}
			} else {
				r.must("Recv", in, 0, spec.INT, 0, 9, spec.COMM_WORLD, 0)
				r.must("Send", r.ints(round), 1, spec.INT, 0, round, c)
				r.must("Comm_free", dup)
			}
		}
		r.must("Barrier", spec.COMM_WORLD)
	})
}

// TestFreeMany makes and frees more communicators than a rank has numbers for at a time.
func TestFreeMany(t *testing.T) {
	ranks(t, 2, func(r *rig) {
		at := r.longs(0)
		for range 3 * mostLeaving {
			r.must("Comm_dup", spec.COMM_WORLD, at)
			r.must("Comm_free", at)
		}
		r.want(len(r.p.leaving.all) <= mostLeaving, "%d communicators have not ended", len(r.p.leaving.all))
		r.must("Comm_dup", spec.COMM_WORLD, at)
		r.must("Comm_disconnect", at)
	})
}

// TestEndsThatWait: requests whose ends wait for other ones, or call the program, end in every function.
func TestEndsThatWait(t *testing.T) {
	ranks(t, 2, func(r *rig) {
		const many = 50_000 // too long to leave at once
		peer, in, out := 1-r.rank, r.room(4*many), r.room(4*many)
		indices, n := r.ints(0, 0), r.ints(0, 0)
		*(*int32)(r.at(out + 4*many - 4)) = int32(r.rank)
		asked := 0
		r.p.cfg.Hooks = Hooks{
			Query: func(_, _ uintptr, _ unsafe.Pointer) int { // a function of the program's that uses MPI
				asked++
				return r.call("Iprobe", spec.ANY_SOURCE, 77, spec.COMM_WORLD, n+4, 0)
			},
			Free: func(_, _ uintptr) int { return 0 },
		}
		for name, wait := range map[string]func(requests int){
			"Waitall":  func(q int) { r.must("Waitall", 1, q, 0) },
			"Waitany":  func(q int) { r.must("Waitany", 1, q, n, 0) },
			"Waitsome": func(q int) { r.must("Waitsome", 1, q, n, indices, 0) },
			"Testall": func(q int) {
				for r.longAt(q) != spec.REQUEST_NULL {
					r.must("Testall", 1, q, n, 0)
				}
			},
		} {
			q := r.longs(0)
			clear(r.intsAt(in, many))
			r.must("Isendrecv", out, many, spec.INT, peer, 3, in, many, spec.INT, peer, 3, spec.COMM_WORLD, q)
			wait(q)
			r.want(r.intAt(in+4*many-4) == peer, "%s: %d arrives", name, r.intAt(in+4*many-4))
			asked = 0
			r.must("Grequest_start", 5000, 5000, 5000, 0, q)
			r.must("Grequest_complete", r.longAt(q))
			wait(q)
			r.want(asked == 1, "%s asks %d times", name, asked)
			r.must("Barrier", spec.COMM_WORLD)
		}
	})
}

// TestIdup: a copy is none until its request has ended, which waits for nobody who goes on.
func TestIdup(t *testing.T) {
	ranks(t, 3, func(r *rig) {
		at, request, n := r.longs(0), r.longs(0), r.ints(0)
		if r.rank == 1 { // the others are further before this rank comes
			r.must("Recv", n, 0, spec.INT, 2, 0, spec.COMM_WORLD, 0)
		}
		r.must("Comm_idup", spec.COMM_WORLD, at, request)
		if r.rank == 2 {
			r.must("Send", n, 0, spec.INT, 1, 0, spec.COMM_WORLD)
		}
		r.must("Wait", request, 0)
		r.must("Allreduce", r.ints(1), n, 1, spec.INT, spec.SUM, r.longAt(at))
		r.want(r.intAt(n) == 3, "the copy has %d ranks", r.intAt(n))
		r.must("Comm_free", at)
	})
}
