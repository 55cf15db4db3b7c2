package abi

import (
	"testing"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// TestNeighbors exchanges along a ring: of a grid, of a graph that all know, and of one that each tells a part of.
func TestNeighbors(t *testing.T) {
	ranks(t, 3, func(r *rig) {
		left, right := (r.rank+2)%3, (r.rank+1)%3
		cart, graph, adjacent, told := r.longs(0), r.longs(0), r.longs(0), r.longs(0)
		r.must("Cart_create", spec.COMM_WORLD, 1, r.ints(3), r.ints(1), 0, cart)
		r.must("Graph_create", spec.COMM_WORLD, 3, r.ints(2, 4, 6), r.ints(2, 1, 0, 2, 1, 0), 0, graph)
		weights := r.ints(5, 7)
		r.must("Dist_graph_create_adjacent", spec.COMM_WORLD, 2, r.ints(left, right), weights, 2, r.ints(left, right), weights, spec.INFO_NULL, 0, adjacent)
		// Each rank tells the edges into it.
		r.must("Dist_graph_create", spec.COMM_WORLD, 2, r.ints(left, right), r.ints(1, 1), r.ints(r.rank, r.rank), spec.UNWEIGHTED, spec.INFO_NULL, 0, told)
		for _, at := range []int{cart, graph, adjacent} {
			c := r.longAt(at)
			out := r.ints(-1, -1)
			for _, form := range []string{"", "I"} {
				name := form + "neighbor_allgather"
				args := []int{r.ints(r.rank), 1, spec.INT, out, 1, spec.INT, c}
				if form == "" {
					r.must("Neighbor_allgather", args...)
				} else {
					request := r.longs(0)
					r.must(name, append(args, request)...)
					r.must("Wait", request, 0)
				}
				r.want(r.intAt(out) == left && r.intAt(out+4) == right, "%s brings %v", name, r.intsAt(out, 2))
			}
			types, ones := r.longs(spec.INT, spec.INT), r.ints(1, 1)
			r.must("Neighbor_alltoallw", r.ints(10*r.rank, 10*r.rank+1), ones, r.longs(0, 4), types, out, ones, r.longs(4, 0), types, c)
			r.want(r.intAt(out+4) == 10*left+1 && r.intAt(out) == 10*right, "neighbor_alltoallw brings %v", r.intsAt(out, 2))
		}
		in, deg, weighted := r.ints(0), r.ints(0), r.ints(9)
		r.must("Dist_graph_neighbors_count", r.longAt(told), in, deg, weighted)
		r.want(r.intAt(in) == 2 && r.intAt(deg) == 2 && r.intAt(weighted) == 0, "%d sources, %d destinations, weighted %d", r.intAt(in), r.intAt(deg), r.intAt(weighted))
		sources, dests, sw := r.ints(0, 0), r.ints(0, 0), r.ints(0, 0)
		r.must("Dist_graph_neighbors", r.longAt(adjacent), 2, sources, sw, 2, dests, sw)
		r.want(r.intAt(sources) == left && r.intAt(dests+4) == right && r.intAt(sw+4) == 7, "neighbours %v, %v", r.intsAt(sources, 2), r.intsAt(dests, 2))
		kind := r.ints(0)
		for at, want := range map[int]int{cart: spec.CART, graph: spec.GRAPH, told: spec.DIST_GRAPH} {
			r.must("Topo_test", r.longAt(at), kind)
			r.want(r.intAt(kind) == want, "topology %d", r.intAt(kind))
		}
		for _, at := range []int{cart, graph, adjacent, told} {
			r.must("Comm_free", at)
		}
	})
}

// TestIntercomm has the even ranks talk to the odd ones, and merges them, odd ones first.
func TestIntercomm(t *testing.T) {
	ranks(t, 4, func(r *rig) {
		half, both, merged := r.longs(0), r.longs(0), r.longs(0)
		odd := r.rank % 2
		r.must("Comm_split", spec.COMM_WORLD, odd, r.rank, half)
		r.must("Intercomm_create", r.longAt(half), 0, spec.COMM_WORLD, 1-odd, 5, both)
		n := r.ints(0)
		r.must("Comm_test_inter", r.longAt(both), n)
		r.want(r.intAt(n) == 1, "it is no intercommunicator")
		r.must("Comm_remote_size", r.longAt(both), n)
		r.want(r.intAt(n) == 2, "the other side has %d", r.intAt(n))
		peer := r.rank / 2
		in, st := r.ints(-1), r.room(32)
		r.must("Sendrecv", r.ints(r.rank), 1, spec.INT, peer, 1, in, 1, spec.INT, spec.ANY_SOURCE, 1, r.longAt(both), st)
		r.want(r.intAt(in) == 2*peer+1-odd && r.intAt(st) == peer, "rank %d sends %d", r.intAt(st), r.intAt(in))
		r.must("Barrier", r.longAt(both))
		r.must("Comm_set_errhandler", r.longAt(both), spec.ERRORS_RETURN)
		r.want(r.call("Send", in, 1, spec.INT, 2, 0, r.longAt(both)) == spec.ERR_RANK, "rank 2 of 2 can be sent to")
		r.must("Intercomm_merge", r.longAt(both), 1-odd, merged)
		r.must("Comm_rank", r.longAt(merged), n)
		r.want(r.intAt(n) == peer+2*(1-odd), "rank %d in the merged one", r.intAt(n))
		for _, at := range []int{half, both, merged} {
			r.must("Comm_free", at)
		}
	})
}
