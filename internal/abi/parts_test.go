package abi

import (
	"testing"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// TestParts sends messages in parts around a ring: of plain data and of columns, cut differently at both ends, round after round.
func TestParts(t *testing.T) {
	ranks(t, 2, func(r *rig) {
		const rows, cols = 12, 3
		column := r.longs(0)
		r.must("Type_vector", rows, 1, cols, spec.INT, column)
		r.must("Type_commit", column)
		peer := 1 - r.rank
		for _, holes := range []bool{false, true} {
			out, in := r.ints(make([]int, rows*cols)...), r.ints(make([]int, rows*cols)...)
			send, recv, flag, st := r.longs(0), r.longs(0), r.ints(0), r.room(32)
			parts := 4
			if holes { // one column to one of another matrix, as one part here and 4 there
				r.must("Precv_init", in, 1, 1, r.longAt(column), peer, 5, spec.COMM_WORLD, spec.INFO_NULL, recv)
			} else {
				r.must("Precv_init_c", in, 6, 2, spec.INT, peer, 5, spec.COMM_WORLD, spec.INFO_NULL, recv)
			}
			r.must("Psend_init", out, parts, rows/parts, spec.INT, peer, 5, spec.COMM_WORLD, spec.INFO_NULL, send)
			r.want(r.call("Pready", 0, r.longAt(send)) == spec.ERR_REQUEST, "a part is ready before the start")
			for round := range 3 {
				for i := range rows {
					r.intsAt(out, rows)[i] = int32(1000*round + 100*r.rank + i)
				}
				clear(r.intsAt(in, rows*cols))
				r.must("Startall", 2, r.longs(r.longAt(send), r.longAt(recv)))
				r.must("Pready", 2, r.longAt(send))
				r.must("Pready_range", 0, 1, r.longAt(send))
				r.want(r.call("Pready", 1, r.longAt(send)) == spec.ERR_REQUEST, "a part is ready twice")
				r.want(r.call("Pready", parts, r.longAt(send)) == spec.ERR_ARG, "there is a part too many")
				r.must("Pready_list", 1, r.ints(3), r.longAt(send))
				for r.intAt(flag) == 0 {
					r.must("Parrived", r.longAt(recv), 0, flag)
				}
				r.want(r.intAt(in) == 1000*round+100*peer, "part 0 begins with %d", r.intAt(in))
				*(*int32)(r.at(in)) = -5 // it is the program's by now
				r.must("Wait", send, 0)
				r.must("Wait", recv, st)
				r.want(r.intAt(st) == peer && r.intAt(st+4) == 5, "status %v", r.intsAt(st, 8))
				step := 1
				if holes {
					step = cols
				}
				r.want(r.intAt(in) == -5, "what has arrived arrives again")
				for i := 1; i < rows; i++ {
					r.want(r.intAt(in+4*i*step) == 1000*round+100*peer+i, "element %d is %d", i, r.intAt(in+4*i*step))
				}
				*(*int32)(r.at(flag)) = 0
			}
			r.want(r.call("Pready", 0, r.longAt(recv)) == spec.ERR_REQUEST, "a receive gets ready")
			r.must("Request_free", send)
			r.must("Request_free", recv)
		}
		none := r.longs(0, 0)
		r.must("Psend_init", 0, 0, 1, spec.INT, peer, 6, spec.COMM_WORLD, spec.INFO_NULL, none)
		r.must("Precv_init", 0, 0, 1, spec.INT, peer, 6, spec.COMM_WORLD, spec.INFO_NULL, none+8)
		r.must("Startall", 2, none)
		r.must("Waitall", 2, none, 0)
		r.must("Request_free", none)
		r.must("Request_free", none+8)
		r.want(r.call("Precv_init", 0, 1, 0, spec.INT, spec.ANY_SOURCE, 6, spec.COMM_WORLD, spec.INFO_NULL, none) == spec.ERR_ARG, "anybody may send parts")
		r.must("Type_free", column)
	})
}
