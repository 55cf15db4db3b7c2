package abi

import (
	"testing"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// TestRing sends around a ring, in every mode and form.
func TestRing(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		ranks(t, n, func(r *rig) {
			left, right := (r.rank+n-1)%n, (r.rank+1)%n
			buffer := r.room(4096)
			r.must("Buffer_attach", buffer, 4096)
			for _, form := range []string{"", "_c", "start"} {
				for i, mode := range []string{"send", "ssend", "rsend", "bsend"} {
					out, in, reqs := r.ints(100*r.rank+i), r.ints(-1), r.longs(0, 0)
					r.must("Irecv"+suffix(form), in, 1, spec.INT, left, i, spec.COMM_WORLD, reqs)
					r.must("Barrier", spec.COMM_WORLD) // the receive is posted: a ready send may begin
					name := "I" + mode + suffix(form)
					if form == "start" {
						name = string(mode[0]-'a'+'A') + mode[1:] + "_init"
					}
					r.must(name, out, 1, spec.INT, right, i, spec.COMM_WORLD, reqs+8)
					if form == "start" {
						r.must("Start", reqs+8)
					}
					statuses := r.room(64)
					r.must("Waitall", 2, reqs, statuses)
					r.want(r.intAt(in) == 100*left+i, "%s brings %d", name, r.intAt(in))
					r.want(r.intAt(statuses) == left && r.intAt(statuses+4) == i, "%s has status %v", name, r.intsAt(statuses, 8))
					count := r.ints(0)
					r.must("Get_count", statuses, spec.INT, count)
					r.want(r.intAt(count) == 1, "%d elements", r.intAt(count))
					if form == "start" {
						r.must("Request_free", reqs+8)
					}
					r.want(r.longAt(reqs) == spec.REQUEST_NULL && r.longAt(reqs+8) == spec.REQUEST_NULL, "requests are left")
				}
			}
			at, size := r.longs(0), r.ints(0)
			r.must("Buffer_detach", at, size)
			r.want(r.longAt(at) == buffer && r.intAt(size) == 4096, "another buffer is detached")
		})
	}
}

func suffix(form string) string {
	if form == "_c" {
		return form
	}
	return ""
}

// TestColumns sends a column of a matrix and receives it as a row, and gathers columns.
func TestColumns(t *testing.T) {
	ranks(t, 2, func(r *rig) {
		const n = 4
		column, whole := r.longs(0), r.longs(0)
		r.must("Type_vector", n, 1, n, spec.INT, column)
		r.must("Type_create_resized", r.longAt(column), 0, 4, whole)
		r.must("Type_commit", whole)
		r.want(r.call("Send", r.ints(0), 0, r.longAt(column), 0, 0, spec.COMM_WORLD) == spec.ERR_TYPE, "a type that is not committed can be sent")
		matrix := make([]int, n*n)
		for i := range matrix {
			matrix[i] = 100*r.rank + i
		}
		from, to := r.ints(matrix...), r.ints(make([]int, n*n)...)
		peer := 1 - r.rank
		r.must("Sendrecv", from+4, 1, r.longAt(whole), peer, 0, to, n, spec.INT, peer, 0, spec.COMM_WORLD, 0)
		for i, v := range r.intsAt(to, n) {
			r.want(int(v) == 100*peer+1+n*i, "row element %d is %d", i, v)
		}
		r.must("Allgather", from, 2, r.longAt(whole), to, 2, r.longAt(whole), spec.COMM_WORLD)
		for i, v := range r.intsAt(to, n*n) {
			row, col := i/n, i%n
			want := 100*(col/2) + row*n + col%2
			r.want(int(v) == want, "gathered element %d is %d, not %d", i, v, want)
		}
		r.must("Type_free", column)
		r.must("Type_free", whole)
	})
}

// TestCollectives checks each against its definition, in all forms.
func TestCollectives(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		ranks(t, n, func(r *rig) {
			ones, displs := make([]int, n), make([]int, n)
			for i := range ones {
				ones[i], displs[i] = 1, n-1-i
			}
			counts, at := r.ints(ones...), r.ints(displs...)
			own, zero := r.ints(r.rank+1), make([]int, n)
			all := make([]int, n)
			for i := range all {
				all[i] = 10*r.rank + i
			}
			blocks := r.ints(all...)
			sum := n * (n + 1) / 2
			for _, form := range []string{"", "I", "init"} {
				out := r.ints(zero...)
				r.collective(form, "Bcast", out, 1, spec.INT, 0, spec.COMM_WORLD)
				r.collective(form, "Allreduce", own, out, 1, spec.INT, spec.SUM, spec.COMM_WORLD)
				r.want(r.intAt(out) == sum, "allreduce gives %d", r.intAt(out))
				r.collective(form, "Allgather", own, 1, spec.INT, out, 1, spec.INT, spec.COMM_WORLD)
				for i, v := range r.intsAt(out, n) {
					r.want(int(v) == i+1, "allgather gives %v", r.intsAt(out, n))
				}
				r.collective(form, "Allgatherv", own, 1, spec.INT, out, counts, at, spec.INT, spec.COMM_WORLD)
				for i, v := range r.intsAt(out, n) {
					r.want(int(v) == n-i, "allgatherv gives %v", r.intsAt(out, n))
				}
				r.collective(form, "Alltoall", blocks, 1, spec.INT, out, 1, spec.INT, spec.COMM_WORLD)
				for i, v := range r.intsAt(out, n) {
					r.want(int(v) == 10*i+r.rank, "alltoall gives %v", r.intsAt(out, n))
				}
				r.collective(form, "Alltoallv", blocks, counts, at, spec.INT, out, counts, at, spec.INT, spec.COMM_WORLD)
				for i, v := range r.intsAt(out, n) {
					r.want(int(v) == 10*(n-1-i)+n-1-r.rank, "alltoallv gives %v", r.intsAt(out, n))
				}
				r.collective(form, "Scan", own, out, 1, spec.INT, spec.SUM, spec.COMM_WORLD)
				r.want(r.intAt(out) == (r.rank+1)*(r.rank+2)/2, "scan gives %d", r.intAt(out))
				r.collective(form, "Reduce", own, out, 1, spec.INT, spec.MAX, n-1, spec.COMM_WORLD)
				if r.rank == n-1 {
					r.want(r.intAt(out) == n, "reduce gives %d", r.intAt(out))
				}
				r.collective(form, "Reduce_scatter", blocks, out, counts, spec.INT, spec.SUM, spec.COMM_WORLD)
				r.want(r.intAt(out) == 10*n*(n-1)/2+n*r.rank, "reduce_scatter gives %d", r.intAt(out))
				r.collective(form, "Gather", own, 1, spec.INT, out, 1, spec.INT, 0, spec.COMM_WORLD)
				r.collective(form, "Scatter", out, 1, spec.INT, own, 1, spec.INT, 0, spec.COMM_WORLD)
				r.want(r.intAt(own) == r.rank+1, "gather and scatter give %d", r.intAt(own))
				r.collective(form, "Barrier", spec.COMM_WORLD)
			}
		})
	}
}

// collective calls one in a form, and waits for it.
func (r *rig) collective(form, name string, args ...int) {
	request := r.longs(0)
	switch form {
	case "":
		r.must(name, args...)
		return
	case "I":
		r.must("I"+string(name[0]-'A'+'a')+name[1:], append(args, request)...)
	default:
		r.must(name+"_init", append(args, spec.INFO_NULL, request)...)
		r.must("Start", request)
	}
	r.must("Wait", request, 0)
	if form == "init" {
		r.must("Request_free", request)
	}
}
