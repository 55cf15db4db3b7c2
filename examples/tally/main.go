// Command tally counts how many divisors numbers have, without a manager.
//
// Ranks draw tasks from a counter that lies in rank 0's memory, and add what they find to a table that is
// spread over all ranks; the number with the most divisors is kept at rank 0. Nobody receives anything:
// rank 0 draws tasks like the others while they use its memory. It shows AllocateWindow, FetchOp,
// Accumulate with Sum and MaxLoc, Get, and two ways to say when operations are over (LockAll with
// UnlockAll, and Fence). Run it with
//
//	weft run -n 4 ./examples/tally
//	weft run -n 4 ./examples/tally -limit 1000000 -task 1000
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

// most is the largest number of divisors that has a row of its own in the table.
const most = 400

func main() {
	limit := flag.Int("limit", 300_000, "look at the numbers from 1 to this one")
	size := flag.Int("task", 2_000, "numbers per task")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, *limit, *size) })
}

// windows is the memory that the ranks use together.
type windows struct {
	counter *mpi.Window // rank 0: the numbers up to this one have been drawn
	table   *mpi.Window // how many numbers have d divisors: row d lies at rank d modulo the ranks
	record  *mpi.Window // rank 0: the most divisors, and the lowest number that has them
}

func run(world *mpi.Comm, out io.Writer, limit, size int) error {
	if size < 1 {
		return errors.New("-task must be at least 1")
	}
	var w windows
	var err [3]error
	w.counter, _, err[0] = mpi.AllocateWindow[int](world, 1)
	w.table, _, err[1] = mpi.AllocateWindow[int](world, most/world.Size()+1)
	w.record, _, err[2] = mpi.AllocateWindow[mpi.Loc[int]](world, 1)
	if err := errors.Join(err[:]...); err != nil {
		return err
	}
	if err := work(world, &w, limit, size); err != nil {
		return err
	}
	if err := report(world, &w, out, limit); err != nil {
		return err
	}
	return errors.Join(w.record.Free(), w.table.Free(), w.counter.Free())
}

// work draws tasks until there are none. When it returns, everything that this rank has found is in the windows.
func work(world *mpi.Comm, w *windows, limit, size int) error {
	if err := errors.Join(w.counter.LockAll(), w.table.LockAll(), w.record.LockAll()); err != nil {
		return err
	}
	for {
		first, err := mpi.FetchOp(w.counter, size, 0, 0, mpi.Sum)
		if err != nil {
			return err
		}
		if first >= limit {
			break
		}
		if err := add(world, w, first+1, min(first+size, limit)); err != nil {
			return err
		}
	}
	return errors.Join(w.record.UnlockAll(), w.table.UnlockAll(), w.counter.UnlockAll())
}

// add counts the divisors of the numbers from low to high, and adds that to the table and the record.
func add(world *mpi.Comm, w *windows, low, high int) error {
	found := map[int]int{}
	best := mpi.Loc[int]{}
	for n := low; n <= high; n++ {
		d := divisors(n)
		found[d]++
		if d > best.Value {
			best = mpi.Loc[int]{Value: d, Index: n}
		}
	}
	for d, count := range found {
		if err := mpi.Accumulate(w.table, []int{count}, d%world.Size(), d/world.Size(), mpi.Sum); err != nil {
			return err
		}
	}
	err := mpi.Accumulate(w.record, []mpi.Loc[int]{best}, 0, 0, mpi.MaxLoc[int]())
	return errors.Join(err, w.table.FlushLocalAll(), w.record.FlushLocalAll()) // the counts are ours again
}

func divisors(n int) (count int) {
	for d := 1; d*d <= n; d++ {
		if n%d == 0 {
			count += 2
			if d*d == n {
				count--
			}
		}
	}
	return count
}

// report has rank 0 read all of it and print what there is to say. All ranks call it: the first fence waits
// until everybody has added what it found, the second until rank 0 has read it.
func report(world *mpi.Comm, w *windows, out io.Writer, limit int) error {
	rows := make([][]int, world.Size())
	record := make([]mpi.Loc[int], 1)
	err := errors.Join(w.table.Fence(), w.record.Fence())
	if world.Rank() == 0 {
		for rank := range rows {
			rows[rank] = make([]int, most/world.Size()+1)
			err = errors.Join(err, mpi.Get(w.table, rows[rank], rank, 0))
		}
		err = errors.Join(err, mpi.Get(w.record, record, 0, 0))
	}
	err = errors.Join(err, w.table.Fence(mpi.NoSucceed), w.record.Fence(mpi.NoSucceed))
	if err != nil || world.Rank() != 0 {
		return err
	}
	total, best := 0, 0
	row := func(d int) int { return rows[d%world.Size()][d/world.Size()] }
	for d := range most {
		total += row(d)
		if row(d) > row(best) {
			best = d
		}
	}
	_, err = fmt.Fprintf(out, "%d primes among the numbers to %d; most numbers (%d) have %d divisors; %d has the most, %d; %d were counted\n",
		row(2), limit, row(best), best, record[0].Index, record[0].Value, total)
	return err
}
