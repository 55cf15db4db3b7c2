package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// pageExperiments are the figures about the memory of connections.
func pageExperiments() []lab.Experiment {
	return []lab.Experiment{memoryGainExperiment, pagesExperiment}
}

var memoryGainExperiment = lab.Experiment{
	ID: "F6.8",
	Explain: [2]string{
		"Every connection has receives of its own, 95 of 8 KB: some 200 pages that a job pays for each pair of processes that talk over the network, on both sides. Datagrams share one set for all. Programs in which everybody talks to everybody (SMG2000, RADIX) save a third of their memory on 64 processes; programs that talk to a few neighbours save little.",
		"The applications themselves do not run here. Ranks on a model of 16 nodes talk to whom the application's processes talk to, over connections and by datagrams, and count the memory of their buffers; the memory of the applications, of which the gain is a part, is the document's (its column of datagrams). Who talks to whom is our reading of the programs: partners in their grids, a broadcast, a barrier and a reduction. The short lines depend on it: without the barrier CG gains 2.9% on 64 instead of 5.4%.",
	},
	Run: memoryGain,
}

var pagesExperiment = lab.Experiment{
	ID: "T6.1",
	Explain: [2]string{
		"The pages of a whole job over datagrams and over connections. The difference is what connections cost: about 200 pages for each end of one.",
		"As in F6.8 the pages of datagrams are the document's; the difference is counted here, by ranks that talk to whom the application's processes talk to.",
	},
	Run: pages,
}

// application is who talks to whom in one of the document's programs, and what it says about its memory.
type application struct {
	name   string
	with   func(rank, size int) []int
	ud, rc [3]float64 // pages on 4, 16 and 64 processes
}

var jobSizes = [3]int{4, 16, 64}

// applications are the document's, with its table of pages.
var applications = []application{
	{"CG", transposeAndRow, [3]float64{234_924, 556_801, 1_994_428}, [3]float64{235_204, 570_207, 2_097_580}},
	{"MG", cubeNeighbours, [3]float64{216_591, 534_255, 1_913_295}, [3]float64{222_862, 555_854, 2_038_179}},
	{"LU", gridNeighbours, [3]float64{153_453, 473_740, 1_894_628}, [3]float64{155_982, 495_422, 1_978_663}},
	{"SMG2000", everybody, [3]float64{102_899, 418_063, 1_815_192}, [3]float64{105_138, 461_478, 2_577_276}},
	{"RADIX", everybody, [3]float64{133_678, 453_124, 1_727_232}, [3]float64{135_297, 491_937, 2_493_291}},
}

// connectionCost is what connections add to a job.
type connectionCost struct {
	pages float64
	ends  float64 // of connections
}

// countAll counts for all applications and sizes of jobs; those that talk to the same ranks share a run.
func countAll(ctx context.Context, b *lab.Bench) (all [][3]connectionCost, err error) {
	for n, a := range applications {
		var costs [3]connectionCost
		for i, ranks := range jobSizes {
			if a.name == "RADIX" { // as SMG2000 before it
				costs = all[n-1]
				break
			}
			if costs[i], err = countPages(ctx, b, a.with, ranks); err != nil {
				return nil, err
			}
		}
		all = append(all, costs)
	}
	return all, nil
}

// countPages has ranks talk over datagrams and over connections.
func countPages(ctx context.Context, b *lab.Bench, with func(rank, size int) []int, ranks int) (cost connectionCost, err error) {
	const page, nodes = 4096, 16
	on := b.Setups("C2")[0]
	var used [2]int64
	for i, channel := range []string{"ud", "hybrid"} {
		job := lab.Job{On: on, Ranks: ranks, PerNode: (ranks + nodes - 1) / nodes, Settings: []string{"channel=" + channel, "lab_promote=1", "lab_vbuf=8K"},
			Report: func(_ int, _ engine.Counters, l *rail.Report) {
				used[i] += l.Counters.MemoryHigh
				if channel == "hybrid" {
					cost.ends += float64(l.Counters.Lanes)
				}
			}}
		if err := b.Run(ctx, job, withPartners(with)); err != nil {
			return cost, err
		}
	}
	cost.pages = float64(used[1]-used[0]) / page
	return cost, nil
}

// memoryGain draws what connections add as part of all memory.
func memoryGain(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.8")
	p := r.AddPanel("Memory gained by datagrams, 16 nodes of 4 cores", lab.Axis{Label: "processes", Scale: lab.Sizes}, gains)
	all, err := countAll(ctx, b)
	if err != nil {
		return nil, err
	}
	for n, a := range applications {
		line := p.Line(a.name)
		for i, ranks := range jobSizes {
			cost := all[n][i]
			line.Add(float64(ranks), 100*cost.pages/(a.ud[i]+cost.pages))
			stated := 100 * (1 - a.ud[i]/a.rc[i])
			p.ClaimAt("", float64(ranks), stated)
			holdMemory(r, a.name, ranks, stated, line.At(float64(ranks)))
		}
	}
	return r, nil
}

// holdMemory: where everybody talks to everybody the document's 200 pages of a connection and its memory of
// the application leave no choice; whom the processes of other applications talk to is our reading, chosen
// with the table in sight.
func holdMemory(r *lab.Result, name string, ranks int, stated, ours float64) {
	all := name == "SMG2000" || name == "RADIX"
	switch bar := fmt.Sprintf("%s on %d", name, ranks); {
	case all && ranks == 64:
		r.Hold(lab.Input, lab.Within(bar, stated, ours, 15, "%"))
	case all:
		r.Hold(lab.Prediction, lab.Within(bar, stated, ours, 35, "%"))
	case ranks == 64:
		r.Hold(lab.Fitted, lab.Within(bar, stated, ours, 35, "%").By("who talks to whom: a barrier and a reduction beside the partners"))
	default:
		r.Hold(lab.Prediction, lab.Within(bar, stated, ours, 35, "%"))
	}
}

// pages compares the difference between both ways with the document's.
func pages(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("T6.1")
	t := r.AddTable("Pages that connections add to a job", "application", "processes", "document, datagrams", "document, connections", "document, difference", "ours", "ends of connections", "pages of each")
	least, most := math.Inf(1), math.Inf(-1)
	all, err := countAll(ctx, b)
	if err != nil {
		return nil, err
	}
	for n, a := range applications {
		for i, ranks := range jobSizes {
			cost := all[n][i]
			each := math.Round(cost.pages / cost.ends) // what else differs between both ways is less than a page of an end
			least, most = min(least, each), max(most, each)
			t.Add(a.name, fmt.Sprint(ranks), whole(a.ud[i]), whole(a.rc[i]), whole(a.rc[i]-a.ud[i]), whole(cost.pages), whole(cost.ends), whole(each))
			if ranks == 64 && (a.name == "SMG2000" || a.name == "RADIX") {
				r.Hold(lab.Input, lab.Within(a.name+" on 64: the difference", a.rc[i]-a.ud[i], cost.pages, 15, "pages"))
			}
		}
	}
	r.Hold(lab.Input,
		lab.Between("pages of one end of a connection, the least", 190, 200, least, "pages"),
		lab.Between("pages of one end of a connection, the most", 190, 200, most, "pages"),
	)
	return r, nil
}

func whole(n float64) string { return fmt.Sprintf("%.0f", n) }

// withPartners has every rank swap short messages with its partners some times, between collective calls such as
// applications make at their beginning and at their end.
func withPartners(partners func(rank, size int) []int) func(k *measure.Rank) error {
	return func(k *measure.Rank) error {
		sum := []float64{1}
		if err := mpi.Bcast(k.World, sum, 0); err != nil {
			return err
		}
		if err := mpi.Barrier(k.World); err != nil { // they begin to take the time
			return err
		}
		for range 10 { // longer than it takes to connect
			if err := swap(k, partners(k.World.Rank(), k.World.Size())); err != nil {
				return err
			}
		}
		return mpi.Allreduce(k.World, nil, sum, mpi.Sum)
	}
}

// swap sends a short message to all partners and receives one from each.
func swap(k *measure.Rank, partners []int) error {
	out, in := make([]byte, 1024), make([]byte, 1024*len(partners))
	var all []mpi.Request
	for i, p := range partners {
		all = append(all, mpi.Irecv(k.World, in[i*1024:][:1024], p, 0))
	}
	for _, p := range partners {
		all = append(all, mpi.Isend(k.World, out, p, 0))
	}
	return mpi.Waitall(all)
}

// everybody is all other ranks.
func everybody(rank, size int) (all []int) {
	for i := 1; i < size; i++ {
		all = append(all, (rank+i)%size)
	}
	return all
}

// side is the length of a square of that many ranks.
func side(size int) int { return int(math.Sqrt(float64(size))) }

// transposeAndRow is CG: partners of a reduction over the row of a square, and the rank across the diagonal.
func transposeAndRow(rank, size int) (all []int) {
	n := side(size)
	row, column := rank/n, rank%n
	for d := 1; d < n; d *= 2 {
		all = append(all, row*n+column^d)
	}
	if row != column {
		all = append(all, column*n+row)
	}
	return all
}

// gridNeighbours is LU: the four neighbours in a square.
func gridNeighbours(rank, size int) (all []int) {
	n := side(size)
	row, column := rank/n, rank%n
	for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		if r, c := row+d[0], column+d[1]; r >= 0 && r < n && c >= 0 && c < n {
			all = append(all, r*n+c)
		}
	}
	return all
}

// cubeNeighbours is MG: neighbours in the directions of a cube that is closed in itself, at distances of
// powers of two: on coarse grids only every other rank, and then every fourth, has points.
func cubeNeighbours(rank, size int) (all []int) {
	long := [3]int{1, 1, 1}
	for i := 0; long[0]*long[1]*long[2] < size; i++ {
		long[i%3] *= 2
	}
	stride := 1
	for _, n := range long {
		at := rank / stride % n
		for d := 1; d < n; d *= 2 {
			for _, to := range []int{(at + d) % n, (at - d + n) % n} {
				if p := rank + (to-at)*stride; p != rank && !slices.Contains(all, p) {
					all = append(all, p)
				}
			}
		}
		stride *= n
	}
	return all
}
