// Command tally counts how many divisors numbers have, without a manager.
//
// Ranks draw tasks from a counter that lies in rank 0's memory, and add what they find to a table that is spread over all
// ranks. Nobody receives anything: rank 0 draws tasks like the others while they use its memory. It shows AllocateWindow,
// FetchOp, Accumulate, Get, and the two ways to say when operations are over (LockAll with UnlockAll, and Fence). Run it with
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

func run(world *mpi.Comm, out io.Writer, limit, size int) error {
	if size < 1 {
		return errors.New("-task must be at least 1")
	}
	counter, _, err := mpi.AllocateWindow[int](world, 1)
	if err != nil {
		return err
	}
	table, _, err := mpi.AllocateWindow[int](world, most/world.Size()+1)
	if err != nil {
		return err
	}
	if err := work(world, counter, table, limit, size); err != nil {
		return err
	}
	if world.Rank() == 0 {
		err = report(world, table, out, limit)
	}
	return errors.Join(err, table.Free(), counter.Free())
}

// work draws tasks until there are none. When it returns, all ranks have added what they found.
func work(world *mpi.Comm, counter, table *mpi.Window, limit, size int) error {
	if err := errors.Join(counter.LockAll(), table.LockAll()); err != nil {
		return err
	}
	for {
		first, err := mpi.FetchOp(counter, size, 0, 0, mpi.Sum)
		if err != nil {
			return err
		}
		if first >= limit {
			break
		}
		if err := add(world, table, first+1, min(first+size, limit)); err != nil {
			return err
		}
	}
	return errors.Join(table.UnlockAll(), counter.UnlockAll(), mpi.Barrier(world))
}

// add counts the divisors of the numbers from low to high, and adds that to the table: row d lies at rank d modulo the ranks.
func add(world *mpi.Comm, table *mpi.Window, low, high int) error {
	found := map[int]int{}
	for n := low; n <= high; n++ {
		found[divisors(n)]++
	}
	for d, count := range found {
		if err := mpi.Accumulate(table, []int{count}, d%world.Size(), d/world.Size(), mpi.Sum); err != nil {
			return err
		}
	}
	return table.FlushLocalAll() // the counts are ours again
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

// report reads the whole table and prints the rows that have the most numbers in them.
func report(world *mpi.Comm, table *mpi.Window, out io.Writer, limit int) error {
	rows := make([][]int, world.Size())
	if err := table.LockAll(); err != nil {
		return err
	}
	for rank := range rows {
		rows[rank] = make([]int, most/world.Size()+1)
		if err := mpi.Get(table, rows[rank], rank, 0); err != nil {
			return err
		}
	}
	if err := table.UnlockAll(); err != nil {
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
	_, err := fmt.Fprintf(out, "%d primes among the numbers to %d; most numbers (%d) have %d divisors; %d were counted\n", row(2), limit, row(best), best, total)
	return err
}
