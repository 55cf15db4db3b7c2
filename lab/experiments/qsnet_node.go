package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var nodeCopiesExperiment = lab.Experiment{
	ID: "002.F4.1",
	Explain: [2]string{
		"Three ways to move data within a node: a remote write through the interface, a message through shared memory with a copy on each side, and plain copies, by one to four processes at a time.",
		"Two copies beat the interface up to 2 KB only, but a single copy, even four at a time, beats it far longer: in a gather every process copies once into memory that all share. What a copy costs and how many run side by side are derived from these two statements of the document; the rest of chapter 4 is not. Above 2 KB the model's messages through shared memory are copied once, by the receiver, which the document leaves aside: there the line is no longer the document's.",
	},
	Run: nodeCopies,
}

func nodeCopies(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F4.1")
	on := b.Setups("QS")[0]
	p := r.AddPanel("Within a node", lab.Bytes, lab.Microseconds)
	sizes := doubled(64, 256<<10)
	if b.Quick() {
		sizes = []int{64, 512, 1 << 10, 2 << 10, 4 << 10, 64 << 10, 128 << 10, 256 << 10}
	}
	put, shm := p.Line("elan_put"), p.Line("shm_p2p")
	if on.On.Virtual() {
		err := b.RunWires(ctx, lab.WireJob{On: on, Connections: 1, Slot: 256 << 10, SameNode: true}, func(w *measure.Wires) error {
			for _, size := range sizes {
				half, err := measure.WriteLatency(w, size, 1, b.Longer(measure.Loops{Warmup: 2, Timed: 4}))
				if err != nil {
					return err
				}
				if w.Lead {
					put.Add(float64(size), half)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2, PerNode: 2}, func(k *measure.Rank) error {
		return measure.Sweep(k, sizes, shm.Add, func(size int) (float64, error) { return measure.PingPong(k, size, b.Loops(on, size)) })
	})
	if err != nil {
		return nil, err
	}
	for copies := 1; copies <= 4; copies++ {
		line := p.Line(fmt.Sprintf("%d copies", copies))
		err := b.Run(ctx, lab.Job{On: on, Ranks: 4, PerNode: 4}, func(k *measure.Rank) error {
			return measure.Sweep(k, sizes, line.Add, func(size int) (float64, error) {
				return measure.Copies(k, size, copies, b.Longer(measure.Loops{Timed: 4}))
			})
		})
		if err != nil {
			return nil, err
		}
	}
	if on.On.Virtual() {
		over := p.Line("4 copies").Over(put)
		r.Hold(lab.Fitted, lab.Crossing("a message through shared memory is faster up to a crossing", shm.Between(0, 2<<10), put.Between(0, 2<<10), 1<<10, 4<<10).Says("2 KB").By("copy_us_per_kb", "shared_eager"))
		for _, x := range []float64{64 << 10, 128 << 10} {
			r.Hold(lab.Fitted, lab.AtMost(sizeName(int(x))+": 4 copies at a time over a remote write", 1, over.At(x), "times").Says("128 KB").By("copy_us_per_kb", "copy_parallel"))
		}
		r.Hold(lab.Prediction, lab.AtLeast("256 KB: 4 copies at a time over a remote write", 1, over.At(256<<10), "times").Says("128 KB").Since("the document says that copies are ahead up to 128 KB, not by how much they are behind then"))
		return r, nil
	}
	r.Hold(lab.Prediction, lab.Rising("one copy takes longer the longer it is", p.Line("1 copies").Between(4<<10, 256<<10), 50).Says("128 KB"))
	return r, nil
}

// hardwareBcast is elan_hbcast; where a network has no broadcast of the hardware it is a tree too.
var hardwareBcast = rival{name: "elan_hbcast", algorithm: "bcast/elan", settings: oneRail, cast: "bcast/elan"}

// nodeGather is elan_gather of blocks of some lengths: up to 4 KB it writes, longer ones are tagged
// messages over both rails, which go through the interface also within a node.
func nodeGather(least, most int, settings []string) rival {
	v := nativeGather
	v.name, v.least, v.most, v.settings = "elan_gather", least, most, settings
	return v
}

var nodeCollectivesExperiment = lab.Experiment{
	ID: "002.F4.2",
	Explain: [2]string{
		"Broadcast and gather among the four processes of a node: through memory that they share, and as the library of Quadrics does it, by writes through the interface for a broadcast and its gather.",
		"The document's broadcast through memory, which ends when all have waited for each other, wins from 256 B to 32 KB, its gather up to 8 KB, which is why its algorithms use memory up to 8 KB. The library has two broadcasts: elan_hbcast, by the hardware, and elan_bcast, down a tree.",
	},
	Run: nodeCollectives,
}

func nodeCollectives(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F4.2")
	on := b.Setups("QS")[0]
	sizes := doubled(16, 128<<10)
	if b.Quick() {
		sizes = []int{16, 512, 4 << 10, 16 << 10, 128 << 10}
	}
	lines := map[measure.Collective]*lab.Panel{}
	for _, c := range []struct {
		op     measure.Collective
		rivals []rival
	}{
		{measure.Bcast, []rival{{name: "shm_bcast", algorithm: "bcast/shm", puts: true, syncs: true}, {name: "elan_bcast", algorithm: "bcast/elan", settings: slices.Concat(onlyNetwork, oneRail)}, hardwareBcast}},
		{measure.Gather, []rival{{name: "shm_gather", algorithm: "gather/shm"}, nodeGather(1, 4<<10, oneRail), nodeGather(4<<10+1, 0, onlyNetwork)}},
	} {
		p := r.AddPanel(string(c.op)+" in a node of 4", lab.Bytes, lab.Microseconds)
		lines[c.op] = p
		for _, v := range c.rivals {
			if !on.On.Virtual() {
				v.settings = nil
			}
			if err := collectiveLine(ctx, b, lab.Job{On: on, Ranks: 4, PerNode: 4}, c.op, v, sizes, p.Line(v.name).Add); err != nil {
				return nil, err
			}
		}
	}
	bcast, gather := lines[measure.Bcast], lines[measure.Gather]
	ahead := func(x float64) float64 {
		return min(bcast.Line("elan_bcast").At(x), bcast.Line(hardwareBcast.name).At(x)) / bcast.Line("shm_bcast").At(x)
	}
	const ranges = "the document gives the range in which it is the best, without a number"
	r.Hold(lab.Prediction, lab.Within("bcast of 16 B: shm_bcast, times faster: comparable", 1, ahead(16), 35, "times").Says("broadcast"))
	for _, x := range []float64{512, 4 << 10, 16 << 10} {
		r.Hold(lab.Prediction, lab.AtLeast("bcast of "+sizeName(int(x))+": shm_bcast, times faster", 1, ahead(x), "times").Says("broadcast").Since(ranges))
	}
	r.Hold(lab.Prediction, lab.AtMost("bcast of 128 KB: shm_bcast, times faster", 1, ahead(128<<10), "times").Says("broadcast").Since(ranges))
	for _, x := range []float64{16, 512, 4 << 10} {
		r.Hold(lab.Prediction, lab.AtLeast("gather of "+sizeName(int(x))+": shm_gather, times faster or comparable", 0.9, gather.Line("elan_gather").At(x)/gather.Line("shm_gather").At(x), "times").Says("gather").Since(ranges))
	}
	r.Hold(lab.Prediction, lab.AtMost("gather of 128 KB: shm_gather, times faster", 1, gather.Line("elan_gather").At(128<<10)/gather.Line("shm_gather").At(128<<10), "times").Says("gather").Since(ranges))
	return r, nil
}

var nativeRailsExperiment = lab.Experiment{
	ID: "002.F3.4",
	Explain: [2]string{
		"The collectives of the library of Quadrics over one and two rails. Gather of long blocks and MPI_Scatter are made of tagged messages, which are cut over both rails; the others write over one rail whatever there is.",
		"That the others use one rail is what the document says, and here an input: their lines cannot differ. That gather and scatter gain, and how much, is measured.",
	},
	Run: nativeRails,
}

func nativeRails(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F3.4")
	on := b.Setups("QS")[0]
	sizes := []int{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10}
	if b.Quick() {
		sizes = []int{4 << 10, 64 << 10}
	}
	for _, c := range []struct {
		op    measure.Collective
		v     rival
		gains bool
	}{
		{measure.Bcast, rival{name: "elan_bcast", algorithm: "bcast/elan", settings: oneRail}, false},
		{measure.Bcast, hardwareBcast, false},
		{measure.Gather, rival{name: "elan_gather", algorithm: "gather/elan", settings: tagged}, true},
		{measure.Allgather, rival{name: "elan_gather, allgather", algorithm: "allgather/elan", settings: oneRail}, false},
		{measure.Alltoall, rival{name: "elan_alltoall", algorithm: "alltoall/elan", settings: oneRail}, false},
		{measure.Scatter, rival{name: "MPI_Scatter", algorithm: "scatter/flat", settings: tagged}, true},
	} {
		p := r.AddPanel(c.v.name, lab.Bytes, lab.Megabytes)
		for _, rails := range railsUsed {
			v := c.v
			v.settings = slices.Concat([]string{fmt.Sprintf("rails=%d", rails)}, v.settings)
			line := p.Line(railLine("16 processes", rails))
			add := func(size, us float64) { line.Add(size, 16*size/us) }
			if err := collectiveLine(ctx, b, placed(on, 16), c.op, v, sizes, add); err != nil {
				return nil, err
			}
		}
		gain := p.Series[1].At(64<<10) / p.Series[0].At(64<<10)
		if c.gains {
			r.Hold(lab.Prediction, lab.Between(c.v.name+": two rails over one at 64 KB", 1.2, 2, gain, "times"))
		} else {
			r.Hold(lab.Input, lab.Within(c.v.name+": two rails over one at 64 KB", 1, gain, 10, "times"))
		}
	}
	return r, nil
}
