package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// What k-port algorithms share: ports, steps of k messages, trees and digits
// in radix k+1, and parcels of blocks.

// stripeFrom is the length from which messages are taken to leave by all rails
// when Case.Stripe does not say: everything above 1 KB.
const stripeFrom = 1<<10 + 1

// ports are the k ports of a rank. Each has a rail of its own.
type ports struct {
	b      *plan.Builder
	rank   int
	k      int
	stripe int
	l      layout
	own    dealer
}

func newPorts(b *plan.Builder, c Case) *ports {
	p := &ports{b: b, rank: c.Rank, k: c.ports(), stripe: c.Stripe, l: c.layout()}
	if p.stripe == 0 {
		p.stripe = stripeFrom
	}
	p.own = p.dealer(c.Rank)
	return p
}

// dealer gives the ports of a rank, counted from 1, to its messages in turn.
// Those that stay on its node need none and get 0: dealt out to them as well,
// ports would be left idle where ranks of nodes alternate. The ranks of a node
// begin with different ports.
type dealer struct {
	node []int // by rank
	rank int
	k    int
	next int
}

func (p *ports) dealer(rank int) dealer {
	return dealer{node: p.l.node, rank: rank, k: p.k, next: p.l.local[rank]}
}

// port returns the port of the next message, which goes to or comes from peer.
func (d *dealer) port(peer int) int {
	if d.node[peer] == d.node[d.rank] {
		return 0
	}
	d.next++
	return (d.next-1)%d.k + 1
}

// send adds a message that leaves by the next port of this rank.
func (p *ports) send(peer int, src plan.Span, deps ...int) int {
	return p.sendBy(p.own.port(peer), peer, src, deps...)
}

// sendInto adds a message that comes in by the port that its receiver has for
// it, if it hears from these ranks in this order.
func (p *ports) sendInto(peer int, order []int, src plan.Span, deps ...int) int {
	return p.sendBy(p.dealt(peer, order)[slices.Index(order, p.rank)], peer, src, deps...)
}

// dealt returns the ports by which a rank talks to these, if it does so in this
// order.
func (p *ports) dealt(rank int, order []int) []int {
	d := p.dealer(rank)
	ports := make([]int, len(order))
	for i, peer := range order {
		ports[i] = d.port(peer)
	}
	return ports
}

// sendBy adds a message that leaves by a port. A message so long that the link
// cuts it over all rails is left to the link, and so is every message if there
// is one port only.
func (p *ports) sendBy(port, peer int, src plan.Span, deps ...int) int {
	if p.k > 1 && src.Len < p.stripe {
		p.b.Travel(plan.Auto, port)
		defer p.b.Travel(plan.Auto, 0)
	}
	return p.b.Send(peer, src, deps...)
}

// pace cuts a row of messages into steps of k: those of a step wait until those
// of the step before have ended.
type pace struct {
	b      *plan.Builder
	k      int
	before int   // the end of the step before
	now    []int // messages of this step
}

func (p *ports) pace() *pace { return &pace{b: p.b, k: p.k, before: plan.None} }

// turn begins a new step if message i of the row, counted from 0, is the first
// of one.
func (s *pace) turn(i int) {
	if i%s.k == 0 && len(s.now) > 0 {
		s.before, s.now = s.b.Gate(s.now...), nil
	}
}

// add notes a message of this step.
func (s *pace) add(step int) { s.now = append(s.now, step) }

// tree is the k-nomial tree over virtual ranks 0..ranks-1 with radix k+1: the
// parent of v is v without its lowest digit that is not 0, so that v and all
// below it are the ranks from v up to v+size(v)-1, without a gap. With radix 2
// it is the binomial tree.
type tree struct{ ranks, radix int }

// place returns what a 1 in the place of v's lowest digit counts, and the
// digit. v must not be 0.
func (t tree) place(v int) (one, digit int) {
	one = 1
	for v/one%t.radix == 0 {
		one *= t.radix
	}
	return one, v / one % t.radix
}

// size returns how many ranks the tree below and including v has.
func (t tree) size(v int) int {
	if v == 0 {
		return t.ranks
	}
	one, _ := t.place(v)
	return min(one, t.ranks-v)
}

// parent returns the rank above v, which must not be 0.
func (t tree) parent(v int) int {
	one, digit := t.place(v)
	return v - digit*one
}

// children returns the ranks right below v, nearest and smallest subtree first.
func (t tree) children(v int) (children []int) {
	top := t.ranks
	if v > 0 {
		top, _ = t.place(v)
	}
	for one := 1; one < top; one *= t.radix {
		for j := 1; j < t.radix && v+j*one < t.ranks; j++ {
			children = append(children, v+j*one)
		}
	}
	return children
}

// below returns the ranks right below v, counted from the root, as ranks.
func (t tree) below(v, root int) []int {
	ranks := t.children(v)
	for i, child := range ranks {
		ranks[i] = actual(child, root, t.ranks)
	}
	return ranks
}

// core is the largest power of the radix in a number of ranks, those of
// Standard Exchange. Its rank q stands for the ranks q, q+size, q+2*size, ...,
// of which there are at most as many as the radix.
type core struct{ ranks, radix, size int }

func newCore(ranks, radix int) core {
	e := core{ranks: ranks, radix: min(radix, ranks), size: 1}
	for e.size*e.radix <= ranks && e.radix > 1 {
		e.size *= e.radix
	}
	return e
}

// members returns how many ranks q stands for.
func (e core) members(q int) int { return (e.ranks - q + e.size - 1) / e.size }

// beyond returns the ranks that q stands for besides itself.
func (e core) beyond(q int) (ranks []int) {
	for rank := q + e.size; rank < e.ranks; rank += e.size {
		ranks = append(ranks, rank)
	}
	return ranks
}

// partner returns the rank that differs from q by j in the digit that counts
// one, and that digit of it.
func (e core) partner(q, one, j int) (rank, digit int) {
	own := q / one % e.radix
	digit = (own + j) % e.radix
	return q + (digit-own)*one, digit
}

// parcel is a piece of memory whose contents are there after a step.
type parcel struct {
	at    plan.Span
	since int
}

// pack copies parcels to dst, one behind the other, and returns the copies.
// Parcels that lie behind one another are copied in one go.
func pack(b *plan.Builder, dst plan.Span, parcels []parcel) (copied []int) {
	off := 0
	for i := 0; i < len(parcels); {
		run, deps := parcels[i].at, []int{parcels[i].since}
		for i++; i < len(parcels) && parcels[i].at.Buf == run.Buf && parcels[i].at.Off == run.End(); i++ {
			run.Len += parcels[i].at.Len
			deps = append(deps, parcels[i].since)
		}
		copied = append(copied, b.Copy(dst.Sub(off, run.Len), run, deps...))
		off += run.Len
	}
	return copied
}
