package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// study is a collective operation under patterns of arrival, with the algorithms that the document compares.
type study struct {
	op    measure.Collective
	lines []contender
}

// contender is a line of a figure: its algorithm for short blocks, which are copied into memory that waits at the receiver, and
// for long ones, which go straight to where the receiver has said it wants them. The document shows the better of the two schemes
// for each size, and does not tell where that changes.
type contender struct {
	name        string
	short, long string
}

// zeroCopyFrom is the length from which blocks are not copied.
const zeroCopyFrom = 8 << 10

// The lines of the document.
const (
	mvapichLine = "MVAPICH"
	papDirect   = "PAP_Direct"
	shmDirect   = "Shm_Direct"
	papShm      = "PAP_Shm_Direct"

	copiedDirect = "Direct, copied" // not in the document: for comparison
)

var alltoallStudy = study{measure.Alltoall, []contender{
	{mvapichLine, "alltoall/mvapich", "alltoall/mvapich"},
	{direct, "alltoall/direct@1", "alltoall/direct_zero"},
	{copiedDirect, "alltoall/direct@1", "alltoall/direct@1"},
	{papDirect, "alltoall/pap_copy", "alltoall/pap_direct"},
	{shmDirect, "alltoall/shm_direct", "alltoall/shm_direct"},
	{papShm, "alltoall/pap_shm_direct", "alltoall/pap_shm_direct"},
}}

var allgatherStudy = study{measure.Allgather, []contender{
	{mvapichLine, "allgather/mvapich", "allgather/mvapich"},
	{direct, "allgather/direct@1", "allgather/direct_zero"},
	{copiedDirect, "allgather/direct@1", "allgather/direct@1"},
	{papDirect, "allgather/pap_copy", "allgather/pap_direct"},
	{shmDirect, "allgather/shm_direct", "allgather/shm_direct"},
	{papShm, "allgather/pap_shm_direct", "allgather/pap_shm_direct"},
}}

// only returns the study with some of its lines.
func (s study) only(names ...string) study {
	s.lines = slices.DeleteFunc(slices.Clone(s.lines), func(c contender) bool { return !slices.Contains(names, c.name) })
	return s
}

// condition is how unevenly ranks come: the factor by which the latest exceeds the time of one message, and which share is late.
type condition struct {
	factor int // MIF
	late   float64
}

func (c condition) String() string {
	if c.late > 0 {
		return fmt.Sprintf("%.0f%% late, MIF %d", 100*c.late, c.factor)
	}
	return fmt.Sprintf("MIF %d", c.factor)
}

// messageTimes are the times of one message between nodes, T, by size.
func messageTimes(ctx context.Context, b *lab.Bench, on lab.Setup, sizes []int) (map[int]float64, error) {
	times := map[int]float64{}
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		return measure.Sweep(k, sizes, func(size, us float64) { times[int(size)] = us }, func(size int) (float64, error) {
			return measure.PingPong(k, size, b.Loops(on, size))
		})
	})
	return times, err
}

// arrivals are those of a condition for messages that take t microseconds.
func (c condition) arrivals(b *lab.Bench, t float64) measure.Arrivals {
	calls := 40
	if b.Quick() {
		calls = 10
	}
	return measure.Arrivals{Most: time.Duration(float64(c.factor) * t * 1e3), Late: c.late, Seed: 2010, Calls: calls}
}

// findings are what a study found: by condition and size.
type findings struct {
	order  []condition              // all ranks go through them in it
	panels map[condition]*lab.Panel // over sizes
	floors map[condition]*lab.Series
	own    map[string]*lab.Series // by line: the time when all come together
	sizes  []int
	times  map[int]float64
}

// measured runs a study with that many ranks and adds a panel per condition.
func (s study) measured(ctx context.Context, b *lab.Bench, r *lab.Result, ranks int, sizes []int, conditions ...condition) (*findings, error) {
	on := b.Setups("IB3")[0]
	times, err := messageTimes(ctx, b, on, sizes)
	if err != nil {
		return nil, err
	}
	o := &findings{order: conditions, panels: map[condition]*lab.Panel{}, floors: map[condition]*lab.Series{}, own: map[string]*lab.Series{}, sizes: sizes, times: times}
	for _, c := range conditions {
		o.panels[c] = r.AddPanel(fmt.Sprintf("%s on %d processes, %s", s.op, ranks, c), lab.Bytes, lab.Microseconds)
		o.floors[c] = &lab.Series{Name: "bound"}
		for _, size := range sizes {
			o.floors[c].Add(float64(size), c.arrivals(b, times[size]).Floor(ranks))
		}
	}
	for _, line := range s.lines {
		o.own[line.name] = &lab.Series{Name: line.name}
		if err := o.add(ctx, b, placed(on, ranks), s.op, line); err != nil {
			return nil, err
		}
	}
	t := r.AddTable("When all come together, us", "line")
	for _, size := range sizes {
		t.Head = append(t.Head, sizeName(size))
	}
	for _, line := range s.lines {
		row := []string{line.name}
		for _, p := range o.own[line.name].Points {
			row = append(row, fmt.Sprintf("%.1f", p.Y))
		}
		t.Add(row...)
	}
	for _, c := range conditions {
		o.panels[c].Series = append(o.panels[c].Series, o.floors[c])
	}
	return o, nil
}

// add measures one line under all conditions.
func (o *findings) add(ctx context.Context, b *lab.Bench, job lab.Job, op measure.Collective, line contender) error {
	job.Settings = []string{fmt.Sprintf("coll=%s:-%d=%s,%s=%s", op, zeroCopyFrom-1, wayOf(line.short), op, wayOf(line.long))}
	return b.Run(ctx, job, func(k *measure.Rank) error {
		for _, size := range o.sizes {
			g, err := measure.NewGroup(k, op, size)
			if err != nil {
				return err
			}
			us, err := g.Uneven(measure.Arrivals{Calls: 4}, 60) // connections, rings and registrations stand
			if err != nil {
				return err
			}
			if k.Lead() {
				o.own[line.name].Add(float64(size), us)
			}
			for _, c := range o.order {
				if us, err = g.Uneven(c.arrivals(b, o.times[size]), 0); err != nil {
					return err
				}
				if k.Lead() {
					o.panels[c].Line(line.name).Add(float64(size), us)
				}
			}
		}
		return nil
	})
}

// wayOf is an algorithm's name without its operation.
func wayOf(algorithm string) string {
	_, way, _ := strings.Cut(algorithm, "/")
	return way
}
