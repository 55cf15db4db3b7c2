package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// onRing makes a ring of four ranks, whose neighbours are below and above.
func onRing(do func(ring *mpi.Comm) error) {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		ring, err := world.Cart([]int{4}, []bool{true}, true)
		if err != nil {
			return err
		}
		if err := do(ring.Comm); err != nil {
			return err
		}
		return ring.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
}

// A chain: every rank sends to the next one. The first receives from nobody, the last sends to nobody.
func ExampleComm_Graph() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var before, behind []int
		if me := world.Rank(); me > 0 {
			before = []int{me - 1}
		}
		if me := world.Rank(); me < world.Size()-1 {
			behind = []int{me + 1}
		}
		chain, err := world.Graph(before, behind, nil, false)
		if err != nil {
			return err
		}
		got := make([]int, len(before))
		if err := mpi.NeighborAllgather(chain, []int{world.Rank() * 10}, got); err != nil {
			return err
		}
		fmt.Println("rank", chain.Rank(), "gets", got)
		return chain.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 gets []
	// rank 1 gets [0]
	// rank 2 gets [10]
}

// Rank 0 knows the graph, of which the others need not know anything.
func ExampleComm_GraphOf() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var edges []mpi.Edge
		if world.Rank() == 0 {
			edges = []mpi.Edge{{From: 0, To: 1, Weight: 1}, {From: 0, To: 2, Weight: 5}, {From: 2, To: 1, Weight: 1}}
		}
		graph, err := world.GraphOf(edges, false)
		if err != nil {
			return err
		}
		sources, dests := graph.Neighbors()
		fmt.Println("rank", graph.Rank(), "receives from", sources, "and sends to", dests)
		return graph.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 receives from [] and sends to [1 2]
	// rank 1 receives from [0 2] and sends to []
	// rank 2 receives from [0] and sends to [1]
}

func ExampleComm_Neighbors() {
	onRing(func(ring *mpi.Comm) error {
		sources, dests := ring.Neighbors()
		fmt.Println("rank", ring.Rank(), "receives from", sources, "and sends to", dests)
		return nil
	})
	// Unordered output:
	// rank 0 receives from [3 1] and sends to [3 1]
	// rank 1 receives from [0 2] and sends to [0 2]
	// rank 2 receives from [1 3] and sends to [1 3]
	// rank 3 receives from [2 0] and sends to [2 0]
}

// A plane in which ranks send to those at two corners.
func ExampleCart_Neighborhood() {
	err := mpi.Run(6, func(world *mpi.Comm) error {
		plane, err := world.Cart([]int{2, 3}, []bool{true, true}, false)
		if err != nil {
			return err
		}
		corners, err := plane.Neighborhood([]int{1, 1}, []int{1, -1})
		if err != nil {
			return err
		}
		if _, dests := corners.Neighbors(); corners.Rank() == 0 {
			fmt.Println("rank 0 sends to", dests)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 sends to [4 5]
}

// Everybody learns what is beside it on a ring.
func ExampleNeighborAllgather() {
	onRing(func(ring *mpi.Comm) error {
		beside := make([]int, 2)
		err := mpi.NeighborAllgather(ring, []int{ring.Rank() * 10}, beside)
		if ring.Rank() == 0 {
			fmt.Println("beside rank 0 are", beside)
		}
		return err
	})
	// Output: beside rank 0 are [30 10]
}

func ExampleIneighborAllgather() {
	onRing(func(ring *mpi.Comm) error {
		beside := make([]int, 2)
		req := mpi.IneighborAllgather(ring, []int{ring.Rank() * 10}, beside)
		// do some work here that does not need beside
		_, err := req.Wait()
		if ring.Rank() == 0 {
			fmt.Println("beside rank 0 are", beside)
		}
		return err
	})
	// Output: beside rank 0 are [30 10]
}

// Rank r has r numbers.
func ExampleNeighborAllgatherv() {
	onRing(func(ring *mpi.Comm) error {
		sources, _ := ring.Neighbors()
		beside := make([]int, sources[0]+sources[1])
		err := mpi.NeighborAllgatherv(ring, make([]int, ring.Rank()), beside, sources, nil)
		if ring.Rank() == 2 {
			fmt.Println("beside rank 2 are", len(beside), "numbers")
		}
		return err
	})
	// Output: beside rank 2 are 4 numbers
}

func ExampleIneighborAllgatherv() {
	onRing(func(ring *mpi.Comm) error {
		sources, _ := ring.Neighbors()
		beside := make([]int, sources[0]+sources[1])
		req := mpi.IneighborAllgatherv(ring, make([]int, ring.Rank()), beside, sources, nil)
		// do some work here
		_, err := req.Wait()
		if ring.Rank() == 2 {
			fmt.Println("beside rank 2 are", len(beside), "numbers")
		}
		return err
	})
	// Output: beside rank 2 are 4 numbers
}

// One number goes to the rank below, another to the one above: what comes from below is what was sent above.
func ExampleNeighborAlltoall() {
	onRing(func(ring *mpi.Comm) error {
		send, recv := []int{ring.Rank()*10 + 1, ring.Rank()*10 + 2}, make([]int, 2)
		err := mpi.NeighborAlltoall(ring, send, recv)
		if ring.Rank() == 1 {
			fmt.Println("from below comes", recv[0], "and from above", recv[1])
		}
		return err
	})
	// Output: from below comes 2 and from above 21
}

func ExampleIneighborAlltoall() {
	onRing(func(ring *mpi.Comm) error {
		send, recv := []int{ring.Rank()*10 + 1, ring.Rank()*10 + 2}, make([]int, 2)
		req := mpi.IneighborAlltoall(ring, send, recv)
		// do some work here
		_, err := req.Wait()
		if ring.Rank() == 1 {
			fmt.Println("from below comes", recv[0], "and from above", recv[1])
		}
		return err
	})
	// Output: from below comes 2 and from above 21
}

// Everybody sends as many numbers below as its rank is, and one above.
func ExampleNeighborAlltoallv() {
	onRing(func(ring *mpi.Comm) error {
		sources, _ := ring.Neighbors()
		sends, recvs := []int{ring.Rank(), 1}, []int{1, sources[1]}
		recv := make([]int, recvs[0]+recvs[1])
		err := mpi.NeighborAlltoallv(ring, make([]int, ring.Rank()+1), sends, nil, recv, recvs, nil)
		if ring.Rank() == 2 {
			fmt.Println("from above come", recvs[1], "numbers")
		}
		return err
	})
	// Output: from above come 3 numbers
}

func ExampleIneighborAlltoallv() {
	onRing(func(ring *mpi.Comm) error {
		sources, _ := ring.Neighbors()
		sends, recvs := []int{ring.Rank(), 1}, []int{1, sources[1]}
		recv := make([]int, recvs[0]+recvs[1])
		req := mpi.IneighborAlltoallv(ring, make([]int, ring.Rank()+1), sends, nil, recv, recvs, nil)
		// do some work here
		_, err := req.Wait()
		if ring.Rank() == 2 {
			fmt.Println("from above come", recvs[1], "numbers")
		}
		return err
	})
	// Output: from above come 3 numbers
}

// repeated starts a call twice and says what it has brought.
func repeated(ring *mpi.Comm, req mpi.Request, got []int) error {
	for range 2 {
		if err := mpi.Start(req); err != nil {
			return err
		}
		if _, err := req.Wait(); err != nil {
			return err
		}
	}
	if ring.Rank() == 1 {
		fmt.Println("rank 1 has", got)
	}
	return req.Free()
}

func ExampleNeighborAllgatherInit() {
	onRing(func(ring *mpi.Comm) error {
		got := make([]int, 2)
		return repeated(ring, mpi.NeighborAllgatherInit(ring, []int{ring.Rank()}, got), got)
	})
	// Output: rank 1 has [0 2]
}

func ExampleNeighborAllgathervInit() {
	onRing(func(ring *mpi.Comm) error {
		got := make([]int, 2)
		return repeated(ring, mpi.NeighborAllgathervInit(ring, []int{ring.Rank()}, got, []int{1, 1}, nil), got)
	})
	// Output: rank 1 has [0 2]
}

func ExampleNeighborAlltoallInit() {
	onRing(func(ring *mpi.Comm) error {
		got := make([]int, 2)
		return repeated(ring, mpi.NeighborAlltoallInit(ring, []int{-ring.Rank(), ring.Rank()}, got), got)
	})
	// Output: rank 1 has [0 -2]
}

func ExampleNeighborAlltoallvInit() {
	onRing(func(ring *mpi.Comm) error {
		got := make([]int, 2)
		return repeated(ring, mpi.NeighborAlltoallvInit(ring, []int{-ring.Rank(), ring.Rank()}, []int{1, 1}, nil, got, []int{1, 1}, nil), got)
	})
	// Output: rank 1 has [0 -2]
}

// Every rank has a matrix of 2 x 4, of which the columns at the borders belong to its neighbours.
func ExampleNeighborAlltoallLayout() {
	onRing(func(ring *mpi.Comm) error {
		column := func(j int) mpi.Layout { return mpi.Subarray{Sizes: []int{2, 4}, Sub: []int{2, 1}, Start: []int{0, j}} }
		a := []int{0, 10*ring.Rank() + 1, 10*ring.Rank() + 2, 0, 0, 10*ring.Rank() + 3, 10*ring.Rank() + 4, 0}
		err := mpi.NeighborAlltoallLayout(ring, a, []mpi.Layout{column(1), column(2)}, a, []mpi.Layout{column(0), column(3)})
		if ring.Rank() == 1 {
			fmt.Println(a[:4], a[4:])
		}
		return err
	})
	// Output: [2 11 12 21] [4 13 14 23]
}

func ExampleIneighborAlltoallLayout() {
	onRing(func(ring *mpi.Comm) error {
		send, recv := []int{1, 2, 3, 4}, make([]int, 2)
		every := mpi.Strided{Count: 2, Block: 1, Stride: 2}
		sources, dests := ring.Neighbors()
		sendAt, recvAt := make([]mpi.Layout, len(dests)), make([]mpi.Layout, len(sources))
		sendAt[1], recvAt[0] = every, mpi.Strided{Count: 1, Block: 2, Stride: 2} // to the one above, from the one below
		req := mpi.IneighborAlltoallLayout(ring, send, sendAt, recv, recvAt)
		// do some work here
		_, err := req.Wait()
		if ring.Rank() == 0 {
			fmt.Println(recv)
		}
		return err
	})
	// Output: [1 3]
}
