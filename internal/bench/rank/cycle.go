package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// cycle runs the tests in which every rank goes through the same steps: data exchange with neighbours, and crossing.
type cycle struct {
	world     *mpi.Comm
	test      bench.Test
	to, from  []int // neighbours; what is sent to to[k] travels with tag k and comes from from[k]
	data      []byte
	out, in   [][]byte
	sent, got []mpi.Request
	worker    *worker
	mine, all []float64
}

const tagNeighbour = 20

func (m *meter) useCycle() {
	c := newCycle(m.world, m.c)
	m.batch = c.exchange
	if m.c.Test.Neighbours == 0 {
		m.batch = c.crossing
		return
	}
	m.prepare = c.prepare
}

func newCycle(world *mpi.Comm, k bench.Case) *cycle {
	rank, size, bytes := world.Rank(), world.Size(), largest(k.Steps)
	c := &cycle{world: world, test: k.Test, data: alignedBytes(bytes), mine: make([]float64, 1), all: make([]float64, 1)}
	if k.Test.Neighbours == 2 {
		right, left := (rank+1)%size, (rank+size-1)%size
		c.to, c.from = []int{right, left}, []int{left, right}
	} else {
		c.to, c.from = []int{rank ^ 1}, []int{rank ^ 1}
	}
	for range c.to {
		c.out, c.in = append(c.out, alignedBytes(bytes)), append(c.in, alignedBytes(bytes))
	}
	c.sent, c.got = make([]mpi.Request, len(c.to)), make([]mpi.Request, len(c.to))
	if k.Test.Neighbours > 0 {
		c.worker = newWorker()
	}
	return c
}

// prepare settles the computation of a step when the starter left it to the ranks: all take the mean of what an
// iteration without computation takes them.
func (c *cycle) prepare(s bench.Step) (bench.Step, error) {
	if s.Work > 0 || s.Share == 0 {
		return s, nil
	}
	spent, err := c.exchange(s, s.Warmup+s.Iterations) // s.Work is 0
	if err != nil {
		return s, err
	}
	c.mine[0] = spent
	if err := mpi.Allreduce(c.world, c.mine, c.all, mpi.Sum); err != nil {
		return s, err
	}
	communication := c.all[0] * 1e6 / float64(c.world.Size()*(s.Warmup+s.Iterations))
	s.Work = bench.ExchangeWork(communication, s.Share)
	return s, nil
}

// exchange produces, exchanges and consumes data; producing and consuming take half of s.Work each. Model 1 receives
// before it packs and sends. Model 2 sends first and consumes what came in the iteration before while that travels.
func (c *cycle) exchange(s bench.Step, iterations int) (float64, error) {
	half := float64(s.Work) / 2e3
	start := mpi.Wtime()
	for i := range iterations {
		if c.test.Model == 1 {
			c.receive(s.Size)
			c.send(s.Size)
		} else {
			c.send(s.Size)
			if i > 0 {
				c.worker.compute(half)
			}
			c.receive(s.Size)
		}
		c.worker.compute(half) // produces what the next iteration sends
		if err := c.wait(); err != nil {
			return 0, err
		}
		if c.test.Model == 1 || i == iterations-1 {
			c.worker.compute(half)
		}
	}
	return mpi.Wtime() - start, nil
}

// crossing sends and receives at once on both sides: an offer that a receive makes early meets the other's request
// on its way, and is of no use.
func (c *cycle) crossing(s bench.Step, iterations int) (float64, error) {
	start := mpi.Wtime()
	for range iterations {
		c.got[0] = mpi.Irecv(c.world, c.in[0][:s.Size], c.from[0], tagNeighbour)
		c.sent[0] = mpi.Isend(c.world, c.out[0][:s.Size], c.to[0], tagNeighbour)
		if err := c.wait(); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

func (c *cycle) receive(size int) {
	for k, from := range c.from {
		c.got[k] = mpi.Irecv(c.world, c.in[k][:size], from, tagNeighbour+k)
	}
}

// send packs the data for each neighbour and starts to send it.
func (c *cycle) send(size int) {
	for k, to := range c.to {
		copy(c.out[k][:size], c.data)
		c.sent[k] = mpi.Isend(c.world, c.out[k][:size], to, tagNeighbour+k)
	}
}

func (c *cycle) wait() error {
	if err := mpi.Waitall(c.sent); err != nil {
		return err
	}
	return mpi.Waitall(c.got)
}
