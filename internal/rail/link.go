package rail

import (
	"fmt"
	"net/netip"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Link is one rank's way to peers on other hosts.
type Link struct {
	cfg    Config
	caps   verbs.Caps
	pd     verbs.PD
	cq     verbs.CQ
	bell   Bell
	srq    verbs.SRQ
	listen []verbs.Listener

	dgramQP  verbs.QP // UD or RD, nil without datagrams
	dgramNum uint32
	datagram int // longest frame in a datagram

	peers  []*peer // by rank; nil where nothing was said yet
	known  []*peer
	lanes  map[uint32]*lane
	byAddr map[netip.AddrPort]*peer

	pools        []*pool
	small, large *pool // frames on their way out
	recvPool     *pool // receives
	repost       []verbs.RecvWR
	repostSGE    []verbs.SGE
	given        int  // receives that all connections share
	surplus      int  // of these, to be taken back as they come in
	unarmed      bool // the low watermark is to be set again, once there are enough receives

	probe   verbs.MR // what peers may always read
	reg     *regcache.Cache
	reuse   *reuse.Table // nil: everything short is copied
	exposed map[wire.Key]*exposure
	ops     []opSlot
	freeOps []uint32

	sink     wire.Sink
	now      int64
	found    []verbs.Completion // polled; those from index at on are not handled yet
	at       int
	comps    [64]verbs.Completion
	event    atomic.Bool // the device has events
	events   [16]verbs.Event
	polls    int
	nextTick int64
	timed    []*peer // have something to do at some time
	ackable  []*peer
	stuck    []*peer
	losses   []*peer
	heard    []*peer     // have tails of lanes that are gone
	finished []*transfer // over, and not told
	climbed  int         // hybrid: peers that have a connection or were promised one
	rings    int
	closing  bool

	// memory for calls
	header     header
	arrived    wire.Header
	batch      []*buffer
	wrs        []verbs.SendWR
	sges       []verbs.SGE
	spare      []byte
	scratch    []byte
	tailBuf    []byte
	stuckSpare []*peer
	oneSGE     [1]verbs.SGE
	oneRecv    [1]verbs.RecvWR

	Counters  Counters
	Flows     flow.Counters
	railBytes []uint64 // of long messages, by rail
}

// exposure is memory that a peer may read or write.
type exposure struct {
	entry *regcache.Entry
	refs  int
}

// Names of work requests: what they are in the top byte.
const (
	idSend = 1 << 56
	idRecv = 2 << 56
	idOp   = 3 << 56
	idWhat = 0xff << 56
)

const smallFrame = 512

// New makes the link of a rank. Address is known when it returns; peers may connect from then on.
func New(cfg Config) (*Link, error) {
	cfg.complete()
	l := &Link{
		cfg: cfg, caps: cfg.Device.Caps(), peers: make([]*peer, cfg.Size), lanes: map[uint32]*lane{}, byAddr: map[netip.AddrPort]*peer{},
		exposed: map[wire.Key]*exposure{}, batch: make([]*buffer, 0, 16), wrs: make([]verbs.SendWR, 16), sges: make([]verbs.SGE, 32),
		spare: make([]byte, inlineMax), scratch: make([]byte, 0, inlineMax), tailBuf: make([]byte, 0, inlineMax),
	}
	l.railBytes = make([]uint64, len(cfg.Device.Rails()))
	if err := l.cfg.Flow.Check(); err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

// open makes what all peers share.
func (l *Link) open() (err error) {
	d := l.cfg.Device
	if l.pd, err = d.NewPD(); err != nil {
		return err
	}
	if l.cfg.Bell == nil {
		l.cfg.Bell = l.bell.Ring
	}
	if l.cq, err = d.NewCQ(verbs.CQConfig{Depth: 1 << 14, Notify: l.cfg.Bell}); err != nil {
		return err
	}
	l.bell.cq = l.cq
	d.NotifyEvents(func() {
		l.event.Store(true)
		l.cfg.Bell()
	})
	if l.probe, err = l.pd.Register(make([]byte, 8), verbs.RemoteRead); err != nil {
		return err
	}
	l.small = l.newPool(smallFrame, l.cfg.SendBytes/4/smallFrame)
	l.large = l.newPool(l.cfg.Vbuf, l.cfg.SendBytes/l.cfg.Vbuf)
	l.recvPool = l.newPool(l.cfg.Vbuf, 1<<20)
	if l.reg, err = regcache.New(regcache.Config{Registrar: l.pd, Entries: max(l.cfg.RegEntries, 0), Bytes: max(l.cfg.RegBytes, 0), FreshKeys: true, Now: clock.Now}); err != nil {
		return err
	}
	if l.reuse, err = l.newReuse(); err != nil {
		return err
	}
	if err = l.openSRQ(); err != nil {
		return err
	}
	if l.cfg.Channel.datagrams() {
		if err = l.openDatagrams(); err != nil {
			return err
		}
	}
	if l.cfg.Channel.connects() {
		return l.openListeners()
	}
	return nil
}

func (l *Link) newPool(size, limit int) *pool {
	p := &pool{link: l, num: uint8(len(l.pools)), size: size, limit: max(limit, 8)}
	l.pools = append(l.pools, p)
	return p
}

func (l *Link) openListeners() error {
	for i := range l.cfg.Device.Rails() {
		ln, err := l.listenOn(i)
		if err != nil {
			return err
		}
		l.listen = append(l.listen, ln)
	}
	return nil
}

// listenOn opens a port on a rail, one of the permitted range.
func (l *Link) listenOn(rail int) (ln verbs.Listener, err error) {
	err = l.onPort(rail, func(port uint16) (err error) {
		ln, err = l.cfg.Device.Listen(verbs.ListenConfig{Rail: rail, Port: port})
		return err
	})
	return ln, err
}

// onPort tries the permitted ports, 0 for any, until one serves.
func (l *Link) onPort(rail int, try func(port uint16) error) (err error) {
	low, high := l.cfg.Ports[0], l.cfg.Ports[1]
	if low == 0 {
		return try(0)
	}
	for port := int(low); port <= int(high); port++ {
		if err = try(uint16(port)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("rail: no port of %d-%d is free on %v: %w", low, high, l.cfg.Device.Rails()[rail].Addr, err)
}

func (l *Link) openDatagrams() error {
	l.datagram = l.caps.MaxDatagram
	if l.cfg.Channel == RD {
		l.datagram = l.cfg.Vbuf
	}
	return l.onPort(0, l.openDatagramsAt)
}

// openDatagramsAt makes the queue pair for datagrams; when the port does not serve, nothing is left of it.
func (l *Link) openDatagramsAt(port uint16) error {
	cfg := verbs.QPConfig{Type: verbs.UD, SendCQ: l.cq, RecvCQ: l.cq, SRQ: l.srq, SendDepth: expressDepth, SendSGE: 2, Inline: inlineMax, Port: port}
	if l.cfg.Channel == RD {
		cfg.Type = verbs.RD
	}
	qp, err := l.pd.NewQP(cfg)
	if err != nil {
		return err
	}
	if err = qp.Modify(verbs.Init); err == nil {
		err = qp.Modify(verbs.RTS)
	}
	if err != nil {
		_ = qp.Close()
		return err
	}
	l.dgramQP, l.dgramNum = qp, qp.Num()
	return nil
}

// Address is what peers have to know to reach this rank.
func (l *Link) Address() string {
	var rails []railAddress
	for i, net := range l.cfg.Prefixes {
		r := railAddress{net: net}
		if i < len(l.listen) {
			r.rc = l.listen[i].Addr().Port()
		}
		if i == 0 && l.dgramQP != nil {
			r.dgram, r.dgramQ = l.dgramQP.Addr().Port(), l.dgramNum
		}
		rails = append(rails, r)
	}
	return formatAddress(rails, wire.Key{Addr: l.probe.Addr(), Slot: l.probe.RKey()})
}

// EagerMax is the longest message that travels with its envelope.
func (l *Link) EagerMax(int) int { return l.cfg.EagerMax }

// Rendezvous is how long messages travel.
func (l *Link) Rendezvous(rank int) wire.Rendezvous {
	switch l.cfg.Channel {
	case UD:
		return wire.Pull
	case Hybrid:
		if p := l.peers[rank]; p == nil || p.express == nil {
			if l.cfg.Rendezvous == wire.Speculate {
				return wire.MaySpeculate
			}
			return wire.Pull
		}
	}
	return l.cfg.Rendezvous
}

// Expose registers memory for a peer.
func (l *Link) Expose(_ int, b []byte, forWrite bool) wire.Key {
	access := verbs.RemoteRead
	if forWrite {
		access = verbs.LocalWrite | verbs.RemoteWrite
	}
	if len(b) == 0 || l.cfg.Channel == UD {
		return wire.Key{}
	}
	e, err := l.reg.Acquire(b, access)
	if err != nil {
		return wire.Key{} // the peer asks for a push
	}
	k := wire.Key{Addr: e.Addr(b), Slot: e.RKey()}
	x := l.exposed[k]
	if x == nil {
		x = &exposure{entry: e}
		l.exposed[k] = x
	} else {
		l.reg.Release(e)
	}
	x.refs++
	return k
}

// Hide takes it back.
func (l *Link) Hide(_ int, k wire.Key) {
	x := l.exposed[k]
	if x == nil {
		return
	}
	if x.refs--; x.refs == 0 {
		delete(l.exposed, k)
		l.reg.Release(x.entry)
	}
}

// Ready looks for work, which Poll then does.
func (l *Link) Ready() bool {
	if l.at < len(l.found) || l.event.Load() || len(l.finished)+len(l.losses)+len(l.heard) > 0 {
		return true
	}
	l.look()
	return l.at < len(l.found) || l.nextTick != 0 && l.lateTick()
}

// lateTick tells, now and then, whether something is due.
func (l *Link) lateTick() bool {
	if l.polls++; l.polls%8 != 0 {
		return false
	}
	return clock.Now() >= l.nextTick
}

// Poll does what there is to do.
func (l *Link) Poll(s wire.Sink) (moved bool) {
	l.sink = s
	if l.at == len(l.found) {
		l.look()
	}
	if l.at < len(l.found) || len(l.timed) > 0 || l.event.Load() {
		l.now = clock.Now()
	}
	for l.at < len(l.found) {
		c := l.found[l.at]
		l.at++
		l.complete(&c)
		moved = true
	}
	if len(l.repost) > 0 {
		l.postReceives()
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
	return moved
}

// look asks the completion queue.
func (l *Link) look() {
	l.found, l.at = l.comps[:l.cq.Poll(l.comps[:])], 0
}

// hearOut takes the tails of a lane that has been closed and cannot get more, for the peer will ask how many came. It
// delivers nothing, because it may be called from within a call of the sink's owner; the next Poll does.
func (l *Link) hearOut(ln *lane) {
	rest := append([]verbs.Completion(nil), l.found[l.at:]...)
	var more [64]verbs.Completion
	for n := len(more); n == len(more); {
		n = l.cq.Poll(more[:])
		rest = append(rest, more[:n]...)
	}
	l.found, l.at = rest, 0
	for i := range rest {
		c := &rest[i]
		if c.QP != ln.num || c.ID&idWhat != idRecv {
			continue
		}
		if b := l.receiveOf(c.ID); b != nil {
			if c.Status == verbs.OK && c.Op == verbs.Recv {
				ln.peer.lateFrame(ln, b.mem[:c.Len])
			}
			l.postShared(b)
		}
		c.ID = 0 // handled
	}
}

// complete handles one completion.
func (l *Link) complete(c *verbs.Completion) {
	switch c.ID & idWhat {
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

// received handles the completion of a receive.
func (l *Link) received(c *verbs.Completion) {
	b := l.receiveOf(c.ID)
	if b == nil {
		return
	}
	ln := l.lanes[c.QP]
	if ln != nil {
		ln.took(b)
	}
	kept := false
	switch {
	case c.Status == verbs.Flushed:
	case c.Status != verbs.OK:
		l.Counters.BadFrames++
	case c.QP == l.dgramNum && l.dgramQP != nil:
		kept = l.receivedDatagram(b, c)
	case ln == nil: // of a lane that is gone
	case c.Op == verbs.RecvImm:
		ln.peer.inRing(ln, c)
		ln.peer.earn(ln)
	default:
		b.n = c.Len
		l.Counters.EagerSR++
		kept = ln.peer.frame(b, b.mem[:c.Len], ln)
		ln.peer.earn(ln)
	}
	l.replace(b, ln, kept)
}

func (l *Link) receivedDatagram(b *buffer, c *verbs.Completion) bool {
	b.n = c.Len
	if c.Len < headerSize {
		l.Counters.BadFrames++
		return false
	}
	p := l.datagramFrom(c.Src, le.Uint32(b.mem[4:]))
	if p == nil {
		l.Counters.Strangers++
		return false
	}
	l.Counters.Datagrams++
	kept := p.frame(b, b.mem[:c.Len], p.rdLane())
	if l.cfg.Channel == Hybrid {
		p.consider()
	}
	return kept
}

// takeEvents handles what happened to connections.
func (l *Link) takeEvents() (any bool) {
	l.event.Store(false)
	n := l.cfg.Device.PollEvents(l.events[:])
	if n == len(l.events) {
		l.event.Store(true) // there may be more
	}
	for i := range l.events[:n] {
		l.takeEvent(&l.events[i])
		l.events[i] = verbs.Event{}
	}
	return n > 0
}

func (l *Link) takeEvent(e *verbs.Event) {
	switch e.Kind {
	case verbs.ConnectRequest:
		l.requested(e.Request)
		return
	case verbs.SRQLimit:
		l.Counters.Watermarks++
		l.refill()
		return
	case verbs.EventsLost:
		l.Counters.EventsLost += uint64(e.Lost)
		return
	}
	ln := l.lanes[e.Num]
	if ln == nil {
		return
	}
	switch e.Kind {
	case verbs.Established:
		ln.established(e.Private)
	case verbs.Rejected:
		ln.rejected(e.Private)
	case verbs.ConnectFailed, verbs.QPFatal:
		ln.failed(e.Err)
	case verbs.Disconnected:
		ln.failed(fmt.Errorf("rail: rank %d %w", ln.peer.rank, errEnded))
	}
}

// opSlot names a part in work requests; names are not used again soon, because completions of a lane that is gone may
// still come.
type opSlot struct {
	part *part
	gen  uint32
}

func (l *Link) nameOp(a *part) uint64 {
	var i uint32
	if n := len(l.freeOps); n > 0 {
		i = l.freeOps[n-1]
		l.freeOps = l.freeOps[:n-1]
	} else {
		i = uint32(len(l.ops))
		l.ops = append(l.ops, opSlot{})
	}
	s := &l.ops[i]
	s.part = a
	s.gen = (s.gen + 1) & 0xffffff
	return idOp | uint64(s.gen)<<32 | uint64(i)
}

func (l *Link) dropOp(a *part) {
	i := uint32(a.name)
	if a.name == 0 || int(i) >= len(l.ops) || l.ops[i].part != a {
		return
	}
	l.ops[i].part = nil
	l.freeOps = append(l.freeOps, i)
	a.name = 0
}

func (l *Link) op(id uint64) *part {
	i := uint32(id)
	if int(i) >= len(l.ops) || uint64(l.ops[i].gen) != id>>32&0xffffff {
		return nil
	}
	return l.ops[i].part
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
	if b := l.bufferOf(c.ID); b != nil && b.to != nil && l.cfg.Channel == RD && c.QP == l.dgramNum && c.Status != verbs.Flushed {
		b.to.lose(fmt.Errorf("rail: sending to rank %d: %v", b.to.rank, c.Status))
	}
}
