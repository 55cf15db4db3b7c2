package measure

import (
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Model is one of the two programs of data exchange between neighbours.
type Model struct {
	Number     int // 1 or 2
	Neighbours int // 1: pairs, 2: a ring
}

// Exchange returns the microseconds of one iteration in which every rank produces data, exchanges it with its
// neighbours and consumes what came; producing and consuming take half of work each. Model 1 receives, packs, sends,
// produces for the next iteration, waits and consumes. Model 2 packs and sends, consumes what came last while that
// travels, receives, produces and waits. The value is the mean over the ranks.
func Exchange(k *Rank, m Model, size int, work time.Duration, l Loops) (float64, error) {
	x := newExchange(k, m, size)
	each, err := k.timed(l, func(n int) error {
		for i := range n {
			if err := x.iterate(work/2, i == 0, i == n-1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return k.mean(each)
}

type exchange struct {
	k         *Rank
	m         Model
	to, from  []int
	data      []byte
	out, in   [][]byte
	sent, got []mpi.Request
}

func newExchange(k *Rank, m Model, size int) *exchange {
	rank, ranks := k.World.Rank(), k.World.Size()
	x := &exchange{k: k, m: m, data: buffer(size), to: []int{rank ^ 1}, from: []int{rank ^ 1}}
	if m.Neighbours == 2 {
		right, left := (rank+1)%ranks, (rank+ranks-1)%ranks
		x.to, x.from = []int{right, left}, []int{left, right}
	}
	for range x.to {
		x.out, x.in = append(x.out, buffer(size)), append(x.in, buffer(size))
	}
	x.sent, x.got = make([]mpi.Request, len(x.to)), make([]mpi.Request, len(x.to))
	return x
}

func (x *exchange) iterate(half time.Duration, first, last bool) error {
	if x.m.Number == 1 {
		x.receive()
		x.packAndSend()
	} else {
		x.packAndSend()
		if !first {
			x.work("consume", half) // what the iteration before received
		}
		x.receive()
	}
	x.work("produce", half) // what the next iteration sends
	if err := x.wait(); err != nil {
		return err
	}
	if x.m.Number == 1 || last {
		x.work("consume", half)
	}
	return nil
}

func (x *exchange) work(what string, d time.Duration) {
	defer x.k.Span(what)()
	x.k.clock.Compute(int64(d))
}

func (x *exchange) wait() error {
	defer x.k.Span("wait")()
	if err := mpi.Waitall(x.sent); err != nil {
		return err
	}
	return mpi.Waitall(x.got)
}

func (x *exchange) receive() {
	defer x.k.Span("receive")()
	for i, from := range x.from {
		x.got[i] = mpi.Irecv(x.k.World, x.in[i], from, tagRight+i)
	}
}

func (x *exchange) packAndSend() {
	defer x.k.Span("pack and send")()
	for i, to := range x.to {
		copy(x.out[i], x.data)
		x.k.copied(len(x.data))
		x.sent[i] = mpi.Isend(x.k.World, x.out[i], to, tagRight+i)
	}
}

// Crossing returns the microseconds of a message when both ranks of a pair send and receive at once, so that every
// offer of a receiver meets a request on its way.
func Crossing(k *Rank, size int, l Loops) (float64, error) {
	p, out, in := k.pair(), buffer(size), buffer(size)
	requests := make([]mpi.Request, 2)
	each, err := k.timed(l, func(n int) error {
		for range n {
			requests[0] = mpi.Irecv(k.World, in, p.partner, tagData)
			requests[1] = mpi.Isend(k.World, out, p.partner, tagData)
			if err := mpi.Waitall(requests); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return k.mean(each)
}

// mean gives all ranks the mean of their values.
func (k *Rank) mean(v float64) (float64, error) {
	mine, sum := []float64{v}, []float64{0}
	err := mpi.Allreduce(k.World, mine, sum, mpi.Sum)
	return sum[0] / float64(k.World.Size()), err
}
