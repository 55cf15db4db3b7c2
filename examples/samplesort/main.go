// Command samplesort sorts numbers that are spread over all ranks: afterwards rank 0 has the
// smallest, the last rank the largest.
//
// Each rank sorts its own numbers and shows some of them, evenly spaced, to all. From these samples
// everybody finds the same splitters, which cut the numbers into one part per rank; an all-to-all
// exchange brings each part to its rank, which merges what it gets. No rank ever sees all numbers.
// It shows Allgather, Alltoall to agree on counts, Alltoallv for the exchange, and reductions to
// check the result. Run it with
//
//	weft run -n 4 ./examples/samplesort
//	weft run -n 4 ./examples/samplesort -numbers 10000000
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

func main() {
	numbers := flag.Int("numbers", 1_000_000, "how many numbers to sort, together")
	seed := flag.Uint64("seed", 1, "another seed draws other numbers")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, *numbers, *seed)
	})
}

// run sorts random numbers, and has rank 0 print how long that took.
func run(world *mpi.Comm, out io.Writer, numbers int, seed uint64) error {
	if numbers < 0 {
		return fmt.Errorf("-numbers %d: it must not be negative", numbers)
	}
	share := (world.Rank()+1)*numbers/world.Size() - world.Rank()*numbers/world.Size()
	stream := rand.New(rand.NewPCG(seed, uint64(world.Rank())))
	own := make([]int64, share)
	for i := range own {
		own[i] = stream.Int64()
	}
	before := digest(own)
	if err := mpi.Barrier(world); err != nil { // everybody has its numbers; now the clock means something
		return err
	}
	begin := mpi.Wtime()
	sorted, err := samplesort(world, own)
	if err != nil {
		return err
	}
	if err := mpi.Barrier(world); err != nil {
		return err
	}
	seconds := mpi.Wtime() - begin
	if err := check(world, sorted, before); err != nil {
		return err
	}
	most := make([]int, 1)
	if err := mpi.Reduce(world, []int{len(sorted)}, most, mpi.Max, 0); err != nil || world.Rank() != 0 {
		return err
	}
	_, err = fmt.Fprintf(out, "%d numbers on %d ranks: sorted in %.3f s, at most %d on a rank\n", numbers, world.Size(), seconds, most[0])
	return err
}

// samplesort sorts the numbers of all ranks and returns this rank's part. It changes the order of
// own.
func samplesort(world *mpi.Comm, own []int64) ([]int64, error) {
	slices.Sort(own)
	splitters, err := agree(world, own)
	if err != nil {
		return nil, err
	}
	sendCounts := make([]int, world.Size())
	begin := 0
	for r := range sendCounts {
		end := len(own)
		if r < len(splitters) {
			end, _ = slices.BinarySearch(own, splitters[r])
		}
		sendCounts[r] = end - begin
		begin = end
	}
	recvCounts := make([]int, world.Size())
	if err := mpi.Alltoall(world, sendCounts, recvCounts); err != nil {
		return nil, err
	}
	total := 0
	for _, n := range recvCounts {
		total += n
	}
	part := make([]int64, total)
	if err := mpi.Alltoallv(world, own, sendCounts, nil, part, recvCounts, nil); err != nil {
		return nil, err
	}
	return merge(part, recvCounts), nil
}

// oversample is how many samples a rank shows for each rank: more make the parts more even.
const oversample = 8

// agree returns the numbers at which the ranks' parts meet, one fewer than ranks, the same
// everywhere. They come from samples of everybody's sorted numbers; ranks without numbers show
// none.
func agree(world *mpi.Comm, sorted []int64) ([]int64, error) {
	want := min(len(sorted), oversample*world.Size())
	samples := make([]int64, want)
	for i := range samples {
		samples[i] = sorted[i*len(sorted)/want]
	}
	counts := make([]int, world.Size())
	if err := mpi.Allgather(world, []int{want}, counts); err != nil {
		return nil, err
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	all := make([]int64, total)
	if err := mpi.Allgatherv(world, samples, all, counts, nil); err != nil {
		return nil, err
	}
	slices.Sort(all)
	splitters := make([]int64, world.Size()-1)
	for r := range splitters {
		if total > 0 {
			splitters[r] = all[(r+1)*total/world.Size()]
		}
	}
	return splitters, nil
}

// merge makes one sorted list of several that lie one after the other, with the given lengths. Each
// round merges pairs.
func merge(lists []int64, lengths []int) []int64 {
	spare := make([]int64, len(lists))
	for len(lengths) > 1 {
		var merged []int
		out := spare[:0]
		rest := lists
		for i := 0; i < len(lengths); i += 2 {
			a := rest[:lengths[i]]
			rest = rest[len(a):]
			var b []int64
			if i+1 < len(lengths) {
				b = rest[:lengths[i+1]]
				rest = rest[len(b):]
			}
			out = mergePair(out, a, b)
			merged = append(merged, len(a)+len(b))
		}
		lists, spare, lengths = out, lists, merged
	}
	return lists
}

// mergePair appends two sorted lists to out as one.
func mergePair(out, a, b []int64) []int64 {
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// digest is what sorting must not change: how many numbers there are, and their sum.
func digest(numbers []int64) []int64 {
	d := []int64{int64(len(numbers)), 0}
	for _, x := range numbers {
		d[1] += x // may overflow, everywhere alike
	}
	return d
}

// check sees that the ranks' parts are sorted, follow each other, and have the same numbers as
// before. All ranks call it.
func check(world *mpi.Comm, part, before []int64) error {
	was, is := make([]int64, 2), make([]int64, 2)
	if err := mpi.Allreduce(world, before, was, mpi.Sum); err != nil {
		return err
	}
	if err := mpi.Allreduce(world, digest(part), is, mpi.Sum); err != nil {
		return err
	}
	const least = -1 << 63
	largest, below := []int64{least}, []int64{least} // rank 0 has nobody below
	if len(part) > 0 {
		largest[0] = part[len(part)-1]
	}
	if err := mpi.Exscan(world, largest, below, mpi.Max); err != nil {
		return err
	}
	switch {
	case !slices.Equal(was, is):
		return fmt.Errorf("%d numbers that add up to %d became %d that add up to %d", was[0], was[1], is[0], is[1])
	case !slices.IsSorted(part):
		return errors.New("the numbers of this rank are not sorted")
	case len(part) > 0 && part[0] < below[0]:
		return errors.New("a rank below has a larger number than this rank's smallest")
	}
	return nil
}
