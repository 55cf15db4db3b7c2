package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Arm is one way of running Weft: a name for tables and the tunables that make it, as NAME=value without WEFT_.
type Arm struct {
	Name string
	Set  []string
}

// NewArm makes an arm from a list such as rndv=rget,progress=poll; its name is the values, rget+poll.
func NewArm(list string) (Arm, error) {
	var a Arm
	var values []string
	for part := range strings.SplitSeq(list, ",") {
		name, value, found := strings.Cut(part, "=")
		if !found || name == "" || value == "" || strings.ContainsAny(part, " \t\n") {
			return Arm{}, fmt.Errorf("setting %q is not of the form name=value[,name=value]", list)
		}
		a.Set = append(a.Set, part)
		values = append(values, value)
	}
	a.Name = strings.Join(values, "+")
	return a, nil
}

// Environment returns the arm's settings as environment variables.
func (a Arm) Environment() []string {
	var all []string
	for _, s := range a.Set {
		name, value, _ := strings.Cut(s, "=")
		name = strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
		all = append(all, "WEFT_"+strings.TrimPrefix(name, "WEFT_")+"="+value)
	}
	return all
}

// Study is a question that takes several tests and several settings of Weft to answer.
type Study struct {
	Name, About string
	Tests       []string
	Arms        []Arm    // what is compared unless the user says otherwise; ratios are those of the first
	Peers       bool     // other libraries can be put beside
	Ranks       []int    // job sizes; nil: what the user says
	Sizes       []int    // nil: the default range of each test
	Rails       bool     // needs more than one interface
	Rounds      int      // unless the user says otherwise
	Evidence    []string // counters that show what happened
	Unbound     bool     // a computing rank needs a second CPU for its traffic: nobody is bound to a core
	Bars        []Bar
}

func arm(list string) Arm {
	a, err := NewArm(list)
	if err != nil {
		panic(err) // a list written in this package; a test makes every arm
	}
	return a
}

// The arms of the studies.
var (
	speculative = arm("rndv=speculative,progress=poll")
	rget        = arm("rndv=rget,progress=poll")
	rput        = arm("rndv=rput,progress=poll")
	automatic   = Arm{Name: "auto", Set: []string{"progress=auto"}}
	stubborn    = Arm{Name: "stubborn", Set: append([]string{"spec-threshold=0%"}, speculative.Set...)} // never stops to speculate

	rendezvousCounters = []string{"Engine.Reads", "Engine.Writes", "Engine.RTRSent", "Engine.RTRUsed", "Engine.RTRDropped", "Engine.Started"}

	protocols = []Arm{speculative, rget, rput, automatic}

	channelUD     = arm("channel=ud")
	channelSRQ    = arm("channel=srq")
	channelHybrid = arm("channel=hybrid")
	channelRC     = Arm{Name: "rc", Set: []string{"channel=sr", "sr-first=95", "sr-full=95"}} // as a hybrid's connections, to everyone

	zeroCopy = Arm{Name: "zerocopy", Set: []string{"reuse=on"}}
	copying  = Arm{Name: "copy", Set: []string{"reuse=off"}}
	uncached = Arm{Name: "nocache", Set: []string{"reuse=off", "regcache=0"}}

	twoRails = Arm{Name: "2rails", Set: []string{"rails=2"}}
	oneRail  = Arm{Name: "1rail", Set: []string{"rails=1"}}
)

var studies = []Study{
	{Name: "tcp", About: "latency and bandwidth over the network interface", Peers: true,
		Tests: []string{"latency", "bw"}, Bars: tcpBars},
	{Name: "datagram", About: "short messages over datagrams and over connections",
		Tests: []string{"latency"}, Arms: []Arm{channelUD, channelSRQ}, Sizes: []int{0, 8, 64, 256, kib}, Bars: datagramBars},
	{Name: "overlap", About: "how much computation a long message hides", Evidence: rendezvousCounters, Peers: true, Unbound: true, Rounds: 7,
		Tests: named(overlapTest), Arms: protocols, Sizes: []int{mib}, Bars: overlapBars},
	{Name: "progress", About: "how much of a long message is left after a delay", Evidence: rendezvousCounters, Peers: true, Unbound: true, Rounds: 7,
		Tests: named(progressTest), Arms: protocols, Sizes: []int{mib}},
	{Name: "exchange", About: "produce, exchange, consume: what protocols make of it", Evidence: rendezvousCounters, Peers: true, Unbound: true, Rounds: 7,
		Tests: []string{"exchange_m1_n1", "exchange_m2_n1", "exchange_m1_n2", "exchange_m2_n2"}, Arms: []Arm{speculative, rget}, Sizes: []int{128 * kib}},
	{Name: "crossing", About: "what speculation costs when it never pays", Evidence: rendezvousCounters, Peers: true,
		Tests: []string{"crossing"}, Arms: []Arm{speculative, stubborn, rget}, Sizes: []int{64 * kib, 256 * kib, mib, 4 * mib}, Bars: crossingBars},
	{Name: "reuse", About: "buffers used again: zero copy and registration cache", Evidence: []string{"Rail.Counters.Copies", "Rail.Counters.ZeroCopies", "Rail.Regcache"}, Peers: true,
		Tests: []string{"reuse"}, Arms: []Arm{zeroCopy, copying, uncached}, Sizes: []int{kib, 4 * kib, 8 * kib, 64 * kib, mib}, Bars: reuseBars},
	{Name: "spectrum", About: "buffers used rarely and often", Evidence: []string{"Rail.Counters.Copies", "Rail.Counters.ZeroCopies", "Rail.Regcache"}, Rounds: 7,
		Tests: []string{"spectrum_packed", "spectrum_paged"}, Arms: []Arm{zeroCopy, copying}, Sizes: []int{128, 512, kib, 2 * kib, 4 * kib, 8 * kib}},
	{Name: "memory", About: "what a process grows by when the job grows", Peers: true, Rounds: 1, Unbound: true,
		Tests: []string{"buffers", "memory"}, Arms: []Arm{channelSRQ, arm("channel=ardma-srq"), arm("channel=ardma-sr"), channelHybrid, channelRC}, Sizes: []int{kib}, Ranks: []int{2, 4, 8, 16, 32, 64}, Bars: memoryBars},
	{Name: "rails", About: "bandwidth of one and of two interfaces", Evidence: []string{"Rail.Rails"}, Rails: true,
		Tests: []string{"bw"}, Arms: []Arm{twoRails, oneRail}, Sizes: []int{64 * kib, 256 * kib, mib, 4 * mib}, Bars: railBars},
}

// The promises of message passing between hosts.
var (
	tcpBars = []Bar{
		{Tests: []string{"latency"}, Max: 4 * mib, Against: "openmpi", Limit: 1, Text: "latency 0 B-4 MB: at most 1.00 of Open MPI over TCP"},
		{Tests: []string{"bw"}, Max: 4 * mib, Against: "openmpi", Limit: 1, Least: true, Text: "bandwidth: at least 1.00 of Open MPI over TCP"},
	}
	datagramBars = []Bar{{Tests: []string{"latency"}, Max: kib, Side: channelUD.Name, Against: channelSRQ.Name, Limit: 0.90,
		Text: "latency to 1 KB: datagrams at most 0.90 of connections"}}
	overlapBars = []Bar{
		percentage(speculative.Name, overlapsOf(Receiver), 80, true, "overlap at 1 MB, speculative and polling: a receiver hides at least 80 %"),
		percentage(speculative.Name, overlapsOf(Sender), 85, true, "overlap at 1 MB, speculative and polling: a sender hides at least 85 %"),
		percentage(rget.Name, []string{sided("overlap", Receiver, Receiver)}, 10, false, "overlap at 1 MB, rget and polling: an early receiver hides at most 10 %"),
		percentage(automatic.Name, named(overlapTest), 80, true, "overlap at 1 MB, auto: at least 80 % in all four cases"),
	}
	crossingBars = []Bar{{Tests: []string{"crossing"}, Max: maxSize, Side: speculative.Name, Against: rget.Name, Limit: 1.03,
		Text: "crossing: speculative at most 1.03 of rget"}}
	reuseBars = []Bar{{Tests: []string{"reuse"}, Min: 8 * kib, Max: 8 * kib, Shares: []int{100}, Side: zeroCopy.Name, Against: copying.Name,
		Limit: 0.95, Text: "reuse at 8 KB: zero copy at most 0.95 of copying"}}
	memoryBars = []Bar{
		{Tests: []string{"buffers"}, Max: maxSize, Ranks: 64, Side: channelSRQ.Name, Alone: true, Limit: 5, Text: "buffers on 64 ranks: srq at most 5 MB"},
		{Tests: []string{"buffers"}, Max: maxSize, Ranks: 64, Side: channelSRQ.Name, Since: 16, Limit: 1.10, Text: "buffers from 16 to 64 ranks: srq grows by at most 10 %"},
		{Tests: []string{"buffers"}, Max: maxSize, Ranks: 64, Side: channelHybrid.Name, Against: channelRC.Name, Limit: 1, Text: "buffers on 64 ranks: hybrid at most rc"},
	}
	railBars = []Bar{{Tests: []string{"bw"}, Min: mib, Max: mib, Side: twoRails.Name, Against: oneRail.Name, Limit: 1.85, Least: true,
		Text: "bandwidth at 1 MB: two rails at least 1.85 of one"}}
)

// percentage is a bar about the value of one arm at 1 MB.
func percentage(side string, tests []string, limit float64, least bool, text string) Bar {
	return Bar{Tests: tests, Min: mib, Max: mib, Side: side, Alone: true, Limit: limit, Least: least, Text: text}
}

// named returns the names of the four tests of a kind.
func named(kind func(computes, first Role) Test) []string {
	var names []string
	for _, computes := range []Role{Sender, Receiver} {
		for _, first := range []Role{Sender, Receiver} {
			names = append(names, kind(computes, first).Name)
		}
	}
	return names
}

func overlapsOf(computes Role) []string {
	return []string{sided("overlap", computes, Sender), sided("overlap", computes, Receiver)}
}

// Studies returns every study in the order of the help text. The slice is the caller's.
func Studies() []Study { return slices.Clone(studies) }

// FindStudy returns the study of that name.
func FindStudy(name string) (Study, bool) {
	i := slices.IndexFunc(studies, func(s Study) bool { return s.Name == name })
	if i < 0 {
		return Study{}, false
	}
	return studies[i], true
}

// Setup is what a user may say about the cases of a study.
type Setup struct {
	Sizes  Range
	Loops  Loops
	Ranks  int // 0: the study's own, or 2
	Window int
	Memory int // bytes of one buffer
}

// Cases returns the cases of the study, in rounds' short steps.
func (s Study) Cases(u Setup) ([]Case, error) {
	ranks := s.Ranks
	if u.Ranks > 0 || ranks == nil {
		ranks = []int{max(u.Ranks, 2)}
	}
	var cases []Case
	for _, name := range s.Tests {
		t := mustFind(name)
		for _, n := range ranks {
			if err := t.CheckRanks(n); err != nil {
				return nil, err
			}
			sizes := s.Sizes
			if sizes == nil || u.Sizes.MinGiven || u.Sizes.MaxGiven {
				var err error
				if sizes, err = Sizes(t, s.narrow(u.Sizes), n, u.Memory); err != nil {
					return nil, err
				}
			}
			cases = append(cases, Case{Test: t, Ranks: n, Window: u.Window, Bars: s.Bars, Evidence: s.Evidence, Steps: RoundSteps(t, sizes, n, u.Window, u.Loops)})
		}
	}
	return cases, nil
}

// narrow lets a single size mean just that size where the study has a list of its own: -m 64K is 64 KB then, and not
// everything up to it.
func (s Study) narrow(r Range) Range {
	if r.MaxGiven && !r.MinGiven && s.Sizes != nil {
		r.Min, r.MinGiven = r.Max, true
	}
	return r
}

// Members returns the tests of the study.
func (s Study) Members() []Test {
	all := make([]Test, len(s.Tests))
	for i, name := range s.Tests {
		all[i] = mustFind(name)
	}
	return all
}

// NetBars returns the promises of all studies: those that concern a test by itself apply to it outside of its study
// too.
func NetBars() []Bar {
	var all []Bar
	for _, s := range studies {
		all = append(all, s.Bars...)
	}
	return all
}
