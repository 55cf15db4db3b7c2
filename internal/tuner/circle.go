package tuner

import (
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/topo"
)

// circle is who the neighbours of each rank are: those at some offsets in a grid whose edges meet, as even
// as the number of ranks allows. The zero value is none, for calls of all ranks.
type circle struct {
	dimensions int
	offsets    [][]int
}

// circles are those in which calls between neighbours are studied: beside each other in a plane and in a space, and all
// around in a space, corners included.
var circles = []circle{{2, beside(2)}, {3, beside(3)}, {3, allAround(3)}}

// circlesOf are those in which an operation is studied.
func circlesOf(op coll.Op) []circle {
	if op.Neighborly() {
		return circles
	}
	return []circle{{}}
}

// beside are the offsets of the two neighbours along each dimension.
func beside(dimensions int) (all [][]int) {
	for d := range dimensions {
		for _, by := range []int{-1, 1} {
			offset := make([]int, dimensions)
			offset[d] = by
			all = append(all, offset)
		}
	}
	return all
}

// allAround are the offsets of all that are within a step along every dimension.
func allAround(dimensions int) [][]int {
	all := [][]int{{}}
	for range dimensions {
		var longer [][]int
		for _, offset := range all {
			for by := -1; by <= 1; by++ {
				longer = append(longer, append(slices.Clone(offset), by))
			}
		}
		all = longer
	}
	itself := len(all) / 2
	return slices.Delete(all, itself, itself+1)
}

// of is the communicator with these neighbours; the world if there are none. All ranks call it.
func (c circle) of(world *comm.Comm) (*comm.Comm, error) {
	if c.offsets == nil {
		return world, nil
	}
	sizes, err := topo.Dims(world.Size(), c.dimensions)
	if err != nil {
		return nil, err
	}
	return world.Neighborhood(topo.Grid{Sizes: sizes, Periodic: slices.Repeat([]bool{true}, c.dimensions)}, c.offsets)
}
