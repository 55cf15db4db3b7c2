package flow

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
)

// sending and receiving are the two halves as the simulation sees them, so that a test can put a faulty one in place.
type sending interface {
	Full() bool
	InFlight() int
	Push(f int, now int64) uint32
	Acked(ack, limit uint32, now int64, release func(int)) bool
	Nack(ack uint32, early uint64, now int64) bool
	Due() int64
	Expire(now int64, resend func(uint32, int)) bool
	Replay(from uint32, now int64, resend func(uint32, int)) error
	SetTimed(on bool, now int64)
}

type receiving interface {
	Arrive(seq uint32, f int, now int64) Verdict
	Next() (int, bool)
	Ack() (ack, limit uint32)
	Notice() (ack, limit uint32, early uint64)
	Grant(frames int, now int64)
	Due() int64
	AckDue(now int64) bool
	Expected() uint32
}

var (
	_ sending   = (*Sender[int])(nil)
	_ receiving = (*Receiver[int])(nil)
)

// parcel is what the simulated network carries: a frame, a notice, or both.
type parcel struct {
	at         int64
	order      int // of sending: breaks ties
	to         *end
	connection int // 0: a datagram; else the connection that carries it
	data       bool
	notice     bool
	seq        uint32
	f          int
	ack, limit uint32
	early      uint64
}

type parcels []*parcel

func (p parcels) Len() int { return len(p) }
func (p parcels) Less(i, j int) bool {
	return p[i].at < p[j].at || p[i].at == p[j].at && p[i].order < p[j].order
}
func (p parcels) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *parcels) Push(x any)   { *p = append(*p, x.(*parcel)) }
func (p *parcels) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

// end is one of the two peers. Frames carry the numbers 0, 1, 2, ... so that order and number can be checked.
type end struct {
	name      string
	s         sending
	r         receiving
	sender    *Sender[int] // what is behind s and r, faulty or not
	receiver  *Receiver[int]
	peer      *end
	count     Counters
	todo      int // frames to send
	pushed    int
	released  int
	delivered int
	lastRC    int64 // a connection does not reorder
}

// plan says what the network and the ends do. Chances are in percent.
type plan struct {
	cfg           Config
	seed          uint64
	forward, back int // frames to send from a to b and from b to a
	loss, twice   int // of datagrams
	delay, jitter int64
	steps         []step // what happens to the carrier
	stall         int    // of a time in which b grants nothing, tried at each arrival
	pace          int64  // nanoseconds between the frames that the ends push, 0: as fast as they can
}

// step happens when so many frames have arrived at b.
type step struct {
	after int
	what  string // connect, cut, datagrams
}

// net runs two ends against each other in virtual time.
type net struct {
	plan
	chance     *rand.Rand
	now        int64
	a, b       *end
	wire       parcels
	sent       int
	connection int // the number of the latest connection, in use if up
	up         bool
	down       int64 // the connection was cut; until then it cannot be opened anew
	timed      bool
	resume     int64 // b grants nothing until then
	lostData   int
	arrivals   int
	err        error
}

func newNet(p plan) *net {
	n := &net{plan: p, chance: rand.New(rand.NewPCG(p.seed, 1)), now: 1, timed: true}
	n.a, n.b = n.newEnd("a", p.forward), n.newEnd("b", p.back)
	n.a.peer, n.b.peer = n.b, n.a
	return n
}

func (n *net) newEnd(name string, todo int) *end {
	e := &end{name: name, todo: todo, sender: new(Sender[int]), receiver: new(Receiver[int])}
	e.sender.Init(&n.cfg, &e.count)
	e.receiver.Init(&n.cfg, &e.count)
	e.sender.SetTimed(true, n.now)
	e.s, e.r = e.sender, e.receiver
	return e
}

func (n *net) fail(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf("at %d ns: %s", n.now, fmt.Sprintf(format, args...))
	}
}

func (n *net) hit(percent int) bool { return n.chance.IntN(100) < percent }

// transmit puts a parcel on the carrier of the day.
func (n *net) transmit(from *end, p parcel) {
	p.to = from.peer
	n.sent++
	p.order = n.sent
	if n.up {
		p.connection = n.connection
		from.lastRC = max(from.lastRC, n.now+n.delay)
		p.at = from.lastRC
		heap.Push(&n.wire, &p)
		return
	}
	if !n.timed {
		return // cut
	}
	copies := 1
	if n.hit(n.loss) {
		copies = 0
		if p.data {
			n.lostData++
		}
	} else if n.hit(n.twice) {
		copies = 2
	}
	for range copies {
		again := p
		again.at = n.now + n.delay + n.chance.Int64N(n.jitter+1)
		heap.Push(&n.wire, &again)
	}
}

func (n *net) frame(e *end, seq uint32, f int) {
	p := parcel{data: true, seq: seq, f: f}
	p.ack, p.limit = e.r.Ack()
	n.transmit(e, p)
}

// pump lets an end send what it may.
func (n *net) pump(e *end) {
	for n.carries() && e.pushed < e.todo && !e.s.Full() {
		if n.pace != 0 && n.now < int64(e.pushed)*n.pace {
			return
		}
		seq := e.s.Push(e.pushed, n.now)
		if want := n.cfg.First + uint32(e.pushed); seq != want {
			n.fail("%s numbers frame %d %d, want %d", e.name, e.pushed, seq, want)
		}
		if !after(e.peer.receiver.limit, seq) && !(n.timed && e.s.InFlight() == 1) {
			n.fail("%s sends frame %d without credit", e.name, e.pushed)
		}
		e.pushed++
		n.frame(e, seq, e.pushed-1)
	}
}

// carries tells whether there is a carrier: not between two connections.
func (n *net) carries() bool { return n.up || n.timed }

// release and take check exactly-once in order at both sides.
func (n *net) release(e *end) func(int) {
	return func(f int) {
		if f != e.released {
			n.fail("%s releases frame %d, want %d", e.name, f, e.released)
		}
		if f >= e.peer.delivered {
			n.fail("%s releases frame %d, which was not delivered", e.name, f)
		}
		e.released++
	}
}

func (n *net) take(e *end, f int) {
	if f != e.delivered {
		n.fail("%s gets frame %d, want %d", e.name, f, e.delivered)
	}
	e.delivered++
}

// arrive hands a parcel to its end.
func (n *net) arrive(p *parcel) {
	if p.connection != 0 && (!n.up || p.connection != n.connection) {
		return // of a connection that was cut
	}
	e := p.to
	e.s.Acked(p.ack, p.limit, n.now, n.release(e))
	if p.notice {
		e.s.Nack(p.ack, p.early, n.now)
	}
	if !p.data {
		return
	}
	if e == n.b {
		n.arrivals++
		if n.resume == 0 && n.hit(n.stall) {
			e.r.Grant(0, n.now)
			n.resume = n.now + 1 + n.chance.Int64N(5*millisecond)
		}
	}
	if e.r.Arrive(p.seq, p.f, n.now) == Deliver {
		n.take(e, p.f)
		for f, ok := e.r.Next(); ok; f, ok = e.r.Next() {
			n.take(e, f)
		}
	}
}

// carrier does what the plan says about it.
func (n *net) carrier() {
	if n.down != 0 && n.now >= n.down {
		n.connect()
	}
	if len(n.steps) == 0 || n.arrivals < n.steps[0].after || n.down != 0 {
		return
	}
	what := n.steps[0].what
	n.steps = n.steps[1:]
	switch what {
	case "connect":
		if !n.up {
			n.connect()
		}
	case "cut":
		if n.up {
			n.up, n.down = false, n.now+1+n.chance.Int64N(millisecond)
		}
	case "datagrams":
		n.up, n.timed = false, true
		n.a.s.SetTimed(true, n.now)
		n.b.s.SetTimed(true, n.now)
	}
}

// connect opens a connection: the first one takes over from the datagrams, later ones replay.
func (n *net) connect() {
	promoted := n.timed
	n.connection++
	n.up, n.timed, n.down = true, false, 0
	for _, e := range []*end{n.a, n.b} {
		e.lastRC = 0
		e.s.SetTimed(false, n.now)
		if promoted {
			continue
		}
		from, limit := e.peer.r.Ack()
		e.s.Acked(from, limit, n.now, n.release(e))
		if err := e.s.Replay(from, n.now, func(seq uint32, f int) { n.frame(e, seq, f) }); err != nil {
			n.fail("%s: %v", e.name, err)
		}
	}
}

// timers do what is due at both ends.
func (n *net) timers() {
	if n.resume != 0 && n.now >= n.resume {
		n.resume = 0
		n.b.r.Grant(n.cfg.Window, n.now)
	}
	if !n.carries() {
		return
	}
	for _, e := range []*end{n.a, n.b} {
		if due := e.s.Due(); due != 0 && n.now >= due {
			if e.s.Expire(n.now, func(seq uint32, f int) { n.frame(e, seq, f) }) {
				n.fail("%s takes its peer for dead", e.name)
			}
		}
		if e.r.AckDue(n.now) {
			p := parcel{notice: true}
			p.ack, p.limit, p.early = e.r.Notice()
			n.transmit(e, p)
		}
		n.pump(e)
	}
}

// wake is when something happens next, 0 if nothing ever will.
func (n *net) wake() (at int64) {
	earlier := func(t int64) {
		if t != 0 && (at == 0 || t < at) {
			at = t
		}
	}
	earlier(n.down)
	earlier(n.resume)
	if len(n.wire) > 0 {
		earlier(n.wire[0].at)
	}
	for _, e := range []*end{n.a, n.b} {
		if n.carries() {
			earlier(e.s.Due())
			earlier(e.r.Due())
		}
		if n.pace != 0 && n.carries() && e.pushed < e.todo && !e.s.Full() {
			earlier(int64(e.pushed) * n.pace)
		}
	}
	return at
}

func (n *net) done() bool {
	for _, e := range []*end{n.a, n.b} {
		if e.delivered != e.peer.todo || e.released != e.todo {
			return false
		}
	}
	return true
}

// run goes on until all is delivered and released, or something is wrong.
func (n *net) run() error {
	n.timers()
	for rounds := 0; !n.done() && n.err == nil; rounds++ {
		at := n.wake()
		if at == 0 || rounds > 200*(n.forward+n.back)+20000 {
			return fmt.Errorf("stuck at %d ns: a sent %d, b got %d, a released %d; back: sent %d, got %d, released %d", n.now,
				n.a.pushed, n.b.delivered, n.a.released, n.b.pushed, n.a.delivered, n.b.released)
		}
		if n.sent > 50*(n.forward+n.back)+20000 {
			return fmt.Errorf("%d parcels sent for %d frames", n.sent, n.forward+n.back)
		}
		n.now = max(n.now, at)
		for len(n.wire) > 0 && n.wire[0].at <= n.now && n.err == nil {
			n.arrive(heap.Pop(&n.wire).(*parcel))
			n.carrier()
		}
		n.carrier()
		n.timers()
	}
	return n.err
}
