// Command pipeline passes work from one group of ranks to another, which works on it meanwhile.
//
// Half of the ranks sieve ranges of numbers for primes; the other half takes the primes and counts the twins among
// them: pairs that differ by two. Each group has a communicator of its own, and one between them carries the
// batches. Ranks there are those of the other group: no group has to know how the other one is numbered in
// the job. In the end each group learns the other one's total. It shows Comm.Intercomm, messages and reductions
// between two groups, and Probe for batches of unknown length. Run it with
//
//	weft run -n 4 ./examples/pipeline
//	weft run -n 6 ./examples/pipeline -limit 10000000 -batch 100000
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
	limit := flag.Int("limit", 1_000_000, "sieve the numbers below this one")
	batch := flag.Int("batch", 20_000, "how many numbers to sieve at a time")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, *limit, *batch)
	})
}

// run makes the groups; the first rank of those that count prints what both have found.
func run(world *mpi.Comm, out io.Writer, limit, batch int) error {
	half := world.Size() / 2
	if half == 0 || limit < 2 || batch < 2 {
		return errors.New("it takes two ranks at least, and a -limit and a -batch of 2 or more")
	}
	color, other := 0, half // which group, and the rank in the job that leads the other one
	if world.Rank() >= half {
		color, other = 1, 0
	}
	group, err := world.Split(color, 0)
	if err != nil {
		return err
	}
	both, err := group.Intercomm(0, world, other, 0)
	if err != nil {
		return err
	}
	own, theirs := make([]int, 1), make([]int, 1)
	if color == 0 {
		own[0], err = sieveAll(both, limit, batch)
	} else {
		own[0], err = countAll(both, limit, batch)
	}
	if err != nil {
		return err
	}
	total := make([]int, 1)
	if err := errors.Join(mpi.Allreduce(both, own, theirs, mpi.Sum), mpi.Allreduce(group, own, total, mpi.Sum)); err != nil {
		return err
	}
	if color == 1 && group.Rank() == 0 {
		_, err = fmt.Fprintf(out, "%d ranks found %d primes below %d, %d others %d twins among them\n",
			both.Remote().Size(), theirs[0], limit, both.Size(), total[0])
	}
	return errors.Join(err, both.Free(), group.Free())
}

// sieveAll sieves this rank's batches and sends the primes of each to the ranks of the other group in turn. Twins
// across two batches are seen by the later one, which begins two numbers early.
func sieveAll(both *mpi.Comm, limit, batch int) (primes int, err error) {
	for i := both.Rank(); i*batch < limit; i += both.Size() {
		first := i * batch
		found := sieve(max(first-2, 0), min(first+batch, limit))
		for _, p := range found {
			if p >= first {
				primes++
			}
		}
		if err := mpi.Send(both, found, i%both.Remote().Size(), i); err != nil {
			return 0, err
		}
	}
	return primes, nil
}

// countAll takes this rank's batches as they come.
func countAll(both *mpi.Comm, limit, batch int) (twins int, err error) {
	for i := both.Rank(); i*batch < limit; i += both.Size() {
		st, err := mpi.Probe(both, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return 0, err
		}
		n, _ := mpi.Count[int](st)
		primes := make([]int, n)
		if _, err := mpi.Recv(both, primes, st.Source, st.Tag); err != nil {
			return 0, err
		}
		for k := 1; k < len(primes); k++ {
			if primes[k] == primes[k-1]+2 {
				twins++
			}
		}
	}
	return twins, nil
}

// sieve returns the primes from first up to end-1.
func sieve(first, end int) (primes []int) {
	composite := make([]bool, end-first)
	for d := 2; d*d < end; d++ {
		for n := max(d*d, (first+d-1)/d*d); n < end; n += d {
			composite[n-first] = true
		}
	}
	for n := max(first, 2); n < end; n++ {
		if !composite[n-first] {
			primes = append(primes, n)
		}
	}
	return primes
}
