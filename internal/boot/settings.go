package boot

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"regexp"
	"strings"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/spell"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// Settings are what the environment says of a job: the options of each package that has some, and
// where they came from.
type Settings struct {
	Options
	Engine engine.Config
	Comm   comm.Options
	Shm    shm.Config
	Rail   rail.Options
	Soft   soft.Config

	Adapter kernel.Choice

	Values  tune.Values
	unknown []string // WEFT_ names that are no settings
}

// Options are what concerns the job as a whole: how ranks are brought up, and which parts they get.
type Options struct {
	Links    string // "auto", "shm", "rail"
	Coll     string // rules, see CollRules
	Binding  bool   // they are: see coll.Selector.Binding
	Machine  string // what costs how much, see Machine
	Check    string // "on", "off", "auto"
	Stall    int64  // nanoseconds; 0: never report
	Progress progress.Mode
	Wait     string // "hybrid", "spin", "park"
	Report   string // directory for a report per rank, "" for none
	Arrivals string // file for the profile of arrivals, "" for none
	Profile  string // file for the profile of calls, "-" for standard error, "" for none
	Trace    string // file for the timeline of calls, "" for none
	Nodes    nodes
	Scheme   plan.Way
	Slips    bool // a few bytes of collectives stand in one line with their flag

	Arena   int    // bytes of shared memory per rank for the program
	Commons int    // and for collectives; 0: none are shared
	Help    string // "on", "off", "auto"

	Device     string // "soft", "rdma", or names of devices
	Iface      string
	Rails      int
	Congestion string // a name of the kernel's, "auto" or "system"
	Faults     faults
}

// defaults are the settings of a job whose user says nothing.
func defaults() *Settings {
	return &Settings{
		Options: Options{
			Links: "auto", Check: "auto", Stall: 60e9, Wait: "hybrid", Slips: true,
			Arena: 1 << 30, Commons: 256 << 20, Help: "auto", Device: softDevice, Rails: 8, Congestion: "auto",
		},
		Engine: engine.Defaults(), Comm: comm.Defaults(), Rail: rail.Defaults(),
		Soft: soft.Config{NoCRC: true, Silence: 5e9, KeyedDatagrams: true, ReceiveWait: never}, Adapter: kernel.DefaultChoice(),
	}
}

// ReadSettings takes the settings out of an environment in the form of os.Environ.
func ReadSettings(environ []string) (*Settings, error) {
	s := defaults()
	var err error
	s.Values, s.unknown, err = tune.Read(s.table(), environ)
	return s, err
}

// table is all settings that there are.
func (s *Settings) table() []tune.Group {
	return []tune.Group{s.ofJob(), s.Engine.Settings(), s.Comm.Settings(), s.onHost(), s.Shm.Settings(), s.ofNetwork(), s.Rail.Settings(), s.Soft.Settings(),
		s.Adapter.Settings()}
}

// Unknown says which WEFT_ variables were set that are no settings, and what may have been meant;
// nil if there are none.
func (s *Settings) Unknown() error {
	var all []error
	for _, name := range s.unknown {
		what := fmt.Sprintf("no setting is called %s%s; weft info --tunables lists them", name, spell.Hint(name, s.Values.Names(), 1))
		if now := s.Values.NewName(name); now != "" {
			what = fmt.Sprintf("%s is now called %s", name, now)
		}
		all = append(all, fmt.Errorf("%w: %s", tune.ErrBad, what))
	}
	return errors.Join(all...)
}

// settings reads those of this process and warns of misspelt ones.
func settings() (*Settings, error) {
	set, err := ReadSettings(os.Environ())
	if err != nil {
		return nil, err
	}
	if err := set.Unknown(); err != nil && os.Getenv("WEFT_RANK") <= "0" {
		fmt.Fprintf(os.Stderr, "weft: %v\n", err)
	}
	return set, nil
}

func (o *Options) ofJob() tune.Group {
	return tune.Group{About: "the job", Rows: []tune.Row{
		tune.Alike(tune.Word("WEFT_LINKS", &o.Links, "how ranks reach each other: auto (shared memory on a host, the network between hosts), shm, rail (the network everywhere)",
			"auto", "shm", "rail")),
		tune.Alike(tune.Text("WEFT_COLL", &o.Coll, anything, "rules that choose collective algorithms before the built-in ones; see docs/using/collectives.md")),
		tune.Alike(tune.Text("WEFT_MACHINE", &o.Machine, anything,
			"what messages, copies and flags cost here, by which collective algorithms are chosen: name=value,... or @FILE as weft tune writes it; empty: as on a usual host; see docs/using/collectives.md")),
		tune.Alike(tune.Word("WEFT_CHECK", &o.Check, "compare every collective call with the neighbour rank's, and the element types of messages, look for blocks that are received on one another, and name the lines of source: on, off, auto (on in test binaries); a digest of collective calls is always compared", "on", "off", "auto")),
		tune.Time("WEFT_STALL", &o.Stall, "report who waits for what after waiting this long; 0 never does"),
		tune.Enum("WEFT_PROGRESS", &o.Progress, []string{"auto", "poll", "wake", "rendezvous", "interrupt"},
			"who makes progress while the program computes: auto, wake (a goroutine, at once), rendezvous (a goroutine, for long messages only), interrupt (a goroutine that whatever comes wakes), poll (nobody)"),
		tune.Word("WEFT_WAIT", &o.Wait, "how to wait: hybrid (poll, yield, sleep), spin (never sleep), park (sleep at once)", "hybrid", "spin", "park"),
		tune.Text("WEFT_REPORT", &o.Report, fullPath("a directory", "ranks may run in others"), "directory where every rank leaves its counters, rank-N.json, when it ends; empty: nowhere"),
		tune.Alike(tune.Text("WEFT_ARRIVALS", &o.Arrivals, fullPath("a file", "rank 0 may run elsewhere"),
			"file where rank 0 writes when each rank came to each collective call, for weft profile; empty: nowhere")),
		tune.Alike(tune.Text("WEFT_PROFILE", &o.Profile, profilePath,
			"file where rank 0 writes what the calls of all ranks have cost, as JSON if its name ends in .json; -: standard error; empty: nowhere")),
		tune.Alike(tune.Text("WEFT_TRACE", &o.Trace, fullPath("a file", "rank 0 may run elsewhere"),
			"file where rank 0 writes all calls of all ranks in the Trace Event format, for Perfetto or Chrome; empty: nowhere")),
		tune.Alike(tune.Row{Name: "WEFT_LAB_NODES", Text: "nodes that collectives pretend there are on a host: a number of nodes, or the node of each rank, such as 0,0,1, over and over; empty: one",
			Get: o.Nodes.format, Set: o.Nodes.parse}),
		tune.Alike(tune.Enum("WEFT_LAB_COLL_SCHEME", &o.Scheme, []string{plan.Auto.String(), plan.Copied.String(), plan.Announced.String()},
			"how messages between nodes travel in collectives that leave it open: copied (with their envelope), announced (the receiver says where it wants them), auto (copied up to 8 KB)")),
		tune.Alike(tune.Switch("WEFT_LAB_COLL_BINDING", &o.Binding, "a call fails for which a rule of WEFT_COLL names an algorithm that does not fit: on, off (the next rule counts, or the model)")),
		tune.Alike(tune.Switch("WEFT_LAB_COLL_SLIPS", &o.Slips, "collectives within a node put a few bytes (up to 112) beside the flag that tells of them: on, off (bytes and flags on lines of the cache of their own)")),
	}}
}

func (o *Options) onHost() tune.Group {
	return tune.Group{About: "within a host", Rows: []tune.Row{
		tune.Bytes("WEFT_ARENA", &o.Arena, 0, 1<<44, "shared memory per rank that mpi.Alloc can hand out; only touched pages cost memory"),
		tune.Alike(tune.Bytes("WEFT_COLL_NODE", &o.Commons, 0, 1<<44, "memory per rank, shared with the ranks of its node, that collectives may use; only touched pages cost memory; 0: collectives send messages")),
		tune.Word("WEFT_LAB_HELP", &o.Help, "a waiting sender copies half of its long message: on, off, auto (off when ranks outnumber processors)", "on", "off", "auto"),
	}}
}

func (o *Options) ofNetwork() tune.Group {
	f := &o.Faults
	return tune.Group{About: "between hosts", Rows: []tune.Row{
		tune.Text("WEFT_DEVICE", &o.Device, checkDevice, "what carries messages between hosts: soft (sockets), rdma (the best RDMA adapter with a cable), or adapters by name, such as mlx5_0, mlx5_0:1 (a port), mlx5_0,mlx5_1 (dealt among the ranks of a host) or mlx5_0+mlx5_1 (both for every rank); see docs/operating/rdma.md"),
		tune.Text("WEFT_IFACE", &o.Iface, checkIface, "network interfaces by name or network, such as eth0,10.0.0.0/8; with ^ in front: all but these; empty: all that lead outside"),
		tune.Count("WEFT_RAILS", &o.Rails, 1, 8, "network interfaces to use at most"),
		tune.Text("WEFT_LAB_CONGESTION", &o.Congestion, checkCongestion, "TCP: the kernel's algorithm against congestion on connections between ranks, such as reno or cubic; system: the system's; auto: likewise, but reno where that is bbr"),
		tune.Share("WEFT_LAB_UD_DROP", &f.drop, "datagrams: share that is dropped on purpose, to test what happens then"),
		tune.Share("WEFT_LAB_UD_DOUBLE", &f.double, "datagrams: share that is sent twice on purpose"),
		tune.Share("WEFT_LAB_UD_DELAY", &f.delay, "datagrams: share that is held back on purpose, so that others overtake it"),
	}}
}

func anything(string) error { return nil }

// fullPath checks the name of something that every rank must understand alike.
func fullPath(what, because string) func(string) error {
	return func(words string) error {
		if words != "" && !strings.HasPrefix(words, "/") {
			return fmt.Errorf("must be the full path of %s, because %s", what, because)
		}
		return nil
	}
}

// profilePath takes a full path, or - for standard error.
func profilePath(words string) error {
	if words == "-" {
		return nil
	}
	return fullPath("a file", "rank 0 may run elsewhere")(words)
}

// checkIface takes a list of names, addresses and networks, with ^ in front or not.
func checkIface(words string) error {
	if words == "" {
		return nil
	}
	for word := range strings.SplitSeq(strings.TrimPrefix(words, "^"), ",") {
		_, noNet := netip.ParsePrefix(word)
		_, noAddr := netip.ParseAddr(word)
		if noNet != nil && noAddr != nil && !interfaceName.MatchString(word) {
			return errors.New("must be names and networks such as eth0,10.0.0.0/8, with ^ in front to leave them out")
		}
	}
	return nil
}

var interfaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@-]{0,14}$`)

// checkCongestion takes what the kernel may call such an algorithm; whether it has one of that name
// is found out where it is used.
func checkCongestion(words string) error {
	if !congestionName.MatchString(words) {
		return errors.New("must be auto, system or a name of /proc/sys/net/ipv4/tcp_available_congestion_control, such as reno or cubic")
	}
	return nil
}

var congestionName = regexp.MustCompile(`^[a-z0-9_-]{1,15}$`)
