package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/weft-mpi/weft/internal/verbs"
)

var errTooLong = errors.New("sim: a datagram did not fit its receive")

// ErrBroken is why a connection fails that Break broke.
var ErrBroken = errors.New("sim: the connection was broken by a fault")

// Chance says how often datagrams suffer; probabilities lie between 0 and 1. Connections do not notice:
// their interfaces repeat what gets lost.
type Chance struct {
	Loss      float64
	Duplicate float64
	Reorder   float64 // held back by up to ReorderBy, so that others overtake
	ReorderBy int64   // nanoseconds, default 100 us
	Delay     int64   // nanoseconds added to every datagram
}

// faults is what goes wrong.
type faults struct {
	rnd    *rand.Rand
	chance Chance
	on     bool
}

func (x *faults) init(seed uint64) { x.rnd = rand.New(rand.NewPCG(seed, 0xfab)) }

// Datagrams has chance decide about datagrams from now on.
func (f *Fabric) Datagrams(c Chance) error {
	for _, p := range []float64{c.Loss, c.Duplicate, c.Reorder} {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("sim: a probability of %v; it must lie between 0 and 1", p)
		}
	}
	if c.Delay < 0 || c.ReorderBy < 0 {
		return errors.New("sim: datagrams cannot arrive earlier than they do")
	}
	if c.ReorderBy == 0 {
		c.ReorderBy = 100_000
	}
	f.faults.chance = c
	f.faults.on = c.Loss > 0 || c.Duplicate > 0 || c.Reorder > 0 || c.Delay > 0
	return nil
}

// datagram adds to the fate of a datagram.
func (x *faults) datagram(p *packet) {
	if !x.on {
		return
	}
	c := &x.chance
	if c.Loss > 0 && x.rnd.Float64() < c.Loss {
		p.fate.Drop = true
	}
	if c.Duplicate > 0 && x.rnd.Float64() < c.Duplicate {
		p.fate.Copies++
	}
	if c.Reorder > 0 && x.rnd.Float64() < c.Reorder {
		p.fate.Delay += 1 + x.rnd.Int64N(c.ReorderBy)
	}
	p.fate.Delay += c.Delay
}

// cannot tells that nothing passes between two interfaces now.
func (f *Fabric) cannot(a, b *port) bool {
	return b == nil || a.down || b.down || a.node.dead || b.node.dead
}

// unreachable is a piece that cannot pass. What is not reliable is lost; a reliable connection's interface
// tries again until the rail is back or its patience is over. It answers false if the step is kept.
func (f *Fabric) unreachable(st *step) bool {
	p := st.p
	if p.to == nil || p.loose {
		if st.last {
			p.from.p.d.counts.lost++
			f.free(p)
		}
		return true
	}
	f.expect(p.requester(), p.number)
	if p.dst.node.dead || p.src.node.dead {
		return true
	}
	where := p.dst
	if !where.down {
		where = p.src
	}
	p.from.p.d.counts.held++
	where.held = append(where.held, st)
	return false
}

// expect has a work request fail if no answer comes in time.
func (f *Fabric) expect(q *qp, number uint64) {
	if q.dead() {
		return
	}
	st := f.step(stepNoAnswer)
	st.q, st.epoch, st.number = q, q.epoch, number
	f.at(f.s.Now()+f.cost.retry.get(), st)
}

// hold keeps a flow whose interface is down.
func (p *port) hold(w *flow) {
	f := p.node.f
	w.busy, w.held = true, true
	if w.cur.to == nil { // a datagram is lost on a dead wire, but its sender does not know
		w.busy, w.held = false, false
		if w.capture(w.cur) {
			number := w.cur.number
			w.q.p.d.counts.lost++
			f.free(w.cur)
			w.q.ended(number, verbs.OK)
		}
		w.done(f.s.Now() + f.cost.connection.get())
		return
	}
	f.expect(w.cur.requester(), w.cur.number)
	p.stuck = append(p.stuck, w)
}

// port finds an interface.
func (f *Fabric) port(node, rail int) (*port, error) {
	n, err := f.node(node)
	if err != nil {
		return nil, err
	}
	if rail < 0 || rail >= len(n.ports) {
		return nil, fmt.Errorf("sim: rail %d of %d", rail, len(n.ports))
	}
	return n.ports[rail], nil
}

// RailDown takes a node's interface off the network, RailUp brings it back. Connected traffic waits
// meanwhile, and fails if that takes longer than the profile's retry_us; datagrams are lost.
func (f *Fabric) RailDown(node, rail int) error {
	p, err := f.port(node, rail)
	if err == nil {
		p.down = true
	}
	return err
}

// RailUp ends RailDown.
func (f *Fabric) RailUp(node, rail int) error {
	p, err := f.port(node, rail)
	if err != nil || !p.down {
		return err
	}
	p.down = false
	held, stuck := p.held, p.stuck
	p.held, p.stuck = nil, nil
	now := f.s.Now()
	for _, st := range held {
		st.end += now - st.start
		st.start = now
		f.at(now, st)
	}
	for _, w := range stuck {
		if w.held {
			w.busy, w.held = false, false
			w.kick(now)
		}
	}
	return nil
}

// Stall has a node's interface do nothing for d nanoseconds.
func (f *Fabric) Stall(node, rail int, d int64) error {
	p, err := f.port(node, rail)
	if err != nil {
		return err
	}
	until := f.s.Now() + max(d, 0)
	for _, s := range []*server{&p.engine, &p.bus, &p.dmaOut, &p.dmaIn, &p.out, &p.in} {
		s.free = max(s.free, until)
	}
	return nil
}

// Break breaks all connections between two nodes over a rail (negative: over all) and tells how many there
// were. Both ends see QPFatal.
func (f *Fabric) Break(a, b, rail int) int {
	n := 0
	if a < 0 || a >= len(f.nodes) {
		return 0
	}
	for _, d := range f.nodes[a].devs {
		for _, q := range append([]*qp(nil), d.qps...) {
			peer := q.peer
			if peer == nil || peer.p.d.node.index != b || rail >= 0 && q.port.rail != rail {
				continue
			}
			n++
			q.peer, peer.peer = nil, nil
			q.fail(ErrBroken)
			peer.fail(ErrBroken)
		}
	}
	return n
}

// Crash is the sudden end of a node: nothing leaves it any more, and what is for it gets no answer. The
// tasks that run on it are its user's to kill.
func (f *Fabric) Crash(node int) error {
	n, err := f.node(node)
	if err != nil || n.dead {
		return err
	}
	n.dead = true
	for _, d := range n.devs {
		for _, q := range d.qps {
			q.request.stop()
			q.answer.stop()
			if q.cfg.Type == verbs.UD && f.bound[q.addr] == q {
				delete(f.bound, q.addr)
			}
		}
		for _, l := range d.listen {
			delete(f.listeners, l.addr)
		}
		for _, c := range d.cqs {
			c.stir()
		}
	}
	return nil
}
