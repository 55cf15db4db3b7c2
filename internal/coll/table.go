package coll

import (
	"fmt"
	"slices"
	"strconv"
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
	ports int // Case.Ports of the cases it serves, from its name; 0 leaves it as it is
}

// Plan returns the plan of rank c.Rank. The case must be valid (see
// Case.Validate), of this operation, and fit.
func (a Algorithm) Plan(c Case) *plan.Plan { return a.PlanIn(new(plan.Builder), c) }

// PlanIn is Plan for who has a builder left over from other plans.
func (a Algorithm) PlanIn(b *plan.Builder, c Case) *plan.Plan {
	if a.ports > 0 {
		c.Ports = a.ports
	}
	b.Begin(a.Name, c.Rank, c.Ranks)
	switch {
	case c.empty():
	case c.Ranks == 1 && !c.Op.Neighborly():
		alone(b, c)
	default:
		a.steps(b, c)
	}
	p := b.Build()
	p.Choice = algorithmNumbers[plain(a.Name)]
	return p
}

// NoChoice is the choice of plans that no algorithm has made.
const NoChoice = 255

// algorithmNumbers numbers the algorithms from 1, in the order of the table, for Plan.Choice.
var algorithmNumbers = numberAlgorithms()

func numberAlgorithms() map[string]uint8 {
	numbers := make(map[string]uint8, len(table))
	for i, a := range table {
		numbers[a.Name] = uint8(i + 1) // there are fewer than NoChoice: a test sees to it
	}
	return numbers
}

// ChoiceName is the algorithm of a number in Plan.Choice.
func ChoiceName(choice uint8) string {
	if choice == BetweenChoice {
		return "a call between two groups"
	}
	if choice == 0 || int(choice) > len(table) {
		return fmt.Sprintf("algorithm %d", choice)
	}
	return table[choice-1].Name
}

// plain is the name of an algorithm without its number of ports.
func plain(name string) string {
	name, _, _ = strings.Cut(name, "@")
	return name
}

// What an algorithm may ask of a case.
func always(Case) bool        { return true }
func commutative(c Case) bool { return c.Commutative }
func powerOfTwo(c Case) bool  { return isPow2(c.Ranks) }

// table registers every algorithm. A new one is a file and a row here: it is a candidate wherever
// it fits. Plain ways stand before artful ones, see ranked.
var table = []Algorithm{
	{"barrier/dissemination", Barrier, always, barrierDissemination, 0},
	{"barrier/flat", Barrier, always, barrierFlat, 0},
	{"barrier/binomial", Barrier, always, barrierBinomial, 0},

	{"bcast/flat", Bcast, always, bcastFlat, 0},
	{"bcast/binomial", Bcast, always, bcastBinomial, 0},
	{"bcast/scatter_ring", Bcast, always, bcastScatterRing, 0},
	{"bcast/scatter_doubling", Bcast, powerOfTwo, bcastScatterDoubling, 0},
	{"bcast/chain", Bcast, always, bcastChain, 0},

	{"reduce/flat", Reduce, always, reduceFlat, 0},
	{"reduce/binomial", Reduce, always, reduceBinomial, 0},
	{"reduce/rabenseifner", Reduce, commutative, reduceRabenseifner, 0},

	{"allreduce/flat", Allreduce, always, allreduceFlat, 0},
	{"allreduce/doubling", Allreduce, always, allreduceDoubling, 0},
	{"allreduce/rabenseifner", Allreduce, commutative, allreduceRabenseifner, 0},
	{"allreduce/ring", Allreduce, commutative, allreduceRing, 0},
	{"allreduce/reduce_bcast", Allreduce, always, allreduceReduceBcast, 0},

	{"gather/flat", Gather, always, gatherFlat, 0},
	{"gather/knomial", Gather, always, gatherKnomial, 0},
	{"gather/direct", Gather, always, gatherDirect, 0},
	{"gatherv/flat", Gatherv, always, gatherFlat, 0},
	{"gatherv/direct", Gatherv, always, gatherDirect, 0},
	{"scatter/flat", Scatter, always, scatterFlat, 0},
	{"scatter/knomial", Scatter, always, scatterKnomial, 0},
	{"scatter/direct", Scatter, always, scatterDirect, 0},
	{"scatterv/flat", Scatterv, always, scatterFlat, 0},
	{"scatterv/direct", Scatterv, always, scatterDirect, 0},

	{"allgather/flat", Allgather, always, allgatherFlat, 0},
	{"allgather/ring", Allgather, always, allgatherRing, 0},
	{"allgather/doubling", Allgather, powerOfTwo, allgatherDoubling, 0},
	{"allgather/bruck", Allgather, always, allgatherBruck, 0},
	{"allgather/exchange", Allgather, always, allgatherExchange, 0},
	{"allgather/direct", Allgather, always, allgatherDirect, 0},
	{"allgather/gather_bcast", Allgather, always, allgatherGatherBcast, 0},
	{"allgatherv/flat", Allgatherv, always, allgatherFlat, 0},
	{"allgatherv/ring", Allgatherv, always, allgatherRing, 0},
	{"allgatherv/direct", Allgatherv, always, allgatherDirect, 0},

	{"alltoall/flat", Alltoall, always, alltoallFlat, 0},
	{"alltoall/pairwise", Alltoall, always, alltoallPairwise, 0},
	{"alltoall/xor", Alltoall, powerOfTwo, alltoallXor, 0},
	{"alltoall/bruck", Alltoall, always, alltoallBruck, 0},
	{"alltoall/exchange", Alltoall, always, alltoallExchange, 0},
	{"alltoall/direct", Alltoall, always, alltoallDirect, 0},
	{"alltoallv/flat", Alltoallv, always, alltoallFlat, 0},
	{"alltoallv/pairwise", Alltoallv, always, alltoallPairwise, 0},
	{"alltoallv/direct", Alltoallv, always, alltoallDirect, 0},

	// What other libraries do, as rivals to compare with.
	{"bcast/elan", Bcast, always, bcastElan, 1},
	{"bcast/mpich", Bcast, always, bcastMpich, 1},
	{"gather/elan", Gather, always, gatherElan, 1},
	{"allgather/elan", Allgather, always, allgatherElan, 1},
	{"allgather/mvapich", Allgather, always, allgatherMvapich, 1},
	{"allgather/mpich", Allgather, always, allgatherMpich, 1},
	{"alltoall/elan", Alltoall, always, alltoallElan, 1},
	{"alltoall/mvapich", Alltoall, always, alltoallMvapich, 1},
	{"alltoall/mvapich_xor", Alltoall, always, alltoallMvapichXor, 1},
	{"alltoall/mpich", Alltoall, always, alltoallMpich, 1},

	{"scan/doubling", Scan, always, scanDoubling, 0},
	{"scan/chain", Scan, always, scanChain, 0},
	{"exscan/doubling", Exscan, always, scanDoubling, 0},
	{"exscan/chain", Exscan, always, scanChain, 0},

	{"reduce_scatter/halving", ReduceScatter, commutative, reduceScatterHalving, 0},
	{"reduce_scatter/pairwise", ReduceScatter, always, reduceScatterPairwise, 0},
	{"reduce_scatter/reduce_scatterv", ReduceScatter, always, reduceScatterReduceScatterv, 0},

	// On one node, through its memory.
	{"barrier/shm", Barrier, onOneNode, barrierShm, 0},
	{"barrier/shm_tree", Barrier, onOneNode, barrierShmTree, 0},
	{"bcast/shm", Bcast, bcastShmFits, bcastShm, 0},
	{"gather/shm", Gather, blocksFitInTurns, gatherShm, 0},
	{"scatter/shm", Scatter, blocksFitInTurns, scatterShm, 0},
	{"allgather/shm", Allgather, blocksFitInTurns, allgatherShm, 0},
	{"alltoall/shm", Alltoall, alltoallShmFits, alltoallShm, 0},
	{"bcast/shm_fetch", Bcast, lendingFits, bcastShmFetch, 0},
	{"allgather/shm_fetch", Allgather, lendingFits, allgatherShmFetch, 0},
	{"alltoall/shm_fetch", Alltoall, lendingFits, alltoallShmFetch, 0},
	{"reduce/shm", Reduce, reduceShmFits, reduceShm, 0},
	{"reduce/shm_share", Reduce, reduceShmFits, reduceShmShare, 0},
	{"allreduce/shm", Allreduce, vectorsFitAtOnce, allreduceShm, 0},
	{"allreduce/shm_share", Allreduce, reduceShmFits, allreduceShmShare, 0},
	{"scan/shm", Scan, scanShmFits, scanShm, 0},
	{"exscan/shm", Exscan, scanShmFits, scanShm, 0},
	{"reduce_scatter/shm", ReduceScatter, reduceScatterShmFits, reduceScatterShm, 0},

	// On nodes with memory.
	{"barrier/smp", Barrier, shares, barrierSMP, 0},
	{"bcast/smp", Bcast, bcastSMPFits, bcastSMP, 0},
	{"bcast/smp_chain", Bcast, bcastSMPChainFits, bcastSMPChain, 0},
	{"reduce/smp", Reduce, reduceFits, reduceSMP, 0},
	{"reduce/smp_slices", Reduce, reduceFits, reduceSMPSlices, 0},
	{"allreduce/smp", Allreduce, reduceFits, allreduceSMP, 0},
	{"allreduce/smp_slices", Allreduce, reduceFits, allreduceSMPSlices, 0},
	{"allreduce/smp_fetch", Allreduce, allreduceSMPFetchFits, allreduceSMPFetch, 0},
	{"scan/smp", Scan, scanNodesFit, scanSMP, 0},
	{"exscan/smp", Exscan, scanNodesFit, scanSMP, 0},
	{"reduce_scatter/smp", ReduceScatter, reduceScatterNodesFit, reduceScatterSMP, 0},
	{"reduce_scatter/smp_slices", ReduceScatter, reduceScatterNodesFit, reduceScatterSMPSlices, 0},
	{"gather/smp", Gather, gatherSMPFits, gatherSMP, 0},
	{"gather/smp_tree", Gather, gatherSMPTreeFits, gatherSMPTree, 0},
	{"scatter/smp", Scatter, gatherSMPFits, scatterSMP, 0},
	{"scatter/smp_tree", Scatter, gatherSMPTreeFits, scatterSMPTree, 0},
	{"allgather/smp_gather_bcast", Allgather, imageFits, allgatherSMPGatherBcast, 0},
	{"allgather/smp_direct", Allgather, imageFits, allgatherSMPDirect, 0},
	{"allgather/smp_bruck", Allgather, imageFits, allgatherSMPBruck, 0},
	{"allgather/smp_fetch", Allgather, allgatherSMPFetchFits, allgatherSMPFetch, 0},
	{"allgather/smp_turns", Allgather, allgatherSMPTurnsFits, allgatherSMPTurns, 0},
	{"alltoall/smp_partners", Alltoall, partnersFit, alltoallSMPPartners, 0},
	{"alltoall/smp_partners_fetch", Alltoall, partnersFetch, alltoallSMPPartnersFetch, 0},
	{"gatherv/smp", Gatherv, slipsFit, gathervSMP, 0},
	{"scatterv/smp", Scatterv, cellsFit, scattervSMP, 0},
	{"alltoallv/smp", Alltoallv, cellsFit, alltoallvSMP, 0},
	{"allgatherv/shm", Allgatherv, allgathervShmFits, allgathervShm, 0},
	{"allgatherv/shm_fetch", Allgatherv, lendingFits, allgatherShmFetch, 0},
	{"allgatherv/smp_gather_bcast", Allgatherv, imageFits, allgatherSMPGatherBcast, 0},
	{"allgatherv/smp_direct", Allgatherv, imageFits, allgatherSMPDirect, 0},
	{"allgatherv/smp_bruck", Allgatherv, imageFits, allgatherSMPBruck, 0},

	// Between neighbours.
	{"neighbor_allgather/flat", NeighborAllgather, always, neighborFlat, 0},
	{"neighbor_allgather/smp", NeighborAllgather, neighborSMPFits, neighborSMP, 0},
	{"neighbor_allgather/combining", NeighborAllgather, combiningFits, neighborCombining, 0},
	{"neighbor_allgatherv/flat", NeighborAllgatherv, always, neighborFlat, 0},
	{"neighbor_alltoall/flat", NeighborAlltoall, always, neighborFlat, 0},
	{"neighbor_alltoall/smp", NeighborAlltoall, neighborSMPFits, neighborSMP, 0},
	{"neighbor_alltoall/combining", NeighborAlltoall, combiningFits, neighborCombining, 0},
	{"neighbor_alltoallv/flat", NeighborAlltoallv, always, neighborFlat, 0},

	// Many connections and many cores.
	{"allgather/group1_single", Allgather, groupsFit, allgatherGroup1Single, 0},
	{"allgather/group1_multi", Allgather, groupsFit, allgatherGroup1Multi, 0},
	{"allgather/gather_groups", Allgather, gatherGroupsFit, allgatherGatherGroups, 0},
	{"allgather/group2", Allgather, groupsFit, allgatherGroup2, 0},
	{"allgather/groups", Allgather, groupsFit, allgatherGroups, 0},
	{"allgatherv/group1_single", Allgatherv, groupsFit, allgatherGroup1Single, 0},
	{"allgatherv/group1_multi", Allgatherv, groupsFit, allgatherGroup1Multi, 0},
	{"allgatherv/gather_groups", Allgatherv, gatherGroupsFit, allgatherGatherGroups, 0},
	{"allgatherv/group2", Allgatherv, groupsFit, allgatherGroup2, 0},
	{"allgatherv/groups", Allgatherv, groupsFit, allgatherGroups, 0},

	// By arrival, each after its twin in strict order.
	{"alltoall/direct_zero", Alltoall, always, alltoallDirectZero, 0},
	{"alltoall/pap_direct", Alltoall, always, alltoallPAPDirect, 0},
	{"alltoall/pap_copy", Alltoall, always, alltoallPAPCopy, 0},
	{"alltoall/shm_direct", Alltoall, exchangeFits, alltoallShmDirect, 0},
	{"alltoall/pap_shm_direct", Alltoall, exchangeFits, alltoallPAPShmDirect, 0},
	{"alltoall/pap_bruck", Alltoall, always, alltoallPAPBruck, 0},
	{"alltoallv/direct_zero", Alltoallv, always, alltoallDirectZero, 0},
	{"alltoallv/pap_direct", Alltoallv, always, alltoallPAPDirect, 0},
	{"alltoallv/pap_copy", Alltoallv, always, alltoallPAPCopy, 0},
	{"allgather/direct_zero", Allgather, always, allgatherDirectZero, 0},
	{"allgather/pap_direct", Allgather, always, allgatherPAPDirect, 0},
	{"allgather/pap_copy", Allgather, always, allgatherPAPCopy, 0},
	{"allgather/shm_direct", Allgather, imageFits, allgatherShmDirect, 0},
	{"allgather/pap_shm_direct", Allgather, imageFits, allgatherPAPShmDirect, 0},
	{"allgather/pap_bruck", Allgather, always, allgatherPAPBruck, 0},
	{"allgather/pap_doubling", Allgather, powerOfTwo, allgatherPAPDoubling, 0},
	{"allgatherv/direct_zero", Allgatherv, always, allgatherDirectZero, 0},
	{"allgatherv/pap_direct", Allgatherv, always, allgatherPAPDirect, 0},
	{"allgatherv/pap_copy", Allgatherv, always, allgatherPAPCopy, 0},
	{"allgatherv/shm_direct", Allgatherv, imageFits, allgatherShmDirect, 0},
	{"allgatherv/pap_shm_direct", Allgatherv, imageFits, allgatherPAPShmDirect, 0},
	{"bcast/pap_direct", Bcast, always, bcastPAPDirect, 0},
	{"allreduce/pap_direct", Allreduce, always, allreducePAPDirect, 0},
	{"allreduce/pap_doubling", Allreduce, always, allreducePAPDoubling, 0},
	{"reduce_scatter/pap_direct", ReduceScatter, always, reduceScatterPAPDirect, 0},
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

// Rival reports whether the algorithm is what another library does, there to compare with: it switches
// between ways of its own by length, so it is no way of ours.
func (a Algorithm) Rival() bool {
	_, way, _ := strings.Cut(plain(a.Name), "/")
	switch way {
	case "elan", "mvapich", "mvapich_xor", "mpich":
		return true
	}
	return false
}

// MaxPorts is the largest number of ports an algorithm's name may ask for.
const MaxPorts = 8

// Find returns the algorithm of that name, such as allgather/ring. A name that ends in @k, such as
// allgather/bruck@2, asks for k ports instead of as many as there are rails.
func Find(name string) (Algorithm, bool) {
	plain, ports, asks := strings.Cut(name, "@")
	i := slices.IndexFunc(table, func(a Algorithm) bool { return a.Name == plain })
	if i < 0 {
		return Algorithm{}, false
	}
	a := table[i]
	if asks {
		k, err := strconv.Atoi(ports)
		if err != nil || k < 1 || k > MaxPorts {
			return Algorithm{}, false
		}
		a.Name, a.ports = name, k
	}
	return a, true
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
