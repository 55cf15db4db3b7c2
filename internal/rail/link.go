package rail

import (
	"bytes"
	"fmt"
	"net/netip"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Link is one rank's way to peers on other hosts: streams of frames to each of them, the carrier of
// these, lanes for long messages, and the registrar of the memory that is moved.
type Link struct {
	cfg   Config
	clock clock.Clock
	meter clock.Clock // the same where work has a price, nil on a host
	caps  verbs.Caps
	pd    verbs.PD
	cq    verbs.CQ
	bell  Bell

	mem     *registrar.Registrar
	lendMin int // shorter payloads are always copied
	roster
	timers
	leaving
	arriving
	carriage
	transfers

	event   atomic.Bool // the device has events
	closing bool

	Counters  Counters
	Flows     flow.Counters
	railShort []uint64 // of the payloads of packets, by rail
	events    [16]verbs.Event
}

// roster is who there is.
type roster struct {
	peers    peerTable // by rank
	known    []*peer
	lanes    map[uint32]*lane // by the number of their queue pair
	last     *lane            // of lanes, that lane found last; nil: none
	losses   []*peer          // not told yet
	idleFrom int              // index in known where Idle begins to look
}

// arriving is what has come from the device and is on its way up.
type arriving struct {
	sink    wire.Sink
	found   []verbs.Completion // polled; those from index at on are not handled yet
	at      int
	busy    bool // Poll is handling what has come
	header  header
	arrived wire.Header
	borrowing
	comps [64]verbs.Completion // memory of found, behind what is touched for every message
}

// borrowing is how far messages have been handled that are still the device's.
type borrowing struct {
	catches  bool  // frames that the device lends may be caught
	borrowed bool  // found has some that it lends, until it is polled again
	caught   bool  // one was caught
	armed    bool  // Arm was called since the last Poll: nothing is caught before the next
	unheard  *peer // whose last caught frame has not been asked yet what it acknowledges; nil: nobody's
}

// Names of work requests: what they are in the top byte.
const (
	idSend = 1 << 56
	idRecv = 2 << 56
	idOp   = 3 << 56
	idWhat = 0xff << 56
)

// Frames on their way out are short, or not longer than a page of payload, or of any length: memory for one
// of the last would be mostly empty with the others in it, and a rank with many peers has many of them that
// are not acknowledged.
const (
	shortFrame  = 512
	middleFrame = 4<<10 + headerSize + wire.MaxSize
)

// New makes the link of a rank. Address is known when it returns; peers may connect from then on.
func New(cfg Config) (*Link, error) {
	caps := cfg.Device.Caps()
	if err := cfg.follow(&caps); err != nil {
		return nil, err
	}
	cfg.settle()
	l := &Link{cfg: cfg, caps: caps, roster: roster{peers: newPeerTable(cfg.Size), lanes: map[uint32]*lane{}}}
	l.byAddr, l.wholeMax = map[netip.AddrPort]*peer{}, cfg.Vbuf
	l.batch, l.wrs, l.sges = make([]*buffer, 0, 16), make([]verbs.SendWR, 16), make([]verbs.SGE, 32)
	l.spare, l.scratch, l.tailBuf = make([]byte, inlineMax), make([]byte, 0, inlineMax), make([]byte, 0, inlineMax)
	l.limits = limitsOf(&caps, cfg.Vbuf)
	l.traits, l.carrier = carriers[cfg.Channel].traits, carriers[cfg.Channel].carrier
	l.clock, l.meter = cfg.Clock, cfg.Clock
	if l.clock == nil {
		l.clock = clock.Real
	}
	l.railBytes, l.railShort = make([]uint64, len(cfg.Device.Rails())), make([]uint64, len(cfg.Device.Rails()))
	if err := l.cfg.Flow.Check(); err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

// spend charges the rank's processor with work; on a host that takes what it takes.
func (l *Link) spend(w clock.Work, n int) {
	if l.meter != nil {
		l.meter.Spend(w, n)
	}
}

// EagerMax is the longest message that travels with its envelope.
func (l *Link) EagerMax(int) int { return l.cfg.EagerMax }

// EagerAlone is the longest message that travels with its envelope if the peer has all that was sent
// before, but perhaps for one frame, such as the FIN of what this one answers: over a connection, where it
// need not wait for an offer to be answered. Behind others it would fill the memory for frames that are not
// acknowledged.
func (l *Link) EagerAlone(rank int) int {
	l.takeAck()
	p := l.peers.at(rank)
	if l.cfg.EagerAlone == 0 || p == nil || p.express == nil || l.traits.datagrams || p.out.InFlight() > 1 || p.bulk.exposed > 0 {
		return 0
	}
	return l.cfg.EagerAlone
}

// Prefix is how many of a long message's first bytes should travel with its offer. Datagrams leave that to
// the push that follows.
func (l *Link) Prefix(rank int) int {
	if l.traits.datagrams {
		if p := l.peers.at(rank); p == nil || p.express == nil {
			return 0
		}
	}
	return l.cfg.Prefix
}

// Rendezvous is how long messages travel.
func (l *Link) Rendezvous(rank int) wire.Rendezvous {
	if !l.traits.moves {
		return wire.Pull
	}
	if p := l.peers.at(rank); !l.traits.climbs || p != nil && p.express != nil {
		return l.cfg.Rendezvous
	}
	if l.cfg.Rendezvous == wire.Speculate {
		return wire.MaySpeculate
	}
	return wire.Pull
}

// Ready looks for work, which Poll then does.
func (l *Link) Ready() bool {
	l.takeAck()
	if l.caught || l.at < len(l.found) || l.event.Load() || l.holder != nil || len(l.finished)+len(l.losses)+len(l.heard) > 0 {
		return true
	}
	l.lookAndCatch()
	return l.caught || l.at < len(l.found) || l.nextTick != 0 && l.lateTick()
}

// lateTick tells, now and then, whether something is due. The time that it reads serves what is found next,
// which then need not wait for the clock.
func (l *Link) lateTick() bool {
	if l.polls++; l.polls%8 != 0 {
		return false
	}
	l.now, l.recent = l.clock.Now(), l.meter == nil
	return l.now >= l.nextTick
}

// Poll does what there is to do.
func (l *Link) Poll(s wire.Sink) (moved bool) {
	if l.Caught() {
		return true
	}
	l.sink, l.armed = s, false
	l.takeAck()
	if l.holder != nil {
		l.LetGo()
	}
	if l.at == len(l.found) && !l.caught {
		l.recent = false // the caller may have been away
		l.lookAndCatch()
	}
	if !l.recent && (l.at < len(l.found) || len(l.timed) > 0 || l.event.Load()) {
		l.now = l.clock.Now()
	}
	l.recent = false
	moved = l.caught
	l.caught, l.busy = false, true
	for l.at < len(l.found) {
		c := l.found[l.at]
		l.at++
		l.complete(&c)
		moved = true
	}
	l.caught, l.recent = false, false
	if l.postSome(moved); l.dgrams != nil {
		l.dgrams.postSome(moved)
	}
	if len(l.heard) > 0 {
		l.settleLate()
	}
	if l.event.Load() {
		moved = l.takeEvents() || moved
	}
	if l.nextTick != 0 && l.now >= l.nextTick {
		moved = l.tick() || moved
	}
	if len(l.ackable) > 0 {
		l.acknowledge()
	}
	moved = l.retry() || moved
	moved = l.tell() || moved
	for len(l.losses) > 0 {
		p := l.losses[0]
		l.losses = l.losses[1:]
		s.Lost(p.rank, p.lost)
		moved = true
	}
	l.busy = false
	return moved
}

// Caught tells that something was caught since the last call and that Poll has nothing more to do.
func (l *Link) Caught() bool {
	if !l.caught || l.at < len(l.found) || l.event.Load() || l.holder != nil || l.nextTick != 0 && l.now >= l.nextTick ||
		len(l.ackable)+len(l.stuck)+len(l.heard)+len(l.finished)+len(l.losses) > 0 {
		return false
	}
	l.caught, l.recent = false, false
	return true
}

// look asks the completion queue.
func (l *Link) look() {
	l.found, l.at, l.borrowed = l.comps[:l.cq.Poll(l.comps[:])], 0, false
	for i := range l.found {
		l.borrowed = l.borrowed || l.found[i].Data != nil
	}
}

// lane finds a lane by the number of its queue pair; nil if it is gone.
func (l *Link) lane(qp uint32) *lane {
	if l.last == nil || l.last.num != qp {
		l.last = l.lanes[qp]
	}
	return l.last
}

// hearOut takes the tails of a lane that has been closed and cannot get more, for the peer will ask how many came. It
// delivers nothing, because it may be called from within a call of the sink's owner; the next Poll does.
func (l *Link) hearOut(ln *lane) {
	rest := owned(nil, l.found[l.at:])
	var more [64]verbs.Completion
	for n := len(more); n == len(more); {
		n = l.cq.Poll(more[:])
		rest = owned(rest, more[:n])
	}
	l.found, l.at, l.borrowed = rest, 0, false
	for i := range rest {
		c := &rest[i]
		if c.QP != ln.num || c.ID&idWhat != idRecv && c.Data == nil {
			continue
		}
		b, frame := l.landed(c)
		if frame != nil && c.Status == verbs.OK && c.Op == verbs.Recv {
			ln.peer.lateFrame(ln, frame)
		}
		if b != nil {
			l.postShared(b)
		}
		c.ID, c.Op = 0, 0 // handled
	}
}

// owned adds completions to list that are ours whatever becomes of the queue. Heads are left out: the
// device tells of them again, or goes on without an answer.
func owned(list, more []verbs.Completion) []verbs.Completion {
	for _, c := range more {
		if c.Data = bytes.Clone(c.Data); c.Op != verbs.RecvHead {
			list = append(list, c)
		}
	}
	return list
}

// complete handles one completion.
func (l *Link) complete(c *verbs.Completion) {
	switch c.ID & idWhat {
	case 0: // nothing of ours that the device had
		if c.Op == verbs.RecvHead {
			l.place(c)
		} else if c.Op == verbs.Recv {
			l.received(c)
		}
	case idRecv:
		l.received(c)
	case idOp:
		l.opDone(c)
	case idSend:
		if c.Status != verbs.OK {
			if ln := l.lanes[c.QP]; ln != nil {
				ln.failed(fmt.Errorf("rail: sending to rank %d: %v", ln.peer.rank, c.Status))
				return
			}
			l.datagramFailed(c)
		}
		l.sendDone(c)
	}
}

// landed is the frame that a completion brings, nil if it is out of date, and the receive that it is in;
// none if the device lends it.
func (l *Link) landed(c *verbs.Completion) (b *buffer, frame []byte) {
	if c.Data != nil {
		return nil, c.Data
	}
	if b = l.receiveOf(c.ID); b == nil {
		return nil, nil
	}
	if b.n = 0; c.Status == verbs.OK && c.Op == verbs.Recv {
		b.n = c.Len
	}
	return b, b.mem[:b.n]
}

// received handles a frame that has come.
func (l *Link) received(c *verbs.Completion) {
	if c.Data != nil && l.catches && l.catch(c) {
		return
	}
	b, frame := l.landed(c)
	if frame == nil {
		return
	}
	ln := l.lanes[c.QP]
	if ln != nil && b != nil {
		ln.took(b)
	}
	kept := false
	switch {
	case c.Status == verbs.Flushed:
	case c.Status != verbs.OK:
		l.Counters.BadFrames++
	case c.QP == l.dgramNum && l.dgramQP != nil:
		kept = l.receivedDatagram(b, frame, c.Src)
	case ln == nil: // of a lane that is gone
	case c.Op == verbs.RecvImm:
		ln.peer.inRing(ln, c)
		ln.earned()
	default:
		l.Counters.EagerSR++
		kept = ln.peer.frame(b, frame, ln)
		ln.earned()
	}
	if b != nil {
		l.home(c.QP).replace(b, ln, kept)
	}
}

func (l *Link) receivedDatagram(b *buffer, frame []byte, from netip.AddrPort) bool {
	if len(frame) < headerSize {
		l.Counters.BadFrames++
		return false
	}
	p := l.datagramFrom(from, le.Uint32(frame[4:]))
	if p == nil {
		l.Counters.Strangers++
		return false
	}
	l.Counters.Datagrams++
	var ln *lane
	if l.traits.reliable {
		ln = p.lanes[1]
	}
	kept := p.frame(b, frame, ln)
	l.carrier.earn(p, nil)
	return kept
}

func (l *Link) noteError(err error) {
	if err != nil {
		l.Counters.PostErrors++
	}
}

func (l *Link) addMemory(n int) {
	l.Counters.Memory += int64(n)
	l.Counters.MemoryHigh = max(l.Counters.MemoryHigh, l.Counters.Memory)
}

// datagramFailed: an RD queue pair has given up a frame. It has tried for long, and nobody would send the frame again.
// Frames over UD that could not be sent are lost like others, and repaired.
func (l *Link) datagramFailed(c *verbs.Completion) {
	if b := l.bufferOf(c.ID); b != nil && b.to != nil && l.traits.reliable && c.QP == l.dgramNum && c.Status != verbs.Flushed {
		b.to.lose(fmt.Errorf("rail: sending to rank %d: %v", b.to.rank, c.Status))
	}
}
