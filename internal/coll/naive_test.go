package coll

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/topo"
)

// The naive twin: what each operation means, written down without any
// communication, and a world of ranks to compare the algorithms with it.

const elemSize = 4

// add sums elements as 32-bit numbers, so that carries betray a split element.
func add(dst, src []byte, _ bool) {
	for i := 0; i < len(dst); i += elemSize {
		binary.LittleEndian.PutUint32(dst[i:], binary.LittleEndian.Uint32(dst[i:])+binary.LittleEndian.Uint32(src[i:]))
	}
}

// matmul multiplies elements as 2x2 matrices of bytes: associative, but the
// order of the operands matters.
func matmul(dst, src []byte, srcFirst bool) {
	for i := 0; i < len(dst); i += elemSize {
		a, b := [4]byte(dst[i:]), [4]byte(src[i:])
		if srcFirst {
			a, b = b, a
		}
		dst[i], dst[i+1] = a[0]*b[0]+a[1]*b[2], a[0]*b[1]+a[1]*b[3]
		dst[i+2], dst[i+3] = a[2]*b[0]+a[3]*b[2], a[2]*b[1]+a[3]*b[3]
	}
}

func combineOf(c Case) plan.Combine {
	if c.Commutative {
		return add
	}
	return matmul
}

// data is what rank from has for rank to (0 where it has one thing for all).
// Every four bytes are a matrix with odd determinant, so that products never
// collapse to zero.
func data(from, to, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(from*37+to*11+i*7) &^ 1
		if i%elemSize == 0 || i%elemSize == 3 {
			b[i] |= 1
		}
	}
	return b
}

// lottery is a stream of numbers without much sense.
type lottery uint64

func (l *lottery) pick(n int) int {
	*l = *l*6364136223846793005 + 1442695040888963407
	return int(uint64(*l)>>33) % n
}

// counts says how many bytes each rank sends to each in an irregular case.
type counts [][]int

// describe returns each rank's view of a call. For the v forms and for
// ReduceScatter with counts, blocks come from n and lie in reverse order with
// gaps between them (ReduceScatter knows neither).
func describe(base Case, n counts) []Case {
	cases := make([]Case, base.Ranks)
	for rank := range cases {
		c := base
		c.Rank = rank
		row, column := make([]int, c.Ranks), make([]int, c.Ranks)
		for i := range c.Ranks {
			if n == nil {
				break
			}
			row[i], column[i] = n[rank][i], n[i][rank]
			switch {
			case c.Op == Scatterv:
				row[i] = n[0][i]
			case c.Op != Alltoallv:
				column[i] = n[0][i]
			case c.InPlace:
				column[i] = n[min(i, rank)][max(i, rank)]
			}
		}
		switch c.Op {
		case Gatherv:
			c.Bytes = n[0][rank]
			if rank == c.Root {
				c.RecvCounts, c.RecvDispls = column, gaps(column)
			}
		case Scatterv:
			c.Bytes = n[0][rank]
			if rank == c.Root {
				c.SendCounts, c.SendDispls = row, gaps(row)
			}
		case Allgatherv:
			c.RecvCounts, c.RecvDispls = column, gaps(column)
		case Alltoallv:
			c.RecvCounts, c.RecvDispls = column, gaps(column)
			if !c.InPlace {
				c.SendCounts, c.SendDispls = row, gaps(row)
			}
		case ReduceScatter:
			if n != nil {
				c.RecvCounts = column
			}
		}
		if c.Op.Neighborly() && n != nil {
			c = c.alongEdges(n)
		}
		cases[rank] = c
	}
	return cases
}

// alongEdges gives the blocks of edges lengths: those from a rank to another may differ.
func (c Case) alongEdges(n counts) Case {
	length := func(e edge) int {
		if c.Op == NeighborAllgatherv {
			return n[0][e.rank]
		}
		return n[e.rank][e.slot%c.Ranks]
	}
	c.RecvCounts = []int{}
	for _, end := range c.Graph.In(c.Rank) {
		c.RecvCounts = append(c.RecvCounts, length(edge{max(end.Place, 0), end.Slot}))
	}
	c.RecvDispls = gaps(c.RecvCounts)
	if c.Op == NeighborAllgatherv {
		c.Bytes = n[0][c.Rank]
		return c
	}
	c.SendCounts = []int{}
	for slot := range c.Graph.Out(c.Rank) {
		c.SendCounts = append(c.SendCounts, length(edge{c.Rank, slot}))
	}
	c.SendDispls = gaps(c.SendCounts)
	return c
}

func gaps(counts []int) []int {
	displs := make([]int, len(counts))
	off := 0
	for i := len(counts) - 1; i >= 0; i-- {
		displs[i] = off
		off += counts[i] + 3
	}
	return displs
}

func at(b []byte, s plan.Span) []byte { return b[s.Off:s.End()] }

// contribute fills one rank's buffers before the call; what is nobody's
// business is 0xEE.
func contribute(c Case) plan.Bufs {
	lens := c.Lens()
	b := plan.Bufs{In: make([]byte, lens.In), Out: bytes.Repeat([]byte{0xEE}, lens.Out)}
	own := b.In
	if c.inPlace() {
		own = b.Out
	}
	root := c.Rank == c.Root
	switch c.Op {
	case Bcast:
		if root {
			copy(b.Out, data(c.Rank, 0, c.Bytes))
		}
	case Reduce, Allreduce, Scan, Exscan:
		copy(own, data(c.Rank, 0, c.Bytes))
	case ReduceScatter:
		copy(own, data(c.Rank, 0, c.vectorOffs()[c.Ranks]))
	case Gather, Gatherv, Allgather, Allgatherv:
		s := c.source()
		copy(at(own, s), data(c.Rank, 0, s.Len))
	case Scatter, Scatterv:
		for i := 0; root && i < c.Ranks; i++ {
			copy(at(b.In, c.sendBlock(i)), data(c.Rank, i, c.sendBlock(i).Len))
		}
	case NeighborAllgather, NeighborAllgatherv:
		copy(own, data(c.Rank, 0, c.Bytes))
	case NeighborAlltoall, NeighborAlltoallv:
		for i := range c.Graph.Out(c.Rank) {
			copy(at(own, c.sendBlock(i)), data(c.Rank, i, c.sendBlock(i).Len))
		}
	case Alltoall, Alltoallv:
		for i := range c.Ranks {
			s := c.sendBlock(i)
			if c.InPlace {
				s = c.recvBlock(i)
			}
			copy(at(own, s), data(c.Rank, i, s.Len))
		}
	}
	return b
}

// result returns what one rank's Out must be after the call, given what it was
// before.
func result(c Case, before []byte) []byte {
	want := bytes.Clone(before)
	total := func(first, end, n int) []byte {
		sum := data(first, 0, n)
		for i := first + 1; i < end; i++ {
			combineOf(c)(sum, data(i, 0, n), false)
		}
		return sum
	}
	root := c.Rank == c.Root
	switch c.Op {
	case Bcast:
		copy(want, data(c.Root, 0, c.Bytes))
	case Reduce:
		if root {
			copy(want, total(0, c.Ranks, c.Bytes))
		}
	case Allreduce:
		copy(want, total(0, c.Ranks, c.Bytes))
	case Scan:
		copy(want, total(0, c.Rank+1, c.Bytes))
	case Exscan:
		if c.Rank > 0 {
			copy(want, total(0, c.Rank, c.Bytes))
		}
	case ReduceScatter:
		offs := c.vectorOffs()
		copy(want, total(0, c.Ranks, offs[c.Ranks])[offs[c.Rank]:offs[c.Rank+1]])
	case Gather, Gatherv, Allgather, Allgatherv, Alltoall, Alltoallv:
		to := 0
		if c.Op == Alltoall || c.Op == Alltoallv {
			to = c.Rank
		}
		for i := 0; i < c.Ranks && (root || !c.rooted()); i++ {
			s := c.recvBlock(i)
			copy(at(want, s), data(i, to, s.Len))
		}
	case Scatter, Scatterv:
		copy(want, data(c.Root, c.Rank, len(want)))
	case NeighborAllgather, NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv:
		for i, end := range c.Graph.In(c.Rank) {
			if end.Place == topo.Nowhere {
				continue
			}
			to := end.Slot
			if c.Op == NeighborAllgather || c.Op == NeighborAllgatherv {
				to = 0
			}
			copy(at(want, c.recvBlock(i)), data(end.Place, to, c.recvBlock(i).Len))
		}
	}
	return want
}

// try runs one call with one algorithm on all ranks, in an order drawn from
// seed, after having the plans checked, and compares with the naive result.
func try(a Algorithm, cases []Case, seed uint64) error {
	n := len(cases)
	plans, lens, bufs := make([]*plan.Plan, n), make([]plan.Lens, n), make([]plan.Bufs, n)
	want := make([][]byte, n)
	for rank, c := range cases {
		if err := c.Validate(); err != nil {
			return err
		}
		plans[rank], lens[rank], bufs[rank] = a.Plan(c), c.Lens(), contribute(c)
		want[rank] = result(c, bufs[rank].Out)
	}
	if err := plan.Check(plans, lens); err != nil {
		return err
	}
	if n <= 6 {
		if err := checkWithSignature(plans, lens); err != nil {
			return err
		}
	}
	order := lottery(seed)
	if err := plan.Simulate(plans, plan.Simulation{Bufs: bufs, Combine: combineOf(cases[0]), Pick: order.pick}); err != nil {
		return err
	}
	for rank, c := range cases {
		got := bufs[rank].Out
		if !bytes.Equal(got, want[rank]) {
			return fmt.Errorf("rank %d of %d (root %d, %d bytes, in place %v, commutative %v):\ngot  %x\nwant %x\n%s",
				rank, n, c.Root, c.Bytes, c.InPlace, c.Commutative, got, want[rank], plans[rank])
		}
	}
	return nil
}

// checkWithSignature makes sure the plans also fit behind a comparison of
// signatures.
func checkWithSignature(plans []*plan.Plan, lens []plan.Lens) error {
	guarded := make([]*plan.Plan, len(plans))
	for rank, p := range plans {
		guarded[rank] = plan.WithCheck(p, 8)
	}
	return plan.Check(guarded, lens)
}
