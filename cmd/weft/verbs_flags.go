package main

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/internal/verbs/perf"
)

// verbsOptions is a checked command line of `weft verbs`.
type verbsOptions struct {
	test  perf.Test
	suite bool
	host  string // of the server; empty: both ends here

	server bool
	child  bool // set by the starter for the server it starts: tell the address, end with the starter
	gentle bool // for tests: both ends sleep between polls
	bind   netip.Addr
	port   int
	key    string // file

	kind       string
	kindGiven  bool
	sizes      []int
	all        bool
	iterations int
	duration   time.Duration
	tx, rx     int
	inline     int
	qps        int
	both       bool
	device     string
	noCRC      bool
	markers    bool
	noOffload  bool
	datagram   int

	compare string
	rounds  int
	json    bool
	plot    string
	save    string
}

// verbsPort is where a server waits unless told otherwise: the port of the perftest tools.
const verbsPort = 18515

const verbsAbout = `
Shows whether RDMA works between two hosts and how fast it is. Without HOST both ends run here, as two processes; with --server it is
the other end, for clients on other hosts. Options and output follow the perftest tools (ib_send_lat and its sisters), and ib_TEST
works as well as TEST. The data of every measurement is checked.

  weft verbs ping                          does it work, on this host
  weft verbs --server                      on one host; then on another:
  weft verbs ping node1                      does it work between the two
  weft verbs send_lat node1 -a               latency from 2 B to 8 MB
  weft verbs write_bw node1 -s 1M --no-crc   bandwidth of 1 MB writes
  weft verbs send_lat -c UD --compare raw  datagrams against a plain UDP socket, in interleaved rounds
  weft verbs send_lat -c UD --compare rc   datagrams against connections
  weft verbs multi_lat -q 64               1, 2, 4 ... 64 connections at once
  weft verbs send_lat -a --plot lat.svg    a figure, with its numbers in lat.csv

Tests:
`

// aboutVerbs describes "weft verbs", with all tests that there are.
func aboutVerbs() usage.Command {
	var b strings.Builder
	b.WriteString(verbsAbout)
	for _, t := range perf.Tests() {
		fmt.Fprintf(&b, "  %-10s %s\n", t.Name, t.About)
	}
	b.WriteString("  suite      what docs/researching/verbs.md promises, and many connections\n")
	return usage.Command{Forms: []string{"TEST [HOST] [options]", "--server [TEST] [options]", "suite [HOST] [options]"}, About: b.String(),
		Words: "VERB [HOST]", Groups: flagGroup(new(verbsOptions).flags())}
}

// flags declares the options.
func (o *verbsOptions) flags() *flag.FlagSet {
	f := newFlags("verbs")
	o.kind, o.port, o.rounds, o.inline, o.device = perf.RC, verbsPort, 31, -1, softDevice
	both := func(short, long, text string, set func(string) error) {
		f.Func(short, text, set)
		usage.Also(f, short, long)
	}
	both("c", "connection", "`rc|ud|rd`: type of queue pair (default rc)", o.setKind)
	both("s", "size", "`SIZE,...`: message sizes in bytes, suffixes K and M (default 64, bandwidth 64K)", o.setSizes)
	both("n", "iters", "`N` iterations per row (default 1000, bandwidth 5000, fewer for long messages)", count(&o.iterations, 1, perf.MaxIterations))
	both("D", "duration", "measure each row for so many `SECONDS` instead", o.setDuration)
	both("t", "tx-depth", "`N` entries in send queues (default 128; multi tests and mem 16)", count(&o.tx, 1, perf.MaxDepth-16))
	both("r", "rx-depth", "`N` entries in receive queues (default 512; multi tests and mem 64)", count(&o.rx, 8, perf.MaxDepth))
	both("I", "inline_size", "send up to `N` bytes inline (default 0)", count(&o.inline, 0, perf.MaxInline))
	both("q", "qp", "`N` queue pairs: of bandwidth tests (default 1), most of multi tests (256), peers of mem (1000)", count(&o.qps, 1, perf.MaxQPs))
	both("p", "port", "TCP `PORT` of the control connection (default 18515)", count(&o.port, 0, 65535))
	both("d", "ib-dev", "the `DEVICE`: soft (default), or an RDMA adapter such as mlx5_0, with programs built with -tags rdma", o.setDevice)
	for _, name := range []string{"a", "all"} {
		f.BoolVar(&o.all, name, false, "all sizes from 2 B to 8 MB")
	}
	for _, name := range []string{"b", "bidirectional"} {
		f.BoolVar(&o.both, name, false, "bandwidth: both directions at once")
	}
	for _, name := range []string{"bind", "rail"} {
		f.Func(name, "local `ADDRESS` to use (default: as the route to HOST says; 127.0.0.1 when both ends are here)", o.setBind)
	}
	f.BoolVar(&o.server, "server", false, "wait for clients; with a TEST for one client that runs it")
	f.BoolVar(&o.child, "child", false, "")
	f.BoolVar(&o.gentle, "gentle", false, "")
	f.StringVar(&o.key, "key-file", "", "`FILE` with a secret that both ends must know")
	f.BoolVar(&o.noCRC, "no-crc", false, "RC without CRC")
	f.BoolVar(&o.markers, "markers", false, "RC with markers in the stream, as the standard of iWARP has them by default")
	f.BoolVar(&o.noOffload, "no-offload", false, "UD and RD without help of the kernel in cutting and joining datagrams")
	f.Func("datagram", "UD and RD: longest UDP payload, `N` bytes, 256 to 65507 (default: what fits the MTU)", count(&o.datagram, 256, 65507))
	f.StringVar(&o.compare, "compare", "", "`raw|rc|ud|rd`: measure a second way beside it, in interleaved rounds; raw is a plain socket")
	f.BoolFunc("raw", "the same as --compare raw", func(string) error { o.compare = "raw"; return nil })
	f.Func("rounds", "`N` interleaved rounds of a comparison (default 31)", count(&o.rounds, 1, 100_000))
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.plot, "plot", "", "draw a figure into `FILE`, .svg or .pdf, with its numbers beside it as .csv; without a name it gets that of the test")
	f.StringVar(&o.save, "save", "", "suite: also write suite.json and suite.md into `DIR`")
	return f
}

// parseVerbs reads the command line. Options may stand anywhere.
func parseVerbs(args []string) (*verbsOptions, error) {
	o := &verbsOptions{}
	flags := o.flags()
	args = plotOption(args)
	var words []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			break
		}
		words = append(words, flags.Arg(0))
		args = flags.Args()[1:]
	}
	switch {
	case len(words) == 0 && !o.server:
		return nil, flag.ErrHelp
	case len(words) > 2:
		return nil, fmt.Errorf("want a test and at most one host, not %s", strings.Join(words, " "))
	}
	if len(words) > 0 {
		var err error
		if o.suite = words[0] == "suite"; !o.suite {
			o.test, err = findTest(words[0])
		}
		if err != nil {
			return nil, err
		}
	}
	if len(words) == 2 {
		o.host = words[1]
	}
	return o, o.check()
}

// findTest is perf.Find with a hint for those who mistype.
func findTest(name string) (perf.Test, error) {
	test, err := perf.Find(name)
	if err != nil {
		var names []string
		for _, t := range perf.Tests() {
			names = append(names, t.Name)
		}
		err = fmt.Errorf("%w%s", err, didYouMean(name, names))
	}
	return test, err
}

// check refuses options that contradict each other or the test, before anything runs.
func (o *verbsOptions) check() error {
	stream := o.test.Shape == perf.Stream
	row := stream || o.test.Shape == perf.PingPong
	sized := row || o.test.Name == "reg" || o.test.Name == "ping"
	queued := stream || o.test.Multi || o.test.Name == "mem"
	for _, c := range []struct {
		wrong bool
		text  string
	}{
		{o.server && (o.host != "" || o.suite), "a server waits for clients: it takes no HOST, and clients bring the suite"},
		{o.server && (o.json || o.plot != "" || o.compare != "" || o.save != ""), "the client shows the results: --json, --plot, --save and --compare belong there"},
		{o.suite && (o.all || len(o.sizes) > 0 || o.kindGiven || o.iterations > 0 || o.noCRC || o.markers), "suite measures what is promised: its types, sizes and iterations are fixed"},
		{o.all && len(o.sizes) > 0, "either -a or -s, not both"},
		{!o.server && (o.all || len(o.sizes) > 0) && !sized, "-s and -a make no sense here"},
		{len(o.sizes) > 1 && o.test.Name == "ping", "ping sends one size"},
		{o.all && o.test.Name == "ping", "ping sends one size"},
		{o.both && (!stream || o.test.Multi), "-b belongs to send_bw, write_bw and read_bw (multi_bw always goes both ways)"},
		{o.iterations > 0 && o.duration > 0, "either -n or -D, not both"},
		{o.duration > 0 && (!row || o.compare != ""), "-D belongs to plain latency and bandwidth tests"},
		{o.qps > 0 && !queued, "-q belongs to bandwidth tests, multi tests and mem"},
		{o.compare != "" && (!row || o.test.Multi || o.qps > 1), "--compare goes with latency and bandwidth tests of one queue pair"},
		{o.compare != "" && o.both && o.test.Op.String() != "Send", "--compare with -b goes with send_bw"},
		{o.plot != "" && !row && o.test.Name != "reg", "there is nothing to draw over message sizes"},
		{o.save != "" && !o.suite, "--save belongs to suite"},
		{o.noCRC && o.kind != perf.RC, "only RC can go without CRC"},
		{o.markers && o.kind != perf.RC, "only RC has markers"},
		{o.test.Name == "write_bw" && (o.kind == perf.UD || o.compare == "ud"), "a UD Write arrives unannounced, so nobody can count it: take send_bw"},
	} {
		if c.wrong {
			return errors.New(c.text)
		}
	}
	if o.compare != "" && !slices.Contains([]string{"raw", "rc", "ud", "rd"}, o.compare) || strings.EqualFold(o.compare, o.kind) {
		return fmt.Errorf("--compare %s: want raw, rc, ud or rd, and not the type measured", o.compare)
	}
	var err error
	o.plot, err = plotPath(o.plot, o.test.Name)
	return err
}

func (o *verbsOptions) setKind(text string) error {
	o.kind, o.kindGiven = strings.ToUpper(text), true
	if !slices.Contains([]string{perf.RC, perf.UD, perf.RD}, o.kind) {
		return errors.New("want RC, UD or RD")
	}
	return nil
}

func (o *verbsOptions) setSizes(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		size, err := bench.ParseSize(part)
		if err != nil {
			return err
		}
		o.sizes = append(o.sizes, size)
	}
	return nil
}

func (o *verbsOptions) setDuration(text string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64)
	if err != nil || !(v > 0 && v <= 86400) {
		return errors.New("want seconds from 0 to 86400")
	}
	o.duration = time.Duration(v * float64(time.Second))
	return nil
}

func (o *verbsOptions) setBind(text string) (err error) {
	if o.bind, err = netip.ParseAddr(text); err != nil {
		return errors.New("want an IP address of this host")
	}
	return nil
}
