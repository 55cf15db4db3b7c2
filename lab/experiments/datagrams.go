package experiments

import (
	"context"
	"math"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var datagramVerbsExperiment = lab.Experiment{
	ID: "F6.3",
	Explain: [2]string{
		"A ping-pong without MPI: messages are sent to receives that the other side has posted, over a connection (iWARP over TCP) and by datagrams (iWARP over UDP). Datagrams need no framing in a stream, no markers in it, and less work of the kernel. At 64 KB a message no longer fits a datagram: it must be sent in two, and pays for both.",
		"The simulated hosts do the protocol themselves, as the document's did. That a datagram costs their processors less than a piece of a stream is a price of the profile, whose source says where it is from: at equal prices nothing is gained (TestDatagramsOweItToTheirPrice). On a host (--on host) both sides are this library's software device on the loopback interface, as processes of one job: without markers, which the document names as a burden of connections.",
	},
	Run: datagramVerbs,
}

var datagramLatencyExperiment = lab.Experiment{
	ID: "F6.4",
	Explain: [2]string{
		"The same ping-pong over connections (TCP) and over datagrams (UDP) with reliability on top. Datagrams save the stream's framing and its copies, and one queue pair serves all peers.",
		"Both are settings of the same library: channel=srq is one connection per peer, channel=ud is datagrams, with an acknowledgement for every 50 messages.",
	},
	Run: datagramLatency,
}

var datagramBandwidthExperiment = lab.Experiment{
	ID: "F6.5",
	Explain: [2]string{
		"Two pairs of ranks stream in opposite directions between two nodes, over connections and over datagrams. At 2 KB a stream pays for framing and for one system call per message, where datagrams leave in batches.",
		"On a host the two ranks of a pair share processors with the kernel's own work for them, which makes the lines closer than on a fabric.",
	},
	Run: datagramBandwidth,
}

// channels are the two settings that the datagram figures compare.
var channels = []struct {
	name     string
	settings []string
}{
	{"connections (RC)", []string{"links=rail", "channel=srq"}},
	{"datagrams (UD)", []string{"links=rail", "channel=ud"}},
}

// udCosts are the parameters that make datagrams cheaper than a stream on the model.
var udCosts = []string{"packet_ud_us", "packet_ud_us_per_kb", "stream_us", "stream_us_per_kb"}

// cluster is one of the two on which the document measured datagrams.
type cluster struct {
	name string
	on   lab.Setup
}

// clusters are those whose models differ; if the user insists on a platform, that.
func clusters(b *lab.Bench) []cluster {
	var all []cluster
	for i, on := range b.Setups("C1", "C2") {
		if i == 0 || on.On != all[0].on.On {
			all = append(all, cluster{[]string{"C1", "C2"}[i], on})
		}
	}
	return all
}

// lines are those of connections and of datagrams.
func (c cluster) lines(p *lab.Panel) [2]*lab.Series {
	return [2]*lab.Series{p.Line(c.name + ", " + channels[0].name), p.Line(c.name + ", " + channels[1].name)}
}

// hold holds what datagrams gain: a prediction where the prices of a datagram and of a stream were
// measured, not chosen for it.
func (c cluster) hold(r *lab.Result, checks ...lab.Check) {
	profile, err := sim.LoadProfile(c.on.On.Profile())
	kind := lab.Prediction
	if c.on.On.Virtual() && (err != nil || profile.Parameters["packet_ud_us"].How != sim.Measured) {
		kind = lab.Fitted
	}
	for _, check := range checks {
		check.Bar = c.name + ", " + check.Bar
		if kind == lab.Fitted {
			check = check.By(udCosts...)
		}
		r.Hold(kind, check)
	}
}

// datagramVerbs measures both kinds of queue pairs.
func datagramVerbs(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.3")
	p := r.AddPanel("Verbs latency, datagrams and connections", lab.Bytes, lab.Microseconds)
	const most = 64 << 10
	for _, c := range clusters(b) {
		lines := c.lines(p)
		for i, kind := range []verbs.Type{verbs.RC, verbs.UD} {
			err := b.RunLetters(ctx, lab.LetterJob{On: c.on, Type: kind, Most: most}, func(w *measure.Letters) error {
				for _, size := range b.Sizes(1, most) {
					us, err := quietest(w, size, c.on, b)
					if err != nil {
						return err
					}
					if w.Lead {
						lines[i].Add(float64(size), us)
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		ratio := lines[1].Over(lines[0])
		beyond := lab.AtLeast("64 KB: UD over RC", 1.1, ratio.At(most), "times").Since("the document says significantly more, without a number")
		if !c.on.On.Virtual() {
			beyond = beyond.Because("on the loopback interface datagrams are not cut into fragments, and a second one costs less than TCP's own work for 64 KB")
		}
		c.hold(r, lab.Share("below 64 KB, UD is below RC", 0.8, ratio.Between(1, most-1), func(y float64) bool { return y < 1 }).Since("the document says in most cases"), beyond)
	}
	return r, nil
}

// quietest measures once where nothing disturbs, and on a host the fastest of many short pieces.
func quietest(w *measure.Letters, size int, on lab.Setup, b *lab.Bench) (float64, error) {
	l, pieces := b.Loops(on, size), 1
	if !on.On.Virtual() {
		l, pieces = measure.Loops{Warmup: 2, Timed: 10}, 25
	}
	best := math.Inf(1)
	for range pieces {
		us, err := measure.SendLatency(w, size, l)
		if err != nil {
			return 0, err
		}
		best = min(best, us)
	}
	return best, nil
}

func datagramLatency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.4")
	p := r.AddPanel("MPI latency, datagrams and connections", lab.Bytes, lab.Microseconds)
	for _, c := range clusters(b) {
		lines := c.lines(p)
		for i, channel := range channels {
			err := b.Run(ctx, lab.Job{On: c.on, Ranks: 2, Settings: channel.settings}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(1, 64<<10), lines[i].Add, func(size int) (float64, error) {
					return measure.PingPong(k, size, b.Loops(c.on, size))
				})
			})
			if err != nil {
				return nil, err
			}
		}
		short := lines[1].Over(lines[0]).Between(1, 1<<10)
		_, best := short.Min()
		c.hold(r,
			lab.AtMost("up to 1 KB, mean of UD over RC", 0.90, short.Mean(), "times").Since("the document gives the most that is gained, and no mean"),
			lab.Within("the most that UD gains over RC up to 1 KB", 25, 100*(1-best), 35, "%"),
		)
	}
	return r, nil
}

// bestOf measures several times and returns the greatest value.
func bestOf(rounds int, measure func() (float64, error)) (best float64, err error) {
	for range rounds {
		value, err := measure()
		if err != nil {
			return 0, err
		}
		best = max(best, value)
	}
	return best, nil
}

func datagramBandwidth(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.5")
	p := r.AddPanel("Two opposite pairs, datagrams and connections", lab.Bytes, lab.Megabytes)
	for _, c := range clusters(b) {
		rounds := 1
		if !c.on.On.Virtual() {
			rounds = 20 // others use the processors too
		}
		lines := c.lines(p)
		for i, channel := range channels {
			err := b.Run(ctx, lab.Job{On: c.on, Ranks: 4, PerNode: 2, Settings: channel.settings}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(256, 64<<10), lines[i].Add, func(size int) (float64, error) {
					return bestOf(rounds, func() (float64, error) {
						return measure.OppositePairs(k, size, measure.Window, streamLoops(b, size))
					})
				})
			})
			if err != nil {
				return nil, err
			}
		}
		more := lab.Between("2 KB: UD over RC", 1.25, 1.4*1.35, lines[1].At(2<<10)/lines[0].At(2<<10), "times").Since("the document says more than 40%")
		if rounds > 1 {
			more = lab.RatioAt("2 KB: UD over RC", lines[1], lines[0], 2<<10, 1.1).Since("others use the processors too").
				Because("the kernel joins messages of a stream, and takes them apart in few calls, where every datagram is a packet by itself; four ranks need four processors")
		}
		c.hold(r, more)
	}
	return r, nil
}
