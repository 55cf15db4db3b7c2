package lab

import "slices"

// Machine is one of the documents' platforms: its hosts and network, the profile that models them, and the settings
// with which Weft does what the document's library did. They are the same for all figures of the platform.
type Machine struct {
	ID, Hosts, Network, Profile string
	Settings                    []string
}

// Machines lists the platforms on which the documents measured.
func Machines() []Machine {
	return []Machine{
		{"IW1", "Dell R805, 2 x 4 cores Opteron 2.0 GHz", "NetEffect NE020 iWARP, MVAPICH2 1.2p1", "ne020-r805", mvapich("32767")},
		{"IB1", "Dell R805", "ConnectX DDR InfiniBand, MVAPICH 1.1", "connectx-r805", mvapich("9215")},
		{"MX1", "Dell R805", "Myri-10G in MXoE mode, MX 1.2.8, MPICH-MXoE 1.2.7", "myri10g-mx", slices.Concat(mx("32767"), []string{"channel=sr"})},
		{"GE1", "Dell R805", "ConnectX 10GE port, MPICH2 1.0.8 over sockets", "10ge", sockets("64K")},
		{"IW2", "4 x Dell 2850, 2 x 2.8 GHz Xeon", "NetEffect NE020 iWARP, MPICH2-iWARP 1.0.3", "ne020", mpich2("131052")},
		{"IB2", "4 x Dell 2850, 2 x dual-core 2.8 GHz", "ConnectX DDR InfiniBand, MVAPICH2 1.0.3", "connectx-ddr", mvapich("9K")},
		{"C1", "4 nodes x 8 cores, Opteron 2.0 GHz", "NE020 as plain 10GE, software iWARP", "10ge-c1", sockets("64K")},
		{"C2", "16 nodes x 4 cores, Opteron 2.8 GHz", "Myricom 10GE, Fulcrum switch, software iWARP", "10ge-c2", sockets("64K")},
		{"QS", "4 x Dell 6650, 4 x 1.4 GHz Xeon MP", "two QM500-B QsNetII per node", "qsnet2", slices.Concat(mx("2K"), []string{"lab_stripe=1025", "lab_striping=even", "coll=allgather=elan,alltoall=elan"})},
		{"IB3", "4 x Dell 2850, 2 x dual-core 2.8 GHz", "ConnectX, one port, MVAPICH 1.0.0", "connectx-ddr", mvapich("9K")},
		{"IB4", "2 x Dell 2850, 2 x 2.8 GHz", "SDR InfiniBand MHEA28-XT, MVAPICH 0.9.8 and MVAPICH2 0.9.5", "ib-sdr", mvapich("5980")},
		{"MX2", "2 x Dell 2850, 2 x 2.8 GHz", "Myri-10G at PCIe x4", "myri10g-x4", slices.Concat(mx("32K"), []string{"progress=rendezvous"})},
		{"IW3", "2 x Dell 2850, 2 x 2.8 GHz", "NetEffect NE020 iWARP", "ne020", mpich2("131052")},
		{"IB5", "64 nodes, dual Opteron 2.4 GHz", "MT25204 InfiniBand, MVAPICH 0.9.7", "mt25204", mvapich("9K")},
	}
}

// baseline is what all libraries of the documents had in common: progress inside calls only, every message by itself,
// short messages copied, no looking for packets when a receive is posted.
var baseline = []string{"progress=poll", "lab_hold=0", "lab_reuse=off", "lab_spec_initial=off"}

// pinned is how much memory libraries keep registered that have a cache of registrations: those of the
// time had a limit of entries only.
const pinned = "lab_regcache_bytes=1024G"

// trees are collectives as libraries of the time had them. They are named so that no figure depends on what
// Weft would choose today; a figure that compares algorithms names its own, which comes first.
const trees = "coll=barrier=dissemination,bcast=binomial,reduce=binomial,allreduce=doubling,gather=knomial@1,scatter=knomial@1"

// mpichBlocks are those of MPICH in which everybody has blocks for everybody.
const mpichBlocks = ",allgather=mpich,alltoall=mpich"

// mvapich is a library of the MVAPICH family: short messages written into the peer's ring, long ones by RPUT.
func mvapich(eager string) []string {
	return slices.Concat(baseline, []string{"channel=ardma-sr", "rndv=rput", "lab_spec_chain=off", "net_eager_max=" + eager, pinned,
		trees + ",allgather=mvapich,alltoall=mvapich"})
}

// mpich2 is MPICH2 over iWARP: the same with RGET.
func mpich2(eager string) []string {
	return slices.Concat(baseline, []string{"channel=ardma-sr", "rndv=rget", "net_eager_max=" + eager, pinned, trees + mpichBlocks})
}

// mx is a library whose interface matches messages and whose progress does not need the program.
func mx(eager string) []string {
	return slices.Concat(baseline, []string{"progress=wake", "rndv=rget", "net_eager_max=" + eager, trees + mpichBlocks})
}

// sockets is a library over the host's own network stack.
func sockets(eager string) []string {
	return slices.Concat(baseline, []string{"rndv=rput", "net_eager_max=" + eager, trees + mpichBlocks})
}

// Setup is where ranks run and with which settings.
type Setup struct {
	On       Platform
	Label    string // in legends
	Settings []string
}

// setupOf is the model of a machine of the documents; any other name is taken for a platform.
func setupOf(id string) Setup {
	all := Machines()
	if i := slices.IndexFunc(all, func(m Machine) bool { return m.ID == id }); i >= 0 {
		on := Platform("sim:" + all[i].Profile)
		return Setup{On: on, Label: on.Label(), Settings: slices.Clone(all[i].Settings)}
	}
	return Setup{On: Platform(id), Label: Platform(id).Label()}
}
