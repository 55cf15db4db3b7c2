package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Adding up gradients of 16 bits.
func ExampleToBFloat16() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		gradient := []mpi.BFloat16{mpi.ToBFloat16(0.5), mpi.ToBFloat16(float32(world.Rank()))}
		if err := mpi.Allreduce(world, nil, gradient, mpi.Sum); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(gradient[0].Float32(), gradient[1].Float32())
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 1 1
}

func ExampleToFloat16() {
	fmt.Println(mpi.ToFloat16(1.0/3).Float32(), mpi.ToFloat16(65520).Float32())
	// Output: 0.33325195 +Inf
}

func ExampleFloat16Of() {
	fmt.Println(mpi.Float16Of(0x3c00).Float32())
	// Output: 1
}

func ExampleBFloat16Of() {
	fmt.Println(mpi.BFloat16Of(0x3f80).Float32())
	// Output: 1
}

func ExampleFloat16_Float32() {
	fmt.Println(mpi.ToFloat16(2049).Float32()) // a tie: to the even number
	// Output: 2048
}

func ExampleBFloat16_Float32() {
	fmt.Println(mpi.ToBFloat16(257).Float32())
	// Output: 256
}

func ExampleFloat16_Bits() {
	fmt.Printf("%#x\n", mpi.ToFloat16(-2).Bits())
	// Output: 0xc000
}

func ExampleBFloat16_Bits() {
	fmt.Printf("%#x\n", mpi.ToBFloat16(-2).Bits())
	// Output: 0xc000
}

func ExampleReduceLocal() {
	mine := []int{1, 20, 3}
	err := mpi.ReduceLocal([]int{10, 2, 3}, mine, mpi.Max)
	fmt.Println(mine, err)
	// Output: [10 20 3] <nil>
}
