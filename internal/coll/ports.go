package coll

import "github.com/weft-mpi/weft/internal/plan"

// What k-port algorithms share: ports, steps of k messages, trees and digits
// in radix k+1, and parcels of blocks.

// stripeFrom is the length from which messages are taken to leave by all rails
// when Case.Stripe does not say: everything above 1 KB.
const stripeFrom = 1<<10 + 1

// ports are the k ports of a rank. Each has a rail of its own.
type ports struct {
	b      *plan.Builder
	k      int
	stripe int
}

func newPorts(b *plan.Builder, c Case) ports {
	p := ports{b: b, k: c.ports(), stripe: c.Stripe}
	if p.stripe == 0 {
		p.stripe = stripeFrom
	}
	return p
}

// send adds a message that leaves by port j, counted from 1. A message so long
// that the link cuts it over all rails is left to the link, and so is every
// message if there is one port only.
func (p ports) send(j, peer int, src plan.Span, deps ...int) int {
	if p.k > 1 && src.Len < p.stripe {
		p.b.Travel(plan.Auto, j)
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

func (p ports) pace() *pace { return &pace{b: p.b, k: p.k, before: plan.None} }

// port returns the port of message i of the row, counted from 0. With port 1 a
// new step begins.
func (s *pace) port(i int) int {
	if i%s.k == 0 && len(s.now) > 0 {
		s.before, s.now = s.b.Gate(s.now...), nil
	}
	return i%s.k + 1
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

// port returns the port by which v, which must not be 0, and its parent talk.
func (t tree) port(v int) int {
	_, digit := t.place(v)
	return digit
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
