// Command hello is the first program: every rank says who it is.
//
// A parallel program is one program started several times. Each copy is a rank; it learns its number and how
// many there are from the communicator it is given. Ranks run at the same time, so their lines come in any
// order. Run it with
//
//	weft run -n 4 ./examples/hello
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

func main() {
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout) })
}

// run is what every rank does.
func run(world *mpi.Comm, out io.Writer) error {
	_, err := fmt.Fprintf(out, "hello from rank %d of %d\n", world.Rank(), world.Size())
	return err
}
