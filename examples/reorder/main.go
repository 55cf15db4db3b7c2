// Command reorder measures what it gains to number ranks anew, so that neighbours are on one host.
//
// It makes the same neighbours twice, as the ranks are numbered and with reorder: those in a plane and in a space whose
// edges meet, and those of a mesh, which is the plane with its points dealt out by lot. Of each it counts the messages
// of an exchange that go from host to host, and times exchanges, by turns in every round. It shows Comm.Cart and
// Comm.Graph with reorder, Comm.SplitShared and NeighborAlltoall. On one host there is nothing to gain. Run it with
//
//	weft run -n 8 --host h1:4,h2:4 ./examples/reorder
//	weft run -n 8 --host h1:4,h2:4 --map-by node ./examples/reorder -bytes 1024
//	weft sim run -n 64 --nodes 8 --cluster roce-100g --charged ./examples/reorder
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// plan is what to measure.
type plan struct {
	Bytes  int // to each neighbour
	Calls  int // exchanges that are timed together
	Rounds int
}

func main() {
	var p plan
	flag.IntVar(&p.Bytes, "bytes", 32<<10, "so many bytes to each neighbour")
	flag.IntVar(&p.Calls, "calls", 20, "time so many exchanges together")
	flag.IntVar(&p.Rounds, "rounds", 11, "rounds of both numberings")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, p)
	})
}

// neighbours are some that ranks can have.
type neighbours struct {
	name string
	make func(world *mpi.Comm, reorder bool) (*mpi.Comm, error)
}

var kinds = []neighbours{
	{"plane", func(world *mpi.Comm, reorder bool) (*mpi.Comm, error) { return torus(world, 2, reorder) }},
	{"space", func(world *mpi.Comm, reorder bool) (*mpi.Comm, error) { return torus(world, 3, reorder) }},
	{"mesh", mesh},
}

// run measures all kinds of neighbours; rank 0 prints a line for each.
func run(world *mpi.Comm, out io.Writer, p plan) error {
	if p.Bytes < 0 || p.Calls < 1 || p.Rounds < 1 {
		return errors.New("-bytes must not be negative, -calls and -rounds must be 1 at least")
	}
	host, hosts, err := hostOf(world)
	if err != nil {
		return err
	}
	if world.Rank() == 0 {
		fmt.Fprintf(out, "%d ranks on %d hosts, %d bytes to each neighbour\n", world.Size(), hosts, p.Bytes)
		fmt.Fprintf(out, "%-10s  %17s  %17s  %s\n", "", "between hosts", "us", "times as fast")
		fmt.Fprintf(out, "%-10s  %8s %8s  %8s %8s\n", "neighbours", "before", "after", "before", "after")
	}
	for _, k := range kinds {
		f, err := compare(world, k, host, p)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Fprintf(out, "%-10s  %8d %8d  %8.1f %8.1f  %.2f [%.2f-%.2f]\n", k.name, f.crossing[0], f.crossing[1],
				middle(f.us[0]), middle(f.us[1]), middle(f.gains), f.gains[len(f.gains)/4], f.gains[len(f.gains)*3/4])
		}
	}
	return nil
}

// findings are those about ranks as they are numbered, and numbered anew.
type findings struct {
	crossing [2]int       // messages of an exchange that go from host to host
	us       [2][]float64 // of an exchange, in every round
	gains    []float64    // how many times as fast, in every round, in order
}

// compare makes the neighbours in both ways and measures them.
func compare(world *mpi.Comm, k neighbours, host int, p plan) (f findings, err error) {
	var both [2]*mpi.Comm
	for i := range both {
		if both[i], err = k.make(world, i == 1); err != nil {
			return f, err
		}
		if f.crossing[i], err = crossing(both[i], host); err != nil {
			return f, err
		}
		if _, err = exchange(both[i], p); err != nil { // connections are made in the first one
			return f, err
		}
	}
	for round := range p.Rounds {
		for turn := range both { // another one is the first in every round
			i := (round + turn) % 2
			us, err := exchange(both[i], p)
			if err != nil {
				return f, err
			}
			f.us[i] = append(f.us[i], us)
		}
		f.gains = append(f.gains, f.us[0][round]/f.us[1][round])
	}
	slices.Sort(f.gains)
	return f, errors.Join(both[0].Free(), both[1].Free())
}

// exchange exchanges with the neighbours, and returns how long the slowest rank took for each time, in microseconds.
func exchange(c *mpi.Comm, p plan) (float64, error) {
	from, to := c.Neighbors()
	out, in := make([]byte, len(to)*p.Bytes), make([]byte, len(from)*p.Bytes)
	if err := mpi.Barrier(c); err != nil {
		return 0, err
	}
	begin := c.Wtime()
	for range p.Calls {
		if err := mpi.NeighborAlltoall(c, out, in); err != nil {
			return 0, err
		}
	}
	took, slowest := []float64{c.Wtime() - begin}, make([]float64, 1)
	err := mpi.Allreduce(c, took, slowest, mpi.Max)
	return slowest[0] * 1e6 / float64(p.Calls), err
}

// hostOf returns a number that the ranks of a host have in common, and how many hosts there are.
func hostOf(world *mpi.Comm) (host, hosts int, err error) {
	own, err := world.SplitShared(0)
	if err != nil {
		return 0, 0, err
	}
	first, leads, sum := []int{world.Rank()}, []int{0}, []int{0}
	if own.Rank() == 0 {
		leads[0] = 1
	}
	err = errors.Join(mpi.Bcast(own, first, 0), mpi.Allreduce(world, leads, sum, mpi.Sum), own.Free())
	return first[0], sum[0], err
}

// crossing counts the messages of an exchange that go from host to host.
func crossing(c *mpi.Comm, host int) (int, error) {
	hosts := make([]int, c.Size()) // by rank
	if err := mpi.Allgather(c, []int{host}, hosts); err != nil {
		return 0, err
	}
	n, sum := []int{0}, []int{0}
	_, to := c.Neighbors()
	for _, rank := range to {
		if hosts[rank] != host {
			n[0]++
		}
	}
	err := mpi.Allreduce(c, n, sum, mpi.Sum)
	return sum[0], err
}

// torus is a grid of so many dimensions whose edges meet, as even as can be.
func torus(world *mpi.Comm, dimensions int, reorder bool) (*mpi.Comm, error) {
	sizes, err := mpi.Dims(world.Size(), dimensions)
	if err != nil {
		return nil, err
	}
	cart, err := world.Cart(sizes, slices.Repeat([]bool{true}, dimensions), reorder)
	if err != nil {
		return nil, err
	}
	return cart.Comm, nil
}

// mesh is the plane with its points dealt out by lot: ranks that follow each other have little to do with
// each other, as those of a mesh that a program has read from a file.
func mesh(world *mpi.Comm, reorder bool) (*mpi.Comm, error) {
	grid, err := mpi.Dims(world.Size(), 2)
	if err != nil {
		return nil, err
	}
	lot := rand.New(rand.NewPCG(1, 2)).Perm(world.Size()) // by point: its rank; the same everywhere
	at := slices.Index(lot, world.Rank())
	var own []int
	row, column := at/grid[1], at%grid[1]
	for _, by := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		own = append(own, lot[(row+by[0]+grid[0])%grid[0]*grid[1]+(column+by[1]+grid[1])%grid[1]])
	}
	return world.Graph(own, own, nil, reorder)
}

// middle is the median of some numbers.
func middle(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
