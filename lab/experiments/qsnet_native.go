package experiments

import (
	"slices"

	"github.com/weft-mpi/weft/lab"
)

// The library of Quadrics is a rival in figures of which the document tells little. Where its words can be
// read in two ways, both are drawn, and every bar that depends on the reading is held for both.

// The lines of the native library.
const (
	elan      = "elan"
	elanTree  = "elan, tree"        // allgather: beyond 2 KB the broadcast is one down a tree
	elanPort  = "elan, one port"    // alltoall: Direct with one port for all lengths
	elanShare = "elan, node memory" // alltoall: blocks up to 2 KB go through the memory of nodes
)

// nativeGather is elan_gather. Up to 4 KB it writes, longer blocks are tagged messages.
var nativeGather = rival{name: elan, algorithm: "gather/elan", settings: oneRail, puts: true, putMost: 4 << 10, chains: true}

// nativeAllgathers are elan_gather for everybody. The document says that it ends with a broadcast up to 32
// KB, not with which, and of short blocks that it resembles the document's own, which ends with that of the
// hardware. Either that is so up to 32 KB, or the hardware is used as far as the library uses the memory of
// nodes, and a tree of all processes beyond, as in its gather.
var nativeAllgathers = []rival{
	{name: elan, algorithm: "allgather/elan", settings: oneRail, cast: "gather/elan", castMost: 32 << 10, puts: true, putMost: 4 << 10, chains: true},
	{name: elanTree, algorithm: "allgather/elan", settings: oneRail, cast: "gather/elan", castMost: 2 << 10, puts: true, putMost: 4 << 10, chains: true},
}

// nativeAlltoalls are elan_alltoall, of which the document says that it has one port and is good for short
// blocks. How it is good for them is left open: by the memory of nodes, as the library's gather, or by
// nothing that the document's Direct does not have.
var nativeAlltoalls = []rival{
	{name: elanPort, algorithm: "alltoall/direct@1", settings: slices.Concat(onlyNetwork, oneRail), puts: true},
	{name: elanShare, algorithm: "alltoall/elan", settings: oneRail, puts: true},
}

// overNative holds how many times faster a line is than the native library at a size, for each reading of that.
func overNative(r *lab.Result, p *lab.Panel, natives []rival, line string, size int, stated float64, says string) {
	x := float64(size)
	for _, v := range natives {
		r.Hold(lab.Prediction, lab.Within(line+" at "+sizeName(size)+", times faster than "+v.name, stated, p.Line(v.name).At(x)/p.Line(line).At(x), 35, "times").Says(says))
	}
}

// winner holds which line is the fastest at sizes, among some lines and each reading of the native library;
// what the document calls native is any of its readings.
func winner(r *lab.Result, p *lab.Panel, natives []rival, want string, others []string, says string, sizes ...int) {
	for _, size := range sizes {
		for _, v := range natives {
			best, named := fastestOf(p, float64(size), append(slices.Clone(others), v.name)...), want
			if want == elan {
				named = v.name
			}
			r.Hold(lab.Prediction, lab.Holds("best at "+sizeName(size)+", with "+v.name, named, best, best == named).Says(says))
		}
	}
}
