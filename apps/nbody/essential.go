package nbody

import (
	"math"

	"github.com/weft-mpi/weft/apps/meter"
)

// tops is how many cells at the top of its tree a rank tells everybody of: their masses, and where their bodies are.
const tops = 16

type (
	top   [tops]point
	edges [tops]box
)

// attract finds the forces on all bodies, and their potential.
func (c *cluster) attract() error {
	own := make([]point, len(c.bodies))
	around := []box{empty()}
	c.Work(0, func() {
		for i, b := range c.bodies {
			own[i] = point{b.at, b.mass}
			around[0].take(b.at)
		}
		c.tree = new(tree)
		c.tree.plant(own)
	})
	if err := meter.Allgather(c.Comm, around, c.boxes); err != nil {
		return err
	}
	mine, outline := make([]top, 1), make([]edges, 1)
	c.Work(0, func() { mine[0], outline[0] = c.tree.top() })
	if err := meter.Allgather(c.Comm, mine, c.heaviest); err != nil {
		return err
	}
	if err := meter.Allgather(c.Comm, outline, c.outlines); err != nil {
		return err
	}
	others, err := c.swap(c.essential)
	if err != nil {
		return err
	}
	pairs := assumedPairs(len(c.bodies) * c.Comm.Size())
	c.Work(pairs*float64(len(c.bodies)), func() {
		c.tree.plant(append(own, others...))
		c.mine = energy{}
		c.pull = sized(c.pull, len(c.bodies))
		for i := range c.bodies {
			b := &c.bodies[i]
			force, potential, n := c.tree.pull(b.at)
			c.pull[i] = force
			c.mine.potential += b.mass / 2 * (potential + b.mass/softening)
			c.mine.pairs += float64(n)
		}
	})
	return nil
}

// assumedPairs is how many pairs a body has in a step where they are not counted: about what runs of
// classes S to A count.
func assumedPairs(bodies int) float64 { return 225*math.Log2(float64(bodies)) - 1750 }

// top is the topmost cells of the tree: of those that are cut the largest is opened as long as there is room.
func (t *tree) top() (masses top, outlines edges) {
	list := []int32{0}
	for {
		best := -1
		for i, n := range list {
			if t.cells[n].cut && (best < 0 || t.cells[n].size > t.cells[list[best]].size) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		opened := append(list[:best:best], list[best+1:]...)
		for _, part := range t.cells[list[best]].parts {
			if part > 0 {
				opened = append(opened, part)
			}
		}
		if len(opened) > tops {
			break
		}
		list = opened
	}
	for i := range outlines {
		outlines[i] = empty()
	}
	for i, n := range list {
		c := &t.cells[n]
		masses[i] = c.point
		for _, p := range t.points[c.low:c.high] {
			outlines[i].take(p.at)
		}
	}
	return masses, outlines
}

// isFar tells whether rank a is so far from b that the topmost cells of its tree are all that b needs of it. Both find
// the same.
func (c *cluster) isFar(a, b int) bool {
	for i, p := range c.heaviest[a] {
		if p.mass > 0 && !c.far(p.at, c.outlines[a][i].opened(p.at), b) {
			return false
		}
	}
	return true
}

// far tells whether what is at a place counts as one body for all bodies of a rank: these are further away, squared.
func (c *cluster) far(at vec, opened float64, rank int) bool {
	if c.boxes[rank].away(at) > opened {
		return true
	}
	for i := range c.outlines[rank] {
		if c.outlines[rank][i].away(at) <= opened {
			return false
		}
	}
	return true
}

// essential is what a rank needs of the tree, nothing if it knows that already.
func (c *cluster) essential(rank int) []point {
	if c.Instead != nil {
		c.out = sized(c.out, assumedEssential(len(c.bodies)))
		return c.out
	}
	c.out = c.out[:0]
	if c.isFar(c.Comm.Rank(), rank) {
		return nil
	}
	c.gather(&c.tree.cells[0], rank)
	return c.out
}

// assumedEssential is how many points of so many bodies another rank needs in the mean, where they are not looked at.
func assumedEssential(bodies int) int { return int(8 * math.Sqrt(float64(bodies))) }

// gather adds what a rank needs of a cell.
func (c *cluster) gather(from *cell, rank int) {
	switch {
	case from.mass == 0:
	case c.far(from.at, from.opened, rank):
		c.out = append(c.out, from.point)
	case !from.cut:
		c.out = append(c.out, c.tree.points[from.low:from.high]...)
	default:
		for _, part := range from.parts {
			if part > 0 {
				c.gather(&c.tree.cells[part], rank)
			}
		}
	}
}

// swap gives every other rank what is for it, and returns what has come from all. Who gives nothing has told enough.
func (c *cluster) swap(what func(rank int) []point) (all []point, err error) {
	for i := 1; i < c.Comm.Size(); i++ {
		peer := c.Comm.Rank() ^ i
		out := what(peer)
		gives, gets := []int{len(out)}, []int{0}
		if err := meter.Exchange(c.Comm, gives, gets, peer, tagLength); err != nil {
			return nil, err
		}
		if c.Instead != nil {
			gets[0] = len(out)
		}
		c.in = sized(c.in, gets[0])
		if err := exchange(c, out, c.in, peer); err != nil {
			return nil, err
		}
		if len(c.in) == 0 {
			c.in = c.known(peer)
		}
		all = append(all, c.in...)
	}
	return all, nil
}

// known is what a rank has told everybody of its tree.
func (c *cluster) known(rank int) (points []point) {
	for _, p := range c.heaviest[rank] {
		if p.mass > 0 {
			points = append(points, p)
		}
	}
	return points
}
