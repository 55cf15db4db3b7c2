package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Twelve ranks as a plane.
func ExampleDims() {
	sizes, err := mpi.Dims(12, 2)
	fmt.Println(sizes, err)
	// Output: [4 3] <nil>
}

// plane makes a grid of 2 x 3 ranks whose columns are rings.
func plane(do func(*mpi.Cart) error) {
	err := mpi.Run(6, func(world *mpi.Comm) error {
		cart, err := world.Cart([]int{2, 3}, []bool{true, false}, true)
		if err != nil {
			return err
		}
		if err := do(cart); err != nil {
			return err
		}
		return cart.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
}

// A plane of ranks whose columns are rings. With reorder, neighbours are on one host where that can be
// had.
func ExampleComm_Cart() {
	plane(func(cart *mpi.Cart) error {
		if cart.Rank() == 0 {
			fmt.Println(cart.Sizes(), cart.Periodic())
		}
		return nil
	})
	// Output: [2 3] [true false]
}

// How many rows and columns there are.
func ExampleCart_Sizes() {
	plane(func(cart *mpi.Cart) error {
		if sizes := cart.Sizes(); cart.Rank() == 0 {
			fmt.Printf("%d rows, %d columns\n", sizes[0], sizes[1])
		}
		return nil
	})
	// Output: 2 rows, 3 columns
}

// Which dimensions are rings.
func ExampleCart_Periodic() {
	plane(func(cart *mpi.Cart) error {
		if cart.Rank() == 0 {
			fmt.Println(cart.Periodic())
		}
		return nil
	})
	// Output: [true false]
}

// Where a rank is.
func ExampleCart_Coords() {
	plane(func(cart *mpi.Cart) error {
		at, err := cart.Coords(4)
		if cart.Rank() == 0 {
			fmt.Println("rank 4 is at", at)
		}
		return err
	})
	// Output: rank 4 is at [1 1]
}

// Who is at a place: above the first row is the last one, and right of the last column is nobody.
func ExampleCart_RankOf() {
	plane(func(cart *mpi.Cart) error {
		above, err := cart.RankOf(-1, 2)
		if err != nil {
			return err
		}
		right, err := cart.RankOf(0, 3)
		if cart.Rank() == 0 {
			fmt.Println(above, right == mpi.ProcNull)
		}
		return err
	})
	// Output: 5 true
}

// Everybody sends its rank to the right, and the first of each row hears nobody.
func ExampleCart_Shift() {
	plane(func(cart *mpi.Cart) error {
		left, right, err := cart.Shift(1, 1)
		if err != nil {
			return err
		}
		got := []int{-1}
		if _, err := mpi.Sendrecv(cart.Comm, []int{cart.Rank()}, right, 0, got, left, 0); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", cart.Rank(), got[0])
		return nil
	})
	// Unordered output:
	// rank 0 has -1
	// rank 1 has 0
	// rank 2 has 1
	// rank 3 has -1
	// rank 4 has 3
	// rank 5 has 4
}

// A sum over each row.
func ExampleCart_Sub() {
	plane(func(cart *mpi.Cart) error {
		row, err := cart.Sub(false, true)
		if err != nil {
			return err
		}
		sum := []int{0}
		if err := mpi.Allreduce(row.Comm, []int{cart.Rank()}, sum, mpi.Sum); err != nil {
			return err
		}
		if row.Rank() == 0 {
			fmt.Printf("the ranks of the row of %d add up to %d\n", cart.Rank(), sum[0])
		}
		return row.Free()
	})
	// Unordered output:
	// the ranks of the row of 0 add up to 3
	// the ranks of the row of 3 add up to 12
}
