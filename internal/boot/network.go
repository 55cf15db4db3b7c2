package boot

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/wire"
)

// network is a rank's way to other hosts.
type network struct {
	dev   verbs.Device
	link  *rail.Link
	rails int
}

// railCount is how many rails the network has, 1 if there is none.
func (n *network) railCount() int {
	if n == nil {
		return 1
	}
	return max(n.rails, 1)
}

func addressKey(rank int) string { return fmt.Sprintf("weft-addr-%d", rank) }

// board is where ranks tell each other where they are.
type board interface {
	Put(key, value string) error
	Get(key string) (value string, found bool, err error)
}

// openNetwork opens the device and the link on it, and tells the other ranks where it is. ring wakes the loop; nil: the
// link's own bell does.
func (ps *parts) openNetwork(client board, key []byte, ring func()) (*network, error) {
	p, set := ps.place, ps.set
	all, err := interfaces()
	if err != nil {
		return nil, err
	}
	ours, err := chooseInterfaces(all, set.Net.Iface, p.hosts == 1, set.Net.Rails)
	if err != nil {
		return nil, err
	}
	cfg := railConfig(&set.Net)
	crowded := p.crowded()
	cfg.Striping = striping(set.Net.Striping, crowded)
	suitSockets(&cfg, &set.Net, crowded)
	if set.Progress == "poll" {
		cfg.Hold = 0 // nobody would let go of it while the program computes
	}
	var rails []netip.Addr
	for _, i := range ours {
		rails = append(rails, i.net.Addr())
		cfg.Prefixes = append(cfg.Prefixes, i.net)
	}
	dev, err := soft.Open(soft.Config{
		Rails: rails, Key: key, KeyedDatagrams: true, NoCRC: !set.Net.CRC, ReceiveWait: never, Silence: int64(set.Net.Silence), Rest: rest,
		Congestion: congestion(set.Net.Congestion, systemCongestion()),
	})
	if err != nil {
		return nil, err
	}
	if n := &set.Net; n.Drop+n.Double+n.Delay > 0 {
		dev.Tap(faults(n, mathrand.New(mathrand.NewPCG(mathrand.Uint64(), mathrand.Uint64()))))
	}
	cfg.Device, cfg.Bell, cfg.Route, cfg.Pages = dev, ring, routeBy(ours), ps.pages
	return newNetwork(p, cfg, client)
}

// newNetwork makes the link of a rank on an open device, which it closes if that fails, and tells the others where it is.
func newNetwork(p place, cfg rail.Config, client board) (*network, error) {
	cfg.Self, cfg.Size = p.rank, p.size
	cfg.Address = func(peer int) (string, error) {
		text, found, err := client.Get(addressKey(peer))
		if err == nil && !found {
			err = fmt.Errorf("rank %d has not said where it is", peer)
		}
		return text, err
	}
	link, err := rail.New(cfg)
	if err == nil {
		err = client.Put(addressKey(p.rank), link.Address())
	}
	if err != nil {
		_ = cfg.Device.Close()
		return nil, err
	}
	return &network{cfg.Device, link, len(cfg.Prefixes)}, nil
}

// congestion is the algorithm against congestion that connections ask the kernel for, "" for the system's. Left to us it is not bbr,
// which sends by timers at the rate that it has measured: between ranks that have the way to themselves that only holds messages up.
// Every kernel has reno, and every process may choose it.
func congestion(wish, system string) string {
	switch {
	case wish == "auto" && strings.HasPrefix(system, "bbr"):
		return "reno"
	case wish == "auto" || wish == "system":
		return ""
	}
	return wish
}

// systemCongestion is the algorithm that the system chooses, "" if that is not known.
func systemCongestion() string {
	text, _ := os.ReadFile("/proc/sys/net/ipv4/tcp_congestion_control")
	return strings.TrimSpace(string(text))
}

// rest is how long, in nanoseconds, a rank that waits leaves a socket alone that is empty in the middle of several long messages in a row.
const rest = 100e3

// never is so long, in nanoseconds, that a job is over by then.
const never = int64(1) << 62

// What suits sockets, where the tunables say auto. A call costs as much as copying a page or two, so frames are long: memory for
// them is shared by all connections. The trip that the offer of a long message takes lasts longer than copying its prefix does, and
// where nothing else is under way, longer than copying a message of crowdedAlone. Where receives are there in time, as they are where ranks have
// a processor each, messages follow their offers unasked, which is worth more than the copy from socketAlone on.
const (
	socketVbuf    = 33 << 10 // 32 KB and headers
	socketPrefix  = 16 << 10
	socketAlone   = 96 << 10
	crowdedAlone  = 128 << 10
	socketUnasked = 4 << 20
)

// suitSockets fills in what was left to the device. crowded tells that ranks outnumber processors.
func suitSockets(cfg *rail.Config, n *tune.Net, crowded bool) {
	if n.Prefix == tune.Auto {
		cfg.Prefix = socketPrefix
	}
	if n.Vbuf == tune.Auto && cfg.Channel == rail.SRQ {
		cfg.Vbuf = socketVbuf
	}
	if n.EagerAlone == tune.Auto {
		cfg.EagerAlone = socketAlone
		if crowded {
			cfg.EagerAlone = crowdedAlone
		}
	}
	if n.Unasked == tune.Auto {
		cfg.Unasked = socketUnasked
	}
}

// railConfig makes the link's configuration from the tunables.
func railConfig(n *tune.Net) rail.Config {
	channel, _ := rail.ParseChannel(n.Channel) // tune has checked it
	return rail.Config{
		Channel: channel, Rendezvous: rendezvous[n.Rendezvous], EagerMax: n.EagerMax, EagerAlone: max(n.EagerAlone, 0), Unasked: max(n.Unasked, 0), Prefix: max(n.Prefix, 0), Vbuf: max(n.Vbuf, 0), Ports: n.Ports,
		SRQSize: n.SRQSize, SRQLimit: n.SRQLimit, SRFirst: n.SRFirst, SRFull: n.SRFull, RingAfter: n.RingAfter, RingPeers: orNone(n.RingPeers),
		RingBytes: n.RingBytes, RCRecvs: orNone(n.RCRecvs), RCMax: orNone(n.RCMax), Promote: n.Promote, SendBytes: n.SendBytes, Stripe: n.Stripe,
		Striping: striping(n.Striping, false), PeerWait: int64(n.PeerWait), Quiet: quiet(n.Quiet), RegEntries: orNone(n.RegEntries), RegBytes: n.RegBytes,
		NoReconnect: !n.Reconnect, NoPlace: !n.Place, Reuse: reuse(n), Hold: int64(n.Hold),
		Flow: flow.Config{
			Window: n.Window, AckEvery: n.AckEvery, AckDelay: int64(n.AckDelay), Timeout: int64(n.Timeout), MinTimeout: int64(n.Timeout) / 100,
			MaxRetry: n.Retries, Patience: n.Patience, OutOfOrder: 2501,
		},
	}
}

// striping is how long messages are cut over rails. Where ranks have to take turns on the processors, these are what is scarce, not
// wires: every connection that a message uses is then one more that has to get its turn, at both ends.
func striping(word string, crowded bool) string {
	switch {
	case word == "auto" && crowded:
		return "off"
	case word == "auto":
		return "rate"
	}
	return word
}

// reuse makes the link's rules for buffers in frequent use from the tunables. Shares of 0 are taken at their word: a buffer
// is trusted with its second use, new buffers are counted whatever the others are worth.
func reuse(n *tune.Net) rail.Reuse {
	r := rail.Reuse{On: n.Reuse, Spec: max(n.ReuseSpec, 1e-9), Adapt: n.ReuseAdapt, Tree: n.ReuseTable == "tree"}
	if r.Adapt == 0 {
		r.Adapt = -1
	}
	if n.ReuseCosts == "paper" {
		r.Thresholds = rail.PaperThresholds
	}
	return r
}

// orNone turns 0, which means none in the environment, into what means none to rail: there 0 is the default.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

func quiet(d time.Duration) int64 {
	if d == 0 {
		return -1
	}
	return int64(d)
}

// faults does to datagrams that leave what WEFT_UD_DROP, WEFT_UD_DOUBLE and WEFT_UD_DELAY ask for.
// chance decides, and is called by one goroutine at a time.
func faults(n *tune.Net, chance *mathrand.Rand) func(verbs.Datagram) verbs.Fate {
	return func(verbs.Datagram) (f verbs.Fate) {
		f.Drop = chance.Float64() < n.Drop
		if chance.Float64() < n.Double {
			f.Copies = 1
		}
		if chance.Float64() < n.Delay {
			f.Delay = chance.Int64N(5e6)
		}
		return f
	}
}

var rendezvous = map[string]wire.Rendezvous{"rget": wire.Pull, "rput": wire.Put, "speculative": wire.Speculate}

func engineConfig(set *tune.Settings) engine.Config {
	s := &set.Spec
	cfg := engine.Config{
		UnexpectedMax: set.Unexpected,
		HoldDone:      !s.Chain, NoInitialProgress: !s.Initial, NoAdapt: s.Threshold == 0,
		SpecThreshold: s.Threshold, SpecMinSamples: s.Samples, SpecWindow: s.Window, MaxUnusedRTR: s.Unused, RoundTrip: int64(s.RoundTrip),
	}
	if s.Scope == "process" {
		cfg.SpecScope = engine.PerProcess
	}
	return cfg
}

// close ends the network of a rank.
func (n *network) close() error {
	n.link.Close()
	return n.dev.Close()
}

// madeKey is where rank 0 leaves a key that it has made. It is not pmi.JobKey: a rank that came late would find it there
// and leave out the barrier that the others wait in.
const madeKey = pmi.JobKey + "-made"

// jobKey is the secret of the job: from weft run, or made by rank 0 where another launcher serves.
func jobKey(p place, client *pmi.Client) ([]byte, error) {
	text, found, err := client.Get(pmi.JobKey)
	if err == nil && !found {
		if p.rank == 0 {
			text = hex.EncodeToString(newKey())
			err = client.Put(madeKey, text)
		}
		if err == nil {
			err = client.Barrier()
		}
		if err == nil && p.rank != 0 {
			text, _, err = client.Get(madeKey)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the job's key: %w", ErrLauncher, err)
	}
	key, err := hex.DecodeString(text)
	if err != nil || len(key) < 16 {
		return nil, fmt.Errorf("%w: the job's key is damaged", ErrLauncher)
	}
	return key, nil
}

func newKey() []byte {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	return b[:]
}

// fileBell is the doorbell of a rank that has peers on its host and on others, and sleeps at its sockets: a message wakes one thread,
// whichever way it comes. Ranks of the host ring it through the file of the device's poller.
type fileBell struct {
	shm.Bell
	rail *rail.Bell
	rung func() bool // Rung, kept so that no sleep allocates
}

func newFileBell(own shm.Bell, r *rail.Bell) *fileBell { return &fileBell{own, r, own.Rung} }

func (b *fileBell) Arm()              { b.ArmFile() }
func (b *fileBell) Sleep(limit int64) { b.rail.SleepRung(limit, b.rung) }
func (b *fileBell) Forward()          { b.rail.Forward() }

// railBell is a doorbell that the network rings too: its rank sleeps in shared memory, while the device goes on by itself.
type railBell struct {
	progress.Bell
	link *rail.Link
}

func (b railBell) Arm() {
	b.Bell.Arm()
	b.link.Arm()
}
