package experiments

import (
	"context"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/lab"
)

// box is one part of a diagram of the documents and where it lives in this module.
type box struct {
	part     string
	packages []string // directories of this module
	does     string
}

// diagrams are the architecture diagrams of the documents, box by box.
var diagrams = map[string][]box{
	"F2.1": {
		{"nodes with several cores", []string{"internal/verbs/sim"}, "a simulated cluster has nodes, cores and memory that copies share"},
		{"network interfaces", []string{"internal/verbs/sim", "internal/verbs/soft"}, "simulated ones, and one in software on every host"},
		{"network and switches", []string{"internal/verbs/sim"}, "wires and hops between nodes"},
		{"hosts of a job", []string{"internal/launch", "internal/boot"}, "how processes are started and find each other"},
	},
	"F2.2": {
		{"application", []string{"examples"}, "programs that call mpi"},
		{"MPI", []string{"mpi"}, "the public face"},
		{"collectives", []string{"internal/coll", "internal/plan"}, "algorithms as plans"},
		{"point to point", []string{"internal/engine", "internal/match"}, "protocols and matching"},
		{"progress", []string{"internal/progress"}, "the only loop"},
		{"messaging layer", []string{"internal/rail", "internal/shm"}, "links to peers, over the network and within a host"},
		{"user-level library", []string{"internal/verbs"}, "the seam to devices"},
		{"network interface", []string{"internal/verbs/soft", "internal/verbs/sim"}, "devices behind the seam"},
	},
	"F2.3": {
		{"non-blocking call", []string{"mpi"}, "Isend, Irecv, Wait"},
		{"progress inside the library only", []string{"internal/progress"}, "WEFT_PROGRESS=poll"},
		{"progress by somebody else", []string{"internal/progress"}, "WEFT_PROGRESS=wake: a goroutine"},
		{"progress by the interface", []string{"internal/rail", "internal/verbs"}, "remote reads and writes that need no processor"},
	},
	"F2.4": {
		{"memory that peers may access", []string{"internal/verbs"}, "registered regions with keys"},
		{"Put and Get", []string{"mpi", "internal/window"}, "windows: what is open, who may operate, when operations are over"},
		{"remote writes and reads", []string{"internal/rail", "internal/verbs"}, "what carries them between nodes"},
	},
	"F2.5": {
		{"MPI layer", []string{"mpi", "internal/comm"}, "functions over communicators"},
		{"device", []string{"internal/progress", "internal/engine"}, "protocols behind one loop"},
		{"channel", []string{"internal/rail", "internal/shm"}, "links"},
	},
	"F2.6": {
		{"registered memory", []string{"internal/verbs", "internal/rail/regcache"}, "regions, and the cache that keeps them"},
		{"RDMA write and read", []string{"internal/verbs"}, "work requests Write and Read"},
		{"send and receive", []string{"internal/verbs"}, "work requests Send and receives posted for them"},
	},
	"F2.7": {
		{"send and receive queues", []string{"internal/verbs"}, "queue pairs RC, UD, RD"},
		{"completion queue", []string{"internal/verbs"}, "polled or waited for"},
		{"shared receive queue", []string{"internal/verbs", "internal/rail"}, "with a low watermark"},
	},
	"F2.8": {
		{"RDMAP", []string{"internal/iwarp"}, "remote direct memory access protocol"},
		{"DDP", []string{"internal/iwarp"}, "direct data placement"},
		{"MPA", []string{"internal/iwarp"}, "framing on a stream"},
		{"TCP", []string{"internal/verbs/soft", "internal/socket"}, "the host's"},
	},
	"F2.9": {
		{"user-level verbs", []string{"internal/verbs"}, "the seam"},
		{"connection management", []string{"internal/verbs", "internal/rail"}, "listen, connect, accept"},
		{"providers", []string{"internal/verbs/soft", "internal/verbs/sim"}, "devices"},
		{"MPI", []string{"mpi"}, "on top of it"},
	},
	"002.F2.1": {
		{"multi-core nodes", []string{"internal/verbs/sim", "internal/shm"}, "cores that share memory: simulated, and those of this host"},
		{"memory of a node", []string{"internal/shm", "internal/progress"}, "queues and segments that ranks of a host share, for messages and for collectives"},
		{"network interface", []string{"internal/verbs"}, "one seam for simulated ones and those in software"},
		{"interconnect", []string{"internal/verbs/sim", "internal/verbs/soft"}, "wires and switches in virtual time; TCP and UDP between hosts"},
	},
	"002.F2.2": {
		{"applications", []string{"examples"}, "programs that call mpi"},
		{"MPI", []string{"mpi"}, "the programming interface"},
		{"collectives over point to point, or straight on the network", []string{"internal/coll", "internal/plan"}, "algorithms as plans, which use messages, remote writes and the memory of a node"},
		{"user-level network protocol", []string{"internal/rail", "internal/verbs"}, "connections, channels and credits over work requests"},
		{"physical network", []string{"internal/verbs/soft", "internal/verbs/sim"}, "devices"},
	},
	"002.F2.4": {
		{"nodes", []string{"internal/verbs/sim"}, "leaves of the tree"},
		{"switches of a leaf", []string{"internal/verbs/sim"}, "parameters hops and hop_us: nodes of one leaf are that far apart"},
		{"switches above", []string{"internal/verbs/sim"}, "parameter leaf: two more switches lie between nodes of different leaves; every wire has its full bandwidth, as in a fat tree"},
	},
	"002.F2.5": {
		{"user applications", []string{"examples"}, "programs that call mpi"},
		{"MPI, shmem", []string{"mpi", "internal/window"}, "messages and collectives; one-sided access takes the place of shmem"},
		{"T-port", []string{"internal/engine", "internal/match"}, "messages that are matched by tags"},
		{"Elanlib", []string{"internal/rail", "internal/coll"}, "point to point over several rails, and collectives; the broadcast of the hardware is the simulated fabric's alone"},
		{"Elan4lib", []string{"internal/verbs"}, "remote writes and reads, queues, events"},
	},
	"002.F2.6": {
		{"processor nodes", []string{"internal/verbs/sim"}, "nodes of a simulated cluster"},
		{"channel adapters", []string{"internal/verbs", "internal/verbs/nic"}, "devices, and the queues that they share"},
		{"switches and links", []string{"internal/verbs/sim"}, "a wire per interface and direction, and hops"},
		{"consumers", []string{"internal/rail"}, "whoever posts work requests"},
	},
	"002.F2.7": {
		{"consumer", []string{"internal/rail"}, "posts work requests and polls completions"},
		{"queue pairs", []string{"internal/verbs", "internal/verbs/nic"}, "a send queue and a receive queue, connected or for datagrams"},
		{"work queue elements and completions", []string{"internal/verbs"}, "SendWR, RecvWR, Completion"},
		{"transport", []string{"internal/iwarp", "internal/verbs/soft"}, "RC over a stream, UD and RD over datagrams"},
		{"packets on links", []string{"internal/verbs/sim", "internal/socket"}, "pieces of mtu length in virtual time, segments of the host's network"},
	},
	"F6.1": {
		{"RDMAP for datagrams", []string{"internal/iwarp", "internal/iwarp/ud"}, "no stream, so no MPA"},
		{"DDP for datagrams", []string{"internal/iwarp/ud"}, "untagged and tagged, each datagram for itself"},
		{"reliable datagrams", []string{"internal/iwarp/rd"}, "numbers, acknowledgements, repetition"},
		{"UDP", []string{"internal/socket", "internal/verbs/soft"}, "the host's, many datagrams per call"},
	},
	"F6.2": {
		{"MPI", []string{"mpi"}, "unchanged"},
		{"MPI over datagrams", []string{"internal/rail", "internal/rail/flow"}, "channels ud, rd, hybrid with their own reliability"},
		{"verbs for datagrams", []string{"internal/verbs"}, "queue pairs UD and RD"},
		{"datagram iWARP", []string{"internal/iwarp/ud", "internal/iwarp/rd"}, "codecs and state machines"},
	},
}

// Packages lists every package that a diagram names.
func Packages() []string {
	var all []string
	for _, boxes := range diagrams {
		for _, x := range boxes {
			all = append(all, x.packages...)
		}
	}
	return all
}

// DiagramTable is the table of a diagram for a page; it is empty if there is no such diagram.
func DiagramTable(id string) string {
	var b strings.Builder
	for i, x := range diagrams[id] {
		if i == 0 {
			b.WriteString("| box | package | what it does |\n|---|---|---|\n")
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", x.part, strings.Join(x.packages, "`, `"), x.does)
	}
	return b.String()
}

// packageMaps are the experiments of the diagrams.
func packageMaps() []lab.Experiment {
	var all []lab.Experiment
	for _, f := range lab.Figures() {
		if boxes, ok := diagrams[f.ID]; ok {
			all = append(all, lab.Experiment{ID: f.ID, Run: packageMap(f.ID, boxes), Explain: [2]string{
				"The document draws this part of a system as boxes. This table says which package of this module each box is.",
				"A test holds the table against the module: every package that it names is there. The import rules between them are a test too.",
			}})
		}
	}
	return all
}

func packageMap(id string, boxes []box) func(context.Context, *lab.Bench) (*lab.Result, error) {
	return func(_ context.Context, b *lab.Bench) (*lab.Result, error) {
		r := b.NewResult(id)
		t := r.AddTable(r.Title, "box", "package", "what it does")
		homeless := 0
		for _, x := range boxes {
			t.Add(x.part, strings.Join(x.packages, ", "), x.does)
			if len(x.packages) == 0 {
				homeless++
			}
		}
		r.Hold(lab.Structural, lab.Holds("each box is a package of this module", fmt.Sprintf("%d boxes", len(boxes)), fmt.Sprintf("%d have one", len(boxes)-homeless), homeless == 0))
		return r, nil
	}
}
