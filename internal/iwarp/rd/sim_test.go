package rd

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// The simulated network: hosts that follow the caller's loop of the package comment, and a network in virtual time
// that loses, repeats, delays and reorders. Every datagram carries a number that rises in the order of sending, so
// that a receiver sees at once what is repeated or out of order.

// weather is what the network does to datagrams.
type weather struct {
	loss     [2]float64 // by sender
	repeat   float64
	stray    float64 // repeats that arrive seconds later
	slow     float64 // datagrams overtaken by others
	delay    int64
	blackout []span // nothing passes
}

type span struct{ from, to int64 }

// load is what the hosts do.
type load struct {
	datagrams int // to be sent by each host
	message   int // datagrams per message
	pause     int64
	poolFull  float64 // chance that a segment ahead cannot be kept
	keep      float64 // chance that a refused segment is kept
	starve    float64 // chance that no receive is posted for a while
	restart   []int64 // times at which host 1 loses its memory
}

type flight struct {
	at   int64
	seq  int
	from int
	wire []byte
	id   uint64
}

type flights []flight

func (f flights) Len() int { return len(f) }
func (f flights) Less(i, j int) bool {
	return f[i].at < f[j].at || f[i].at == f[j].at && f[i].seq < f[j].seq
}
func (f flights) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flights) Push(x any)   { *f = append(*f, x.(flight)) }
func (f *flights) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// conversation is what a host keeps for its peer.
type conversation struct {
	flying []uint64          // in order of PSN
	kept   map[uint32]uint64 // by PSN
}

type host struct {
	sim       *simulation
	self      int
	table     *Table[int, conversation]
	queue     []uint64 // to be sent
	nextSend  int64    // when the program posts more
	posted    int
	hungryTil int64 // no receive is posted before
	log       []uint64
	failures  int
	lives     int
}

type simulation struct {
	weather
	load
	cfg       Config
	now       int64
	seq       int
	random    *rand.Rand
	air       flights
	hosts     [2]*host
	delivered [2]map[uint64]bool // to that host, in any of its lives
	completed [2]map[uint64]bool // by that host
	failed    [2]map[uint64]bool
	fault     error
	sent      int
}

func newSimulation(w weather, l load, cfg Config, seed uint64) *simulation {
	s := &simulation{weather: w, load: l, cfg: cfg, now: second, random: rand.New(rand.NewPCG(seed, 1))}
	for i := range s.hosts {
		s.delivered[i], s.completed[i], s.failed[i] = map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
		s.hosts[i] = &host{sim: s, self: i}
		s.hosts[i].boot()
	}
	return s
}

func (s *simulation) wrong(format string, args ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf("at %d us: %s", s.now/microsecond, fmt.Sprintf(format, args...))
	}
}

func (s *simulation) chance(p float64) bool { return s.random.Float64() < p }

// boot gives the host a new life without memory. No datagram outlives its host in an epoch that the peer has never
// heard: epochs of different lives have no order, so the protocol cannot tell which of them is the latest.
func (h *host) boot() {
	h.sim.air = slices.DeleteFunc(h.sim.air, func(f flight) bool {
		var s iwarp.Shim
		iwarp.ParseShim(f.wire, &s)
		p := h.sim.hosts[1-h.self].table.Get(h.self)
		return f.from == h.self && s.Start && (p == nil || p.PeerEpoch() != s.Epoch)
	})
	heap.Init(&h.sim.air)
	h.lives++ // chance would give two lives the same epoch once in 65536
	table, err := NewTable[int, conversation](h.sim.cfg, uint16(h.sim.random.Uint32())&0xff|uint16(h.lives)<<8)
	if err != nil {
		panic(err)
	}
	if h.table != nil {
		if p := h.table.Get(1 - h.self); p != nil {
			h.giveUp(p)
		}
	}
	h.table, h.log = table, nil
}

// transmit hands a datagram to the network.
func (h *host) transmit(shim *iwarp.Shim, id uint64) {
	s := h.sim
	s.sent++
	wire := shim.Append(nil)
	copies := 1
	if s.chance(s.repeat) {
		copies++
	}
	for range copies {
		if !s.chance(s.loss[h.self]) && !s.dark() {
			delay := s.delay
			if s.chance(s.slow) {
				delay += s.random.Int64N(8 * s.delay)
			}
			s.put(delay, h.self, wire, id)
		}
	}
	if s.chance(s.stray) {
		s.put(s.random.Int64N(25*second), h.self, wire, id)
	}
}

func (s *simulation) put(delay int64, from int, wire []byte, id uint64) {
	s.seq++
	heap.Push(&s.air, flight{s.now + delay, s.seq, from, wire, id})
}

func (s *simulation) dark() bool {
	for _, b := range s.blackout {
		if s.now >= b.from && s.now < b.to {
			return true
		}
	}
	return false
}

// arrive is the device's half of Table.Arrive.
func (h *host) arrive(f flight) {
	now, key := h.sim.now, f.from
	var shim iwarp.Shim
	if _, ok := iwarp.ParseShim(f.wire, &shim); !ok {
		h.sim.wrong("a shim that we made cannot be read")
	}
	p, out := h.table.Arrive(now, key, &shim)
	if out.Unknown {
		var answer iwarp.Shim
		h.table.FillReset(&answer, &shim)
		h.transmit(&answer, 0)
	}
	if p == nil {
		return
	}
	if out.Reset {
		h.giveUp(p)
	}
	h.complete(p, int(out.Acked))
	if out.NewEpoch || p.Value.kept == nil {
		p.Value.kept = map[uint32]uint64{}
	}
	switch out.Verdict {
	case InOrder:
		h.take(p, shim.PSN, f.id)
	case Ahead:
		if !h.sim.chance(h.sim.poolFull) {
			if _, twice := p.Value.kept[shim.PSN]; twice {
				h.sim.wrong("PSN %d is ahead though it is held", shim.PSN)
			}
			p.Value.kept[shim.PSN] = f.id
			p.Hold(shim.PSN)
		}
	}
	h.pump(p)
}

// take delivers the segment expected and those held after it, or refuses.
func (h *host) take(p *Peer[int, conversation], psn uint32, id uint64) {
	for {
		if h.sim.now < h.hungryTil {
			p.Refuse(h.sim.now, uint8(h.sim.random.IntN(6)))
			_, kept := p.Value.kept[psn]
			if kept || h.sim.chance(h.sim.keep) {
				p.Value.kept[psn] = id
				p.Hold(psn)
			}
			return
		}
		h.deliver(id)
		delete(p.Value.kept, psn)
		next, held := p.Advance(h.sim.now)
		var ok bool
		psn = next
		if id, ok = p.Value.kept[psn]; ok != held {
			h.sim.wrong("PSN %d: flow says held %v, device %v", psn, held, ok)
		}
		if !held {
			return
		}
	}
}

func (h *host) deliver(id uint64) {
	if n := len(h.log); n > 0 && h.log[n-1] >= id {
		h.sim.wrong("host %d got %d after %d", h.self, id, h.log[n-1])
	}
	h.log = append(h.log, id)
	h.sim.delivered[h.self][id] = true
	if h.sim.chance(h.sim.starve) {
		h.hungryTil = h.sim.now + h.sim.random.Int64N(20*millisecond)
	}
}

// feed posts receives again after a time without.
func (h *host) feed() {
	h.hungryTil = 0
	for p := range h.table.Peers() {
		if !p.Refusing() {
			continue
		}
		if id, ok := p.Value.kept[p.in.expect]; ok {
			h.take(p, p.in.expect, id)
		} else {
			p.Ready(h.sim.now)
		}
		h.pump(p)
	}
}

func (h *host) complete(p *Peer[int, conversation], n int) {
	if n > len(p.Value.flying) {
		h.sim.wrong("%d acknowledged, %d in flight", n, len(p.Value.flying))
		return
	}
	for _, id := range p.Value.flying[:n] {
		if !h.sim.delivered[1-h.self][id] {
			h.sim.wrong("%d completed but was not delivered", id)
		}
		h.sim.completed[h.self][id] = true
	}
	p.Value.flying = p.Value.flying[n:]
}

func (h *host) giveUp(p *Peer[int, conversation]) {
	h.failures++
	for _, id := range p.Value.flying {
		h.sim.failed[h.self][id] = true
	}
	p.Value.flying = nil
}

// pump is the sending part of the caller's loop.
func (h *host) pump(p *Peer[int, conversation]) {
	now := h.sim.now
	var shim iwarp.Shim
	for psn, ok := p.Resend(now); ok; psn, ok = p.Resend(now) {
		p.Fill(&shim, psn, false)
		h.transmit(&shim, p.Value.flying[psn-p.Una()])
	}
	for p.Room() > 0 && len(h.queue) > 0 {
		id := h.queue[0]
		h.queue = h.queue[1:]
		psn, _ := p.Send(now, int(id-1)%max(1, h.sim.message) == 0)
		p.Value.flying = append(p.Value.flying, id)
		p.Fill(&shim, psn, len(h.queue) == 0)
		h.transmit(&shim, id)
	}
	if p.AckDue(now) {
		p.FillAck(&shim)
		h.transmit(&shim, 0)
	}
	if err := p.check(); err != nil {
		h.sim.wrong("%v", err)
	}
}

func (h *host) expire() {
	for p, what := h.table.Expire(h.sim.now); p != nil; p, what = h.table.Expire(h.sim.now) {
		if what.Failed {
			h.giveUp(p)
		}
		if what.Forgotten {
			if len(p.Value.flying) > 0 {
				h.sim.wrong("forgot a flow in use")
			}
			continue
		}
		h.pump(p)
	}
}

// post lets the program send its next message.
func (h *host) post() {
	for n := 0; n < max(1, h.sim.message) && h.posted < h.sim.datagrams; n++ {
		h.posted++
		h.queue = append(h.queue, uint64(h.posted))
	}
	h.nextSend = h.sim.now + h.sim.random.Int64N(h.sim.pause+1)
	if p := h.table.Open(h.sim.now, 1-h.self); p != nil {
		h.pump(p)
	}
}

// done tells whether all that was posted is completed or failed.
func (s *simulation) done() bool {
	for _, h := range s.hosts {
		if h.posted < s.datagrams || len(h.queue) > 0 {
			return false
		}
		if p := h.table.Get(1 - h.self); p != nil && p.InFlight() > 0 {
			return false
		}
	}
	return true
}

// run lets time pass until all is done, then until all is forgotten; it gives the time until the former.
func (s *simulation) run(limit int64) (took int64) {
	start := s.now
	for s.fault == nil && !s.done() {
		s.step()
		if s.now-start > limit {
			s.wrong("no end: %d and %d posted, %d and %d queued", s.hosts[0].posted, s.hosts[1].posted,
				len(s.hosts[0].queue), len(s.hosts[1].queue))
		}
	}
	took = s.now - start
	for s.fault == nil && (len(s.air) > 0 || s.hosts[0].table.Len()+s.hosts[1].table.Len() > 0) {
		s.step()
		if s.now-start-took > 200*second {
			s.wrong("flows are never forgotten")
		}
	}
	return took
}

// step goes to the next time at which something happens and lets it happen.
func (s *simulation) step() {
	at := never
	earlier := func(t int64) { at = min(at, max(t, s.now)) }
	if len(s.air) > 0 {
		earlier(s.air[0].at)
	}
	for _, h := range s.hosts {
		if d := h.table.Deadline(); d != 0 {
			earlier(d)
		}
		if h.posted < s.datagrams {
			earlier(h.nextSend)
		}
		if h.hungryTil != 0 {
			earlier(h.hungryTil)
		}
	}
	if len(s.restart) > 0 {
		earlier(s.restart[0])
	}
	if at == never {
		s.wrong("nothing will ever happen")
		return
	}
	s.now = at
	if len(s.restart) > 0 && s.restart[0] <= s.now {
		s.restart = s.restart[1:]
		s.hosts[1].boot()
		s.hosts[1].pump(s.hosts[1].table.Open(s.now, 0))
	}
	for len(s.air) > 0 && s.air[0].at <= s.now {
		f := heap.Pop(&s.air).(flight)
		s.hosts[1-f.from].arrive(f)
	}
	for _, h := range s.hosts {
		if h.hungryTil != 0 && h.hungryTil <= s.now {
			h.feed()
		}
		if h.posted < s.datagrams && h.nextSend <= s.now {
			h.post()
		}
		h.expire()
	}
}

// check compares the flow's counters with what they count.
func (f *Flow) check() error {
	if b := f.out.board; b != nil {
		held, gone := 0, 0
		for i := range uint32(b.count) {
			switch state := b.at(b.una + i).state; {
			case state&sacked != 0 && state&lost != 0:
				return fmt.Errorf("PSN %d is held and lost", b.una+i)
			case state&sacked != 0:
				held++
			case state&lost != 0:
				gone++
			}
		}
		if held != b.sacked || gone != b.lost || b.una+uint32(b.count) != f.out.next {
			return fmt.Errorf("scoreboard counts %d held %d lost of %d, has %d and %d", b.sacked, b.lost, b.count, held, gone)
		}
		if (b.count == 0) != (f.out.timer == never) {
			return fmt.Errorf("%d in flight, timer %d", b.count, f.out.timer)
		}
	}
	if f.wakeAt > f.Deadline() {
		return fmt.Errorf("alarm at %d is after the deadline %d", f.wakeAt, f.Deadline())
	}
	return nil
}
