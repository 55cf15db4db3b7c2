package experiments

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

var semanticsExperiment = lab.Experiment{
	ID: "002.F2.3",
	Explain: [2]string{
		"What the collective operations do, on four processes. Process 0 has the blocks A0 to A3, process 1 has B0 to B3 and so on; a sum is that of numbers. Each operation is run, and who has what afterwards is held against its definition.",
		"The definitions are written down here once more, without looking at the library: the table is what the library did. Tests of the library compare every algorithm of every operation with such a naive result, for many numbers of processes, ports and layouts.",
	},
	Run: semantics,
}

// painted is one process's blocks, by name.
type painted []string

func (p painted) String() string { return strings.Join(p, " ") }

// blockOf is the name of a block that a process begins with.
func blockOf(rank, i int) string { return fmt.Sprintf("%c%d", 'A'+rank, i) }

// meaning is a collective operation with its definition: what a process begins with and ends with. Root is process 0.
type meaning struct {
	name          string
	before, after func(rank, ranks int) painted
	run           func(c *mpi.Comm, in, out [][2]byte) error
	out           func(rank, ranks int) int // blocks of the result
}

// firstOf is the first block of a process.
func firstOf(rank, _ int) painted { return painted{blockOf(rank, 0)} }

// some are blocks whose names follow a rule.
func some(n int, name func(i int) string) painted {
	p := make(painted, n)
	for i := range p {
		p[i] = name(i)
	}
	return p
}

// every is all blocks of a process.
func every(rank, ranks int) painted {
	return some(ranks, func(i int) string { return blockOf(rank, i) })
}

// atRoot is a rule for process 0 only.
func atRoot(f func(rank, ranks int) painted) func(rank, ranks int) painted {
	return func(rank, ranks int) painted {
		if rank != 0 {
			return nil
		}
		return f(rank, ranks)
	}
}

// everyFirst is the first block of each process.
func everyFirst(_, ranks int) painted {
	return some(ranks, func(i int) string { return blockOf(i, 0) })
}

// meanings are the operations that move data.
var meanings = []meaning{
	{"Bcast", atRoot(firstOf), func(int, int) painted { return painted{"A0"} }, func(c *mpi.Comm, in, out [][2]byte) error {
		copy(out, in)
		return mpi.Bcast(c, out, 0)
	}, func(int, int) int { return 1 }},
	{"Scatter", atRoot(every), func(rank, _ int) painted { return painted{blockOf(0, rank)} }, func(c *mpi.Comm, in, out [][2]byte) error {
		return mpi.Scatter(c, in, out, 0)
	}, func(int, int) int { return 1 }},
	{"Gather", firstOf, atRoot(everyFirst), func(c *mpi.Comm, in, out [][2]byte) error {
		return mpi.Gather(c, in, out, 0)
	}, func(rank, ranks int) int {
		if rank == 0 {
			return ranks
		}
		return 0
	}},
	{"Allgather", firstOf, everyFirst, func(c *mpi.Comm, in, out [][2]byte) error {
		return mpi.Allgather(c, in, out)
	}, func(_, ranks int) int { return ranks }},
	{"Alltoall", every, func(rank, ranks int) painted {
		return some(ranks, func(i int) string { return blockOf(i, rank) })
	}, func(c *mpi.Comm, in, out [][2]byte) error {
		return mpi.Alltoall(c, in, out)
	}, func(_, ranks int) int { return ranks }},
}

const performers = 4

func semantics(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F2.3")
	on := b.Setups("IB3")[0]
	for _, m := range meanings {
		t := r.AddTable(m.name, "process", "before", "after")
		right := 0
		rows := make([][2]painted, performers)
		err := b.Run(ctx, lab.Job{On: on, Ranks: performers}, func(k *measure.Rank) error {
			rank := k.World.Rank()
			before := m.before(rank, performers)
			out := make([][2]byte, m.out(rank, performers))
			if err := m.run(k.World, stamped(before), out); err != nil {
				return err
			}
			rows[rank] = [2]painted{before, readBack(out)}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for rank, row := range rows {
			t.Add(fmt.Sprint(rank), row[0].String(), row[1].String())
			if row[1].String() == m.after(rank, performers).String() {
				right++
			}
		}
		r.Hold(lab.Structural, lab.Holds(m.name+" does what its definition says", fmt.Sprintf("%d processes", performers), fmt.Sprintf("%d", right), right == performers))
	}
	return r, sums(ctx, b, on, r)
}

// stamped are blocks as bytes, readBack the names of blocks that came.
func stamped(p painted) [][2]byte {
	var out [][2]byte
	for _, name := range p {
		out = append(out, [2]byte{name[0], name[1]})
	}
	return out
}

func readBack(blocks [][2]byte) (p painted) {
	for _, x := range blocks {
		p = append(p, string(x[:]))
	}
	return p
}

// sums are the operations that combine, and the one that only waits: nobody leaves a barrier before the last has come.
func sums(ctx context.Context, b *lab.Bench, on lab.Setup, r *lab.Result) error {
	t := r.AddTable("Reduce, Allreduce and Barrier", "process", "has", "Reduce", "Allreduce", "came to the barrier us", "left it us")
	var rows [performers][5]float64
	err := b.Run(ctx, lab.Job{On: on, Ranks: performers}, func(k *measure.Rank) error {
		rank := k.World.Rank()
		mine, all := []int{rank + 1}, []int{0}
		var total []int
		if rank == 0 {
			total = []int{0}
		}
		if err := mpi.Reduce(k.World, mine, total, mpi.Sum, 0); err != nil {
			return err
		}
		if err := mpi.Allreduce(k.World, mine, all, mpi.Sum); err != nil {
			return err
		}
		k.Compute(time.Duration(rank) * 50 * time.Microsecond)
		came := k.Now()
		if err := mpi.Barrier(k.World); err != nil {
			return err
		}
		rows[rank] = [5]float64{float64(mine[0]), 0, float64(all[0]), came.Seconds() * 1e6, k.Now().Seconds() * 1e6}
		if rank == 0 {
			rows[0][1] = float64(total[0])
		}
		return nil
	})
	if err != nil {
		return err
	}
	const want = performers * (performers + 1) / 2
	told, last, first := 0, rows[0][3], rows[0][4]
	for rank, row := range rows {
		t.Add(fmt.Sprint(rank), fmt.Sprintf("%.0f", row[0]), fmt.Sprintf("%.0f", row[1]), fmt.Sprintf("%.0f", row[2]), fmt.Sprintf("%.1f", row[3]), fmt.Sprintf("%.1f", row[4]))
		if row[2] == want {
			told++
		}
		last, first = max(last, row[3]), min(first, row[4])
	}
	r.Hold(lab.Structural,
		lab.Holds("Reduce gives the root the sum", fmt.Sprint(want), fmt.Sprintf("%.0f", rows[0][1]), rows[0][1] == want),
		lab.Holds("Allreduce gives everybody the sum", fmt.Sprintf("%d processes", performers), fmt.Sprintf("%d", told), told == performers),
		lab.Holds("nobody leaves a barrier before the last has come", "after the last", fmt.Sprintf("%.1f us after", first-last), first >= last))
	return nil
}
