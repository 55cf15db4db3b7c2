package experiments

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// channelExperiments are the diagrams of document 004.
func channelExperiments() []lab.Experiment {
	return []lab.Experiment{bufferMapExperiment, watermarkExperiment, channelUseExperiment, kernelMemoryExperiment, kernelSizesExperiment}
}

var bufferMapExperiment = lab.Experiment{
	ID: "004.F2",
	Explain: [2]string{
		"Where do short messages land? Receives of each connection (SR) are safe and cost memory for every peer; receives that all connections share (SRQ) cost the same however many peers there are; a ring that a peer may write into by itself (RDMA) is fastest and costs 500 KB per peer, so only peers that send much get one. The document combines them in three channels.",
		"Eight peers send to rank 0: six of them often, as in the document's diagram, two only twice. The tables are rank 0's own account of its memory. The two quiet ones never get a ring; what the rings take is just the difference between the two channels with shared receives, of which there are equally many from the beginning (lab_srq_size=64), as in the document.",
	},
	Run: bufferMap,
}

var watermarkExperiment = lab.Experiment{
	ID: "004.F3",
	Explain: [2]string{
		"Who sends to a shared receive queue does not know how many receives are left in it. The receiver sets a low watermark: when fewer are left, the interface raises an event, and the library posts more, before messages find none.",
		"Four peers send a burst to rank 0, which computes. The diagram shows how many receives are left while the burst comes in. The document's library is interrupted by the event; ours hears of it in the next call (at the mark), or at once if somebody else makes progress while the program computes (progress=wake), who then takes messages out of the queue as they come, so that the watermark is hardly ever reached. The table is the control: the fourth of four bursts of three times as many messages, with the watermark and without it (lab_srq_limit=0). With it, the bursts before have brought enough receives; without it, messages find none and are tried again and again (RNR), which here costs no time only because the receiver is late anyway.",
	},
	Run: watermark,
}

// eagerChannels are the document's three, by its names and ours.
var eagerChannels = [3]struct{ name, setting string }{
	{"ARDMA-SR", "channel=ardma-sr"}, {"ARDMA-SRQ", "channel=ardma-srq"}, {"SRQ", "channel=srq"},
}

const (
	busyPeers  = 6
	quietPeers = 2
	ringBytes  = 500 << 10
)

// bufferMap has peers send to rank 0 over each channel, and shows where rank 0 has its memory.
func bufferMap(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("004.F2")
	on := b.Setups("IB5")[0]
	var maps [3]*rail.Report
	for i, c := range eagerChannels {
		job := lab.Job{On: on, Ranks: 1 + busyPeers + quietPeers, Settings: []string{c.setting, "lab_srq_size=64"}, Report: func(rank int, _ engine.Counters, l *rail.Report) {
			if rank == 0 {
				maps[i] = l
			}
		}}
		if err := b.Run(ctx, job, sendToFirst); err != nil {
			return nil, err
		}
		if maps[i] == nil {
			return nil, fmt.Errorf("%w %s: nobody counts there", lab.ErrPlatform, on.On)
		}
		mapTable(r, c.name, maps[i])
	}
	for i, c := range eagerChannels {
		want := float64(busyPeers)
		if i == 2 {
			want = 0
		}
		r.Hold(lab.Structural, lab.Exactly(c.name+": peers with a ring", want, float64(rings(maps[i])), ""))
	}
	own, _ := receives(maps[0])
	r.Hold(lab.Structural,
		lab.Exactly("ARDMA-SR: connections with receives of their own", busyPeers+quietPeers, float64(own), ""),
		lab.Between("ARDMA-SR: receives of a quiet peer, two or three", 2, 3, float64(maps[0].Map.Peers[busyPeers].Receives), ""),
	)
	for i := 1; i < 3; i++ {
		own, shared := receives(maps[i])
		r.Hold(lab.Structural, lab.Holds(eagerChannels[i].name+": all connections share one queue of receives", "yes", yes(own == 0 && shared > 0), own == 0 && shared > 0))
	}
	r.Hold(lab.Structural, lab.Exactly("memory of ARDMA-SRQ less that of SRQ, in rings of 500 KB", busyPeers,
		float64(maps[1].Counters.Memory-maps[2].Counters.Memory)/ringBytes, "rings"))
	return r, nil
}

// sendToFirst has all others send to rank 0, six of them often.
func sendToFirst(k *measure.Rank) error {
	buf := make([]byte, 1024)
	const often, seldom = 100, 2
	if rank := k.World.Rank(); rank > 0 {
		n := often
		if rank > busyPeers {
			n = seldom
		}
		for range n {
			if err := mpi.Send(k.World, buf, 0, 0); err != nil {
				return err
			}
		}
		return nil
	}
	for range often*busyPeers + seldom*quietPeers {
		if _, err := mpi.Recv(k.World, buf, mpi.AnySource, 0); err != nil {
			return err
		}
	}
	return nil
}

// mapTable shows a rank's account of its receive memory.
func mapTable(r *lab.Result, name string, l *rail.Report) {
	t := r.AddTable(name+": receive buffers of rank 0", "for", "receives", "ring")
	t.Add("all peers", fmt.Sprintf("%d of %d KB", l.Map.Shared, l.Map.Buffer>>10), "")
	for _, p := range l.Map.Peers {
		ring := ""
		if p.Ring > 0 {
			ring = fmt.Sprintf("%d KB", p.Ring>>10)
		}
		t.Add(fmt.Sprintf("rank %d", p.Rank), fmt.Sprint(p.Receives), ring)
	}
	r.Note("memory of "+name, float64(l.Counters.Memory)/(1<<20), "MB")
}

func rings(l *rail.Report) (n int) {
	for _, p := range l.Map.Peers {
		if p.Ring > 0 {
			n++
		}
	}
	return n
}

// receives counts the peers with receives of their own, and the receives that all share.
func receives(l *rail.Report) (own, shared int) {
	for _, p := range l.Map.Peers {
		if p.Receives > 0 {
			own++
		}
	}
	return own, l.Map.Shared
}

// lookingDevice remembers the shared receive queue that is made on it, and is told of low-watermark events.
type lookingDevice struct {
	verbs.Device
	queue verbs.SRQ
	event func()
}

func (d *lookingDevice) NewPD() (verbs.PD, error) {
	pd, err := d.Device.NewPD()
	return &lookingPD{pd, d}, err
}

func (d *lookingDevice) PollEvents(out []verbs.Event) int {
	n := d.Device.PollEvents(out)
	for _, e := range out[:n] {
		if e.Kind == verbs.SRQLimit {
			d.event()
		}
	}
	return n
}

type lookingPD struct {
	verbs.PD
	d *lookingDevice
}

func (p *lookingPD) NewSRQ(cfg verbs.SRQConfig) (verbs.SRQ, error) {
	q, err := p.PD.NewSRQ(cfg)
	if p.d.queue == nil {
		p.d.queue = q
	}
	return q, err
}

const (
	lowWatermark = 30
	burstOf      = 12 // messages of each peer
	burstPeers   = 4
)

// watermark has a burst come in while the receiver computes, and watches its queue of receives.
func watermark(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("004.F3")
	on := b.Setups("IB5")[0]
	if !on.On.Virtual() {
		return nil, fmt.Errorf("%w %s: the queue of receives is watched on simulated fabrics", lab.ErrPlatform, on.On)
	}
	p := r.AddPanel("Receives left while a burst comes in", lab.Axis{Label: "time", Unit: "us"}, lab.Axis{Label: "receives"})
	p.Claim("low watermark", lowWatermark)
	line := p.Line("left")
	heard, _, err := watchBurst(ctx, b, on, lowWatermark, bursts{2, burstOf, false}, line)
	if err != nil {
		return nil, err
	}
	judgeWatermark(r, p, line, heard)
	control := r.AddTable("Large bursts, with and without a low watermark", "low watermark", "least receives left", "messages tried again")
	for _, low := range []int{lowWatermark, 0} {
		var line lab.Series
		_, retries, err := watchBurst(ctx, b, on, low, storms, &line)
		if err != nil {
			return nil, err
		}
		_, least := line.Min()
		control.Add(fmt.Sprint(low), fmt.Sprint(least), fmt.Sprint(retries))
	}
	return r, nil
}

// bursts are how many there are, of which the last is watched, how many messages each peer sends in one,
// and whether the receiver computes before it receives any of them, or only before the last.
type bursts struct {
	n, each int
	late    bool
}

// watchBurst has peers send to rank 0 while that computes, over shared receives with a low watermark, 0 for
// none. It draws how many receives are left during the last burst, and tells when the library took events,
// and how often messages were tried again in it.
func watchBurst(ctx context.Context, b *lab.Bench, on lab.Setup, low int, n bursts, line *lab.Series) (heard []float64, retries uint64, err error) {
	w := &lookingDevice{}
	job := lab.Job{On: on, Ranks: 1 + burstPeers, Settings: []string{"channel=srq", fmt.Sprintf("lab_srq_limit=%d", low), "lab_srq_size=512"},
		Device: func(rank int, dev verbs.Device) verbs.Device {
			if rank > 0 {
				return dev
			}
			w.Device = dev
			return w
		}}
	err = b.Run(ctx, job, func(k *measure.Rank) error {
		var before uint64
		if k.Lead() {
			w.event = func() { heard = append(heard, float64(k.Now())/1e3) }
		}
		err := n.run(k, func() {
			if len(line.Points) == 0 {
				before = w.retries()
			}
			line.Add(float64(k.Now())/1e3, float64(w.queue.Len()))
		})
		if k.Lead() {
			retries = w.retries() - before
		}
		return err
	})
	return heard, retries, err
}

// retries is how often messages that found no receive were tried again.
func (d *lookingDevice) retries() uint64 {
	for name, n := range d.Counters() {
		if name == "rnr_retries" {
			return n
		}
	}
	return 0
}

// storms are the bursts of the control.
var storms = bursts{4, 3 * burstOf, true}

// judgeWatermark brings the trace's time to begin with 0, and holds it against the document's order of things.
func judgeWatermark(r *lab.Result, p *lab.Panel, line *lab.Series, heard []float64) {
	begin, first := line.Points[0].X, line.Points[0].Y
	for i := range line.Points {
		line.Points[i].X -= begin
	}
	event := math.NaN()
	if len(heard) > 0 {
		event = heard[0] - begin
		p.ClaimAt("event taken", event, lowWatermark)
	}
	low, least := line.Min()
	_, after := line.Between(event, math.Inf(1)).Max()
	r.Note("receives at first", first, "")
	r.Hold(lab.Structural,
		lab.Between("the burst leaves fewer receives than the low watermark, and some", 1, lowWatermark-1, least, ""),
		lab.Exactly("the interface raises one event", 1, float64(len(heard)), ""),
		lab.Holds("the event comes after the receives have run low", "after", fmt.Sprintf("low at %.1f us, taken at %.1f us", low, event), event >= low),
		lab.AtLeast("the queue is filled again, to more than at first", first+1, after, "receives").Since("the document does not say by how many receives a queue grows"),
	)
}

// run has peers send to rank 0, which looks while the messages of the last burst come in, and goes on
// looking while it receives them. The first makes connections and buffers.
func (n bursts) run(k *measure.Rank, look func()) error {
	buf := make([]byte, 1024)
	for i := range n.n {
		watched := i == n.n-1
		if err := mpi.Barrier(k.World); err != nil {
			return err
		}
		if k.World.Rank() > 0 {
			for range n.each {
				if err := mpi.Send(k.World, buf, 0, 0); err != nil {
					return err
				}
			}
			continue
		}
		for i := 0; (watched || n.late) && i < 240; i++ {
			if watched {
				look()
			}
			k.Compute(500 * time.Nanosecond)
		}
		for range n.each * (k.World.Size() - 1) {
			if _, err := mpi.Recv(k.World, buf, mpi.AnySource, 0); err != nil {
				return err
			}
			if watched {
				look()
			}
		}
	}
	return nil
}
