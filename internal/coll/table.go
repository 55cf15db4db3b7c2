package coll

import (
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/plan"
)

// Algorithm is one way to carry out an operation.
type Algorithm struct {
	Name string // operation/way, such as allgather/ring
	Op   Op
	// Fits reports whether the algorithm can serve the case. It looks only at
	// what all ranks share.
	Fits func(Case) bool

	steps func(*plan.Builder, Case)
}

// Plan returns the plan of rank c.Rank. The case must be valid (see
// Case.Validate), of this operation, and fit.
func (a Algorithm) Plan(c Case) *plan.Plan {
	b := plan.NewBuilder(a.Name, c.Rank, c.Ranks)
	switch {
	case c.empty():
	case c.Ranks == 1:
		alone(b, c)
	default:
		a.steps(b, c)
	}
	return b.Build()
}

// What an algorithm may ask of a case.
func always(Case) bool        { return true }
func commutative(c Case) bool { return c.Commutative }
func powerOfTwo(c Case) bool  { return isPow2(c.Ranks) }

// table registers every algorithm. A new one is a file and a row here; rules
// (see defaults.go) say when it is used.
var table = []Algorithm{
	{"barrier/dissemination", Barrier, always, barrierDissemination},
	{"barrier/flat", Barrier, always, barrierFlat},
	{"barrier/binomial", Barrier, always, barrierBinomial},

	{"bcast/flat", Bcast, always, bcastFlat},
	{"bcast/binomial", Bcast, always, bcastBinomial},
	{"bcast/scatter_ring", Bcast, always, bcastScatterRing},
	{"bcast/scatter_doubling", Bcast, powerOfTwo, bcastScatterDoubling},
	{"bcast/chain", Bcast, always, bcastChain},

	{"reduce/flat", Reduce, always, reduceFlat},
	{"reduce/binomial", Reduce, always, reduceBinomial},
	{"reduce/rabenseifner", Reduce, commutative, reduceRabenseifner},

	{"allreduce/flat", Allreduce, always, allreduceFlat},
	{"allreduce/doubling", Allreduce, always, allreduceDoubling},
	{"allreduce/rabenseifner", Allreduce, commutative, allreduceRabenseifner},
	{"allreduce/ring", Allreduce, commutative, allreduceRing},
	{"allreduce/reduce_bcast", Allreduce, always, allreduceReduceBcast},

	{"gather/flat", Gather, always, gatherFlat},
	{"gather/binomial", Gather, always, gatherBinomial},
	{"gatherv/flat", Gatherv, always, gatherFlat},
	{"scatter/flat", Scatter, always, scatterFlat},
	{"scatter/binomial", Scatter, always, scatterBinomial},
	{"scatterv/flat", Scatterv, always, scatterFlat},

	{"allgather/flat", Allgather, always, allgatherFlat},
	{"allgather/ring", Allgather, always, allgatherRing},
	{"allgather/doubling", Allgather, powerOfTwo, allgatherDoubling},
	{"allgather/bruck", Allgather, always, allgatherBruck},
	{"allgather/gather_bcast", Allgather, always, allgatherGatherBcast},
	{"allgatherv/flat", Allgatherv, always, allgatherFlat},
	{"allgatherv/ring", Allgatherv, always, allgatherRing},

	{"alltoall/flat", Alltoall, always, alltoallFlat},
	{"alltoall/pairwise", Alltoall, always, alltoallPairwise},
	{"alltoall/bruck", Alltoall, always, alltoallBruck},
	{"alltoallv/flat", Alltoallv, always, alltoallFlat},
	{"alltoallv/pairwise", Alltoallv, always, alltoallPairwise},

	{"scan/doubling", Scan, always, scanDoubling},
	{"scan/chain", Scan, always, scanChain},
	{"exscan/doubling", Exscan, always, scanDoubling},
	{"exscan/chain", Exscan, always, scanChain},

	{"reduce_scatter/halving", ReduceScatter, commutative, reduceScatterHalving},
	{"reduce_scatter/pairwise", ReduceScatter, always, reduceScatterPairwise},
	{"reduce_scatter/reduce_scatterv", ReduceScatter, always, reduceScatterReduceScatterv},
}

// Algorithms returns the algorithms of an operation, in the order of the table.
func Algorithms(op Op) []Algorithm {
	var own []Algorithm
	for _, a := range table {
		if a.Op == op {
			own = append(own, a)
		}
	}
	return own
}

// Find returns the algorithm of that name, such as allgather/ring.
func Find(name string) (Algorithm, bool) {
	i := slices.IndexFunc(table, func(a Algorithm) bool { return a.Name == name })
	if i < 0 {
		return Algorithm{}, false
	}
	return table[i], true
}

// ways lists the names of an operation's algorithms without the operation.
func ways(op Op) string {
	var names []string
	for _, a := range Algorithms(op) {
		_, way, _ := strings.Cut(a.Name, "/")
		names = append(names, way)
	}
	return strings.Join(names, ", ")
}
