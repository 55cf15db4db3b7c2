package mpi_test

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// onTwo runs a program on two ranks and prints its error, if there is one.
func onTwo(f func(world *mpi.Comm) error) {
	if err := mpi.Run(2, f); err != nil {
		fmt.Println(err)
	}
}

// A column of a matrix of 3 x 4, whose rows lie one after the other, is sent to a row of another.
func ExampleSendLayout() {
	onTwo(func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			a := []int{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}
			return mpi.SendLayout(world, a[2:], mpi.Strided{Count: 3, Block: 1, Stride: 4}, 1, 0) // column 2
		}
		row := make([]int, 3)
		_, err := mpi.Recv(world, row, 0, 0)
		fmt.Println(row)
		return err
	})
	// Output: [2 12 22]
}

func ExampleRecvLayout() {
	onTwo(func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{7, 8}, 1, 0)
		}
		a := make([]int, 6) // a matrix of 2 x 3
		_, err := mpi.RecvLayout(world, a, mpi.Strided{Count: 2, Block: 1, Stride: 3}, 0, 0)
		fmt.Println(a)
		return err
	})
	// Output: [7 0 0 8 0 0]
}

// The inner 2 x 2 elements of a matrix of 4 x 4.
func ExampleSubarray() {
	onTwo(func(world *mpi.Comm) error {
		inner := mpi.Subarray{Sizes: []int{4, 4}, Sub: []int{2, 2}, Start: []int{1, 1}}
		a := make([]int, 16)
		if world.Rank() == 1 {
			_, err := mpi.RecvLayout(world, a, inner, 0, 0)
			fmt.Println(a[4:8], a[8:12])
			return err
		}
		for i := range a {
			a[i] = i
		}
		return mpi.SendLayout(world, a, inner, 1, 0)
	})
	// Output: [0 5 6 0] [0 9 10 0]
}

// Two fields of all structs of a slice: the others stay as they are at the receiver.
func ExampleFields() {
	type particle struct {
		ID   int32
		Mass float64
		Hot  bool
	}
	onTwo(func(world *mpi.Comm) error {
		some := mpi.Fields[particle](2, "ID", "Mass")
		if world.Rank() == 0 {
			return mpi.SendLayout(world, []particle{{1, 0.5, true}, {2, 1.5, true}}, some, 1, 0)
		}
		got := make([]particle, 2)
		_, err := mpi.RecvLayout(world, got, some, 0, 0)
		fmt.Println(got)
		return err
	})
	// Output: [{1 0.5 false} {2 1.5 false}]
}

func ExampleFrom() {
	packed, err := mpi.Pack(nil, []byte("abcdefgh"), mpi.From(1, mpi.Strided{Count: 3, Block: 1, Stride: 2}))
	fmt.Println(string(packed), err)
	// Output: bdf <nil>
}

func ExampleIsendLayout() {
	onTwo(func(world *mpi.Comm) error {
		ends := mpi.Indexed{{Start: 0, Len: 1}, {Start: 4, Len: 2}}
		if world.Rank() == 0 {
			_, err := mpi.IsendLayout(world, []int{1, 2, 3, 4, 5, 6}, ends, 1, 0).Wait()
			return err
		}
		got := make([]int, 3)
		_, err := mpi.Recv(world, got, 0, 0)
		fmt.Println(got)
		return err
	})
	// Output: [1 5 6]
}

func ExampleIrecvLayout() {
	onTwo(func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{7, 8}, 1, 0)
		}
		got := make([]int, 5)
		_, err := mpi.IrecvLayout(world, got, mpi.Indexed{{Start: 4, Len: 1}, {Start: 1, Len: 1}}, 0, 0).Wait()
		fmt.Println(got)
		return err
	})
	// Output: [0 8 0 0 7]
}

// Ranks swap a column for a row of a matrix of 2 x 2.
func ExampleSendrecvLayout() {
	onTwo(func(world *mpi.Comm) error {
		me, other := world.Rank(), 1-world.Rank()
		a := []int{10 * me, 10*me + 1, 10*me + 2, 10*me + 3}
		column := mpi.Strided{Count: 2, Block: 1, Stride: 2}
		row := make([]int, 2)
		if _, err := mpi.SendrecvLayout(world, a, column, other, 0, row, nil, other, 0); err != nil {
			return err
		}
		if me == 0 {
			fmt.Println(row)
		}
		return nil
	})
	// Output: [10 12]
}

func ExampleMrecvLayout() {
	onTwo(func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{1, 2}, 1, 0)
		}
		m, err := mpi.Mprobe(world, 0, mpi.AnyTag)
		if err != nil {
			return err
		}
		n, _ := mpi.Count[int](m.Status())
		got := make([]int, 2*n)
		_, err = mpi.MrecvLayout(m, got, mpi.Strided{Count: n, Block: 1, Stride: 2})
		fmt.Println(got)
		return err
	})
	// Output: [1 0 2 0]
}

func ExampleImrecvLayout() {
	onTwo(func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{1, 2}, 1, 0)
		}
		m, err := mpi.Mprobe(world, 0, 0)
		if err != nil {
			return err
		}
		got := make([]int, 3)
		_, err = mpi.ImrecvLayout(m, got, mpi.From(1, mpi.Strided{Count: 2, Block: 1, Stride: 1})).Wait()
		fmt.Println(got)
		return err
	})
	// Output: [0 1 2]
}

func ExamplePack() {
	a := []byte("a matrix")
	packed, err := mpi.Pack(nil, a, mpi.Strided{Count: 4, Block: 1, Stride: 2})
	packed, err2 := mpi.Pack(packed, a, mpi.Indexed{{Start: 7, Len: 1}})
	fmt.Println(string(packed), errors.Join(err, err2))
	// Output: amtix <nil>
}

func ExampleUnpack() {
	a, b := make([]byte, 5), make([]byte, 1)
	for i := range a {
		a[i] = '.'
	}
	rest, err := mpi.Unpack([]byte("abcd"), a, mpi.Strided{Count: 3, Block: 1, Stride: 2})
	_, err2 := mpi.Unpack(rest, b, nil)
	fmt.Println(string(a), string(b), errors.Join(err, err2))
	// Output: a.b.c d <nil>
}

// A matrix whose rows are dealt to ranks is transposed: rank r sends its block of columns s to rank s, which puts it
// into its columns r.
func ExampleAlltoallLayout() {
	onTwo(func(world *mpi.Comm) error {
		me := world.Rank()
		mine := []int{10 * me, 10*me + 1} // one row of two
		transposed := make([]int, 2)
		each := []mpi.Layout{mpi.Indexed{{Start: 0, Len: 1}}, mpi.Indexed{{Start: 1, Len: 1}}}
		if err := mpi.AlltoallLayout(world, mine, each, transposed, each); err != nil {
			return err
		}
		if me == 1 {
			fmt.Println(transposed)
		}
		return nil
	})
	// Output: [1 11]
}

func ExampleIalltoallLayout() {
	onTwo(func(world *mpi.Comm) error {
		a, b := []int{1, 2, 3, 4}, make([]int, 4)
		odd := mpi.From(1, mpi.Strided{Count: 2, Block: 1, Stride: 2})
		to := make([]mpi.Layout, 2) // nothing to oneself
		to[1-world.Rank()] = odd
		if _, err := mpi.IalltoallLayout(world, a, to, b, to).Wait(); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(b)
		}
		return nil
	})
	// Output: [0 2 0 4]
}

// inWindow has rank 0 do something to rank 1's part of a window, which holds 0 to 5, and prints what is there then.
func inWindow(do func(w *mpi.Window) error) {
	onTwo(func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 6)
		if err != nil {
			return err
		}
		for i := range mem {
			mem[i] = i
		}
		err = win.Fence()
		if world.Rank() == 0 {
			err = errors.Join(err, do(win))
		}
		err = errors.Join(err, win.Fence())
		if world.Rank() == 1 {
			fmt.Println(mem)
		}
		return errors.Join(err, win.Free())
	})
}

var everySecond = mpi.Strided{Count: 3, Block: 1, Stride: 2}

func ExamplePutLayouts() {
	inWindow(func(w *mpi.Window) error {
		return mpi.PutLayouts(w, []int{10, 20, 30, 40, 50, 60}, everySecond, 1, 1, everySecond)
	})
	// Output: [0 10 2 30 4 50]
}

func ExampleAccumulateLayouts() {
	inWindow(func(w *mpi.Window) error {
		return mpi.AccumulateLayouts(w, []int{1, 2, 3, 4, 5, 6}, mpi.From(1, everySecond), 1, 0, nil, mpi.Sum)
	})
	// Output: [2 5 8 3 4 5]
}

func ExampleGetLayouts() {
	got := make([]int, 6)
	inWindow(func(w *mpi.Window) error {
		return mpi.GetLayouts(w, got, everySecond, 1, 3, mpi.Strided{Count: 1, Block: 3})
	})
	fmt.Println(got)
	// Output:
	// [0 1 2 3 4 5]
	// [3 0 4 0 5 0]
}
