package abi

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// sides makes an intercommunicator: the first ranks on one side, the others on the other. The peers are a rank's on the other side,
// as world ranks.
func (r *rig) sides(first int) (both int, own, peers []int) {
	half, at := r.longs(0), r.longs(0)
	for i := range r.size {
		if (i < first) == (r.rank < first) {
			own = append(own, i)
		} else {
			peers = append(peers, i)
		}
	}
	color := 0
	if r.rank >= first {
		color = 1
	}
	r.must("Comm_split", spec.COMM_WORLD, color, r.rank, half)
	r.must("Intercomm_create", r.longAt(half), len(own)-1, spec.COMM_WORLD, peers[len(peers)-1], 7, at)
	r.must("Comm_free", half)
	r.must("Comm_set_errhandler", r.longAt(at), spec.ERRORS_RETURN)
	return r.longAt(at), own, peers
}

// forms calls a collective in each of its forms, with what comes set back before.
func (r *rig) forms(name string, reset, check func(form string), args ...int) {
	request := r.longs(0)
	low := string(name[0]-'A'+'a') + name[1:]
	for _, form := range []string{"", "I", "_init"} {
		reset(form)
		switch form {
		case "":
			r.must(name, args...)
		case "I":
			r.must("I"+low, append(args, request)...)
			r.must("Wait", request, 0)
		case "_init":
			r.must(name+"_init", append(args, spec.INFO_NULL, request)...)
			for range 2 {
				reset(form)
				r.must("Start", request)
				r.must("Wait", request, 0)
			}
			r.must("Request_free", request)
		}
		check(name + form)
	}
}

// TestBetween calls every collective between two groups of several sizes, in every form.
func TestBetween(t *testing.T) {
	for _, n := range [][2]int{{2, 1}, {3, 1}, {5, 2}} {
		ranks(t, n[0], func(r *rig) {
			both, own, peers := r.sides(n[1])
			r.between(both, own, peers)
			r.must("Comm_free", r.longs(both))
		})
	}
}

func (r *rig) between(both int, own, peers []int) {
	m, k := len(peers), len(own)
	first := own[0] == 0 // its last rank is the root
	isRoot, gives := first && r.rank == own[k-1], !first
	root := spec.PROC_NULL
	if gives {
		root = m - 1
	} else if isRoot {
		root = spec.ROOT
	}
	out := r.ints(make([]int, 3*(m+k))...)
	reset := func(string) {
		for i := range 3 * (m + k) {
			r.intsAt(out, 3*(m+k))[i] = -1
		}
	}
	same := func(want ...int) func(string) {
		return func(name string) {
			for i, v := range want {
				got := r.intAt(out + 4*i)
				r.want(got == v, "%s of %d and %d brings %d at %d, not %d", name, k, m, got, i, v)
			}
			r.want(r.intAt(out+4*len(want)) == -1, "%s writes too much", name)
		}
	}
	when := func(ok bool, want ...int) func(string) {
		if !ok {
			want = nil
		}
		return same(want...)
	}
	mine := r.ints(10*r.rank, 10*r.rank+1)
	var pairs, sums []int // two numbers of each peer; their sums
	sums = []int{0, 0}
	for _, p := range peers {
		pairs = append(pairs, 10*p, 10*p+1)
		sums[0] += 10 * p
		sums[1] += 10*p + 1
	}
	world := make([]int, 2*r.size)
	for i := range world {
		world[i] = 10*(i/2) + i%2
	}
	r.forms("Barrier", reset, same(), both)

	r.forms("Bcast", func(form string) {
		reset(form)
		if isRoot {
			copy(r.intsAt(out, 2), []int32{77, 78})
		}
	}, when(gives || isRoot, 77, 78), out, 2, spec.INT, root, both)
	r.forms("Gather", reset, when(isRoot, pairs...), mine, 2, spec.INT, out, 2, spec.INT, root, both)
	r.forms("Scatter", reset, when(gives, 10*index(own, r.rank), 10*index(own, r.rank)+1), r.ints(world...), 2, spec.INT, out, 2, spec.INT, root, both)
	r.forms("Allgather", reset, same(pairs...), mine, 2, spec.INT, out, 2, spec.INT, both)
	r.forms("Reduce", reset, when(isRoot, sums...), mine, out, 2, spec.INT, spec.SUM, root, both)
	r.forms("Allreduce", reset, same(sums...), mine, out, 2, spec.INT, spec.SUM, both)

	// What goes to peer i is 100 times our rank and i.
	var send, come []int
	counts, displs, comeCounts, comeDispls := []int{}, []int{}, []int{}, []int{}
	for i := range peers {
		send = append(send, 100*r.rank+i)
		counts, displs = append(counts, 1), append(displs, m-1-i) // the other way round
	}
	for i, p := range peers {
		come = append(come, 100*p+index(own, r.rank))
		comeCounts, comeDispls = append(comeCounts, 1), append(comeDispls, i)
	}
	r.forms("Alltoall", reset, same(come...), r.ints(send...), 1, spec.INT, out, 1, spec.INT, both)
	back := make([]int, m)
	for i := range back {
		back[i] = send[m-1-i]
	}
	r.forms("Alltoallv", reset, same(come...), r.ints(back...), r.ints(counts...), r.ints(displs...), spec.INT,
		out, r.ints(comeCounts...), r.ints(comeDispls...), spec.INT, both)
	types := make([]int, m)
	bytes, comeBytes := make([]int, m), make([]int, m)
	for i := range types {
		types[i], bytes[i], comeBytes[i] = spec.INT, 4*displs[i], 4*comeDispls[i]
	}
	r.forms("Alltoallw", reset, same(come...), r.ints(back...), r.ints(counts...), r.ints(bytes...), r.longs(types...),
		out, r.ints(comeCounts...), r.ints(comeBytes...), r.longs(types...), both)

	// Of every peer two numbers, with a gap behind.
	two, apart := make([]int, m), make([]int, m)
	var gaps []int
	for i, p := range peers {
		two[i], apart[i] = 2, 3*i
		gaps = append(gaps, 10*p, 10*p+1, -1)
	}
	gaps = gaps[:len(gaps)-1]
	r.forms("Allgatherv", reset, same(gaps...), mine, 2, spec.INT, out, r.ints(two...), r.ints(apart...), spec.INT, both)
	r.forms("Gatherv", reset, when(isRoot, gaps...), mine, 2, spec.INT, out, r.ints(two...), r.ints(apart...), spec.INT, root, both)
	spread := make([]int, 3*max(m, 1))
	for i := range m {
		spread[3*i], spread[3*i+1] = 5*i, 5*i+2
	}
	r.forms("Scatterv", reset, when(gives, 5*index(own, r.rank), 5*index(own, r.rank)+2), r.ints(spread...), r.ints(two...), r.ints(apart...), spec.INT,
		out, 2, spec.INT, root, both)

	// A vector of so many numbers as both sides can share out.
	whole, total := make([]int, m*k), 0
	for i := range whole {
		whole[i] = 1000*r.rank + i
	}
	for _, p := range peers {
		total += 1000 * p
	}
	want := make([]int, m)
	for i := range want {
		want[i] = total + m*(m*index(own, r.rank)+i)
	}
	r.forms("Reduce_scatter_block", reset, same(want...), r.ints(whole...), out, m, spec.INT, spec.SUM, both)
	shares := make([]int, k)
	for i := range shares {
		shares[i] = m
	}
	r.forms("Reduce_scatter", reset, same(want...), r.ints(whole...), out, r.ints(shares...), spec.INT, spec.SUM, both)

	for name, args := range map[string][]int{
		"Scan": {mine, out, 1, spec.INT, spec.SUM, both}, "Allreduce": {spec.IN_PLACE, out, 1, spec.INT, spec.SUM, both},
		"Bcast": {out, 1, spec.INT, len(peers), both}, "Win_create": {out, 4, 1, spec.INFO_NULL, both, r.longs(0)},
	} {
		r.want(r.call(name, args...) != spec.SUCCESS, "%s succeeds", name)
	}
}

func index(list []int, v int) int {
	for i, x := range list {
		if x == v {
			return i
		}
	}
	panic(fmt.Sprint(v, " is not in ", list))
}

// TestIntercommsMade: of parts of an intercommunicator, copies, and of groups alone.
func TestIntercommsMade(t *testing.T) {
	ranks(t, 4, func(r *rig) {
		both, own, peers := r.sides(2)
		made, request, n := r.longs(0), r.longs(0), r.ints(0)
		check := func(what string, size, remote int) {
			r.must("Comm_size", r.longAt(made), n)
			r.want(r.intAt(n) == size, "%s: our side has %d", what, r.intAt(n))
			r.must("Comm_remote_size", r.longAt(made), n)
			r.want(r.intAt(n) == remote, "%s: the other side has %d", what, r.intAt(n))
			sum := r.ints(0)
			r.must("Allreduce", r.ints(1), sum, 1, spec.INT, spec.SUM, r.longAt(made))
			r.want(r.intAt(sum) == remote, "%s: the other side has sent %d", what, r.intAt(sum))
			r.must("Comm_free", made)
		}
		r.must("Comm_dup", both, made)
		r.must("Comm_compare", both, r.longAt(made), n)
		r.want(r.intAt(n) == spec.CONGRUENT, "a copy compares as %d", r.intAt(n))
		check("dup", 2, 2)
		r.must("Comm_idup", both, made, request)
		r.must("Wait", request, 0)
		check("idup", 2, 2)
		r.must("Comm_split", both, index(own, r.rank), 0, made)
		check("split", 1, 1)
		color := 0
		if r.rank == 3 {
			color = spec.UNDEFINED
		}
		r.must("Comm_split", both, color, 0, made)
		if r.rank == 3 {
			r.want(r.longAt(made) == spec.COMM_NULL, "rank 3 is in")
		} else {
			check("uneven split", len(own)-r.rank/2, len(peers)-(1-r.rank/2))
		}
		g, one := r.longs(0), r.longs(0)
		r.must("Comm_group", both, g)
		r.must("Group_incl", r.longAt(g), 1, r.ints(1), one)
		r.must("Comm_create", both, r.longAt(one), made)
		if index(own, r.rank) == 1 {
			check("create", 1, 1)
		} else {
			r.want(r.longAt(made) == spec.COMM_NULL, "rank 0 of a side is in")
		}
		other := r.longs(0)
		r.must("Comm_remote_group", both, other)
		r.must("Intercomm_create_from_groups", r.longAt(g), 1, r.longAt(other), 1, r.text("weft.test"), spec.INFO_NULL, spec.ERRORS_RETURN, made)
		check("from groups", 2, 2)
		r.must("Intercomm_merge", both, 0, made)
		r.must("Comm_size", r.longAt(made), n)
		r.want(r.intAt(n) == 4, "merged are %d", r.intAt(n))
		r.must("Comm_free", made)
		r.must("Comm_free", r.longs(both))
	})
}
