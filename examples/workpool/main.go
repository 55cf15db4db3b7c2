// Command workpool counts the primes below a limit with a manager and workers.
//
// The tasks are uneven (large numbers take longer), so dealing them out in advance would leave ranks idle.
// Instead rank 0 keeps them and gives one to whoever comes. It shows AnySource, AnyTag, the Status that tells who
// sent and which tag, and structs as messages. Run it with
//
//	weft run -n 4 ./examples/workpool
//	weft run -n 4 ./examples/workpool -limit 1000000 -task 5000
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

// Tags say what a message is.
const (
	tagTask   = iota // manager to worker: a task
	tagStop          // manager to worker: there are no more (no content)
	tagReady         // worker to manager: give me my first task (no content)
	tagResult        // worker to manager: the count for the task, and give me another
)

// task is the numbers from Low up to but not including High. A struct without pointers travels as it is.
type task struct{ Low, High int }

func main() {
	limit := flag.Int("limit", 5_000_000, "count the primes below this number")
	size := flag.Int("task", 50_000, "numbers per task")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error { return run(world, os.Stdout, *limit, *size) })
}

// run makes rank 0 the manager and the others workers. Alone, the manager does the work.
func run(world *mpi.Comm, out io.Writer, limit, size int) error {
	if size < 1 {
		return errors.New("-task must be at least 1")
	}
	tasks := cut(limit, size)
	switch {
	case world.Rank() > 0:
		return work(world)
	case world.Size() == 1:
		total := 0
		for _, t := range tasks {
			total += countPrimes(t)
		}
		_, err := fmt.Fprintf(out, "%d primes below %d\n", total, limit)
		return err
	}
	total, done, err := manage(world, tasks)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d primes below %d\n", total, limit)
	for worker := 1; worker < world.Size(); worker++ {
		fmt.Fprintf(out, "worker %d did %d of %d tasks\n", worker, done[worker], len(tasks))
	}
	return nil
}

// cut makes tasks of the given size.
func cut(limit, size int) []task {
	var tasks []task
	for low := 0; low < limit; low += size {
		tasks = append(tasks, task{low, min(low+size, limit)})
	}
	return tasks
}

// manage gives out the tasks and returns the sum of the results and how many tasks each worker did.
func manage(world *mpi.Comm, tasks []task) (total int, done []int, err error) {
	done = make([]int, world.Size())
	for working := world.Size() - 1; working > 0; {
		count := make([]int, 1)
		st, err := mpi.Recv(world, count, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return 0, nil, err
		}
		if st.Tag == tagResult {
			total += count[0]
			done[st.Source]++
		}
		if len(tasks) == 0 {
			working--
			err = mpi.Send[task](world, nil, st.Source, tagStop)
		} else {
			err = mpi.Send(world, tasks[:1], st.Source, tagTask)
			tasks = tasks[1:]
		}
		if err != nil {
			return 0, nil, err
		}
	}
	return total, done, nil
}

// work asks for tasks and does them until told to stop.
func work(world *mpi.Comm) error {
	if err := mpi.Send[int](world, nil, 0, tagReady); err != nil {
		return err
	}
	for {
		t := make([]task, 1)
		st, err := mpi.Recv(world, t, 0, mpi.AnyTag)
		if err != nil || st.Tag == tagStop {
			return err
		}
		if err := mpi.Send(world, []int{countPrimes(t[0])}, 0, tagResult); err != nil {
			return err
		}
	}
}

// countPrimes tries all divisors: slow on purpose, and slower for larger numbers.
func countPrimes(t task) int {
	count := 0
	for n := max(t.Low, 2); n < t.High; n++ {
		prime := true
		for d := 2; d*d <= n && prime; d++ {
			prime = n%d != 0
		}
		if prime {
			count++
		}
	}
	return count
}
