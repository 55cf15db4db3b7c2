package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/exchange: Standard Exchange with k ports. In the step of a digit
// (ranks written in radix k+1) a rank exchanges with each of the k ranks that
// differ in that digit all the blocks whose destination has that rank's digit.
// If p is no power of k+1, the ranks beyond the largest power M in p first hand
// all their blocks to the rank that is the same modulo M, and get theirs from
// it in the end: these are the correction steps. With one port and a power of
// two it is the hypercube algorithm.
//
// Steps: with r = k+1, logr p rounds, or up to floor(logr p)+2. Cost: logr(p)(a +
// p/r*nb), and k times as many copies; the correction adds 2a + 2pnb and makes
// messages up to r*r times as long. Limits: none; scratch of 2 logr(p)*pn. Wins
// for short blocks on a power of r ranks. Source: Qian, "Design and evaluation
// of efficient collective communications on modern interconnects and
// multi-core clusters", 2010; the correction is ours.
func alltoallExchange(b *plan.Builder, c Case) {
	ports := newPorts(b, c)
	e := newCore(c.Ranks, ports.k+1)
	if c.Rank >= e.size {
		e.delegate(ports, c)
		return
	}
	x := exchange{core: e, c: c, ports: ports, me: c.Rank, saved: plan.None}
	x.load()
	for one := 1; one < e.size; one *= e.radix {
		for j := 1; j < e.radix; j++ {
			x.trade(one, j)
		}
	}
	x.deliver()
}

// delegate is the part of a rank beyond the core: it hands over everything it
// has and is given everything it is to get.
func (e core) delegate(p *ports, c Case) {
	all := plan.Span{Buf: plan.In, Len: c.Ranks * c.Bytes}
	if c.inPlace() {
		all.Buf = plan.Out
	}
	proxy := c.Rank % e.size
	sent := p.sendInto(proxy, e.beyond(proxy), all)
	p.b.Recv(proxy, plan.Span{Buf: plan.Out, Len: all.Len}, sent)
}

// exchange is the part of a rank of the core. It holds a lot for each rank of
// the core: after the steps of some digits, lot i holds the blocks from source
// to destination, where the source has the digits done from i and the others
// from this rank, and the destination the other way round. Blocks in a lot are
// sorted by the member of the source, then of the destination.
type exchange struct {
	core
	c     Case
	ports *ports
	me    int
	lots  [][]parcel
	saved int // the step after which Out may be written
}

// load puts the blocks of all ranks that this one stands for into the lots of
// their destinations.
func (x *exchange) load() {
	b, c := x.ports.b, x.c
	own := blocksToSend(b, c)
	x.saved = b.Gate(own.copied...)
	x.lots = make([][]parcel, x.size)
	for i := range x.members(x.me) {
		var theirs plan.Span
		since := plan.None
		if i > 0 {
			theirs = b.Tmp(c.Ranks * c.Bytes)
			since = b.Recv(x.me+i*x.size, theirs)
		}
		for to := range c.Ranks {
			p := parcel{own.block[to], own.copied[to]}
			if i > 0 {
				p = parcel{theirs.Sub(to*c.Bytes, c.Bytes), since}
			}
			x.lots[to%x.size] = append(x.lots[to%x.size], p)
		}
	}
}

// trade exchanges lots with the partner that differs by j in the digit that
// counts one.
func (x *exchange) trade(one, j int) {
	b, bytes := x.ports.b, x.c.Bytes
	peer, digit := x.partner(x.me, one, j)
	done := one * x.radix
	var leaves []parcel
	var blocks []int // that come for each lot
	leaving, arriving := 0, 0
	for i := range x.size {
		if i/one%x.radix != digit {
			continue
		}
		leaves = append(leaves, x.lots[i]...)
		leaving += len(x.lots[i])
		source, dest := i%done+x.me/done*done, x.me%done+i/done*done
		blocks = append(blocks, x.members(source)*x.members(dest))
		arriving += blocks[len(blocks)-1]
	}
	out, in := b.Tmp(leaving*bytes), b.Tmp(arriving*bytes)
	x.ports.send(peer, out, pack(b, out, leaves)...)
	got := b.Recv(peer, in)
	at := 0
	for i := range x.size {
		if i/one%x.radix != digit {
			continue
		}
		x.lots[i] = x.lots[i][:0:0]
		for range blocks[0] {
			x.lots[i] = append(x.lots[i], parcel{in.Sub(at*bytes, bytes), got})
			at++
		}
		blocks = blocks[1:]
	}
}

// deliver copies the own blocks to Out and sends those of the ranks this one
// stands for to them.
func (x *exchange) deliver() {
	b, c := x.ports.b, x.c
	mine := x.members(x.me)
	for i := range mine {
		var theirs []parcel
		for from := range c.Ranks {
			p := x.lots[from%x.size][from/x.size*mine+i]
			switch {
			case i > 0:
				theirs = append(theirs, p)
			case from != c.Rank || !c.inPlace():
				b.Copy(c.recvBlock(from), p.at, p.since, x.saved)
			}
		}
		if i > 0 {
			out := b.Tmp(c.Ranks * c.Bytes)
			x.ports.send(x.me+i*x.size, out, pack(b, out, theirs)...)
		}
	}
}
