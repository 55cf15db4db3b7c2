package rank

import "github.com/weft-mpi/weft/mpi"

const tagPattern = 60

// pattern is an exchange of messages as programs make it: block k of out goes to to[k], with a tag
// of its own, and block k of in comes from from[k].
type pattern struct {
	g        *group
	size     int
	to, from []int
	out, in  []byte
	requests []mpi.Request // the receives, then the sends
}

func (g *group) pattern(size int, to, from []int) *pattern {
	n := len(to)
	return &pattern{g: g, size: size, to: to, from: from, out: alignedBytes(n * size), in: alignedBytes(n * size),
		requests: make([]mpi.Request, 2*n)}
}

func (g *group) isendIrecv(size int) operation {
	p := g.withPartner(size, 1)
	return p.operation(p.exchange)
}

// waitall8 has so many messages each way that a list of requests shows.
func (g *group) waitall8(size int) operation {
	p := g.withPartner(size, 8)
	return p.operation(p.exchange)
}

func (g *group) halo2d(size int) operation {
	p := g.onGrid(size, 2)
	return p.operation(p.exchange)
}

func (g *group) halo3d(size int) operation {
	p := g.onGrid(size, 3)
	return p.operation(p.exchange)
}

func (g *group) cart2d(size int) operation { return g.neighbors(size, 2) }
func (g *group) cart3d(size int) operation { return g.neighbors(size, 3) }

// neighbors exchanges blocks with the neighbours in a Cartesian grid, which has the places of onGrid.
func (g *group) neighbors(size, dimensions int) operation {
	if g.grid == nil {
		var sizes []int
		places := 1
		for left := dimensions; left > 0; left-- {
			sizes = append([]int{width(g.ranks/places, left)}, sizes...)
			places *= sizes[0]
		}
		periodic := make([]bool, dimensions)
		for d := range periodic {
			periodic[d] = true
		}
		grid, err := g.world.Cart(sizes, periodic, false)
		if err != nil {
			return operation{fill: func(int) {}, call: func() error { return err }, right: func(int) bool { return false }}
		}
		g.grid = grid
	}
	from, to := g.grid.Neighbors()
	p := g.pattern(size, to, from)
	o := p.operation(func() error { return mpi.NeighborAlltoall(g.grid.Comm, p.out, p.in) })
	o.right = func(round int) bool {
		for k, from := range p.from { // what goes below comes from above
			if !hasBytes(p.in[k*size:][:size], from, (k^1)*size, round) {
				return false
			}
		}
		return true
	}
	return o
}

func (g *group) testLoop(size int) operation {
	p := g.withPartner(size, 1)
	return p.operation(func() error {
		p.start()
		return p.test()
	})
}

func (g *group) persistentPair(size int) operation {
	p := g.withPartner(size, 1)
	p.requests[0] = mpi.RecvInit(g.world, p.in, p.from[0], tagPattern)
	p.requests[1] = mpi.SendInit(g.world, p.out, p.to[0], tagPattern)
	return p.operation(func() error {
		if err := mpi.Start(p.requests...); err != nil {
			return err
		}
		return mpi.Waitall(p.requests)
	})
}

// self sends to this rank itself.
func (g *group) self(size int) operation {
	p := g.pattern(size, []int{g.rank}, []int{g.rank})
	return p.operation(func() error {
		got := mpi.Irecv(g.world, p.in, g.rank, tagPattern)
		if err := mpi.Send(g.world, p.out, g.rank, tagPattern); err != nil {
			return err
		}
		_, err := got.Wait()
		return err
	})
}

// withPartner exchanges so many messages with the rank that half of all ranks are away from.
func (g *group) withPartner(size, messages int) *pattern {
	others := equal((g.rank+g.ranks/2)%g.ranks, messages)
	return g.pattern(size, others, others)
}

// onGrid exchanges with both neighbours in every dimension of a periodic grid. Where that is one
// rank wide, the neighbour is the rank itself.
func (g *group) onGrid(size, dimensions int) *pattern {
	var to, from []int
	stride := 1
	for left := dimensions; left > 0; left-- {
		wide := width(g.ranks/stride, left)
		at := g.rank / stride % wide
		up := g.rank + ((at+1)%wide-at)*stride
		down := g.rank + ((at+wide-1)%wide-at)*stride
		to, from = append(to, up, down), append(from, down, up)
		stride *= wide
	}
	return g.pattern(size, to, from)
}

// width is the widest that the first of so many dimensions of a grid of so many ranks can be
// without being wider than the others.
func width(ranks, dimensions int) int {
	if dimensions == 1 {
		return ranks
	}
	best := 1
	for w := 2; power(w, dimensions) <= ranks; w++ {
		if ranks%w == 0 {
			best = w
		}
	}
	return best
}

func power(base, exponent int) int {
	v := 1
	for range exponent {
		v *= base
	}
	return v
}

// operation is the pattern by that call.
func (p *pattern) operation(call func() error) operation {
	o := p.g.blocks(p.out, p.in)
	o.call = call
	o.right = func(round int) bool {
		for k, from := range p.from {
			if at := k * p.size; !hasBytes(p.in[at:][:p.size], from, at, round) {
				return false
			}
		}
		return true
	}
	return o
}

// start posts all receives, then all sends.
func (p *pattern) start() {
	n := len(p.to)
	for k, from := range p.from {
		p.requests[k] = mpi.Irecv(p.g.world, p.in[k*p.size:][:p.size], from, tagPattern+k)
	}
	for k, to := range p.to {
		p.requests[n+k] = mpi.Isend(p.g.world, p.out[k*p.size:][:p.size], to, tagPattern+k)
	}
}

func (p *pattern) exchange() error {
	p.start()
	return mpi.Waitall(p.requests)
}

// test asks for each request in turn until it is done.
func (p *pattern) test() error {
	for _, r := range p.requests {
		for done := false; !done; {
			var err error
			if _, done, err = r.Test(); err != nil {
				return err
			}
		}
	}
	return nil
}
