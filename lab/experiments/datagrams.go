package experiments

import (
	"context"
	"math"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var datagramVerbsExperiment = lab.Experiment{
	ID: "F6.3",
	Explain: [2]string{
		"A ping-pong without MPI: messages are sent to receives that the other side has posted, over a connection (iWARP over TCP) and by datagrams (iWARP over UDP). Datagrams need no framing in a stream, no markers in it, and less work of the kernel. At 64 KB a message no longer fits a datagram: it must be sent in two, and pays for both.",
		"The simulated hosts do the protocol themselves, as the document's did. That a datagram costs their processors less than a piece of a stream is a price of the profile, chosen with these figures in sight: at equal prices nothing is gained (TestDatagramsOweItToTheirPrice). On a host (--on host) both sides are this library's software device on the loopback interface, as processes of one job: without markers, which the document names as a burden of connections.",
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

// datagramVerbs measures both kinds of queue pairs.
func datagramVerbs(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.3")
	p := r.AddPanel("Verbs latency, datagrams and connections", lab.Bytes, lab.Microseconds)
	const most = 64 << 10
	on := b.Setups("C1")[0]
	for i, kind := range []verbs.Type{verbs.RC, verbs.UD} {
		line := p.Line(channels[i].name)
		err := b.RunLetters(ctx, lab.LetterJob{On: on, Type: kind, Most: most}, func(w *measure.Letters) error {
			for _, size := range b.Sizes(1, most) {
				us, err := quietest(w, size, on, b)
				if err != nil {
					return err
				}
				if w.Lead {
					line.Add(float64(size), us)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	ratio := p.Line(channels[1].name).Over(p.Line(channels[0].name))
	beyond := lab.AtLeast("64 KB: UD over RC", 1.1, ratio.At(most), "times").Since("the document says significantly more, without a number").By(udCosts...)
	if !on.On.Virtual() {
		beyond = beyond.Because("on the loopback interface datagrams are not cut into fragments, and a second one costs less than TCP's own work for 64 KB")
	}
	r.Hold(lab.Fitted, lab.Share("below 64 KB, UD is below RC", 0.8, ratio.Between(1, most-1), func(y float64) bool { return y < 1 }).Since("the document says in most cases").By(udCosts...), beyond)
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
	for _, on := range b.Setups("C1") {
		for _, c := range channels {
			err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: c.settings}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(1, 64<<10), p.Line(c.name).Add, func(size int) (float64, error) {
					return measure.PingPong(k, size, b.Loops(on, size))
				})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	rc, ud := p.Line(channels[0].name), p.Line(channels[1].name)
	_, best := ud.Over(rc).Min()
	r.Hold(lab.Fitted,
		lab.AtMost("up to 1 KB, mean of UD over RC", 0.90, ud.Over(rc).Between(1, 1<<10).Mean(), "times").Since("the document gives the most that is gained, and no mean").By(udCosts...),
		lab.Within("the most that UD gains over RC", 25, 100*(1-best), 35, "%").By(udCosts...),
	)
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
	rounds := 1
	for _, on := range b.Setups("C1") {
		if !on.On.Virtual() {
			rounds = 20 // others use the processors too
		}
		for _, c := range channels {
			err := b.Run(ctx, lab.Job{On: on, Ranks: 4, PerNode: 2, Settings: c.settings}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(256, 64<<10), p.Line(c.name).Add, func(size int) (float64, error) {
					return bestOf(rounds, func() (float64, error) {
						return measure.OppositePairs(k, size, measure.Window, streamLoops(b, size))
					})
				})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	rc, ud := p.Line(channels[0].name), p.Line(channels[1].name)
	more := lab.Within("2 KB: UD over RC", 1.4, ud.At(2<<10)/rc.At(2<<10), 10, "times")
	if rounds > 1 {
		more = lab.RatioAt("2 KB: UD over RC", ud, rc, 2<<10, 1.1).Since("others use the processors too").Because("the kernel joins messages of a stream, and takes them apart in few calls, where every datagram is a packet by itself; four ranks need four processors")
	}
	r.Hold(lab.Fitted, more.By(udCosts...))
	return r, nil
}
