package bench

// The ways of running Weft that studies compare.
var (
	speculative = arm("rndv=speculative,progress=poll")
	rget        = arm("rndv=rget,progress=poll")
	rput        = arm("rndv=rput,progress=poll")
	automatic   = Arm{Name: "auto", Set: []string{"progress=auto"}}
	stubborn    = Arm{Name: "stubborn", Set: append([]string{"lab-spec-threshold=0%"}, speculative.Set...)} // speculates for ever
	protocols   = []Arm{speculative, rget, rput, automatic}

	channelUD  = arm("channel=ud")
	channelSRQ = arm("channel=srq")
	// Connections as those of the original experiments, 95 receives of 8 KB each: to the eight peers that
	// come first, and to everyone.
	channelHybrid = Arm{Name: "hybrid", Set: []string{"channel=hybrid", "lab-rc-max=8", "lab-rc-recvs=95", "lab-promote=4", "lab-vbuf=8K"}}
	channelRC     = Arm{Name: "rc", Set: []string{"channel=sr", "lab-sr-first=95", "lab-sr-full=95", "lab-vbuf=8K"}}
	channels      = []Arm{channelSRQ, arm("channel=ardma-srq"), arm("channel=ardma-sr"), channelHybrid, channelRC}

	zeroCopy = Arm{Name: "zerocopy", Set: []string{"lab-reuse=on"}}
	copying  = Arm{Name: "copy", Set: []string{"lab-reuse=off"}}
	uncached = Arm{Name: "nocache", Set: []string{"lab-reuse=off", "lab-regcache=0"}}
	// Puts and gets that a device moves, from and to buffers that count as used often soon, or never.
	sidedZeroCopy = Arm{Name: "zerocopy", Set: []string{"lab-rma-put=0", "lab-rma-get=0", "lab-reuse=on", "lab-reuse-costs=paper"}}
	sidedCopying  = Arm{Name: "copy", Set: []string{"lab-rma-put=0", "lab-rma-get=0", "lab-reuse=off"}}
	sidedDefault  = Arm{Name: "default", Set: []string{"lab-reuse=on"}}

	twoRails = Arm{Name: "2rails", Set: []string{"rails=2"}}
	oneRail  = Arm{Name: "1rail", Set: []string{"rails=1"}}
)

func arm(list string) Arm {
	a, err := NewArm(list)
	if err != nil {
		panic(err) // a list written in this file; every start of the program makes every arm
	}
	return a
}

// The counters that show by which way messages went.
var (
	rendezvousCounters = []string{"Engine.Unasked", "Engine.Reads", "Engine.Writes", "Engine.RTRSent", "Engine.RTRUsed", "Engine.RTRDropped",
		"Engine.Started"}
	crossingCounters = append([]string{"Engine.RTSAcks", "Engine.AdaptStops", "Engine.AdaptResumes"}, rendezvousCounters...)
	bufferCounters   = []string{"Rail.Counters.Copies", "Rail.Counters.ZeroCopies", "Rail.Counters.LateAnswers", "Rail.Regcache"}
)

var studies = []Study{
	{
		Name: "tcp", About: "latency and bandwidth over the network interface",
		Tests: []string{"latency", "bw"}, Peers: true, Bars: tcpBars,
	}, {
		Name: "datagram", About: "short messages over datagrams and over connections",
		Tests: []string{"latency"}, Sizes: []int{0, 8, 64, 256, kib}, Arms: []Arm{channelUD, channelSRQ}, Bars: datagramBars,
	}, {
		Name: "overlap", About: "how much computation a long message hides",
		Tests: named(overlapTest), Sizes: []int{mib}, Rounds: 7, Arms: protocols, Peers: true, Unbound: true,
		Bars: overlapBars, Evidence: rendezvousCounters,
	}, {
		Name: "progress", About: "how much of a long message is left after a delay",
		Tests: named(progressTest), Sizes: []int{mib}, Rounds: 7, Arms: protocols, Peers: true, Unbound: true,
		Evidence: rendezvousCounters,
	}, {
		Name: "exchange", About: "produce, exchange, consume: what protocols make of it",
		Tests: []string{"exchange_m1_n1", "exchange_m2_n1", "exchange_m1_n2", "exchange_m2_n2"}, Sizes: []int{128 * kib},
		Rounds: 7, Arms: []Arm{speculative, rget}, Peers: true, Unbound: true, Evidence: rendezvousCounters,
	}, {
		Name: "crossing", About: "what speculation costs when it never pays",
		Tests: []string{"crossing"}, Sizes: []int{64 * kib, 256 * kib, mib, 4 * mib}, Rounds: 31, Arms: []Arm{speculative, stubborn, rget},
		Peers: true, Bars: crossingBars, Evidence: crossingCounters,
	}, {
		Name: "reuse", About: "buffers used again: zero copy and registration cache",
		Tests: []string{"reuse"}, Sizes: []int{kib, 4 * kib, 8 * kib, 64 * kib, mib}, Arms: []Arm{zeroCopy, copying, uncached},
		Peers: true, Bars: reuseBars, Evidence: bufferCounters,
	}, {
		Name: "reuse_sided", About: "puts and gets with buffers used again: zero copy, copies, and what is done by default",
		Tests: []string{"put", "get"}, Sizes: []int{512, kib, 2 * kib, 4 * kib, 8 * kib}, Arms: []Arm{sidedZeroCopy, sidedCopying, sidedDefault},
		Evidence: []string{"Windows.ZeroCopies", "Windows.Copies", "Windows.Packets"},
	}, {
		Name: "spectrum", About: "buffers used rarely and often",
		Tests: []string{"spectrum_packed", "spectrum_paged"}, Sizes: []int{128, 512, kib, 2 * kib, 4 * kib, 8 * kib}, Rounds: 7,
		Arms: []Arm{zeroCopy, copying}, Evidence: bufferCounters,
	}, {
		Name: "memory", About: "what a process needs when the job grows",
		Tests: []string{"buffers", "memory"}, Sizes: []int{kib}, Ranks: []int{2, 4, 8, 16, 32, 64}, Rounds: 1, Arms: channels,
		Peers: true, PeerRanks: 16, Unbound: true, Bars: memoryBars,
	}, {
		Name: "idle", About: "what a rank that waits takes from others: processor and wake-ups",
		Tests: []string{"idle", "wakes"}, Sizes: []int{1}, Rounds: 3, Peers: true, Unbound: true,
	}, {
		Name: "qos", About: "short messages while long ones flow the same way",
		Tests: []string{"busy_latency"}, Sizes: []int{8}, Rounds: 7, Peers: true, Unbound: true,
		Evidence: []string{"Rail.Counters.Reads", "Rail.Counters.Writes", "Rail.Counters.EagerSR", "Rail.Counters.Datagrams"},
	}, {
		Name: "rails", About: "bandwidth of one and of two interfaces",
		Tests: []string{"bw"}, Sizes: []int{64 * kib, 256 * kib, mib, 4 * mib}, Arms: []Arm{twoRails, oneRail}, Rails: true,
		Bars: railBars, Evidence: []string{"Rail.Rails"},
	},
}

// The promises of message passing between hosts.
var (
	tcpBars = []Bar{
		{Tests: []string{"latency"}, Max: 4 * mib, Against: "openmpi", Limit: 1,
			Text: "latency 0 B-4 MB: at most 1.00 of Open MPI over TCP"},
		{Tests: []string{"bw"}, Max: 4 * mib, Against: "openmpi", Limit: 1, Least: true,
			Text: "bandwidth: at least 1.00 of Open MPI over TCP"},
	}
	datagramBars = []Bar{
		{Tests: []string{"latency"}, Max: kib, Side: channelUD.Name, Against: channelSRQ.Name, Limit: 0.90,
			Text: "latency to 1 KB: datagrams at most 0.90 of connections"},
	}
	overlapBars = []Bar{
		percentage(speculative, overlapsOf(Receiver), 80, true, "overlap at 1 MB, speculative and polling: a receiver hides at least 80 %"),
		percentage(speculative, overlapsOf(Sender), 85, true, "overlap at 1 MB, speculative and polling: a sender hides at least 85 %"),
		percentage(rget, []string{sided("overlap", Receiver, Receiver)}, 10, false, "overlap at 1 MB, rget and polling: an early receiver hides at most 10 %"),
		percentage(automatic, named(overlapTest), 80, true, "overlap at 1 MB, auto: at least 80 % in all four cases"),
	}
	crossingBars = []Bar{
		{Tests: []string{"crossing"}, Max: maxSize, Side: speculative.Name, Against: rget.Name, Limit: 1.03,
			Text: "crossing: speculative at most 1.03 of rget"},
	}
	reuseBars = []Bar{
		{Tests: []string{"reuse"}, Min: 8 * kib, Max: 8 * kib, Shares: []int{100}, Side: zeroCopy.Name, Against: copying.Name, Limit: 0.95,
			Text: "reuse at 8 KB: zero copy at most 0.95 of copying"},
	}
	memoryBars = []Bar{
		{Tests: []string{"buffers"}, Max: maxSize, Ranks: 64, Side: channelSRQ.Name, Alone: true, Limit: 5,
			Text: "buffers on 64 ranks: srq at most 5 MB"},
		{Tests: []string{"buffers"}, Max: maxSize, Ranks: 64, Side: channelSRQ.Name, Since: 16, Limit: 1.10,
			Text: "buffers from 16 to 64 ranks: srq grows by at most 10 %"},
		{Tests: []string{"buffers"}, Max: maxSize, Ranks: 64, Side: channelHybrid.Name, Against: channelRC.Name, Limit: 0.25,
			Text: "buffers on 64 ranks: hybrid with 8 connections at most 0.25 of connections to everyone"},
	}
	railBars = []Bar{
		{Tests: []string{"bw"}, Min: mib, Max: mib, Side: twoRails.Name, Against: oneRail.Name, Limit: 1.85, Least: true,
			Text: "bandwidth at 1 MB: two rails at least 1.85 of one"},
	}
)

// percentage is a bar about the value of one arm at 1 MB.
func percentage(a Arm, tests []string, limit float64, least bool, text string) Bar {
	return Bar{Tests: tests, Min: mib, Max: mib, Side: a.Name, Alone: true, Limit: limit, Least: least, Text: text}
}

// named returns the names of the four tests of a kind.
func named(kind func(computes, first Role) Test) []string {
	return append(namedOf(kind, Sender), namedOf(kind, Receiver)...)
}

func namedOf(kind func(computes, first Role) Test, computes Role) []string {
	return []string{kind(computes, Sender).Name, kind(computes, Receiver).Name}
}

func overlapsOf(computes Role) []string { return namedOf(overlapTest, computes) }
