// Command ring sends a number around the ranks, each adding its own, until it is back at rank 0.
//
// It shows Send and Recv, tags, and why somebody has to send first: if all ranks began with Recv, all would
// wait for ever. Run it with
//
//	weft run -n 4 ./examples/ring
//	weft run -n 4 ./examples/ring -laps 3
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

func main() {
	laps := flag.Int("laps", 1, "how often the number goes around")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, *laps) })
}

// run passes the number on for all laps. The tag is the lap, so a message of one lap cannot be taken for that
// of another.
func run(world *mpi.Comm, out io.Writer, laps int) error {
	rank, size := world.Rank(), world.Size()
	left, right := (rank+size-1)%size, (rank+1)%size
	sum := []int{0}
	for lap := range laps {
		if size == 1 {
			break // nobody to pass it to; rank 0 would add 0 anyway
		}
		if rank == 0 {
			if err := mpi.Send(world, sum, right, lap); err != nil {
				return err
			}
		}
		if _, err := mpi.Recv(world, sum, left, lap); err != nil {
			return err
		}
		if rank == 0 {
			continue // the lap is over
		}
		sum[0] += rank
		if err := mpi.Send(world, sum, right, lap); err != nil {
			return err
		}
	}
	if rank != 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "after %d laps around %d ranks the sum is %d\n", laps, size, sum[0])
	return err
}
