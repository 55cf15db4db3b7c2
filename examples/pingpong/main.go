// Command pingpong measures how long a message takes between two ranks, for growing messages.
//
// Rank 0 sends, rank 1 sends back; half the time of a round trip is the latency. It shows Send and Recv of
// byte slices, Wtime, and warming up before measuring. weft bench latency does the same with more care. Run it
// with
//
//	weft run -n 2 ./examples/pingpong
//	weft run -n 2 ./examples/pingpong -max 65536 -rounds 200
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

func main() {
	longest := flag.Int("max", 1<<20, "longest message in bytes")
	rounds := flag.Int("rounds", 1000, "round trips per length")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, *longest, *rounds) })
}

const tag = 0

// run lets ranks 0 and 1 play; further ranks only watch.
func run(world *mpi.Comm, out io.Writer, longest, rounds int) error {
	if world.Size() < 2 || longest < 1 || rounds < 1 {
		return errors.New("pingpong needs two ranks, -max and -rounds of at least 1: weft run -n 2 ./examples/pingpong")
	}
	if world.Rank() == 0 {
		fmt.Fprintf(out, "%10s %12s %12s\n", "bytes", "latency/us", "MB/s")
	}
	for n := 1; n <= longest && world.Rank() < 2; n *= 4 {
		ball := make([]byte, n)
		if _, err := play(world, ball, rounds/10+1); err != nil { // warm up
			return err
		}
		seconds, err := play(world, ball, rounds)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			oneWay := seconds / float64(rounds) / 2
			fmt.Fprintf(out, "%10d %12.2f %12.1f\n", n, oneWay*1e6, float64(n)/oneWay/1e6)
		}
	}
	return nil
}

// play makes the round trips of one rank and returns how long they took.
func play(world *mpi.Comm, ball []byte, rounds int) (seconds float64, err error) {
	other := 1 - world.Rank()
	begin := mpi.Wtime()
	for range rounds {
		if world.Rank() == 0 {
			err = mpi.Send(world, ball, other, tag)
		}
		if err == nil {
			_, err = mpi.Recv(world, ball, other, tag)
		}
		if err == nil && world.Rank() == 1 {
			err = mpi.Send(world, ball, other, tag)
		}
		if err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - begin, nil
}
