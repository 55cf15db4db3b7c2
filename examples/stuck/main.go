// Command stuck hangs on purpose, to show what the launcher then says.
//
// Rank 0 sends a message with tag 7, and rank 1 waits for one with tag 8; all others wait for rank 1 in a
// collective call. After the time of --set stall (a minute without it) the launcher prints who waits for
// whom, and --timeout ends the job:
//
//	weft run -n 4 --set stall=2s --timeout 5 ./examples/stuck
package main

import (
	"errors"
	"flag"

	"github.com/weft-mpi/weft/mpi"
)

func main() { flag.Parse(); mpi.Main(run) }

func run(world *mpi.Comm) error {
	if world.Size() < 2 {
		return errors.New("a message needs two ranks: weft run -n 2 ./examples/stuck")
	}
	value := []float64{1}
	switch world.Rank() {
	case 0:
		if err := mpi.Send(world, value, 1, 7); err != nil {
			return err
		}
	case 1:
		if _, err := mpi.Recv(world, value, 0, 8); err != nil { // 8 is the mistake
			return err
		}
	}
	return mpi.Allreduce(world, nil, value, mpi.Sum)
}
