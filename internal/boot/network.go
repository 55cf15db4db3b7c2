package boot

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"net/netip"
	"os"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
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

// openNetwork opens the device and the link on it, and tells the other ranks where it is. own is
// the loop's bell; nil: that of the link is.
func (ps *parts) openNetwork(client board, key []byte, own *shm.Bell) (*network, error) {
	p, set := ps.place, ps.set
	if set.Device != softDevice && set.Soft.Encrypt {
		return nil, fmt.Errorf("WEFT_ENCRYPT=on (weft run --encrypt): adapters do not encrypt, and WEFT_DEVICE is %s: "+
			"leave out one of the two", set.Device)
	}
	all, err := interfaces()
	if err != nil {
		return nil, err
	}
	ours, err := chooseInterfaces(all, set.Iface, p.hosts == 1, set.Rails)
	if err != nil {
		return nil, err
	}
	cfg := rail.Config{Options: set.Rail}
	if set.Device == softDevice {
		suitSockets(&cfg.Options, p.crowded())
		cfg.Device, cfg.Prefixes, err = ps.openSoft(ours, key)
	} else {
		suitHardware(&cfg.Options, &p)
		cfg.Device, cfg.Prefixes, err = ps.openHardware(ours, key)
	}
	if err != nil {
		return nil, err
	}
	if !set.Progress.Holds() {
		cfg.Hold = 0 // nobody would let go of it while the program computes
	}
	cfg.Route, cfg.Pages = routeBy(ours), ps.pages
	if own != nil {
		cfg.Bell, cfg.Rung = own.Ring, own.Rung
	}
	n, err := newNetwork(p, cfg, client)
	return n, pinning(err, set.Device)
}

// openSoft opens the software device on the interfaces of this host that the rank uses.
func (ps *parts) openSoft(ours []iface, key []byte) (verbs.Device, []netip.Prefix, error) {
	set := ps.set
	var rails []netip.Addr
	var nets []netip.Prefix
	for _, i := range ours {
		rails, nets = append(rails, i.net.Addr()), append(nets, i.net)
	}
	sc := set.Soft
	sc.Rails, sc.Key, sc.Congestion = rails, key, congestion(set.Congestion, systemCongestion())
	dev, err := soft.Open(sc)
	if err != nil {
		return nil, nil, err
	}
	if tap := set.Faults.tap(mathrand.New(mathrand.NewPCG(mathrand.Uint64(), mathrand.Uint64()))); tap != nil {
		dev.Tap(tap)
	}
	return dev, nets, nil
}

// newNetwork makes the link of a rank on an open device, which it closes if that fails, and tells the
// others where it is.
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

// congestion is the algorithm against congestion that connections ask the kernel for, "" for the system's.
// Left to us it is not bbr, which sends by timers at the rate that it has measured: between ranks that have
// the way to themselves that only holds messages up. Every kernel has reno, and every process may choose
// it.
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

// never is so long, in nanoseconds, that a job is over by then.
const never = int64(1) << 62

// What suits sockets, where the settings say auto. A call costs as much as copying a page or two,
// so frames are long: memory for them is shared by all connections. The trip that the offer of a
// long message takes lasts longer than copying its prefix does, and where nothing else is under
// way, longer than copying a message of crowdedAlone. Where receives are there in time, as they are
// where ranks have a processor each, messages follow their offers unasked, which is worth more than
// the copy from socketAlone on.
const (
	socketVbuf    = 33 << 10 // 32 KB and headers
	socketPrefix  = 16 << 10
	socketAlone   = 96 << 10
	crowdedAlone  = 128 << 10
	socketUnasked = 4 << 20
)

// suitSockets decides what was left to the device. crowded tells that ranks outnumber processors.
func suitSockets(o *rail.Options, crowded bool) {
	o.Striping = striping(o.Striping, crowded)
	suit := func(length *int, roomy, crowd int) {
		switch {
		case *length != tune.Auto:
		case crowded:
			*length = crowd
		default:
			*length = roomy
		}
	}
	suit(&o.Prefix, socketPrefix, socketPrefix)
	suit(&o.EagerAlone, socketAlone, crowdedAlone)
	suit(&o.Unasked, socketUnasked, socketUnasked)
	if o.Channel == rail.SRQ {
		suit(&o.Vbuf, socketVbuf, socketVbuf)
	}
}

// striping is how long messages are cut over rails. Where ranks have to take turns on the processors, these
// are what is scarce, not wires: every connection that a message uses is then one more that has to get its
// turn, at both ends.
func striping(word string, crowded bool) string {
	switch {
	case word == "auto" && crowded:
		return "off"
	case word == "auto":
		return "rate"
	}
	return word
}

// close ends the network of a rank.
func (n *network) close() error {
	n.link.Close()
	return n.dev.Close()
}

// madeKey is where rank 0 leaves a key that it has made. It is not pmi.JobKey: a rank that came late would
// find it there and leave out the barrier that the others wait in.
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

// fileBell is the doorbell of a rank that has peers on its host and on others, and sleeps at its sockets: a
// message wakes one thread, whichever way it comes. Ranks of the host ring it through the file of the
// device's poller.
type fileBell struct {
	shm.Bell
	rail *rail.Bell
}

func (b fileBell) Arm()              { b.ArmFile() }
func (b fileBell) Sleep(limit int64) { b.rail.Sleep(limit) }
func (b fileBell) Forward()          { b.rail.Forward() }

// railBell is a doorbell that the network rings too: its rank sleeps in shared memory, while the device
// goes on by itself.
type railBell struct {
	progress.Bell
	link *rail.Link
}

func (b railBell) Arm() {
	b.Bell.Arm()
	b.link.Arm()
}
