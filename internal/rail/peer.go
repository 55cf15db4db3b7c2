package rail

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// peer is what the link knows of one other rank. It is made with the first packet to or from it.
type peer struct {
	link *Link
	rank int
	lost error

	timed   bool // in Link.timed
	ackable bool // in Link.ackable
	starved bool // in Link.starved
	full    bool // it has earned the full set of receives

	place
	connections
	outbound
	inbound
	bulk bulkState

	ring  ringState
	climb climbState
}

// place is where a peer is, as it said, and how to get there.
type place struct {
	rails  []railAddress // nil until somebody asked
	paths  []path
	whole  int      // longest frame that fits what carries frames, also that which may take over
	past   int      // how long a frame must be for the peer's device to take it past its receive; 0: it cannot
	keyed  bool     // the keys of its memory differ from rail to rail
	probe  wire.Key // memory of the peer that can always be read, to see whether it has placed what came before
	ah     verbs.AH // where datagrams go, if they can
	dgramQ uint32   // number of its datagram queue pair
}

// connections are the lanes to a peer.
type connections struct {
	lanes    []*lane // by slot; nil where there is none
	berths   []berth // by slot, as lanes
	express  *lane   // the express lane while frames can be sent on it
	gens     uint32  // lanes that we have asked for
	wanted   bool    // a packet was not taken because there was no connection
	hint     uint8   // rail that the packet asked for which made us reach for the peer, see wire.Packet.Rail
	away     int64   // since when nothing reaches it; 0 while something does
	why      error   // why it was last out of reach
	quietAt  int64   // when to look whether the peer has gone quiet
	quietSum uint64  // frames sent and received when that was looked at last
}

// outbound is the stream to a peer.
type outbound struct {
	out       flow.Sender[*buffer]
	next      uint32    // number of the next frame
	sent      uint64    // frames
	unsent    []*buffer // frames that the carrier had no room for
	words     []word    // frames of our own that wait for room in the stream
	torn      bool      // a frame cannot be sent again
	lastOut   envelope  // of the last eager packet that fitted a frame
	lastShort int64     // when the last frame that might be held back was sent
	answered  uint64    // frames that had come when the last such frame was sent
	loan      loan      // the packet whose payload is sent from where the user has it
	via       *lane     // side lane for the frames of the packet that is being sent, nil: the express lane, or datagrams
	sided     bool      // there were packets for a side lane
}

// inbound is the stream from a peer.
type inbound struct {
	in        flow.Receiver[*buffer]
	received  uint64   // frames
	ringable  uint64   // of these, such as travel by rings
	lastIn    envelope // of the last eager packet that fitted a frame
	dst       []byte   // of the packet that comes in pieces
	token     any
	got, want int
	streaming bool
	placed    placed // the frame that a device puts where its payload belongs
	news      uint64 // of Link.unheard: ack and limit of the frame
}

// peer returns the state of a rank, which it makes if need be.
func (l *Link) peer(rank int) *peer {
	p := l.peers.at(rank)
	if p == nil {
		p = &peer{link: l, rank: rank}
		p.whole, p.lanes, p.berths = l.wholeMax, make([]*lane, 1), make([]berth, 1)
		p.out.Init(&l.cfg.Flow, &l.Flows)
		p.in.Init(&l.cfg.Flow, &l.Flows)
		l.peers.set(rank, p)
		l.known = append(l.known, p)
	}
	return p
}

// find asks where the peer is.
func (p *peer) find() error {
	if p.rails != nil {
		return nil
	}
	text, err := p.link.cfg.Address(p.rank)
	if err != nil {
		return fmt.Errorf("rail: where rank %d is: %w", p.rank, err)
	}
	rails, is, err := parseAddress(text)
	if err != nil {
		return err
	}
	paths := findPaths(p.link.cfg.Prefixes, rails, p.link.cfg.Route)
	if len(paths) == 0 {
		return fmt.Errorf("rail: rank %d is at %s, and none of our interfaces %v leads there", p.rank, text, p.link.cfg.Prefixes)
	}
	p.rails, p.paths, p.probe, p.past, p.keyed = rails, paths, is.probe, is.past, is.keyed
	if t := &p.link.traits; t.datagrams && !t.reliable {
		p.whole = min(p.whole, int(rails[paths[0].remote].most))
	}
	p.makeRoom()
	return nil
}

// open tells whether frames can be sent now.
func (p *peer) open() bool { return p.express != nil || p.ah != nil }

// reach does what it takes so that frames can be sent: nothing, or make a connection. It tells whether they can.
func (p *peer) reach() bool {
	if p.open() {
		return true
	}
	if p.lost != nil {
		return false
	}
	if err := p.find(); err != nil {
		p.lose(err)
		return false
	}
	return p.link.carrier.reach(p, express)
}

// lose ends everything that concerns the peer.
func (p *peer) lose(err error) {
	if p.lost != nil {
		return
	}
	if err == nil {
		err = errSilent
	}
	l := p.link
	p.lost = fmt.Errorf("rank %d cannot be reached any more: %w", p.rank, err)
	for _, ln := range p.lanes {
		if ln != nil {
			ln.lostTo()
		}
	}
	p.forget()
	p.out.Drop(release)
	p.in.Drop(func(b *buffer) { b.pool.put(b) })
	p.abandonLoan()
	p.loseBulk()
	p.noteReached()
	l.losses = append(l.losses, p)
	l.cfg.Bell()
}

// Forsake tells that the process of a rank has died: nothing is sent to it, waited for or taken any more, and the next
// Poll says that it is lost.
func (l *Link) Forsake(rank int, err error) { l.peer(rank).lose(err) }

var errSilent = errors.New("it does not answer")

// announceMax is the longest packet that may come in pieces without having been asked for.
const announceMax = 16 << 20

// deliver takes the body of a frame whose turn it is.
func (p *peer) deliver(h *header, body []byte) {
	l := p.link
	switch h.kind {
	case kWhole:
		rest, err := wire.Parse(body, &l.arrived)
		if err != nil || len(rest) != l.arrived.Payload() {
			l.Counters.BadFrames++
			return
		}
		if l.arrived.Kind == wire.Eager && l.arrived.Label == 0 {
			p.lastIn = envelope{l.arrived.Ctx, l.arrived.Tag, true}
		}
		l.sink.Arrive(p.rank, &l.arrived, rest)
	case kRepeat:
		if !p.lastIn.set {
			l.Counters.BadFrames++
			return
		}
		l.arrived = wire.Header{Kind: wire.Eager, Ctx: p.lastIn.ctx, Tag: p.lastIn.tag, Len: len(body)}
		l.sink.Arrive(p.rank, &l.arrived, body)
	case kFirst:
		rest, err := wire.Parse(body, &l.arrived)
		want := l.arrived.Payload()
		if err != nil || p.streaming || want <= len(rest) || l.arrived.Kind != wire.Data && want > announceMax {
			l.Counters.BadFrames++
			return
		}
		p.dst, p.token = l.sink.Begin(p.rank, &l.arrived)
		p.streaming, p.got, p.want = true, 0, want
		p.piece(rest, false)
	case kPiece, kLast:
		p.piece(body, false)
		p.last(h.kind)
	case kLong:
		p.deliverThrown(body)
	case kDown, kDownAck:
		p.laneDown(h.kind, body)
	case kKeys:
		p.learnKeys(body)
	case kReq, kRep, kCnf:
		p.link.carrier.word(p, h.kind, body, nil)
	}
}

// piece takes a piece of a packet, which is in its place already or is copied there.
func (p *peer) piece(b []byte, inPlace bool) {
	if !p.streaming || p.got+len(b) > p.want {
		p.link.Counters.BadFrames++
		return
	}
	if !inPlace && p.got < len(p.dst) {
		copy(p.dst[p.got:], b)
		p.link.spend(clock.Copy, len(b))
	}
	p.got += len(b)
}

// last ends the packet with its last piece.
func (p *peer) last(k kind) {
	if k != kLast {
		return
	}
	if !p.streaming || p.got != p.want {
		p.link.Counters.BadFrames++
		return
	}
	token := p.token
	p.dst, p.token, p.streaming = nil, nil, false
	p.link.sink.End(token)
}

// knownAt is the peer of a rank that has been heard from at an address, nil if it has not.
func (l *Link) knownAt(src netip.AddrPort, rank uint32) *peer {
	if l.lastFrom.peer == nil || l.lastFrom.addr != src {
		l.lastFrom.addr, l.lastFrom.peer = src, l.byAddr[src]
	}
	if p := l.lastFrom.peer; p != nil && p.rank == int(rank) {
		return p
	}
	return nil
}

// datagramFrom finds out who a datagram is from: by its address, if that is known, else by the rank that it names.
func (l *Link) datagramFrom(src netip.AddrPort, from uint32) *peer {
	if p := l.knownAt(src, from); p != nil {
		return p
	}
	if int(from) >= l.cfg.Size || int(from) == l.cfg.Self {
		return nil
	}
	p := l.peer(int(from))
	if p.lost != nil || p.find() != nil || !p.reach() {
		return nil
	}
	for i := range p.rails {
		if p.rails[i].datagramTo() == src {
			l.byAddr[src] = p
			return p
		}
	}
	return nil
}
