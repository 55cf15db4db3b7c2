package rail

import (
	"cmp"
	"slices"

	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
)

// Counters prove which mechanism served a message.
type Counters struct {
	StreamCounters
	LaneCounters
	Watermarks             uint64 // low-watermark events
	Reads, Writes          uint64 // long messages, by how they moved
	Moved                  uint64 // long messages, or parts, that went another way than begun
	BadFrames, Strangers   uint64 // what could not be understood, what came from nobody we know
	PostErrors, EventsLost uint64 // work requests that the device refused, events that it had no room for
	Memory, MemoryHigh     int64  // bytes of buffers and rings, now and at most
}

// StreamCounters are those of frames and their payloads.
type StreamCounters struct {
	EagerSR, EagerRing, Datagrams uint64 // frames that came by send and receive, into rings, as datagrams
	Copies                        uint64 // payloads copied on their way out
	ZeroCopies                    uint64 // payloads sent from where the user has them
	LateCopies                    uint64 // frames of these that were copied after they were sent
	LateAnswers                   uint64 // payloads long enough for that which left so as answers, without being counted or registered, and were copied afterwards
	Thrown                        uint64 // messages that came unasked and that no receive waited for
	Placed                        uint64 // frames whose payload went past its receive, to where the user wants it
	Caught                        uint64 // frames that took no receive: their messages were used where the device had them
	HeaderHits                    uint64 // eager packets whose envelope was that of the one before
	Held                          uint64 // frames that waited for those that followed, to leave together
	CreditStalls, PoolEmpty       uint64 // times a frame had to wait for credit, for a buffer
	Acks                          uint64 // acknowledgements that travelled alone
	Urged                         uint64 // of these, such as were sent at once because the peer was short of buffers
	Resent                        uint64 // frames sent again
}

// LaneCounters are those of connections.
type LaneCounters struct {
	Dials, Lanes, Broken, Crossed uint64 // connections asked for, made, broken, refused because the peer's went first
	BackLanes                     uint64 // of these, second ones for long messages that met others
	Rested                        uint64 // peers whose connections were closed because they had gone quiet
	ClimbsRefused                 uint64 // hybrid: connections that the peer refused
	Rings, FullSets               uint64 // rings given to peers; connections that got the full set of receives
}

// Report is everything that a link counts.
type Report struct {
	Channel    string
	Rendezvous string
	Counters   Counters
	Flow       flow.Counters
	Regcache   regcache.Counters
	Reuse      reuse.Counters
	Device     map[string]uint64
	Rails      []RailReport
	Peers      int // that were talked to
	Map        Map `json:"-"`
}

// RailReport is what one rail carried of long messages, and of short ones.
type RailReport struct {
	Name  string // of the interface
	Addr  string // its address
	Bytes uint64 // of long messages
	Short uint64 // bytes of the payloads of packets
	Lanes int    // connections that are up
}

// Report returns the counters as they are now.
func (l *Link) Report() *Report {
	r := &Report{Channel: l.cfg.Channel.String(), Rendezvous: l.cfg.Rendezvous.String(), Counters: l.Counters, Flow: l.Flows,
		Regcache: l.mem.Cache.Counters(), Reuse: l.mem.Table.Counters(), Device: map[string]uint64{}, Peers: len(l.known), Map: l.memoryMap()}
	for name, n := range l.cfg.Device.Counters() {
		r.Device[name] = n
	}
	for i, d := range l.cfg.Device.Rails() {
		r.Rails = append(r.Rails, RailReport{Name: d.Name, Addr: d.Addr.String(), Bytes: l.railBytes[i], Short: l.railShort[i]})
	}
	for _, p := range l.known {
		for _, ln := range p.lanes {
			if ln != nil && ln.state == up && ln.ah == nil {
				r.Rails[p.paths[ln.path].local].Lanes++
			}
		}
	}
	return r
}

// Map tells where the memory of a link's receive side is.
type Map struct {
	Buffer int       // bytes of a receive
	Shared int       // receives that all peers share
	Peers  []PeerMap // that were talked to, by rank
}

// PeerMap is what is set aside for one peer.
type PeerMap struct {
	Rank     int
	Receives int // of its connections alone
	Ring     int // bytes that it may write into
}

// memoryMap describes the memory as it is now.
func (l *Link) memoryMap() Map {
	m := Map{Buffer: l.cfg.Vbuf, Shared: l.given}
	for _, p := range l.known {
		one := PeerMap{Rank: p.rank, Ring: len(p.ring.in.mem)}
		for _, ln := range p.lanes {
			if ln != nil {
				one.Receives += ln.recvs
			}
		}
		m.Peers = append(m.Peers, one)
	}
	slices.SortFunc(m.Peers, func(a, b PeerMap) int { return cmp.Compare(a.Rank, b.Rank) })
	return m
}

// Held is what a link holds on behalf of messages that are not over. When all are, and peers have
// acknowledged them, all of it is 0.
type Held struct {
	Frames    int // on their way out, not acknowledged
	Copies    int // buffers of others that the device still sends from: copies of what was there already
	Words     int // frames among them that are the link's own, about connections, and not acknowledged
	Exposures int // pieces of memory that peers may read or write
	Parts     int // of long messages under way
	Lost      int // peers that are lost; what was held for them is no longer
}

// Held tells what is held now.
func (l *Link) Held() Held {
	l.takeAck()
	h := Held{Exposures: l.mem.Exposed(), Parts: l.ops.open()}
	for _, p := range l.known {
		h.Frames += p.out.InFlight()
		if p.lost != nil {
			h.Lost++
		}
		p.out.Each(func(b *buffer) {
			if kind(b.mem[0]).word() {
				h.Words++
			}
		})
	}
	h.Copies = -h.Frames
	for _, p := range l.sending {
		h.Copies += p.used
	}
	return h
}
