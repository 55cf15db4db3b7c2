package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

func ExampleGroup_Size() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		fmt.Println(world.Group().Size())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 1
}

// The ranks of a new group, in the order that is given.
func ExampleGroup_Incl() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		g, err := world.Group().Incl(3, 1)
		if err != nil || world.Rank() != 0 {
			return err
		}
		old, err := g.Translate([]int{0, 1}, world.Group())
		fmt.Println("its ranks 0 and 1 are ranks", old, "of the world")
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: its ranks 0 and 1 are ranks [3 1] of the world
}

// All ranks but the one that manages the others.
func ExampleGroup_Excl() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		workers, err := world.Group().Excl(0)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(workers.Size(), "workers")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 3 workers
}

// The ranks of either group: first those of the one, then those that only the other has.
func ExampleGroup_Union() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		all := world.Group()
		a, err := all.Incl(2, 0)
		if err != nil {
			return err
		}
		b, err := all.Incl(0, 3)
		if err != nil || world.Rank() != 0 {
			return err
		}
		ranks, err := a.Union(b).Translate([]int{0, 1, 2}, all)
		fmt.Println(ranks)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [2 0 3]
}

func ExampleGroup_Intersection() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		all := world.Group()
		a, err := all.Incl(0, 1, 2)
		if err != nil {
			return err
		}
		b, err := all.Incl(3, 2, 1)
		if err != nil || world.Rank() != 0 {
			return err
		}
		ranks, err := a.Intersection(b).Translate([]int{0, 1}, all)
		fmt.Println(ranks)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [1 2]
}

func ExampleGroup_Difference() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		all := world.Group()
		a, err := all.Incl(1, 2)
		if err != nil || world.Rank() != 0 {
			return err
		}
		ranks, err := all.Difference(a).Translate([]int{0, 1}, all)
		fmt.Println(ranks)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 3]
}

// Which ranks of one group are in another, and under which number.
func ExampleGroup_Translate() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		workers, err := world.Group().Excl(0)
		if err != nil || world.Rank() != 0 {
			return err
		}
		ranks, err := world.Group().Translate([]int{0, 1, 3}, workers)
		fmt.Println(ranks[0] == mpi.Undefined, ranks[1], ranks[2])
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: true 0 2
}

// A reduction of one's own: the number that is closest to 10.
func ExampleNewOp() {
	closest := mpi.NewOp(true, func(a, b int) int {
		if (a-10)*(a-10) <= (b-10)*(b-10) {
			return a
		}
		return b
	})
	err := mpi.Run(4, func(world *mpi.Comm) error {
		best := make([]int, 1)
		if err := mpi.Allreduce(world, []int{7 * world.Rank()}, best, closest); err != nil { // 0, 7, 14, 21
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(best[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 7
}

// A reduction of structs: the mean and what is needed to combine two of them.
func ExampleNewOp_struct() {
	type mean struct{ Count, Value float64 }
	combine := mpi.NewOp(true, func(a, b mean) mean {
		n := a.Count + b.Count
		return mean{n, (a.Count*a.Value + b.Count*b.Value) / n}
	})
	err := mpi.Run(2, func(world *mpi.Comm) error {
		mine := mean{Count: 1, Value: 5}
		if world.Rank() == 1 {
			mine = mean{Count: 3, Value: 1}
		}
		all := make([]mean, 1)
		if err := mpi.Reduce(world, []mean{mine}, all, combine, 0); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(all[0].Value, "of", all[0].Count)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 2 of 4
}

// The smallest value, and which rank has it.
func ExampleMinLoc() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		value := []float64{2.5, 0.5, 1.5}[world.Rank()]
		mine := []mpi.Loc[float64]{{Value: value, Index: world.Rank()}}
		best := make([]mpi.Loc[float64], 1)
		if err := mpi.Allreduce(world, mine, best, mpi.MinLoc[float64]()); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(best[0].Value, "at rank", best[0].Index)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 0.5 at rank 1
}

// The largest value, and which rank has it: the lowest of those that do.
func ExampleMaxLoc() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		value := []int{4, 9, 9}[world.Rank()]
		best := make([]mpi.Loc[int], 1)
		if err := mpi.Allreduce(world, []mpi.Loc[int]{{Value: value, Index: world.Rank()}}, best, mpi.MaxLoc[int]()); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(best[0].Value, "at rank", best[0].Index)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 9 at rank 1
}

func ExampleOp_String() {
	fmt.Println(mpi.Sum, mpi.MaxLoc[int](), mpi.NewOp(true, func(a, b int) int { return a | b }))
	// Output: sum maxloc user
}
